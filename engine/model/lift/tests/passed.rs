//! Lines that are passed over would have said nothing.

use super::super::quiet::READS_ALL;
use super::read;

/// What random texts are made of: words that control flow hangs on, what they need around them, and marks.
const PIECES: &[&str] = &[
    "go",
    "to",
    "the",
    "step",
    "step-02",
    "3",
    "halt",
    "HALT",
    "Stop",
    "exit",
    "end",
    "return",
    "proceed",
    "continue",
    "jump",
    "set",
    "x",
    "=",
    "{x}",
    "{{y}}",
    "store",
    "save",
    "as",
    "read",
    "fully",
    "and",
    "follow",
    "following",
    "`steps/a.md`",
    "./b.xml",
    "c.yaml",
    "load",
    "execute",
    "run",
    "invoke",
    "skill",
    "ask",
    "wait",
    "if",
    "If",
    "when",
    "empty",
    "it",
    "is",
    "not",
    "do",
    "never",
    "A",
    "word",
    "don't",
    "\"",
    "'",
    "“",
    "”",
    "`",
    "[",
    "]",
    "{",
    "}",
    "<b>",
    "<",
    ",",
    ".",
    "?",
    "!",
    "??",
    ":",
    ";",
    "—",
    "…",
    "，",
    "。",
    "？",
    "**",
    "*",
    "-",
    "\n",
    "\n",
    "\n\n",
    "\n- ",
    "\n1. ",
    "\n> ",
    "\n## ",
    "\n```\n",
    "  ",
    "\t",
    "é",
    "read_only",
    "end-to-end",
    "goto",
    "main",
    "beginning",
    "of",
];

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % sides
    }
}

fn text(dice: &mut Dice) -> String {
    let mut text = String::new();
    for _ in 0..=dice.roll(24) {
        text.push_str(PIECES[dice.roll(PIECES.len())]);
        if dice.roll(5) > 0 {
            text.push(' ');
        }
    }
    text
}

#[test]
fn lines_that_are_passed_over_would_have_said_nothing() {
    let mut dice = Dice(7);
    let mut said = 0;
    for _ in 0..40_000 {
        let text = text(&mut dice);
        let found = read(&text);
        READS_ALL.set(true);
        let all = read(&text);
        READS_ALL.set(false);
        assert_eq!(found, all, "{text:?}");
        said += all.len();
    }
    // Texts that say nothing would show nothing.
    assert!(said > 1000, "{said}");
}
