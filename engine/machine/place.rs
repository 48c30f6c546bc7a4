//! Where paths lead: those that authors write, those that come with a value, and those that nothing is written to.
//!
//! What the run was told, by a person, an agent or a file, may name folders below and never leads elsewhere. What the
//! author or the configuration says is held to the project alone.

use super::effect::{Failure, FailureKind};
use super::escape::{self, EscapeError, Refusal};
use super::known::{Given, Known};
use super::render::{self, Names as _};
use super::walk::Walk;
use crate::builtins::Value;
use crate::source::{Span, is_gits};
use crate::syntax::holes;
use std::cell::RefCell;
use std::collections::VecDeque;

/// The folder of an installation that agents keep their own notes in.
const MEMORY: &str = "_memory";
/// Why nothing is written to what belongs to git.
pub const GITS: &str = "belongs to git, and no workflow writes there; name a path outside of `.git`";

/// Returns the folder of the installation that a path of the project lies in, the notes of agents aside. `roots` are the
/// folders that the project is known to have installations in.
pub fn installation<'a>(path: &'a str, roots: &[String]) -> Option<&'a str> {
    let mut end = 0;
    let mut parts = path.split('/').peekable();
    while let Some(part) = parts.next() {
        end += part.len();
        let walked = &path[..end];
        let is_install = part.eq_ignore_ascii_case("_bmad") || roots.iter().any(|root| root == walked);
        if is_install && parts.peek().is_none_or(|next| *next != MEMORY) {
            return Some(walked);
        }
        end += 1;
    }
    None
}

impl<'p> Walk<'_, 'p> {
    /// Returns where a path leads that an author wrote: what a run-time value or `{project-root}` begins is seen from the
    /// project, anything else from the file it is written in and then from the project.
    pub(super) fn path(&self, written: &str) -> Result<String, Failure> {
        let written = bare(written);
        let filled = self.led(&|known| render::text(written, known))?;
        let lead = holes(written, Span::default()).into_iter().next();
        let Some(lead) = lead.filter(|hole| hole.span.start == 0).map(|hole| hole.name) else {
            return self.near(&filled);
        };
        if self.is_given(lead) {
            return self.place(&filled);
        }
        if !matches!(lead, "project-root" | "project_root") {
            return self.near(&filled);
        }
        let below = filled.trim_start_matches("./");
        let first = below.split('/').next().unwrap_or_default();
        let library = &self.image.library;
        if !library.is_install_root(first) {
            return self.place(&filled);
        }
        let there = self.resolved(written).filter(|found| library.exists(found));
        let embedded = || self.standard(&filled).map(|file| library.source(file).path().clone());
        match there.or_else(embedded) {
            Some(found) => Ok(self.image.in_project(&found)),
            None => self.place(&filled),
        }
    }

    /// Says whether the run gave a name its value: an input, an answer, a reply.
    pub(super) fn is_given(&self, name: &str) -> bool {
        let base = name.split('.').next().unwrap_or_default();
        self.frame().variables.contains(base)
    }

    /// Returns where a path leads that is written in the file that runs.
    pub(super) fn near(&self, text: &str) -> Result<String, Failure> {
        let text = bare(text);
        match self.resolved(text) {
            None if self.image.apart(text).is_some() => Ok(text.to_owned()),
            Some(found) => Ok(self.image.in_project(&found)),
            None => self.place(text),
        }
    }

    /// Returns where a path leads as seen from the project; nothing leads out of it.
    pub(super) fn place(&self, text: &str) -> Result<String, Failure> {
        let text = bare(text);
        escape::project_path(text)
            .map(|path| path.as_str().to_owned())
            .map_err(|error| Failure {
                kind: FailureKind::Escapes,
                message: match error.refusal {
                    Refusal::Upwards | Refusal::Absolute | Refusal::Outside => {
                        format!("`{text}` leads out of the project")
                    }
                    Refusal::TooLong { .. } | Refusal::Nul | Refusal::Control(_) | Refusal::Changed => {
                        error.to_string()
                    }
                },
            })
    }

    /// Returns where each path of a list leads.
    pub(super) fn listed(&self, written: &str) -> Result<VecDeque<String>, Failure> {
        let errors = RefCell::new(Vec::new());
        let Value::List(paths) = render::value(written, &self.known().with(Given::Part(&errors))) else {
            return Ok(VecDeque::new());
        };
        let place = |path: &Value| {
            let path = path.to_string();
            match marked(&path, &errors.borrow()) {
                Some(error) => Err(refused(error)),
                None => self.place(&path),
            }
        };
        paths.iter().map(place).collect()
    }

    /// Returns where a path that an author wrote leads, where something is written to it.
    pub(super) fn target(&self, written: &str) -> Result<String, Failure> {
        let filled = self.led(&|known| render::text(written, known))?;
        self.writable(self.place(&filled)?)
    }

    /// Returns what a name says that stands for the path of a document; nothing where nobody gave it a value.
    pub(super) fn document_named(&self, name: &str) -> Option<Result<String, Failure>> {
        self.known().value(name)?;
        Some(self.led(&|known| known.value(name).unwrap_or_default().to_string()))
    }

    /// Refuses a place that belongs to the installation or to git.
    pub(super) fn writable(&self, path: String) -> Result<String, Failure> {
        if path.split('/').any(is_gits) {
            return Err(denied(&path, GITS));
        }
        let Some(root) = installation(&path, &self.image.installations()) else {
            return Ok(path);
        };
        let why = format!("is part of the installation, which no workflow changes; name a path outside of `{root}`");
        Err(denied(&path, &why))
    }

    /// Makes a path, and refuses what the run was told where it would lead elsewhere.
    fn led(&self, make: &dyn Fn(&Known<'_, 'p>) -> String) -> Result<String, Failure> {
        let errors = RefCell::new(Vec::new());
        let filled = make(&self.known().with(Given::Part(&errors)));
        if let Some(error) = marked(&filled, &errors.borrow()) {
            return Err(refused(error));
        }
        // Values that are harmless each may lead upwards side by side.
        let blank = make(&self.known().with(Given::Blank));
        if climbs(&filled) > climbs(&blank) {
            return Err(denied(
                &filled,
                "is put together from values that lead upwards; name the folder itself",
            ));
        }
        Ok(filled)
    }
}

