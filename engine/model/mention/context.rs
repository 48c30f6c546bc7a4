//! The text before a path in, what the sentence does with it out.

use super::MentionRole;
use super::words::{is_plain_break, words};
use crate::source::{ByteSet, near_last, near_places};
use crate::syntax::{Phrases, WordList};

/// How far back a sentence is looked at.
const MAX_BACK: usize = 400;
/// How far a word that makes an example of it may stand from a path.
const MAX_EXAMPLE: usize = 80;

/// Says whether a word says to take in or run what a path leads to.
pub(crate) fn loads(word: &str) -> bool {
    LOADS.has(word)
}

static LOADS: WordList = WordList::new(&[
    "load",
    "loads",
    "loading",
    "read",
    "reads",
    "reading",
    "follow",
    "follows",
    "following",
    "execute",
    "executes",
    "executing",
    "run",
    "runs",
    "running",
    "invoke",
    "invokes",
    "invoking",
    "open",
    "launch",
    "consult",
    "parse",
    "import",
    "use",
    "using",
    "route",
    "goto",
    "next",
    "exit",
    "call",
    "apply",
    "proceed",
    "continue",
]);
/// Verbs whose object is a path even where nothing else says so.
static RUNS: WordList = WordList::new(&[
    "load", "loads", "read", "reads", "follow", "follows", "execute", "executes", "invoke", "run",
]);
/// How many words before a path `from` may stand.
const MAX_FROM: usize = 3;
/// Attributes whose value is something to run.
const ATTRIBUTES: &[&str] = &["exec", "workflow", "path", "data", "tmpl"];
static WRITES: WordList = WordList::new(&[
    "save",
    "saves",
    "saving",
    "write",
    "writes",
    "writing",
    "create",
    "creates",
    "creating",
    "append",
    "appends",
    "appending",
    "output",
    "outputs",
    "generate",
    "generates",
    "generating",
    "store",
    "stores",
    "export",
    "update",
    "updates",
    "updating",
    "produce",
    "produces",
    "copy",
    "rename",
    "populate",
]);
/// Forms that are verbs only behind `is` or `be`: elsewhere they describe a file.
static LOADED: WordList = WordList::new(&["loaded", "opened", "executed", "followed", "invoked"]);
static WRITTEN: WordList = WordList::new(&[
    "saved",
    "written",
    "created",
    "appended",
    "generated",
    "stored",
    "updated",
]);
static BEING: WordList = WordList::new(&["is", "are", "be", "been", "was", "have", "has", "already"]);
const EXAMPLES: &[&str] = &[
    "e.g.",
    "for example",
    "such as",
    "for instance",
    "example:",
    "examples:",
    " like ",
];
static EXAMPLE: Phrases = Phrases::new(EXAMPLES);
static NEGATIONS: WordList = WordList::new(&[
    "not", "never", "don't", "doesn't", "without", "avoid", "isn't", "cannot", "instead", "no",
]);

/// Says whether the word before a path may be one of those that run it, as far as its last two letters tell.
pub(super) fn may_be_loaded(text: &str, start: usize) -> bool {
    let before = text.as_bytes().get(..start).unwrap_or(&[]);
    let is_mark = |byte: u8| is_plain_break(byte) || matches!(byte, b'`' | b'\'' | b'.' | b'!');
    let Some(last) = before.iter().rposition(|byte| !is_mark(*byte)) else {
        return false;
    };
    match &before[..=last] {
        [.., last] if !last.is_ascii() => true,
        [.., one, two] => matches!(
            &[one.to_ascii_lowercase(), two.to_ascii_lowercase()],
            b"ad" | b"ds" | b"ow" | b"ws" | b"te" | b"es" | b"ke" | b"un"
        ),
        _ => false,
    }
}

/// What stands before a path.
pub(super) struct Around<'a> {
    /// The line up to the path.
    line: &'a str,
    /// The part of the line that is the path's own sentence.
    sentence: &'a str,
    /// The line above it, where nothing but marks stands before the path.
    above: &'a str,
}

impl<'a> Around<'a> {
    pub(super) fn new(text: &'a str, start: usize) -> Self {
        let before = text.get(..start).unwrap_or("");
        let floor = before.ceil_char_boundary(before.len().saturating_sub(MAX_BACK));
        let before = before.get(floor..).unwrap_or("");
        let (above, line) = match near_last(b'\n', before.as_bytes()) {
            Some(at) => (before.get(..at).unwrap_or(""), before.get(at + 1..).unwrap_or("")),
            None => ("", before),
        };
        let alone = !line.contains(|at: char| at.is_alphabetic());
        Self {
            line,
            sentence: sentence(line),
            above: if alone { introduction(above) } else { "" },
        }
    }

    /// Says whether the path stands in inline code.
    pub(super) fn is_code(&self) -> bool {
        near_places(b'`', self.line.as_bytes()).count() % 2 == 1
    }

    /// Finds the nearest verb before the path and what it does.
    pub(super) fn role(&self) -> MentionRole {
        let attribute = self
            .line
            .strip_suffix(['"', '\''])
            .and_then(|line| line.strip_suffix('='));
        if attribute.is_some_and(|line| ATTRIBUTES.iter().any(|name| line.ends_with(name))) {
            return MentionRole::Load;
        }
        let here = nearest(self.sentence);
        if here != MentionRole::Other {
            return here;
        }
        let led_to = self
            .line
            .trim_end_matches([' ', '`', '*', '"', '['])
            .ends_with(['→', '>']);
        if led_to { MentionRole::Load } else { nearest(self.above) }
    }

