//! Lines that are passed over would have said nothing.

use super::super::marks::SEES_ALL;
use super::menus;
use crate::source::Dice;

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

/// Makes some lines.
fn lines(dice: &mut Dice, pieces: &[&str]) -> String {
    let mut text = String::new();
    for _ in 0..=dice.roll(9) {
        text.push_str(dice.pick(STARTS));
        for _ in 0..dice.roll(8) {
            text.push_str(dice.pick(pieces));
            text.push_str(if dice.roll(4) > 0 { " " } else { "" });
        }
        text.push('\n');
    }
    text
}

#[test]
fn lines_that_are_passed_over_would_have_said_nothing() {
    let pieces: Vec<&str> = PIECES.split('|').map(str::trim).collect();
    let mut dice = Dice(11);
    let (mut offered, mut answered) = (0, 0);
    for _ in 0..15_000 {
        let text = lines(&mut dice, &pieces);
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
