//! Paths that cannot leave the project.

use super::{near_either, near_last};
use std::borrow::Borrow;
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

/// A path below the project root, with `/` between its parts and no `.` or `..` in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProjectPath(Arc<str>);

thread_local! {
    /// Where a path is put together before it is known how long it is.
    static ROOM: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Says whether a part of a path is the folder that git keeps for itself, on whatever disk it is written: some take names
/// for the same that differ in case, in what cannot be seen or in what stands behind them, or have a short name for it.
pub fn is_gits(part: &str) -> bool {
    let is_seen = |each: &char| !matches!(each, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    let seen: String = part.chars().take_while(|each| *each != ':').filter(is_seen).collect();
    let name = seen.trim_end_matches(['.', ' ']);
    name.eq_ignore_ascii_case(".git") || name.eq_ignore_ascii_case("git~1")
}

impl ProjectPath {
    /// Returns the project root itself.
    pub fn root() -> Self {
        Self(Arc::from(""))
    }

    /// Normalises `text`; answers nothing when the path is absolute or leads out of the project.
    pub fn new(text: &str) -> Option<Self> {
        below("", text)
    }

    /// Returns `text` as seen from this folder; answers nothing when it leads out of the project.
    pub fn join(&self, text: &str) -> Option<Self> {
        below(&self.0, text)
    }

    /// Returns `text` as seen from the folder this path is in; answers nothing when it leads out of the project.
    pub fn beside(&self, text: &str) -> Option<Self> {
        below(&self.0[..self.last_slash().unwrap_or(0)], text)
    }

    /// Returns what somebody finds at `text` as seen from this folder, where it leads nowhere out of the project; nothing is
    /// kept of the path itself.
    pub fn find_below<T>(&self, text: &str, find: impl FnOnce(&str) -> T) -> Option<T> {
        seen_from(&self.0, text, find)
    }

    /// Returns what somebody finds at `text` as seen from the root of the project, as `find_below` does.
    pub fn find<T>(text: &str, find: impl FnOnce(&str) -> T) -> Option<T> {
        seen_from("", text, find)
    }

    /// Returns what somebody finds at `text` as seen from the folder this path is in, as `find_below` does.
    pub fn find_beside<T>(&self, text: &str, find: impl FnOnce(&str) -> T) -> Option<T> {
        seen_from(self.folder_str(), text, find)
    }

    /// Keeps a path that `find_below` or `find_beside` told of.
    pub fn keep(told: &str) -> Self {
        Self(Arc::from(told))
    }

    /// Returns the path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the names between the slashes.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/').filter(|part| !part.is_empty())
    }

    /// Returns the last name, or nothing for the root.
    pub fn name(&self) -> &str {
        &self.0[self.last_slash().map_or(0, |slash| slash + 1)..]
    }

    /// Returns the last name without its extension.
    pub fn stem(&self) -> &str {
        let name = self.name();
        near_last(b'.', name.as_bytes()).map_or(name, |dot| &name[..dot])
    }

    /// Returns what follows the last dot of the last name.
    pub fn extension(&self) -> &str {
        let name = self.name();
        name.rfind('.').map_or("", |dot| &name[dot + 1..])
    }

    /// Returns the folder the path is in; the root is its own folder.
    pub fn folder(&self) -> Self {
        match self.folder_str() {
            "" => Self::root(),
            folder => Self(Arc::from(folder)),
        }
    }

    /// Returns the folder the path is in as text.
    pub fn folder_str(&self) -> &str {
        self.last_slash().map_or("", |slash| &self.0[..slash])
    }

    fn last_slash(&self) -> Option<usize> {
        near_last(b'/', self.0.as_bytes())
    }

    /// Says whether this path is `folder` or lies below it.
    pub fn is_in(&self, folder: &ProjectPath) -> bool {
        folder.holds(&self.0)
    }

    /// Says whether a path that is told as text is this folder or lies below it.
    pub fn holds(&self, path: &str) -> bool {
        let rest = path.strip_prefix(self.as_str());
        self.0.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

impl Borrow<str> for ProjectPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProjectPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Debug for ProjectPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", &*self.0)
    }
}

/// Returns `text` as seen from a folder; answers nothing when it leads out of the project.
fn below(folder: &str, text: &str) -> Option<ProjectPath> {
    seen_from(folder, text, ProjectPath::keep)
}

/// Puts `text` behind a folder, and returns what is made of that; answers nothing when it leads out of the project.
fn seen_from<T>(folder: &str, text: &str, make: impl FnOnce(&str) -> T) -> Option<T> {
    if matches!(text.as_bytes().first(), Some(b'/' | b'\\')) || has_drive(text) {
        return None;
    }
    // Whatever is made of it may put together paths of its own.
    let mut path = ROOM.take();
    path.clear();
    path.push_str(folder);
    let made = append(&mut path, text).map(|()| make(&path));
    ROOM.set(path);
    made
}

/// Goes on from a path with the parts of `text`; answers nothing when they lead out of the project.
fn append(path: &mut String, text: &str) -> Option<()> {
    let (mut rest, mut may_be_plain) = (text, true);
    loop {
        if may_be_plain && is_plain(rest) {
            append_name(path, rest);
            return Some(());
        }
        let end = near_either(b'/', b'\\', rest.as_bytes());
        let part = &rest[..end.unwrap_or(rest.len())];
        // Most that lead up first, or to the folder itself, are plain behind that. Each look ends before the next one begins.
        may_be_plain = matches!(part, "." | "..");
        match part {
            "" | "." => {}
            ".." if path.is_empty() => return None,
            ".." => path.truncate(near_last(b'/', path.as_bytes()).unwrap_or(0)),
            name => append_name(path, name),
        }
        let Some(end) = end else {
            return Some(());
        };
        rest = &rest[end + 1..];
    }
}

fn append_name(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('/');
    }
    path.push_str(name);
}

