//! A text and the texts before it in, whether the run repeats itself out.

use super::similarity::alike_from;
use super::{Arguments, Builtin, BuiltinError, Value, optional, required};
use crate::source::sha256;

pub(super) const DETECT_LOOP: Builtin = Builtin {
    name: "detect-loop",
    parameters: &[
        required("text", "what was produced now"),
        optional(
            "history",
            "what this built-in answered last time, or only the list of its hashes",
        ),
        optional("similarity", "from how many percent two texts are the same; 90"),
        optional("window", "how many earlier texts are compared; 5"),
    ],
    returns: "a map: `looping`, `percent`, `entries`, `hashes`",
    summary: "says whether a text repeats an earlier one",
    page: include_str!("../../spec/builtins/detect-loop.md"),
    body: Some(detect_loop),
};

/// Digits of a hash that are kept.
const DIGITS: usize = 16;

/// How much of a text is kept and compared by similarity, in characters: whoever writes without end is found by the
/// beginning.
const COMPARED: usize = 500_000;

/// `2026-01-15T10:30:00`, with `0` for any digit.
const TIME: &[u8] = b"0000-00-00T00:00:00";

/// `550e8400-e29b-41d4-a716-446655440000`, with `f` for any small digit of sixteen.
const UUID: &[u8] = b"ffffffff-ffff-ffff-ffff-ffffffffffff";

/// The texts before this one, without what differs each time.
struct History {
    entries: Vec<String>,
    hashes: Vec<String>,
}

impl History {
    /// Reads what was handed in: both lists, or the hashes alone, as a state file keeps them.
    fn read(value: &Value, window: usize) -> Self {
        let texts = |list: Option<&Value>| {
            let items = list.map(Value::items).unwrap_or_default();
            let kept = &items[items.len().saturating_sub(window)..];
            kept.iter().map(Value::to_string).collect()
        };
        match value {
            Value::List(_) => Self {
                entries: Vec::new(),
                hashes: texts(Some(value)),
            },
            Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_) => Self {
                entries: texts(value.get("entries")),
                hashes: texts(value.get("hashes")),
            },
        }
    }

    /// Returns how alike the most similar text is; nothing where none is alike enough.
    fn nearest(&self, text: &str, hash: &str, least: f64) -> Option<f64> {
        if self.hashes.iter().any(|known| known == hash) {
            return Some(100.0);
        }
        let mut best = None;
        for entry in self.entries.iter().filter(|entry| !entry.is_empty()) {
            best = alike_from(text, entry, best.unwrap_or(least)).or(best);
        }
        best
    }

    fn add(&mut self, text: String, hash: String, window: usize) {
        self.entries.push(text);
        self.hashes.push(hash);
        for list in [&mut self.entries, &mut self.hashes] {
            let over = list.len().saturating_sub(window);
            list.drain(..over);
        }
    }
}

fn detect_loop(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let least = arguments.number_or("similarity", 90.0)?;
    if !(0.0..=100.0).contains(&least) {
        return Err(arguments.bad("similarity", "a number from 0 to 100"));
    }
    let window = arguments.size_or("window", 5)?;
    let mut history = History::read(arguments.get("history"), window);
    let mut text = normalized(&arguments.get("text").to_string());
    let mut nearest = None;
    if !text.is_empty() {
        let hash = short_hash(&text);
        if let Some((end, _)) = text.char_indices().nth(COMPARED) {
            text.truncate(end);
        }
        nearest = history.nearest(&text, &hash, least);
        if nearest.is_none() {
            history.add(text, hash, window);
        }
    }
    let list = |texts: Vec<String>| Value::List(texts.into_iter().map(Value::Text).collect());
    Ok(Value::of([
        ("looping", Value::Bool(nearest.is_some())),
        ("percent", Value::Number(tenths(nearest.unwrap_or_default()))),
        ("entries", list(history.entries)),
        ("hashes", list(history.hashes)),
    ]))
}

/// Cuts a number after its first decimal, so that it never says more than is so.
fn tenths(percent: f64) -> f64 {
    (percent * 10.0).floor() / 10.0
}

fn short_hash(text: &str) -> String {
    let mut hash = sha256(text.as_bytes());
    hash.truncate(DIGITS);
    hash
}

