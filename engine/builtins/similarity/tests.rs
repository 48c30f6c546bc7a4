//! The quick way against the plain one, on texts that are made up.

use super::{alike, alike_from};

/// A row of numbers that looks like chance and is the same every time.
struct Chance(u64);

impl Chance {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % below
    }

    fn text(&mut self, length: usize, letters: &[char]) -> Vec<char> {
        (0..length).map(|_| letters[self.next(letters.len())]).collect()
    }

    /// Changes so many characters of a text: one is replaced, taken out or put in.
    fn edit(&mut self, text: &[char], edits: usize, letters: &[char]) -> Vec<char> {
        let mut text = text.to_vec();
        for _ in 0..edits {
            let at = self.next(text.len() + 1);
            let letter = letters[self.next(letters.len())];
            match self.next(3) {
                0 if at < text.len() => text[at] = letter,
                1 if at < text.len() => drop(text.remove(at)),
                _ => text.insert(at, letter),
            }
        }
        text
    }
}

/// The longest common subsequence by the table that everybody knows.
fn plain_common(left: &[char], right: &[char]) -> usize {
    let mut row = vec![0; right.len() + 1];
    for one in left {
        let mut corner = 0;
        for (at, other) in right.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if one == other { corner + 1 } else { above.max(row[at]) };
            corner = above;
        }
    }
    row[right.len()]
}

fn plain(left: &[char], right: &[char]) -> f64 {
    match left.len() + right.len() {
        0 => 100.0,
        both => 200.0 * plain_common(left, right) as f64 / both as f64,
    }
}

fn check(left: &[char], right: &[char]) {
    let wanted = plain(left, right);
    let (left, right): (String, String) = (left.iter().collect(), right.iter().collect());
    let say = || format!("{left:?} and {right:?}");
    assert!((alike(&left, &right) - wanted).abs() < 1e-9, "{}", say());
    assert!((alike(&right, &left) - wanted).abs() < 1e-9, "{}", say());
    for least in [10.0, 50.0, 80.0, 90.0, 99.0, 100.0, wanted] {
        let found = alike_from(&left, &right, least);
        assert_eq!(found, (wanted >= least).then_some(wanted), "from {least}: {}", say());
    }
}

#[test]
fn the_same_text_is_wholly_alike_and_two_empty_ones_too() {
    assert_eq!(alike("same", "same"), 100.0);
    assert_eq!(alike("", ""), 100.0);
    assert_eq!(alike("", "a"), 0.0);
    assert_eq!(alike("abc", "xyz"), 0.0);
}

#[test]
fn one_word_of_a_sentence_changed_leaves_it_more_than_nine_tenths_alike() {
    let fox = "The quick brown fox jumps over the lazy dog";
    let found = alike_from(fox, "The quick brown fox jumps over the lazy cat", 90.0);
    assert_eq!(found, Some(200.0 * 40.0 / 86.0));
}

#[test]
fn a_text_that_is_exactly_alike_enough_counts() {
    assert_eq!(alike_from("abcdefghij", "abcdefghix", 90.0), Some(90.0));
    assert_eq!(alike_from("abcdefghij", "abcdefghix", 90.000_001), None);
    assert_eq!(alike_from("a", "a", 100.5), None);
    assert_eq!(alike_from("", "", 100.0), Some(100.0));
}

#[test]
fn characters_count_and_not_bytes() {
    assert_eq!(alike("äöüß", "äöüx"), 75.0);
    assert_eq!(alike("日本語", "日本"), 80.0);
    assert_eq!(alike("🦀🦀", "🦀"), 200.0 / 3.0);
}

#[test]
fn short_texts_are_as_alike_as_the_plain_table_says() {
    let mut chance = Chance(7);
    let letters: Vec<char> = "abcdä日".chars().collect();
    for _ in 0..400 {
        let kinds = 1 + chance.next(letters.len());
        let lengths = (chance.next(40), chance.next(40));
        let left = chance.text(lengths.0, &letters[..kinds]);
        let right = chance.text(lengths.1, &letters[..kinds]);
        check(&left, &right);
    }
}

#[test]
fn texts_at_the_edges_of_words_and_blocks_are_as_alike_as_the_plain_table_says() {
    let mut chance = Chance(11);
    for length in [1, 63, 64, 65, 192, 255, 256, 257, 511, 512, 513] {
        for edits in [0, 1, 2, 5, 20, 80] {
            let letters: Vec<char> = ('a'..='z').collect();
            let left = chance.text(length, &letters);
            let right = chance.edit(&left, edits, &letters);
            check(&left, &right);
        }
    }
}

#[test]
fn long_texts_are_as_alike_as_the_plain_table_says() {
    let mut chance = Chance(13);
    let few: Vec<char> = "ab".chars().collect();
    let some: Vec<char> = "etaoin shrdlu".chars().collect();
    let many: Vec<char> = ('\u{4e00}'..'\u{5200}').collect();
    for letters in [few, some, many] {
        for edits in [3, 40, 150, 400, 2000] {
            let left = chance.text(1500, &letters);
            let right = chance.edit(&left, edits, &letters);
            check(&left, &right);
        }
        let apart = (chance.text(1300, &letters), chance.text(1600, &letters));
        check(&apart.0, &apart.1);
    }
}

#[test]
fn a_part_that_moved_is_as_alike_as_the_plain_table_says() {
    let mut chance = Chance(17);
    let letters: Vec<char> = ('a'..='p').collect();
    let text = chance.text(1200, &letters);
    for cut in [1, 100, 600, 1100] {
        let moved: Vec<char> = text[cut..].iter().chain(&text[..cut]).copied().collect();
        check(&text, &moved);
        check(&text, &text[cut..]);
        check(&text, &text[..cut]);
    }
}
