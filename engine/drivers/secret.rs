//! Text in, the same text without what looks like a secret out. Only shapes that nothing else has are masked.

use std::borrow::Cow;

/// One shape of a secret: what it starts with and what follows.
struct Shape {
    /// What it is called in the text that takes its place.
    name: &'static str,
    /// What it starts with.
    start: &'static str,
    /// The fewest characters that follow.
    least: usize,
    /// What they may be.
    body: Body,
}

/// What the characters after the start may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    /// Letters and digits.
    Plain,
    /// Capital letters and digits.
    Capital,
    /// Letters, digits, `-` and `_`; at least one digit among them, so that words with hyphens are none.
    Dashed,
    /// The same with dots: several parts in one token.
    Dotted,
}

/// Every shape, longest start first where one begins another.
const SHAPES: &[Shape] = &[
    shape("GitHub token", "github_pat_", 30, Body::Dashed),
    shape("GitHub token", "ghp_", 30, Body::Plain),
    shape("GitHub token", "gho_", 30, Body::Plain),
    shape("GitHub token", "ghu_", 30, Body::Plain),
    shape("GitHub token", "ghs_", 30, Body::Plain),
    shape("GitHub token", "ghr_", 30, Body::Plain),
    shape("GitLab token", "glpat-", 20, Body::Dashed),
    shape("payment key", "sk_live_", 16, Body::Plain),
    shape("payment key", "sk_test_", 16, Body::Plain),
    shape("payment key", "rk_live_", 16, Body::Plain),
    shape("payment key", "whsec_", 24, Body::Plain),
    shape("model key", "sk-", 20, Body::Dashed),
    shape("model key", "gsk_", 40, Body::Plain),
    shape("model token", "hf_", 30, Body::Plain),
    shape("cloud key", "AKIA", 16, Body::Capital),
    shape("cloud key", "ASIA", 16, Body::Capital),
    shape("cloud key", "AIza", 35, Body::Dashed),
    shape("cloud token", "dop_v1_", 60, Body::Plain),
    shape("chat token", "xoxa-", 10, Body::Dashed),
    shape("chat token", "xoxb-", 10, Body::Dashed),
    shape("chat token", "xoxp-", 10, Body::Dashed),
    shape("chat token", "xoxr-", 10, Body::Dashed),
    shape("chat token", "xoxs-", 10, Body::Dashed),
    shape("chat token", "xapp-", 10, Body::Dashed),
    shape("package token", "npm_", 36, Body::Plain),
    shape("package token", "pypi-", 50, Body::Dashed),
    shape("mail key", "SG.", 40, Body::Dotted),
    shape("vault token", "hvs.", 24, Body::Dashed),
    shape("signed token", "eyJ", 30, Body::Dotted),
];

const KEY_BEGIN: &str = "-----BEGIN ";
const KEY_NAME: &str = "PRIVATE KEY-----";
const KEY_END: &str = "-----END ";
const DASHES: &str = "-----";

const fn shape(name: &'static str, start: &'static str, least: usize, body: Body) -> Shape {
    Shape {
        name,
        start,
        least,
        body,
    }
}

