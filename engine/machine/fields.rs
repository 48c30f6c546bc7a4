//! The words of a prompt in, the fields that its reply is to have out.

use memchr::memmem::Finder;
use std::borrow::Cow;
use std::sync::LazyLock;

/// What a reply says by itself, or holds for the engine: a field of such a name would not be what the agent said.
pub const RESERVED: &[&str] = &[
    "agent",
    "status",
    "instructions",
    "judgements",
    "variables",
    "files",
    "sections",
    "asks",
    "fields",
];

/// The most fields that one sentence names.
const MOST: usize = 16;

/// Finds the fields that a prompt asks for: `Answer with remarks and vote (yes or no).`
pub fn fields(prompt: &str) -> Vec<String> {
    const WORDS: &str = "nswer with ";
    static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(WORDS));
    let found = FINDER.find_iter(prompt.as_bytes()).last();
    let Some(after) = found.and_then(|at| prompt.get(at + WORDS.len()..)) else {
        return Vec::new();
    };
    let sentence = without_brackets(sentence(after));
    let items = sentence.split(';').filter_map(|group| group.split(':').next());
    let names = items.flat_map(|group| group.split(',')).flat_map(names);
    names.take(MOST).collect()
}

/// Returns a text up to the end of its sentence. A line that ends without one goes on where the next begins with a small
/// letter.
fn sentence(text: &str) -> &str {
    let ends = |at: usize, mark: char| {
        let rest = &text[at + mark.len_utf8()..];
        match mark {
            '.' => rest.is_empty() || rest.starts_with(char::is_whitespace),
            '\n' => !rest
                .trim_start_matches(' ')
                .starts_with(|next: char| next.is_ascii_lowercase() || next == '`'),
            _ => false,
        }
    };
    let end = text.char_indices().find(|(at, mark)| ends(*at, *mark));
    end.map_or(text, |(at, _)| &text[..at])
}

/// Takes out what stands in brackets: it says what a field is like.
fn without_brackets(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find('(') else {
        return Cow::Borrowed(text);
    };
    let mut left = text[..first].to_owned();
    let mut depth = 0_usize;
    for mark in text[first..].chars() {
        match mark {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => left.push(mark),
            _ => {}
        }
    }
    Cow::Owned(left)
}

/// Returns the names in one item of a list: `the vote`, `` `score` ``, `notes for each of them`.
fn names(item: &str) -> impl Iterator<Item = String> {
    let words = item
        .split_whitespace()
        .map(|word| word.trim_matches(['`', '*', '"', '\'']));
    let names = words.take_while(|word| !says_more(word));
    names.filter(|word| !is_small(word) && is_name(word)).map(str::to_owned)
}

/// Says whether a word begins what is said about a name.
fn says_more(word: &str) -> bool {
    matches!(
        word,
        "for"
            | "from"
            | "in"
            | "on"
            | "to"
            | "by"
            | "with"
            | "without"
            | "per"
            | "about"
            | "that"
            | "which"
            | "where"
            | "when"
            | "if"
            | "only"
    )
}

/// Says whether a word stands before names, or is none.
fn is_small(word: &str) -> bool {
    matches!(
        word,
        "and" | "or" | "a" | "an" | "the" | "their" | "your" | "as" | "text" | "one" | "list" | "of" | "yes" | "no"
    )
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_lowercase())
        && !word.ends_with('-')
        && word
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::fields;

    #[test]
    fn a_prompt_names_the_fields_of_its_reply_in_one_sentence() {
        let cases = [
            ("Look. Answer with remarks and vote (yes or no).", "remarks vote"),
            (
                "Answer with method_1, method_2 and text. Each is a name.",
                "method_1 method_2",
            ),
            ("Say what you think.", ""),
            (
                "Answer with label (one of bug, feature), score (0 to 10) and notes.",
                "label score notes",
            ),
            ("Answer with `label`, `score` and **notes**.", "label score notes"),
            ("Answer with label-name and score_2.", "label-name score_2"),
            ("Answer with label: bug or feature; score; notes.", "label score notes"),
            (
                "Answer with label, score, and notes for each of them.",
                "label score notes",
            ),
            ("Answer with vote yes or no", "vote"),
            ("Answer with the share (0.5 is half) and why. Be brief.", "share why"),
            ("Answer with label,\n  score\n  and notes.", "label score notes"),
            ("Answer with label\nBe brief.", "label"),
            ("Prüfe das Stück. Answer with größe, form.", "form"),
            ("Answer with label\n\nand be brief.", "label"),
        ];
        for (prompt, names) in cases {
            assert_eq!(fields(prompt).join(" "), names, "{prompt}");
        }
    }
}
