//! A menu inside of a list in, the condition that its items put it under out.

use crate::model::condition::{Condition, Test, is_otherwise};
use crate::model::library::Document;
use crate::source::{ByteSet, Source, Span, near_last};
use crate::syntax::WordList;
use rest::{both, neither};

mod headed;
mod lead;
mod rest;
mod skip;

/// How many lines above a menu are looked at.
const FAR: usize = 100;

/// Returns the condition that the items around a menu put it under: `If there are several goals:`, `- One is found →`,
/// `- **One is found:**` beside other such items, `- Otherwise:` below them; else that nobody was led past its item.
pub(super) fn condition(source: &Source, menu: Span) -> Option<Condition> {
    around(source, menu).or_else(|| {
        let found = judged(source, source.text(), skip::past(source.text(), menu.start as usize)?)?;
        Some(neither(vec![found]))
    })
}

/// Returns the condition of the heading that a menu stands under, before the end of its step. Where the menu behind that
/// depends on something, too, this one is left out for that one only, and nobody goes past both.
pub(super) fn under_heading(document: &Document, menu: Span, end: u32) -> Option<Condition> {
    let source = &document.source;
    let (words, next) = headed::above(document, menu, end)?;
    let own = judged(source, source.text(), words)?;
    let Some(next) = condition(source, next) else {
        return Some(own);
    };
    let unless = neither(vec![next]);
    Some(Condition {
        span: own.span,
        text: format!("{} or {}", own.text, unless.text),
        test: Test::Any(vec![own.test, unless.test]),
    })
}

fn around(source: &Source, menu: Span) -> Option<Condition> {
    let text = source.text();
    let start = line_start(text, menu.start as usize);
    let own = text[start..].lines().next().unwrap_or_default();
    // Behind its label, or an arrow, an item may hold all of a menu.
    let before = &text[start..menu.start as usize];
    let labelled = || label(before).and_then(|_| case(text, start, own));
    if let Some(words) = before_arrow(before).or_else(labelled) {
        return judged(source, text, words);
    }
    let outer = || outward(source, start, indent(own), true);
    match rest::left_over(source, start, before) {
        Some(found) => Some(both(outer(), found)),
        None => outer(),
    }
}

/// Returns the condition of the lines further out than `depth` above a place.
fn outward(source: &Source, start: usize, mut depth: usize, mut is_parent: bool) -> Option<Condition> {
    let (text, mut end) = (source.text(), start);
    for _ in 0..FAR {
        if depth == 0 {
            return judged(source, text, lead::lead(text, end)?);
        }
        end = end.checked_sub(1)?;
        let from = line_start(text, end);
        let line = &text[from..end];
        if line.trim_start().starts_with('#') {
            return None;
        }
        if !line.trim().is_empty() && indent(line) < depth {
            depth = indent(line);
            let parent = || case(text, from, line).or_else(|| fenced_case(text, from, line));
            let words = said(line).or_else(|| is_parent.then(parent)?);
            if let Some(words) = words {
                return judged(source, text, words);
            }
            if let Some(found) = rest::left_over(source, from, line) {
                return Some(both(outward(source, from, depth, false), found));
            }
            is_parent = false;
        }
        end = from;
    }
    None
}

/// Returns where the line begins that a place stands in.
fn line_start(text: &str, at: usize) -> usize {
    near_last(b'\n', &text.as_bytes()[..at]).map_or(0, |end| end + 1)
}

/// What the last byte of a line is that leads to something: its colon, or what may stand behind that.
static OPEN: ByteSet = ByteSet::of(b":*_} \t\n\x0b\x0c\r").and_wide();

/// Says whether words are an answer that was given, not what is so: `C`, `user selects it`.
pub(super) fn is_answer(words: &str) -> bool {
    let mut said = words
        .split_whitespace()
        .map(|word| word.trim_matches(|at: char| !at.is_alphanumeric()));
    let (first, second) = (said.next().unwrap_or_default(), said.next());
    let person = second.is_some_and(|second| second.eq_ignore_ascii_case("user"));
    second.is_none() && first.len() < 3 || first.eq_ignore_ascii_case("user") || person
}

