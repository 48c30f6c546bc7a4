//! Files that prose leads to, and choices that it leaves.

use super::{ack, project, trace, willing};
use bmad::machine::{Effect, Issued, Options, Outcome};

#[test]
fn a_file_to_go_on_with_in_a_list_depends_on_the_words_above_the_list() {
    for (above, words) in [
        (
            "If the document is there:\n\n**What then:**\n\n",
            "If the document is there",
        ),
        ("### Go on (If there is a document)\n\n", "If there is a document"),
    ] {
        let init = format!(
            "# Step 1: A\n\nLook for the document.\n\n{above}- **STOP** and load `./step-01b-continue.md`\n- Do nothing else\n\n### Begin\n\nAsk for a name.\n"
        );
        let loaded = project([
            (
                "workflow.md",
                "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./steps/step-01-init.md`\n",
            ),
            ("steps/step-01-init.md", init.as_str()),
            ("steps/step-01b-continue.md", "# Step 1b: Go on\n\nRead it.\n"),
        ]);
        let mut asked = Vec::new();
        let mut rest = willing(&[]);
        trace(&loaded, "workflow.md", Options::default(), &mut |issued: &Issued| {
            if let Effect::Dispatch(task) = &issued.effect {
                asked.extend(task.conditions.clone());
            }
            rest(issued)
        });
        assert_eq!(asked, [words]);
    }
}

#[test]
fn a_line_that_leads_to_several_files_is_judged_for_each_of_them() {
    let loaded = project([
        (
            "workflow.md",
            "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./step-01-a.md`\n",
        ),
        (
            "step-01-a.md",
            "# Step 1: A\n\nFind the plan.\n\n- A plan is there → leave to the fitting step: `draft` → `./step-02-b.md`, `ready` → `./step-03-c.md`.\n\n## Begin\n\nMake one.\n",
        ),
        ("step-02-b.md", "# Step 2: B\n\nTwo.\n"),
        ("step-03-c.md", "# Step 3: C\n\nThree.\n"),
    ]);
    let mut asked = Vec::new();
    let mut rest = willing(&[]);
    let text = trace(&loaded, "workflow.md", Options::default(), &mut |issued: &Issued| {
        let mut outcome = rest(issued);
        if let (Effect::Dispatch(task), Some(Outcome::Replied(envelope))) = (&issued.effect, &mut outcome) {
            for (judgement, condition) in envelope.judgements.iter_mut().zip(&task.conditions) {
                judgement.holds = condition.starts_with("“./step-03-c.md” comes next");
            }
            asked.extend(task.conditions.clone());
        }
        outcome
    });
    let line = "A plan is there → leave to the fitting step: `draft` → `./step-02-b.md`, `ready` → `./step-03-c.md`.";
    let question = |file: &str| format!("“./{file}” comes next, by what is written here: {line}");
    assert_eq!(asked, [question("step-02-b.md"), question("step-03-c.md")], "{text}");
    assert!(
        text.contains("step 3") && !text.contains("step 2") && !text.contains("judge"),
        "{text}"
    );
}

#[test]
fn an_item_without_a_label_beside_options_leaves_the_choice_open() {
    let text = "# Look\n\nList the pages.\n\nHALT and give the user a choice:\n\n- One of the listed pages\n- **New** — begin one\n\nIf the user chooses **New**: begin a page.\n\nOpen the page that was chosen.\n";
    let loaded = project([(
        "SKILL.md",
        format!("---\nname: w\ndescription: d\n---\n\n{text}").as_str(),
    )]);
    let mut told = Vec::new();
    let mut rest = willing(&["page 7"]);
    let shown = trace(&loaded, "SKILL.md", Options::default(), &mut |issued: &Issued| {
        if let Effect::Dispatch(task) = &issued.effect {
            told.extend(task.variables.iter().map(|(_, value)| value.clone()));
        }
        rest(issued)
    });
    assert!(shown.contains("turn Open the page that was chosen."), "{shown}");
    assert!(!shown.contains("begin a page"), "{shown}");
    assert!(told.contains(&"page 7".to_owned()), "{told:?}");
}

