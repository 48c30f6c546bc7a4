//! Text in, the places that look like a path of the project out.

use super::path::{is_extension, is_outside, is_packed, is_path, is_plain, is_product, is_rooted_extension};
use crate::source::{ByteSet, near_byte, near_last, near_places};
use crate::syntax::WordList;

/// The longest path that is looked at.
const MAX_PATH: usize = 300;
/// The most paths and the most variables that are read from one text; more is not prose.
const MAX_TOKENS: usize = 10_000;
/// Words in the name of a variable that holds a path.
static PATH_WORDS: WordList = WordList::new(&[
    "file",
    "path",
    "workflow",
    "template",
    "task",
    "csv",
    "folder",
    "dir",
    "directory",
    "checklist",
    "exec",
    "elicitation",
    "artifacts",
]);
/// Last words of the name of a variable that says something about a path instead.
static OTHER_ENDS: WordList = WordList::new(&[
    "name",
    "count",
    "type",
    "level",
    "id",
    "mode",
    "title",
    "number",
    "key",
    "date",
    "index",
    "list",
    "status",
    "lines",
    "size",
    "limit",
    "length",
    "words",
    "content",
    "contents",
    "format",
    "extension",
]);

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A path that ends in a file name.
    File,
    /// `{x}/…` without a file name.
    Folder,
    /// `{x}` alone.
    Variable,
    /// The name inside `[[bmad-snapshot:…]]`.
    Snapshot,
}

/// A place that looks like a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) form: Form,
}

/// Finds every token, in order.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let dots = near_places(b'.', text.as_bytes());
    let mut tokens: Vec<Token> = dots.filter_map(|dot| file(text, dot)).take(MAX_TOKENS).collect();
    let files = tokens.len();
    let braces = near_places(b'{', text.as_bytes());
    tokens.extend(braces.filter_map(|brace| braced(text, brace)).take(MAX_TOKENS));
    if tokens.len() > files {
        tokens.sort_by_key(|token| (token.start, token.end));
    }
    tokens
}

/// Says whether the name of a variable says that it holds a path.
pub(super) fn holds_path(variable: &str) -> bool {
    let name = variable.trim_matches(['{', '}']).as_bytes();
    let mut last = &name[..0];
    let mut says = false;
    for word in words(name) {
        says |= PATH_WORDS.has_bytes(word);
        last = word;
    }
    says && near_byte(b'.', name).is_none() && !OTHER_ENDS.has_bytes(last)
}

/// Splits `next_step-file` and `nextStepFile` into words.
fn words(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_joint = |at: u8| matches!(at, b'_' | b'-' | b'.');
    let mut rest = name;
    std::iter::from_fn(move || {
        let mut before = *rest.first()?;
        let ends = |at: &u8| {
            let is_new = before.is_ascii_lowercase() && at.is_ascii_uppercase();
            before = *at;
            is_new || is_joint(*at)
        };
        let end = rest[1..].iter().position(ends).map_or(rest.len(), |at| at + 1);
        let (word, after) = rest.split_at(end);
        let joints = after.iter().take_while(|at| is_joint(**at)).count();
        rest = &after[joints..];
        Some(word)
    })
}

/// Reads the path whose extension follows the dot.
fn file(text: &str, dot: usize) -> Option<Token> {
    let end = dot + 1 + extension(text, dot)?;
    let start = unwrap(text, left(text, dot), end)?;
    let after = text.get(end..).unwrap_or("");
    let path = text.get(start..end)?;
    if !is_extension(text.as_bytes().get(dot + 1..end)?) && !is_packed(path) {
        return None;
    }
    let before = text.get(..start).unwrap_or("");
    if before.ends_with("[[bmad-snapshot:") && after.starts_with("]]") {
        return is_plain(path).then_some(Token {
            start,
            end,
            form: Form::Snapshot,
        });
    }
    let linked = before.ends_with("](");
    let named = near_byte(b'/', path.as_bytes()).is_some() || linked || is_quoted(before, after);
    if !named || !is_path(path) || is_outside(before, path) || is_product(path) {
        return None;
    }
    Some(Token {
        start,
        end,
        form: Form::File,
    })
}

/// Returns the length of the extension behind a dot, if a path can end with it.
fn extension(text: &str, dot: usize) -> Option<usize> {
    let rest = text.as_bytes().get(dot + 1..)?;
    // Most dots end a sentence.
    if !may_begin_extension(rest) {
        return None;
    }
    let length = rest.iter().take(6).take_while(|at| at.is_ascii_alphanumeric()).count();
    if !is_extension(&rest[..length]) && !is_rooted_extension(&rest[..length]) {
        return None;
    }
    let goes_on = match (rest.get(length), rest.get(length + 1)) {
        (Some(b'.'), Some(next)) => next.is_ascii_alphanumeric(),
        (Some(next), _) => next.is_ascii_alphanumeric() || b"-_/{}\\(".contains(next),
        (None, _) => false,
    };
    (!goes_on).then_some(length)
}

