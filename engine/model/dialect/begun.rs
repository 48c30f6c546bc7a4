//! Words that an order depends on in; out whether they only say that the workflow runs: `user activates this workflow`.

use crate::model::instruction::{Act, Instruction};
use crate::model::lift::Lift;
use crate::source::{Source, Span};
use crate::syntax::WordList;

/// Who begins a workflow.
static WHO: WordList = WordList::new(&["user", "person", "human"]);

/// What they do with it.
static BEGINS: WordList = WordList::new(&[
    "activates",
    "starts",
    "runs",
    "invokes",
    "launches",
    "triggers",
    "executes",
]);

/// The same, of the workflow.
static BEGUN: WordList = WordList::new(&[
    "activated",
    "started",
    "run",
    "invoked",
    "launched",
    "triggered",
    "executed",
]);

/// What is begun.
static WHAT: WordList = WordList::new(&["workflow", "skill"]);

/// Takes off the words that the one file to follow depends on, where they hold whenever somebody reads them.
pub(super) fn settle(source: &Source, body: &mut [Instruction]) {
    let mut told: Vec<&mut Lift> = Vec::new();
    for one in body {
        if let Act::Do { lifts, .. } = &mut one.act {
            let is_told = |lift: &&mut Lift| lift.kind.followed().is_some() && lift.condition != Some(lift.span);
            told.extend(lifts.iter_mut().filter(is_told));
        }
    }
    // Of several files one is for this case and another for that.
    if let [only] = told.as_mut_slice()
        && let Some(words) = only.condition
        && let Some(between) = source.text().get(words.end as usize..only.span.start as usize)
        && !between.contains('\n')
        && is_begun(source.slice(words))
    {
        only.condition = None;
        // Nobody is told the words that the order alone follows.
        if !between.contains(char::is_alphanumeric) {
            only.span.start = opener(source, words);
        }
    }
}

/// Returns where the word begins that opens a condition.
fn opener(source: &Source, words: Span) -> u32 {
    let before = source.text()[..words.start as usize].trim_end();
    before.trim_end_matches(char::is_alphanumeric).len() as u32
}

/// Says whether words say that the workflow they stand in is begun, and nothing else.
fn is_begun(words: &str) -> bool {
    let words: Vec<&str> = words.split_whitespace().collect();
    let words = words
        .strip_prefix(&["the"])
        .or(words.strip_prefix(&["a"]))
        .unwrap_or(&words);
    match words {
        [who, begins, "this", what] => WHO.has(who) && BEGINS.has(begins) && WHAT.has(what),
        ["this", what, "is", begun] => WHAT.has(what) && BEGUN.has(begun),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_begun;

    #[test]
    fn words_say_that_the_workflow_runs() {
        for words in [
            "user activates this workflow",
            "the user starts this skill",
            "this workflow is invoked",
        ] {
            assert!(is_begun(words), "{words}");
        }
        for words in [
            "the user activates this workflow again",
            "this workflow is invoked with a path",
            "the user starts the other workflow",
            "the user starts this review",
            "this workflow is complete",
        ] {
            assert!(!is_begun(words), "{words}");
        }
    }
}