/// Says whether a path is surely written as it is kept: no part of it is empty or begins with a dot. As many bytes are looked
/// at together as the processor can.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else {
        return false;
    };
    !is_odd(bytes) && !matches!(first, b'/' | b'.') && !matches!(last, b'/' | b'\\')
}

/// How many bytes of a path are looked at together.
const WINDOW: usize = 16;

/// Says whether a part begins with a slash or a dot behind any of some bytes but the last, or one of them is a backslash.
fn is_odd(bytes: &[u8]) -> bool {
    let is_pair = |one: u8, next: u8| (one == b'/') & ((next == b'/') | (next == b'.')) | (one == b'\\');
    let Some(end) = bytes.last_chunk::<{ WINDOW + 1 }>() else {
        return bytes.windows(2).any(|pair| is_pair(pair[0], pair[1]));
    };
    let has_pair = |window: &[u8; WINDOW + 1]| {
        // Places that are known beforehand are looked at together.
        (0..WINDOW).fold(false, |found, at| found | is_pair(window[at], window[at + 1]))
    };
    // What is left behind whole windows is looked at with what stands before it.
    let mut rest = bytes;
    while let Some((window, _)) = rest.split_first_chunk() {
        if has_pair(window) {
            return true;
        }
        rest = &rest[WINDOW..];
    }
    has_pair(end)
}

/// Says whether a path begins with a drive. Where there are none, a colon may be the second letter of a name.
fn has_drive(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_one = bytes.len() > 1 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':';
    is_one && (cfg!(windows) || matches!(bytes.get(2), None | Some(b'/' | b'\\')))
}

#[cfg(test)]
mod tests {
    use super::{ProjectPath, is_plain};

    /// Goes from part to part, the slow way.
    fn by_hand(folder: &str, text: &str) -> Option<String> {
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in text.split(['/', '\\']) {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop()?;
                }
                name => parts.push(name),
            }
        }
        Some(parts.join("/"))
    }

    #[test]
    fn a_path_is_what_its_parts_lead_to() {
        let long = "folder/".repeat(9);
        for text in [
            "",
            ".",
            "..",
            "a",
            "a/b.md",
            "./a",
            "../a",
            "../../a",
            "../one/./../a/b.md",
            "./././a/b.md",
            "../a/",
            "../a//b/../c",
            "./a/b/./c/d",
            "a/../b",
            "a/./b",
            "a//b",
            "a/",
            "a\\b",
            "a\\..\\b",
            "a/b\\",
            ".hidden/x",
            "a/.hidden",
            "a/..b",
            "é/ü.md",
            &long,
            &long[..long.len() - 1],
            &format!("{long}../x"),
            &format!("{long}.x"),
        ] {
            for folder in ["", "one", "one/two"] {
                let folder = ProjectPath::new(folder).unwrap();
                let expected = by_hand(folder.as_str(), text);
                let joined = folder.join(text);
                assert_eq!(joined.as_ref().map(ProjectPath::as_str), expected.as_deref(), "{text}");
                let file = folder.join("file.md").unwrap();
                assert_eq!(file.beside(text), joined, "{text}");
                assert_eq!(folder.find_below(text, str::to_owned), expected, "{text}");
                assert_eq!(file.find_beside(text, str::to_owned), expected, "{text}");
            }
            assert!(!is_plain(text) || by_hand("", text).as_deref() == Some(text), "{text}");
        }
        for outside in ["/a", "\\a", "C:/a", "c:\\a", "c:"] {
            assert_eq!(ProjectPath::root().join(outside), None);
            assert_eq!(ProjectPath::root().beside(outside), None);
        }
        assert_eq!(ProjectPath::root().beside("a"), ProjectPath::new("a"));
        assert!(is_plain("a/b.md") && is_plain(&long[..long.len() - 1]));
        for odd in ["//", "/.", "\\"] {
            for (before, after) in (1..40).flat_map(|before| (1..40).map(move |after| (before, after))) {
                assert!(!is_plain(
                    &["a".repeat(before).as_str(), odd, "b".repeat(after).as_str()].concat()
                ));
            }
        }
    }
}
