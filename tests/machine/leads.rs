//! Where answers lead that a later line says more of, and menus for what is left over or for what their heading says.

use super::choices::run;

const ANSWERED_TWICE: &str = "# Step 1: Plan

Make a plan and show it.

Ready to execute? (y/n/adjust)

- **y:** Proceed to execution
- **n:** Gather more context
- **adjust:** Modify the plan

## NEXT STEP DIRECTIVE

- **y:** \"**NEXT:** Read fully and follow: `step-02-b.md`\"
- **n/adjust:** Continue gathering, then re-present plan
";

#[test]
fn an_answer_leads_where_a_later_line_says_if_the_first_does_not() {
    let (text, told) = run(ANSWERED_TWICE, &["n", "adjust", "y"]);
    assert_eq!(text.matches("\nask ").count(), 3, "{text}");
    assert!(text.contains("step 2") && text.ends_with("completed"), "{text}");
    let places = [
        "Gather more context",
        "Continue gathering",
        "Modify the plan",
        "Proceed to execution",
        "Say goodbye",
    ];
    let found: Vec<usize> = places.iter().map(|words| told.find(words).expect(words)).collect();
    assert!(found.is_sorted(), "{told}");
    // What leads somewhere itself is left as it is.
    let led = ANSWERED_TWICE.replace("Proceed to execution", "END workflow");
    let (text, _) = run(&led, &["y"]);
    assert!(!text.contains("step 2"), "{text}");
}
