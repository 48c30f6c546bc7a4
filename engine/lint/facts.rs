//! What several rules need from a file, gathered once: the paths it names and the holes in its text.

mod calls;
mod cells;
mod steps;

pub(super) use cells::is_record;
pub(super) use steps::LabelledStep;

use super::Subject;
use super::asked::{Asked, asked};
use crate::model::{Agent, Document, MentionRole, MentionStyle, Place, Resolution, Role, Scope, Workflow, agent};
use crate::source::{ProjectPath, QuickMap, Span, near_either, near_last};
use crate::syntax::{Attribute, Child, Element, Format, Hole, Node, Tag, Value, each_hole};
use std::borrow::Cow;

/// What a path in the folder of a skill begins with.
const SKILL_ROOT: &str = "{skill-root}/";

/// Where a path is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReferenceKind {
    /// The value of a key in YAML or TOML.
    Key,
    /// The value of a key in frontmatter.
    Frontmatter,
    /// A path attribute, or the target of an invoke.
    Invoke,
    /// The menu of an agent.
    AgentMenu,
    /// A cell of a manifest.
    Manifest,
    /// A cell of another table.
    Table,
    /// Prose.
    Prose,
}

/// A path that a file names, and what it leads to.
#[derive(Debug, Clone)]
pub struct Reference<'a> {
    /// Where it is written.
    pub kind: ReferenceKind,
    /// The place of the path.
    pub span: Span,
    /// The path as written.
    pub text: Cow<'a, str>,
    /// What it leads to.
    pub resolution: Resolution,
    /// How prose writes it; none outside prose.
    pub mention: Option<(MentionStyle, MentionRole)>,
    /// The key it is the value of; empty elsewhere.
    pub key: &'a str,
}

/// What was gathered from one file.
#[derive(Debug)]
pub struct FileFacts<'a> {
    /// The workflow the file is part of; the one it declares, if it declares one.
    pub workflow: Option<&'a Workflow>,
    /// The folder of that workflow, or of the file.
    pub home: ProjectPath,
    /// The agent it declares.
    pub(super) agent: Option<Agent>,
    /// The paths it names.
    pub references: Vec<Reference<'a>>,
    /// The holes in its text, frontmatter and tags included, code fences not.
    pub holes: Vec<Hole<'a>>,
    /// The questions whose checks leave an option out or ask about another key.
    pub(super) asked: Vec<Asked<'a>>,
    /// The labelled steps of a file that instructs, those that stand in one element together.
    pub(super) steps: Vec<Vec<LabelledStep<'a>>>,
    /// The tags that go over a list.
    pub(super) lists: Vec<&'a Element>,
    /// The conditions that may name a variable.
    pub(super) tests: Vec<&'a Attribute>,
    /// The values of the engine's own tags, and of parameters, that name a variable.
    pub(super) values: Vec<&'a Attribute>,
    /// Whether tags of it leave nothing to guess, so that a name nobody bound is nothing.
    pub(super) is_exact: bool,
}

impl<'a> FileFacts<'a> {
    /// Gathers what rules need from a file.
    pub(super) fn gather(subject: Subject<'a>, document: &'a Document) -> Self {
        let workflow = subject
            .program
            .owner(document.source.id())
            .map(|at| &subject.workflows[at]);
        let home = workflow.map_or_else(
            || enclosing(subject, document),
            |workflow| subject.library.source(workflow.home).path().folder(),
        );
        let mut facts = Self {
            workflow,
            home,
            agent: agent(document),
            references: Vec::new(),
            holes: Vec::new(),
            asked: workflow.map_or_else(Vec::new, |workflow| {
                asked(subject.library, workflow, document.source.id())
            }),
            steps: Vec::new(),
            lists: Vec::new(),
            tests: Vec::new(),
            values: Vec::new(),
            is_exact: false,
        };
        if document.role.instructs() {
            steps::gather(&document.parsed.tree, &mut facts.steps);
            steps::gather_headings(workflow, document, &mut facts.steps);
        }
        if document.role == Role::Template {
            return facts;
        }
        facts.gather_holes(document);
        facts.gather_references(subject, document);
        facts
    }

