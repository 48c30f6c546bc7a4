//! The lines above some words in, what those make the words depend on out.

use super::compile::Compiler;
use crate::model::{Lift, Origin, indent, is_heading_of_rules, is_otherwise, item};
use crate::source::Span;

/// How many lines above some words are looked at.
const LONGEST_LIST: usize = 100;

/// What leads from the name of a case to what is done about it.
const ARROWS: &[&str] = &["→", "->", "=>", "⇒"];

/// Words with which a condition begins.
const CONDITIONS: &[&str] = &["if", "when", "unless"];

/// Words with which a case begins: a condition, one of several things, an occasion.
const CASES: &[&str] = &["if", "when", "unless", "for", "on"];

impl Compiler<'_> {
    /// Returns the words that lead to the list that some words stand in: `If the file is there:`, or else what the heading
    /// above them says in parentheses: `Go on (If there is a file)`.
    pub(super) fn introduced(&self, words: Span, text: Span) -> Option<Span> {
        let above = Span {
            end: words.start.max(text.start),
            ..text
        };
        let (above, own) = self.library.slice(above).rsplit_once('\n')?;
        // An item that says itself when is put by its own words.
        let item = own.trim_start().strip_prefix(['-', '*', '+']).map(str::trim_start)?;
        if begins(item, CONDITIONS) {
            return None;
        }
        let place = |words: &str| {
            let start = words.as_ptr() as usize - above.as_ptr() as usize;
            text.inner(start, start + words.len())
        };
        let line = above.lines().rev().take(LONGEST_LIST).find(|line| !is_between(line))?;
        if !line.starts_with('#') {
            let words = line.trim().trim_matches(['*', '_', ':']);
            return is_introduction(line, CONDITIONS).then(|| place(words));
        }
        condition_in_heading(line).map(place)
    }

    /// Returns the name of the case that the item of a lift is for: what stands before an arrow, or the words it depends on
    /// where the item begins with them.
    pub(super) fn named_case(&self, lift: &Lift, text: Span) -> Option<Span> {
        let line = self.sentence(lift.span, text);
        let own = self.library.slice(line);
        let start = own.len() - item(own)?.len();
        let before = own.get(start..(lift.span.start - line.start) as usize)?;
        let end = ARROWS.iter().filter_map(|arrow| before.find(arrow)).min();
        let arrow = end.map(|end| line.inner(start, start + before[..end].trim_end().len()));
        let begins = |words: &Span| {
            let marks = (words.start.max(line.start) - line.start) as usize;
            line.contains(*words)
                && own
                    .get(start..marks)
                    .is_some_and(|marks| !marks.contains(char::is_alphanumeric))
        };
        let told = lift.condition.filter(|words| *words != lift.span && begins(words));
        arrow.filter(|name| !name.is_empty()).or(told)
    }

    /// Says whether words stand in a paragraph with a label in bold, and one for all other cases follows: `**By id:** …`,
    /// `**Otherwise:** …`.
    pub(super) fn is_for_labelled_case(&self, words: Span, text: Span) -> bool {
        let whole = self.library.slice(text);
        let at = (words.start.max(text.start) - text.start) as usize;
        let start = whole[..at].rfind("\n\n").map_or(0, |end| end + 2);
        let own = whole[start..].lines().next().unwrap_or_default();
        let label = |line: &str| {
            let label = line.trim_start().strip_prefix("**")?;
            let end = label
                .find("**")
                .filter(|end| label[..*end].ends_with(':') || label[*end..].starts_with("**:"))?;
            Some(label[..end].to_owned())
        };
        if label(own).is_none_or(|label| is_otherwise(&label)) {
            return false;
        }
        let depth = indent(own);
        let below = whole[start..].split("\n\n").skip(1).take(LONGEST_LIST);
        let mut beside = below.take_while(|next| indent(next) >= depth && !next.starts_with('#'));
        beside.any(|next| indent(next) == depth && label(next).is_some_and(|label| is_otherwise(&label)))
    }

    /// Says whether words stand in a list below a label in bold that is one of several: `**Guided mode:**`, `**Quick:**`.
    pub(super) fn is_for_a_mode(&self, words: Span, text: Span) -> bool {
        let above = Span {
            end: words.start.max(text.start),
            ..text
        };
        let Some((above, own)) = self.library.slice(above).rsplit_once('\n') else {
            return false;
        };
        let is_label = |line: &&str| {
            let line = line
                .trim()
                .trim_start_matches(|mark: char| mark.is_ascii_digit() || matches!(mark, '.' | '-' | ' '));
            line.starts_with("**") && line.trim_end_matches('*').ends_with(':')
        };
        let line = above
            .lines()
            .rev()
            .take(LONGEST_LIST)
            .find(|line| is_label(line) || !is_between(line));
        own.trim_start().starts_with(['-', '*', '+'])
            && line.filter(is_label).is_some()
            && self.library.slice(text).lines().filter(is_label).count() > 1
    }

    /// Says whether the lines above a question make it depend on something, or make a rule of it: an agent knows when.
    pub(super) fn is_for_a_case(&self, question: Span, text: Span) -> bool {
        let above = Span {
            end: question.start.max(text.start),
            ..text
        };
        let above = self.library.slice(above);
        let (above, own) = above.rsplit_once('\n').unwrap_or(("", above));
        let mut list = Some(List::of(own));
        for line in above.lines().rev().take(LONGEST_LIST) {
            if line.starts_with('#') {
                return is_heading_of_case(line);
            }
            if let Some(open) = &mut list {
                match open.look(line) {
                    Above::Leads => return true,
                    Above::Ends => list = None,
                    Above::Between => {}
                }
            }
        }
        let title = self.workflow.steps.get(self.step).map(crate::model::Step::title);
        self.origin == Origin::Heading && title.is_some_and(is_heading_of_case)
    }
}

