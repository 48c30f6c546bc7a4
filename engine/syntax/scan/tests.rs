use crate::syntax::Format;
use crate::syntax::outline::{faults, markdown, xml};

#[test]
fn names_outside_the_table_are_text() {
    assert_eq!(
        markdown("<step n=\"1\"><b>bold</b> <stepping> <Action>x</Action></step>"),
        r#"step n=1 { "<b>bold</b> <stepping> <Action>x</Action>" }"#
    );
}

#[test]
fn common_words_are_tags_only_below_a_root() {
    assert_eq!(
        markdown("<item>a</item> <set name=\"x\"/>\n<task><item>b</item></task>\n<item>c</item>"),
        r#""<item>a</item> <set name=\"x\"/>" task { item { "b" } } "<item>c</item>""#
    );
}

#[test]
fn a_root_that_is_only_mentioned_makes_no_tags_of_common_words() {
    let text = "Write the <task> element first.\n\n<input>\n<action>x</action>\n";
    assert_eq!(
        markdown(text),
        r#""Write the <task> element first.\n\n<input>" action { "x" }"#
    );
    assert_eq!(faults(text, Format::Markdown), Vec::<String>::new());
}

#[test]
fn a_tag_in_a_sentence_that_nothing_closes_is_text() {
    let text = "<critical>After every <template-output> save the file</critical>";
    assert_eq!(
        markdown(text),
        r#"critical { "After every <template-output> save the file" }"#
    );
    assert_eq!(faults(text, Format::Markdown), Vec::<String>::new());
}