/// Marks every text of a value that may not be part of a path, and notes why.
pub(super) fn mark(name: &str, value: &Value, errors: &RefCell<Vec<EscapeError>>) -> Value {
    match value {
        // What a command or a file of one line gave ends with a line break, which is no part of a path.
        Value::Text(text) => match escape::path_part(text.trim_end_matches(['\n', '\r'])) {
            Ok(part) => Value::Text(part),
            Err(error) => {
                let mut errors = errors.borrow_mut();
                errors.push(error.of(name));
                Value::Text(format!("\0{}\0", errors.len() - 1))
            }
        },
        Value::List(items) => {
            let each = |(at, item): (usize, &Value)| mark(&format!("{name}.{at}"), item, errors);
            Value::List(items.iter().enumerate().map(each).collect())
        }
        Value::Map(entries) => {
            let each =
                |(field, value): &(String, Value)| (field.clone(), mark(&format!("{name}.{field}"), value, errors));
            Value::Map(entries.iter().map(each).collect())
        }
        Value::Nothing | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// Puts a plain word in place of every text of a value.
pub(super) fn blank(value: &Value) -> Value {
    match value {
        Value::Text(_) => Value::from("x"),
        Value::List(items) => Value::List(items.iter().map(blank).collect()),
        Value::Map(entries) => {
            let each = |(field, value): &(String, Value)| (field.clone(), blank(value));
            Value::Map(entries.iter().map(each).collect())
        }
        Value::Nothing | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// Returns why the first text in a path that is marked may not be there.
fn marked<'e>(path: &str, errors: &'e [EscapeError]) -> Option<&'e EscapeError> {
    let number = path.split('\0').nth(1)?;
    number.parse::<usize>().ok().and_then(|at| errors.get(at))
}

fn climbs(path: &str) -> usize {
    path.split(['/', '\\']).filter(|part| part.trim() == "..").count()
}

fn refused(error: &EscapeError) -> Failure {
    Failure {
        kind: FailureKind::Escapes,
        message: error.to_string(),
    }
}

fn denied(path: &str, why: &str) -> Failure {
    Failure {
        kind: FailureKind::Escapes,
        message: format!("`{path}` {why}"),
    }
}

/// Takes the white space and the quotes off that people put around a path. A quote at one end alone belongs to the name.
fn bare(text: &str) -> &str {
    let text = text.trim();
    let inside = ['"', '\'', '`']
        .into_iter()
        .find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote));
    inside.map_or(text, bare)
}

#[cfg(test)]
mod tests {
    use super::{bare, installation};

    #[test]
    fn an_installation_is_known_by_its_name_or_by_its_place() {
        let roots = ["sub/.bmad".to_owned()];
        assert_eq!(installation("a/_BMAD/core", &roots), Some("a/_BMAD"));
        assert_eq!(installation("sub/.bmad/core/x.md", &roots), Some("sub/.bmad"));
        for path in [
            ".bmad/core",
            "sub/.bmad/_memory/x",
            "sub/.bmad-output",
            "_bmad/_memory",
            "",
        ] {
            assert_eq!(installation(path, &roots), None, "{path}");
        }
    }

    #[test]
    fn quotes_are_taken_off_a_path_in_pairs() {
        for text in ["a b", " 'a b' ", "\"a b\"", "`'a b'`"] {
            assert_eq!(bare(text), "a b", "{text}");
        }
        for text in ["notes'", "'notes", "\"notes'", "./'notes'", "'"] {
            assert_eq!(bare(text), text);
        }
    }
}
