//! `workflow.md` with its step files.

use super::looked::{Looked, Naming, last_name};
use super::{begun, names, outside, prose, sections, stops, table, terms};
use crate::model::instruction::{Act, Instruction};
use crate::model::library::{Document, Library};
use crate::model::lift::{Lift, LiftKind};
use crate::model::mention::MentionRole;
use crate::model::role::{Role, holds_steps, step_label, titled_label};
use crate::model::workflow::{Dialect, Origin, Workflow};
use crate::source::{ProjectPath, QuickMap, QuickSet, Source, SourceId, Span, near_either, near_places};
use crate::syntax::Node;
use std::cell::LazyCell;
use std::collections::VecDeque;
use std::sync::OnceLock;

/// Reads the workflow that a `workflow.md` declares.
pub(super) fn read(library: &Library, document: &Document) -> Workflow {
    let mut workflow = empty(document, Dialect::Steps);
    add_markdown(library, &mut workflow, document);
    add_step_files(library, &mut workflow);
    names::add_assigned(&mut workflow);
    workflow
}

/// Makes a workflow without steps, named by the frontmatter or the folder.
pub(super) fn empty(document: &Document, dialect: Dialect) -> Workflow {
    let path = document.source.path();
    let name = document
        .parsed
        .frontmatter
        .as_ref()
        .and_then(|matter| matter.data.as_ref())
        .and_then(|data| data.get("name"))
        .and_then(|node| node.text())
        .map_or_else(|| path.folder().name().to_owned(), str::to_owned);
    Workflow {
        name,
        dialect,
        home: document.source.id(),
        files: Vec::new(),
        steps: Vec::new(),
        protocols: Vec::new(),
        definitions: Vec::new(),
        rules: Vec::new(),
        halts: Vec::new(),
        terms: Vec::new(),
        template: None,
        inputs: Vec::new(),
        firsts: OnceLock::new(),
        valued: None,
        leads: QuickMap::default(),
        workers: Vec::new(),
    }
}

/// Adds a Markdown file's own steps: its tags and the text around them, or else its headings or prose.
pub(super) fn add_markdown(library: &Library, workflow: &mut Workflow, document: &Document) {
    workflow.files.push(document.source.id());
    workflow.definitions.extend(names::frontmatter(document));
    let body = document.body();
    names::told(&document.source, body, &mut workflow.definitions);
    if !holds_steps(&document.parsed) {
        let home = library.source(workflow.home).path().folder();
        let terms = terms::read(library, document, &home);
        let stops = stops::read(document);
        let sections = stops.iter().map(|stops| stops.section);
        let mut elsewhere: Vec<Span> = terms.iter().map(|term| term.span).chain(sections).collect();
        elsewhere.sort_by_key(|section| section.start);
        workflow.steps.extend(prose::steps(document, &elsewhere));
        workflow.terms.extend(terms);
        workflow.halts.extend(stops.into_iter().flat_map(|stops| stops.items));
        return;
    }
    let mut tagged = outside::read(document);
    workflow.steps.append(&mut tagged.steps);
    workflow.rules.append(&mut tagged.rules);
    workflow.halts.append(&mut tagged.halts);
    workflow.protocols.append(&mut tagged.protocols);
    workflow.definitions.append(&mut tagged.definitions);
    workflow.inputs.append(&mut tagged.inputs);
}

/// Adds the step files that the workflow's files lead to, in the order they are found.
pub(super) fn add_step_files(library: &Library, workflow: &mut Workflow) {
    let mut seen: QuickSet<SourceId> = workflow.files.iter().copied().collect();
    let mut waiting: VecDeque<SourceId> = workflow.files.iter().copied().collect();
    let home = library.source(workflow.home).path().folder();
    let mut added: Vec<SourceId> = Vec::new();
    let mut looked = Looked::default();
    while let Some(file) = waiting.pop_front() {
        for target in leads_to(library, workflow, &home, file, &mut looked) {
            if library.document(target).role == Role::StepFile && seen.insert(target) {
                workflow
                    .definitions
                    .extend(names::frontmatter(library.document(target)));
                workflow.files.push(target);
                added.push(target);
                waiting.push_back(target);
            }
        }
    }
    added.sort_by(|left, right| library.source(*left).path().cmp(library.source(*right).path()));
    // Files that only their titles number stand in the order of the numbers.
    added.sort_by_key(|file| {
        let document = library.document(*file);
        let counts = document.source.path().name().contains(|at: char| at.is_ascii_digit());
        let titled = if counts {
            None
        } else {
            titled_label(&document.source, &document.parsed)
        };
        titled.and_then(|label| label.parse::<u32>().ok()).unwrap_or_default()
    });
    workflow.steps.reserve_exact(added.len());
    for file in added {
        let document = library.document(file);
        names::told(&document.source, document.body(), &mut workflow.definitions);
        let terms = terms::read(library, document, &home);
        workflow.steps.push(prose::step_file(document, &terms));
        workflow.terms.extend(terms);
    }
    link_sections(library, workflow);
    looked.settle();
    for at in 0..workflow.steps.len() {
        link(library, workflow, &home, at, &mut looked);
    }
    workflow.workers = std::mem::take(&mut looked.workers);
    workflow.leads = looked.places();
}

