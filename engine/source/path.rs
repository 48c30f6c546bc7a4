//! Paths that cannot leave the project.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

/// A path below the project root, with `/` between its parts and no `.` or `..` in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProjectPath(Arc<str>);

impl ProjectPath {
    /// Returns the project root itself.
    pub fn root() -> Self {
        Self(Arc::from(""))
    }

    /// Normalises `text`; answers nothing when the path is absolute or leads out of the project.
    pub fn new(text: &str) -> Option<Self> {
        Self::root().join(text)
    }

    /// Returns `text` as seen from this folder; answers nothing when it leads out of the project.
    pub fn join(&self, text: &str) -> Option<Self> {
        if text.starts_with(['/', '\\']) || has_drive(text) {
            return None;
        }
        let mut path = String::with_capacity(self.0.len() + 1 + text.len());
        path.push_str(&self.0);
        let mut rest = text;
        while !rest.is_empty() {
            let end = memchr::memchr2(b'/', b'\\', rest.as_bytes()).unwrap_or(rest.len());
            match &rest[..end] {
                "" | "." => {}
                ".." if path.is_empty() => return None,
                ".." => path.truncate(path.rfind('/').unwrap_or(0)),
                name => {
                    if !path.is_empty() {
                        path.push('/');
                    }
                    path.push_str(name);
                }
            }
            rest = rest.get(end + 1..).unwrap_or("");
        }
        Some(Self(Arc::from(path)))
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
        name.rfind('.').map_or(name, |dot| &name[..dot])
    }

    /// Returns what follows the last dot of the last name.
    pub fn extension(&self) -> &str {
        let name = self.name();
        name.rfind('.').map_or("", |dot| &name[dot + 1..])
    }

    /// Returns the folder the path is in; the root is its own folder.
    pub fn folder(&self) -> Self {
        match self.last_slash() {
            Some(slash) => Self(Arc::from(&self.0[..slash])),
            None => Self::root(),
        }
    }

    fn last_slash(&self) -> Option<usize> {
        memchr::memrchr(b'/', self.0.as_bytes())
    }

    /// Says whether this path is `folder` or lies below it.
    pub fn is_in(&self, folder: &ProjectPath) -> bool {
        folder.0.is_empty()
            || self
                .0
                .strip_prefix(folder.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
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

fn has_drive(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() > 1 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':'
}
