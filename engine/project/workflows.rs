//! A library in, its workflows out, each of them lowered.

use super::share::{largest_first, side_by_side};
use crate::graph::Lowered;
use crate::model::{DECLARING, Document, Library, Role, Workflow, workflow};
use crate::source::{ProjectPath, QuickMap, QuickSet, SourceId};
use crate::syntax::Node;

/// Turns a workflow into a graph.
pub(super) type Lower = fn(&Library, &Workflow) -> Lowered;

/// A workflow and its graph, which are large: they stay where they were made while lists of them are put together.
pub(super) type Read = Box<(Workflow, Lowered)>;

/// Reads every workflow of a library, in the order of their declaring files, and lowers it while it is at hand.
///
/// A file that a workflow of an earlier role claims declares none, and what is claimed is known when the workflow was read.
/// All are read at once nevertheless: those that look claimed are left, and those that were claimed all the same are dropped.
pub(super) fn read_workflows(library: &Library, lower: Lower) -> Vec<Read> {
    let read_one = |document: &&Document| {
        let workflow = workflow(library, document)?;
        let lowered = lower(library, &workflow);
        Some(Box::new((workflow, lowered)))
    };
    let looks_claimed = looks_claimed(library);
    let declares = |document: &&Document| DECLARING.contains(&document.role);
    let mut likely: Vec<&Document> = library.documents().filter(declares).collect();
    likely.retain(|document| !looks_claimed.contains(&document.source.id()));
    // A few of them take as long as all others.
    let mut found = largest_first(&likely, |document| extent(library, document), read_one);
    let at_hand: QuickMap<SourceId, usize> = likely.iter().map(|document| document.source.id()).zip(0..).collect();
    let mut read: Vec<Read> = Vec::with_capacity(likely.len());
    let mut claimed: QuickSet<SourceId> = QuickSet::default();
    for role in DECLARING {
        let free = |document: &&Document| document.role == *role && !claimed.contains(&document.source.id());
        let declaring: Vec<&Document> = library.documents().filter(free).collect();
        let before = read.len();
        let mut left: Vec<&Document> = Vec::new();
        for document in declaring {
            match at_hand.get(&document.source.id()) {
                Some(at) => read.extend(found[*at].take()),
                None => left.push(document),
            }
        }
        read.extend(side_by_side(&left, read_one).into_iter().flatten());
        let files = read[before..].iter().flat_map(|read| &read.0.files);
        claimed.extend(files.copied());
    }
    read.sort_by_key(|read| read.0.home);
    read
}

/// Tells how many bytes a workflow seems to be read from: what it consists of is kept below the file that declares it.
fn extent(library: &Library, document: &Document) -> usize {
    if !matches!(document.role, Role::WorkflowYaml | Role::WorkflowMarkdown | Role::Skill) {
        return document.source.text().len();
    }
    let folder = document.source.path().folder();
    let is_near = |file: &&Document| file.source.path().is_in(&folder);
    // Files are in the order of their paths, so that those of a folder stand together.
    let (before, from) = library.around(document.source.id());
    let near = before.take_while(is_near).chain(from.take_while(is_near));
    let parts = near.filter(|file| file.role.instructs());
    parts.map(|file| file.source.text().len()).sum()
}

/// Finds the files that workflows seem to claim, told from names alone.
fn looks_claimed(library: &Library) -> QuickSet<SourceId> {
    let mut found = QuickSet::default();
    for document in library.documents() {
        let path = document.source.path();
        let mut add = |path: Option<ProjectPath>| {
            let named = path.and_then(|path| library.at(&path));
            found.extend(named.map(|named| named.source.id()));
        };
        if document.role == Role::WorkflowYaml {
            let data = document.parsed.data.as_ref();
            let keys = ["instructions", "template", "validation", "checklist"];
            let values = keys.iter().filter_map(|key| data?.get(key).and_then(Node::text));
            values.for_each(|value| add(path.beside(last_name(value))));
        }
        if document.role == Role::Skill && document.source.text().contains("workflow.md") {
            add(path.beside("workflow.md"));
        }
    }
    found
}

fn last_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
pub(super) mod tests;
