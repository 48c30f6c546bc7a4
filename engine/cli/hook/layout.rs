//! The text of a JSON file in, what stands where in it out, so that it can be changed without being written anew.

use std::fmt;
use std::ops::Range;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed {
    /// From its first byte to behind its last.
    pub(super) at: Range<usize>,
    /// What it is.
    pub(super) what: What,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    /// Keys and values, in their order.
    Object(Vec<Member>),
    /// Values.
    Array(Vec<Placed>),
    /// Text.
    Text(String),
    /// A number, true, false or null.
    Other,
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Member {
    /// The key.
    pub(super) key: String,
    /// Where the key starts.
    pub(super) start: usize,
    /// The value.
    pub(super) value: Placed,
}

/// What is wrong with a file, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong {
    /// The line, from 1.
    pub(super) line: usize,
    /// The column, from 1.
    pub(super) column: usize,
    /// What is wrong.
    pub(super) what: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.line, self.column, self.what)
    }
}

impl Wrong {
    /// Says what is wrong at a place of a text.
    pub(super) fn at(text: &str, place: usize, what: &str) -> Self {
        let before = &text[..place];
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line..].chars().count() + 1,
            what: what.to_owned(),
        }
    }
}

impl Placed {
    /// Returns the value of a key; of a key that is there twice the last counts, as it does for those who read the file.
    pub(super) fn get(&self, key: &str) -> Option<&Placed> {
        match &self.what {
            What::Object(members) => members
                .iter()
                .rfind(|member| member.key == key)
                .map(|member| &member.value),
            What::Array(_) | What::Text(_) | What::Other => None,
        }
    }

    /// Returns where the members of an object or the items of an array stand.
    pub(super) fn parts(&self) -> Vec<Range<usize>> {
        match &self.what {
            What::Object(members) => members.iter().map(|member| member.start..member.value.at.end).collect(),
            What::Array(items) => items.iter().map(|item| item.at.clone()).collect(),
            What::Text(_) | What::Other => Vec::new(),
        }
    }

    /// Returns the text of a text.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.what {
            What::Text(text) => Some(text),
            What::Object(_) | What::Array(_) | What::Other => None,
        }
    }
}

/// Finds everything in a JSON file.
///
/// # Errors
/// Answers where it is no JSON.
pub(super) fn read(text: &str) -> Result<Placed, Wrong> {
    // Whoever checks the file also bounds how deep it is, so what follows cannot go too deep or astray.
    if let Err(error) = serde_json::from_str::<serde_json::Value>(text) {
        let what = error.to_string();
        return Err(Wrong {
            line: error.line(),
            column: error.column(),
            what: what.split(" at line ").next().unwrap_or_default().to_owned(),
        });
    }
    let mut reader = Reader { text, at: 0 };
    let found = reader.value();
    found.ok_or_else(|| Wrong::at(text, 0, "it cannot be read"))
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn value(&mut self) -> Option<Placed> {
        let start = self.skip();
        let what = match self.peek()? {
            b'{' => self.object()?,
            b'[' => self.array()?,
            b'"' => What::Text(self.string()?),
            _ => {
                let is_end = |byte: &u8| matches!(byte, b',' | b']' | b'}') || byte.is_ascii_whitespace();
                let rest = self.text.as_bytes().get(self.at..)?;
                self.at += rest.iter().position(is_end).unwrap_or(rest.len());
                What::Other
            }
        };
        Some(Placed {
            at: start..self.at,
            what,
        })
    }

    fn object(&mut self) -> Option<What> {
        let mut members = Vec::new();
        self.at += 1;
        loop {
            let start = self.skip();
            match self.peek()? {
                b'}' => break,
                b',' => self.at += 1,
                _ => {
                    let key = self.string()?;
                    self.skip();
                    self.at += 1;
                    let value = self.value()?;
                    members.push(Member { key, start, value });
                }
            }
        }
        self.at += 1;
        Some(What::Object(members))
    }

    fn array(&mut self) -> Option<What> {
        let mut items = Vec::new();
        self.at += 1;
        loop {
            self.skip();
            match self.peek()? {
                b']' => break,
                b',' => self.at += 1,
                _ => items.push(self.value()?),
            }
        }
        self.at += 1;
        Some(What::Array(items))
    }

    fn string(&mut self) -> Option<String> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        self.at += 1;
        while *bytes.get(self.at)? != b'"' {
            self.at += if bytes[self.at] == b'\\' { 2 } else { 1 };
        }
        self.at += 1;
        serde_json::from_str(self.text.get(start..self.at)?).ok()
    }

    fn skip(&mut self) -> usize {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.at
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}
