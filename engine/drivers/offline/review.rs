//! A document in, what is wrong with it and which checks said so out.

use super::check::{About, CHECKS, Check, Finding, document, every, of_any_text};
use super::finding::map;
use super::ground::Ground;
use super::page::Page;
use super::program::is_program;
use crate::builtins::Value;
use crate::machine::Task;
use crate::source::ProjectPath;
use crate::syntax::Format;

/// The most checks that a summary names; the lenses name them all.
const MOST_NAMED: usize = 13;

/// What a review found in one document.
pub(super) struct Reviewed {
    pub(super) path: ProjectPath,
    pub(super) findings: Vec<Value>,
    /// Whether only its form was looked at, because it tells an agent what to do.
    is_program: bool,
    /// How many findings each check has.
    counts: Vec<(&'static str, usize)>,
}

/// Returns the checks that a turn names in the parameter `checks`; nothing where it names none.
pub(super) fn wanted(task: &Task) -> Result<Option<Vec<&'static Check>>, String> {
    let Some((_, named)) = task.params.iter().find(|(name, _)| name == "checks") else {
        return Ok(None);
    };
    let named = named.to_string();
    let words = named.split([',', ' ', '\n']).filter(|word| !word.is_empty());
    let known = words.map(|word| {
        let found = CHECKS.iter().find(|check| check.name == word);
        found.ok_or_else(|| {
            let names: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
            format!("there is no check `{word}`; there are {}", names.join(", "))
        })
    });
    known.collect::<Result<Vec<&Check>, String>>().map(Some)
}

/// A document that was read, with everything that every check finds in it.
pub(super) struct Examined {
    pub(super) page: Page,
    pub(super) found: Vec<Finding>,
}

/// Reads a document and makes every check; each place is told.
pub(super) fn examine(path: &ProjectPath, ground: &Ground<'_>) -> Result<Examined, String> {
    let bytes = ground.read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(examine_text(path, ground, &text))
}

/// Makes every check on a text as if the document said that.
pub(super) fn examine_text(path: &ProjectPath, ground: &Ground<'_>, text: &str) -> Examined {
    let page = Page::new(text);
    let folder = path.folder();
    let exists = |target: &str| ground.leads_somewhere(&folder, target);
    let all: Vec<&'static Check> = CHECKS.iter().collect();
    let found = every(&page, &exists, &fitting(path, &all));
    Examined { page, found }
}

/// Looks at a document, with the checks that are named or all that make sense for it.
pub(super) fn review(
    path: &ProjectPath,
    ground: &Ground<'_>,
    named: Option<&[&'static Check]>,
) -> Result<Reviewed, String> {
    let bytes = ground.read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let page = Page::new(&text);
    let is_program = named.is_none() && is_program(path, &page, ground);
    let fits = |check: &&Check| !is_program || check.about == About::Form;
    let all: Vec<&'static Check> = CHECKS.iter().filter(fits).collect();
    let checks = fitting(path, named.unwrap_or(&all));
    let folder = path.folder();
    let exists = |target: &str| ground.leads_somewhere(&folder, target);
    let found = document(&page, &exists, &checks);
    let count = |name: &str| found.iter().filter(|finding| finding.check == name).count();
    let value = |finding: &Finding| finding.value(&page, path.as_str());
    Ok(Reviewed {
        path: path.clone(),
        is_program,
        counts: checks.iter().map(|check| (check.name, count(check.name))).collect(),
        findings: found.iter().map(value).collect(),
    })
}

/// Keeps the checks that make sense for a file: most of them read Markdown.
fn fitting(path: &ProjectPath, checks: &[&'static Check]) -> Vec<&'static Check> {
    if Format::of(path.name()) == Some(Format::Markdown) || matches!(path.extension(), "" | "txt") {
        checks.to_vec()
    } else {
        of_any_text(checks)
    }
}

impl Reviewed {
    /// Says what was looked at, so that silence is not taken for praise.
    pub(super) fn summary(&self) -> String {
        let findings = match self.findings.len() {
            0 => "nothing found".to_owned(),
            1 => "1 finding".to_owned(),
            count => format!("{count} findings"),
        };
        let names: Vec<&str> = self.counts.iter().map(|(name, _)| *name).collect();
        let checks = if names.len() > MOST_NAMED {
            format!("{} checks without a model", names.len())
        } else {
            format!("checks without a model: {}", names.join(", "))
        };
        let only = if self.is_program {
            "; it tells an agent what to do, so only its form was checked: bmad lint checks the rest"
        } else {
            ""
        };
        format!("{findings} in {} by {checks}{only}", self.path)
    }
}

/// Returns how many findings each check has in all documents.
pub(super) fn counts(all: &[Reviewed]) -> Value {
    let counts = tallies(all).into_iter().map(|tally| {
        let number = u32::try_from(tally.found).unwrap_or(u32::MAX);
        (tally.name.to_owned(), Value::Number(f64::from(number)))
    });
    Value::Map(counts.collect())
}

/// Returns every check that was made as a lens that was tried, also those that showed nothing.
pub(super) fn lenses(all: &[Reviewed]) -> Value {
    let lenses = tallies(all).into_iter().map(|tally| {
        let found = match tally.found {
            0 => "nothing found".to_owned(),
            count => format!("{count} found"),
        };
        let result = if tally.documents == all.len() {
            found
        } else {
            format!("{found} in {} of {} documents", tally.documents, all.len())
        };
        map([("name", Value::from(tally.name)), ("result", Value::Text(result))])
    });
    Value::List(lenses.collect())
}

/// What one check found.
struct Tally {
    name: &'static str,
    found: usize,
    /// In how many documents it was made.
    documents: usize,
}

/// Counts what each check found, in the order of the checks; one that was made nowhere is left out.
fn tallies(all: &[Reviewed]) -> Vec<Tally> {
    let counted = CHECKS.iter().map(|check| {
        let own = |reviewed: &Reviewed| reviewed.counts.iter().find(|(name, _)| *name == check.name).copied();
        let made: Vec<usize> = all.iter().filter_map(own).map(|(_, count)| count).collect();
        Tally {
            name: check.name,
            found: made.iter().sum(),
            documents: made.len(),
        }
    });
    counted.filter(|tally| tally.documents > 0).collect()
}