#[test]
fn a_file_that_is_shown_as_an_example_is_not_followed() {
    let loaded = project([
        (
            "workflow.md",
            "---\nname: w\ndescription: d\n---\n\n- Bare paths (e.g. `steps/step-01-a.md`) begin here.\n\nLook around.\n\nRead fully and follow: `./steps/step-01-a.md`\n",
        ),
        ("steps/step-01-a.md", "# Step 1: A\n\nOne.\n"),
    ]);
    let mut asked = Vec::new();
    let mut rest = willing(&[]);
    let text = trace(&loaded, "workflow.md", Options::default(), &mut |issued: &Issued| {
        if let Effect::Dispatch(task) = &issued.effect {
            asked.extend(task.conditions.clone());
        }
        rest(issued)
    });
    assert!(asked.is_empty() && text.contains("step 1"), "{asked:?} {text}");
}

#[test]
fn a_table_of_where_to_go_on_waits_for_the_answer_that_goes_by_it() {
    let loaded = project([
        (
            "workflow.md",
            "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./steps/step-01b-continue.md`\n",
        ),
        (
            "steps/step-01b-continue.md",
            "# Step 1b: Go on\n\nRead the document.\n\n- If `lastStep = 1` → Load `./step-02-b.md`\n- If `lastStep = 2` → Load `./step-03-c.md`\n\nDisplay: \"**Select:** [C] Continue\"\n\n- IF C: Read fully and follow the appropriate next step file based on `lastStep`\n- IF Any other comments or queries: respond and redisplay menu\n",
        ),
        ("steps/step-02-b.md", "# Step 2: B\n\nTwo.\n"),
        ("steps/step-03-c.md", "# Step 3: C\n\nThree.\n"),
    ]);
    let mut rest = willing(&["C"]);
    let mut asked = Vec::new();
    let text = trace(&loaded, "workflow.md", Options::default(), &mut |issued: &Issued| {
        if let Effect::Dispatch(task) = &issued.effect {
            asked.push((task.instructions[0].text.contains("Go on"), task.conditions.clone()));
        }
        rest(issued)
    });
    assert!(text.contains("ask Select: [C]"), "{text}");
    assert_eq!(asked[0], (true, Vec::new()), "{text}");
    assert_eq!(asked[1].1, ["`lastStep = 1`", "`lastStep = 2`"], "{text}");
}

#[test]
fn a_menu_inside_of_an_item_that_says_when_is_offered_then() {
    let text = "# Look\n\nFind the pages.\n\n- **Exactly one page:** Keep it. HALT and give the user a choice:\n  - **Take it** — as it is\n  - **Leave it** — look elsewhere\n- **None:** Go on.\n\nWrite it down.\n";
    let loaded = project([(
        "SKILL.md",
        format!("---\nname: w\ndescription: d\n---\n\n{text}").as_str(),
    )]);
    for holds in [true, false] {
        let mut rest = willing(&["Take it"]);
        let mut asked = Vec::new();
        let shown = trace(&loaded, "SKILL.md", Options::default(), &mut |issued: &Issued| {
            let mut outcome = rest(issued);
            if let (Effect::Dispatch(task), Some(Outcome::Replied(envelope))) = (&issued.effect, &mut outcome) {
                envelope
                    .judgements
                    .iter_mut()
                    .for_each(|judgement| judgement.holds = holds);
                asked.extend(task.conditions.clone());
            }
            outcome
        });
        assert_eq!(asked, ["Exactly one page"], "{shown}");
        assert_eq!(shown.contains("\nask "), holds, "{shown}");
        assert!(shown.contains("Write it down."), "{shown}");
    }
}

#[test]
fn a_person_is_asked_by_the_sentence_that_asks() {
    let text = "# Talk\n\n**Begin.** This is always first. Ask the user what the page is for. Then go on.\n";
    let loaded = project([(
        "SKILL.md",
        format!("---\nname: w\ndescription: d\n---\n\n{text}").as_str(),
    )]);
    let shown = trace(&loaded, "SKILL.md", Options::default(), &mut willing(&["Me"]));
    assert!(
        shown.contains("\nask Ask the user what the page is for. []\n"),
        "{shown}"
    );
}