    /// Returns the scope that names in the file are read in.
    pub fn scope(&self, unit: &super::FileUnit<'a>) -> Scope<'a> {
        Scope::new(unit.subject.library, self.workflow, unit.document.source.id())
    }

    fn gather_holes(&mut self, document: &'a Document) {
        let source = &document.source;
        if matches!(document.parsed.format, Format::Csv) {
            return;
        }
        let whole = source.span(0, source.text().len());
        let markdown = &document.parsed.markdown;
        self.holes = each_hole(source.text())
            .filter(|(_, _, place)| !markdown.is_fenced(place.start as u32))
            .map(|(kind, name, place)| Hole {
                kind,
                name,
                span: whole.inner(place.start, place.end),
            })
            .collect();
    }

    fn gather_references(&mut self, subject: Subject<'a>, document: &'a Document) {
        let mut written: Vec<Reference<'a>> = Vec::new();
        match document.parsed.format {
            Format::Yaml | Format::Toml => {
                if let Some(data) = &document.parsed.data {
                    values(document, data, "", ReferenceKind::Key, &mut written);
                }
            }
            Format::Markdown => {
                let matter = document.parsed.frontmatter.as_ref();
                if let Some(data) = matter.and_then(|matter| matter.data.as_ref()) {
                    values(document, data, "", ReferenceKind::Frontmatter, &mut written);
                }
                prose(document, &mut written);
                invokes(document, &document.parsed.tree, &mut written, self);
            }
            Format::Xml => {
                prose(document, &mut written);
                invokes(document, &document.parsed.tree, &mut written, self);
            }
            Format::Csv => cells::gather(document, &mut written),
        }
        if let Some(agent) = &self.agent {
            menus(agent, &mut written);
        }
        self.resolve(subject, document, written);
    }

    fn resolve(&mut self, subject: Subject<'a>, document: &'a Document, mut written: Vec<Reference<'a>>) {
        written.sort_by_key(|reference| {
            (
                reference.span,
                std::cmp::Reverse(reference.kind == ReferenceKind::Prose),
            )
        });
        written.dedup_by(|later, earlier| {
            let same = earlier.span.contains(later.span);
            if same && later.kind != ReferenceKind::Prose && earlier.kind == ReferenceKind::Prose {
                std::mem::swap(later, earlier);
            }
            same
        });
        let scope = Scope::new(subject.library, self.workflow, document.source.id());
        let home = self.home.clone();
        let place = Place {
            file: document.source.path(),
            home: &home,
        };
        // A file names the same path again and again.
        let mut known: QuickMap<&str, Resolution> = QuickMap::default();
        known.reserve(written.len());
        let resolutions: Vec<Resolution> = written
            .iter()
            .map(|reference| {
                // What leads to a step file was mostly found when the workflow was read.
                let lead = |workflow: &Workflow| workflow.lead(subject.library, &reference.text, reference.span);
                let resolve = || match self.workflow.and_then(lead) {
                    Some(file) => Resolution::Found(subject.library.source(file).path().clone()),
                    None => subject.library.resolve(&reference.text, place, &scope),
                };
                known.entry(&reference.text).or_insert_with(resolve).clone()
            })
            .collect();
        for (reference, resolution) in written.iter_mut().zip(resolutions) {
            reference.resolution = resolution;
        }
        self.references = written;
    }
}

/// Returns the folder of the innermost workflow declared around a file, or the file's own folder.
fn enclosing(subject: Subject<'_>, document: &Document) -> ProjectPath {
    let own = document.source.path().folder();
    let mut folder = own.clone();
    while !folder.as_str().is_empty() {
        if subject.program.is_home(&folder) {
            return folder;
        }
        folder = folder.folder();
    }
    own
}

/// Collects the places of text that is shown, not followed.
fn shown(tree: &[Child], found: &mut Vec<Span>) {
    for child in tree {
        let Child::Element(element) = child else { continue };
        match element.tag {
            Tag::Output | Tag::Example => found.push(element.span),
            _ => shown(&element.children, found),
        }
    }
}

fn reference(kind: ReferenceKind, span: Span, text: &str) -> Reference<'_> {
    Reference {
        kind,
        span,
        text: Cow::Borrowed(text),
        resolution: Resolution::Dynamic,
        mention: None,
        key: "",
    }
}

fn prose<'a>(document: &'a Document, written: &mut Vec<Reference<'a>>) {
    let mut quoted = Vec::new();
    shown(&document.parsed.tree, &mut quoted);
    // They stand in order, and none in another.
    let is_quoted = |span: Span| {
        let next = quoted.partition_point(|shown: &Span| shown.start <= span.start);
        next.checked_sub(1).is_some_and(|last| quoted[last].contains(span))
    };
    for mention in document.mentions() {
        if mention.fenced || mention.example || is_quoted(mention.span) {
            continue;
        }
        written.push(Reference {
            mention: Some((mention.style, mention.role)),
            ..reference(ReferenceKind::Prose, mention.span, &mention.text)
        });
    }
}

