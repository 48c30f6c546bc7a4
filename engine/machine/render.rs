//! Text with holes and the names that are known in, filled text out. A value is never read again once it is filled in.
//!
//! What is not known stays exactly as written: it is somebody else's to fill. The only door to the template engine.

mod block_lines;
mod decide;
mod fill;
mod head;
mod mark;
mod scope;
#[cfg(test)]
mod tests;

pub use block_lines::without_block_lines;
pub use mark::{MAX_DEPTH, Problem, ProblemKind};

pub(super) use fill::{Style, fill};

use super::matter;
use crate::builtins::Value;
use minijinja::{Environment, ErrorKind, Output, State};
use std::borrow::Cow;
use std::fmt;
use std::io;

/// The most bytes that values and repeated text may add to a text.
pub const MAX_OUTPUT: usize = 16 * 1024 * 1024;

/// The most instructions a template of the engine's own may take.
const MAX_FUEL: u64 = 5_000_000;

/// Names and their values.
pub trait Names {
    /// Returns the value of a name; nothing where the name is not known.
    fn value(&self, name: &str) -> Option<Value>;

    /// Returns the words for the value of a name, where they are others than those of any value.
    fn told(&self, _name: &str, _value: &Value) -> Option<String> {
        None
    }

    /// Says whether the hole of a name stays as it is written although there is a value.
    fn stays(&self, _name: &str, _value: &Value) -> bool {
        false
    }

    /// Says whether the run itself gave a name its value.
    fn is_given(&self, _name: &str) -> bool {
        false
    }

    /// Returns how many items the text has that is the value of a name, where it stands for a list.
    fn count(&self, _name: &str, _text: &str) -> Option<usize> {
        None
    }
}

impl<F: Fn(&str) -> Option<Value>> Names for F {
    fn value(&self, name: &str) -> Option<Value> {
        self(name)
    }
}

/// The mark that stands for the path of a file of the skill.
const SNAPSHOT: &str = "[[bmad-snapshot:";

/// Fills the holes and blocks of a text.
pub fn text(text: &str, names: &dyn Names) -> String {
    fill(&with_paths(text, names), names, Style::Text).0
}

/// Writes the path of a file of the skill where a text has a mark for it: `[[bmad-snapshot:plan.md]]`.
fn with_paths<'t>(text: &'t str, names: &dyn Names) -> Cow<'t, str> {
    if memchr::memmem::find(text.as_bytes(), SNAPSHOT.as_bytes()).is_none() || names.value("skill-root").is_none() {
        return Cow::Borrowed(text);
    }
    let mut whole = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(SNAPSHOT) {
        let Some((file, behind)) = after.split_once("]]").filter(|(file, _)| !file.contains('\n')) else {
            break;
        };
        whole.push_str(before);
        whole.push_str("{skill-root}/");
        whole.push_str(file);
        rest = behind;
    }
    Cow::Owned(whole + rest)
}

/// Fills a text that stands for a value: where it is exactly one hole the value keeps its type.
pub fn value(written: &str, names: &dyn Names) -> Value {
    fill::only(written, names).unwrap_or_else(|| Value::Text(text(written, names)))
}

/// Finds a name, or the longest known name it starts with and the fields behind it; nothing is filled in.
pub(crate) fn find(name: &str, names: &dyn Names) -> Option<Value> {
    scope::known(names, name)
}

/// Starts a document from a template of BMAD: what is known is filled, the other slots stay for later sections.
pub fn document(template: &str, names: &dyn Names) -> String {
    let Some(head) = matter::head(template) else {
        return text(template, names);
    };
    let mut document = template[..head.body.start].to_owned();
    document.push_str(&head::fill(&template[head.body.clone()], names));
    document.push_str(&template[head.body.end..head.end]);
    document.push_str(&text(&template[head.end..], names));
    document
}

/// Lists what keeps blocks of a text from being rendered.
pub fn blocks(text: &str) -> Vec<Problem> {
    mark::problems(text)
}

/// Renders a template of the engine's own with the names of `keys`.
///
/// A name that is no word, such as `project-root`, is reached with underscores instead.
pub fn ours(template: &str, names: &dyn Names, keys: &[String]) -> Result<String, RenderError> {
    let mut environment = Environment::new();
    environment.set_keep_trailing_newline(true);
    environment.set_fuel(Some(MAX_FUEL));
    environment.set_formatter(format);
    let mut known = Vec::new();
    for key in keys {
        if let Some(value) = names.value(key) {
            let word = key.replace(['-', '.', ':'], "_");
            if word != *key && !keys.contains(&word) {
                known.push((word, value.clone()));
            }
            known.push((key.clone(), value));
        }
    }
    let mut out = Capped(Vec::new());
    let rendered = environment
        .template_from_str(&without_block_lines(template))
        .and_then(|template| template.render_captured_to(Value::Map(known), &mut out).map(|_| ()));
    match rendered {
        Ok(()) => Ok(String::from_utf8_lossy(&out.0).into_owned()),
        Err(error) => Err(RenderError::from(&error)),
    }
}

/// Why a template could not be rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderError {
    /// The line of the template, where it is known.
    pub line: Option<usize>,
    /// What is wrong with it.
    pub why: String,
}

impl From<&minijinja::Error> for RenderError {
    fn from(error: &minijinja::Error) -> Self {
        let why = match error.kind() {
            ErrorKind::WriteFailure => format!("the text grows over {MAX_OUTPUT} bytes; let it show less"),
            ErrorKind::OutOfFuel => format!("it takes more than {MAX_FUEL} instructions; let it repeat less"),
            kind => match error.detail() {
                Some(detail) => format!("{kind}: {detail}"),
                None => kind.to_string(),
            },
        };
        Self {
            line: error.line(),
            why,
        }
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(formatter, "the template fails in line {line}: {}", self.why),
            None => write!(formatter, "the template fails: {}", self.why),
        }
    }
}

impl std::error::Error for RenderError {}

/// Writes a value as text in every other place shows it: nothing is empty, a list has commas.
fn format(out: &mut Output<'_>, _: &State<'_, '_>, value: &minijinja::Value) -> Result<(), minijinja::Error> {
    let write = |out: &mut Output<'_>, text: &str| out.write_str(text).map_err(minijinja::Error::from);
    if value.is_undefined() || value.is_none() {
        return Ok(());
    }
    let items = match value.kind() {
        minijinja::value::ValueKind::Seq => value.try_iter()?,
        _ => return write(out, &value.to_string()),
    };
    for (index, item) in items.enumerate() {
        if index > 0 {
            write(out, ", ")?;
        }
        write(out, &item.to_string())?;
    }
    Ok(())
}

struct Capped(Vec<u8>);

impl io::Write for Capped {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_OUTPUT {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
