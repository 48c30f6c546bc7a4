//! A file in, what the whole of it says of its paths out: gathered once, and only where a path asks for it.

use super::expected::folder;
use super::{absence, prose::topic, reader};
use crate::lint::{FileUnit, Reference};
use crate::model::{Document, MentionRole};
use crate::source::{QuickMap, Span};
use std::cell::{OnceCell, RefCell};
use std::collections::HashSet;

/// A file, and what was gathered from all of it.
pub(super) struct Page<'a> {
    pub(super) unit: &'a FileUnit<'a>,
    is_read: OnceCell<bool>,
    /// Where the file first writes a path; none where a file beside it does.
    written: OnceCell<QuickMap<&'a str, Option<u32>>>,
    /// The places of each path.
    named: OnceCell<QuickMap<&'a str, Vec<Span>>>,
    /// Where the file first says of a path that nothing may be there; none where it never does.
    absent: RefCell<QuickMap<&'a str, Option<u32>>>,
    /// The cells of rows that name a declared skill.
    declared: OnceCell<HashSet<Span>>,
    /// The names of all files of the project.
    names: OnceCell<HashSet<&'a str>>,
    /// What the step files beside it are about.
    topics: OnceCell<HashSet<&'a str>>,
}

impl<'a> Page<'a> {
    pub(super) fn new(unit: &'a FileUnit<'a>) -> Self {
        Self {
            unit,
            is_read: OnceCell::new(),
            written: OnceCell::new(),
            named: OnceCell::new(),
            absent: RefCell::default(),
            declared: OnceCell::new(),
            names: OnceCell::new(),
            topics: OnceCell::new(),
        }
    }

    /// Says whether any file of the project has a name.
    pub(super) fn is_name_of_file(&self, name: &str) -> bool {
        let names = || {
            let documents = self.unit.subject.library.documents();
            documents.map(|document| document.source.path().name()).collect()
        };
        self.names.get_or_init(names).contains(name)
    }

    /// Says whether a step file beside this one is about a topic.
    pub(super) fn is_topic_of_step(&self, wanted: &str) -> bool {
        let topics = || {
            let here = folder(self.unit.document.source.path());
            let paths = self
                .unit
                .subject
                .library
                .documents()
                .map(|document| document.source.path());
            let beside = paths.filter(|path| folder(path) == here);
            beside.filter_map(|path| topic(path.name())).collect()
        };
        self.topics.get_or_init(topics).contains(wanted)
    }

    /// Says whether somebody follows what the file says.
    pub(super) fn is_read(&self) -> bool {
        *self.is_read.get_or_init(|| reader::is_read(self.unit))
    }

    /// Says whether the same path is written by an earlier sentence of the file, or by a file beside it: then it need not
    /// be there before.
    pub(super) fn is_written_first(&self, reference: &Reference<'_>) -> bool {
        let first = self.written.get_or_init(|| written(self.unit)).get(&*reference.text);
        first.is_some_and(|first| first.is_none_or(|first| first < reference.span.start))
    }

    /// Says whether this sentence or an earlier one of the file says that the file at this path may be absent.
    pub(super) fn may_be_absent(&self, reference: &'a Reference<'a>) -> bool {
        let mut absent = self.absent.borrow_mut();
        let first = absent
            .entry(&reference.text)
            .or_insert_with(|| self.first_absent(&reference.text));
        first.is_some_and(|first| first <= reference.span.start)
    }

    fn first_absent(&self, path: &str) -> Option<u32> {
        let text = self.unit.document.source.text();
        let named = self.named.get_or_init(|| named(self.unit));
        let may = |span: &&Span| absence::may_be_absent(text, span.start as usize..span.end as usize);
        named.get(path)?.iter().find(may).map(|span| span.start)
    }

    /// Says whether the row of a table that names a file also names a skill that is declared: an installer moves skills to
    /// the folders of agent tools.
    pub(super) fn is_declared_elsewhere(&self, reference: &Reference<'_>) -> bool {
        self.declared
            .get_or_init(|| declared(self.unit))
            .contains(&reference.span)
    }
}

/// Collects the paths that the file and those beside it write.
fn written<'a>(unit: &FileUnit<'a>) -> QuickMap<&'a str, Option<u32>> {
    let own = unit.document.source.path();
    let here = folder(own);
    let beside = |document: &&Document| {
        let path = document.source.path();
        folder(path) == here && (path == own || document.role.instructs())
    };
    let mut found: QuickMap<&str, Option<u32>> = QuickMap::default();
    for document in unit.subject.library.documents().filter(beside) {
        let is_own = document.source.path() == own;
        let mentions = document.mentions().iter();
        for mention in mentions.filter(|mention| mention.role == MentionRole::Write && !mention.example) {
            let place = is_own.then_some(mention.span.start);
            let first = found.entry(&mention.text).or_insert(place);
            *first = (*first).min(place);
        }
    }
    found
}

/// Collects the places of each path, in order.
fn named<'a>(unit: &FileUnit<'a>) -> QuickMap<&'a str, Vec<Span>> {
    let mut found: QuickMap<&str, Vec<Span>> = QuickMap::default();
    for reference in &unit.facts.references {
        found.entry(&reference.text).or_default().push(reference.span);
    }
    found
}

/// Collects the cells of the rows of a table that name a declared skill.
fn declared(unit: &FileUnit<'_>) -> HashSet<Span> {
    let skills: HashSet<&str> = unit
        .subject
        .library
        .skills
        .iter()
        .map(|(skill, _)| skill.as_str())
        .collect();
    let rows = unit.document.parsed.rows.iter();
    let naming = rows.filter(|row| row.cells.iter().any(|cell| skills.contains(cell.text.trim())));
    naming.flat_map(|row| row.cells.iter().map(|cell| cell.span)).collect()
}
