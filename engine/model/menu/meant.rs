//! An option and an answer in, whether the answer means the option out.

use super::MenuOption;

impl MenuOption {
    /// Says whether an answer means this option: by key, by label, or by words of the label.
    pub fn is_meant_by(&self, answer: &str) -> bool {
        let answer = match answer.as_bytes() {
            // Most have no white space around them.
            [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => answer,
            [only] if only.is_ascii_graphic() => answer,
            _ => answer.trim(),
        };
        if self.key.eq_ignore_ascii_case(answer) {
            return true;
        }
        if !may_say_same(self.label.as_bytes(), answer.as_bytes()) {
            return false;
        }
        let first = self.label.split(|at: char| !at.is_alphanumeric()).next().unwrap_or("");
        // An article is no key: `A drink`.
        let is_word = first.len() > 1 || first.len() == self.label.trim().len();
        !first.is_empty() && (is_word && first.eq_ignore_ascii_case(answer) || says_same(&self.label, answer))
    }

    /// Says whether an answer is the key or the whole label.
    pub(super) fn is_called(&self, answer: &str) -> bool {
        let answer = answer.trim();
        self.key.eq_ignore_ascii_case(answer) || self.label.eq_ignore_ascii_case(answer)
    }
}

/// Says whether one text may be the other, or start or end with it: their first or their last letters are the same.
fn may_say_same(one: &[u8], other: &[u8]) -> bool {
    let is_same = |one: Option<&u8>, other: Option<&u8>| match (one, other) {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
        (_, _) => false,
    };
    is_same(one.first(), other.first()) || is_same(one.last(), other.last())
}

/// Says whether one text is the other, or starts or ends with it.
fn says_same(label: &str, answer: &str) -> bool {
    let (long, short) = if label.len() < answer.len() {
        (answer, label)
    } else {
        (label, answer)
    };
    if short.len() < 4 {
        return label.eq_ignore_ascii_case(answer);
    }
    let (long, short) = (long.as_bytes(), short.as_bytes());
    let starts = long
        .get(..short.len())
        .is_some_and(|part| part.eq_ignore_ascii_case(short));
    let ends = long
        .get(long.len() - short.len()..)
        .is_some_and(|part| part.eq_ignore_ascii_case(short));
    let free = |at: Option<&u8>| at.is_none_or(|at| !at.is_ascii_alphanumeric());
    (starts && free(long.get(short.len())))
        || (ends && free((long.len() - short.len()).checked_sub(1).and_then(|at| long.get(at))))
}

#[cfg(test)]
mod tests {
    use super::{may_say_same, says_same};
    use crate::source::Dice;

    #[test]
    fn what_begins_and_ends_otherwise_says_something_else() {
        let pieces = ["approve", "Approve", "all", "it", "É", "é", " ", "-", "A", "a"];
        let (mut dice, mut same) = (Dice(3), 0);
        for _ in 0..20_000 {
            let mut text = || -> String { (0..=dice.roll(3)).map(|_| dice.pick(&pieces)).collect() };
            let (one, other) = (text(), text());
            let says = says_same(&one, &other);
            assert!(may_say_same(one.as_bytes(), other.as_bytes()) || !says, "{one} {other}");
            same += usize::from(says);
        }
        assert!(same > 200, "{same}");
    }
}
