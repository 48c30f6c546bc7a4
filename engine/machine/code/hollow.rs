//! Instructions in, those out that are left where a list that its users may fill is empty: nothing is to be done for each
//! entry of it.

use super::compile::Compiler;
use super::left::words;
use crate::builtins::Value;
use crate::source::Span;
use crate::syntax::{WordList, holes, trim};

/// What a text calls a list that is empty.
pub(in crate::machine) const NONE: &str = "_None._";

/// Words that say how steps follow one another, which is the engine's to see to.
static RUNNING: WordList = WordList::new(&[
    "a",
    "activation",
    "after",
    "all",
    "and",
    "any",
    "are",
    "append",
    "been",
    "before",
    "begin",
    "complete",
    "completed",
    "confirm",
    "directed",
    "do",
    "each",
    "empty",
    "entry",
    "every",
    "execute",
    "executed",
    "file",
    "files",
    "first",
    "follow",
    "fully",
    "has",
    "have",
    "if",
    "in",
    "is",
    "it",
    "load",
    "main",
    "never",
    "next",
    "non",
    "not",
    "of",
    "one",
    "only",
    "or",
    "order",
    "pre",
    "prepend",
    "proceeding",
    "read",
    "reorder",
    "run",
    "skip",
    "step",
    "steps",
    "the",
    "then",
    "until",
    "was",
    "were",
    "when",
    "workflow",
]);

/// Words behind a list that say in which order its entries are taken.
static ORDERLY: WordList = WordList::new(&[
    "a",
    "at",
    "before",
    "by",
    "continuing",
    "entry",
    "given",
    "in",
    "item",
    "listed",
    "one",
    "order",
    "proceeding",
    "the",
    "time",
]);

impl Compiler<'_> {
    /// Takes the paragraphs out of instructions that are for each entry of an empty list; where that leaves nothing but
    /// headings, and words on how steps follow one another, nothing is left.
    pub(super) fn without_hollow(&self, orders: Vec<Span>) -> Vec<Span> {
        if self.code.custom.is_empty() {
            return orders;
        }
        orders.into_iter().flat_map(|order| self.filled(order)).collect()
    }

    fn filled(&self, order: Span) -> Vec<Span> {
        let paragraphs = self.paragraphs(order);
        let is_list = |at: usize| {
            paragraphs
                .get(at)
                .is_some_and(|paragraph| self.is_empty_list(*paragraph))
        };
        let is_hollow = |at: usize| {
            let said = self.library.slice(paragraphs[at]);
            self.is_for_each(paragraphs[at]) || is_list(at) && at > 0 || said.contains(NONE) && is_list(at + 1)
        };
        let lists = (1..paragraphs.len()).filter(|at| is_list(*at));
        let is_told = lists
            .into_iter()
            .all(|at| self.library.slice(paragraphs[at - 1]).contains(NONE));
        let kept: Vec<usize> = (0..paragraphs.len()).filter(|at| !is_hollow(*at)).collect();
        if !is_told || kept.len() == paragraphs.len() {
            return vec![order];
        }
        let is_work = |at: &usize| {
            let said = self.library.slice(paragraphs[*at]);
            !said.starts_with('#') && (orders(said) || !words(said).all(|word| RUNNING.has(word)))
        };
        if !kept.iter().any(is_work) {
            return Vec::new();
        }
        let mut left: Vec<Span> = Vec::new();
        for at in kept {
            match left.last_mut() {
                Some(last) if at > 0 && last.end == paragraphs[at - 1].end => last.end = paragraphs[at].end,
                _ => left.push(paragraphs[at]),
            }
        }
        left
    }

    /// Parts a text where lines are empty.
    fn paragraphs(&self, text: Span) -> Vec<Span> {
        let source = self.library.source(text.source);
        let mut start = text.start;
        let parts = self.library.slice(text).split_inclusive("\n\n").map(|part| {
            let place = Span {
                start,
                end: start + part.len() as u32,
                ..text
            };
            start = place.end;
            trim(source, place).0
        });
        parts.filter(|place| !place.is_empty()).collect()
    }

    /// Says whether a paragraph is nothing but a list that is empty.
    fn is_empty_list(&self, paragraph: Span) -> bool {
        let said = self.library.slice(paragraph);
        let inside = said.strip_prefix('{').and_then(|said| said.strip_suffix('}'));
        inside.is_some_and(|name| self.is_empty(name))
    }

    /// Says whether a paragraph is one sentence on each entry of a list that is empty: `Execute each entry in {x} in order.`
    fn is_for_each(&self, paragraph: Span) -> bool {
        let said = self.library.slice(paragraph);
        let found = holes(said, paragraph);
        let ([hole], Some(first)) = (found.as_slice(), words(said).nth(1)) else {
            return false;
        };
        let is_each = first.eq_ignore_ascii_case("each") || first.eq_ignore_ascii_case("every");
        let is_one = !said.trim_end_matches('.').contains(". ") && !said.contains('\n');
        let after = &said[(hole.span.end - paragraph.start) as usize..];
        is_each && is_one && self.is_empty(hole.name) && is_orderly(after)
    }

    fn is_empty(&self, name: &str) -> bool {
        let Some((table, key)) = name.split_once('.') else {
            return false;
        };
        let table = self.code.custom.iter().find(|(known, _)| known == table);
        let Some((_, Value::Map(entries))) = table else {
            return false;
        };
        let value = entries.iter().find(|(known, _)| known == key);
        value.is_some_and(|(_, value)| matches!(value, Value::List(items) if items.is_empty()))
    }
}

/// Says whether words behind a list say nothing but how its entries are taken, and what holds where there are some.
fn is_orderly(after: &str) -> bool {
    let (own, rest) = after.split_once([';', ',']).unwrap_or((after, ""));
    let is_first = |word: &str| word.eq_ignore_ascii_case("if");
    let is_for_some = words(rest).next().is_some_and(is_first) && rest.contains("non-empty");
    words(own).all(|word| ORDERLY.has(word)) && (rest.is_empty() || is_for_some)
}

/// Says whether a text begins with an order to do something, and not with a statement on how steps follow one another.
fn orders(text: &str) -> bool {
    const THEN: &[&str] = &["then", "next", "first", "and"];
    const DOING: &[&str] = &["load", "read", "run", "execute"];
    let is = |word: &str, list: &[&str]| list.iter().any(|one| word.eq_ignore_ascii_case(one));
    let first = text.split_once(". ").map_or(text, |(first, _)| first);
    first.split([',', ';', ':', '\n']).any(|clause| {
        let first = words(clause).find(|word| !is(word, THEN));
        first.is_some_and(|word| is(word, DOING))
    })
}

#[cfg(test)]
mod tests {
    use super::{is_orderly, orders};

    #[test]
    fn behind_a_list_only_the_order_of_its_entries_is_no_work() {
        for (after, is) in [
            ("` in order before proceeding.", true),
            (" one by one", true),
            ("` entry; if either list was non-empty, confirm that all ran.", true),
            (" and write a summary file for the team.", false),
            (", and otherwise follow the style guide", false),
            (", if it is empty use the style guide", false),
        ] {
            assert_eq!(is_orderly(after), is, "{after}");
        }
    }

    #[test]
    fn an_order_is_no_statement_on_how_steps_follow() {
        assert!(orders("Then load all the files in order and run each one fully."));
        assert!(orders("Before proceeding, execute the main workflow file in order."));
        for statement in [
            "Activation is complete. Read the next step.",
            "Do not begin until all steps have run.",
        ] {
            assert!(!orders(statement), "{statement}");
        }
    }
}