fn judged(source: &Source, text: &str, words: &str) -> Option<Condition> {
    let words = words.trim_matches(|at: char| at.is_whitespace() || matches!(at, '*' | '_' | ':' | ',' | '?'));
    if words.is_empty() || is_otherwise(words) {
        return None;
    }
    let start = words.as_ptr() as usize - text.as_ptr() as usize;
    let span = source.span(start, start + words.len());
    let decided = Condition::in_prose(words, span);
    decided.or_else(|| {
        Some(Condition {
            span,
            text: words.to_owned(),
            test: Test::Judged(words.to_owned()),
        })
    })
}

/// Counts the blanks that a line begins with.
pub(crate) fn indent(line: &str) -> usize {
    line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Returns an item of a list without its mark; none where the line is no item.
pub(crate) fn item(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let is_lettered =
        line.as_bytes().get(1) == Some(&b')') && line.starts_with(|first: char| first.is_ascii_lowercase());
    let rest = match digits {
        _ if is_lettered => &line[2..],
        0 => line.strip_prefix(['-', '*', '+'])?,
        _ => line[digits..].strip_prefix(['.', ')'])?,
    };
    rest.strip_prefix(' ').map(str::trim_start)
}

/// Returns the words of a line that what stands below it depends on: it leads there with a colon, and its last sentence
/// begins with a condition, or all of it is one before an arrow.
pub(super) fn said(line: &str) -> Option<&str> {
    if !line.bytes().next_back().is_some_and(|last| OPEN.has(last)) {
        return None;
    }
    leading(line)
}

/// Returns the same of a line that may end so.
fn leading(line: &str) -> Option<&str> {
    let said = item(line).unwrap_or_else(|| line.trim_start());
    // In a text that is shown, braces around a condition say that it is none of it: `{If the score is low:}`.
    let braced = said
        .trim_end()
        .strip_prefix('{')
        .and_then(|said| said.strip_suffix('}'));
    let said = braced.unwrap_or(said);
    let whole = said.trim_end().trim_end_matches(['*', '_']).strip_suffix(':')?;
    let mut rest = whole;
    loop {
        let mut marks = memchr::memrchr3_iter(b'.', b'?', b'!', rest.as_bytes());
        let last = marks.find(|mark| rest.as_bytes().get(mark + 1) == Some(&b' '));
        let sentence = &rest[last.map_or(0, |end| end + 2)..];
        match (opened(sentence), last) {
            (Some(words), Some(end)) if adds_one(words) => rest = &rest[..end],
            (Some(words), _) => return Some(without_order(words)).filter(|_| !adds_one(words)),
            (None, _) => break,
        }
    }
    before_arrow(line)
}

/// Says whether a condition is for one option among others: `there are many, also show option 0`.
fn adds_one(words: &str) -> bool {
    let order = words.split_once(", ").map_or("", |(_, order)| order);
    let said: Vec<&str> = order.split_whitespace().take(4).collect();
    let is_said = |word: &str| said.iter().any(|each| each.eq_ignore_ascii_case(word));
    is_said("also") && is_said("option")
}

/// Returns what an item says before its only arrow, where that is a case: `- One is found →`, `- Any drafts? →`.
fn before_arrow(line: &str) -> Option<&str> {
    let (before, after) = item(line)?.split_once('→')?;
    let is_case = counts(before) || before.trim_end().ends_with('?');
    (is_case && !after.contains('→')).then_some(before)
}

/// Returns what a line between fences says before an arrow and a quotation that goes on below: `Found → "It is old.`
fn fenced_case<'t>(text: &str, from: usize, line: &'t str) -> Option<&'t str> {
    let (before, after) = line.split_once('→')?;
    let is_case = before.contains(char::is_alphanumeric) && !before.trim_start().starts_with('[');
    let is_open = after.matches(['"', '“', '”']).count() % 2 == 1;
    let fences = || text[..from].lines().filter(|line| line.trim_start().starts_with("```"));
    (is_case && is_open && fences().count() % 2 == 1).then_some(before)
}