/// Says whether a text begins like a name that ends a path, as far as two letters tell.
fn may_begin_extension(text: &[u8]) -> bool {
    let Some(two) = text.first_chunk() else {
        return false;
    };
    matches!(
        two,
        b"md"
            | b"xm"
            | b"ya"
            | b"ym"
            | b"cs"
            | b"js"
            | b"to"
            | b"tx"
            | b"py"
            | b"sh"
            | b"ht"
            | b"j2"
            | b"ts"
            | b"rb"
            | b"cj"
            | b"mj"
            | b"sq"
            | b"sv"
            | b"ps"
            | b"hb"
            | b"tp"
            | b"tm"
            | b"gr"
    )
}

/// Walks left over what a path may hold.
fn left(text: &str, from: usize) -> usize {
    let before = text.get(..from).unwrap_or("");
    let floor = before.ceil_char_boundary(before.len().saturating_sub(MAX_PATH));
    let before = before.get(floor..).unwrap_or("");
    // Bytes first: letters of other scripts are rare.
    let plain = before.bytes().rposition(|at| !PARTS.has(at));
    let before = before.get(..plain.map_or(0, |last| last + 1)).unwrap_or(before);
    match before.as_bytes().last() {
        Some(last) if !last.is_ascii() => floor + before.trim_end_matches(may_belong).len(),
        Some(_) | None => floor + before.len(),
    }
}

/// Measures what a path may hold at the start of a text.
fn part_length(text: &str) -> usize {
    let plain = text.bytes().position(|at| !PARTS.has(at)).unwrap_or(text.len());
    match text.as_bytes().get(plain) {
        Some(next) if !next.is_ascii() => text.find(|at: char| !may_belong(at)).unwrap_or(text.len()),
        Some(_) | None => plain,
    }
}

/// The characters of one byte that can stand in a path.
static PARTS: ByteSet = ByteSet::of(b"-_./{}[]*~$+@%\\<>").and_alphanumeric();

/// Says whether a character can stand in a path or in what looks like one.
fn may_belong(at: char) -> bool {
    match u8::try_from(at) {
        Ok(byte) if byte.is_ascii() => PARTS.has(byte),
        Ok(_) | Err(_) => at.is_alphanumeric(),
    }
}

/// Cuts tags, emphasis, `@` and a bracket from the start of a token.
fn unwrap(text: &str, start: usize, end: usize) -> Option<usize> {
    let token = text.get(start..end)?;
    // Most tokens have nothing of it.
    let may_begin = |first: &u8| matches!(first, b'<' | b'*' | b'[' | b'@');
    let is_starred = text.as_bytes().get(end) == Some(&b'*');
    if !is_starred && !token.as_bytes().first().is_some_and(may_begin) && near_byte(b'>', token.as_bytes()).is_none() {
        return Some(start);
    }
    let mut from = start;
    if let Some(close) = near_last(b'>', token.as_bytes()) {
        let open = token.get(..close)?.rfind('<');
        let before = open.map_or("", |open| token.get(..open).unwrap_or(""));
        let inside_path = before.ends_with(|at: char| at.is_alphanumeric() || "-_/}".contains(at));
        let starts_path = token.get(close + 1..)?.starts_with(['/', '-', '.', '_']);
        if open.is_some() && (inside_path || starts_path) {
            return None;
        }
        from = start + close + 1;
    }
    let after = text.get(end..).unwrap_or("");
    if text.get(from..end)?.starts_with('<') && after.starts_with('>') {
        from += 1;
    }
    let token = text.get(from..end)?;
    let stars = token.len() - token.trim_start_matches('*').len();
    let closed = after.starts_with('*');
    if (stars > 0 && !closed && !emphasised(after)) || (stars == 0 && closed && !after.starts_with("**")) {
        return None;
    }
    from += stars;
    let token = text.get(from..end)?;
    if token.starts_with('[') && after.starts_with("](") {
        return None;
    }
    if token.starts_with('[') && after.starts_with(']') {
        from += 1;
    }
    let token = text.get(from..end)?;
    if let Some(rest) = token.strip_prefix('@').filter(|rest| rest.starts_with(['{', '_', '.'])) {
        from += token.len() - rest.len();
    }
    Some(from)
}

