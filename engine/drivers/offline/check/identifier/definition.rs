//! Lines that define a requirement: `- **FR-1:** text`, `### Story 2.3: title`, a row of a table.

use crate::drivers::offline::grid::{Grid, grids};
use crate::drivers::offline::label::{Label, labels};
use crate::drivers::offline::page::{Page, PageLine};
use crate::syntax::LineKind;

/// Words of a heading below which names are only listed.
const LISTS: &[&str] = &[
    "coverage",
    "traceability",
    "mapping",
    " map",
    "matrix",
    "cross-reference",
    "dependencies",
];
/// Words of the header of a table that says where requirements are dealt with.
const TRACES: &[&str] = &[
    "epic",
    "story",
    "stories",
    "test",
    "covered",
    "coverage",
    "component",
    "status",
];
/// The most letters of a definition that are compared and repeated.
const LONGEST: usize = 60;

/// Where a requirement gets its name.
pub(super) struct Definition {
    pub(super) label: Label,
    /// The last name, where a range is defined.
    pub(super) until: Option<Label>,
    /// The first words of what it says.
    pub(super) text: String,
    pub(super) form: Form,
}

/// How a definition is written: two of the same name and the same form compete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Form {
    /// A heading of a level.
    Heading(u8),
    /// A line of a section that lists requirements.
    Line(Option<usize>),
    /// A row of a table, by where the table begins.
    Row(usize),
    /// A row of a table that says where requirements are dealt with, by where the row begins.
    Trace(usize),
}

impl Definition {
    /// Returns every name that is defined, and whether this is the place where it is written and not only listed.
    pub(super) fn names(&self) -> Vec<(&'static str, Vec<u32>, bool)> {
        let numbers = match &self.until {
            Some(last) => self.label.up_to(last),
            None => vec![self.label.numbers.clone()],
        };
        let is_own = match self.form {
            Form::Heading(_) => true,
            Form::Line(_) | Form::Row(_) => !matches!(self.label.family, "Story" | "Epic"),
            Form::Trace(_) => false,
        };
        numbers
            .into_iter()
            .map(|numbers| (self.label.family, numbers, is_own))
            .collect()
    }
}

/// Returns every definition of a page.
pub(super) fn definitions(page: &Page) -> Vec<Definition> {
    let mut found = Vec::new();
    let mut listed = (None, false);
    for line in page.lines() {
        let section = page.section_number(line.start);
        if listed.0 != section {
            listed = (section, section.is_some_and(|number| only_lists(page, number)));
        }
        match line.kind {
            LineKind::Heading(level) => {
                found.extend(defined(&line, Form::Heading(level)));
            }
            LineKind::Item | LineKind::Text | LineKind::Quote | LineKind::Code if !listed.1 => {
                found.extend(defined(&line, Form::Line(home(page, section))));
            }
            LineKind::Item | LineKind::Text | LineKind::Quote | LineKind::Code => {}
            LineKind::Table | LineKind::Blank | LineKind::Frontmatter | LineKind::FenceMark => {}
        }
    }
    for grid in grids(page) {
        found.extend(rows(page, &grid));
    }
    found
}

/// Says whether the section lists names that are defined elsewhere.
fn only_lists(page: &Page, section: usize) -> bool {
    let title = page.headings[section].text.to_lowercase();
    LISTS.iter().any(|words| title.contains(words))
}

/// Returns the section that names have to be unique in: that of the requirements, or the nearest.
fn home(page: &Page, section: Option<usize>) -> Option<usize> {
    let parent = section.and_then(|number| page.parent(number));
    let is_home = |number: &usize| page.headings[*number].text.to_lowercase().contains("requirement");
    parent.filter(is_home).or(section)
}

/// Reads a line that begins with a name, and then says what it is.
fn defined(line: &PageLine<'_>, form: Form) -> Option<Definition> {
    let is_heading = matches!(form, Form::Heading(_));
    let all = labels(line.visible);
    let first = all.first()?;
    let before = &line.visible[..first.range.start];
    let is_first = before.chars().filter(|each| each.is_alphabetic()).count() <= if is_heading { 12 } else { 1 };
    // A box in front is a task, and a bracket is a remark.
    if !is_first || before.contains('(') || before.contains("[ ]") || before.contains("[x]") {
        return None;
    }
    let until = all.get(1).filter(|next| next.ends_range);
    let end = until.map_or(first.range.end, |last| last.range.end);
    let rest = &line.visible[end..];
    let marked = before.ends_with("**") || before.ends_with("__") || before.ends_with('`');
    let closed = rest.trim_start_matches(['*', '_', '`', ')', ']']);
    let is_bold = marked && closed.len() < rest.len();
    let says = closed.strip_prefix([':', '：']).or_else(|| closed.strip_prefix(". "));
    let says = says.or_else(|| {
        let spaced = closed.trim_start_matches([' ', '(', 'P', '0', '1', '2', '3', ')']);
        spaced.strip_prefix(['-', '–', '—']).filter(|_| closed.starts_with(' '))
    });
    let says = says.or_else(|| closed.strip_prefix(" [").map(|_| closed));
    let says = says.or((is_heading || is_bold).then_some(closed))?;
    Some(Definition {
        label: placed(first, line.start),
        until: until.map(|last| placed(last, line.start)),
        text: words(says),
        form,
    })
}

fn placed(label: &Label, offset: usize) -> Label {
    Label {
        range: offset + label.range.start..offset + label.range.end,
        ..label.clone()
    }
}

/// Returns the first words of a definition, as they are compared.
fn words(text: &str) -> String {
    let plain = text.replace(['*', '`'], "");
    let plain = plain.trim_matches(|each: char| !each.is_alphanumeric());
    let cut: String = plain.chars().take(LONGEST).collect();
    cut.trim_end().to_owned()
}

/// Reads the rows of a table whose first cell, or the one after a number, is a name.
fn rows(page: &Page, grid: &Grid) -> Vec<Definition> {
    let header = page.text()[grid.header.range.clone()].to_lowercase();
    let is_trace = TRACES.iter().any(|word| header.contains(word));
    let names_epics = header.contains("epic");
    let mut found = Vec::new();
    for row in &grid.rows {
        for column in 0..row.cells.len().min(2) {
            let cell = row.cell(page, column);
            let all = labels(cell);
            let offset = row.cells[column].start;
            if let Some(first) = all.first()
                && cell[..first.range.start].chars().all(|each| !each.is_alphanumeric())
            {
                let until = all.get(1).filter(|next| next.ends_range);
                let form = if is_trace {
                    Form::Trace(row.range.start)
                } else {
                    Form::Row(grid.header.range.start)
                };
                found.push(Definition {
                    label: placed(first, offset),
                    until: until.map(|last| placed(last, offset)),
                    text: words(row.cell(page, column + 1)),
                    form,
                });
                break;
            }
            let number = cell
                .trim_matches('*')
                .parse::<u32>()
                .ok()
                .filter(|_| names_epics && column == 0);
            found.extend(number.map(|number| Definition {
                label: Label {
                    family: "Epic",
                    numbers: vec![number],
                    letter: None,
                    range: row.cells[column].clone(),
                    ends_range: false,
                },
                until: None,
                text: words(row.cell(page, 1)),
                form: Form::Trace(row.range.start),
            }));
        }
    }
    found
}