#[test]
fn an_answer_leads_to_a_heading_of_the_same_page() {
    let text = "# Look\n\n## Step 1: Begin\n\nLook around.\n\n[P] Persona [C] Commands\n\n- IF P: go to Step 2\n- IF C: go to Step 3\n\n## Step 2: Persona\n\nTwo.\n\n## Step 3: Commands\n\nThree.\n";
    let loaded = project([(
        "SKILL.md",
        format!("---\nname: w\ndescription: d\n---\n\n{text}").as_str(),
    )]);
    let shown = trace(&loaded, "SKILL.md", Options::default(), &mut willing(&["C"]));
    assert!(shown.contains("step 3") && !shown.contains("step 2"), "{shown}");
}

#[test]
fn what_may_lead_away_comes_before_what_leads_on() {
    let loaded = project([
        (
            "workflow.md",
            "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./step-01-a.md`\n",
        ),
        (
            "step-01-a.md",
            "# Step 1: A\n\nLook.\n\n## EARLY EXIT\n\nIf the person wants to decide, confirm:\n\n- If they agree → read fully and follow `./step-03-c.md`\n- If not → go on.\n\n## NEXT\n\nDefault: read fully and follow `./step-02-b.md`\n",
        ),
        ("step-02-b.md", "# Step 2: B\n\nTwo.\n"),
        ("step-03-c.md", "# Step 3: C\n\nThree.\n"),
    ]);
    for (holds, there, not) in [(true, "step 3", "step 2"), (false, "step 2", "step 3")] {
        let mut rest = willing(&[]);
        let shown = trace(&loaded, "workflow.md", Options::default(), &mut |issued: &Issued| {
            let mut outcome = rest(issued);
            if let Some(Outcome::Replied(envelope)) = &mut outcome {
                envelope
                    .judgements
                    .iter_mut()
                    .for_each(|judgement| judgement.holds = holds);
            }
            outcome
        });
        assert!(shown.contains(there) && !shown.contains(not), "{holds}: {shown}");
    }
}

#[test]
fn a_step_file_is_found_by_its_bare_name() {
    let loaded = project([
        (
            "workflow.md",
            "---\nname: w\ndescription: d\n---\n\nTo begin, load and execute step-01-a.md:\n\n```\n{workflow_path}/steps/step-01-a.md\n```\n",
        ),
        (
            "steps/step-01-a.md",
            "---\nnextStepFile: './step-02-b.md'\n---\n\n# Step 1: A\n\nSay one.\n\nLoad and execute step-02-b.md\n",
        ),
        ("steps/step-02-b.md", "# Step 2: B\n\nSay two.\n"),
    ]);
    let text = trace(&loaded, "workflow.md", Options::default(), &mut willing(&[]));
    assert!(text.contains("Say one.") && text.contains("Say two."), "{text}");
    assert!(text.ends_with("completed") && !text.contains("ask "), "{text}");
}

