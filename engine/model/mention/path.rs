//! A token in, whether it is a path of the project out.

use crate::source::ByteSet;
use memchr::{memchr, memchr_iter, memchr2, memrchr};

/// Says whether the path itself is only a sample.
pub(super) fn is_sample(path: &str) -> bool {
    let bytes = path.as_bytes();
    // One letter of each is rare.
    let around = |at: usize, before: usize| bytes.get(at.checked_sub(before)?..)?.get(..7);
    memchr_iter(b'x', bytes).any(|at| matches!(around(at, 1), Some(b"example")))
        || memchr_iter(b'h', bytes).any(|at| matches!(around(at, 3), Some(b"path/to" | b"path-to")))
}

/// Says whether a name ends a path: whether it is one of the extensions.
pub(super) fn is_extension(name: &[u8]) -> bool {
    match name.len() {
        2 => matches!(name, b"md" | b"py" | b"js" | b"sh" | b"j2"),
        3 => matches!(name, b"xml" | b"yml" | b"csv" | b"txt"),
        4 => matches!(name, b"yaml" | b"json" | b"toml" | b"html"),
        _ => false,
    }
}

/// Says whether a name is nothing but letters, digits and the marks of paths.
pub(super) fn is_plain(path: &str) -> bool {
    !path.is_empty()
        && path
            .bytes()
            .all(|at| at.is_ascii_alphanumeric() || b"-_./".contains(&at))
}

/// Says whether a token is a path and not a glob, a placeholder or a list of alternatives.
pub(super) fn is_path(path: &str) -> bool {
    let bytes = path.as_bytes();
    if path.starts_with(['-', '/']) || is_odd(bytes) {
        return false;
    }
    let name = &bytes[memrchr(b'/', bytes).map_or(0, |slash| slash + 1)..];
    if name.first() == Some(&b'.') && memchr(b'.', &name[1..]).is_none() {
        return false;
    }
    !lists_files(bytes) && !stands_for_names(bytes)
}

/// Says whether a folder of a path is named like a file.
fn lists_files(path: &[u8]) -> bool {
    memchr_iter(b'/', path).any(|slash| {
        let dot = path[..slash].iter().rposition(|at| matches!(at, b'.' | b'/'));
        dot.is_some_and(|dot| path[dot] == b'.' && is_extension(&path[dot + 1..slash]))
    })
}

/// Says whether a part of a path is nothing but a few `N` or `X`.
fn stands_for_names(path: &[u8]) -> bool {
    // Few paths have one of these letters.
    memchr2(b'N', b'X', path).is_some_and(|first| {
        let stands_for = |part: &[u8]| matches!(part.len(), 1..4) && part.iter().all(|at| matches!(at, b'N' | b'X'));
        let is_joint = |at: &u8| matches!(at, b'/' | b'-' | b'_' | b'.');
        let start = path[..first].iter().rposition(is_joint).map_or(0, |joint| joint + 1);
        path[start..].split(is_joint).any(stands_for)
    })
}

/// Says whether a text holds something that no path has, or braces that do not pair.
fn is_odd(bytes: &[u8]) -> bool {
    let mut open = false;
    let odd = bytes.iter().enumerate().any(|(at, byte)| {
        // Letters and digits are most of a path.
        if !ODD.has(*byte) {
            return false;
        }
        let unpaired = match byte {
            b'{' => std::mem::replace(&mut open, true),
            b'}' => !std::mem::replace(&mut open, false),
            _ => false,
        };
        unpaired
            || match byte {
                b'{' => matches!(bytes.get(at + 1), Some(b'{' | b'}')),
                b'}' | b'/' => bytes.get(at + 1) == Some(byte),
                b'.' => bytes[at..].starts_with(b"..."),
                b'Y' => bytes[at..].starts_with(b"YYYY"),
                b'N' => bytes[at..].starts_with(b"N.M"),
                b'\\' => !parts_names(bytes, at),
                _ => true,
            }
    });
    odd || open
}

/// Says whether a backslash stands between two names of a path, as in `.\steps\a.md`. Elsewhere it says how to read what
/// follows it, so the path must begin where only a path does.
fn parts_names(path: &[u8], at: usize) -> bool {
    let is_rooted = path.starts_with(b".\\") || path.starts_with(b"..\\") || path.starts_with(b"{");
    let is_joint = |byte: &u8| matches!(byte, b'\\' | b'/');
    let before = path[..at].split(is_joint).next_back().unwrap_or_default();
    let after = path[at + 1..].split(is_joint).next().unwrap_or_default();
    let is_climb = |name: &[u8]| matches!(name, b"." | b"..");
    let is_name = |name: &[u8]| name.len() > 2 && name.first().is_some_and(|first| first.is_ascii_alphanumeric());
    let leads = is_climb(before) || is_name(before) || before.ends_with(b"}");
    is_rooted && leads && (after == b".." || is_name(after))
}

/// The bytes that make a path odd, alone or with what follows them.
static ODD: ByteSet = ByteSet::of(b"[]*$%\\<>~@+{}/.YN");

/// Says whether a path belongs to the web or to the machine.
pub(super) fn is_outside(before: &str, path: &str) -> bool {
    let host = &path.as_bytes()[..memchr(b'/', path.as_bytes()).unwrap_or(path.len())];
    let named = match host.last() {
        Some(b'm' | b'g' | b'o' | b'v' | b't') => [".com", ".org", ".io", ".dev", ".net"]
            .iter()
            .any(|end| host.ends_with(end.as_bytes())),
        Some(_) | None => false,
    };
    named || before.ends_with(['…', '%'])
}

/// Tells `React/Next.js` from a path.
pub(super) fn is_product(path: &str) -> bool {
    if !path.ends_with(".js") || path.starts_with(['.', '{']) {
        return false;
    }
    let name = path.rsplit('/').next().unwrap_or("");
    path.matches('/').count() < 2 && name.starts_with(char::is_uppercase)
}
