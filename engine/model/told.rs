//! Text in, the names it speaks of otherwise than in braces out: prose defines them.

use crate::source::{ByteSet, QuickHasher, QuickMap, near_places};
use memchr::memmem::Finder;
use std::hash::Hasher;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A name that several texts are asked about: making ready to look for it takes as long as looking through a text.
#[derive(Debug)]
pub struct Wanted<'n> {
    name: &'n str,
    finder: Finder<'n>,
}

/// The names that a text speaks of.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// How many names with an underscore were looked for one by one, as nearly all that are asked for have one.
    sought: AtomicUsize,
    /// Where those stand, read once a few were asked for: the first of each hash.
    joined: OnceLock<QuickMap<u64, Range<u32>>>,
    /// What was found out about others: every file of a workflow asks about the same few.
    asked: Mutex<QuickMap<Box<str>, bool>>,
    /// Where all stand, read once many were asked for.
    all: OnceLock<QuickMap<u64, Range<u32>>>,
}

/// How many names with an underscore are looked for one by one.
const FEW: usize = 6;

/// How many others are.
const MANY: usize = 64;

impl Told {
    /// Says whether `text`, which is always the same, speaks of a name.
    pub(super) fn names(&self, text: &str, wanted: &Wanted<'_>) -> bool {
        let name = wanted.name;
        let is_told = |first: &Range<u32>| {
            let told = text.get(first.start as usize..first.end as usize);
            told == Some(name) || wanted.is_in(text)
        };
        let is_whole = !name.is_empty() && name.bytes().all(is_part);
        if is_whole && name.contains('_') {
            if self.joined.get().is_none() && self.sought.fetch_add(1, Ordering::Relaxed) < FEW {
                return wanted.is_in(text);
            }
            let joined = self.joined.get_or_init(|| joined(text));
            return joined.get(&hash(name.as_bytes())).is_some_and(is_told);
        }
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(told) = asked.get(name) {
            return *told;
        }
        if is_whole && asked.len() >= MANY {
            let all = self.all.get_or_init(|| runs(text));
            return all.get(&hash(name.as_bytes())).is_some_and(is_told);
        }
        let told = wanted.is_in(text);
        asked.insert(Box::from(name), told);
        told
    }
}

/// Collects everything in a text with an underscore that may be a name: the first of each hash.
fn joined(text: &str) -> QuickMap<u64, Range<u32>> {
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
    names
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

impl<'n> Wanted<'n> {
    /// Makes ready to look for a name.
    pub fn new(name: &'n str) -> Self {
        let finder = Finder::new(name.as_bytes());
        Self { name, finder }
    }

    /// Looks through a whole text for the name standing alone.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let alone = |byte: Option<&u8>| byte.is_none_or(|byte| !is_part(*byte));
        self.finder.find_iter(text.as_bytes()).any(|at| {
            let before = at.checked_sub(1).and_then(|before| text.as_bytes().get(before));
            alone(before) && alone(text.as_bytes().get(at + self.name.len()))
        })
    }
}

/// Looks through a whole text for a name that stands alone.
pub(crate) fn speaks_of(text: &str, name: &str) -> bool {
    Wanted::new(name).is_in(text)
}

/// Says whether a byte beside a name makes it a part of something else.
fn is_part(byte: u8) -> bool {
    PARTS.has(byte)
}

/// The bytes that a name is a part of something else beside.
static PARTS: ByteSet = ByteSet::of(b"_-{}.").and_alphanumeric();

#[cfg(test)]
mod tests {
    use super::{FEW, Told, Wanted, speaks_of};

    fn names(told: &Told, text: &str, name: &str) -> bool {
        told.names(text, &Wanted::new(name))
    }

    #[test]
    fn a_name_is_told_where_it_stands_alone() {
        let text = "Store user_name; {in_braces} and a-b_c, x.y_z. _start é_umlaut the end_";
        let told = Told::default();
        let all = [
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
        // The first few names are looked for one by one, and all of them in another way after that.
        for name in all.iter().chain(&all) {
            assert_eq!(names(&told, text, name), speaks_of(text, name), "{name}");
        }
        assert!(told.joined.get().is_some() && all.iter().filter(|name| name.contains('_')).count() > FEW);
        assert!(names(&told, text, "user_name") && names(&told, text, "user") == speaks_of(text, "user"));
        assert!(!names(&told, text, "in_braces"));
    }

    #[test]
    fn many_names_are_told_as_few_are() {
        let text: String = (0..300).map(|at| format!("a{at} {{b{at}}} é{at}.c-{at}, ")).collect();
        let told = Told::default();
        for at in 0..310 {
            for name in [
                format!("a{at}"),
                format!("b{at}"),
                format!("{at}.c-{at}"),
                format!("é{at}"),
            ] {
                assert_eq!(names(&told, &text, &name), speaks_of(&text, &name), "{name}");
            }
        }
    }
}
