//! Files to follow and skills to invoke.

use super::{conditions, nothing_in, said, words};

#[test]
fn a_file_is_followed() {
    let follows = [
        ("Read fully and follow: ./a/plan.md", "./a/plan.md"),
        ("read fully and follow `./step-02.md` to begin.", "./step-02.md"),
        (
            "Save it, then load, read entire file, then execute {nextStepFile}",
            "{nextStepFile}",
        ),
        (
            "Load, read the full file, and then execute `steps/step-01.md`",
            "steps/step-01.md",
        ),
        ("Load and execute `{other_workflow}`", "{other_workflow}"),
        ("load `references/check.md` and follow it.", "references/check.md"),
        ("Load ./step-01b.md and follow", "./step-01b.md"),
        ("Follow the instructions in ./workflow.md.", "./workflow.md"),
        ("Read fully and follow `[[bmad-snapshot:step-02.md]]`", "step-02.md"),
        ("Read fully and follow [the plan](steps/plan.md)", "steps/plan.md"),
        ("Read fully and follow: {root}/x/task.xml", "{root}/x/task.xml"),
        ("Read fully and follow: next step (step-e-02.md)", "step-e-02.md"),
    ];
    for (text, target) in follows {
        assert_eq!(said(text), [format!("follow {target}")], "{text}");
    }
}

#[test]
fn a_step_file_is_followed_however_it_is_named() {
    let follows = [
        ("When done, load `./step-07-check.md` to check it", "./step-07-check.md"),
        ("**EARLY EXIT** → `./step-04-review.md`", "./step-04-review.md"),
        ("Then **EARLY EXIT** to `[[bmad-snapshot:step-02.md]]`.", "step-02.md"),
        ("Proceed immediately to `step-05-look.md`.", "step-05-look.md"),
        ("Return to step-01-init.md", "step-01-init.md"),
        ("When it is clear, route to `./refs/letter.md`.", "./refs/letter.md"),
        ("Make it by following `compile.md`", "compile.md"),
        (
            "Invoke the brief workflow: {root}/brief/workflow.yaml",
            "{root}/brief/workflow.yaml",
        ),
    ];
    for (text, target) in follows {
        assert_eq!(said(text), [format!("follow {target}")], "{text}");
    }
}

#[test]
fn a_file_is_followed_once_with_all_its_words() {
    assert_eq!(
        words("Then load, read entire file, then execute {next}."),
        ["load, read entire file, then execute {next}"]
    );
    assert_eq!(
        words("Next: Read fully and follow: `a.md` now"),
        ["Read fully and follow: `a.md`"]
    );
}

#[test]
fn a_section_of_a_file_is_cited() {
    nothing_in(&[
        "Follow `pact.md` § _When it is gone_: say so",
        "Read fully and follow x.md §3",
    ]);
}

#[test]
fn a_file_in_a_quoted_handler_is_followed() {
    assert_eq!(
        said("- **y:** \"**NEXT:** Read fully and follow: `./step-03.md`\""),
        ["follow ./step-03.md"]
    );
}

#[test]
fn the_condition_of_a_file_is_kept() {
    assert_eq!(
        conditions("If a is small, b is known, and c is free: save it. Then read fully and follow: ./b.md"),
        [Some("a is small, b is known, and c is free")]
    );
    assert_eq!(
        conditions("If a is small, save it: then read fully and follow: ./b.md"),
        [Some("a is small")]
    );
    assert_eq!(
        conditions("- IF C: Save, then read fully and follow: ./b.md"),
        [Some("C")]
    );
    let text = "ONLY WHEN [C] is selected and [saved], will you then read fully and follow: ./b.md";
    assert_eq!(conditions(text), [Some("[C] is selected and [saved]")]);
}

#[test]
fn a_file_that_is_only_read_is_none() {
    nothing_in(&[
        "Load config from `{root}/config.yaml` and resolve:",
        "Load `references/models.md`, pick a model",
        "Read `notes.md`",
        "Follow the house style",
        "Follow Global Rules in SKILL.md",
        "follow `{agent.principles}`",
        "Execute `{workflow.on_complete}` if set",
        "Execute `npm test`",
        "Run: `tool run {root}/x.py`",
        "Do not load `./step-03.md` yet",
        "NEVER read fully and follow: ./x.md",
        "Companions follow the same rules as SPEC.md",
        "Proceed to the next category",
        "Proceed to {category}",
    ]);
}

#[test]
fn a_skill_is_invoked() {
    for text in [
        "Invoke the `bmad-x` skill",
        "All done. Invoke the bmad-x skill with the draft.",
        "- IF P: invoke the skill `bmad-x` now",
        "Invoke via the `bmad-x` skill.",
        "Run the `bmad-x` skill",
    ] {
        assert_eq!(said(text), ["skill bmad-x"], "{text}");
    }
    assert_eq!(words("Now invoke the `bmad-x` skill."), ["invoke the `bmad-x` skill"]);
}

#[test]
fn a_skill_that_others_may_invoke_is_none() {
    nothing_in(&[
        "Tell the user they can invoke the `bmad-x` skill",
        "Offer to invoke the `bmad-x` skill",
        "do not invoke any skill",
        "Run the recommended skill",
        "Invoke the skill in a new session",
    ]);
}

#[test]
fn what_a_quotation_says_to_follow_is_for_whoever_gets_it() {
    nothing_in(&[
        "> Invoke the `hunt` skill on this text:\n>\n> {text}",
        "- **Hunter** — prompt:\n  > Look at it. Invoke the `hunt` skill.\n",
        "> Read fully and follow: `./a.md`",
        "> - Look.\n> - Then load `./step-02-b.md`",
    ]);
    assert_eq!(said("> Look at it.\n\nInvoke the `hunt` skill."), ["skill hunt"]);
}
