//! Names that a text leaves to the agent.

use super::{project, trace, willing};
use bmad::machine::{Effect, Issued, Options, Outcome};
use bmad::project::Loaded;

/// Runs a flow with an agent that numbers what it gives; returns the trace, with what each turn wants.
fn run(flow: &str, options: Options) -> String {
    wanted(&project([("flow.xml", flow)]), "flow.xml", options)
}

/// The same for a workflow of a project.
fn wanted(loaded: &Loaded, file: &str, options: Options) -> String {
    let (mut wanted, mut given) = (Vec::new(), 0);
    let mut rest = willing(&["yes"]);
    let text = trace(loaded, file, options, &mut |issued: &Issued| {
        let mut outcome = rest(issued);
        if let (Effect::Dispatch(task), Some(Outcome::Replied(envelope))) = (&issued.effect, &mut outcome) {
            wanted.push(format!("wants {}", task.wanted.variables.join(" ")));
            for (_, value) in &mut envelope.variables {
                given += 1;
                *value = f64::from(given).into();
            }
        }
        outcome
    });
    format!("{text}\n{}", wanted.join("\n"))
}

fn step(body: &str) -> String {
    format!("<workflow name=\"W\"><step n=\"1\" goal=\"g\">{body}</step></workflow>")
}

#[test]
fn the_turn_before_gives_what_a_text_leaves_open() {
    let text = run(
        &step(
            "<action>Count.</action><output>{{all}} of {date}</output><output>{{all}}{{#if late}}, {{late}} late{{/if}}</output>",
        ),
        Options::default(),
    );
    insta::assert_snapshot!(text, @r"
    step 1
    turn Count.
    show 1 of 2026-11-15
    show 1, 2 late
    completed
    wants all late
    ");
}

#[test]
fn where_there_is_none_the_agent_is_asked_for_it() {
    let text = run(&step("<ask response=\"x\">Is {{all}} right?</ask>"), Options::default());
    insta::assert_snapshot!(text, @r"
    step 1
    turn The person is shown the text below next. Give the values that it leaves open, empty where there is none, and do nothing else: `all`  Is {{all}} right?
    ask Is 1 right? []
    completed
    wants all
    ");
}

#[test]
fn nobody_is_asked_where_everything_is_known() {
    let flow = step("<set name=\"all\" value=\"3\"/><output>{{all}} {{what it is}}</output>");
    insta::assert_snapshot!(run(&flow, Options::default()), @r"
    step 1
    show 3 {{what it is}}
    completed
    ");
}

#[test]
fn each_pass_of_a_loop_asks_anew() {
    let flow = step(
        "<set name=\"list\" glob=\"*.md\"/><loop name=\"l\" for=\"n in {list}\" max=\"3\"><output>{n}: {{state}}</output></loop><output>{{state}}</output>",
    );
    let text = run(&flow, Options::default());
    assert!(text.contains("show a.md: 1") && text.contains("show b.md: 2"), "{text}");
    assert_eq!(text.matches("wants state").count(), 2, "{text}");
}

#[test]
fn a_run_that_fills_nothing_shows_the_text_as_it_is() {
    let options = Options {
        fills: false,
        ..Options::default()
    };
    let text = run(&step("<action>Count.</action><output>{{all}}</output>"), options);
    assert!(text.contains("show {{all}}") && text.ends_with("wants "), "{text}");
}

#[test]
fn what_a_step_file_declares_without_a_value_is_asked_of_its_turns_and_named_until_then() {
    let home = "---\nname: w\ndescription: d\n---\n\n# W\n\nRead fully and follow: `./steps/step-01-a.md`\n";
    let first = "---\nspec_file: '' # set at runtime\nother: ''\n---\n\n# Step 1: A\n\nFind `{spec_file}` and read `{spec_file}` again.\n\n## NEXT\n\nRead fully and follow `./step-02-b.md`\n";
    let second = "# Step 2: B\n\nWrite about `{spec_file}` and `{other}`.\n";
    let files = [
        ("w/workflow.md", home),
        ("w/steps/step-01-a.md", first),
        ("w/steps/step-02-b.md", second),
    ];
    insta::assert_snapshot!(wanted(&project(files), "w/workflow.md", Options::default()), @r"
    step 1
    step 1
    turn # Step 1: A  Find `{spec_file}` and read `{spec_file}` again.  ## NEXT
    step 2
    turn # Step 2: B  Write about `1` and `{other}`.
    completed
    wants spec_file
    wants
    ");
}

#[test]
fn a_name_that_a_turn_gives_a_value_is_not_filled_in_it() {
    let flow = step(
        "<action>Set {{x}} = the highest number found</action><output>{{x}}</output><action>Set {{x}} = the number after {{x}}, and write it to {{x}}.md</action><action>Read {{x}}.md.</action><ask response=\"y\">?</ask><action>Tell of {{x}}.</action>",
    );
    insta::assert_snapshot!(run(&flow, Options::default()), @r"
    step 1
    turn Set {{x}} = the highest number found
    show 1
    turn Set {{x}} = the number after {{x}}, and write it to {{x}}.md | Read {{x}}.md.
    ask ? []
    turn Tell of 2.
    completed
    wants x
    wants x
    wants
    ");
}

#[test]
fn a_value_that_prose_makes_of_open_names_waits_for_them() {
    let flow = step(
        "<action>Extract from the key:\n  - epic: the first number\n  - title: the rest\n  - unused: nothing</action><action>Set {{id}} = \"{{epic}}.{{story}}\"</action><output>{{id}}</output><action>Set {{long}} = \"{{id}} {{title}} {{author}}\"</action><action>Calculate the one before: {{prev}} = {{epic}} - 1</action><check if=\"{{prev}} >= 1\"><output>{{long}}</output></check>",
    );
    insta::assert_snapshot!(run(&flow, Options::default()), @r"
    step 1
    turn Extract from the key:   - epic: the first number   - title: the rest   - unused: nothing
    show 1.3
    turn `long` gets the value below next. Give the values that it leaves open, empty where there is none, and do nothing else: `author`  1.3 2 {{author}}
    turn Calculate the one before: {{prev}} = 1 - 1
    show 1.3 2 4
    completed
    wants epic title story
    wants author
    wants prev
    ");
    let fills_nothing = Options {
        fills: false,
        ..Options::default()
    };
    let text = run(
        &step("<action>Set {{id}} = \"{{a}}.{{b}}\"</action><action>Tell of {{id}}.</action>"),
        fills_nothing,
    );
    assert!(text.contains("turn Tell of {{id}}."), "{text}");
}

#[test]
fn a_menu_leaves_names_to_the_agent_too() {
    let menu = "<menu text=\"Keep {{all}}?\"><option key=\"y\" label=\"Yes\"/><option key=\"n\" label=\"No\"/></menu>";
    insta::assert_snapshot!(run(&step(&format!("<action>Count.</action>{menu}")), Options::default()), @r"
    step 1
    turn Count.
    ask Keep 1? [y n]
    completed
    wants all
    ");
    insta::assert_snapshot!(run(&step(menu), Options::default()), @r"
    step 1
    turn The person is shown the text below next. Give the values that it leaves open, empty where there is none, and do nothing else: `all`  Keep {{all}}?
    ask Keep 1? [y n]
    completed
    wants all
    ");
}

#[test]
fn a_menu_in_prose_leaves_names_to_the_turn_before_it() {
    let loaded = project([
        (
            "workflow.md",
            "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./steps/step-01-a.md`\n",
        ),
        (
            "steps/step-01-a.md",
            "# Step 1: A\n\nCount.\n\nDisplay: \"**{{all}} are there.** [K] Keep them [D] Drop them\"\n\nHALT and wait for the answer.\n\n- IF K: Say so.\n- IF D: Say so.\n",
        ),
    ]);
    let (mut shown, mut rest) = (Vec::new(), willing(&["K"]));
    trace(&loaded, "workflow.md", Options::default(), &mut |issued: &Issued| {
        if let Effect::Ask(question) = &issued.effect {
            shown.push(question.text.clone());
        }
        rest(issued)
    });
    assert_eq!(shown, ["v are there."]);
}

#[test]
fn a_long_value_stands_beside_the_text_and_not_in_it() {
    let loaded = project([(
        "w.xml",
        "<workflow name=\"W\"><step n=\"1\" goal=\"a\"><ask response=\"diff\">Which?</ask><action>Look at {{diff}}, and again at {{diff}}.</action></step></workflow>",
    )]);
    for (given, told) in [
        ("small", "Look at small, and again at small."),
        ("one\ntwo", "Look at {{diff}}, and again at {{diff}}."),
    ] {
        let answers = [given];
        let mut rest = willing(&answers);
        let mut seen = Vec::new();
        trace(&loaded, "w.xml", Options::default(), &mut |issued: &Issued| {
            if let Effect::Dispatch(task) = &issued.effect {
                seen.extend(task.instructions.iter().map(|order| order.text.clone()));
                seen.extend(
                    task.variables
                        .iter()
                        .filter(|(name, _)| name == "diff")
                        .map(|(_, value)| value.clone()),
                );
            }
            rest(issued)
        });
        assert_eq!(seen, [told, given]);
    }
}

#[test]
fn a_value_waits_for_a_name_in_single_braces_that_the_workflow_says_to_work_out() {
    let text = run(
        &step(
            "<action>Derive a short slug from the title. Set `spec` = `out/spec-{slug}.md`.</action><output>{spec}</output>",
        ),
        Options::default(),
    );
    assert!(
        text.contains("show out/spec-1.md") && text.contains("wants slug"),
        "{text}"
    );
    // A name that nobody says to find stays as it is written.
    let text = run(
        &step("<action>Set `spec` = `out/spec-{slug}.md`.</action><output>{spec}</output>"),
        Options::default(),
    );
    assert!(text.contains("show out/spec-{slug}.md"), "{text}");
}

#[test]
fn data_that_is_handed_back_is_asked_of_the_turn_before_it() {
    let text = run(
        &step(
            "<action>Compute it.</action><template-output>next = {{next}}</template-output><template-output>risks = {{risks}}</template-output><output>{next}, {risks}</output>",
        ),
        Options::default(),
    );
    insta::assert_snapshot!(text, @r"
    step 1
    turn Compute it.
    show 1, 2
    completed
    wants next risks
    ");
}
