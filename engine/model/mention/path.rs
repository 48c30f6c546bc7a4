//! A token in, whether it is a path of the project out.

use crate::source::{ByteSet, near_byte, near_either};

/// Says whether the path itself is only a sample.
pub(super) fn is_sample(path: &str) -> bool {
    let bytes = path.as_bytes();
    let around = |at: usize, before: usize| bytes.get(at.checked_sub(before)?..)?.get(..7);
    let mut from = 0;
    // One letter of each is rare.
    while let Some(found) = near_either(b'x', b'h', &bytes[from..]) {
        let at = from + found;
        let is_sample = match bytes[at] {
            b'x' => matches!(around(at, 1), Some(b"example")),
            _ => matches!(around(at, 3), Some(b"path/to" | b"path-to")),
        };
        if is_sample {
            return true;
        }
        from = at + 1;
    }
    false
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

/// Says whether a path begins in the folder of its own workflow or skill.
pub(crate) fn is_packed(path: &str) -> bool {
    ["{skill-root}/", "{skill_root}/", "{installed_path}/"]
        .iter()
        .any(|root| path.starts_with(root))
}

/// Says whether a name ends a path of code or of a form to fill in: such a path is one of a person's own project, unless it
/// begins in the folder of the workflow.
pub(super) fn is_rooted_extension(name: &[u8]) -> bool {
    match name.len() {
        2 => matches!(name, b"ts" | b"rb"),
        3 => matches!(
            name,
            b"cjs" | b"mjs" | b"tsx" | b"jsx" | b"css" | b"sql" | b"svg" | b"ps1" | b"hbs" | b"tpl"
        ),
        4 => matches!(name, b"tmpl"),
        6 => matches!(name, b"groovy"),
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

/// Says whether a token is a path and not a glob, a placeholder or a list of alternatives: it holds nothing that no path
/// has, its braces pair, no folder of it is named like a file, and its name is more than an extension.
pub(super) fn is_path(path: &str) -> bool {
    let bytes = path.as_bytes();
    if matches!(bytes.first(), Some(b'-' | b'/')) {
        return false;
    }
    let (mut is_open, mut may_stand_for_names) = (false, false);
    // Where the name begins that is read, and where its last dot is.
    let (mut name, mut dot) = (0, None);
    let mut from = 0;
    // Letters and digits are most of a path.
    while let Some(found) = bytes[from..].iter().position(|byte| MARKS.has(*byte)) {
        let (at, byte) = (from + found, &bytes[from + found]);
        from = at + 1;
        let next = bytes.get(at + 1);
        match byte {
            b'/' => {
                let is_file = dot.is_some_and(|dot| is_extension(&bytes[dot + 1..at]));
                if is_file || next == Some(byte) {
                    return false;
                }
                (name, dot) = (at + 1, None);
            }
            b'.' if bytes[at..].starts_with(b"...") => return false,
            b'.' => dot = Some(at),
            b'{' if is_open || matches!(next, Some(b'{' | b'}')) => return false,
            b'}' if !is_open || next == Some(byte) => return false,
            b'{' | b'}' => is_open = !is_open,
            b'Y' if bytes[at..].starts_with(b"YYYY") => return false,
            b'N' if bytes[at..].starts_with(b"N.M") => return false,
            b'Y' => {}
            b'N' | b'X' => may_stand_for_names = true,
            b'\\' if parts_names(bytes, at) => {}
            _ => return false,
        }
    }
    !is_open && dot != Some(name) && !(may_stand_for_names && stands_for_names(bytes))
}

/// Says whether a part of a path is nothing but a few `N` or `X`.
fn stands_for_names(path: &[u8]) -> bool {
    // Few paths have one of these letters.
    near_either(b'N', b'X', path).is_some_and(|first| {
        let stands_for = |part: &[u8]| matches!(part.len(), 1..4) && part.iter().all(|at| matches!(at, b'N' | b'X'));
        let is_joint = |at: &u8| matches!(at, b'/' | b'-' | b'_' | b'.');
        let start = path[..first].iter().rposition(is_joint).map_or(0, |joint| joint + 1);
        path[start..].split(is_joint).any(stands_for)
    })
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

/// The bytes that part a path or make it none, alone or with what stands around them.
static MARKS: ByteSet = ByteSet::of(b"[]*$%\\<>~@+{}/.YNX");

/// Says whether a path belongs to the web or to the machine.
pub(super) fn is_outside(before: &str, path: &str) -> bool {
    let host = &path.as_bytes()[..near_byte(b'/', path.as_bytes()).unwrap_or(path.len())];
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

#[cfg(test)]
mod tests {
    use super::is_sample;
    use crate::source::Dice;

    #[test]
    fn a_path_is_a_sample_where_it_has_one_of_three_words() {
        let pieces = ["example", "path", "/to", "-to", "e", "x", "ample", "h", "é", "/"];
        let (mut dice, mut found) = (Dice(9), 0);
        for _ in 0..20_000 {
            let path: String = (0..dice.roll(5)).map(|_| dice.pick(&pieces)).collect();
            let is_one = ["example", "path/to", "path-to"].iter().any(|word| path.contains(word));
            assert_eq!(is_sample(&path), is_one, "{path}");
            found += usize::from(is_one);
        }
        assert!(found > 200, "{found}");
    }
}
