//! Lines that are passed over would have said nothing.

use super::super::page::SEES_ALL;
use super::menus;

/// What random lines are made of: marks, keys, words that speak of answers and others.
const PIECES: &str = "[A] | [C]reate | [x] | [ ] | [Back] | (y/n) | [Y/N] | (yes/no) | 'C' | 'y' | don't | ? | . | : | , | ** | \
    **Edit** | **A**: | `x` | from `m.md` | display the menu | present options | select | choose | IF A: | If 'C' (Continue): | \
    IF Any other: | If the user selects | after user chooses B, | A: | B, | yes: | If yes: | If no, | Otherwise: | Continue | \
    approve | The word | 1 | 2. | a) | Option 1: | would you like | these options: | what? | HALT | wait | redisplay menu | → | \
    - | é | ✅ | “q” | icy | ifs | <b> | {x} | Any other reply:";

/// What lines begin with.
const STARTS: &[&str] = &[
    "", "", "- ", "- ", "  - ", "* ", "1. ", "2. ", "a) ", "> ", "## ", "```", "``` \n", "\n", "**", "- **",
];

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % sides
    }

    fn text(&mut self, pieces: &[&str]) -> String {
        let mut text = String::new();
        for _ in 0..=self.roll(9) {
            text.push_str(STARTS[self.roll(STARTS.len())]);
            for _ in 0..self.roll(8) {
                text.push_str(pieces[self.roll(pieces.len())]);
                text.push_str(if self.roll(4) > 0 { " " } else { "" });
            }
            text.push('\n');
        }
        text
    }
}

#[test]
fn lines_that_are_passed_over_would_have_said_nothing() {
    let pieces: Vec<&str> = PIECES.split('|').map(str::trim).collect();
    let mut dice = Dice(11);
    let (mut offered, mut answered) = (0, 0);
    for _ in 0..15_000 {
        let text = dice.text(&pieces);
        let found = menus(&text);
        SEES_ALL.set(true);
        let all = menus(&text);
        SEES_ALL.set(false);
        assert_eq!(found, all, "{text:?}");
        offered += all.menus.len();
        answered += all.handlers.len();
    }
    // Texts without menus and answers would show nothing.
    assert!(offered > 200 && answered > 200, "{offered} {answered}");
}
