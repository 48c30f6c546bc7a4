//! Instructions in, the names that they say to find or to work out: `{{x}} = {{y}} - 1`, `Extract: - x: the first number`.

use super::compile::Compiler;
use crate::model::item;
use crate::source::Span;
use crate::syntax::{HoleKind, each_hole, is_name};

/// Verbs that begin an order to find the values of a list of names.
pub(super) const FINDS: &[&str] = &[
    "extract",
    "parse",
    "determine",
    "identify",
    "derive",
    "calculate",
    "compute",
    "resolve",
    "detect",
    "collect",
    "gather",
];

impl<'p> Compiler<'p> {
    /// Lists the names that a text says to find or to work out, where anything in the workflow reads them as `{{x}}`.
    pub(super) fn found(&self, text: Span) -> Vec<&'p str> {
        let words = self.library.slice(text);
        let listed = listed(words).into_iter().filter(|name| self.reads(name) > 0);
        let made = made(words).into_iter().filter(|name| self.reads(name) > 1);
        listed.chain(made).collect()
    }

    /// Counts how often the files of the workflow read a name.
    fn reads(&self, name: &str) -> usize {
        let hole = format!("{{{{{name}}}}}");
        let texts = self.workflow.files.iter().map(|file| self.library.source(*file).text());
        texts.map(|text| text.matches(&hole).take(2).count()).sum()
    }
}

/// Lists the names that a text puts before an equals sign: `Calculate: {{x}} = {{y}} - 1`.
fn made(text: &str) -> Vec<&str> {
    let is_made = |(kind, name, place): &(HoleKind, &str, std::ops::Range<usize>)| {
        let before = text[..place.start].trim_end_matches([' ', '\t', '`', '*']);
        let begins = before.is_empty() || before.ends_with([':', '\n', '-', '.', ';', ',']);
        let after = text[place.end..].trim_start_matches([' ', '`', '*']);
        let equals = after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>");
        *kind == HoleKind::Double && is_name(name) && begins && equals
    };
    each_hole(text).filter(is_made).map(|(_, name, _)| name).collect()
}

/// Lists the names of the items below an order to find them.
fn listed(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut lists = false;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match item(line).filter(|_| lists) {
            Some(item) => found.extend(named(item)),
            None => lists = line.trim_end_matches('*').ends_with(':') && is_to_find(line),
        }
    }
    found
}

/// Says whether a line begins with an order to find something.
fn is_to_find(line: &str) -> bool {
    let words = line.trim_start_matches(|at: char| !at.is_alphabetic() && at != '<');
    let word = words.split(|at: char| !at.is_alphabetic()).next().unwrap_or_default();
    FINDS.iter().any(|verb| verb.eq_ignore_ascii_case(word))
}

/// Reads the name of an item: `x: the first number`, ``**`x`**: …``.
fn named(item: &str) -> Option<&str> {
    let (name, _) = item.split_once(':')?;
    Some(name.trim_matches(['`', '*', '{', '}', ' '])).filter(|name| is_name(name))
}

#[cfg(test)]
mod tests {
    use super::{listed, made};

    #[test]
    fn the_items_below_an_order_to_find_are_names() {
        let text = "Extract from the key:\n  - epic_num: the first number\n  - **`story_num`**: the second\n  - what it is: words\nWrite:\n - title: x\n";
        assert_eq!(listed(text), ["epic_num", "story_num"]);
        assert_eq!(listed("Show the person:\n- status: open\n"), [""; 0]);
    }

    #[test]
    fn what_stands_before_an_equals_sign_is_worked_out() {
        assert_eq!(made("Calculate the one before: {{prev}} = {{n}} - 1"), ["prev"]);
        assert_eq!(made("If {{a}} = 1 or: {{b}} == 2, take {{c}}"), [""; 0]);
    }
}
