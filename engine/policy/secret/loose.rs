//! What a name gives away: `password = …`, `Authorization: …`, `scheme://user:secret@host`. For logs, errors and
//! reports only: in a text that somebody works with it would mask what is none.

use crate::syntax::Phrases;

/// The most bytes of a value.
const LONGEST: usize = 512;
/// The most bytes between a word and its value.
const GAP: usize = 40;

/// One way to give a secret away.
struct Hint {
    word: &'static str,
    name: &'static str,
    value: Value,
}

/// Where the secret is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    /// After the rest of the name and `=` or `:`.
    Assigned,
    /// The rest of the line after `=` or `:`.
    Header,
    /// The next word, where it looks made.
    Next,
    /// Between the `:` and the `@` of an address.
    Address,
}

const HINTS: &[Hint] = &[
    hint("password", "password", Value::Assigned),
    hint("passwd", "password", Value::Assigned),
    hint("passphrase", "password", Value::Assigned),
    hint("api_key", "key", Value::Assigned),
    hint("api-key", "key", Value::Assigned),
    hint("apikey", "key", Value::Assigned),
    hint("access_key", "key", Value::Assigned),
    hint("private_key", "key", Value::Assigned),
    hint("_secret", "secret", Value::Assigned),
    hint("secret_", "secret", Value::Assigned),
    hint("client-secret", "secret", Value::Assigned),
    hint("_token", "token", Value::Assigned),
    hint("-token", "token", Value::Assigned),
    hint("authorization", "authorization", Value::Header),
    hint("bearer ", "token", Value::Next),
    hint("://", "password", Value::Address),
];

const fn hint(word: &'static str, name: &'static str, value: Value) -> Hint {
    Hint { word, name, value }
}

/// What finds the words of all hints.
static WORDS: Phrases = Phrases::new(&LIST);

/// The words.
const LIST: [&str; HINTS.len()] = {
    let mut words = [""; HINTS.len()];
    let mut at = 0;
    while at < HINTS.len() {
        words[at] = HINTS[at].word;
        at += 1;
    }
    words
};

/// Replaces every value that its name gives away; nothing where there is none.
pub(super) fn masked(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut kept = String::new();
    let (mut done, mut at) = (0, 0);
    while let Some(start) = WORDS.find_from(bytes, at) {
        let found = HINTS.iter().find_map(|hint| {
            let word = bytes.get(start..start + hint.word.len())?;
            let same = word.eq_ignore_ascii_case(hint.word.as_bytes());
            let after = start + hint.word.len();
            let (skip, length) = same.then(|| value(&bytes[after..], hint.value))??;
            Some((hint.name, after + skip, after + skip + length))
        });
        let Some((name, from, to)) = found else {
            at = start + 1;
            continue;
        };
        kept.push_str(&text[done..from]);
        kept.push_str(&format!("[masked: {name}]"));
        (done, at) = (to, to);
    }
    if done == 0 {
        return None;
    }
    kept.push_str(&text[done..]);
    Some(kept)
}

/// Returns where the value after a word begins, and how long it is.
fn value(rest: &[u8], kind: Value) -> Option<(usize, usize)> {
    let (skip, length) = match kind {
        Value::Assigned | Value::Header => {
            let skip = assigned(rest)?;
            let quoted = matches!(rest[..skip].last(), Some(b'"' | b'\''));
            let ends = |byte: &&u8| match (kind, **byte) {
                (_, b'"' | b'\'' | b'\\' | b'\n' | b'\r') => false,
                (Value::Header, _) => true,
                (_, b' ' | b'\t' | b',' | b';' | b')' | b']' | b'}' | b'&' | b'<') => quoted,
                (_, _) => true,
            };
            (skip, rest[skip..].iter().take(LONGEST).take_while(ends).count())
        }
        Value::Next => {
            let fits = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.+/=~".contains(byte);
            let word: Vec<&u8> = rest.iter().take(LONGEST).take_while(fits).collect();
            let made = word.len() >= 8 && word.iter().any(|byte| byte.is_ascii_digit());
            (0, if made || word.len() >= 24 { word.len() } else { 0 })
        }
        Value::Address => address(rest)?,
    };
    let is_masked = rest[skip..].starts_with(b"[masked: ");
    // A boundary of characters: only ASCII ends a value, or the cap does.
    let whole = std::str::from_utf8(&rest[skip..skip + length]).map_or_else(|error| error.valid_up_to(), str::len);
    (whole > 0 && !is_masked).then_some((skip, whole))
}

/// Returns how many bytes there are before the value: the rest of a name, quotes, a sign, quotes.
fn assigned(rest: &[u8]) -> Option<usize> {
    // `max_tokens = 4096` counts; it is no token.
    if rest.first().is_some_and(|byte| byte.eq_ignore_ascii_case(&b's')) {
        return None;
    }
    let count =
        |from: usize, fits: fn(u8) -> bool| rest[from..].iter().take(GAP).take_while(|byte| fits(**byte)).count();
    let mut at = count(0, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    at += count(at, |byte| matches!(byte, b' ' | b'\t' | b'"' | b'\'' | b'\\'));
    let signs = count(at, |byte| matches!(byte, b'=' | b':' | b'>'));
    at += signs;
    at += count(at, |byte| matches!(byte, b' ' | b'\t'));
    at += count(at, |byte| matches!(byte, b'"' | b'\'' | b'\\'));
    (signs > 0).then_some(at)
}

fn address(rest: &[u8]) -> Option<(usize, usize)> {
    let fits = |byte: &&u8| !byte.is_ascii_whitespace() && !b"/?#\"'<>@\\".contains(byte);
    let place = rest.iter().take(LONGEST).take_while(fits).count();
    let colon = memchr::memchr(b':', &rest[..place])?;
    (rest.get(place) == Some(&b'@')).then_some((colon + 1, place - colon - 1))
}
