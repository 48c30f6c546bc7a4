//! Near misses: "did you mean".

use crate::source::QuickSet;
use std::iter::zip;

/// The most edits between a name and its misspelling, and so the most bytes that one is longer by.
const MOST_EDITS: usize = 2;
/// From how many letters on a name may be that many edits away; shorter ones are one away.
const LONG: usize = 15;

/// Returns the candidate that `name` is most probably a misspelling of.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    misses(name, candidates)
        .min_by_key(|(distance, candidate)| (*distance, candidate.len()))
        .map(|(_, candidate)| candidate)
}

/// Says whether two words are the same but that one of them stands for many: `brief` and `briefs`.
pub(crate) fn differ_in_number(one: &str, other: &str) -> bool {
    let is_many = |one: &str, many: &str| many.strip_suffix('s') == Some(one) && !one.ends_with('s');
    is_many(one, other) || is_many(other, one)
}

/// Says whether a name is most likely another one misspelt: they differ in one long word, or in what joins their words.
/// Short words and numbers tell things of one kind apart, and so does whether it is one or many, unless the name says much
/// more.
pub(crate) fn is_misspelt(name: &str, other: &str) -> bool {
    const LONG: usize = 5;
    const WORDS: usize = 4;
    let is_mark = |at: char| !at.is_alphanumeric();
    let (words, others): (Vec<&str>, Vec<&str>) = (name.split(is_mark).collect(), other.split(is_mark).collect());
    if words.concat() == others.concat() {
        return true;
    }
    let mut differing = words.iter().zip(&others).filter(|(one, two)| one != two);
    let (Some((one, two)), None) = (differing.next(), differing.next()) else {
        return false;
    };
    let is_counted = |word: &str| word.contains(|at: char| at.is_ascii_digit());
    let is_sure = match differ_in_number(one, two) {
        true => words.len() >= WORDS,
        false if are_related(one, two) => false,
        false => one.len().min(two.len()) >= LONG || lacks_letter(one, two, LONG) || lacks_letter(two, one, LONG),
    };
    words.len() == others.len() && is_sure && !is_counted(one) && !is_counted(two)
}

/// Says whether a name is at most one edit away from another one.
pub(crate) fn is_slip(name: &str, other: &str) -> bool {
    edits(&fold(name), &fold(other)) <= 1
}

/// Says whether two words are opposites, or forms of one word, and so two names: `include` and `exclude`, `approved` and
/// `approves`.
fn are_related(one: &str, two: &str) -> bool {
    const STARTS: &[&str] = &["", "in", "ex", "im", "en", "un", "re", "pre", "de", "dis", "non"];
    const ENDS: &[&str] = &["", "s", "es", "d", "ed", "r", "er", "or", "y", "ly"];
    const STEM: usize = 4;
    let is_stem = |rest: &&str| rest.len() >= STEM;
    STARTS.iter().any(|start| {
        let rest = one.strip_prefix(start).filter(is_stem);
        rest.is_some_and(|rest| STARTS.iter().any(|other| two.strip_prefix(other) == Some(rest)))
    }) || ENDS.iter().any(|end| {
        let rest = one.strip_suffix(end).filter(is_stem);
        rest.is_some_and(|rest| ENDS.iter().any(|other| two.strip_suffix(other) == Some(rest)))
    })
}

/// Says whether a word lacks a letter amid another one of so many: one more at its end makes another word of it.
fn lacks_letter(word: &str, other: &str, letters: usize) -> bool {
    other.len() == letters && word.len() + 1 == letters && !other.starts_with(word)
}

/// Returns the candidate that `name` is most probably a misspelling of: the first in the alphabet where two are as near.
pub(crate) fn first_nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    misses(name, candidates)
        .min_by_key(|(distance, candidate)| (*distance, candidate.len(), *candidate))
        .map(|(_, candidate)| candidate)
}