#[test]
fn a_later_step_of_another_workflow_is_read_by_the_agent() {
    let flow = r#"<workflow name="W"><step n="1" goal="a"><action>Read fully and follow: `./other/steps/step-02-b.md`</action></step></workflow>"#;
    let loaded = project([
        ("flow.xml", flow),
        (
            "other/workflow.md",
            "---\nname: o\ndescription: d\n---\n\nRead fully and follow: `./steps/step-01-a.md`\n",
        ),
        (
            "other/steps/step-01-a.md",
            "# Step 1: A\n\nSay one.\n\nRead fully and follow: `./step-02-b.md`\n",
        ),
        ("other/steps/step-02-b.md", "# Step 2: B\n\nSay two.\n"),
    ]);
    let text = trace(&loaded, "flow.xml", Options::default(), &mut willing(&[]));
    insta::assert_snapshot!(text, @r"
    step 1
    turn Read `other/steps/step-02-b.md` fully and do what it says.
    completed
    ");
}

#[test]
fn a_skill_that_the_engine_calls_is_not_left_to_the_agent_too() {
    let loaded = project([
        (
            ".claude/skills/a/SKILL.md",
            "---\nname: a\ndescription: d\n---\n\n# A\n\nWrite the plan.\n\nInvoke the `b` skill.\n",
        ),
        (
            ".claude/skills/b/SKILL.md",
            "---\nname: b\ndescription: d\n---\n\n# B\n\nSay hello.\n",
        ),
    ]);
    let text = trace(
        &loaded,
        ".claude/skills/a/SKILL.md",
        Options::default(),
        &mut willing(&[]),
    );
    insta::assert_snapshot!(text, @r"
    step 1
    turn # A  Write the plan.
    step 1
    turn # B  Say hello.
    completed
    ");
}

#[test]
fn a_file_for_a_worker_is_no_step_of_the_sequence() {
    let step = |worker: &str| {
        format!(
            "---\nnextStepFile: './step-02-b.md'\n---\n# Step 1: A\n\nSend them out.\n\n{worker}\n\nLoad next step: `{{nextStepFile}}`\n"
        )
    };
    let worker = "---\nsubagent: true\n---\n# Worker\n\nWrite it.\n";
    for (said, file, turns) in [
        ("- **File:** `./step-01a-w.md`", worker, 2),
        ("- **Subagent File:** `./step-01a-w.md`", "# Worker\n\nWrite it.\n", 2),
        ("Read fully and follow `./step-01a-w.md`.", worker, 3),
    ] {
        let step = step(said);
        let loaded = project([
            (
                "workflow.md",
                "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./step-01-a.md`\n",
            ),
            ("step-01-a.md", step.as_str()),
            ("step-01a-w.md", file),
            ("step-02-b.md", "# Step 2: B\n\nJoin it.\n"),
        ]);
        let shown = trace(&loaded, "workflow.md", Options::default(), &mut willing(&[]));
        assert_eq!(shown.matches("\nturn").count(), turns, "{shown}");
        assert!(!shown.contains("if?") && !shown.contains("judge"), "{shown}");
        assert!(
            shown.ends_with("step 2\nturn # Step 2: B  Join it.\ncompleted"),
            "{shown}"
        );
    }
}

#[test]
fn a_file_that_only_an_agent_reads_is_told_or_followed_and_not_both() {
    let read = "turn Read `help.md` fully and do what it says.";
    for (said, turns) in [
        (
            "Read fully and follow `./help.md` to load all that is there",
            [read].as_slice(),
        ),
        (
            "Write the page by following `./help.md`, in order.",
            &["turn Write the page by following `./help.md`, in order."],
        ),
        (
            "If nobody else can, read `./help.md` and follow it.",
            &["turn If nobody else can, read `./help.md` and follow it."],
        ),
    ] {
        let flow = format!(r#"<workflow name="W"><step n="1" goal="a"><action>{said}</action></step></workflow>"#);
        let loaded = project([("flow.xml", flow.as_str()), ("help.md", "Load everything.\n")]);
        let text = trace(&loaded, "flow.xml", Options::default(), &mut willing(&[]));
        let found: Vec<&str> = text.lines().filter(|line| line.starts_with("turn")).collect();
        assert_eq!(found, turns, "{text}");
    }
}

#[test]
fn a_page_that_its_title_numbers_is_a_step_to_route_to() {
    let loaded = project([
        (
            "SKILL.md",
            "---\nname: w\ndescription: d\n---\n\n# Stage 1: Find\n\nFind a headline.\n\n**When you have one**, route to `./pages/letter.md`.\n",
        ),
        (
            "pages/letter.md",
            "# Stage 2: The Letter\n\nWrite it.\n\nRoute to `./answers.md`.\n",
        ),
        ("pages/answers.md", "# Stage 3: Answers\n\nAnswer it.\n"),
    ]);
    let mut rest = willing(&[]);
    let shown = trace(
        &loaded,
        "SKILL.md",
        Options::default(),
        &mut |issued: &Issued| match &issued.effect {
            Effect::Dispatch(task) => Some(ack(task, true)),
            _ => rest(issued),
        },
    );
    let end = "step 2\nturn # Stage 2: The Letter  Write it.\nstep 3\nturn # Stage 3: Answers  Answer it.\ncompleted";
    assert!(shown.ends_with(end), "{shown}");
}

#[test]
fn a_step_file_that_is_named_without_its_folder_is_found_below() {
    let loaded = project([
        (
            "workflow.md",
            "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./step-01-a.md`\n",
        ),
        ("steps/step-01-a.md", "# Step 1: A\n\nOne.\n"),
    ]);
    let shown = trace(&loaded, "workflow.md", Options::default(), &mut willing(&[]));
    assert!(shown.ends_with("turn # Step 1: A  One.\ncompleted"), "{shown}");
}
