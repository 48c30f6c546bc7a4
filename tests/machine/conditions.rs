//! Conditions: what the engine decides itself, and what somebody else is asked.

use super::flow::run;
use super::{ack, project, trace, willing};
use bmad::machine::{Effect, Options, Outcome};

/// Runs checks, each of which shows its own condition where it holds; somebody judges as said.
fn judged(conditions: &[&str], holds: bool) -> String {
    let check = |condition: &&str| format!(r#"<check if="{condition}"><output>held</output></check>"#);
    let checks: String = conditions.iter().map(check).collect();
    let flow = format!(r#"<workflow name="W"><step n="1" goal="a">{checks}</step></workflow>"#);
    let loaded = project([("flow.xml", &flow)]);
    let mut others = willing(&[]);
    trace(
        &loaded,
        "flow.xml",
        Options::default(),
        &mut |issued| match &issued.effect {
            Effect::Judge(task) => Some(ack(task, holds)),
            _ => others(issued),
        },
    )
}

#[test]
fn what_is_said_of_a_whole_condition_is_its_end() {
    let conditions = [
        "not ({speed} == 'fast')",
        "{pet} == 'cat' or {pet} == 'dog'",
        "not ({pet} == 'cat' and {speed} == 'fast')",
    ];
    insta::assert_snapshot!(judged(&conditions, false), @r"
    step 1
    judge not ({speed} == 'fast')
    judge {pet} == 'cat' or {pet} == 'dog'
    judge not ({pet} == 'cat' and {speed} == 'fast')
    completed
    ");
    insta::assert_snapshot!(judged(&conditions, true), @r"
    step 1
    judge not ({speed} == 'fast')
    show held
    judge {pet} == 'cat' or {pet} == 'dog'
    show held
    judge not ({pet} == 'cat' and {speed} == 'fast')
    show held
    completed
    ");
}

#[test]
fn whether_a_value_is_provided_has_nothing_to_do_with_files() {
    for value in ["1.2", "N/A", "a.b", "docs/none.md"] {
        let flow = format!(
            r#"<workflow name="W"><step n="1" goal="a"><set name="x" value="{value}"/>
            <output if="{{x}} is provided">provided</output><output if="{{x}} is not provided">not provided</output>
            <output if="{{x}} is empty">empty</output><output if="{{x}} is not empty">not empty</output></step></workflow>"#
        );
        let loaded = project([("flow.xml", &flow)]);
        let told = trace(&loaded, "flow.xml", Options::default(), &mut willing(&[]));
        assert_eq!(told, "step 1\nshow provided\nshow not empty\ncompleted", "{value}");
    }
}

#[test]
fn whether_something_exists_is_looked_up_where_the_value_is_a_path() {
    let flow = r#"<workflow name="W"><step n="1" goal="a"><set name="x" value="docs/a.md"/><set name="n" value="1.2"/>
        <output if="{x} exists">there</output><output if="{n} exists">one</output></step></workflow>"#;
    let loaded = project([("flow.xml", flow)]);
    let told = trace(&loaded, "flow.xml", Options::default(), &mut willing(&[]));
    assert_eq!(told, "step 1\nlook docs/a.md\nshow there\nshow one\ncompleted");
}

#[test]
fn the_text_of_a_check_that_the_engine_can_decide_guards_what_follows() {
    let flow = r#"<workflow name="W"><step n="1" goal="a"><ask response="d">How many?</ask>
        <check>{d} &gt; 5</check><output>many</output>
        <check>{d} == 2</check><output>two</output>
        <check>{e} is provided</check><output>e</output>
        <check>user chooses 3</check><output>three</output>
        <check>{d} &lt; 5<output>few</output></check>
        <check>Confirm that it is saved</check><output>saved</output></step></workflow>"#;
    let loaded = project([("flow.xml", flow)]);
    let told = trace(&loaded, "flow.xml", Options::default(), &mut willing(&["2"]));
    insta::assert_snapshot!(told, @r"
    step 1
    ask How many? []
    show two
    show few
    turn Confirm that it is saved
    show saved
    completed
    ");
}

#[test]
fn the_name_of_a_file_is_looked_up_where_the_step_says_it_is() {
    let flow = r#"<workflow name="W"><step n="1" goal="a"><set name="out" value="docs"/><set name="none" value=""/>
        <output if="index.md exists">at the root</output>
        <action>Check for the state at `{out}/status.yaml`, and {out}/index.md.</action>
        <output if="index.md exists">there</output><output if="status.yaml does not exist">away</output>
        <action>Look for **/notes.md and {none}/log.md.</action>
        <check if="notes.md exists"><output>somewhere</output></check>
        <check if="log.md exists"><output>logged</output></check></step>
        <step n="2" goal="b"><output if="status.yaml exists">at the root</output></step></workflow>"#;
    let loaded = project([("flow.xml", flow)]);
    let told = trace(&loaded, "flow.xml", Options::default(), &mut willing(&[]));
    insta::assert_snapshot!(told, @r"
    step 1
    look index.md
    show at the root
    turn Check for the state at `docs/status.yaml`, and docs/index.md.
    look docs/index.md
    show there
    look docs/status.yaml
    turn Look for **/notes.md and /log.md.
    judge notes.md exists
    judge log.md exists
    step 2
    look status.yaml
    show at the root
    completed
    ");
    let before = Options {
        whole: false,
        ..Options::default()
    };
    let told = trace(&loaded, "flow.xml", before, &mut willing(&[]));
    assert!(told.contains("look index.md") && !told.contains("look docs/"), "{told}");
}

/// Runs a flow with an agent of whose conditions these hold.
fn holding(flow: &str, holds: &[&str], options: Options) -> String {
    let loaded = project([("flow.xml", flow)]);
    let mut others = willing(&["blue"]);
    trace(&loaded, "flow.xml", options, &mut |issued| match &issued.effect {
        Effect::Judge(task) | Effect::Dispatch(task) => {
            let Outcome::Replied(mut envelope) = ack(task, false) else {
                return None;
            };
            for judgement in &mut envelope.judgements {
                judgement.holds = holds.contains(&task.conditions[judgement.n as usize - 1].as_str());
            }
            Some(Outcome::Replied(envelope))
        }
        _ => others(issued),
    })
}

const TESTED: &str = r#"<workflow name="W"><step n="1" goal="a"><action>Run the tests.</action>
    <check if="some fail"><output>They fail.</output></check><output>They ran.</output>
    <check if="all pass AND none is missing"><action>Tick it.</action></check>
    <check if="it is late"><ask>Which colour?</ask></check>
    <action if="it rains">Stay.</action></step></workflow>"#;

#[test]
fn conditions_that_follow_each_other_are_put_to_the_turn_before_them() {
    insta::assert_snapshot!(holding(TESTED, &[], Options::default()), @r"
    step 1
    turn Run the tests. | if? some fail | if? all pass AND none is missing | if? it is late | if? it rains
    show They ran.
    completed
    ");
    let shown = holding(TESTED, &["some fail"], Options::default());
    assert!(
        shown.contains("show They fail.") && !shown.contains("judge "),
        "{shown}"
    );
}

#[test]
fn what_a_branch_may_have_changed_is_judged_anew() {
    let passed = ["all pass AND none is missing", "it is late"];
    insta::assert_snapshot!(holding(TESTED, &passed, Options::default()), @r"
    step 1
    turn Run the tests. | if? some fail | if? all pass AND none is missing | if? it is late | if? it rains
    show They ran.
    turn Tick it. | if? it is late | if? it rains
    ask Which colour? []
    judge it rains
    completed
    ");
}

#[test]
fn a_run_of_before_judges_one_by_one() {
    let before = Options {
        whole: false,
        ..Options::default()
    };
    insta::assert_snapshot!(holding(TESTED, &[], before), @r"
    step 1
    turn Run the tests. | if? some fail
    show They ran.
    judge all pass AND none is missing
    judge it is late
    judge it rains
    completed
    ");
}

#[test]
fn whoever_judges_later_is_told_what_was_done_last() {
    let flow = r#"<workflow name="W"><step n="1" goal="a"><action>Run the tests.</action><ask>Go on?</ask>
        <check if="they pass"><output>Fine.</output></check></step></workflow>"#;
    let loaded = project([("flow.xml", flow)]);
    let mut others = willing(&["yes"]);
    let mut told = Vec::new();
    trace(&loaded, "flow.xml", Options::default(), &mut |issued| {
        if let Effect::Judge(task) = &issued.effect {
            told.extend(task.variables.clone());
        }
        others(issued)
    });
    let last = told.last().map(|(name, value)| (name.as_str(), value.as_str()));
    assert_eq!(
        last,
        Some(("what was done last", "Run the tests.: done; said: did it")),
        "{told:?}"
    );
}

#[test]
fn whoever_judges_words_of_prose_is_told_the_line_they_stand_in() {
    let loaded = project([
        (
            "workflow.md",
            "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./step-01-a.md`\n",
        ),
        (
            "step-01-a.md",
            "# Step 1: A\n\nLook.\n\n- If there is one, invoke the `k` skill.\n- Count them; if none matches, HALT.\n",
        ),
        (
            ".claude/skills/k/SKILL.md",
            "---\nname: k\ndescription: d\n---\n\nRead it.\n",
        ),
    ]);
    let mut others = willing(&[]);
    let mut told = Vec::new();
    let shown = trace(&loaded, "workflow.md", Options::default(), &mut |issued| {
        if let Effect::Judge(task) = &issued.effect {
            told.extend(task.variables.clone());
        }
        match &issued.effect {
            Effect::Dispatch(task) => Some(ack(task, true)),
            _ => others(issued),
        }
    });
    let line = (
        "where the condition is written".to_owned(),
        "- Count them; if none matches, HALT.".to_owned(),
    );
    assert!(told.contains(&line), "{shown} {told:?}");
}

#[test]
fn a_flag_that_only_the_workflow_sets_is_false_until_it_is_set() {
    let flow = r#"<workflow name="W"><step n="1" goal="a"><check if="resumed == false"><output>anew</output></check>
        <check if="{resumed}"><output>never</output></check><action>Set resumed = true</action>
        <check if="resumed == true"><output>again</output></check><action>Set resumed = false</action>
        <check if="{level} == false"><action>Set level = deep</action></check></step></workflow>"#;
    let told = holding(flow, &[], Options::default());
    assert_eq!(told, "step 1\nshow anew\nshow again\njudge {level} == false\ncompleted");
}

/// Runs a skill with a list of paths, and shows what it looks up and what is judged.
fn with_paths(list: &str, conditions: &[&str]) -> String {
    let check = |condition: &&str| format!("<check if=\"{condition}\"><output>held</output></check>\n");
    let checks: String = conditions.iter().map(check).collect();
    let skill = format!(
        "---\nname: s\ndescription: d\n---\n\n### Paths\n\n{list}\n\n<workflow>\n<step n=\"1\" goal=\"a\">\n{checks}<action>Write to {{status}}.</action>\n</step>\n</workflow>\n"
    );
    let loaded = project([("s/workflow.md", &skill)]);
    trace(&loaded, "s/workflow.md", Options::default(), &mut willing(&[]))
}

#[test]
fn a_list_of_paths_says_what_its_names_stand_for() {
    let list = "- `folder` = `out`\n- `status` = `{folder}/status.yaml` (written last)\n- `story` = ``";
    let conditions = ["{{status}} file exists", "{{story}} is provided", "{{story}} is empty"];
    insta::assert_snapshot!(with_paths(list, &conditions), @r"
    step 1
    look out/status.yaml
    show held
    show held
    turn Write to out/status.yaml.
    completed
    ");
}

#[test]
fn what_only_prose_speaks_of_is_judged_and_not_taken_for_missing() {
    let list = "- `status` = the file of step 1\n- `one` = `out/{{key}}.md`\n- `some` = `**/a.md`";
    let conditions = [
        "{{status}} file exists",
        "{{one}} exists",
        "{{some}} does not exist",
        "{{other}} exists",
    ];
    insta::assert_snapshot!(with_paths(list, &conditions), @r"
    step 1
    judge {{status}} file exists
    judge out/{{key}}.md exists
    judge **/a.md does not exist
    turn Write to {status}.
    completed
    ");
}

#[test]
fn a_check_of_the_old_form_guards_no_further_than_a_jump() {
    let workflow = r#"<workflow name="W"><step n="1" goal="a">
<ask>Any changes? (y/n)</ask>
<check>If yes:</check>
  <output>changed</output>
  <goto step="2">Once more</goto>
<output>published</output>
</step>
<step n="2" goal="b"><output>two</output></step></workflow>"#;
    insta::assert_snapshot!(run(workflow, &["n"]), @r"
    step 1
    ask Any changes? (y/n) [y n]
    show published
    step 2
    show two
    completed
    ");
    let deeper = workflow.replace("<output>published", "  <output>published");
    assert!(!run(&deeper, &["n"]).contains("published"));
    let conditional = workflow.replace("<goto ", "<goto if=\"1 == 2\" ");
    assert!(!run(&conditional, &["n"]).contains("published"));
}

#[test]
fn a_section_is_guarded_by_a_check_of_the_old_form_where_it_is_set_in() {
    let workflow = r#"<workflow name="W"><step n="1" goal="a">
<ask>A mail? (y/n)</ask>
<check>If yes:</check>
  <output>a mail</output>
  <template-output>mail = sent</template-output>
<output>{mail}.</output>
</step></workflow>"#;
    insta::assert_snapshot!(run(workflow, &["n"]), @r"
    step 1
    ask A mail? (y/n) [y n]
    show {mail}.
    completed
    ");
    let same = workflow.replace("  <template-output", "<template-output");
    insta::assert_snapshot!(run(&same, &["n"]), @r"
    step 1
    ask A mail? (y/n) [y n]
    show sent.
    completed
    ");
}
