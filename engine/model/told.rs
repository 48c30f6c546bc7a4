//! Text in, the names it speaks of otherwise than in braces out: prose defines them.

use crate::source::{ByteSet, QuickHasher, QuickMap, near_places};
use memchr::memmem;
use std::hash::Hasher;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The names that a text speaks of.
#[derive(Debug)]
pub(super) struct Told {
    /// Where those with an underscore stand, as nearly all that are asked for have: the first of each hash.
    names: QuickMap<u64, Range<u32>>,
    /// What was found out about others: every file of a workflow asks about the same few.
    asked: Mutex<QuickMap<Box<str>, bool>>,
    /// Where all stand, read once many were asked for.
    all: OnceLock<QuickMap<u64, Range<u32>>>,
}

/// How many names are looked for one by one.
const MANY: usize = 64;

impl Told {
    /// Reads a text.
    pub(super) fn read(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut names: QuickMap<u64, Range<u32>> = QuickMap::default();
        let mut end = 0;
        for at in near_places(b'_', bytes) {
            if at < end {
                continue;
            }
            let start = bytes[..at]
                .iter()
                .rposition(|byte| !is_part(*byte))
                .map_or(0, |at| at + 1);
            end = bytes[at..]
                .iter()
                .position(|byte| !is_part(*byte))
                .map_or(bytes.len(), |length| at + length);
            names
                .entry(hash(&bytes[start..end]))
                .or_insert(start as u32..end as u32);
        }
        Self {
            names,
            asked: Mutex::default(),
            all: OnceLock::new(),
        }
    }

    /// Says whether `text`, which this was read from, speaks of a name.
    pub(super) fn names(&self, text: &str, name: &str) -> bool {
        let is_told = |first: &Range<u32>| {
            let told = text.get(first.start as usize..first.end as usize);
            told == Some(name) || speaks_of(text, name)
        };
        let is_whole = !name.is_empty() && name.bytes().all(is_part);
        if is_whole && name.contains('_') {
            return self.names.get(&hash(name.as_bytes())).is_some_and(is_told);
        }
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(told) = asked.get(name) {
            return *told;
        }
        if is_whole && asked.len() >= MANY {
            let all = self.all.get_or_init(|| runs(text));
            return all.get(&hash(name.as_bytes())).is_some_and(is_told);
        }
        let told = speaks_of(text, name);
        asked.insert(Box::from(name), told);
        told
    }
}

/// Collects everything in a text that may be a name: the first of each hash.
fn runs(text: &str) -> QuickMap<u64, Range<u32>> {
    let mut runs: QuickMap<u64, Range<u32>> = QuickMap::default();
    let mut start = 0;
    for run in text.as_bytes().split(|byte| !is_part(*byte)) {
        let end = start + run.len();
        if !run.is_empty() {
            runs.entry(hash(run)).or_insert(start as u32..end as u32);
        }
        start = end + 1;
    }
    runs
}

fn hash(name: &[u8]) -> u64 {
    let mut hasher = QuickHasher::default();
    hasher.write(name);
    hasher.finish()
}

/// Looks through the whole text for a name that stands alone.
pub(crate) fn speaks_of(text: &str, name: &str) -> bool {
    let alone = |byte: Option<&u8>| byte.is_none_or(|byte| !is_part(*byte));
    memmem::find_iter(text.as_bytes(), name.as_bytes()).any(|at| {
        let before = at.checked_sub(1).and_then(|before| text.as_bytes().get(before));
        alone(before) && alone(text.as_bytes().get(at + name.len()))
    })
}

/// Says whether a byte beside a name makes it a part of something else.
fn is_part(byte: u8) -> bool {
    PARTS.has(byte)
}

/// The bytes that a name is a part of something else beside.
static PARTS: ByteSet = ByteSet::of(b"_-{}.").and_alphanumeric();

#[cfg(test)]
mod tests {
    use super::{Told, speaks_of};

    #[test]
    fn a_name_is_told_where_it_stands_alone() {
        let text = "Store user_name; {in_braces} and a-b_c, x.y_z. _start é_umlaut the end_";
        let told = Told::read(text);
        let names = [
            "user_name",
            "y_z",
            "user",
            "in_braces",
            "a-b_c",
            "b_c",
            "_start",
            "é_umlaut",
            "end_",
            "x.y_z",
            "x.y_z.",
            "_umlaut",
            "",
            "_",
            "the end_",
        ];
        for name in names {
            assert_eq!(told.names(text, name), speaks_of(text, name), "{name}");
        }
        assert!(told.names(text, "user_name") && told.names(text, "user") == speaks_of(text, "user"));
        assert!(!told.names(text, "in_braces"));
    }

    #[test]
    fn many_names_are_told_as_few_are() {
        let text: String = (0..300).map(|at| format!("a{at} {{b{at}}} é{at}.c-{at}, ")).collect();
        let told = Told::read(&text);
        for at in 0..310 {
            for name in [
                format!("a{at}"),
                format!("b{at}"),
                format!("{at}.c-{at}"),
                format!("é{at}"),
            ] {
                assert_eq!(told.names(&text, &name), speaks_of(&text, &name), "{name}");
            }
        }
    }
}
