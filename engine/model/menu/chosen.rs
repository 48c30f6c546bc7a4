//! Questions that are answered with one item of a list, and words about what was chosen.

use crate::syntax::Phrases;

/// Words of a question that is answered with one item of a list.
static ONES: Phrases = Phrases::new(&[
    "select one",
    "select the ",
    "select an ",
    "select your",
    "select from",
    "select by",
    "choose one",
    "choose the ",
    "choose an ",
    "choose from",
    "choose which",
    "choice",
    "an option",
    "the option",
    "option number",
    "options",
    "pick one",
    "pick an ",
    "which one",
    "which of",
    "enter the number",
    "by number",
]);

/// Words that speak of what a person chose.
static ANSWERED: Phrases = Phrases::new(&[
    "answer", "choice", "chose", "select", "option", "respon", "input", "pick",
]);

/// Words of a question that is answered with an amount.
static AMOUNTS: Phrases = Phrases::new(&["how many", "number of", "how much"]);

/// Says whether words speak of what a person chose.
pub(super) fn speaks_of_answer(text: &str) -> bool {
    ANSWERED.is_in(text)
}

/// Says whether a question is answered with one item of a list.
pub(super) fn asks_for_listed(question: &str) -> bool {
    ONES.is_in(question) && !AMOUNTS.is_in(question)
}
