use crate::syntax::outline::{faults, markdown, source};
use crate::syntax::{Child, Format, parse};

#[test]
fn samples_in_fences_are_text_where_steps_stand_outside() {
    let text = "<step n=\"1\">a</step>\n```xml\n<step n=\"2\">\n```\n";
    assert_eq!(markdown(text), r#"step n=1 { "a" } "```xml\n<step n=\"2\">\n```""#);
    assert_eq!(faults(text, Format::Markdown), Vec::<String>::new());
}

#[test]
fn a_workflow_inside_a_fence_is_read() {
    assert_eq!(
        markdown("# Title\n```xml\n<workflow><step n=\"1\"/></workflow>\n```\nend"),
        r##""# Title\n```xml" workflow { step n=1 } "```\nend""##
    );
}

#[test]
fn steps_that_are_only_mentioned_do_not_count_as_outside() {
    assert_eq!(
        markdown("Every <step> counts, `<step>` too.\n~~~\n<step n=\"1\"/>\n~~~\n"),
        r#""Every <step> counts, `<step>` too.\n~~~" step n=1 "~~~""#
    );
}

#[test]
fn an_agent_inside_a_fence_is_read() {
    assert_eq!(
        markdown("# A\n```xml\n<agent id=\"a\"><persona>p</persona></agent>\n```"),
        r##""# A\n```xml" agent id=a { persona { "p" } } "```""##
    );
}

#[test]
fn a_fence_in_another_language_without_steps_is_not_read() {
    let text = "```html\n<action>x</action>\n```\n```xml\n<step/>\n```";
    assert_eq!(
        markdown(text),
        r#""```html\n<action>x</action>\n```\n```xml" step "```""#
    );
}

#[test]
fn tags_in_a_fence_close_inside_it() {
    let text = "```xml\n<step>\n```\n```xml\n<step></step>\n</step>\n```";
    assert_eq!(
        faults(text, Format::Markdown),
        ["UnclosedTag <step> until byte 14", "StrayClose </step>"]
    );
}

#[test]
fn a_fence_may_close_what_stands_open_around_it() {
    let text = "<workflow>\n<check>\n```xml\n</check><step>\n```\n</step>\n</workflow>";
    assert_eq!(markdown(text), r#"workflow { check { "```xml" } step "```" }"#);
    assert_eq!(
        faults(text, Format::Markdown),
        ["UnclosedTag <step> until byte 41", "StrayClose </step>"]
    );
}

#[test]
fn fences_that_hold_the_same_step_twice_are_samples() {
    let text = "Short:\n```xml\n<step n=\"1\">a</step>\n```\nLong:\n```xml\n<step n='1'>b</step>\n```\n";
    assert!(!markdown(text).contains("step n=1"));
    let parts = "```xml\n<step n=\"1\">a</step>\n```\n```xml\n<step n=\"2\">b</step>\n```\n";
    assert!(markdown(parts).contains("step n=2"));
}

#[test]
fn a_fence_that_nothing_closes_hides_no_tags() {
    assert_eq!(
        markdown("<step n=\"1\"/>\n````\ncode\n```\n<step n=\"2\"/>"),
        r#"step n=1 "````\ncode\n```" step n=2"#
    );
}

#[test]
fn tags_in_inline_code_are_text() {
    assert_eq!(
        markdown("<step>\nuse `<action>` or ``<ask>`</ask>`` here\n</step>"),
        r#"step { "use `<action>` or ``<ask>`</ask>`` here" }"#
    );
}

#[test]
fn a_single_backtick_hides_nothing() {
    assert_eq!(
        markdown("<action>press ` now</action>\n<ask>a ` b</ask>"),
        r#"action { "press ` now" } ask { "a ` b" }"#
    );
}

#[test]
fn a_comment_mark_in_inline_code_is_text() {
    assert_eq!(markdown("`<!--` <ask>a</ask> -->"), r#""`<!--`" ask { "a" } "-->""#);
}

#[test]
fn a_comment_may_hold_a_fence() {
    assert_eq!(
        markdown("<step/><!--\n```\n<ask>a</ask>\n-->\n<ask>b</ask>\n"),
        r#"step ask { "b" }"#
    );
}

#[test]
fn frontmatter_is_one_text_without_tags() {
    let source = source("\u{feff}---\r\ngoal: <action>a</action>\r\n---\r\n<ask>b</ask>");
    let parsed = parse(&source, Format::Markdown);
    let texts: Vec<&str> = parsed.tree.iter().map(|child| source.slice(child.span())).collect();
    assert_eq!(texts, ["---\r\ngoal: <action>a</action>\r\n---\r\n", "<ask>b</ask>"]);
    assert!(matches!(parsed.tree[0], Child::Text(_)));
}

#[test]
fn dashes_that_nothing_ends_are_no_frontmatter() {
    assert_eq!(markdown("---\n<ask>a</ask>\n----\n"), r#""---" ask { "a" } "----""#);
}
