//! The text of a handler in, whether it shows the menu again out.

use super::MenuOption;
use super::page::Page;
use super::words::{has_any, has_word};
use crate::model::lift::is_of_another;
use crate::syntax::Phrases;
use std::cell::Cell;

/// Words that bring a menu back after its answer was dealt with; the first only brings somebody back.
static AGAIN: Phrases = Phrases::new(&[
    RETURN,
    "redisplay",
    "re-display",
    "re-present",
    "re-offer",
    "re-confirm",
    "reconfirm",
    "menu again",
    "options again",
    "options above",
    "return here",
    "loop back",
    "to this menu",
    "to the menu",
    "to menu",
    "show menu",
    "show the menu",
    "prompt above",
]);

/// How a row begins that only asks to choose among what stands above it.
static CHOOSE: Phrases = Phrases::new(&["please", "select", "choose", "pick", "your choice", "options"]);

/// Says whether a row offers nothing but what the lines above it do, each on its own, and all of that: `Please select:
/// [C]reate / [V]alidate`. A row that asks something itself is another question.
pub(super) fn names_all(page: Page<'_>, index: usize, options: &[MenuOption], above: &[MenuOption]) -> bool {
    let is_same =
        |(one, other): (&MenuOption, &MenuOption)| one.key == other.key && one.label.eq_ignore_ascii_case(&other.label);
    let is_parted = |pair: &[MenuOption]| {
        let text = page
            .source
            .text()
            .get(pair[0].span.end as usize..pair[1].span.start as usize);
        text.is_some_and(|between| between.contains('\n'))
    };
    let row = page.row(index).text;
    let lead = row.split('[').next().unwrap_or_default();
    let lead = lead.trim_matches(|at: char| at.is_whitespace() || matches!(at, '*' | '_' | '"' | '“'));
    let only_asks = lead.is_empty() || lead.ends_with(':') && CHOOSE.find_from(lead.as_bytes(), 0) == Some(0);
    let is_all = options.len() > 1 && options.len() == above.len() && options.iter().zip(above).all(is_same);
    is_all && only_asks && above.windows(2).all(is_parted)
}

/// Words that bring somebody back.
const RETURN: &str = "return to";
static RETURNS: Phrases = Phrases::new(&[RETURN]);

/// What a menu is called.
static MENU: Phrases = Phrases::new(&["menu"]);

/// Says whether the text shows the menu again.
pub(super) fn shows_again(text: &str) -> bool {
    let returns = Cell::new(false);
    let shows = AGAIN.any_in(text, |said| {
        let start = said.get(..RETURN.len());
        let only_returns = start.is_some_and(|start| start.eq_ignore_ascii_case(RETURN.as_bytes()));
        returns.set(returns.get() || only_returns);
        !only_returns
    });
    shows || (returns.get() && (returns_to_menu(text) || returns_to_choice(text)))
}

/// Says whether a text that returns somewhere speaks of a menu, and not only of the menu of somebody else: `Return to Mary's
/// main menu` leaves the workflow.
fn returns_to_menu(text: &str) -> bool {
    let is_anothers = |word: usize| {
        let before = text[..word].split_whitespace().rev();
        let mut before = before.filter(|word| !["main", "own"].iter().any(|small| word.eq_ignore_ascii_case(small)));
        before.next().is_some_and(is_of_another)
    };
    let mut from = 0;
    while let Some(at) = MENU.find_from(text.as_bytes(), from) {
        let word = text[from..at].rfind(char::is_whitespace).map_or(from, |gap| from + gap);
        if !is_anothers(word) {
            return true;
        }
        from = text[at..].find(char::is_whitespace).map_or(text.len(), |gap| at + gap);
    }
    false
}

/// Says whether a clause returns to a choice that no file is named for: `return to the selection`.
fn returns_to_choice(text: &str) -> bool {
    let names = |clause: &str| {
        ["selection", "choice", "decision", "options"]
            .iter()
            .any(|word| has_word(clause, word))
    };
    let mut from = 0;
    while let Some(at) = RETURNS.find_from(text.as_bytes(), from) {
        from = at + 1;
        if text.as_bytes().get(at + RETURN.len()) != Some(&b' ') {
            continue;
        }
        let clause = &text[at..];
        let clause = &clause[..clause.find(['\n', ';', ',']).unwrap_or(clause.len())];
        if !names(clause) {
            // What begins later in the same clause names none either.
            from = at + clause.len();
        } else if !clause.contains(['{', '`']) && !has_any(clause, &[".md", ".xml", "step-"]) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::shows_again;

    #[test]
    fn a_return_to_the_menu_of_another_shows_none() {
        for (text, shows) in [
            ("Return to Mary's main menu", false),
            ("Return to the agent's own main submenu-menu", false),
            ("Return to the menu", true),
            ("Return to menu", true),
            ("menu, then return to it", true),
            ("Return to Mary's menu, then to this\u{a0}menu", true),
            ("Return to Mary's menu and Tom's menu", false),
            ("Return to the selection", true),
            ("Return to the selection in `x.md`", false),
            ("Return to work", false),
            ("Return to work and redisplay it", true),
            ("return t", false),
            ("Return to é, loop back", true),
            ("Return to work or return to x.md and return to the choice", true),
            ("Return to work, return to the choice", true),
            ("Return to the choice in x.md and return to work", false),
        ] {
            assert_eq!(shows_again(text), shows, "{text}");
        }
    }
}
