//! Names of requirements that nothing defines, or that are defined twice.

mod criteria;
mod definition;

use super::{About, Check, Exists, Finding, Severity};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::label::{Label, labels};
use crate::drivers::offline::page::Page;
use crate::syntax::LineKind;
use definition::{Definition, Form, definitions};
use std::collections::{HashMap, HashSet};

/// Names that are mentioned in a document that defines others of their family.
pub(super) const UNDEFINED: Check = Check {
    name: "undefined-id",
    claims: &[NOWHERE, criteria::NO_CRITERION],
    needs: "the product owner says which requirement is meant, or writes it down",
    about: About::Content,
    find: undefined,
};

/// Names that are given to two requirements.
pub(super) const DUPLICATE: Check = Check {
    name: "duplicate-id",
    claims: &[TWICE],
    needs: "the product owner says which of the two keeps the name: others may refer to it",
    about: About::Content,
    find: duplicates,
};

const NOWHERE: &str = "{} is mentioned and this document, which defines others like it, does not define it";
const TWICE: &str = "{} is defined twice: \"{}\" and \"{}\"";
/// The fewest names of a family that a document has to define before it is the place to look.
const FEWEST: usize = 3;
/// The fewest parts of a plan.
const FEWEST_PARTS: usize = 2;
/// Words of a line about what is no longer, or not yet, or only an example.
const ABOUT: &[&str] = &[
    "removed",
    "dropped",
    "deleted",
    "retired",
    "deprecated",
    "superseded",
    "obsolete",
    "no longer",
    "renumbered",
    "reserved",
    "future",
    "post-mvp",
    "e.g.",
    "example",
    "for instance",
    "previous project",
    "legacy",
    "wrong",
    "❌",
];

type Name = (&'static str, Vec<u32>);

fn undefined(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let defined = definitions(page);
    let mut names: HashSet<Name> = HashSet::new();
    let mut counts: HashMap<(&'static str, usize), usize> = HashMap::new();
    for (family, numbers, is_own) in defined.iter().flat_map(Definition::names) {
        let depth = numbers.len();
        if names.insert((family, numbers.clone())) && is_own {
            *counts.entry((family, depth)).or_default() += 1;
        }
        // Whoever defines FR-4.1 has spoken of FR-4.
        for shorter in 1..depth {
            names.insert((family, numbers[..shorter].to_vec()));
        }
    }
    let places: HashSet<usize> = defined.iter().map(|definition| definition.label.range.start).collect();
    let mut open: HashMap<(&'static str, usize), Vec<Label>> = HashMap::new();
    for label in mentions(page) {
        let kind = (label.family, label.numbers.len());
        let fewest = if matches!(label.family, "Story" | "Epic") {
            FEWEST_PARTS
        } else {
            FEWEST
        };
        let is_home = counts.get(&kind).is_some_and(|count| *count >= fewest);
        let is_known = names.contains(&(label.family, label.numbers.clone()));
        if is_home && !is_known && !places.contains(&label.range.start) {
            open.entry(kind).or_default().push(label);
        }
    }
    let mut found = criteria::find(page);
    for (kind, labels) in open {
        let distinct: HashSet<&Vec<u32>> = labels.iter().map(|label| &label.numbers).collect();
        let known = counts.get(&kind).copied().unwrap_or(0);
        // A document that mentions many names it does not define speaks of another document.
        if distinct.len() <= (known / 3).max(1) {
            found.extend(labels.iter().map(|label| missing(page, label, known)));
        }
    }
    found
}

fn missing(page: &Page, label: &Label, known: usize) -> Finding {
    let written = name(label);
    Finding {
        check: UNDEFINED.name,
        severity: Severity::High,
        range: label.range.clone(),
        message: say(NOWHERE, [&written]),
        evidence: format!(
            "{known} names of this kind are defined; line {} mentions another",
            page.line(label.range.start)
        ),
        suggestion: format!("define {written}, or write the name that is meant"),
        repair: Vec::new(),
    }
}

/// Returns a name as people write it.
fn name(label: &Label) -> String {
    let numbers: Vec<String> = label.numbers.iter().map(u32::to_string).collect();
    let gap = if matches!(label.family, "Story" | "Epic") {
        " "
    } else {
        "-"
    };
    format!("{}{gap}{}", label.family, numbers.join("."))
}

/// Returns every name in running text that is meant as one of this document.
fn mentions(page: &Page) -> Vec<Label> {
    let mut found = Vec::new();
    for line in page.lines() {
        let lower = line.visible.to_lowercase();
        let is_other = ABOUT.iter().any(|words| lower.contains(words)) || lower.contains("[source:");
        if is_other || matches!(line.kind, LineKind::Code | LineKind::FenceMark | LineKind::Frontmatter) {
            continue;
        }
        let own = labels(line.prose).into_iter().map(|label| Label {
            range: line.start + label.range.start..line.start + label.range.end,
            ..label
        });
        found.extend(own.filter(|label| !is_elsewhere(page, label)));
    }
    found
}

/// Says whether a name is the text of a link to another document, or struck out.
fn is_elsewhere(page: &Page, label: &Label) -> bool {
    let (start, end) = page.near(label.range.start);
    let (before, after) = (
        &page.text()[start..label.range.start],
        &page.text()[label.range.end.min(end)..end],
    );
    let link = after.find("](").map(|at| (&after[..at], &after[at + 2..]));
    let is_linked = link.is_some_and(|(inside, target)| !inside.contains(['[', ']']) && !target.starts_with('#'));
    is_linked && before.contains('[') || before.matches("~~").count() % 2 == 1
}

fn duplicates(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let defined = definitions(page);
    let mut first: HashMap<(Name, Option<char>, Form), &Definition> = HashMap::new();
    let mut found = Vec::new();
    // Parts of a plan are listed in many places; only their headings say where they are written.
    let competes = |definition: &&Definition| {
        let is_part = matches!(definition.label.family, "Story" | "Epic");
        let is_heading = matches!(definition.form, Form::Heading(_));
        definition.until.is_none() && (!is_part || is_heading)
    };
    for definition in defined.iter().filter(competes) {
        let label = &definition.label;
        let key = ((label.family, label.numbers.clone()), label.letter, definition.form);
        let Some(earlier) = first.get(&key) else {
            first.insert(key, definition);
            continue;
        };
        if earlier.text == definition.text || definition.text.is_empty() || earlier.text.is_empty() {
            continue;
        }
        let written = name(label);
        let lines = [earlier, definition].map(|each| page.line(each.label.range.start));
        found.push(Finding {
            check: DUPLICATE.name,
            severity: Severity::High,
            range: label.range.clone(),
            message: say(TWICE, [&written, &earlier.text, &definition.text]),
            evidence: format!("line {} and line {} each give it to a requirement", lines[0], lines[1]),
            suggestion: "give one of the two a name of its own".to_owned(),
            repair: Vec::new(),
        });
    }
    found
}
