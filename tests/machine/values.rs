//! Values that are read from texts: lists in any form, and attributes that a name stands in.

use super::{project, returned, trace, willing};
use bmad::machine::{Access, Effect, Image, Issued, Machine, Options, Outcome, Task};

/// Runs steps and returns what they show and how they end.
fn run(steps: &str) -> String {
    let flow = format!(r#"<workflow name="W"><step n="1" goal="a">{steps}</step></workflow>"#);
    let loaded = project([("flow.xml", flow.as_str())]);
    trace(&loaded, "flow.xml", Options::default(), &mut willing(&[]))
}

/// Runs steps that ask for nothing but to be shown, and returns what they leave open.
fn gaps(steps: &str) -> String {
    let flow = format!(r#"<workflow name="W"><step n="1" goal="a">{steps}</step></workflow>"#);
    let loaded = project([("flow.xml", flow.as_str())]);
    let image = Image::new(&loaded.library, &loaded.workflows, &loaded.program);
    let mut machine = Machine::new(&image, 0, Options::default());
    let mut issued = machine.advance(Vec::new());
    while let Some(next) = (!issued.is_empty()).then(|| issued.remove(0)) {
        let outcome = willing(&[])(&next).unwrap();
        issued.extend(machine.advance(vec![returned(&next, outcome)]));
    }
    machine.tally().gaps.join("\n")
}

/// Shows the items that a text is, one a line.
fn items(text: &str) -> String {
    run(&format!(
        r#"<set name="list">{text}</set><loop for="item in {{list}}" max="9"><output>[{{item}}]</output></loop>"#
    ))
}

#[test]
fn a_text_of_json_is_the_list_that_it_says() {
    let shown = run(
        r#"<set name="issues">[{"id": 1, "title": "a, b"}, {"id": 2, "title": "c"}]</set><loop for="issue in {issues}" max="9"><output>{issue.id}: {issue.title}</output></loop>"#,
    );
    insta::assert_snapshot!(shown, @r"
    step 1
    show 1: a, b
    show 2: c
    completed
    ");
    let map = run(
        r#"<set name="ages">{"Ada": 36, "Bob": 7}</set><parallel for="age in {ages}"><output>{age.key} is {age.value}</output></parallel>"#,
    );
    insta::assert_snapshot!(map, @r"
    step 1
    0.1.1 show Ada is 36
    0.1.2 show Bob is 7
    completed
    ");
}

#[test]
fn signs_and_options_are_part_of_an_item_and_marks_of_lists_are_not() {
    insta::assert_snapshot!(items("-5, 3, --quiet"), @r"
    step 1
    show [-5]
    show [3]
    show [--quiet]
    completed
    ");
    insta::assert_snapshot!(items("- one\n* two\n-\n-3"), @r"
    step 1
    show [one]
    show [two]
    show [-3]
    completed
    ");
}

#[test]
fn one_item_in_brackets_is_a_list() {
    insta::assert_snapshot!(run(r#"<loop for="p in [core]" max="9"><output>[{p}]</output></loop>"#), @r"
    step 1
    show [core]
    completed
    ");
}

#[test]
fn a_bare_word_that_nothing_defines_is_a_list_that_is_missing() {
    let shown = gaps(
        r#"<set name="known" value="a, b"/><loop for="p in core" max="9"><output>[{p}]</output></loop>
        <parallel for="p in 3"><output>[{p}]</output></parallel>
        <loop for="p in known" max="9"><output>[{p}]</output></loop>
        <set name="never" value="x" if="{known} == 'c'"/><loop for="p in never" max="9"><output>[{p}]</output></loop>"#,
    );
    insta::assert_snapshot!(shown, @r"
    the items of `core`, which nothing defines; `[core]` is the word itself (flow.xml:1)
    the items of `3`, which nothing defines; `[3]` is the word itself (flow.xml:2)
    ");
}

#[test]
fn a_text_that_a_loop_goes_over_has_as_many_items_and_any_other_as_many_characters() {
    let shown = run(
        r#"<set name="list" value="a, b, c"/><set name="none" value=""/><set name="text" value="a, b"/>
        <set name="data">[{"id": 1}, {"id": 2}]</set>
        <dispatch mode="fresh" access="read" into="r">Answer with status.</dispatch>
        <output if="{list.length} == 3">{list.length} {none.length} {text.length} {data.length} {r.status.length}</output>
        <loop for="x in {r.status}" max="9"><output>{x}</output></loop>
        <loop for="x in {list}" max="1"><output>{x.length}</output></loop><parallel for="x in data"><output>{x.id}</output></parallel>
        <loop for="x in {none}" max="9"><output>never</output></loop>"#,
    );
    insta::assert_snapshot!(shown, @r"
    step 1
    turn Answer with status.
    show 3 0 4 2 1
    show done
    show 1
    0.1.1 show 1
    0.1.2 show 2
    completed
    ");
}

#[test]
fn a_name_in_a_list_of_a_condition_stands_for_its_value() {
    insta::assert_snapshot!(run(
        r#"<set name="env" value="prod"/><set name="kept" value="prod"/>
        <output if="{env} in [{kept}, staging]">kept</output>
        <output if="{env} not in [{kept}, staging]">deployed</output>"#,
    ), @r"
    step 1
    show kept
    completed
    ");
}

/// Sends one agent with an attribute whose name stands for a value; returns its turns and how the run ends.
fn sent(attribute: &str, value: &str) -> (Vec<Task>, String) {
    let flow = format!(
        r#"<workflow name="W"><step n="1" goal="a"><set name="given" value="{value}"/><dispatch mode="fresh" {attribute}="{{given}}">Go.</dispatch></step></workflow>"#
    );
    let loaded = project([("flow.xml", flow.as_str())]);
    let mut turns = Vec::new();
    let mut rest = willing(&[]);
    let told = trace(&loaded, "flow.xml", Options::default(), &mut |issued: &Issued| {
        if let Effect::Dispatch(task) = &issued.effect {
            turns.push((**task).clone());
        }
        rest(issued)
    });
    (turns, told)
}

#[test]
fn an_access_that_is_not_understood_allows_nothing() {
    assert_eq!(sent("access", "read").0[0].access, Access::Read);
    assert_eq!(sent("access", "write").0[0].access, Access::Write);
    let (turns, told) = sent("access", "Read");
    assert!(turns.is_empty());
    insta::assert_snapshot!(told, @r"
    step 1
    failed the `access` is `{given}`, which is `Read`: it has to be `read` or `write`
    ");
    let (turns, told) = sent("access", "");
    assert!(turns.is_empty(), "{told}");
}

#[test]
fn a_time_that_is_not_understood_ends_the_run_and_none_is_none() {
    assert_eq!(sent("timeout", "7").0[0].timeout, Some(7));
    assert_eq!(sent("timeout", "").0[0].timeout, None);
    let (turns, told) = sent("timeout", "1s");
    assert!(turns.is_empty());
    insta::assert_snapshot!(told, @r"
    step 1
    failed the `timeout` is `{given}`, which is `1s`: it has to be a number of seconds
    ");
    insta::assert_snapshot!(run(r#"<set name="t" value="soon"/><run command="make" timeout="{t}"/>"#), @r"
    step 1
    failed the `timeout` is `{t}`, which is `soon`: it has to be a number of seconds
    ");
}

#[test]
fn a_name_that_a_tag_did_not_bind_is_nothing_wherever_it_is_read() {
    insta::assert_snapshot!(run(
        r#"<set name="ok" value="true"/><set name="error" value="red tests" if="{ok} != true"/>
        <output>[{error}] {{#if error}}wrong{{else}}fine{{/if}}</output>
        <set name="copy" value="{error}"/><output if="{copy} == ''">no copy</output>
        <output if="{ok} == error">never</output>
        <return><param name="error" value="{error}"/></return>"#,
    ), @r"
    step 1
    show [] fine
    show no copy
    completed error:
    ");
}

#[test]
fn the_slots_of_a_document_wait_for_what_a_later_tag_binds() {
    let loaded = project([
        (
            "w/workflow.yaml",
            "name: w\ninstructions: \"{installed_path}/i.xml\"\ntemplate: \"{installed_path}/t.md\"\ndefault_output_file: \"{project-root}/doc.md\"\n",
        ),
        ("w/t.md", "{{intro}}\n\nIn short: {{summary}} by {{who}}\n"),
        (
            "w/i.xml",
            r#"<workflow><step n="1" goal="a"><action>Think.</action><template-output>intro</template-output></step>
            <step n="2" goal="b"><dispatch into="summary">Sum up.</dispatch><set name="who" value="Ada"/><template-output>summary</template-output></step></workflow>"#,
        ),
    ]);
    let mut begun = Vec::new();
    let mut rest = willing(&[]);
    trace(
        &loaded,
        "w/workflow.yaml",
        Options::default(),
        &mut |issued: &Issued| {
            match &issued.effect {
                Effect::Write(write) => begun.push(write.text.clone()),
                Effect::Read { path } if path.ends_with("t.md") => {
                    return Some(Outcome::Contents {
                        sha256: None,
                        text: Some("{{intro}}\n\nIn short: {{summary}} by {{who}}\n".to_owned()),
                    });
                }
                _ => {}
            }
            rest(issued)
        },
    );
    assert!(begun[0].contains("In short: {{summary}} by {{who}}"), "{begun:?}");
}

#[test]
fn an_attribute_names_a_section_and_words_inside_say_what_to_write() {
    let flow = |section: &str| {
        let loaded = project([
            (
                "w/workflow.yaml",
                "name: w\ninstalled_path: .\ninstructions: \"{installed_path}/i.xml\"\ndefault_output_file: \"{project-root}/out.md\"",
            ),
            (
                "w/i.xml",
                &format!(r#"<workflow><step n="1" goal="a"><action>Think.</action>{section}</step></workflow>"#),
            ),
        ]);
        trace(&loaded, "w/workflow.yaml", Options::default(), &mut willing(&[]))
    };
    let expected = "step 1\nturn Think.\nwrite out.md \"About results.\"\nshow About results.";
    for tag in [
        r#"<template-output section="results"/>"#,
        r#"<template-output name="results"/>"#,
        r#"<template-output id="results"></template-output>"#,
        r#"<template-output section="other">results</template-output>"#,
    ] {
        assert!(flow(tag).starts_with(expected), "{}", flow(tag));
    }
    insta::assert_snapshot!(flow(r#"<template-output section="results">A table of all of it.</template-output>"#), @r#"
    step 1
    turn Think. | A table of all of it.
    write out.md "About results."
    show About results.
    ask The section results is saved. What next? [a c p y]
    nobody answers
    "#);
}
