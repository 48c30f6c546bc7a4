//! A word in, the words out that it may stand for.

/// How many words a word may stand for.
const MOST: usize = 200;

/// Returns the words that a word with `{a,b}` in it stands for, and the word itself.
pub(super) fn spread(word: &str) -> Vec<String> {
    let mut all = vec![word.to_owned()];
    let mut at = 0;
    while let Some(next) = all.get(at) {
        let made = one_spread(next).unwrap_or_default();
        for one in made.into_iter().take(MOST.saturating_sub(all.len())) {
            if !all.contains(&one) {
                all.push(one);
            }
        }
        at += 1;
    }
    all
}

/// Returns what a word stands for by the first of its braces that stands for something.
fn one_spread(word: &str) -> Option<Vec<String>> {
    let opened = word.match_indices('{').filter(|(at, _)| !word[..*at].ends_with('$'));
    let (before, choices, after) = opened.take(MOST).find_map(|(at, _)| {
        let (choices, after) = choices(&word[at + 1..])?;
        Some((&word[..at], choices, after))
    })?;
    let made = choices.into_iter().map(|choice| format!("{before}{choice}{after}"));
    Some(made.collect())
}

/// Returns the choices that a brace begins, and what stands behind it. What it counts may be anything.
fn choices(opened: &str) -> Option<(Vec<&str>, &str)> {
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    for (at, each) in opened.char_indices() {
        match each {
            '{' => depth += 1,
            ',' if depth == 0 => {
                found.push(&opened[start..at]);
                start = at + 1;
            }
            '}' if depth == 0 => {
                let last = &opened[start..at];
                let is_counted = found.is_empty() && last.contains("..");
                found.push(if is_counted { "*" } else { last });
                let is_choice = is_counted || found.len() > 1;
                return is_choice.then_some((found, &opened[at + 1..]));
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns a pattern with `*` for every set of characters in brackets, which may be a name as well.
pub(super) fn without_sets(pattern: &str) -> String {
    let mut parts = pattern.split('[');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| {
        all + "*" + part.split_once(']').map_or("", |(_, rest)| rest)
    })
}

#[cfg(test)]
mod tests {
    use super::{MOST, spread};

    #[test]
    fn each_choice_in_braces_makes_a_word() {
        assert_eq!(spread("{x,y}.sh"), ["{x,y}.sh", "x.sh", "y.sh"]);
        assert_eq!(spread("a{b,{c,d}}"), ["a{b,{c,d}}", "ab", "a{c,d}", "ac", "ad"]);
        assert_eq!(spread("x{1..3}"), ["x{1..3}", "x*"]);
        for word in ["x", "{}", "{x}", "${x:-a,b}", "{a,b", "a,b}"] {
            assert_eq!(spread(word), [word]);
        }
    }

    #[test]
    fn words_do_not_grow_without_end() {
        assert_eq!(spread(&"{a,b}".repeat(40)).len(), MOST);
        assert_eq!(spread(&"{".repeat(100_000)).len(), 1);
    }
}