/// A list, or a paragraph, that is left upwards.
struct List {
    /// How far its items are indented; none for a paragraph.
    indent: Option<usize>,
}

/// What a line above a list is for it.
enum Above {
    /// It says when the list is for.
    Leads,
    /// It is part of the list, or of no matter.
    Between,
    /// It is other text.
    Ends,
}

impl List {
    fn of(line: &str) -> Self {
        Self {
            indent: item(line).map(|_| indent(line)),
        }
    }

    fn look(&mut self, line: &str) -> Above {
        if line.trim().is_empty() {
            return Above::Between;
        }
        if is_case(line) && !begins(line, &["for this"]) {
            return Above::Leads;
        }
        let (Some(own), true) = (self.indent, is_between(line) || item(line).is_some()) else {
            return Above::Ends;
        };
        // An item further out holds this one.
        if let Some(words) = item(line).filter(|_| indent(line) < own) {
            self.indent = Some(indent(line));
            if is_case(words) {
                return Above::Leads;
            }
        }
        Above::Between
    }
}

/// Says whether words begin with one of some others.
fn begins(words: &str, openers: &[&str]) -> bool {
    let words = words.trim_start_matches(|at: char| !at.is_alphanumeric());
    openers.iter().any(|opener| {
        let (start, rest) = words.split_at_checked(opener.len()).unwrap_or_default();
        start.eq_ignore_ascii_case(opener) && rest.starts_with([' ', '*', '_'])
    })
}

/// Says whether a line may stand between the items of a list and the words that lead to it: another item, or a label.
fn is_between(line: &str) -> bool {
    let line = line.trim();
    let is_label = line.starts_with("**") && line.ends_with("**") && !begins(line, CONDITIONS);
    line.is_empty() || line.starts_with(['-', '*', '+']) && (is_label || !line.starts_with("**"))
}

/// Says whether what stands below a line is for a case: `On a collision:`, `Case 1-5 (a number is chosen):`.
fn is_case(line: &str) -> bool {
    is_introduction(line, CASES) || is_introduction(line, &["case"]) && names_key(line)
}

/// Says whether the second word of a line is a key: a letter, or what begins with a digit.
fn names_key(line: &str) -> bool {
    let mut words = line
        .split(|at: char| !at.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let key = words.nth(1).unwrap_or_default();
    key.starts_with(|at: char| at.is_ascii_digit()) || key.chars().count() == 1
}

/// Says whether a line of prose that begins with one of some words puts what follows it under a condition.
fn is_introduction(line: &str, openers: &[&str]) -> bool {
    begins(line, openers) && line.trim_end().trim_end_matches(['*', '_']).ends_with(':')
}

/// Returns what a heading says in parentheses, where that is a condition.
fn condition_in_heading(line: &str) -> Option<&str> {
    let (_, inside) = line.split_once('(')?;
    inside.split(')').next().filter(|inside| begins(inside, CONDITIONS))
}

/// Says whether what stands under a heading is for a case, or is a list of rules: `#### If X:`, `## FAILURE MODES:`.
fn is_heading_of_case(heading: &str) -> bool {
    let name = heading.trim_start_matches(|at: char| !at.is_alphabetic());
    begins(name, CONDITIONS) || condition_in_heading(heading).is_some() || is_heading_of_rules(heading)
}

/// Says whether a line opens a case for what stands below it: `**If a document exists:**`, `#### A. If it is there`.
pub(super) fn opens_case(line: &str) -> bool {
    let bare = line.trim_matches(|at: char| matches!(at, '#' | '*' | '_' | '-' | '>') || at.is_whitespace());
    let said = match bare.as_bytes() {
        [letter, b'.' | b')', b' ', ..] if letter.is_ascii_alphanumeric() => &bare[3..],
        _ => bare,
    };
    let is_case = ["If ", "When ", "Where ", "Should ", "Otherwise", "Else"];
    let opens = line.trim_start().starts_with('#') || bare.trim_end_matches('*').ends_with(':');
    opens && is_case.iter().any(|word| said.starts_with(word))
}