/// Finds the candidates that `name` may be a misspelling of, each with the edits between them.
fn misses<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> impl Iterator<Item = (usize, &'a str)> {
    let folded = fold(name);
    let own = letters(&folded);
    let (ends, length) = (ends(folded.as_bytes()), folded.len());
    let mut seen: QuickSet<&str> = QuickSet::default();
    candidates
        .filter(move |candidate| candidate.len().abs_diff(name.len()) <= MOST_EDITS)
        .filter(move |candidate| length.max(candidate.len()) >= LONG || !differ_at_ends(ends, candidate))
        .filter(move |candidate| !differ_folded(own, candidate) && *candidate != name)
        // The same name may be given many times; few get here.
        .filter(move |candidate| seen.insert(*candidate))
        .filter_map(move |candidate| {
            let other = fold(candidate);
            let longest = folded.chars().count().max(other.chars().count());
            let allowed = match longest {
                0..4 => return None,
                4..LONG => 1,
                _ => MOST_EDITS,
            };
            if folded.len().abs_diff(other.len()) > allowed || differ(own, letters(&other), allowed) {
                return None;
            }
            let distance = edits(&folded, &other);
            (distance <= allowed).then_some((distance, candidate))
        })
}

/// Returns how many edits two names are apart. What both begin and end with takes none, and is most of them.
fn edits(one: &str, other: &str) -> usize {
    let start = zip(one.chars(), other.chars()).take_while(|(one, other)| one == other);
    let start: usize = start.map(|(letter, _)| letter.len_utf8()).sum();
    let (one, other) = (&one[start..], &other[start..]);
    let end = zip(one.chars().rev(), other.chars().rev()).take_while(|(one, other)| one == other);
    let end: usize = end.map(|(letter, _)| letter.len_utf8()).sum();
    strsim::osa_distance(&one[..one.len() - end], &other[..other.len() - end])
}

/// Says whether a name of nothing but ASCII has too many letters of its own when it is folded, without folding it.
fn differ_folded(own: u64, name: &str) -> bool {
    name.is_ascii() && differ(own, folded_letters(name), MOST_EDITS)
}

/// Says whether a name of nothing but ASCII begins and ends in other letters when it is folded: one edit cannot change
/// both ends of a name that is long enough to have a near miss.
fn differ_at_ends(own: (u8, u8), name: &str) -> bool {
    let (first, last) = ends(name.as_bytes());
    own.0 != folded_letter(first) && own.1 != folded_letter(last) && name.is_ascii()
}

/// Returns the first and the last byte of a name.
fn ends(name: &[u8]) -> (u8, u8) {
    let end = |byte: Option<&u8>| byte.copied().unwrap_or(0);
    (end(name.first()), end(name.last()))
}

#[inline]
const fn folded_letter(letter: u8) -> u8 {
    match letter {
        b'-' | b' ' => b'_',
        other => other.to_ascii_lowercase(),
    }
}

/// Returns a name as it is compared: names that differ in case or in what joins their words are one.
pub(crate) fn fold(name: &str) -> String {
    if !name.is_ascii() {
        return name.to_lowercase().replace(['-', ' '], "_");
    }
    let folded: Vec<u8> = name.bytes().map(folded_letter).collect();
    String::from_utf8(folded).unwrap_or_default()
}

/// Returns the set of letters that a name of nothing but ASCII has when it is folded, without folding it.
fn folded_letters(name: &str) -> u64 {
    name.bytes().fold(0, |set, byte| set | BITS[usize::from(byte)])
}

/// The bit of each letter in a set of letters, once it is folded.
static BITS: [u64; 256] = {
    let mut bits = [0; 256];
    let mut at = 0;
    while at < bits.len() {
        bits[at] = 1 << (folded_letter(at as u8) % 64);
        at += 1;
    }
    bits
};

/// Returns the set of letters of a name, some of them under one bit.
fn letters(name: &str) -> u64 {
    name.chars().fold(0, |set, letter| set | 1 << (letter as u32 % 64))
}

/// Says whether more letters stand in only one of two names than `allowed` edits can bring in: an edit brings in one.
fn differ(one: u64, other: u64, allowed: usize) -> bool {
    // One letter after the other is taken away, as few are allowed.
    let only = |set: u64| (0..allowed).fold(set, |set, _| set & set.wrapping_sub(1)) != 0;
    only(one & !other) || only(other & !one)
}

