use crate::source::Source;
use crate::syntax::outline::{assert_whole, faults, outline, source, xml};
use crate::syntax::{Format, parse, parse_tolerant};

fn assert_same_both_ways(text: &str) {
    let source = source(text);
    let (strict, tolerant) = (parse(&source, Format::Xml), parse_tolerant(&source, Format::Xml));
    assert!(super::strict(&source).is_some(), "{text:?} is not XML");
    assert_eq!(strict.tree, tolerant.tree, "{text:?}");
    assert_eq!(strict.faults, tolerant.faults, "{text:?}");
    assert_eq!(strict.comments, tolerant.comments, "{text:?}");
    assert_whole(&source, &strict);
}

#[test]
fn well_formed_text_gives_the_same_tree_both_ways() {
    for text in [
        "<task id=\"t\"><flow><step n=\"1\">a<i critical='x > y'>b &lt; c</i></step></flow></task>",
        "\u{feff}<?xml version=\"1.0\"?>\r\n<!-- a -- b -->\r\n<workflow>\r\n<step n = '1'\r\n/></workflow>\r\n",
        "<task><![CDATA[ <step> ]] & <!-- no --> ]]><ask>a</ask><?go <step> ?></task>",
        "<!DOCTYPE task [<!ENTITY a \"<step>]>\"> <!-- ]> --> <?x ]> ?>]><task>&a;</task>",
        "<other><step a=\"1\" a=\"2\"/><unknown x='1'>y</unknown ></other>",
        "<step>one</step >\n<step>two</step>\n<rule>three</rule>",
        "<workflow>\n  text `<ask>a</ask>` text <ask>b</ask> text\n</workflow>",
        "<task><example>&#65;&unknown; > ]] \" '</example></task>",
        "<é><i>a</i></é>",
        "plain words",
        "",
    ] {
        assert_same_both_ways(text);
    }
}

#[test]
fn text_that_is_not_well_formed_falls_to_the_scanner() {
    for text in [
        "<task>a & b</task>",
        "<task><step></task>",
        "<task>",
        "</task>",
        "<task a=1/>",
        "<task a=\"1\"b=\"2\"/>",
        "<task a=\"<\"/>",
        "<task a[]=\"1\"/>",
        "<task><3></3></task>",
        "<!DOCTYPE a [<!x \"y>]><task/>",
    ] {
        let source: Source = source(text);
        assert!(super::strict(&source).is_none(), "{text:?}");
        assert_whole(&source, &parse(&source, Format::Xml));
    }
}

#[test]
fn bare_marks_in_xml_are_text_without_fault() {
    let text = "<task>\n<action>a & b < c</action>\n</task>";
    assert_eq!(xml(text), r#"task { action { "a & b < c" } }"#);
    assert_eq!(faults(text, Format::Xml), Vec::<String>::new());
}

#[test]
fn the_format_counts_as_a_root_where_the_first_element_is_a_tag() {
    assert_eq!(xml("<step/>\n<rule>a & b</rule>"), r#"step rule { "a & b" }"#);
    assert_eq!(xml("<p><i>a</i></p>"), r#""<p><i>a</i></p>""#);
    assert_eq!(xml("<p><i>a &</i></p>"), r#""<p><i>a &</i></p>""#);
}

#[test]
fn a_text_in_cdata_is_text_as_written() {
    assert_eq!(
        xml("<task>a<![CDATA[<step>&amp;]]>b</task>"),
        r#"task { "a" "<step>&amp;" "b" }"#
    );
    assert_eq!(xml("<task>&<![CDATA[<step>]]></task>"), r#"task { "&" "<step>" }"#);
}

#[test]
fn definitions_are_refused_and_left_out() {
    let text = "<!DOCTYPE a [<!ENTITY b \"c\">]><task>&b;</task>";
    assert_eq!(xml(text), r#"task { "&b;" }"#);
    assert_eq!(
        faults(text, Format::Xml),
        ["EntityDefinition <!DOCTYPE a [<!ENTITY b \"c\">]>"]
    );
    assert_eq!(
        faults("<task>&<!ENTITY b 'x>y'></task>", Format::Xml),
        ["EntityDefinition <!ENTITY b 'x>y'>"]
    );
    assert_eq!(
        faults("<!doctype a [<task></task>", Format::Xml),
        ["EntityDefinition <!doctype a [<task></task>"]
    );
}

#[test]
fn comments_keep_their_insides() {
    let source = source("<!-- a --><task><!----></task>");
    let parsed = parse(&source, Format::Xml);
    let insides: Vec<&str> = parsed.comments.iter().map(|span| source.slice(*span)).collect();
    assert_eq!(insides, [" a ", ""]);
    assert_eq!(outline(&source, &parsed.tree), "task");
}

#[test]
fn attribute_places_point_at_the_text() {
    let source = source("\u{feff}<task  id = 'a&amp;b' />");
    let parsed = parse(&source, Format::Xml);
    let crate::syntax::Child::Element(task) = &parsed.tree[0] else {
        panic!("no element");
    };
    let id = task.attribute("id").unwrap();
    assert_eq!(source.slice(id.name_span), "id");
    assert_eq!(source.slice(id.value_span), "a&amp;b");
    assert_eq!(&*id.value, "a&b");
    assert_eq!(source.slice(task.open), "<task  id = 'a&amp;b' />");
    assert_eq!(task.close, None);
}
