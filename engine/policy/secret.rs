//! Text in, the same text without what looks like a secret out.
//!
//! Two levels. `masked` knows shapes that nothing else has and the values of the person's own environment: for every
//! text, on arrival, before anything else looks at it. `masked_loosely` also believes names such as `password = …`: for
//! logs, errors and reports, which nobody works with.

mod key;
mod literal;
mod loose;
mod masker;
mod run;
mod shape;
#[cfg(test)]
mod tests;
mod unmask;

pub use literal::is_secret_name;
pub use masker::Masker;
pub use unmask::Unclear;

use crate::syntax::Needles;
use masker::is_beginning;
use shape::SHAPES;
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

static COMMON: LazyLock<Arc<Secrets>> = LazyLock::new(|| Arc::new(Secrets::of(Vec::new())));

/// What is masked: every known shape, and values that are secret here.
pub struct Secrets {
    /// What a value is called, and one form of it.
    values: Vec<(String, Vec<u8>)>,
    /// Made when it is first needed: most commands print little.
    index: OnceLock<Index>,
}

/// What finds the beginnings of secrets.
struct Index {
    needles: Needles,
    longest: usize,
}

impl fmt::Debug for Secrets {
    /// Never shows a value.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Secrets").finish_non_exhaustive()
    }
}

impl Secrets {
    /// Takes the variables of an environment that are secret by their name.
    pub fn new<'e>(environment: impl IntoIterator<Item = (&'e str, &'e str)>) -> Arc<Self> {
        let secret = environment.into_iter().filter(|(name, _)| is_secret_name(name));
        let values: Vec<(String, Vec<u8>)> = secret
            .flat_map(|(name, value)| {
                literal::forms(value)
                    .into_iter()
                    .map(move |form| (name.to_owned(), form))
            })
            .collect();
        match values.is_empty() {
            true => Self::common(),
            false => Arc::new(Self::of(values)),
        }
    }

    /// Returns what is masked for everybody: the shapes.
    pub fn common() -> Arc<Self> {
        Arc::clone(&COMMON)
    }

    fn of(values: Vec<(String, Vec<u8>)>) -> Self {
        Self {
            values,
            index: OnceLock::new(),
        }
    }

    /// Replaces every token, private key and secret value by `[masked: what it was]`.
    pub fn masked<'t>(self: &Arc<Self>, text: &'t str) -> Cow<'t, str> {
        if self.find_from(text.as_bytes(), 0).is_none() {
            return Cow::Borrowed(text);
        }
        let mut masker = Masker::new(Arc::clone(self));
        let mut given = masker.push(text.as_bytes());
        given.extend(masker.finish());
        if given == text.as_bytes() {
            return Cow::Borrowed(text);
        }
        Cow::Owned(String::from_utf8_lossy(&given).into_owned())
    }

    /// The same, and what only a name gives away.
    pub fn masked_loosely<'t>(self: &Arc<Self>, text: &'t str) -> Cow<'t, str> {
        let masked = self.masked(text);
        match loose::masked(&masked) {
            Some(loosely) => Cow::Owned(loosely),
            None => masked,
        }
    }

    /// Masks the strings of a JSON text one by one, so that it stays JSON.
    pub fn masked_json<'t>(self: &Arc<Self>, json: &'t str) -> Cow<'t, str> {
        if self.find_from(json.as_bytes(), 0).is_none() {
            return Cow::Borrowed(json);
        }
        let mut kept = String::with_capacity(json.len());
        let mut rest = json;
        while let Some(open) = rest.find('"') {
            let Some(length) = string_length(&rest[open..]) else {
                break;
            };
            let literal = &rest[open..open + length];
            kept.push_str(&rest[..open]);
            match self.masked_string(literal) {
                Some(masked) => kept.push_str(&masked),
                None => kept.push_str(literal),
            }
            rest = &rest[open + length..];
        }
        kept.push_str(rest);
        if kept == json {
            Cow::Borrowed(json)
        } else {
            Cow::Owned(kept)
        }
    }

    fn masked_string(self: &Arc<Self>, literal: &str) -> Option<String> {
        self.find_from(literal.as_bytes(), 0)?;
        let text: String = serde_json::from_str(literal).ok()?;
        match self.masked(&text) {
            Cow::Borrowed(_) => None,
            Cow::Owned(masked) => serde_json::to_string(&masked).ok(),
        }
    }

    /// Returns where something may begin.
    fn find_from(&self, bytes: &[u8], at: usize) -> Option<usize> {
        self.index().needles.find_from(bytes, at)
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index {
            needles: Needles::new(self.patterns().map(<[u8]>::to_vec).collect()),
            longest: self.patterns().map(<[u8]>::len).max().unwrap_or(0),
        })
    }

    /// Returns how many bytes at the end of a text may begin something.
    fn held(&self, text: &[u8]) -> usize {
        let index = self.index();
        let from = text.len().saturating_sub(index.longest);
        let begins = |at: &usize| {
            let mut patterns = index.needles.beginning_with(text[*at]).iter();
            patterns.any(|pattern| is_beginning(&text[*at..], pattern))
        };
        (from..text.len()).find(begins).map_or(0, |at| text.len() - at)
    }

    /// Lists what secrets begin with.
    fn patterns(&self) -> impl Iterator<Item = &[u8]> {
        let starts = SHAPES.iter().map(|shape| shape.start.as_bytes());
        let values = self.values.iter().map(|(_, form)| form.as_slice());
        starts.chain([key::BEGIN]).chain(values)
    }
}

/// Masks what is secret for everybody.
pub fn masked(text: &str) -> Cow<'_, str> {
    COMMON.masked(text)
}

/// Says whether something was masked in a text.
pub fn is_masked(text: &str) -> bool {
    text.contains("[masked: ")
}

/// Masks what is secret for everybody, and what only a name gives away.
pub fn masked_loosely(text: &str) -> Cow<'_, str> {
    COMMON.masked_loosely(text)
}

/// Returns the length of the string of JSON that a text begins with, with its quotes.
fn string_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    loop {
        match *bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}