    /// Says whether the word right before the path reads or runs it.
    pub(super) fn is_loaded(&self) -> bool {
        let mut words = words(self.sentence);
        words.next_back().is_some_and(|word| RUNS.has_bytes(word))
    }

    /// Says whether the sentence only gives an example, or says not to.
    pub(super) fn is_example(&self) -> bool {
        let near = tail(self.line, MAX_EXAMPLE);
        let example = EXAMPLE.is_in(near) && {
            let near = near.as_bytes();
            last_example(near).is_some_and(|at| !near[at..].contains(&b')'))
        };
        example || words(clause(self.sentence)).any(|word| NEGATIONS.has_bytes(word))
    }
}

/// Returns the last line of a text where it ends in a colon.
fn introduction(text: &str) -> &str {
    let line = text.trim_end().rsplit('\n').next().unwrap_or("");
    if line.trim_end_matches(['*', '_']).ends_with(':') {
        line
    } else {
        ""
    }
}

/// Finds the last words of a text that make an example of what follows.
fn last_example(text: &[u8]) -> Option<usize> {
    // Told by two letters, nearly no place is looked at any closer.
    let may_begin = |two: &[u8]| {
        matches!(
            two,
            [b'e' | b'E', b'.' | b'x' | b'X']
                | [b'f' | b'F', b'o' | b'O']
                | [b's' | b'S', b'u' | b'U']
                | [b' ', b'l' | b'L']
        )
    };
    let mut end = text.len();
    loop {
        let may_go_on = |at: &usize| SECONDS.has(text[*at]) && may_begin(&text[at - 1..=*at]);
        let found = (1..end).rev().find(may_go_on)? - 1;
        if gives_example(&text[found..]) {
            return Some(found);
        }
        end = found + 1;
    }
}

/// The second letters of words that make an example of what follows.
static SECONDS: ByteSet = ByteSet::of(b".xXoOuUlL");

/// Says whether a text begins with words that make an example of what follows.
fn gives_example(text: &[u8]) -> bool {
    EXAMPLES.iter().any(|words| {
        let start = text.get(..words.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(words.as_bytes()))
    })
}

fn tail(text: &str, length: usize) -> &str {
    text.get(text.ceil_char_boundary(text.len().saturating_sub(length))..)
        .unwrap_or(text)
}

/// Cuts the sentences before the last one.
fn sentence(line: &str) -> &str {
    let bytes = line.as_bytes();
    let stops = memchr::memrchr_iter(b'.', bytes).filter(|at| bytes.get(at + 1) == Some(&b' '));
    let start = stops.into_iter().find(|at| {
        let before = line.get(..*at).unwrap_or("");
        !before.ends_with(".g") && !before.ends_with(".e") && !before.ends_with("vs")
    });
    start.map_or(line, |at| line.get(at + 2..).unwrap_or(line))
}

/// Cuts what stands before the last comma, colon, arrow or `then`.
fn clause(sentence: &str) -> &str {
    let bytes = sentence.as_bytes();
    let mut end = bytes.len();
    // Told by one byte, most places are not looked at any closer.
    while let Some(at) = bytes[..end].iter().rposition(|byte| STOPS.has(*byte)) {
        if let Some(length) = stop(&bytes[at..]) {
            return sentence.get(at + length..).unwrap_or(sentence);
        }
        end = at;
    }
    sentence
}

/// What a mark or a word that ends a clause begins with.
static STOPS: ByteSet = ByteSet::of(b",;:( \xe2");

/// Measures the mark or the word that ends a clause at the start of a text.
fn stop(text: &[u8]) -> Option<usize> {
    let stops: &[&str] = match text.first()? {
        b',' => &[", "],
        b';' => &["; "],
        b':' => &[": ", ":** "],
        b'(' => &["("],
        b' ' if matches!(text.get(1), Some(b't' | 0xe2)) => &[" then ", " — "],
        0xe2 => &["→"],
        _ => return None,
    };
    let found = stops.iter().find(|stop| text.starts_with(stop.as_bytes()));
    found.map(|stop| stop.len())
}

/// Says whether a word makes a noun of what follows; a capital `A` is a key.
fn is_article(word: &[u8]) -> bool {
    matches!(
        word,
        b"the" | b"a" | b"an" | b"this" | b"that" | b"your" | b"each" | b"its" | b"their" | b"any" | b"same"
    )
}

/// Finds the last verb of a text; one that follows an article is a noun.
fn nearest(text: &str) -> MentionRole {
    let mut words = words(text);
    let mut next = words.next_back();
    let goes_to = next.is_some_and(|last| last.eq_ignore_ascii_case(b"to") || last.eq_ignore_ascii_case(b"into"));
    let mut place = 0;
    while let Some(word) = next {
        next = words.next_back();
        let before = next.unwrap_or_default();
        let is_source = !goes_to && place < MAX_FROM && word.eq_ignore_ascii_case(b"from");
        let role = if is_source {
            MentionRole::Load
        } else {
            verb(word, before)
        };
        // Few words are verbs, and only of those it matters what stands before them.
        if role != MentionRole::Other && !is_article(before) {
            return role;
        }
        place += 1;
    }
    MentionRole::Other
}

/// Tells what a word does with a path, which may depend on the word before it.
fn verb(word: &[u8], before: &[u8]) -> MentionRole {
    if LOADS.has_bytes(word) || (LOADED.has_bytes(word) && BEING.has_bytes(before)) {
        return MentionRole::Load;
    }
    if WRITES.has_bytes(word) || (WRITTEN.has_bytes(word) && BEING.has_bytes(before)) {
        return MentionRole::Write;
    }
    MentionRole::Other
}