/// Lets what step files say of their own sections lead there. A number that a step file beside them has is that file.
fn link_sections(library: &Library, workflow: &mut Workflow) {
    for step in workflow.steps.iter_mut().filter(|step| step.origin == Origin::File) {
        let document = library.document(step.span.source);
        if !sections::are_named(document) {
            continue;
        }
        let path = document.source.path();
        let own = step_label(path.stem());
        let kind = own.trim_end_matches(|at: char| at.is_ascii_alphanumeric());
        let folder = path.folder();
        let is_in = |other: &ProjectPath| other.is_in(&folder) && other.folder_str() == folder.as_str();
        let is_beside = |other: &&Document| other.role == Role::StepFile && is_in(other.source.path());
        let beside = library.documents().filter(is_beside);
        // Few files name a number.
        let labels: LazyCell<Vec<String>, _> =
            LazyCell::new(|| beside.map(|other| step_label(other.source.path().stem())).collect());
        let is_step = |number: &str| {
            let numbers = labels.iter().filter_map(|label| label.strip_prefix(kind));
            numbers.into_iter().any(|label| label == number.trim_start_matches('0'))
        };
        sections::link(document, &mut step.body, &is_step);
    }
}

/// Returns the files that a file mentions, in its text and in its frontmatter.
fn leads_to<'a>(
    library: &'a Library,
    workflow: &Workflow,
    home: &ProjectPath,
    file: SourceId,
    looked: &mut Looked<'a>,
) -> Vec<SourceId> {
    let document = library.document(file);
    let naming = Naming::new(library, workflow, home, document);
    let matter = document.parsed.frontmatter.as_ref();
    let keys = matter
        .and_then(|matter| matter.data.as_ref())
        .map_or(&[][..], Node::pairs);
    let mut targets: Vec<SourceId> = keys
        .iter()
        .filter_map(|pair| {
            pair.node
                .text()
                .filter(|value| may_hold_step(library, value) && !naming.leads_to_no_step(value))
                .map(|value| (&pair.key, value))
        })
        .filter(|(key, _)| !key.contains("this"))
        .filter_map(|(_, value)| looked.value(&naming, value))
        .collect();
    for mention in document.mentions() {
        if mention.role != MentionRole::Write && may_be_step(&naming, &mention.text) {
            targets.extend(looked.mention(&naming, mention));
        }
    }
    targets
}

/// Says whether a value may lead to a step file, which its last name tells: most values lead elsewhere, and need not be
/// looked up.
fn may_hold_step(library: &Library, value: &str) -> bool {
    let last = last_name(value);
    // A path may go on behind the name without leading further.
    let said = if last.bytes().any(|byte| byte.is_ascii_alphanumeric()) {
        last
    } else {
        value
    };
    let bytes = said.as_bytes();
    let named = |dash: usize| {
        bytes[..dash]
            .last_chunk::<4>()
            .is_some_and(|word| word.eq_ignore_ascii_case(b"step"))
    };
    near_either(b'{', b'}', bytes).is_some() || near_places(b'-', bytes).any(named) || library.may_name_step(last)
}

/// Says whether a path may lead to a step file: it names one, or a variable decides.
fn may_be_step(naming: &Naming<'_, '_>, text: &str) -> bool {
    let name = last_name(text);
    naming.library.may_name_step(name) || name.contains('{') && !naming.leads_to_no_step(text)
}

/// Adds to a step's prose the step files it mentions without a verb that the lifts know.
fn link<'a>(library: &'a Library, workflow: &mut Workflow, home: &ProjectPath, at: usize, looked: &mut Looked<'a>) {
    let mut body = std::mem::take(&mut workflow.steps[at].body);
    for instruction in &mut body {
        link_one(library, workflow, home, instruction, looked);
        if let Act::Menu(menu) = &mut instruction.act {
            for branch in &mut menu.branches {
                for inner in &mut branch.body {
                    link_one(library, workflow, home, inner, looked);
                }
            }
        }
    }
    let document = library.document(workflow.steps[at].span.source);
    if workflow.steps[at].origin != Origin::File {
        begun::settle(&document.source, &mut body);
    }
    table::defer(document, &mut body);
    if !body.iter().any(follows) {
        follow_frontmatter(library, workflow, &mut body, at);
    }
    workflow.steps[at].body = body;
}

