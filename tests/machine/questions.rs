//! Which questions of a prose file a person is asked, and in which words.

use super::turns::{FLOW, run as reply};
use super::{ack, project, trace, willing};
use bmad::machine::{Asked, Effect, Envelope, Issued, Options, Task};

/// Runs a step file and returns the questions in it.
fn asked(step: &str) -> Vec<String> {
    answered(step, &["x", "x", "x", "x"])
}

/// Runs a step file with answers and returns the questions in it.
fn answered(step: &str, answers: &[&str]) -> Vec<String> {
    let loaded = project([
        (
            "workflow.md",
            "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./steps/step-01-a.md`\n",
        ),
        ("steps/step-01-a.md", step),
    ]);
    let mut asked = Vec::new();
    let mut rest = willing(answers);
    trace(&loaded, "workflow.md", Options::default(), &mut |issued: &Issued| {
        if let Effect::Ask(question) = &issued.effect {
            asked.push(question.text.clone());
        }
        rest(issued)
    });
    asked
}

#[test]
fn a_question_that_depends_on_something_is_left_to_the_agent() {
    for depends in [
        "#### If the list is empty:\n\n- Look again\n- Ask the user for one.",
        "#### If the list is empty:\n\nAsk the user for one.",
        "#### Next (when it is empty)\n\nAsk the user for one.",
        "If it is long:\n\n- Ask the user for one.",
        "**If it is long:**\n\n1. Look\n2. Ask the user for one.",
        "If it is long:\n\nAsk the user for one.",
        "**Case 1-5 (a number is chosen):**\n\n- Look\n- **CRITICAL:** Ask the user for one.",
        "Case r:\n\n- Ask the user for one.",
        "For each page:\n\n1. Read it\n2. Ask: keep it?",
        "- If it is long:\n  - Cut it\n  - Ask the user for one.",
        "### Step-Specific Rules:\n\n- 🎯 Ask the user for one.",
        "## SETUP PROTOCOLS:\n\n- Ask the user for one.",
        "## FAILURE MODES\n\n❌ Guessing\n\nAsk the user for one.",
        "**No list.** Interactive: ask the user to paste it.",
    ] {
        let step = format!("# Step 1: A\n\nLook at the list.\n\n{depends}\n");
        assert_eq!(asked(&step), [""; 0], "{depends}");
    }
}

#[test]
fn a_question_that_depends_on_nothing_is_asked() {
    for sure in [
        "### 2. Success\n\nAsk the user for one.",
        "### Rules of the game\n\nAsk the user for one.",
        "If it is long:\n\n- Cut it\n\nAsk the user for one.",
        "If it is long: cut it.\n\nAsk the user for one.",
        "For this step:\n\n- Ask the user for one.",
        "#### If it is long\n\nCut it.\n\n#### Next\n\nAsk the user for one.",
        "**Talk:**\n\n- Ask the user for one.",
        "**Case studies:**\n\n- Ask the user for one.",
    ] {
        let step = format!("# Step 1: A\n\nLook at the list.\n\n{sure}\n");
        assert_eq!(asked(&step), ["Ask the user for one."], "{sure}");
    }
}

#[test]
fn a_question_that_stands_below_the_words_that_ask_is_asked_with_them() {
    for (text, question) in [
        (
            "Ask:\n\n\"What are your goals?\n\nSay them in a few \"own\" words.\"\n\nThen go on.",
            "What are your goals?\n\nSay them in a few \"own\" words.",
        ),
        (
            "**Ask:**\n\n> Which one?\n> Or none?\n\nGo on.",
            "> Which one?\n> Or none?",
        ),
        (
            "Ask the user about it:\n- What is it?\n- Whose is it?\n\nGo on.",
            "Ask the user about it:\n- What is it?\n- Whose is it?",
        ),
        (
            "1. Ask the user about it:\n   - What is it?\n2. Go on",
            "Ask the user about it:\n   - What is it?",
        ),
        ("- Ask the user about it:\n- Go on", "Ask the user about it:"),
        ("Ask the user about it:\n\nGo on.", "Ask the user about it:"),
    ] {
        assert_eq!(asked(&format!("# Step 1: A\n\n{text}\n")), [question], "{text}");
    }
}

#[test]
fn a_stop_that_waits_for_the_person_is_asked_with_one_way_on() {
    for stop in [
        "### CHECKPOINT\n\nShow what was found. HALT and wait for user confirmation to proceed.\n\n### NEXT\n\nGo on.",
        "**HALT — wait for user response before proceeding.**",
        "### Choose\n\n[X] One [B] Two\n\nHALT and wait for the answer.\n\n### CHECKPOINT\n\nSTOP and wait for approval.",
    ] {
        let found = asked(&format!("# Step 1: A\n\nLook.\n\n{stop}\n"));
        let last = found.last().map(String::as_str).unwrap_or_default();
        assert!(last.contains("HALT") || last.contains("STOP"), "{stop}: {found:?}");
    }
}