/// Replaces every token and private key by `[masked: what it was]`.
pub fn masked(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut kept = String::new();
    let mut done = 0;
    let mut at = 0;
    while at < bytes.len() {
        let found = if is_start(bytes, at) { secret(text, at) } else { None };
        let Some((name, end)) = found else {
            at += 1;
            continue;
        };
        kept.push_str(&text[done..at]);
        kept.push_str("[masked: ");
        kept.push_str(name);
        kept.push(']');
        done = end;
        at = end;
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    kept.push_str(&text[done..]);
    Cow::Owned(kept)
}

/// A secret starts where no word goes on; an escape of JSON such as `\n` ends a word too.
fn is_start(bytes: &[u8], at: usize) -> bool {
    if !matches!(bytes[at], b'a'..=b'z' | b'A'..=b'Z' | b'-') {
        return false;
    }
    match at.checked_sub(1).map(|before| bytes[before]) {
        Some(b'n' | b't' | b'r') => at > 1 && bytes[at - 2] == b'\\',
        Some(before) => !(before.is_ascii_alphanumeric() || before == b'_'),
        None => true,
    }
}

/// Returns what the secret at `at` is and where it ends.
fn secret(text: &str, at: usize) -> Option<(&'static str, usize)> {
    // Every start is ASCII, so `at` is a boundary wherever one can match.
    let rest = text.get(at..)?;
    if rest.starts_with(KEY_BEGIN) {
        return private_key(rest).map(|length| ("private key", at + length));
    }
    SHAPES.iter().find_map(|shape| {
        let body = rest.strip_prefix(shape.start)?;
        let length = length(body, shape)?;
        Some((shape.name, at + shape.start.len() + length))
    })
}

fn length(body: &str, shape: &Shape) -> Option<usize> {
    let fits = |byte: &u8| match shape.body {
        Body::Plain => byte.is_ascii_alphanumeric(),
        Body::Capital => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        Body::Dashed => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'),
        Body::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'),
    };
    let bytes = body.as_bytes();
    let length = bytes.iter().take_while(|byte| fits(byte)).count();
    let token = &bytes[..length];
    let parts = token.iter().filter(|byte| **byte == b'.').count();
    let looks_made = match shape.body {
        Body::Plain | Body::Capital => true,
        Body::Dashed => token.iter().any(u8::is_ascii_digit),
        Body::Dotted => parts >= 1 && token.iter().any(u8::is_ascii_digit),
    };
    (length >= shape.least && looks_made).then_some(length)
}

/// Returns the length of a private key block; one without an end runs as far as its letters go.
fn private_key(rest: &str) -> Option<usize> {
    let title = rest.get(KEY_BEGIN.len()..)?;
    let name_end = title.find(KEY_NAME).filter(|at| *at < 32)?;
    let inside = KEY_BEGIN.len() + name_end + KEY_NAME.len();
    let body = rest.get(inside..)?;
    if let Some(end) = body.find(KEY_END)
        && let Some(close) = body[end + KEY_END.len()..].find(DASHES)
    {
        return Some(inside + end + KEY_END.len() + close + DASHES.len());
    }
    let is_key = |each: char| each.is_ascii_alphanumeric() || "+/=\\\r\n ".contains(each);
    Some(inside + body.find(|each| !is_key(each)).unwrap_or(body.len()))
}

#[cfg(test)]
mod tests {
    use super::{SHAPES, masked};

    /// Written in halves, so that no scanner takes this file for a leak.
    fn token(start: &str, length: usize) -> String {
        let body: String = "A1B2C3D4E5".chars().cycle().take(length).collect();
        format!("{start}{body}")
    }

    #[test]
    fn every_shape_is_masked_where_it_stands() {
        for shape in SHAPES {
            let body = match shape.start {
                "eyJ" | "SG." => format!("{}.{}", token("", 30), token("", 30)),
                _ => token("", shape.least),
            };
            let text = format!("key=\"{}{body}\", next", shape.start);
            assert_eq!(masked(&text), format!("key=\"[masked: {}]\", next", shape.name));
        }
    }

    #[test]
    fn ordinary_words_are_left_alone() {
        let text = "task-oriented risk-assessment-of-the-whole-project-2024 sk-short skeleton AKIA npm_run eyJust.a.word ghp_ \
                    scikit sk-learn-is-a-library-for-people";
        assert_eq!(masked(text), text);
    }

    #[test]
    fn a_private_key_is_masked_whole_in_text_and_in_json() {
        let begin = concat!("-----BEGIN RSA PRIV", "ATE KEY-----");
        let end = concat!("-----END RSA PRIV", "ATE KEY-----");
        let plain = format!("a\n{begin}\nMIIE+/=\n{end}\nb");
        assert_eq!(masked(&plain), "a\n[masked: private key]\nb");
        let json = format!("{{\"a\": \"{begin}\\nMIIE\\n{end}\"}}");
        assert_eq!(masked(&json), "{\"a\": \"[masked: private key]\"}");
        let cut = format!("\"{begin}\\nMIIE\\n\", \"b\": 1");
        assert_eq!(masked(&cut), "\"[masked: private key]\", \"b\": 1");
    }

    #[test]
    fn a_public_key_is_no_secret() {
        let text = "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----";
        assert_eq!(masked(text), text);
    }

    #[test]
    fn a_token_after_an_escaped_line_break_is_masked() {
        let text = format!("\"a\\n{}\"", token("ghp_", 36));
        assert_eq!(masked(&text), "\"a\\n[masked: GitHub token]\"");
    }

    #[test]
    fn letters_of_any_script_pass_through() {
        let text = "naïve — 鍵 sk-ключ";
        assert_eq!(masked(text), text);
    }
}