/// Words that a case begins with: how many there are.
static COUNTS: WordList = WordList::new(&[
    "any", "exactly", "many", "more", "multiple", "no", "none", "one", "only", "several", "some", "two", "zero",
]);

fn counts(words: &str) -> bool {
    let first = words.split_whitespace().next().unwrap_or_default();
    COUNTS.has(first.trim_matches(|at: char| !at.is_alphanumeric()))
}

/// Words that an order behind a condition begins with.
static ORDERS: WordList = WordList::new(&[
    "ask", "display", "give", "halt", "let", "list", "offer", "present", "show", "stop", "tell", "then",
]);

/// Returns a condition without the order behind it: `one is found, ask`.
fn without_order(words: &str) -> &str {
    let begins = |(comma, _): &(usize, &str)| {
        let first = words[comma + 1..].split_whitespace().next();
        first.is_some_and(|first| ORDERS.has(first))
    };
    let order = words.match_indices(',').find(begins);
    order.map_or(words, |(comma, _)| &words[..comma])
}

/// Returns what follows `if`, `when` or `unless` at the start.
fn opened(words: &str) -> Option<&str> {
    let words = words.trim_start_matches(['*', '_', ' ']);
    let (first, rest) = words.split_once(' ')?;
    let is = |word: &str| first.eq_ignore_ascii_case(word);
    match is("if") || is("when") {
        true => Some(rest),
        false => is("unless").then_some(words),
    }
}

/// Returns the label of an item, where another item of the same list has one, too: they are cases.
fn case<'t>(text: &'t str, from: usize, line: &'t str) -> Option<&'t str> {
    let own = label(line)?;
    let depth = indent(line);
    let is_case = |other: &str| indent(other) == depth && label(other).is_some();
    let is_list = |other: &&str| other.trim().is_empty() || indent(other) > depth || is_case(other);
    let below = text[from..].lines().skip(1).take(FAR).take_while(is_list).any(is_case);
    let above = || text[..from].lines().rev().take(FAR).take_while(is_list).any(is_case);
    (below || above()).then_some(own)
}

/// Returns the label of `- **None:** …`; the items of a numbered list follow each other, and are no cases.
fn label(line: &str) -> Option<&str> {
    let bold = item(line)?.strip_prefix("**")?;
    let (label, rest) = bold.split_once("**")?;
    let is_label = label.ends_with(':') || rest.starts_with(':');
    let is_bullet = !line.trim_start().starts_with(|first: char| first.is_ascii_digit());
    (is_label && is_bullet && counts(label)).then(|| label.trim_end_matches(':'))
}

#[cfg(test)]
mod tests {
    use super::condition;
    use crate::source::{ProjectPath, Source, SourceId};

    /// Returns the condition of a menu that begins with `[`.
    fn of(text: &str) -> Option<String> {
        let path = ProjectPath::new("a.md").unwrap_or_else(ProjectPath::root);
        let source = Source::new(SourceId(0), path, text.to_owned());
        let at = text.find('[').unwrap_or(0);
        let found = condition(&source, source.span(at, at + 1))?;
        let said = source.slice(found.span);
        let is_denied = found.text.ends_with(&format!("not ({said})"));
        assert!(is_denied || said == found.text, "{text}");
        Some(found.text)
    }