/// Says whether an instruction, or a branch of it, goes on to a file.
fn follows(instruction: &Instruction) -> bool {
    let goes = |instruction: &Instruction| match &instruction.act {
        Act::Do { lifts, .. } => lifts.iter().any(|lift| matches!(lift.kind, LiftKind::Follow { .. })),
        _ => false,
    };
    match &instruction.act {
        Act::Menu(menu) => menu.branches.iter().flat_map(|branch| &branch.body).any(goes),
        _ => goes(instruction),
    }
}

/// A step file whose text never says where it leads goes where its frontmatter says.
fn follow_frontmatter(library: &Library, workflow: &Workflow, body: &mut [Instruction], at: usize) {
    let step = &workflow.steps[at];
    if step.origin != Origin::File {
        return;
    }
    let document = library.document(step.span.source);
    let Some((target, value_span)) = names::next(document) else {
        return;
    };
    if let Some(Instruction {
        act: Act::Do { lifts, .. },
        ..
    }) = body.last_mut()
    {
        lifts.push(Lift {
            span: value_span,
            kind: LiftKind::Follow {
                target,
                target_span: value_span,
            },
            condition: None,
        });
    }
}

fn link_one<'a>(
    library: &'a Library,
    workflow: &Workflow,
    home: &ProjectPath,
    instruction: &mut Instruction,
    looked: &mut Looked<'a>,
) {
    let Act::Do { text, lifts, .. } = &mut instruction.act else {
        return;
    };
    let document = library.document(text.source);
    if document.role == Role::Instructions && holds_steps(&document.parsed) {
        return;
    }
    let naming = Naming::new(library, workflow, home, document);
    let before = lifts.len();
    let mentions = document.mentions_in(*text);
    for mention in mentions.filter(|mention| may_be_step(&naming, &mention.text)) {
        let is_it = |(_, span): (&str, Span)| span.contains(mention.span) || mention.span.contains(span);
        let known = lifts.iter().any(|lift| lift.kind.followed().is_some_and(is_it));
        if known || mention.role == MentionRole::Write || mention.fenced || mention.example {
            continue;
        }
        let target = looked.path(&naming, &mention.text);
        let is_own = |target: &SourceId| {
            let is_step = || library.document(*target).role == Role::StepFile;
            *target != text.source && workflow.files.contains(target) && is_step()
        };
        let step = target.filter(is_own);
        let source = &document.source;
        if let Some(file) = step
            && (library.document(file).is_worker() || is_for_worker(source, mention.span))
        {
            looked.workers.push((mention.span, file));
            continue;
        }
        let is_twice = |lift: &Lift| {
            let named = lift
                .kind
                .followed()
                .filter(|(_, path)| is_behind(source, *path, mention.span));
            named.is_some_and(|(path, _)| naming.found(path) == target)
        };
        if step.is_some() && !is_compared(source, mention.span) && !lifts.iter().any(is_twice) {
            lifts.push(Lift {
                span: mention.span,
                kind: LiftKind::Follow {
                    target: mention.text.clone(),
                    target_span: mention.span,
                },
                condition: Some(mention.span),
            });
        }
    }
    // What leads on stands last, and so it must be done last.
    if lifts.len() > before {
        lifts.sort_by_key(|lift| lift.span.start);
    }
}

/// Says whether a path stands in parentheses right behind another one: `{firstStep} (./step-01.md)`.
fn is_behind(source: &Source, path: Span, other: Span) -> bool {
    let between = source.text().get(path.end as usize..other.start as usize);
    let is_mark = |at: char| matches!(at, '`' | '*' | '"' | ' ' | '(');
    between.is_some_and(|between| between.contains('(') && between.chars().all(is_mark))
}

/// Says whether a path is only compared with: ``do it exactly as `step-01-a.md` does``.
fn is_compared(source: &Source, path: Span) -> bool {
    let before = &source.text()[..path.start as usize];
    let before = before.strip_suffix("[[bmad-snapshot:").unwrap_or(before);
    let before = before.trim_end_matches(['`', '*', '_', '"', '\'', '[', ' ']);
    let mut words = before.rsplit(|at: char| !at.is_alphanumeric());
    let mut is_next = |others: &[&str]| {
        let word = words.next().unwrap_or_default();
        others.iter().any(|other| word.eq_ignore_ascii_case(other))
    };
    // `known as` gives its name.
    is_next(&["as", "like", "than"]) && !is_next(&["known", "named", "called", "stored", "saved", "such"])
}

/// Says whether a label before a path gives it to a worker: `Subagent File:`.
fn is_for_worker(source: &Source, path: Span) -> bool {
    let before = &source.text()[..path.start as usize];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let label = line.trim_end_matches(|at: char| at.is_whitespace() || matches!(at, '`' | '*' | '_' | '"' | '['));
    let is_worker = |word: &str| {
        ["worker", "subagent"]
            .iter()
            .any(|name| word.eq_ignore_ascii_case(name))
    };
    label
        .strip_suffix(':')
        .is_some_and(|label| label.split(|at: char| !at.is_alphanumeric()).any(is_worker))
}
