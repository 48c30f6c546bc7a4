//! What is told with an answer: what stands between a menu and its answers, and the sections that an answer points to.

use super::choices::run;
use super::{ack, project, trace, willing};
use bmad::machine::{Effect, Issued, Options, Outcome};

const CHOSEN: &str = "# Step 1: Choose

Explain the ways.

**Ready?**
[1] By hand - Slowly
[2] By machine - Fast

Which one do you like most? (Enter 1-2)

### 4. Handle the selection

#### When a way is chosen:

- Append the overview to the document

### 5. Go on

- **If 1:** Load `./step-02-b.md`
- **If 2:** Count to two and load `./step-02-b.md`

## SUCCESS METRICS:

- All is well
";

#[test]
fn what_stands_before_answers_that_all_lead_away_is_told_with_each() {
    for key in ["1", "2"] {
        let (text, told) = run(CHOSEN, &[key]);
        assert!(text.contains("completed"), "{text}");
        assert_eq!(told.matches("Append the overview").count(), 1, "{told}");
        let places = ["Explain the ways", "Append the overview", "Say goodbye"];
        let found: Vec<usize> = places.iter().map(|words| told.find(words).expect(words)).collect();
        assert!(found.is_sorted(), "{told}");
        assert!(!told.contains("All is well"), "{told}");
    }
}

#[test]
fn rules_before_the_answers_are_no_work_of_theirs() {
    let ruled = CHOSEN.replace("### 4. Handle the selection", "#### EXECUTION RULES:");
    let (_, told) = run(&ruled.replace("#### When a way is chosen:", ""), &["1"]);
    assert!(!told.contains("Append the overview"), "{told}");
}

const POINTING: &str = "# Step 1: Review

Present the text.

Display: \"**Select:** [C] Continue [E] Edit [R] Deep Review\"

- IF C: Proceed to Section 3 (Finish)
- IF E: Proceed to Section 2 (Feedback), then return here and redisplay menu
- IF R: Execute the review (see below)

#### EXECUTION RULES:

- After E or R execution, return to this menu

#### Deep Review [R] Process:

1. Read it with a fresh mind.

### 2. Feedback

Make the edits.

### 3. Finish

Write it down. Then load `./step-02-b.md`
";

#[test]
fn a_section_that_an_answer_points_to_is_told_with_it_and_leads_back() {
    let (text, told) = run(POINTING, &["R", "E", "R", "C"]);
    assert!(text.contains("completed"), "{text}");
    assert_eq!(told.matches("fresh mind").count(), 2, "{told}");
    assert_eq!(told.matches("Make the edits").count(), 1, "{told}");
    let (text, told) = run(POINTING, &["C"]);
    assert!(text.contains("completed") && told.contains("Write it down"), "{text}");
    assert!(
        !told.contains("fresh mind") && !told.contains("Make the edits"),
        "{told}"
    );
}

#[test]
fn a_section_that_says_nothing_of_the_menu_goes_on_behind_all_of_them() {
    let step = "# Step 1: Findings\n\nDisplay:\n\n**[W] Walk through** - One by one\n**[S] Skip** - Go on\n\n\
        - IF W: Execute WALK THROUGH section below\n- IF S: Execute SKIP section below\n\n## WALK THROUGH [W]\n\n\
        Show each finding.\n\n## SKIP [S]\n\nNote that none was fixed.\n\n## END\n\nSum it up.\n";
    for (key, own, other) in [
        ("W", "each finding", "none was fixed"),
        ("S", "none was fixed", "each finding"),
    ] {
        let (text, told) = run(step, &[key]);
        assert!(text.contains("completed"), "{text}");
        assert!(
            told.contains(own) && told.contains("Sum it up") && !told.contains(other),
            "{told}"
        );
    }
}

#[test]
fn a_section_that_no_answer_points_to_plainly_is_told_to_all_that_go_on() {
    for (answer, heading) in [
        (
            "Look at it, then go on with everything below.",
            "## Review it and write the plan",
        ),
        (
            "Improve Section 2 of the report, then redisplay the menu",
            "### 2. Keep it",
        ),
        (
            "Ask harder questions, then redisplay the menu",
            "## Keep the [R] and [B] variants",
        ),
    ] {
        let step = format!(
            "# Step 1: Plan\n\nDraft it.\n\nDisplay: \"**Select:** [R] Review [C] Continue\"\n\n- IF R: {answer}\n\
             - IF C: Go on below.\n\n{heading}\n\nWrite it to disk.\n\n## Tell\n\nTell the team.\n"
        );
        let (text, told) = run(&step, &["C"]);
        assert!(text.contains("completed"), "{text}");
        assert!(
            told.contains("Write it to disk") && told.contains("Tell the team"),
            "{told}"
        );
    }
}

#[test]
fn a_section_that_another_answer_comes_by_stays_where_it_is() {
    for (review, on, count) in [
        (
            "Proceed to Section 2, then redisplay the menu",
            "Proceed to Section 2",
            2,
        ),
        ("Proceed to Section 2, then redisplay the menu", "Continue below", 2),
        (
            "Proceed to Section 2, then redisplay the menu",
            "Proceed to Section 3",
            1,
        ),
    ] {
        let step = format!(
            "# Step 1: Plan\n\nDraft it.\n\nDisplay: \"**Select:** [R] Review [C] Continue\"\n\n- IF R: {review}\n\
             - IF C: {on}\n\n### 2. Feedback\n\nMake the edits.\n\n### 3. Tell\n\nTell the team.\n"
        );
        let (text, told) = run(&step, &["R", "C"]);
        assert!(text.contains("completed") && told.contains("Tell the team"), "{text}");
        assert_eq!(told.matches("Make the edits").count(), count, "{on}: {told}");
    }
}

#[test]
fn a_comparison_behind_a_menu_is_a_condition_and_no_answer() {
    let skill = "---\nname: teach\ndescription: d\n---\n# Teach\n\nIf mode is unclear, ask:\n\n\"What would you like?\n\n\
        **[C]reate** — Start\n**[V]alidate** — Review\"\n\n### Route\n\n**IF mode == create:**\nLoad and execute \
        `steps/step-01-init.md`.\n\n**IF mode == validate:**\nLoad and execute `steps/step-02-look.md`.\n";
    let loaded = project([
        ("SKILL.md", skill),
        ("steps/step-01-init.md", "# Step 1: Init\n\nTeach it.\n"),
        ("steps/step-02-look.md", "# Step 2: Look\n\nLook at it.\n"),
    ]);
    let mut rest = willing(&["V"]);
    let text = trace(&loaded, "SKILL.md", Options::default(), &mut |issued: &Issued| {
        let Effect::Dispatch(task) = &issued.effect else {
            return rest(issued);
        };
        let Outcome::Replied(mut reply) = ack(task, false) else {
            return None;
        };
        for (judged, condition) in reply.judgements.iter_mut().zip(&task.conditions) {
            judged.holds = !condition.contains("create");
        }
        Some(Outcome::Replied(reply))
    });
    assert!(text.contains("ask ") && text.contains("mode == create"), "{text}");
    assert!(text.contains("Look at it") && !text.contains("Teach it"), "{text}");
}
