//! What is a quota and what is not, sentence by sentence.

use super::{Demand, around, is_counted, is_parted, may_be_demand, nouns, quotas, said, together};

fn demands(text: &str) -> Vec<(Demand, &str)> {
    quotas(text, true)
        .into_iter()
        .map(|quota| (quota.demand, &text[quota.span]))
        .collect()
}

fn one(text: &str) -> Option<Demand> {
    let found = demands(text);
    assert!(found.len() < 2, "{text}: {found:?}");
    found.first().map(|(demand, _)| *demand)
}

#[test]
fn a_number_that_must_be_reached_is_a_quota() {
    for text in [
        "Find at least 3 issues.",
        "Find at least ten concrete, actionable issues to fix.",
        "Find at least 3 specific and actionable issues.",
        "find 3-10 issues minimum",
        "Find 3–10 specific issues in every review minimum - nothing less",
        "MINIMUM 3 issues",
        "Minimum of five findings per pass.",
        "You must identify at least five problems.",
        "Report no fewer than four defects.",
        "Never report fewer than three findings.",
        "Do not stop at fewer than five findings.",
        "List three or more weaknesses; find 5 or more flaws.",
        "Identify 3 issues in every file.",
        "At least two bugs are required.",
        "The strict reader requires at least ten findings.",
        "Repeat until at least 3 issues are found.",
        "If the change is large, find at least 8 issues.",
        "State the sum, then find at least N issues.",
        "Find at least {floor} issues.",
        "Find at least\nthree issues.",
        "find ≥3 issues",
        "You should find at least three issues.",
        "Default to finding 3-5 issues minimum.",
    ] {
        assert_eq!(one(text), Some(Demand::Number), "{text}");
    }
}

#[test]
fn an_empty_result_that_is_refused_is_a_quota() {
    for text in [
        "Never approve with zero findings.",
        "Do not finish with no issues.",
        "Never return without findings.",
        "Zero findings are not acceptable.",
        "Zero issues is forbidden",
        "You must find issues.",
        "A good reviewer must always find problems in every change.",
    ] {
        assert_eq!(one(text), Some(Demand::Some), "{text}");
    }
}

#[test]
fn a_threshold_that_sends_the_reviewer_back_is_a_quota() {
    assert_eq!(
        one("If fewer than 3 issues were found, re-check everything."),
        Some(Demand::Again)
    );
    assert_eq!(
        one("If you have zero findings, keep thinking; an empty list is no answer."),
        Some(Demand::Again)
    );
    assert_eq!(
        one("If zero findings: this is suspicious. Re-analyze or ask the person."),
        Some(Demand::AgainOrAsk)
    );
    assert_eq!(
        one("If no issues turn up, look again once, then accept that."),
        Some(Demand::AgainOrAsk)
    );
}

#[test]
fn a_threshold_that_only_tells_somebody_is_no_quota() {
    for text in [
        "If fewer than 3 issues were found, tell the person that the review may be shallow.",
        "When zero findings remain, state that the review is clean.",
        "If at least one issue is open, ask whether to go on.",
        "If you find at least 3 issues, stop and report.",
        "Once at least two defects were confirmed, hand over.",
    ] {
        assert_eq!(one(text), None, "{text}");
    }
}

#[test]
fn numbers_about_other_things_are_no_quota() {
    for text in [
        "Find at least 3 competitors and list issues they have.",
        "Identify at least five guests and describe problems they had.",
        "Cover at least 80% of the code that had bugs.",
        "List at least three options for each issue.",
        "Fix at least three of the issues.",
        "Fix at least 3 issues before lunch.",
        "At least two reviewers must find issues acceptable.",
        "At least 3 issues were found last week.",
        "Minimum 3 words, or the issue is refused.",
        "Show the top 3 issues.",
        "Report at most five findings.",
        "Link at least one issue.",
        "Summarize the findings of steps 1-12.",
        "Never approve with open issues.",
        "You must find all issues.",
        "Do not pad the list to reach at least three findings.",
        "Avoid orders such as: find at least 3 issues.",
        "Report what is real; zero findings are a valid result.",
        "No issues are acceptable in the payment module.",
        "Identify 2–5 concerns.",
        "Minimum 3 issues per chapter (or explicit \"none found\").",
        "List at least 3 issues if any exist.",
        "The scan should find at least one finding.",
    ] {
        assert_eq!(one(text), None, "{text}");
    }
}

#[test]
fn words_that_others_use_too_count_only_near_a_review() {
    let text = "Interview the person and identify at least three problems of their day.";
    assert_eq!(quotas(text, false).len(), 0);
    assert_eq!(quotas(&format!("# Review\n\n{text}"), false).len(), 1);
    assert_eq!(
        quotas(
            "A milestone has a date and a name.\n\n- At least 3 issues that belong to it",
            false
        )
        .len(),
        0
    );
}

#[test]
fn the_words_of_the_demand_are_pointed_at() {
    assert_eq!(
        demands("Please find 3-10 issues minimum."),
        [(Demand::Number, "3-10 issues minimum")]
    );
    assert_eq!(
        demands("- Read.\n- Find at least two bugs.\n"),
        [(Demand::Number, "at least two bugs")]
    );
}

#[test]
fn a_sentence_that_is_passed_over_makes_no_demand() {
    let pages = concat!(
        include_str!("tests.rs"),
        include_str!("../../../../spec/rules/reviewer-quota.md")
    );
    let (mut passed, mut read) = (0, 0);
    for noun in nouns(pages) {
        let range = around(pages, 0, noun);
        if nouns(pages)
            .iter()
            .any(|noun| range.contains(noun) && is_counted(pages, *noun))
            && may_be_demand(pages, &range)
        {
            read += 1;
        } else {
            passed += 1;
            assert!(said(pages, range.clone(), true).quota().is_none(), "{}", &pages[range]);
        }
    }
    assert!(passed > 5 && read > 40, "{passed} {read}");
}

#[test]
fn places_stand_together_up_to_the_end_of_a_block() {
    let text = "issue é bug\ngap\n\nerror\n- flaw, defect\nsue\n\n";
    let places = nouns(text);
    let groups: Vec<&[usize]> = places.chunk_by(|one, next| !is_parted(text, *one..*next)).collect();
    assert!(groups.len() == 3 && places.len() == 6, "{groups:?}");
    let mut from = 0;
    for group in groups {
        for at in 0..group.len() {
            assert_eq!(together(text, &places, from + at), from..from + group.len());
            assert_eq!(together(text, &places[from..], at), 0..group.len());
        }
        from += group.len();
    }
}

#[test]
fn any_text_can_be_read() {
    for text in [
        "issue",
        "é issue é",
        "≥ issues",
        "\u{2013}issues\u{2014}",
        "zero issues",
        "than issues",
        "issues\n",
        "must find issues",
    ] {
        demands(text);
        demands(&text.repeat(400));
    }
}
