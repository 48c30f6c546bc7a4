//! A menu in a numbered item in, the case out in which an item before it leads past its own: `If one is known, proceed to
//! instruction 3`.

use super::{FAR, indent, item};

/// Verbs of an order to leave items out.
const LEAVING: &[&str] = &["proceed", "skip", "go", "continue", "jump", "move"];

/// Words that may stand behind such a verb.
const FILLERS: &[&str] = &["directly", "straight", "ahead", "on"];

/// What the items of a list are called.
const NAMES: &[&str] = &["instruction", "item", "point"];

/// Words of an order that is none.
const DENYING: &[&str] = &["not", "never", "don't"];

/// Returns the words of the case in which the item around a menu is left out. What an item of another mark says is for its
/// own case, and says nothing of the others.
pub(super) fn past(text: &str, menu: usize) -> Option<&str> {
    let mut lines = text[..menu].split('\n').rev();
    let own = lines.next()?;
    let depth = indent(text[menu - own.len()..].lines().next()?);
    let parent = |line: &&str| !line.trim().is_empty() && indent(line) < depth;
    let (at, number) = match number(own) {
        Some(number) => (indent(own), number),
        // Nothing is around what stands at the margin.
        None if depth == 0 => return None,
        None => {
            let line = lines.by_ref().take(FAR).find(parent)?;
            (indent(line), number(line)?)
        }
    };
    let is_beside = |line: &&str| {
        let is_part = indent(line) > at || indent(line) == at && self::number(line).is_some();
        line.trim().is_empty() || is_part
    };
    let mut above = lines.take(FAR).take_while(is_beside);
    above.find_map(|line| {
        let is_case = item(line).is_some() && self::number(line).is_none();
        let said = item(line).unwrap_or_else(|| line.trim());
        let mut sentences = said.split(". ").filter(|_| !is_case);
        sentences.find_map(|sentence| case(sentence, number + 1))
    })
}

/// Returns the number of an item.
fn number(line: &str) -> Option<u32> {
    let bare = line.trim_start();
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    item(line).and(bare[..digits].parse().ok())
}

/// Returns the case in which a sentence leads to an item: `If it is known, skip the rest and proceed to item 3 (the end)`.
/// The order stands right behind the comma, and nothing says where else the item may be: `point 3 of the glossary`.
fn case(sentence: &str, to: u32) -> Option<&str> {
    let (condition, order) = sentence.split_once(", ")?;
    let words: Vec<&str> = order.split_whitespace().collect();
    let is = |at: usize, list: &[&str]| {
        let word = words.get(at);
        word.is_some_and(|word| list.iter().any(|one| word.eq_ignore_ascii_case(one)))
    };
    let is_denied = (0..words.len()).any(|at| is(at, DENYING));
    // `skip the rest and …`, `skip the remaining items and …`
    let skips = is(0, &["skip"]) && is(1, &["the"]);
    let and = (3..5).find(|at| skips && is(*at, &["and"]));
    let verb = and.map_or(0, |and| and + 1);
    let next = verb + 1 + usize::from(is(verb + 1, FILLERS));
    let leads = is(verb, LEAVING) && is(next, &["to"]) && is(next + 1, NAMES);
    let is_number = || {
        let behind = words.get(next + 2)?.strip_prefix(&to.to_string())?;
        let marked = behind.chars().next().or_else(|| words.get(next + 3)?.chars().next());
        Some(marked.is_none_or(|mark| !mark.is_alphanumeric()))
    };
    let (opener, condition) = condition.split_once(' ')?;
    let opens = ["if", "when"].iter().any(|one| opener.eq_ignore_ascii_case(one));
    (opens && leads && !is_denied && is_number()?).then_some(condition)
}

#[cfg(test)]
mod tests {
    use super::past;

    /// Finds the case of a menu that begins with `[`.
    fn of(text: &str) -> Option<&str> {
        past(text, text.find('[').unwrap_or(0))
    }

    #[test]
    fn an_item_before_leads_past_that_of_a_menu() {
        for (text, words) in [
            (
                "1. Look:\n\n   **A.** Look here.\n\n   Never guess. If one is known, skip the rest and proceed to instruction 3 (the end).\n\n2. Ask which:\n   - [A] Take it\n\n3. End.\n",
                "one is known",
            ),
            (
                "1. If one is known, skip the remaining tiers and proceed to item 3 (the end).\n2. Which? [A] Take it\n",
                "one is known",
            ),
            (
                "1. If one is known, skip to item 3.\n2. Which? [A] Take it\n",
                "one is known",
            ),
            (
                "4. When it is clear, go straight to point 6.\n5. Ask:\n   [A] Take it\n",
                "it is clear",
            ),
        ] {
            assert_eq!(of(text), Some(words), "{text}");
        }
    }

    #[test]
    fn what_leads_elsewhere_or_in_another_case_leaves_a_menu_alone() {
        for text in [
            "1. If one is known, proceed to instruction 2.\n2. Ask:\n   - [A] Take it\n",
            "1. If one is known, proceed to instruction 4.\n2. Ask:\n   - [A] Take it\n3. More.\n",
            "1. If one is known, proceed to instruction 31.\n2. Ask:\n   - [A] Take it\n",
            "1. Proceed to instruction 3.\n2. Ask:\n   - [A] Take it\n",
            "1. Look:\n   - If one is known, proceed to instruction 3.\n2. Ask:\n   - [A] Take it\n",
            "1. If one is known, proceed to instruction 3.\n\n## More\n\n2. Ask:\n   - [A] Take it\n",
            "1. If one is known, say so. Read on to instruction 3.\n2. Ask:\n   - [A] Take it\n",
            "If one is known, proceed to instruction 3.\n\n2. Ask:\n   - [A] Take it\n",
            "1. If one is known, proceed to instruction 3.\n2. Look:\n   - Ask:\n     - [A] Take it\n",
            "1. When you have read it, do not go to item 3 yet.\n2. Ask:\n   - [A] Take it\n",
            "1. If one is known, go to item 3, but never twice.\n2. Ask:\n   - [A] Take it\n",
            "1. If a term is unclear, go to point 3 of the glossary.\n2. Ask:\n   - [A] Take it\n",
            "1. If one is known, say so and go to point 3.\n2. Ask:\n   - [A] Take it\n",
            "[A] Take it\n",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