    #[test]
    fn a_menu_in_a_list_depends_on_the_item_around_it() {
        for (text, words) in [
            (
                "4. Look. If there are several goals:\n   - List them\n   - HALT and give a choice:\n     - [A] Split\n",
                "there are several goals",
            ),
            ("- If one is found, ask:\n\n  - [A] Take it\n", "one is found"),
            (
                "- Drafts (`a`, `b`) in the folder? → List them. Give a choice:\n  - Another\n  - [N] New\n",
                "Drafts (`a`, `b`) in the folder",
            ),
            (
                "- **Exactly one story:** Set `x`. Give a choice:\n  - [A] Take it\n- **None:** Go on.\n",
                "Exactly one story",
            ),
            (
                "- **Some:** Go on.\n\n- **None**: give a choice:\n  - [A] Make one\n",
                "None",
            ),
            ("1. Unless it is clear:\n   [A] Ask\n", "Unless it is clear"),
            ("If one is found:\n\n[A] Take it\n", "one is found"),
            (
                "b) **IF ONE IS FOUND:**\n\n1. Look\n2. Show:\n\n```\nFound it.\n\n[A] Take it\n",
                "ONE IS FOUND",
            ),
            (
                "**If one is found:**\n\n\"I found one.\n\nIt is old.\n\n**Options:**\n\n[A] Take it\n",
                "one is found",
            ),
            (
                "When some are found:\n\n- Show the newest\n- Ask: \"Would you like to:\n  [A] Take it\n",
                "some are found",
            ),
            (
                "- **Exactly one story:** Ask: \"Take it? [Y] Yes / [N] No\".\n- **None:** Go on.\n",
                "Exactly one story",
            ),
            ("- Any drafts? → Ask which to take (or [N] for none).\n", "Any drafts"),
            (
                "If one is found, show only two options (omit the third). If it is old, also show option 0:\n\n[A] Take it\n",
                "one is found",
            ),
            (
                "\"Score: 3\n\n{If it is high:}\nWell done.\n\n{If it is low:}\n**Too low.** Would you like to:\n\n- [R] Repeat\n",
                "it is low",
            ),
            (
                "```\nFound → \"It is old.\n         Take it?\n         [A] Take it\n",
                "Found",
            ),
            (
                "1. Look. If one is known, proceed to instruction 3.\n2. Ask:\n   - [A] Take it\n",
                "not (one is known)",
            ),
        ] {
            assert_eq!(of(text).as_deref(), Some(words), "{text}");
        }
    }

    #[test]
    fn a_menu_for_what_is_left_over_depends_on_the_items_above_it() {
        for text in [
            "- If one is known: take it\n- Otherwise: ask:\n  - [A] Take it\n",
            "- If one is known: take it\n- Otherwise, take one ([A] Take it)\n",
        ] {
            assert_eq!(of(text).as_deref(), Some("not (one is known)"), "{text}");
        }
        for text in [
            "**If one is there:**\n\n- If it is old: drop it\n- Otherwise: ask:\n  - [A] Take it\n",
            "- If one is there:\n  - If it is old: drop it\n  - Otherwise: ask: [A] Take it\n",
        ] {
            assert_eq!(of(text).as_deref(), Some("one is there and not (it is old)"), "{text}");
        }
    }

    #[test]
    fn a_menu_that_nothing_around_makes_depend_is_offered_always() {
        for text in [
            "If one is found:\n- Load it\n\nThen look at it.\n\n[A] Take it\n",
            "**If one is found:** Load it.\n\n[A] Take it\n",
            "If one is found:\n- Load it\n\nOtherwise:\n\n[A] Take it\n",
            "**IF C:**\n\n[A] Take it\n",
            "If the user agrees:\n\n[A] Take it\n",
            "- Give the user a choice:\n  - [A] Take it\n",
            "- **Ask:** give a choice:\n  - [A] Take it\n",
            "- Otherwise:\n  - [A] Take it\n",
            "- If yes: go on\n- Otherwise:\n  - [A] Take it\n",
            "- If C: go on\n- If the user agrees: go on\n- Otherwise:\n  - [A] Take it\n",
            "- If one is found, take it.\n\n## Else\n\n  - [A] Take it\n",
            "  [A] Take it\n",
            "1. **None:** Load it.\n2. **Some:** Show:\n   - [A] Take it\n3. **One:** Go on.\n",
            "- **Load:** Load it.\n- **Present options:** Show:\n  - [A] Take it\n",
            "1. If the file exists, load it. Then present options:\n   [A] Take it\n",
            "- If the user has questions, answer them.\n  Then show:\n  [A] Take it\n",
            "- Load → review → present the menu:\n  - [A] Take it\n",
            "- Load it → show the menu:\n  - [A] Take it\n",
            "- If it is there, take it.\n  - [A] Take it\n",
            "If there are many, also show option 0:\n\n[A] Take it\n",
            "{If it is high:}\nWell done.\n\nLook at it again.\n\n[A] Take it\n",
            "Found → \"It is old.\n         [A] Take it\n",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
