//! The JSON of an outcome that ends in a long text in, the text out.
//!
//! A reply is nearly all text, and what is escaped in it are quotes and the ends of lines. What is escaped in another way
//! is left to the reader of any JSON.

use memchr::memmem::Finder;
use std::sync::LazyLock;

/// What the field begins with; inside a text its quotes would be escaped, so that it stands nowhere else.
const BEGIN: &[u8] = b"\"text\":\"";

static FIELD: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(BEGIN));

/// Reads the field `text` that ends an object; answers where the mark before it stands, and what it says.
pub(super) fn last(object: &[u8]) -> Option<(usize, String)> {
    // Most replies are nothing else.
    if let Some(text) = object.strip_prefix(b"{").and_then(inside).and_then(unescaped) {
        return Some((0, text));
    }
    let field = FIELD.find_iter(object).last()?;
    let mark = field.checked_sub(1)?;
    let begins = object[mark] == b',' || (object[mark] == b'{' && mark == 0);
    let text = inside(&object[field..]).filter(|_| begins)?;
    Some((mark, unescaped(text)?))
}

/// Returns what stands between the quotes of the field, which ends the object.
fn inside(field: &[u8]) -> Option<&[u8]> {
    field.strip_prefix(BEGIN)?.strip_suffix(b"\"}")
}

/// Reads the inside of a text; answers nothing where it is written in a way that is rare, or goes on behind a quote.
fn unescaped(written: &[u8]) -> Option<String> {
    // As much room as there may be need of; what is written too far is written over.
    let mut text = written.to_vec();
    let (mut from, mut to) = (0, 0);
    while let Some(block) = written[from..].first_chunk::<16>() {
        text[to..to + 16].copy_from_slice(block);
        let plain = plain_length(u128::from_le_bytes(*block));
        (from, to) = (from + plain, to + plain);
        if plain < 16 {
            text[to] = escaped(&written[from..])?;
            (from, to) = (from + 2, to + 1);
        }
    }
    while let Some(byte) = written.get(from) {
        let is_plain = !matches!(byte, b'"' | b'\\' | 0..b' ');
        (text[to], from) = match is_plain {
            true => (*byte, from + 1),
            false => (escaped(&written[from..])?, from + 2),
        };
        to += 1;
    }
    text.truncate(to);
    String::from_utf8(text).ok()
}

/// Counts the bytes of a block before a quote, a backslash or a byte that no text of JSON holds.
fn plain_length(block: u128) -> usize {
    let halves = [block as u64, (block >> 64) as u64].map(odd);
    let odd = u128::from(halves[0]) | u128::from(halves[1]) << 64;
    odd.trailing_zeros() as usize / 8
}

/// Marks the first byte of eight that is a quote, a backslash or one that no text of JSON holds.
///
/// Taking a number from every byte at once borrows from the next byte only behind one that is less: the first is right.
fn odd(word: u64) -> u64 {
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    let less = |bytes: u64, bound: u8| bytes.wrapping_sub(EACH * u64::from(bound)) & !bytes & (EACH * 0x80);
    let is = |byte: u8| less(word ^ (EACH * u64::from(byte)), 1);
    less(word, b' ') | is(b'"') | is(b'\\')
}

/// Reads what is escaped at the start of a text, two bytes long.
fn escaped(text: &[u8]) -> Option<u8> {
    match text {
        [b'\\', letter @ (b'"' | b'\\' | b'/'), ..] => Some(*letter),
        [b'\\', b'n', ..] => Some(b'\n'),
        [b'\\', b'r', ..] => Some(b'\r'),
        [b'\\', b't', ..] => Some(b'\t'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::last;
    use serde_json::json;

    #[test]
    fn a_text_is_read_as_any_reader_of_json_reads_it() {
        let plain = [
            "",
            "a",
            "\"",
            "\\",
            "\\\\\"",
            "a\nb\r\tc/d",
            "\"text\":\"",
            "état → 語",
            "x\\",
        ];
        // Every place that a mark may have among eight bytes.
        let long = "a \"long\" text,\n\\ and: é ".repeat(4);
        let starts = (0..long.len()).filter(|at| long.is_char_boundary(*at));
        for text in plain.into_iter().chain(starts.map(|at| &long[at..])) {
            let object = json!({ "a": { "text": "inside" }, "text": text }).to_string();
            let (mark, read) = last(object.as_bytes()).unwrap();
            assert_eq!((&object[..mark], read.as_str()), (r#"{"a":{"text":"inside"}"#, text));
            let alone = json!({ "text": text }).to_string();
            assert_eq!(last(alone.as_bytes()), Some((0, text.to_owned())));
        }
    }

    #[test]
    fn what_is_written_in_another_way_is_left_alone() {
        for object in [
            "",
            "{}",
            r#""text":"a"}"#,
            r#"{"a":1}"#,
            r#"{"text":"a" }"#,
            r#"{"text":null}"#,
            r#"{"text":"a","b":"c"}"#,
            r#"{"text":"\u0041"}"#,
            r#"{"text":"\"}"#,
            r#"{"text":"a\q"}"#,
            r#"{"a":{"text":"b"}"#,
            "{\"text\":\"a\u{7}\"}",
        ] {
            assert_eq!(last(object.as_bytes()), None, "{object}");
        }
        assert_eq!(last(b"{\"text\":\"\xff\"}"), None);
    }
}
