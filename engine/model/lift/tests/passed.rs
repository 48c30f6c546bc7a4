//! Lines that are passed over would have said nothing.

use super::super::quiet::READS_ALL;
use super::{random, read};
use crate::model::lift::report;
use crate::source::{Dice, SourceId, Span};

/// What random texts are made of: words that control flow hangs on, what they need around them, and marks.
const PIECES: &str = "go to the step step-02 3 halt HALT Stop exit end return proceed continue jump set x = {x} {{y}} \
    store save as read fully and follow following `steps/a.md` ./b.xml c.yaml load execute run invoke skill ask wait if \
    If when empty it is not do never A word don't \" ' “ ” ` [ ] { } <b> < , . ? ! ?? : ; — … ， 。 ？ ** * - é read_only \
    end-to-end route stage phase otherwise Otherwise done goto main beginning of record EXIT workflow task caller calling Mary's \
    menu `y` `y=2` a_b to terminate call What unless capture";

/// What ends a line, and what the next one begins with.
const BREAKS: &[&str] = &["\n", "\n\n", "\n- ", "\n1. ", "\n> ", "\n## ", "\n```\n", "\t", "  "];

#[test]
fn lines_that_are_passed_over_would_have_said_nothing() {
    let pieces: Vec<&str> = PIECES.split_whitespace().chain(BREAKS.iter().copied()).collect();
    let mut dice = Dice(7);
    let mut said = 0;
    for _ in 0..40_000 {
        let text = random(&mut dice, &pieces);
        let found = read(&text);
        READS_ALL.set(true);
        let all = read(&text);
        READS_ALL.set(false);
        assert_eq!(found, all, "{text:?}");
        said += all.len();
    }
    // Texts that say nothing would show nothing.
    assert!(said > 1000, "{said}");
}

#[test]
fn sentences_that_do_not_report_are_counted_as_they_were() {
    let place = |text: &str| Span::new(SourceId(2), 0, text.len());
    let says = |text: &str| report(text, place(text)).is_some();
    assert!(says("Stop and report the error.\nThe user knows.\n"));
    assert!(!says("Stop and report the error.\nThe user can save it.\n"));
    assert!(!says("Stop and report the error.\n\nWhat is it?\n"));
}