/// Says whether emphasis that opened before a path closes after it, behind punctuation or a few words.
fn emphasised(after: &str) -> bool {
    let near = after.get(..after.floor_char_boundary(120)).unwrap_or(after);
    let line = near.split('\n').next().unwrap_or("");
    near_byte(b'*', line.as_bytes()).is_some()
}

fn is_quoted(before: &str, after: &str) -> bool {
    match (before.as_bytes().last(), after.as_bytes().first()) {
        (Some(b'`'), Some(b'`')) | (Some(b'"'), Some(b'"')) | (Some(b'\''), Some(b'\'')) => true,
        (Some(_), Some(0xe2)) => [("“", "”"), ("‘", "’")]
            .iter()
            .any(|(open, close)| before.ends_with(open) && after.starts_with(close)),
        (_, _) => false,
    }
}

/// Reads `{x}` and `{x}/…` at a brace.
fn braced(text: &str, brace: usize) -> Option<Token> {
    let bytes = text.as_bytes();
    if joins(text, brace) {
        return None;
    }
    let name = bytes.get(brace + 1..(brace + 64).min(bytes.len()))?;
    let length = name.iter().position(|at| !NAME_BYTES.has(*at))?;
    if name[length] != b'}' || !name[0].is_ascii_alphabetic() {
        return None;
    }
    let close = brace + length + 2;
    let after = text.get(close..)?;
    if after.starts_with('/') {
        return folder(text, brace, close);
    }
    let goes_on = |at: char| matches!(at, '}' | '-' | '_' | '{' | '[') || at.is_alphanumeric();
    if after.starts_with(goes_on) || ends_in_extension(after) {
        return None;
    }
    Some(Token {
        start: brace,
        end: close,
        form: Form::Variable,
    })
}

/// Says whether a brace goes on with what stands before it, as the second one of `{{x}}` does; emphasis ends before it.
fn joins(text: &str, brace: usize) -> bool {
    match &text.as_bytes()[..brace] {
        [.., b'*', b'*'] | [] => false,
        [.., last] if last.is_ascii() => JOINTS.has(*last),
        _ => text[..brace].ends_with(char::is_alphanumeric),
    }
}

/// The characters of one byte that a brace goes on with.
static JOINTS: ByteSet = ByteSet::of(b"{$-_/}.%#*\\").and_alphanumeric();

/// The bytes of the name of a variable.
static NAME_BYTES: ByteSet = ByteSet::of(b"_-.").and_alphanumeric();

fn ends_in_extension(after: &str) -> bool {
    after
        .strip_prefix('.')
        .is_some_and(|rest| rest.starts_with(|at: char| at.is_ascii_alphanumeric()))
}

/// Reads `{x}/folder/folder`.
fn folder(text: &str, start: usize, close: usize) -> Option<Token> {
    let rest = text.get(close..)?;
    let rest = rest.get(..rest.floor_char_boundary(MAX_PATH)).unwrap_or(rest);
    let length = part_length(rest);
    let path = rest.get(..length)?.trim_end_matches(['.', '/', '*']);
    // Most of them end in the name of a file.
    let last = path.bytes().rfind(|at| matches!(at, b'/' | b'.'));
    if last == Some(b'.') {
        return None;
    }
    let end = close + path.len();
    let whole = text.get(start..end)?;
    let literal = path
        .split('/')
        .any(|part| !part.contains('{') && part.bytes().any(|at| at.is_ascii_alphabetic()));
    let cut = rest.get(path.len()..length).is_some_and(|cut| cut.contains('*'));
    if cut || !literal || !is_path(whole) {
        return None;
    }
    Some(Token {
        start,
        end,
        form: Form::Folder,
    })
}

#[cfg(test)]
mod tests {
    use super::joins;

    #[test]
    fn a_brace_joins_letters_digits_and_marks_of_paths_before_it() {
        let marks = ['{', '$', '-', '_', '/', '}', '.', '%', '#', '*', '\\'];
        let others = ['é', 'ж', '→', '“', '\u{a0}', '½', '語'];
        for last in (0..128).map(char::from).chain(others) {
            for start in ["", "*", "a", "é", "**"] {
                let text = format!("{start}{last}{{x}}");
                let brace = start.len() + last.len_utf8();
                let goes_on = marks.contains(&last) || last.is_alphanumeric();
                let expected = goes_on && !text[..brace].ends_with("**");
                assert_eq!(joins(&text, brace), expected, "{text}");
            }
        }
        assert!(!joins("{x}", 0));
    }
}