#[test]
fn a_sentence_may_begin_with_the_tag_it_mentions() {
    let text = "<step n=\"1\">\n- <ask> tags wait for a person\n</step>";
    assert_eq!(markdown(text), r#"step n=1 { "- <ask> tags wait for a person" }"#);
    assert_eq!(faults(text, Format::Markdown), Vec::<String>::new());
}

#[test]
fn what_follows_a_mention_stays_beside_it() {
    assert_eq!(
        markdown("<step>\nBefore each <output> line:\n<action>a</action>\n<output>b</output>\n</step>"),
        r#"step { "Before each <output> line:" action { "a" } output { "b" } }"#
    );
}

#[test]
fn a_mention_inside_a_tag_of_its_own_name_does_not_take_its_close() {
    let text = "<step>\n<action>Explain:\n- an <action> tag or two <action> tags\n</action>\n<ask>b</ask>\n</step>";
    assert_eq!(
        markdown(text),
        r#"step { action { "Explain:\n- an <action> tag or two <action> tags" } ask { "b" } }"#
    );
    assert_eq!(faults(text, Format::Markdown), Vec::<String>::new());
}

#[test]
fn tags_of_one_name_nest() {
    assert_eq!(
        markdown("<action>first <action if=\"a\">then</action> last</action>"),
        r#"action { "first" action if=a { "then" } "last" }"#
    );
}

#[test]
fn an_unclosed_tag_ends_where_its_parent_does() {
    let text = "<step n=\"1\">\n<check if=\"a\">\n<action>b</action>\n</step>\n<step n=\"2\"></step>";
    assert_eq!(markdown(text), r#"step n=1 { check if=a { action { "b" } } } step n=2"#);
    assert_eq!(
        faults(text, Format::Markdown),
        [r#"UnclosedTag <check if="a"> until </step>"#]
    );
}

#[test]
fn an_unclosed_tag_without_parent_ends_with_the_file() {
    let text = "<workflow>\n<action>Do this\nand that";
    assert_eq!(
        faults(text, Format::Markdown),
        [
            "UnclosedTag <workflow> until byte 35",
            "UnclosedTag <action> until byte 35"
        ]
    );
    assert_eq!(markdown(text), r#"workflow { action { "Do this\nand that" } }"#);
}

#[test]
fn an_unclosed_tag_that_holds_nothing_ends_at_once() {
    let text = "<step>\n<anchor id=\"top\">\n<action>a</action>\n</step>";
    assert_eq!(markdown(text), r#"step { anchor id=top action { "a" } }"#);
    assert_eq!(
        faults(text, Format::Markdown),
        [r#"UnclosedTag <anchor id="top"> until byte 24"#]
    );
}

#[test]
fn a_close_without_open_is_left_out() {
    let text = "<step>a</check>b</step>\n</step>\n</other>";
    assert_eq!(markdown(text), r#"step { "a" "b" } "</other>""#);
    assert_eq!(
        faults(text, Format::Markdown),
        ["StrayClose </check>", "StrayClose </step>"]
    );
}

#[test]
fn crossed_tags_close_with_the_outer_one() {
    let text = "<check if=\"a\">\n<ask>b\n</check>\nc</ask>";
    assert_eq!(markdown(text), r#"check if=a { ask { "b" } } "c""#);
    assert_eq!(
        faults(text, Format::Markdown),
        ["UnclosedTag <ask> until </check>", "StrayClose </ask>"]
    );
}

#[test]
fn loose_marks_are_text() {
    let text = "<action>a & b < c &amp; <3 <- </action>";
    assert_eq!(markdown(text), r#"action { "a & b < c &amp; <3 <-" }"#);
    assert_eq!(faults(text, Format::Markdown), Vec::<String>::new());
}

#[test]
fn a_doubled_mark_is_text_before_a_tag() {
    assert_eq!(
        markdown("<<action>Go back</action>\n<action>and tasks<</action>"),
        r#""<" action { "Go back" } action { "and tasks<" }"#
    );
}

#[test]
fn rules_before_the_workflow_belong_to_the_file() {
    assert_eq!(
        markdown("<critical>a</critical>\n<note>b</note>\n<workflow><step/></workflow>"),
        r#"critical { "a" } note { "b" } workflow { step }"#
    );
}

#[test]
fn values_hold_marks_line_breaks_and_quotes() {
    assert_eq!(
        markdown("<check if=\"{{n}} < 1 && <x> or\n  y > 2\">a</check>"),
        "check if={{n}} < 1 && <x> or\n  y > 2 { \"a\" }"
    );
    assert_eq!(
        markdown(r#"<check if="status is "done" or 'open'" n='it's'/>"#),
        r#"check if=status is "done" or 'open' n=it's"#
    );
}

#[test]
fn entities_in_values_are_decoded() {
    assert_eq!(markdown("<check if=\"a &lt; b &amp;&amp; c\"/>"), "check if=a < b && c");
}

#[test]
fn a_tag_may_be_split_over_lines() {
    assert_eq!(
        markdown("<step\n  n=\"1\"\n  goal = \"a\"\n  ><action\n/></step\n>"),
        "step n=1 goal=a { action }"
    );
}

#[test]
fn a_forgotten_quote_costs_its_own_tag_only() {
    let text = "<step>\n<check if=\"a>\n<action>b</action>\n</check>\n<check if=\"c\">d</check>\n</step>";
    assert_eq!(
        markdown(text),
        r#"step { "<check if=\"a>" action { "b" } check if=c { "d" } }"#
    );
    assert_eq!(faults(text, Format::Markdown), ["StrayClose </check>"]);
}

#[test]
fn placeholders_are_no_tags() {
    let text = "- <task description>\n- <agent name>\n- <output\n";
    assert_eq!(markdown(text), r#""- <task description>\n- <agent name>\n- <output""#);
    assert_eq!(faults(text, Format::Markdown), Vec::<String>::new());
}

#[test]
fn values_may_lack_quotes() {
    assert_eq!(
        markdown("<step n=1 goal=a/><goto step=3>x</goto>"),
        r#"step n=1 goal=a goto step=3 { "x" }"#
    );
}

#[test]
fn a_close_tag_indented_under_an_item_closes() {
    assert_eq!(
        markdown("<step>\n- one\n- two\n    </step>\n\n        <step></step>"),
        r#"step { "- one\n- two" } step"#
    );
}

#[test]
fn comments_are_not_in_the_tree() {
    assert_eq!(
        markdown("<step>a<!-- <action>no</action>\n --><ask>b</ask></step><!-- open"),
        r#"step { "a" ask { "b" } } "<!-- open""#
    );
}

#[test]
fn tags_of_every_depth_up_to_the_cap_are_kept() {
    let text = format!("{}x{}", "<check>".repeat(300), "</check>".repeat(300));
    assert_eq!(faults(&text, Format::Xml), ["NestedTooDeep <check>"]);
    assert_eq!(xml(&text).matches("check {").count(), 256);
    assert!(xml(&text).contains("<check><check>"));
}

#[test]
fn what_follows_tags_that_were_too_deep_is_read() {
    let deep = "<check>".repeat(300);
    let text = format!("<workflow>{deep}</workflow>\n<step>a</step>");
    assert!(xml(&text).ends_with(r#"step { "a" }"#));
}

#[test]
fn attributes_past_the_cap_are_a_fault() {
    let text = format!("<step{}/>", " a=\"\"".repeat(257));
    assert_eq!(xml(&text).matches(" a=").count(), 256);
    assert_eq!(faults(&text, Format::Xml).len(), 1);
    assert!(faults(&text, Format::Xml)[0].starts_with("TooManyAttributes <step"));
    assert!(faults(&text.replacen(" a=\"\"", "", 1), Format::Xml).is_empty());
}

#[test]
fn tags_past_the_cap_are_text_and_one_fault() {
    let text = format!("<task>{}</task>", "<ask/>".repeat(600_000));
    assert_eq!(faults(&text, Format::Xml), ["FileTooLarge <ask/>"]);
    assert_eq!(faults(&text, Format::Markdown), ["FileTooLarge <ask/>"]);
}
