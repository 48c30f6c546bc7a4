use super::{plain, strict};
use crate::source::{Dice, Source};
use crate::syntax::outline::{assert_whole, faults, outline, source, xml};
use crate::syntax::tree::Builder;
use crate::syntax::{Format, Parsed, parse, parse_tolerant};

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
fn a_text_that_begins_with_two_byte_order_marks_is_read_where_it_stands() {
    let source = source("\u{feff}\u{feff}<task a=\"é\"><i/></task>");
    assert!(strict(&source).is_none());
    let (parsed, tolerant) = (parse(&source, Format::Xml), parse_tolerant(&source, Format::Xml));
    assert_eq!(parsed.tree, tolerant.tree);
    assert_whole(&source, &parsed);
}

/// What random texts are made of, most of it plain.
const PIECES: &[&str] = &[
    "<task>",
    "<task>",
    "</task>",
    "</task>",
    "</task >",
    "<step n=\"1\" if='a > \"b\"'>",
    "<step\tn = '1'\n>",
    "</step>",
    "</step>",
    "<i>",
    "</i>",
    "</i>",
    "<p>",
    "</p>",
    "<goto step=\"2\"/>",
    "<x />",
    "<check if=\"\">",
    "</check>",
    "\n",
    "\n  ",
    " words ",
    "é",
    "> ",
    "&lt;",
    "&x y;",
    "<!-- a -- b -->",
    "<!---->",
    "<?go <on> ?>",
    "- ",
];
/// What is less plain, or wrong.
const ODD: &[&str] = &[
    "&",
    "<",
    "< ",
    "</",
    "<!-->",
    "<!--->",
    "<!--",
    "-->",
    "<??>",
    "<?>",
    "<?",
    "?>",
    "<![CDATA[ <i> ]]>",
    "<!x>",
    "\u{feff}",
    "<!DOCTYPE a>",
    "<i a=1>",
    "<i a>",
    "<i a=\"1\"b='2'>",
    "<i =\"1\">",
    "<i a=\"<\">",
    "<i a/>",
    "<i/ >",
    "<i/a>",
    "<3>",
    "<i\u{c}>",
    "</ i>",
    "</i a=\"1\">",
    "<é>",
    "</é>",
    "\"",
    "'",
    "<i a='",
    "<a-b.c:d/>",
    "</i",
    "<i",
    "<i a = ",
    "\u{a0}",
];

/// Says whether a text is plain XML, and checks that it is read the same by quick-xml.
fn is_plain(text: &str) -> bool {
    let source = source(text);
    let Some(plain) = plain::read(&source) else {
        return false;
    };
    let finished = |builder: Builder<'_>| {
        let mut parsed = parse(&self::source(""), Format::Xml);
        builder.finish(&mut parsed);
        let Parsed {
            tree, comments, faults, ..
        } = parsed;
        (tree, comments, faults)
    };
    let strict = strict(&source).map(finished);
    assert_eq!(Some(finished(plain)), strict, "{text:?}");
    true
}

#[test]
fn plain_text_is_read_as_quick_xml_reads_it() {
    let (mut dice, mut plain) = (Dice(21), [0; 3]);
    for round in 0..60_000 {
        let oddity = round % plain.len();
        let mut text = String::new();
        let mut open: Vec<&str> = Vec::new();
        for _ in 0..dice.roll(14) {
            let is_odd = oddity > 0 && dice.roll(10 * oddity) == 0;
            let piece = dice.pick(if is_odd { ODD } else { PIECES });
            // Most texts close what they open, and nothing else.
            let name = piece
                .trim_start_matches(['<', '/'])
                .split([' ', '>', '\t'])
                .next()
                .unwrap_or_default();
            if piece.starts_with("</") && !is_odd {
                let Some(innermost) = open.pop() else { continue };
                text.push_str(&format!("</{innermost}>"));
                continue;
            }
            let opens = piece.starts_with('<') && piece.ends_with('>') && !piece.ends_with("/>");
            if opens && name.starts_with(char::is_alphabetic) {
                open.push(name);
            }
            text.push_str(piece);
        }
        while let Some(name) = open.pop() {
            text.push_str(&format!("</{name}>"));
        }
        plain[oddity] += usize::from(is_plain(&text));
    }
    assert!(plain.iter().all(|count| *count > 1_000), "{plain:?}");
}

#[test]
fn most_files_are_plain() {
    for text in [
        "<task id=\"t\"><flow><step n=\"1\">a<i critical='x > y'>b &lt; c</i></step></flow></task>",
        "\u{feff}<?xml version=\"1.0\"?>\r\n<!-- a -- b -->\r\n<workflow>\r\n<step n = '1'\r\n/></workflow>\r\n",
        "<other><step a=\"1\" a=\"2\"/><unknown x='1'>y</unknown ></other>",
        "<é><i>a</i></é>",
        "",
    ] {
        assert!(is_plain(text), "{text:?}");
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
        assert!(strict(&source).is_none(), "{text:?}");
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