#[test]
fn words_about_waiting_that_belong_to_something_else_are_not_asked() {
    for other in [
        "### Choose\n\n[A] One [B] Two\n\nHALT and wait for the answer.",
        "HALT and wait for the answer.\n\nDisplay: \"[A] One [B] Two\"",
        "Ask the user for one. HALT and wait for the answer.",
        "#### EXECUTION RULES:\n\n- HALT and wait for user input after the menu",
        "If it is long, HALT and wait for user input.",
        "Always halt and wait for user input.",
        "Do not wait for user input.",
    ] {
        let found = asked(&format!("# Step 1: A\n\nLook.\n\n{other}\n"));
        let waits = |text: &&String| text.to_lowercase().contains("wait");
        assert_eq!(found.iter().find(waits), None, "{other}");
    }
}

#[test]
fn who_says_to_go_on_goes_on() {
    let loaded = project([(
        "SKILL.md",
        "---\nname: w\ndescription: d\n---\n\n# W\n\nLook around. HALT and wait for user confirmation.\n",
    )]);
    let shown = trace(&loaded, "SKILL.md", Options::default(), &mut willing(&["1"]));
    insta::assert_snapshot!(shown, @r"
    step 1
    turn # W  Look around. HALT and wait for user confirmation.
    ask Look around. HALT and wait for user confirmation. [1]
    completed
    ");
}

#[test]
fn a_list_behind_an_action_is_part_of_its_question() {
    let text = "<workflow name=\"W\"><step n=\"1\" goal=\"a\">\n<action>Ask the user how to go on:</action>\n  - **Slowly** (better): one by one\n  - **Fast**: all at once\n<action>Go on.</action>\n</step></workflow>";
    let loaded = project([("flow.xml", text)]);
    let trace = trace(&loaded, "flow.xml", Options::default(), &mut willing(&["Fast"]));
    let question = trace.lines().find(|line| line.starts_with("ask"));
    let list = "- **Slowly** (better): one by one   - **Fast**: all at once";
    assert_eq!(
        question,
        Some(format!("ask Ask the user how to go on:   {list} []").as_str())
    );
}

#[test]
fn a_stop_in_an_action_is_asked_with_the_list_below_it() {
    let text = "<workflow name=\"W\"><step n=\"1\" goal=\"a\">\n<action>HALT and give the user a choice:\n- **Go on** — as it is\n- **Edit** — change it first\n</action>\n<action>If the user chooses **Edit**, change it.</action>\n</step></workflow>";
    let loaded = project([("flow.xml", text)]);
    let trace = trace(&loaded, "flow.xml", Options::default(), &mut willing(&["Edit"]));
    let question = "ask HALT and give the user a choice: - **Go on** — as it is - **Edit** — change it first []";
    assert!(trace.lines().any(|line| line == question), "{trace}");
}

#[test]
fn a_list_of_options_is_offered_with_the_question_above_it() {
    for (text, question) in [
        (
            "2. HALT. Ask the user: **What shall be read?** Present these options:\n   - **All of it** (long)\n   - **A part**\n\n3. Go on.",
            "What shall be read?\n- All of it (long)\n- A part",
        ),
        (
            "Present these options:\n\n> **What would you like to do next?**\n> 1. **Read on**\n> 2. **Stop**\n\n**HALT** — wait for the choice.",
            "What would you like to do next?",
        ),
    ] {
        let found = asked(&format!("# Step 1: A\n\nLook.\n\n{text}\n"));
        assert_eq!(found.first().map(String::as_str), Some(question), "{text}");
    }
}

#[test]
fn a_conversation_goes_on_for_as_long_as_it_brings_anything_new() {
    let asking: fn(&Task, &mut Envelope) = |task, envelope| {
        envelope.text = format!("Round {}.", task.answered.len() + 1);
        envelope.asks = vec![Asked {
            question: "What do you say?".to_owned(),
            options: Vec::new(),
        }];
    };
    let same: fn(&Task, &mut Envelope) = |_, envelope| {
        envelope.asks = vec![Asked {
            question: "What else?".to_owned(),
            options: Vec::new(),
        }];
    };
    let told = reply(FLOW, &["go on"; 12], vec![asking; 12]);
    assert!(told.contains("show Round 12.") && told.ends_with("completed"), "{told}");
    let list = ["milk", "eggs", "tea", "salt", "rice", "oil", "jam", "nothing"];
    assert!(reply(FLOW, &list, vec![same; 8]).ends_with("completed"));
    let stuck = reply(FLOW, &["no"; 12], vec![same; 12]);
    let why = "failed the agent asked the same 5 times over and got the same answer: `What else?` (malformed)";
    assert!(stuck.ends_with(why), "{stuck}");
    assert_eq!(stuck.matches("ask What else?").count(), 6, "{stuck}");
}

/// Runs a step that goes on when the person says so.
fn until_ready(step: &str, answers: &[&str]) -> String {
    let loaded = project([
        (
            "workflow.md",
            "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./step-04-a.md`\n",
        ),
        ("step-04-a.md", step),
        ("step-05-b.md", "# Step 5: B\n\nWrap up.\n"),
    ]);
    trace(&loaded, "workflow.md", Options::default(), &mut willing(answers))
}

#[test]
fn only_the_person_says_when_they_are_ready() {
    let step = "# Step 4: A\n\nShow how it works.\n\n## NEXT\n\nWhen the human signals they're ready to decide, read fully and follow `./step-05-b.md`\n";
    insta::assert_snapshot!(until_ready(step, &["What is that?", "1"]), @r"
    step 1
    step 4
    turn # Step 4: A  Show how it works.  ## NEXT  When the human signals they're ready to decide, read fully and follow `./step-05-b.md`
    ask When the human signals they're ready to decide [1]
    turn # Step 4: A  Show how it works.  ## NEXT  When the human signals they're ready to decide, read fully and follow `./step-05-b.md`
    ask When the human signals they're ready to decide [1]
    step 5
    turn # Step 5: B  Wrap up.
    completed
    ");
    let asked = "# Step 4: A\n\nAsk the user whether it is right.\n\nWhen the user confirms, load `./step-05-b.md`\n";
    let shown = until_ready(asked, &["yes"]);
    assert!(!shown.contains("ask the user confirms"), "{shown}");
}

#[test]
fn a_person_who_is_shown_what_to_say_is_waited_for() {
    let step = |end: &str| {
        format!(
            "# Step 4: A\n\nShow it. End with:\n\n{end}\n\n## NEXT\n\nDefault: read fully and follow `./step-05-b.md`\n"
        )
    };
    let shown = step("```\nTake your time.\n\nWhen you're ready, say **ship** and I'll go on.\n```");
    insta::assert_snapshot!(until_ready(&shown, &["What is that?", "ship"]), @r"
    step 1
    step 4
    turn # Step 4: A  Show it. End with:  ``` Take your time.  When you're ready, say **ship** and I'll go on. ```  ## NEXT  Default
    ask When you're ready, say **ship** and I'll go on. [1]
    turn # Step 4: A  Show it. End with:  ``` Take your time.  When you're ready, say **ship** and I'll go on. ```  ## NEXT  Default
    ask When you're ready, say **ship** and I'll go on. [1]
    step 5
    turn # Step 5: B  Wrap up.
    completed
    ");
    let offered = step("```\nFrom here:\n- **\"dig into it\"** — closer\n- **\"next\"** — the rest\n```");
    let text = until_ready(&offered, &["next"]);
    assert!(text.contains("ask From here:"), "{text}");
    assert!(
        text.ends_with("[1]\nstep 5\nturn # Step 5: B  Wrap up.\ncompleted"),
        "{text}"
    );
    for end in [
        "When you're ready, say **next** and go on.",
        "```\nWhen you're ready, say so.\n```",
        "If they are lost:\n\n```\nWhen you're ready, say **next**.\n```",
        "Write `mail.md`:\n\n```\nWhen you're ready, say **next**.\n```",
        "Send the mail with the text:\n\n> When you're ready, say **next**.",
        "Use this:\n\n```\nWhen you're ready, say **next**.\n```",
        "Show it:\n\n```\nWhen you're ready, say **next**.\n```\n\nWrite down who got it.",
        "Show it:\n\n> Type `quit` when you are ready to leave.",
    ] {
        let text = until_ready(&step(end), &[]);
        assert!(!text.contains("ask ") && text.ends_with("completed"), "{end}: {text}");
    }
}

#[test]
fn a_part_that_ends_with_what_to_say_is_left_when_it_is_said() {
    let page =
        "# Work\n\n## Step 1: A\n\nShow it, then:\n\n> Say next when you are ready.\n\n## Step 2: B\n\nWrap up.\n";
    let loaded = project([("workflow.md", &format!("---\nname: w\ndescription: d\n---\n\n{page}"))]);
    let text = trace(&loaded, "workflow.md", Options::default(), &mut willing(&["next"]));
    insta::assert_snapshot!(text, @r"
    step 1
    turn ## Step 1: A  Show it, then:  > Say next when you are ready.
    ask Say next when you are ready. [1]
    step 2
    turn ## Step 2: B  Wrap up.
    completed
    ");
}

#[test]
fn a_menu_whose_item_is_left_out_is_not_offered() {
    let step = "# Step 4: A\n\n1. Look for it.\n\n   If it is known, skip the rest and proceed to instruction 3.\n\n2. HALT. Ask the user: **Which one?** Present these options:\n   - **The first**\n   - **The last**\n\n3. Write it down.\n";
    let loaded = project([
        (
            "workflow.md",
            "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./step-04-a.md`\n",
        ),
        ("step-04-a.md", step),
    ]);
    for is_known in [true, false] {
        let mut rest = willing(&["The last"]);
        let text = trace(
            &loaded,
            "workflow.md",
            Options::default(),
            &mut |issued| match &issued.effect {
                Effect::Dispatch(task) | Effect::Judge(task) => Some(ack(task, is_known)),
                _ => rest(issued),
            },
        );
        assert_eq!(text.contains("ask Which one?"), !is_known, "{text}");
        assert!(
            !text.contains("judge") && text.ends_with("3. Write it down.\ncompleted"),
            "{text}"
        );
    }
}

#[test]
fn a_halt_that_a_person_may_choose_is_judged_by_what_they_say() {
    let page = "<workflow name=\"w\"><step n=\"1\" goal=\"g\"><action>ASK user to clarify or HALT</action></step>\
                <step n=\"2\" goal=\"h\"><action>Build it.</action></step></workflow>";
    let loaded = project([("workflow.xml", page)]);
    for (answer, end) in [("stop it", "halted"), ("By Monday.", "completed")] {
        let mut rest = willing(&[]);
        let mut said = false;
        let text = trace(
            &loaded,
            "workflow.xml",
            Options::default(),
            &mut |issued: &Issued| match &issued.effect {
                Effect::Dispatch(task) | Effect::Judge(task) => {
                    let stops = said && answer == "stop it" && task.conditions.iter().any(|one| one.contains("HALT"));
                    Some(ack(task, stops))
                }
                Effect::Ask(_) => {
                    said = true;
                    willing(&[answer])(issued)
                }
                _ => rest(issued),
            },
        );
        assert!(said && text.contains(end), "{answer}: {text}");
        assert_eq!(text.contains("Build it."), end == "completed", "{text}");
    }
}

#[test]
fn what_stands_behind_a_stop_is_told_once_the_person_agrees() {
    let step = "# Step 1: A\n\n### 1. Select\n\nPresent the list.\n\nHALT and wait for user confirmation.\n\n### 2. \
                Write\n\nWrite down the two.\n";
    let (shown, _) = super::choices::run(step, &["no, drop the second", "yes"]);
    let lines: Vec<&str> = shown.lines().map(|line| line.get(..4).unwrap_or(line)).collect();
    let expected = ["step", "step", "turn", "ask ", "turn", "ask ", "turn", "comp"];
    assert_eq!(lines, expected, "{shown}");
    let told: Vec<&str> = shown.lines().filter(|line| line.starts_with("turn")).collect();
    assert_eq!(told[0], told[1], "{shown}");
    assert!(
        !told[1].contains("Write down") && told[2].contains("Write down"),
        "{shown}"
    );
}

#[test]
fn a_question_with_an_order_to_wait_under_a_heading_of_its_own_is_asked_before_a_menu_under_another() {
    let step = "# Step 1: A\n\n### 1. Drop\n\nSay:\n\n\"Few sources. **Do you agree that we drop them?**\"\n\nWait for \
                confirmation.\n\n### 2. Select\n\n\"**Which two excite you most?**\"\n\nHALT and wait for the \
                answer.\n\n### 3. Menu\n\nDisplay: \"**Select:** [C] Continue\"\n\n- IF C: End the workflow\n";
    let found = answered(step, &["yes", "the first two", "C"]);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(
        found[0].contains("Do you agree") && found[1].contains("Which two"),
        "{found:?}"
    );
    for told in [
        "Wait for confirmation.",
        "Look at it.\n\nWait for the user's response.",
        "Is it so? Wait for the answer, then go on.",
    ] {
        let step = format!(
            "# Step 1: A\n\n### 1. Drop\n\n{told}\n\n### 2. Menu\n\nDisplay: \"[C] Continue\"\n\n- IF C: End the workflow\n"
        );
        assert_eq!(answered(&step, &["C"]).len(), 1, "{told}");
    }
}
