//! A file in, what the whole of it says of its paths out: gathered once, and only where a path asks for it.

use super::expected::place;
use super::{absence, prose::topic, reader};
use crate::diagnostic::is_misspelt;
use crate::lint::{FileUnit, Reference, ReferenceKind, nearest};
use crate::model::{Document, MentionRole, Resolution};
use crate::source::{ProjectPath, QuickMap, Span};
use std::cell::{OnceCell, RefCell};
use std::collections::HashSet;

/// From how many letters on a bare name may be a near miss of that of a file.
const LONG_NAME: usize = 12;

/// How many bare names of a file, and as many paths, are compared with the files there are.
const MOST_NAMES: usize = 64;

/// Names, each with the file that it is a near miss of, where it is of any.
type NearFiles<'a> = RefCell<QuickMap<String, Option<&'a ProjectPath>>>;

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
    /// The columns of a table most cells of which lead to files.
    columns: OnceCell<HashSet<&'a str>>,
    /// The files of the skill around.
    parts: OnceCell<Vec<&'a ProjectPath>>,
    /// The file that each bare name is a near miss of, where it is of any.
    near_names: NearFiles<'a>,
    /// The file that each path is a near miss of, where it is of any.
    near_paths: NearFiles<'a>,
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
            columns: OnceCell::new(),
            parts: OnceCell::new(),
            near_names: RefCell::default(),
            near_paths: RefCell::default(),
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
            let here = self.unit.document.source.path().folder_str();
            let beside = self.unit.subject.library.files_in(here);
            beside
                .filter_map(|document| topic(document.source.path().name()))
                .collect()
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

    /// Says whether most cells of a column lead to files: then the column holds paths of this project, whatever it is
    /// called.
    pub(super) fn leads_mostly_to_files(&self, column: &str) -> bool {
        self.columns.get_or_init(|| columns(self.unit)).contains(column)
    }

    /// Finds the file that a name in prose is a near miss of: a bare name to load of one in the folder of the same skill,
    /// a path of one in the folder that it leads to.
    pub(super) fn near_part(&self, reference: &Reference<'_>) -> Option<&'a ProjectPath> {
        let name = &*reference.text;
        if reference.kind != ReferenceKind::Prose || name.contains(['\\', '{']) {
            return None;
        }
        let is_bare = !name.contains('/');
        if is_bare && (!name.ends_with(".md") || name.len() < LONG_NAME || self.is_name_of_file(name)) {
            return None;
        }
        let mut near = match is_bare {
            true => self.near_names.borrow_mut(),
            false => self.near_paths.borrow_mut(),
        };
        if let Some(known) = near.get(name) {
            return *known;
        }
        if near.len() == MOST_NAMES {
            return None;
        }
        let found = match is_bare {
            true => near_miss(name, self.parts.get_or_init(|| self.parts())),
            false => self.near_beside(reference),
        };
        near.insert(name.to_owned(), found);
        found
    }

    /// Finds the file that a path is a near miss of in the folder that it leads to.
    fn near_beside(&self, reference: &Reference<'_>) -> Option<&'a ProjectPath> {
        let Resolution::Missing(beside) = &reference.resolution else {
            return None;
        };
        near_in_folder(self.unit, &place(self.unit, reference, beside))
    }

    /// Collects the files of the skill around this one.
    fn parts(&self) -> Vec<&'a ProjectPath> {
        let Some(skill) = self.unit.skill() else {
            return Vec::new();
        };
        let documents = self.unit.subject.library.documents();
        let paths = documents.map(|document| document.source.path());
        paths.filter(|path| path.is_in(&skill)).collect()
    }

    /// Says whether the row of a table that names a file also names a skill that is declared: an installer moves skills to
    /// the folders of agent tools.
    pub(super) fn is_declared_elsewhere(&self, reference: &Reference<'_>) -> bool {
        self.declared
            .get_or_init(|| declared(self.unit))
            .contains(&reference.span)
    }
}

/// Finds the file in a folder that a path into it is most likely a misspelling of.
pub(super) fn near_in_folder<'a>(unit: &FileUnit<'a>, expected: &ProjectPath) -> Option<&'a ProjectPath> {
    let beside = unit.subject.library.files_in(expected.folder_str());
    let beside: Vec<&ProjectPath> = beside.map(|document| document.source.path()).collect();
    near_miss(expected.name(), &beside)
}

/// Finds the file among some whose name another name is most likely a misspelling of.
fn near_miss<'a>(name: &str, paths: &[&'a ProjectPath]) -> Option<&'a ProjectPath> {
    let found = nearest(name, paths.iter().map(|path| path.name())).filter(|near| is_misspelt(name, near))?;
    paths.iter().copied().find(|path| path.name() == found)
}

/// Collects the columns of a table most cells of which lead to files.
fn columns<'a>(unit: &FileUnit<'a>) -> HashSet<&'a str> {
    let mut counts: QuickMap<&str, (usize, usize)> = QuickMap::default();
    let cells = unit.facts.references.iter();
    for cell in cells.filter(|cell| cell.kind == ReferenceKind::Table) {
        let (found, all) = counts.entry(cell.key).or_default();
        *found += usize::from(matches!(cell.resolution, Resolution::Found(_)));
        *all += 1;
    }
    let mostly = counts
        .into_iter()
        .filter(|(_, (found, all))| *found > 1 && found * 2 > *all);
    mostly.map(|(column, _)| column).collect()
}

/// Collects the paths that the file and those beside it write.
fn written<'a>(unit: &FileUnit<'a>) -> QuickMap<&'a str, Option<u32>> {
    let own = unit.document.source.path();
    let writes = |document: &&Document| document.source.path() == own || document.role.instructs();
    let mut found: QuickMap<&str, Option<u32>> = QuickMap::default();
    for document in unit.subject.library.files_in(own.folder_str()).filter(writes) {
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
