//! Whatever the text, reading it ends, and every byte is accounted for.

use crate::syntax::outline::{assert_whole, source};
use crate::syntax::{Format, parse, parse_tolerant};

const SAMPLES: [&str; 4] = [
    "---\nname: a\n---\n# Title\n\n<critical>Use <template-output> `<ask>` now</critical>\n<workflow>\n<step n=\"1\" goal=\"a < b\">\n  - one\n    ```xml\n    <step>\n    ```\n<check if=\"x\n y\">\n<action>é & ü</action>\n</step>\n<!-- note -->\n<<goto step='2'/></check>\n</workflow>\n",
    "\u{feff}<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b 'c'>]>\r\n<task id=\"t\"><!-- c --><llm critical=\"true\"><i>a &lt; b</i></llm><![CDATA[<x>]]><flow><step n=\"1\"/></flow></task>",
    "# Agent\n> quote\n\n```xml\n<agent id=\"a\" name=\"ß\"><menu><item cmd=\"*x\">[X]</item></menu><!-- z --></agent>\n```\n| a | b |\n1. x\n~~~~ y\n",
    "<action>a <action> b</action><ask if=\"it's \"so\" n='1'>```\n`<ask>` -->\n</ask><!-- <output> </step>",
];

fn read_every_way(text: &str) {
    let source = source(text);
    assert_whole(&source, &parse(&source, Format::Markdown));
    let parsed = parse(&source, Format::Xml);
    let tolerant = parse_tolerant(&source, Format::Xml);
    assert_whole(&source, &parsed);
    assert_eq!(parsed.tree, tolerant.tree, "{text:?}");
    assert_eq!(parsed.faults, tolerant.faults, "{text:?}");
    assert_eq!(parsed.comments, tolerant.comments, "{text:?}");
}

#[test]
fn every_prefix_of_a_file_is_read() {
    for sample in SAMPLES {
        for (at, _) in sample.char_indices() {
            read_every_way(&sample[..at]);
            read_every_way(&sample[at..]);
        }
    }
}

/// A small generator of numbers; the same ones on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

#[test]
fn damaged_files_are_read() {
    let pieces = [
        "<",
        ">",
        "/",
        "\"",
        "'",
        "`",
        "```",
        "\n",
        "<!--",
        "-->",
        "<step>",
        "</step>",
        "<task>",
        "</task>",
        "<i>",
        "</i>",
        "=",
        " ",
        "é",
        "<![CDATA[",
        "]]>",
        "<?",
        "?>",
        "<!DOCTYPE",
        "[",
        "]",
        "&",
        "---\n",
        "\r\n",
        "\t",
        "> ",
        "<action if=\"",
        "<ask> a",
        "~~~",
    ];
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for round in 0..6000 {
        let mut text: Vec<char> = SAMPLES[round % SAMPLES.len()].chars().collect();
        for _ in 0..=numbers.below(6) {
            let at = numbers.below(text.len() + 1);
            let end = (at + numbers.below(4)).min(text.len());
            let piece = pieces[numbers.below(pieces.len())];
            text.splice(at..end, piece.chars());
        }
        read_every_way(&text.into_iter().collect::<String>());
    }
}

/// Each of these takes hours where any search starts again from every tag.
#[test]
fn hostile_files_are_read_in_one_go() {
    let many = 300_000;
    for (head, unit, tail) in [
        ("", "<check>", ""),
        ("<step", " a=\"b\"", ">"),
        ("", "<ask if=\"", ""),
        ("", "<ask if=\"\n", "\">"),
        ("", "<ask a='<ask b=\" c='\" d=", ""),
        ("", "<ask a=\"\" ", ""),
        ("", "<!--", ""),
        ("`", "<!---->", ""),
        ("", "<!--\n```\n<!--\n```\n", ""),
        ("```xml\n<step>\n```\n", "```xml\n<!-- <step> -->\n<!--\n```\n", "-->"),
        ("", "<?", ""),
        ("", "<![CDATA[", ""),
        ("", "<!DOCTYPE [", ""),
        ("", "</step>", ""),
        ("", "a <step> ` `` ```", ""),
        ("", "a <task> ", ""),
        ("<step>", "x <action>", "</step>"),
        ("", "<step>\n<ask>\n</step>\n", ""),
        ("", "> ```\n", ""),
        ("", "- ```\n", ""),
        ("", "`\\", ""),
        ("---\n", "--- \n", ""),
    ] {
        let source = source(&format!("{head}{}{tail}", unit.repeat(many)));
        parse(&source, Format::Markdown);
        parse(&source, Format::Xml);
    }
}
