//! What is read without the parser is what the parser reads.

use super::super::{node, parsed, plain};
use super::source;
use crate::source::Dice;

/// What lines of random texts are made of where they are plain: what they begin with, keys, values and what ends them.
const PLAIN: [&[&str]; 4] = [
    &["", "", "- "],
    &["a: ", "a:", "b: ", "b:", "c-d_1: ", "_e:", "f:  ", ""],
    &[
        "",
        "",
        "",
        "x",
        "two words",
        "12",
        "true",
        "null",
        "1.5e3",
        "http://x/y",
        "a:b",
        "a,b [c] {d}",
        "it's",
        "x#y",
        "\"q\"",
        "'q: # r'",
        "''",
        "[]",
        "|",
        "é ☃",
    ],
    &[
        "\n", "\n", "\n", "\n", "\n", "\n", " # c\n", "  # c\n", "\n\n", "\n# c\n",
    ],
];
/// The same where they may not be.
const ODD: [&[&str]; 4] = [
    &[" ", "   ", "-   ", "- - ", "# ", "? "],
    &["1: ", "\"k\": ", "é: ", "-", ""],
    &[
        "a: b", "a  b", "'it''s'", "\"a\\n\"", "|-", ">", "[]", "[a, b]", "{}", "&x y", "*x", "- x", "-", "#", "'open",
        "@x",
    ],
    &[" \n", "\n \n", "#\n", "\r\n", "", "\t\n", "\n\n\n"],
];

/// Makes some lines, most of them plain and set in like those around them.
fn lines(dice: &mut Dice, count: usize) -> String {
    let mut text = String::new();
    let mut indent = 0;
    for _ in 0..count {
        text.push_str(&" ".repeat(indent));
        for place in 0..4 {
            let from = if dice.roll(40) == 0 { ODD[place] } else { PLAIN[place] };
            text.push_str(dice.pick(from));
        }
        let goes_deeper = text.ends_with(":\n") || text.ends_with("|\n");
        indent = match dice.roll(12) {
            0 => 2 * dice.roll(4),
            1..3 => indent.saturating_sub(2),
            _ if goes_deeper => indent + 2,
            _ => indent,
        };
    }
    text
}

/// Says whether a text is read without the parser, and checks that it is read the same.
fn is_plain(text: &str) -> bool {
    let source = source(text);
    let span = source.span(0, text.len());
    assert_eq!(node(&source, span), parsed(text, span), "{text:?}");
    plain::read(text, span).is_some()
}

#[test]
fn random_lines_are_read_as_the_parser_reads_them() {
    let mut dice = Dice(3);
    let mut plain = [0; 6];
    for round in 0..24_000 {
        let lines = round % plain.len();
        let text = self::lines(&mut dice, lines + 1);
        plain[lines] += usize::from(is_plain(&text));
    }
    // Texts that are all left to the parser would show nothing.
    assert!(plain.iter().all(|count| *count > 10), "{plain:?}");
}

#[test]
fn plain_lines_are_read_without_the_parser() {
    for text in [
        "name: a",
        "name: x\n\n# note: b\ndescription: Some words, (more) - and {holes}/path.md & [x]\n",
        "a: 'it is \"so\"'\nb: \"it's: # so\"\nc: ''\n",
        "a: true\nb: 12\nc: null\nd: 1.5e3\na: again\n",
        "on-x_1: yes\n_y: 0x1F\n",
        "# only one\nkey: value",
        "a: b # c\nd: 'e'  # f\ng: h:i#j\n",
        "a:\n  b:\n    c: 1\n    d: 2\n\n  # note\n  e: 3\nf: 4\n",
        "a:\n- b\n- c: 1\n  d:\n  - e\n  f: 2\ng:\n  -   h\n",
        "- a\n- b: c\n  d: e\n",
        "a: |\n  one\n    two\n\n  three\n\nb: |\n c\n",
        "a: []\nb:\n  c: [] # none\nd:\n- e: []\n  f: []\n",
        "icon: ☃\nname: \"é\"\n",
        "a:\nb: # nothing\nc:\n  d:\n",
        "a: 1\na: 2\nb:\n  c: 1\n  c: 2\n",
    ] {
        assert!(is_plain(text), "{text}");
    }
}

#[test]
fn other_lines_are_left_to_the_parser() {
    for text in [
        "",
        "# only a comment\n",
        "a: \n",
        "a: b: c",
        "a: - b",
        "a: [b]",
        "a: [ ]",
        "a: []b",
        "a: [] b",
        "a:\n- []\n",
        "[]",
        "a: &x b",
        "a: |-\n  b\n",
        "a: |\n  b",
        "a: |\n\n  b\n",
        "a: b\n  c",
        "a:\n    b: 1\n  c: 2\n",
        "- - a",
        "-",
        "a: 'it''s'",
        "a: \"b\\n\"",
        "a: b\t",
        "é: b",
        "a: b ",
        "---\na: b",
        "? a",
        "1: b\n...",
        "a: \"",
        "a: '",
        "a: b  c",
        "a: 1\n- b\n",
    ] {
        assert!(!is_plain(text), "{text}");
    }
}
