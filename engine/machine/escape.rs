//! A value in, text out that stays one value wherever it goes: a shell, a path, a template, frontmatter.
//!
//! Values that enter a shell, a path or frontmatter are limited; the text of a document is not.

#[cfg(test)]
mod tests;
mod yaml;

pub use yaml::yaml_scalar;
pub(super) use yaml::{double, double_inside, single};

use crate::source::ProjectPath;
use std::fmt;

/// The most bytes of a value that enters a shell, a path or frontmatter.
pub const MAX_BYTES: usize = 10 * 1024;

/// What a value enters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A command line.
    Shell,
    /// The path of a file.
    Path,
    /// The frontmatter of a document.
    Frontmatter,
}

impl Target {
    fn name(self) -> &'static str {
        match self {
            Target::Shell => "a shell",
            Target::Path => "a path",
            Target::Frontmatter => "frontmatter",
        }
    }
}

/// Why a value may not enter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It is longer than `MAX_BYTES`.
    TooLong {
        /// How many bytes it has.
        bytes: usize,
    },
    /// It holds a NUL byte.
    Nul,
    /// It holds a control character.
    Control(char),
    /// It leads upwards.
    Upwards,
    /// It does not start from the project.
    Absolute,
    /// It leads out of the project.
    Outside,
    /// Reading back what was written gives another value.
    Changed,
}

/// A value that may not enter, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EscapeError {
    /// The variable, where it is known.
    pub name: Option<String>,
    /// What it would have entered.
    pub target: Target,
    /// Why it may not.
    pub refusal: Refusal,
}

impl EscapeError {
    /// Names the variable whose value it is.
    #[must_use]
    pub fn of(self, name: &str) -> Self {
        Self {
            name: Some(name.to_owned()),
            ..self
        }
    }
}

impl fmt::Display for EscapeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(formatter, "`{name}`")?,
            None => formatter.write_str("the value")?,
        }
        let target = self.target.name();
        match &self.refusal {
            Refusal::TooLong { bytes } => write!(
                formatter,
                " has {bytes} bytes, the most that may enter {target} is {MAX_BYTES}; shorten it or put it into a file"
            ),
            Refusal::Nul => write!(
                formatter,
                " holds a NUL byte, which may not enter {target}; take it out"
            ),
            Refusal::Control(control) => write!(
                formatter,
                " holds the control character U+{:04X}, which may not enter {target}; take it out",
                u32::from(*control)
            ),
            Refusal::Upwards => write!(
                formatter,
                " holds `..`, which may not enter {target}; name the folder itself"
            ),
            Refusal::Absolute => write!(
                formatter,
                " is an absolute path, which may not enter {target}; write it as seen from the project"
            ),
            Refusal::Outside => write!(formatter, " leads out of the project; name a path inside it"),
            Refusal::Changed => write!(formatter, " does not survive its quoting for {target}; change it"),
        }
    }
}

impl std::error::Error for EscapeError {}

/// Quotes a value so that a POSIX shell reads it as one word, whatever it holds.
pub fn shell(value: &str) -> Result<String, EscapeError> {
    check(value, Target::Shell)?;
    let quoted = format!("'{}'", value.replace('\'', r"'\''"));
    if word(&quoted).as_deref() == Some(value) {
        Ok(quoted)
    } else {
        Err(refuse(Target::Shell, Refusal::Changed))
    }
}

/// Writes a path as one word of a shell: as it is where it is plain, in quotes otherwise. Nothing where no shell could
/// take it.
pub fn shell_word(path: &str) -> Option<String> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+=:@,".contains(&byte);
    // What begins with a dash would be taken for an option.
    let path = match path.starts_with('-') {
        true => format!("./{path}"),
        false => path.to_owned(),
    };
    match !path.is_empty() && path.bytes().all(is_plain) {
        true => Some(path),
        false => shell(&path).ok(),
    }
}

/// Escapes a value so that nothing in it is a hole: backslashes first, then braces.
pub fn template(value: &str) -> String {
    value.replace('\\', r"\\").replace('{', r"\{").replace('}', r"\}")
}

/// Undoes `template`. A backslash before anything else stays.
pub fn unescape_template(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let escaped = match character {
            '\\' => characters.next_if(|next| matches!(next, '\\' | '{' | '}')),
            _ => None,
        };
        value.push(escaped.unwrap_or(character));
    }
    value
}

/// Lets a value be part of a path: it may name folders below, and never lead elsewhere.
pub fn path_part(value: &str) -> Result<String, EscapeError> {
    let refuse = |refusal| refuse(Target::Path, refusal);
    check_path(value)?;
    // Some systems drop the spaces behind a name, so that `.. ` leads upwards there.
    if value.split(['/', '\\']).any(|part| part.trim() == "..") {
        return Err(refuse(Refusal::Upwards));
    }
    // A value may be written here and read on a system that has drives; elsewhere `a:b.md` is a name like any other.
    let has_drive = match value.as_bytes() {
        [letter, b':', rest @ ..] if letter.is_ascii_alphabetic() => {
            cfg!(windows) || matches!(rest.first(), None | Some(b'/' | b'\\'))
        }
        _ => false,
    };
    match ProjectPath::new(value) {
        Some(_) if !has_drive => Ok(value.to_owned()),
        Some(_) | None => Err(refuse(Refusal::Absolute)),
    }
}

/// Reads a whole path, which may not leave the project.
pub fn project_path(text: &str) -> Result<ProjectPath, EscapeError> {
    check_path(text)?;
    ProjectPath::new(text).ok_or_else(|| refuse(Target::Path, Refusal::Outside))
}

/// Writes a value as a YAML scalar for frontmatter, within the limit.
pub fn frontmatter(value: &str) -> Result<String, EscapeError> {
    check(value, Target::Frontmatter)?;
    Ok(yaml_scalar(value))
}

/// Says whether a value keeps the limits of what it enters.
pub fn check(value: &str, target: Target) -> Result<(), EscapeError> {
    if value.len() > MAX_BYTES {
        return Err(refuse(target, Refusal::TooLong { bytes: value.len() }));
    }
    if value.contains('\0') {
        return Err(refuse(target, Refusal::Nul));
    }
    Ok(())
}

fn check_path(text: &str) -> Result<(), EscapeError> {
    check(text, Target::Path)?;
    match text.chars().find(|character| character.is_control()) {
        Some(control) => Err(refuse(Target::Path, Refusal::Control(control))),
        None => Ok(()),
    }
}

fn refuse(target: Target, refusal: Refusal) -> EscapeError {
    EscapeError {
        name: None,
        target,
        refusal,
    }
}

/// Reads one word of a command line as a POSIX shell does; nothing where it is more than quotes and quoted quotes.
fn word(quoted: &str) -> Option<String> {
    let mut value = String::with_capacity(quoted.len());
    let mut rest = quoted;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(r"\'") {
            value.push('\'');
            rest = after;
        } else {
            let (inside, after) = rest.strip_prefix('\'')?.split_once('\'')?;
            value.push_str(inside);
            rest = after;
        }
    }
    Some(value)
}