/// Takes out what differs each time: times, identifiers, and how much white space there is.
fn normalized(text: &str) -> String {
    let text = without(text, TIME);
    let text = without(&text, UUID);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Takes out every part that has the form of a pattern.
fn without(text: &str, pattern: &[u8]) -> String {
    let bytes = text.as_bytes();
    let mut kept = String::with_capacity(text.len());
    let (mut from, mut at) = (0, 0);
    while at + pattern.len() <= bytes.len() {
        if is_like(&bytes[at..at + pattern.len()], pattern) {
            // Both ends are between two characters: all that was compared is ASCII.
            kept.push_str(&text[from..at]);
            at += pattern.len();
            from = at;
        } else {
            at += 1;
        }
    }
    kept.push_str(&text[from..]);
    kept
}

fn is_like(part: &[u8], pattern: &[u8]) -> bool {
    part.iter().zip(pattern).all(|(byte, form)| match form {
        b'0' => byte.is_ascii_digit(),
        b'f' => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        form => byte == form,
    })
}

#[cfg(test)]
mod tests {
    use super::{normalized, short_hash};
    use crate::builtins::{BuiltinError, Value, run};

    fn check(text: &str, history: &Value) -> Value {
        let given = [("text", Value::from(text)), ("history", history.clone())];
        run("detect-loop", &given).unwrap()
    }

    fn looping(answer: &Value) -> bool {
        answer.get("looping") == Some(&Value::Bool(true))
    }

    fn texts(texts: &[&str]) -> Value {
        Value::List(texts.iter().map(|text| Value::from(*text)).collect())
    }

    /// A history of texts whose hashes nobody kept.
    fn history(entries: &[&str]) -> Value {
        Value::of([("entries", texts(entries))])
    }

    #[test]
    fn the_first_text_repeats_nothing() {
        let answer = check("some output", &Value::Nothing);
        assert!(!looping(&answer));
        assert_eq!(answer.get("percent"), Some(&Value::from(0.0)));
        assert!(!looping(&check("some output", &Value::from(""))));
    }

    #[test]
    fn an_empty_text_repeats_nothing_and_is_not_kept() {
        let before = check("previous", &Value::Nothing);
        let answer = check("", &before);
        assert!(!looping(&answer));
        assert_eq!(answer.get("entries"), before.get("entries"));
        assert!(!looping(&check(" \n", &answer)));
    }

    #[test]
    fn the_same_text_repeats() {
        assert!(looping(&check("exact same output", &history(&["exact same output"]))));
    }

    #[test]
    fn a_text_with_one_other_word_repeats_and_says_how_alike_it_is() {
        let before = history(&["The quick brown fox jumps over the lazy dog"]);
        let answer = check("The quick brown fox jumps over the lazy cat", &before);
        assert!(looping(&answer));
        assert_eq!(answer.get("percent"), Some(&Value::from(93.0)));
    }

    #[test]
    fn the_most_similar_of_several_is_told() {
        let before = history(&["abcdefghij0123456789", "abcdefghij012345678x", "abcdefghij01234567xx"]);
        let answer = check("abcdefghij012345678y", &before);
        assert_eq!(answer.get("percent"), Some(&Value::from(95.0)));
    }

    #[test]
    fn another_text_does_not_repeat() {
        let before = history(&["completely different content here"]);
        assert!(!looping(&check("something entirely new", &before)));
    }

    #[test]
    fn only_the_last_five_are_compared() {
        let before = history(&["old1", "old2", "old3", "old4", "old5", "old6"]);
        assert!(!looping(&check("old1", &before)));
        assert!(looping(&check("old2", &before)));
    }

    #[test]
    fn a_repeated_text_is_found_through_what_was_answered_before() {
        let first = check("repeated output", &Value::Nothing);
        assert!(!looping(&first));
        assert!(looping(&check("repeated output", &first)));
    }

    #[test]
    fn without_history_the_same_text_is_new_again() {
        check("output", &Value::Nothing);
        assert!(!looping(&check("output", &Value::Nothing)));
    }

    #[test]
    fn a_text_that_repeats_does_not_join_the_history() {
        let first = check("repeated output", &Value::Nothing);
        let second = check("repeated output", &first);
        assert_eq!(second.get("entries"), first.get("entries"));
        assert_eq!(second.get("hashes"), first.get("hashes"));
    }

    #[test]
    fn hashes_alone_are_enough_to_know_the_same_text_again() {
        let first = check("output1", &Value::Nothing);
        let second = check("a text that is like no other", &first);
        let hashes = second.get("hashes").unwrap();
        assert_eq!(hashes.items().len(), 2);
        assert!(hashes.items().contains(&Value::from(short_hash("output1"))));
        let kept_apart = Value::of([("hashes", hashes.clone())]);
        for restored in [hashes, &kept_apart] {
            let answer = check("output1", restored);
            assert!(looping(&answer));
            assert_eq!(answer.get("percent"), Some(&Value::from(100.0)));
            assert!(!looping(&check("output2", restored)));
        }
    }

    #[test]
    fn the_history_keeps_as_many_texts_as_the_window_is_wide() {
        let mut answer = Value::Nothing;
        for text in ["one", "two", "three", "four", "five", "six", "seven"] {
            answer = check(text, &answer);
            assert!(!looping(&answer), "{text}");
        }
        let kept = texts(&["three", "four", "five", "six", "seven"]);
        assert_eq!(answer.get("entries"), Some(&kept));
        assert_eq!(answer.get("hashes").unwrap().items().len(), 5);
        assert!(!looping(&check("two", &answer)));
        assert!(looping(&check("three", &answer)));
    }

    #[test]
    fn a_hash_is_the_first_sixteen_digits_of_sha_256() {
        assert_eq!(short_hash("abc"), "ba7816bf8f01cfea");
    }

    #[test]
    fn times_are_taken_out() {
        assert_eq!(
            normalized("Error at 2026-01-15T10:30:00 in module"),
            "Error at in module"
        );
        assert_eq!(
            normalized("2026-01-15T10:30:002026-01-15T10:30:01Z 2026-01-15"),
            "Z 2026-01-15"
        );
    }

    #[test]
    fn identifiers_are_taken_out() {
        let text = "Task 550e8400-e29b-41d4-a716-446655440000 failed";
        assert_eq!(normalized(text), "Task failed");
        let close = "550e8400-e29b-41d4-a716-44665544000";
        assert_eq!(normalized(close), close);
        assert_eq!(normalized("ß550e8400-e29b-41d4-a716-446655440000ß"), "ßß");
    }

    #[test]
    fn white_space_of_any_kind_is_one_space() {
        assert_eq!(
            normalized(" multiple   spaces\n\nand\u{a0}\tnewlines\n"),
            "multiple spaces and newlines"
        );
    }

    #[test]
    fn texts_that_differ_only_in_times_and_spaces_are_the_same() {
        let first = check("Round at 2026-01-15T10:30:00:  two findings", &Value::Nothing);
        let second = check("Round at 2026-01-15T10:45:59: two\nfindings", &first);
        assert_eq!(second.get("percent"), Some(&Value::from(100.0)));
    }

    #[test]
    fn a_text_without_end_is_compared_by_its_beginning_and_known_again_as_a_whole() {
        let start = "é".repeat(500_000);
        let first = check(&(start.clone() + "one"), &Value::Nothing);
        assert_eq!(first.get("entries").unwrap().items(), [Value::from(start.clone())]);
        assert!(looping(&check(&(start.clone() + "another"), &first)));
        let hashes = first.get("hashes").unwrap();
        assert!(looping(&check(&(start.clone() + "one"), hashes)));
        assert!(!looping(&check(&(start + "another"), hashes)));
    }

    #[test]
    fn how_alike_and_how_many_can_be_said() {
        let before = history(&["abcdefghij", "qrstuvwxyz"]);
        let told = |similarity: f64, window: f64| {
            let given = [
                ("text", Value::from("abcdefghxx")),
                ("history", before.clone()),
                ("similarity", Value::from(similarity)),
                ("window", Value::from(window)),
            ];
            looping(&run("detect-loop", &given).unwrap())
        };
        assert!(told(80.0, 2.0));
        assert!(!told(80.1, 2.0));
        assert!(!told(80.0, 1.0));
    }

    #[test]
    fn a_similarity_beyond_a_hundred_and_a_window_that_is_not_whole_are_refused() {
        let refused = |name: &'static str, value: f64| -> BuiltinError {
            let given = [("text", Value::from("a")), (name, Value::from(value))];
            run("detect-loop", &given).unwrap_err()
        };
        assert_eq!(
            refused("similarity", 120.0).to_string(),
            "`similarity` of built-in `detect-loop` must be a number from 0 to 100"
        );
        assert_eq!(
            refused("window", 2.5).to_string(),
            "`window` of built-in `detect-loop` must be a whole number, 0 or more"
        );
    }
}