#[cfg(test)]
mod tests {
    use super::{differ, differ_at_ends, edits, ends, fold, folded_letters, is_misspelt, letters, nearest};
    use crate::source::Dice;

    #[test]
    fn names_that_differ_in_letters_are_no_nearer_than_their_distance() {
        let names = [
            "",
            "a",
            "epic_num",
            "epic-num",
            "num_epics",
            "étape",
            "etape",
            "story_key",
            "yrots_kye",
            "key",
        ];
        for one in names {
            for other in names {
                let distance = strsim::osa_distance(one, other);
                assert!(!differ(letters(one), letters(other), distance), "{one} {other}");
            }
            if one.is_ascii() {
                assert_eq!(folded_letters(one), letters(&fold(one)), "{one}");
            }
        }
    }

    #[test]
    fn what_two_names_begin_and_end_with_takes_no_edit() {
        let mut dice = Dice(3);
        let mut name = || -> String { (0..dice.roll(9)).map(|_| dice.pick(&["a", "b", "é"])).collect() };
        for _ in 0..4_000 {
            let (one, other) = (name(), name());
            assert_eq!(edits(&one, &other), strsim::osa_distance(&one, &other), "{one} {other}");
        }
    }

    #[test]
    fn a_name_is_folded_letter_by_letter_as_it_is_as_a_whole() {
        for name in ["", "Epic-Num ber", "step_2", "ÉTAPE-1 a", "İ-x"] {
            assert_eq!(fold(name), name.to_lowercase().replace(['-', ' '], "_"), "{name}");
        }
    }

    #[test]
    fn a_name_one_edit_away_keeps_an_end() {
        for other in ["Xpic", "pic", "Yepic", "peic", "epi", "epicX", "epci", "ep-c", "EPIC"] {
            assert!(!differ_at_ends(ends(b"epic"), other), "{other}");
        }
        assert!(differ_at_ends(ends(b"epic"), "story"));
        for other in ["a_b-", "A b "] {
            assert!(!differ_at_ends(ends(fold("x-b-").as_bytes()), other), "{other}");
        }
    }

    #[test]
    fn a_misspelt_name_finds_its_neighbour() {
        let known = ["project_knowledge", "planning_artifacts", "user_name"];
        assert_eq!(
            nearest("product_knowledge", known.into_iter()),
            Some("project_knowledge")
        );
        assert_eq!(nearest("user-name", known.into_iter()), Some("user_name"));
    }

    #[test]
    fn a_different_name_finds_none() {
        let known = ["epic_num", "story_key"];
        assert_eq!(nearest("count", known.into_iter()), None);
        assert_eq!(nearest("epic", known.into_iter()), None);
    }
    #[test]
    fn a_misspelt_name_differs_in_one_long_word_or_in_its_joints() {
        for (name, meant) in [
            ("step-writting", "step-writing"),
            ("step_writing", "step-writing"),
            ("stepwriting", "step-writing"),
            ("agent-rain", "agent-brain"),
            ("how-to-write-test", "how-to-write-tests"),
        ] {
            assert!(is_misspelt(name, meant), "{name}");
        }
        for (name, other) in [
            ("agent-sm", "agent-pm"),
            ("agent-brai", "agent-braid"),
            ("review-v2", "review-v1"),
            ("chapter-step10", "chapter-step11"),
            ("requirement", "requirements"),
            ("write-test", "write-tests"),
            ("a-writting", "a-b-writing"),
            ("writting-books", "writing-brooks"),
            ("internal_review", "external_review"),
            ("is_review_incomplete", "is_review_complete"),
            ("include_unit_tests", "exclude_unit_tests"),
            ("preview-plans", "review-plans"),
            ("user_approves", "user_approved"),
            ("data-modeler", "data-model"),
        ] {
            assert!(!is_misspelt(name, other), "{name}");
        }
    }
}
