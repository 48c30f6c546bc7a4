//! The lists that loops go over.

use super::flow::run;

#[test]
fn a_list_that_is_written_out_is_gone_over_item_by_item() {
    let shown = run(
        r#"<workflow name="W"><step n="1" goal="a"><set name="c" value="three, four"/>
        <loop name="words" for="word in one, two,{c}," max="9"><output>{word}</output></loop>
        <loop name="nobody" for="word in {nobody}" max="9"><output>never</output></loop>
        <parallel for="side in left, right" into="sides"><set name="s" value="the {side} one"/></parallel>
        <output>{sides}</output></step></workflow>"#,
        &[],
    );
    insta::assert_snapshot!(shown, @r"
    step 1
    show one
    show two
    show three, four
    show the left one, the right one
    completed
    ");
}

#[test]
fn a_list_that_only_prose_names_is_asked_about_whatever_other_tags_there_are() {
    let workflow = |more: &str| {
        format!(
            r#"<workflow name="W"><step n="1" goal="a"><iterate>For each room of the house:</iterate><output>a room</output></step>
            <step n="2" goal="b"><for-each epic="epic_list"><output>an epic</output></for-each>{more}</step></workflow>"#
        )
    };
    let plain = run(&workflow(""), &[]);
    insta::assert_snapshot!(plain, @r"
    step 1
    judge there is another `item` of `room of the house` that was not dealt with yet
    step 2
    judge there is another `epic` of `epic_list` that was not dealt with yet
    completed
    ");
    assert_eq!(run(&workflow(r#"<set name="x" value="1"/>"#), &[]), plain);
}

#[test]
fn a_list_that_is_written_out_needs_nothing_else_of_the_engine() {
    let shown = run(
        r#"<workflow name="W"><step n="1" goal="a">
        <loop name="l" for="x in [a, b]" max="5"><output>{x}</output></loop>
        <output if="true">shown</output><output if="false">never</output></step></workflow>"#,
        &[],
    );
    insta::assert_snapshot!(shown, @r"
    step 1
    show a
    show b
    show shown
    completed
    ");
}

#[test]
fn what_a_list_does_not_have_is_nothing_like_what_a_reply_does_not_have() {
    let shown = run(
        r#"<workflow name="W"><step n="1" goal="a">
        <parallel for="side in left, right" into="sides"><set name="s" value="the {side} one"/></parallel>
        <output>{sides.0}, {sides.9}, {sides.1.other}.</output></step></workflow>"#,
        &[],
    );
    assert!(shown.contains("show the left one, , ."), "{shown}");
}

#[test]
fn texts_are_put_together_with_the_white_space_between_them() {
    let shown = run(
        r#"<workflow name="W"><step n="1" goal="a"><set name="all" value=""/>
        <loop name="l" for="x in [a, b]" max="5"><set name="all" value="{all}{x}, "/></loop>
        <set name="n" value=" 3 "/><set name="same" value=" {n} "/>
        <output if="{same} == 3">{all}and {same}.</output></step></workflow>"#,
        &[],
    );
    assert!(shown.contains("show a, b, and 3."), "{shown}");
}

#[test]
fn what_an_iterate_holds_repeats_and_what_follows_it_does_not() {
    let workflow = |open: &str, rest: &str| {
        format!(
            r#"<workflow name="W"><step n="1" goal="a"><set name="beds" value="north, south"/>
            <iterate {open}>{rest}<output>All are wet.</output></step></workflow>"#
        )
    };
    let inside = r"<output>{n}: {bed}</output></iterate>";
    for open in [
        r#"over="beds" index="n" item="bed""#,
        r#"over="{beds}" as="bed" index="n""#,
        r#"for="bed in beds" index="n""#,
    ] {
        let expected = "step 1\nshow 1: north\nshow 2: south\nshow All are wet.\ncompleted";
        assert_eq!(run(&workflow(open, inside), &[]), expected, "{open}");
    }
    let words = "Water the {bed} bed.</iterate>";
    insta::assert_snapshot!(run(&workflow(r#"over="beds" as="bed""#, words), &[]), @r"
    step 1
    turn Water the north bed.
    turn Water the south bed.
    show All are wet.
    completed
    ");
    insta::assert_snapshot!(run(&workflow(r#"over="beds" as="bed""#, "</iterate><output>{bed}</output>"), &[]), @r"
    step 1
    show north
    show All are wet.
    show south
    show All are wet.
    completed
    ");
}