/// Collects the values that look like paths.
fn values<'a>(
    document: &'a Document,
    node: &'a Node,
    key: &'a str,
    kind: ReferenceKind,
    written: &mut Vec<Reference<'a>>,
) {
    match &node.value {
        Value::Text(text) => {
            if looks_like_path(text) {
                written.push(Reference {
                    key,
                    ..reference(kind, node.inner(&document.source), text)
                });
            } else if document.role == Role::CustomizeToml && text.contains(SKILL_ROOT) {
                told(document, node, key, written);
            }
        }
        Value::List(items) => items.iter().for_each(|item| values(document, item, key, kind, written)),
        // Commands are looked up where they run: in the project, which may be another one.
        Value::Map(pairs) => pairs
            .iter()
            .filter(|pair| pair.key != "hooks")
            .for_each(|pair| values(document, &pair.node, &pair.key, kind, written)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Collects the paths of a skill that the prose of a value names.
fn told<'a>(document: &'a Document, node: &Node, key: &'a str, written: &mut Vec<Reference<'a>>) {
    let mentions = document.mentions_in(node.inner(&document.source));
    let named = mentions.filter(|mention| mention.text.starts_with(SKILL_ROOT) && !mention.example);
    written.extend(named.map(|mention| Reference {
        key,
        ..reference(ReferenceKind::Key, mention.span, &mention.text)
    }));
}

/// Says whether a value is a path and nothing else.
fn looks_like_path(text: &str) -> bool {
    let text = text.trim();
    // Nothing else has a slash, and most values are no paths.
    let Some(slash) = near_either(b'/', b'\\', text.as_bytes()).filter(|_| text.len() <= 300) else {
        return false;
    };
    let rooted = matches!(&text[..slash], "." | "..") || text.starts_with('{');
    // Where no root says so, a backslash may as well belong to a pattern.
    (rooted || text.as_bytes()[slash] == b'/' && names_file(text)) && !holds_space(text) && !text.contains("://")
}

/// Says whether the last name of a path is that of a file.
fn names_file(path: &str) -> bool {
    let name = near_last(b'/', path.as_bytes()).map_or(path, |slash| &path[slash + 1..]);
    let dot = near_last(b'.', name.as_bytes()).filter(|dot| *dot > 0);
    dot.is_some_and(|dot| {
        matches!(
            &name[dot + 1..],
            "md" | "xml" | "yaml" | "yml" | "csv" | "json" | "toml" | "txt" | "py" | "html"
        )
    })
}

/// Says whether a text holds white space of any script, bytes first.
fn holds_space(text: &str) -> bool {
    match text.is_ascii() {
        true => text.bytes().any(|byte| matches!(byte, b' ' | b'\t'..=b'\r')),
        false => text.contains(char::is_whitespace),
    }
}

fn invokes<'a>(document: &'a Document, tree: &'a [Child], written: &mut Vec<Reference<'a>>, facts: &mut FileFacts<'a>) {
    let is_test = |attribute: &&Attribute| matches!(&*attribute.name, "if" | "while" | "until");
    for child in tree {
        let Child::Element(element) = child else { continue };
        match element.tag {
            Tag::Loop | Tag::Parallel | Tag::Collect => facts.lists.push(element),
            _ => calls::gather(document, element, written),
        }
        facts.is_exact |= matches!(
            element.tag,
            Tag::Set | Tag::Dispatch | Tag::Parallel | Tag::Collect | Tag::Run | Tag::Return
        );
        let tests = element.attributes.iter().filter(is_test);
        facts.tests.extend(tests.filter(|test| test.value.contains(['{', '_'])));
        if matches!(element.tag, Tag::Set | Tag::Param | Tag::Return) {
            let value = element.attribute("value").filter(|value| value.value.contains('{'));
            facts.values.extend(value);
        }
        invokes(document, &element.children, written, facts);
    }
}

fn menus(agent: &Agent, written: &mut Vec<Reference<'_>>) {
    for target in agent.menu.iter().flat_map(|item| &item.targets) {
        written.retain(|known| known.span != target.span);
        if looks_like_path(&target.text) {
            written.push(Reference {
                text: Cow::Owned(target.text.clone()),
                ..reference(ReferenceKind::AgentMenu, target.span, "")
            });
        }
    }
}
