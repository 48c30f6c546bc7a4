//! Reviewed texts in, where things stand in them out: files, sections, blocks and quotes.
//!
//! White space never decides whether a quote is there. What leads out of the project is nowhere.

mod outline;
mod spot;
mod squeeze;

pub(crate) use outline::{Section, heading_key};
pub(crate) use spot::Spot;
pub(crate) use squeeze::squeezed;

use super::Value;
use super::finding::without_line;
use super::given::{field, words};
use crate::source::{ProjectPath, sha256};
use outline::Outline;
use squeeze::Squeezed;
use std::cell::OnceCell;
use std::ops::Range;

/// The texts under review.
#[derive(Debug)]
pub(crate) struct Documents {
    pub(crate) files: Vec<Document>,
    /// Whether they came as one text, of which nobody said where it is.
    pub(crate) is_one: bool,
}

/// One text under review.
#[derive(Debug)]
pub(crate) struct Document {
    /// Where it is; empty where nobody said.
    pub(crate) path: String,
    pub(crate) text: String,
    /// The hash of the file, where the text is not all that it holds.
    hash: Option<String>,
    outline: OnceCell<Outline>,
    squeezed: OnceCell<Squeezed>,
}

/// Which file a path means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Meant {
    /// This one.
    File(usize),
    /// None is named.
    Unnamed,
    /// Several end like this.
    Several,
    /// One that is not under review.
    Unknown,
    /// One outside the project.
    Outside,
}

impl Documents {
    /// Reads one text, one `{path, text}`, a map from paths to texts, or a list of `{path, text}`.
    pub(crate) fn read(value: &Value) -> Self {
        let files = match value {
            Value::List(items) => items.iter().map(Document::read).collect(),
            Value::Map(_) if value.get("path").is_some() || value.get("text").is_some() => vec![Document::read(value)],
            Value::Map(entries) => entries.iter().map(|(path, text)| Document::named(path, text)).collect(),
            Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) => {
                return Self {
                    files: vec![Document::new("", value.to_string())],
                    is_one: true,
                };
            }
        };
        Self { files, is_one: false }
    }

    /// Returns which file a reviewer or fixer means.
    pub(crate) fn meant(&self, file: &str) -> Meant {
        let written = file.trim().trim_matches('`');
        if written.is_empty() {
            return Meant::Unnamed;
        }
        let is_named = |known: &Document| known.path == written || known.path == file.trim();
        if let Some(at) = self.files.iter().position(is_named) {
            return Meant::File(at);
        }
        let Some(path) = tidy(written) else {
            return self.whole(written);
        };
        if let [Document { path: known, .. }] = self.files.as_slice()
            && known.is_empty()
        {
            return Meant::File(0);
        }
        let exact = self.files.iter().position(|known| known.path == path);
        if let Some(at) = exact {
            return Meant::File(at);
        }
        let ending = format!("/{path}");
        let mut ends = self
            .files
            .iter()
            .enumerate()
            .filter(|(_, known)| known.path.ends_with(&ending));
        match (ends.next(), ends.next()) {
            (Some((at, _)), None) => Meant::File(at),
            (Some(_), Some(_)) => Meant::Several,
            (None, _) => Meant::Unknown,
        }
    }

    /// Returns which file a path from the root of the disk means: the one whose path it ends with, the longest first.
    ///
    /// What lies in the project was named by its path there before it came here. Somebody who works elsewhere, in a
    /// container, has another root; a name alone is that of too many files.
    fn whole(&self, written: &str) -> Meant {
        let path = bare(written).replace('\\', "/");
        let drive = path.get(1..3) == Some(":/") && path.starts_with(|letter: char| letter.is_ascii_alphabetic());
        let is_whole = drive || (path.starts_with('/') && !path.starts_with("//"));
        if !is_whole || path.split('/').any(|part| part == "..") {
            return Meant::Outside;
        }
        let ends = |known: &Document| {
            let before = path.strip_suffix(known.path.as_str());
            known.path.contains('/') && before.is_some_and(|before| before.ends_with('/'))
        };
        let known = self.files.iter().enumerate().filter(|(_, known)| ends(known));
        let longest = known.max_by_key(|(_, known)| known.path.len());
        longest.map_or(Meant::Outside, |(at, _)| Meant::File(at))
    }
}

impl Document {
    pub(crate) fn new(path: &str, text: String) -> Self {
        Self {
            path: path.to_owned(),
            text,
            hash: None,
            outline: OnceCell::new(),
            squeezed: OnceCell::new(),
        }
    }

    fn read(value: &Value) -> Self {
        match value {
            Value::Map(_) => {
                let text = field(value, &["text", "content"]).map(Value::to_string);
                let path = words(value, &["path", "file"]);
                let hash = Some(words(value, &["sha256"])).filter(|hash| !hash.is_empty());
                // The path of a document is a name and nothing else, whatever is in it.
                let path = ProjectPath::new(&path).map_or(path, |path| path.as_str().to_owned());
                let document = Self::new(&path, text.unwrap_or_default());
                Self { hash, ..document }
            }
            Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
                Self::new("", value.to_string())
            }
        }
    }

    fn named(path: &str, value: &Value) -> Self {
        let text = match value {
            Value::Map(_) => Self::read(value).text,
            Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => value.to_string(),
        };
        Self::new(&tidy(path).unwrap_or_else(|| path.to_owned()), text)
    }

    /// Returns the SHA-256 of the file.
    pub(crate) fn hash(&self) -> String {
        self.hash.clone().unwrap_or_else(|| sha256(self.text.as_bytes()))
    }

    pub(crate) fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| Outline::read(&self.path, &self.text))
    }

    fn squeezed(&self) -> &Squeezed {
        self.squeezed.get_or_init(|| Squeezed::new(&self.text))
    }

    /// Returns where words stand, whatever the white space between them.
    pub(crate) fn places(&self, words: &str) -> Vec<Range<usize>> {
        self.squeezed().places(words)
    }
}

/// Returns the hash of a text that stays the same when it is wrapped differently.
pub(crate) fn text_hash(text: &str) -> String {
    let mut hash = sha256(squeezed(text).as_bytes());
    hash.truncate(16);
    hash
}

/// Returns a path below the project, without a line behind it; none where it leads out.
fn tidy(path: &str) -> Option<String> {
    ProjectPath::new(bare(path)).map(|path| path.as_str().to_owned())
}

/// Returns a path without the line or the heading behind it.
fn bare(path: &str) -> &str {
    let path = without_line(path);
    let line = path.rsplit_once(':').filter(|(before, line)| {
        !before.is_empty() && !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
    });
    let path = line.map_or(path, |(before, _)| before);
    path.split_once('#').map_or(path, |(before, _)| before)
}

#[cfg(test)]
mod tests;
