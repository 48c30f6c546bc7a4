//! A value that prose gives in, the names in single braces out that the workflow says to work out: `out/spec-{slug}.md`.

use super::compile::Compiler;
use super::found::FINDS;
use super::shown::left_open;
use crate::machine::contract::is_name;
use crate::model::is_system;
use crate::source::Span;
use crate::syntax::{HoleKind, each_hole};

/// More verbs that say that somebody gives a name its value.
const GIVES: &[&str] = &[
    "set", "generate", "choose", "pick", "create", "make", "infer", "assign", "build",
];

impl<'p> Compiler<'p> {
    /// Wants the names that a value leaves open: `{{x}}`, and a `{x}` that nothing but the work itself can give; returns the latter.
    pub(super) fn valued(&mut self, value: Span) -> Vec<&'p str> {
        let text = self.library.slice(value);
        let open = left_open(text);
        let mut derived: Vec<&str> = Vec::new();
        for (kind, name, _) in each_hole(text) {
            let may_wait = kind == HoleKind::Single && is_name(name) && !is_system(name);
            let is_known = open.contains(&name) || derived.contains(&name) || self.code.fixed.contains_key(name);
            if may_wait && !is_known && self.is_worked_out(name) {
                derived.push(name);
            }
        }
        self.wanted(open.into_iter().chain(derived.iter().copied()).collect(), value);
        derived
    }

    /// Says whether a file of the workflow says to work a name out.
    fn is_worked_out(&self, name: &str) -> bool {
        let mut texts = self.workflow.files.iter().map(|file| self.library.source(*file).text());
        texts.any(|text| says_to_find(text, name))
    }
}

/// Says whether a text has an order to work a name out: `Derive a valid slug from the title`.
fn says_to_find(text: &str, name: &str) -> bool {
    let is_free =
        |at: Option<char>| at.is_none_or(|at| !at.is_alphanumeric() && !matches!(at, '_' | '-' | '{' | '}' | '/'));
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let start = before.rfind(['.', '\n', ';', ':']).map_or(0, |end| end + 1);
        let mut words = before[start..].split(|at: char| !at.is_alphanumeric());
        let orders = |word: &str| FINDS.iter().chain(GIVES).any(|verb| verb.eq_ignore_ascii_case(word));
        is_free(before.chars().next_back()) && is_free(after.chars().next()) && words.any(orders)
    })
}

#[cfg(test)]
mod tests {
    use super::says_to_find;

    #[test]
    fn a_name_is_worked_out_where_an_order_says_so() {
        for text in [
            "Derive a valid slug from the title.",
            "1. Generate `slug`, short.",
            "If new: set slug to it",
        ] {
            assert!(says_to_find(text, "slug"), "{text}");
        }
        for text in [
            "Save it as `out/{slug}.md`.",
            "Derive it. The slug is short.",
            "Derive the my-slug of it",
            "A slug is short",
        ] {
            assert!(!says_to_find(text, "slug"), "{text}");
        }
    }
}
