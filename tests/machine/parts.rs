//! A call in the middle of a text: what stands before it is done before it, and the rest once it came back.

use super::{project, trace, willing};
use bmad::machine::{Effect, Issued, Options};

const WORKFLOW: &str = "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./steps/step-01-a.md`\n";
const TASK: &str = r#"<task id="t" name="T"><flow><step n="1" title="Refine it"><action>Refine the text.</action></step></flow></task>"#;

fn run(step: &str, answers: &[&str]) -> String {
    let loaded = project([
        ("workflow.md", WORKFLOW),
        ("steps/step-01-a.md", step),
        ("steps/step-02-b.md", "# Step 2: B\n\nSay goodbye.\n"),
        ("refine.xml", TASK),
    ]);
    trace(&loaded, "workflow.md", Options::default(), &mut willing(answers))
}

#[test]
fn what_a_call_brings_back_is_worked_on_and_asked_about_behind_it() {
    let step = "# Step 1: A\n\nDraft the text.\n\nDisplay: \"**Select:** [A] Refine [R] Again [C] Continue\"\n\n- IF A: Read fully and follow `{project-root}/refine.xml`, process what comes back, ask user \"Accept it? (y/n)\", if yes update the text then redisplay menu\n- IF R: Read fully and follow `{project-root}/refine.xml`, and when finished redisplay the menu\n- IF C: Load `./step-02-b.md`\n";
    insta::assert_snapshot!(run(step, &["A", "y", "R", "C"]), @r#"
    step 1
    step 1
    turn # Step 1: A  Draft the text.  Display: "**Select:
    ask Select: [A R C]
    step 1
    turn Refine the text.
    turn process what comes back, ask user "Accept it? (y/n)", if yes update the text then redisplay menu
    ask ask user "Accept it? (y/n)", if yes update the text then redisplay menu []
    turn process what comes back, ask user "Accept it? (y/n)", if yes update the text then redisplay menu | answered y
    ask Select: [A R C]
    step 1
    turn Refine the text.
    ask Select: [A R C]
    step 2
    turn # Step 2: B  Say goodbye.
    completed
    "#);
}

#[test]
fn words_around_a_call_are_two_turns() {
    let step = "# Step 1: A\n\nDraft the text.\n\n1. Save it.\n2. Read fully and follow `{project-root}/refine.xml` with the text\n3. Compare both.\n\nLoad `./step-02-b.md`\n";
    insta::assert_snapshot!(run(step, &[]), @r"
    step 1
    step 1
    turn # Step 1: A  Draft the text.  1. Save it.
    step 1
    turn Refine the text.
    turn 3. Compare both.
    step 2
    turn # Step 2: B  Say goodbye.
    completed
    ");
}

#[test]
fn a_call_that_more_is_said_of_or_that_only_rules_follow_is_made_last() {
    for rest in [
        " to make it better.",
        " with the text, and follow it.",
        " in a subagent. Give it the text.",
        "\n\n---\n\n## SUCCESS METRICS:\n\n- All is well",
    ] {
        let step =
            format!("# Step 1: A\n\nDraft the text.\n\nRead fully and follow `{{project-root}}/refine.xml`{rest}\n");
        let shown = run(&step, &[]);
        assert_eq!(shown.matches("\nturn").count(), 2, "{shown}");
        assert!(shown.contains("turn Refine the text.\ncompleted"), "{shown}");
    }
}

#[test]
fn what_is_said_of_a_call_is_told_to_who_is_called() {
    let skill = |words: &str| {
        let shim = format!("---\nname: shim\ndescription: d\n---\n\nThis moved. {words}\n");
        let loaded = project([
            (".claude/skills/shim/SKILL.md", shim.as_str()),
            (
                ".claude/skills/look/SKILL.md",
                "---\nname: look\ndescription: d\n---\n\nLook at the page.\n",
            ),
        ]);
        let (mut told, mut rest) = (Vec::new(), willing(&[]));
        let shim = ".claude/skills/shim/SKILL.md";
        let text = trace(&loaded, shim, Options::default(), &mut |issued: &Issued| {
            if let Effect::Dispatch(task) = &issued.effect {
                told.extend(task.rules.clone());
            }
            rest(issued)
        });
        (text, told)
    };
    let (text, told) = skill("Invoke the `look` skill on the same page with only the `edge` lens. Write a list.");
    let said = "Invoke the `look` skill on the same page with only the `edge` lens";
    let ordered = |said: &str| {
        vec![format!(
            "You were called with these words, and do only what they ask for: {said}"
        )]
    };
    assert_eq!(told, ordered(said));
    insta::assert_snapshot!(text, @r"
    step 1
    turn This moved.
    step 1
    turn Look at the page.
    turn Write a list.
    completed
    ");
    let (text, told) = skill("Invoke the `look` skill with the page and then save it. Write a list.");
    assert_eq!(told, ordered("Invoke the `look` skill with the page"));
    assert!(text.contains("turn save it. Write a list."), "{text}");
    let (text, told) = skill("Invoke the `look` skill with the page and its notes and write down what it found.");
    assert_eq!(told, ordered("Invoke the `look` skill with the page and its notes"));
    assert!(text.contains("turn write down what it found."), "{text}");
    // What is joined is a noun, or work of who is called.
    for said in [
        "Invoke the `look` skill with the page and list of notes",
        "Invoke the `look` skill to check the page and report the gaps that nobody saw",
        "Invoke the `look` skill to read the notes and summarize them in its answer",
    ] {
        let (text, told) = skill(&format!("{said}."));
        assert_eq!(told, ordered(said));
        assert!(text.ends_with("turn Look at the page.\ncompleted"), "{text}");
    }
    let (text, told) = skill("Invoke the `look` skill, passing the list of pages. Write a list.");
    assert_eq!(told, ordered("Invoke the `look` skill, passing the list of pages"));
    assert!(text.contains("turn Write a list."), "{text}");
    let (_, told) = skill("Invoke the `look` skill. Write a list.");
    assert!(told.is_empty(), "{told:?}");
}
