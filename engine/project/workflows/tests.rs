use super::{Lower, looks_claimed, read_workflows};
use crate::graph::{Lowered, lower};
use crate::model::{DECLARING, Document, Library, Workflow, workflow};
use crate::source::{ProjectPath, QuickSet, Source, SourceId};
use crate::syntax::{Format, parse};

/// Reads the workflows of one role after those of another.
fn role_by_role(library: &Library, lower: Lower) -> Vec<(Workflow, Lowered)> {
    let mut read: Vec<(Workflow, Lowered)> = Vec::new();
    let mut claimed: QuickSet<SourceId> = QuickSet::default();
    for role in DECLARING {
        let free = |document: &&Document| document.role == *role && !claimed.contains(&document.source.id());
        let found: Vec<Workflow> = library
            .documents()
            .filter(free)
            .filter_map(|document| workflow(library, document))
            .collect();
        claimed.extend(found.iter().flat_map(|workflow| workflow.files.iter().copied()));
        read.extend(found.into_iter().map(|workflow| {
            let lowered = lower(library, &workflow);
            (workflow, lowered)
        }));
    }
    read.sort_by_key(|(workflow, _)| workflow.home);
    read
}

const STEPS: &str = "<workflow><step n=\"1\" goal=\"Begin\"><action>Greet</action></step></workflow>\n";

/// Files of which some are claimed, some only look so, and some are claimed in a way that no name tells.
const FILES: &[(&str, &str)] = &[
    (
        "plain/workflow.yaml",
        "name: plain\ninstructions: ./instructions.xml\nvalidation: ./checklist.md\n",
    ),
    ("plain/instructions.xml", STEPS),
    ("plain/checklist.md", "- [ ] done\n"),
    (
        "away/workflow.yaml",
        "name: away\ninstructions: ../shared/instructions.md\nchecklist: ../other/SKILL.md\n",
    ),
    ("away/instructions.md", STEPS),
    ("shared/instructions.md", STEPS),
    ("other/SKILL.md", "---\nname: other\n---\nRead workflow.md\n"),
    ("other/workflow.md", "---\nname: own\n---\n# Own\n\nDo it.\n"),
    ("skill/SKILL.md", "---\nname: skill\n---\nRead workflow.md\n"),
    (
        "skill/workflow.md",
        "---\nname: inner\n---\n# Inner\n\nRead `steps/step-01-go.md`.\n",
    ),
    ("skill/steps/step-01-go.md", "# Go\n\nGo.\n"),
    (
        "hole/workflow.yaml",
        "name: hole\nx: ../task\ntemplate: \"{x}/task.xml\"\n",
    ),
    (
        "task/task.xml",
        "<task><step n=\"1\"><goto step=\"1\"/></step></task>\n",
    ),
    ("task/free.xml", "<task><step n=\"1\"><halt/></step></task>\n"),
];

/// Makes a library of some files.
pub(in crate::project) fn library(files: &[(&str, &str)]) -> Library {
    let documents = files.iter().enumerate().map(|(at, (path, text))| {
        let path = ProjectPath::new(path).unwrap();
        let format = Format::of(path.name()).unwrap();
        let source = Source::new(SourceId(at as u32), path, *text);
        let parsed = parse(&source, format);
        Box::new(Document::new(source, parsed))
    });
    Library::new(documents.collect(), Vec::new(), Box::new(|_| false))
}

#[test]
fn workflows_read_at_once_are_those_read_role_by_role() {
    let library = library(FILES);
    let at_once = read_workflows(&library, lower);
    assert_eq!(format!("{at_once:?}"), format!("{:?}", role_by_role(&library, lower)));
    let homes: Vec<&str> = at_once
        .iter()
        .map(|read| library.source(read.0.home).path().as_str())
        .collect();
    let wanted = [
        "plain/workflow.yaml",
        "away/workflow.yaml",
        "away/instructions.md",
        "other/workflow.md",
        "skill/SKILL.md",
        "hole/workflow.yaml",
        "task/free.xml",
    ];
    assert_eq!(homes, wanted);
}

#[test]
fn names_tell_most_of_what_is_claimed() {
    let library = library(FILES);
    let mut found: Vec<&str> = looks_claimed(&library)
        .into_iter()
        .map(|file| library.source(file).path().as_str())
        .collect();
    found.sort_unstable();
    let wanted = [
        "away/instructions.md",
        "other/workflow.md",
        "plain/checklist.md",
        "plain/instructions.xml",
        "skill/workflow.md",
    ];
    assert_eq!(found, wanted);
}

#[test]
fn a_name_that_several_files_define_is_told_once() {
    let library = library(&[
        (
            "w/workflow.md",
            "---\nname: w\nout: a\n---\n# W\n\nRead fully and follow: `./steps/step-01-a.md`\n",
        ),
        (
            "w/steps/step-01-a.md",
            "---\nname: a\nout: b\nnext: './step-02-b.md'\n---\n# A\n\nLoad `{next}`.\n",
        ),
        ("w/steps/step-02-b.md", "---\nname: b\nout: c\n---\n# B\n\nThe end.\n"),
    ]);
    let read = read_workflows(&library, lower);
    let workflow = &read[0].0;
    let mut expected: Vec<&str> = Vec::new();
    for definition in &workflow.definitions {
        if !expected.contains(&definition.name.as_str()) {
            expected.push(&definition.name);
        }
    }
    assert!(
        expected.len() < workflow.definitions.len(),
        "{:?}",
        workflow.definitions
    );
    assert_eq!(workflow.names().collect::<Vec<_>>(), expected);
}
