//! A text with a call in it to what is to be done before the call and behind it.

use super::compile::Compiler;
use super::left::{LEADING, joined, words};
use crate::machine::call::is_interpreter;
use crate::model::{Lift, LiftKind, Role, is_heading_of_rules};
use crate::source::Span;
use crate::syntax::WordList;

/// How far a line is read for what it says of a call, in bytes.
const LONGEST_LINE: usize = 2000;

/// Words that only say to come back to the menu whose option is handled.
static RETURNING: WordList = WordList::new(&[
    "and",
    "then",
    "when",
    "once",
    "after",
    "finished",
    "done",
    "complete",
    "completed",
    "it",
    "is",
    "return",
    "come",
    "go",
    "back",
    "here",
    "to",
    "redisplay",
    "display",
    "show",
    "present",
    "the",
    "this",
    "menu",
    "options",
    "again",
    "discussion",
]);

impl Compiler<'_> {
    /// Says whether a lift calls something that comes back: a skill, a task, another workflow.
    pub(super) fn comes_back(&self, lift: &Lift) -> bool {
        let (target, span) = match &lift.kind {
            LiftKind::Skill { .. } => return true,
            LiftKind::Follow { target, target_span } => (target, *target_span),
            _ => return false,
        };
        self.file(target, span).is_some_and(|file| {
            let document = self.library.document(file);
            let is_called = matches!(
                document.role,
                Role::TaskXml | Role::WorkflowYaml | Role::WorkflowMarkdown | Role::Skill
            );
            is_called && !self.workflow.files.contains(&file) && !is_interpreter(document.source.path(), document.role)
        })
    }

    /// Says whether a file that is no workflow, task or step is only told to the agent, who reads it where the words around
    /// say so: the line that names it says more than to follow it, or only for a case.
    pub(super) fn is_told(&self, lift: &Lift, text: Span) -> bool {
        let LiftKind::Follow { target, target_span } = &lift.kind else {
            return false;
        };
        let named = || self.workflow.named_file(self.library, target);
        let is_read = self.file(target, *target_span).or_else(named).is_some_and(|file| {
            let role = self.library.document(file).role;
            matches!(role, Role::Other | Role::Template) && !self.workflow.has_steps_in(file)
        });
        let is_kept = || self.left(text, &[lift]).iter().any(|part| part.contains(lift.span));
        is_read && (lift.condition.is_some() || is_kept())
    }

    /// Returns what of a text stands before a call, without what only leads to it.
    pub(super) fn ahead(&self, call: &Lift, text: Span) -> Span {
        let before = Span {
            end: call.span.start.max(text.start),
            ..text
        };
        let head = joined(self.library.slice(before));
        let (above, own) = head.rsplit_once('\n').unwrap_or(("", head));
        // The mark of an item that was nothing but the call is no text.
        let head = if own.contains(char::is_alphabetic) { head } else { above };
        Span {
            end: text.start + head.len() as u32,
            ..text
        }
    }

    /// Returns what of a text is to be done once a call in it came back, which may be nothing but to be asked again; none
    /// where nothing is said behind it, or only more about the call.
    pub(super) fn behind(&self, call: &Lift, text: Span) -> Option<Span> {
        let behind = Span {
            start: call.span.end.min(text.end),
            ..text
        };
        let after = self.library.slice(behind);
        let end = end_of_clause(after);
        let nothing = words(&after[end..]).all(|word| LEADING.has(word)) || leads_to_rules(&after[end..]);
        if nothing || is_by_another(self.library.slice(call.span), after) {
            return None;
        }
        let returns = self.branching && words(after).all(|word| RETURNING.has(word));
        // What is said of a call and nothing else is done with it.
        let skipped = match self.order(call) {
            _ if after[end..].starts_with('\n') => end,
            Some(order) => (order.end.min(text.end) - behind.start) as usize,
            None => 0,
        };
        let start = match returns {
            true => after.len(),
            false => skipped + start_of_words(&after[skipped..]),
        };
        Some(Span {
            start: behind.start + start as u32,
            ..text
        })
    }
}

impl Compiler<'_> {
    /// Returns the words of a call with what they say of it, which whoever is called is told: `Invoke the `x` skill on the
    /// same page`. None where they say no more than who is called, or when.
    pub(super) fn order(&self, call: &Lift) -> Option<Span> {
        if !self.comes_back(call) || call.condition.is_some_and(|condition| condition.start >= call.span.end) {
            return None;
        }
        let text = self.library.source(call.span.source).text();
        let after = text.get(call.span.end as usize..)?;
        let clause = &after[..end_of_order(after)];
        let first = words(clause).next().filter(|word| !WHEN.has(word))?;
        let is_said = !joins(first) && !words(clause).all(|word| LEADING.has(word) || RETURNING.has(word));
        let is_own = is_said && !is_by_another(self.library.slice(call.span), after);
        is_own.then(|| Span {
            end: call.span.end + clause.len() as u32,
            ..call.span
        })
    }
}

/// Words that say when somebody is called.
static WHEN: WordList = WordList::new(&[
    "if", "when", "unless", "once", "after", "before", "while", "until", "whenever", "at", "anytime",
]);

/// Verbs of what whoever calls somebody does with what comes back: `… and write down its findings`.
static ORDERS: WordList = WordList::new(&[
    "add",
    "append",
    "apply",
    "capture",
    "collect",
    "display",
    "include",
    "keep",
    "list",
    "merge",
    "note",
    "present",
    "put",
    "record",
    "report",
    "save",
    "show",
    "store",
    "summarize",
    "summarise",
    "take",
    "tell",
    "update",
    "use",
    "wait",
    "write",
]);

