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
    let field = FIELD.find_iter(object).last()?;
    let written = object.get(field + BEGIN.len()..)?.strip_suffix(b"\"}")?;
    let mark = field.checked_sub(1)?;
    let begins = object[mark] == b',' || (object[mark] == b'{' && mark == 0);
    Some((mark, unescaped(written).filter(|_| begins)?))
}

/// Reads the inside of a text; answers nothing where it is written in a way that is rare.
fn unescaped(written: &[u8]) -> Option<String> {
    // Looked at as a whole, which takes less time than looking at what stands between two escapes.
    let is_odd = written.iter().fold(false, |odd, byte| odd | (*byte < b' '));
    if is_odd {
        return None;
    }
    let mut text = Vec::with_capacity(written.len());
    let mut rest = written;
    while let Some(at) = memchr::memchr2(b'"', b'\\', rest) {
        let (plain, escaped) = rest.split_at(at);
        let [b'\\', letter, after @ ..] = escaped else {
            return None;
        };
        text.extend_from_slice(plain);
        text.push(match letter {
            b'"' | b'\\' | b'/' => *letter,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            _ => return None,
        });
        rest = after;
    }
    text.extend_from_slice(rest);
    String::from_utf8(text).ok()
}

#[cfg(test)]
mod tests {
    use super::last;
    use serde_json::json;

    #[test]
    fn a_text_is_read_as_any_reader_of_json_reads_it() {
        for text in [
            "",
            "a",
            "\"",
            "\\",
            "\\\\\"",
            "a\nb\r\tc/d",
            "\"text\":\"",
            "état → 語",
            "x\\",
        ] {
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