/// Words between a verb and what it is done to: `write down the findings`.
static PARTICLES: WordList = WordList::new(&["down", "up", "out", "back", "for"]);

/// Words that begin what a verb is done to.
static DETERMINERS: WordList = WordList::new(&[
    "a", "all", "an", "any", "each", "every", "its", "the", "their", "what", "whatever",
]);

/// Words that what is handed to somebody begins with.
static ALONG: WordList = WordList::new(&["passing", "with", "using", "giving", "providing", "without"]);

/// Returns where the words of a call end that say how it is made, before another order.
fn end_of_order(text: &str) -> usize {
    let mut end = end_of_marks(text);
    // What is handed along is part of it, behind a comma too.
    while let Some(more) = text[end..]
        .strip_prefix(',')
        .filter(|more| words(more).next().is_some_and(|word| ALONG.has(word)))
    {
        end = text.len() - more.len() + end_of_marks(more);
    }
    let clause = &text[..own_order(&text[..end]).unwrap_or(end)];
    let marks = [" and then ", " then ", "</"];
    let end = marks.iter().filter_map(|mark| clause.find(mark)).min();
    let clause = &clause[..end.unwrap_or(clause.len())];
    clause
        .trim_end_matches(|at: char| at.is_whitespace() || matches!(at, '.' | ':' | '!' | '"' | '*'))
        .len()
}

/// Says whether a call is one that an agent makes for another: `in a subagent`, or how something below is to be done.
fn is_by_another(call: &str, after: &str) -> bool {
    let speaks_of = |word: &str| word.eq_ignore_ascii_case("subagent") || word.eq_ignore_ascii_case("subagents");
    words(call).any(|word| word == "via") || words(line(after)).any(speaks_of)
}

/// Says whether nothing but rules stands below: they are no work of their own.
fn leads_to_rules(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| line.contains(char::is_alphanumeric));
    lines
        .next()
        .is_some_and(|line| line.starts_with('#') && is_heading_of_rules(line))
}

/// Returns where words end that say more about a call before them: `with the text, …`, `and follow it. …`.
fn end_of_clause(text: &str) -> usize {
    let first = words(text).next();
    let end = if first.is_some_and(joins) {
        0
    } else {
        end_of_words(text)
    };
    // To follow what was read is part of the call.
    let verb = words(line(&text[end..])).find(|word| !joins(word));
    let verb = verb.filter(|verb| matches!(*verb, "follow" | "execute"));
    verb.map_or(end, |verb| {
        let from = verb.as_ptr() as usize - text.as_ptr() as usize;
        from + end_of_words(&text[from..])
    })
}

/// Says whether a word joins what follows it to what stands before it.
fn joins(word: &str) -> bool {
    matches!(word, "and" | "then")
}

/// Returns where the first mark stands that ends a clause, or the word that joins another order to it.
fn end_of_words(text: &str) -> usize {
    let end = end_of_marks(text);
    own_order(&text[..end]).unwrap_or(end)
}

/// Returns where the first mark stands that ends a clause.
fn end_of_marks(text: &str) -> usize {
    let line = line(text);
    let marks = [",", ";", ". ", "! ", " — ", " → "];
    let end = marks.iter().filter_map(|mark| line.find(mark)).min();
    end.unwrap_or(line.len())
}

/// Returns where an `and` stands in the words of a call that joins an order of who calls: `and write down its findings`.
/// Without a word such as `its` the verb may be a noun, and what `to check the page` is joined to is work of who is called.
fn own_order(clause: &str) -> Option<usize> {
    let is_order = |after: &str| {
        let mut words = words(after);
        let verb = words.next();
        let mut object = words.skip_while(|word| PARTICLES.has(word));
        verb.is_some_and(|word| ORDERS.has(word)) && object.next().is_some_and(|word| DETERMINERS.has(word))
    };
    let mut joins = clause.match_indices(" and ");
    let found = joins.find(|(at, and)| is_order(&clause[at + and.len()..]));
    found.map(|(at, _)| at).filter(|at| !says_what_for(&clause[..*at]))
}

/// Says whether words say what somebody is called for: `to check the page`, not `to the page`.
fn says_what_for(words_of_call: &str) -> bool {
    let mut words = words(words_of_call);
    while words.any(|word| word.eq_ignore_ascii_case("to")) {
        if words.next().is_some_and(|word| !DETERMINERS.has(word)) {
            return true;
        }
    }
    false
}

/// Returns the rest of a line, or the start of it where it is very long.
fn line(text: &str) -> &str {
    let near = &text[..text.floor_char_boundary(LONGEST_LINE)];
    near.split('\n').next().unwrap_or_default()
}

/// Returns where the words of a text begin, behind the marks and the words that only join it to what stands before it.
fn start_of_words(text: &str) -> usize {
    let line = line(text);
    let is_mark =
        |at: char| at.is_whitespace() || matches!(at, ',' | ';' | '.' | ':' | '!' | '*' | '_' | '—' | '→' | ')');
    let mut words = line.trim_start_matches(is_mark);
    while let Some(rest) = ["and ", "then "].iter().find_map(|word| words.strip_prefix(word)) {
        words = rest.trim_start_matches(is_mark);
    }
    if words.is_empty() {
        let below = &text[line.len()..];
        let blank = below.len() - below.trim_start_matches(['\n', '\r']).len();
        return line.len() + blank;
    }
    line.len() - words.len()
}
