//! Real BMAD packages: every one parses, draws and lints, and what is found is written down.

use crate::packages::{self, PACKAGES};
use bmad::diagnostic::{Diagnostic, Severity};
use bmad::graph::{Graph, NodeKind};
use bmad::host::Workspace;
use bmad::lint::Settings;
use bmad::model::{Act, Condition, Decider, Dialect, Role, Step, Workflow, visit};
use bmad::os::Disk;
use bmad::project::{Loaded, check, load, settings, sites};
use bmad::syntax::{Child, Element, Format, Parsed, parse, parse_tolerant};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[test]
fn what_is_found_in_real_packages_is_what_was_written_down() {
    let Some(folder) = packages::fetched() else { return };
    let mut wrong = String::new();
    for package in PACKAGES {
        let summary = summary(&folder.join(package.name()));
        let path = root().join("tests/corpus").join(format!("{}.txt", package.name()));
        if std::env::var_os("BMAD_BLESS").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &summary).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        if committed != summary {
            let (at, (old, new)) = committed
                .lines()
                .chain(std::iter::repeat(""))
                .zip(summary.lines().chain(std::iter::repeat("")))
                .enumerate()
                .find(|(_, (old, new))| old != new)
                .unwrap();
            writeln!(
                wrong,
                "{}: line {}: committed `{old}`, found `{new}`",
                path.display(),
                at + 1
            )
            .unwrap();
        }
    }
    assert!(
        wrong.is_empty(),
        "{wrong}set BMAD_BLESS=1 to write the summaries anew, then read the difference"
    );
}

#[test]
fn every_workflow_task_and_skill_has_a_graph() {
    let Some(folder) = packages::fetched() else { return };
    for package in PACKAGES {
        for (loaded, _) in projects(&folder.join(package.name())) {
            for document in loaded.library.documents() {
                let declares = matches!(
                    document.role,
                    Role::WorkflowYaml | Role::TaskXml | Role::WorkflowMarkdown | Role::Skill
                );
                let id = document.source.id();
                let owned = loaded.workflows.iter().any(|workflow| workflow.files.contains(&id));
                assert!(!declares || owned, "{} yields no workflow", document.source.path());
            }
            for (workflow, graph) in loaded.workflows.iter().zip(&loaded.program.graphs) {
                // A declaration whose instructions are not there is all that may be without a step.
                let alone = workflow.dialect == Dialect::Yaml && workflow.files.len() == 1;
                let path = loaded.library.source(workflow.home).path();
                assert!(alone || !graph.steps.is_empty(), "{path} has no step");
                assert!(
                    graph.reached().iter().count() > 1,
                    "nothing follows the start of {path}"
                );
            }
        }
    }
}

#[test]
fn a_well_formed_xml_file_has_no_syntax_faults_and_one_tree_both_ways() {
    let Some(folder) = packages::fetched() else { return };
    let mut seen = 0;
    for path in files(&folder) {
        if path.extension().is_none_or(|extension| extension != "xml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        if !is_well_formed(&text) {
            continue;
        }
        seen += 1;
        let name = bmad::source::ProjectPath::new("file.xml").unwrap();
        let source = bmad::source::Source::new(bmad::source::SourceId(0), name, text);
        let strict = parse(&source, Format::Xml);
        assert_eq!(strict.faults, [], "{}", path.display());
        let tolerant = parse_tolerant(&source, Format::Xml);
        assert_eq!(shape(&strict), shape(&tolerant), "{}", path.display());
    }
    assert!(seen > 50, "only {seen} files were well-formed");
}

/// Says whether text is one well-formed document, by a reader that knows nothing of workflows.
fn is_well_formed(text: &str) -> bool {
    let mut reader = quick_xml::Reader::from_str(text.trim_start_matches('\u{feff}'));
    reader.config_mut().check_comments = true;
    let (mut depth, mut roots) = (0_i32, 0);
    loop {
        match reader.read_event() {
            Ok(quick_xml::events::Event::Start(_)) => {
                roots += i32::from(depth == 0);
                depth += 1;
            }
            Ok(quick_xml::events::Event::Empty(_)) => roots += i32::from(depth == 0),
            Ok(quick_xml::events::Event::End(_)) => depth -= 1,
            Ok(quick_xml::events::Event::Eof) => return depth == 0 && roots == 1,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}

fn shape(parsed: &Parsed) -> String {
    fn write(children: &[Child], into: &mut String) {
        for child in children {
            match child {
                Child::Text(span) => writeln!(into, "text {}..{}", span.start, span.end).unwrap(),
                Child::Element(element) => {
                    let Element {
                        tag,
                        attributes,
                        span,
                        open,
                        close,
                        children,
                    } = &**element;
                    writeln!(into, "{tag:?} {span:?} {open:?} {close:?} {attributes:?}").unwrap();
                    write(children, into);
                    into.push_str("end\n");
                }
            }
        }
    }
    let mut written = String::new();
    write(&parsed.tree, &mut written);
    written
}

/// Loads and lints everything below a folder.
pub(crate) fn projects(folder: &Path) -> Vec<(Loaded, Vec<Diagnostic>)> {
    let host: Arc<dyn Workspace> = Arc::new(Disk);
    sites(&*host, &[folder.to_path_buf()])
        .into_iter()
        .map(|site| {
            let loaded = load(&host, site);
            let merged = settings(&loaded, &Settings::default());
            let findings = check(&loaded, &merged);
            (loaded, findings)
        })
        .collect()
}

fn summary(folder: &Path) -> String {
    let mut text = String::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut single = Vec::new();
    let mut found: BTreeMap<(Severity, &str), Vec<String>> = BTreeMap::new();
    for (loaded, findings) in projects(folder) {
        for (workflow, graph) in loaded.workflows.iter().zip(&loaded.program.graphs) {
            tally(workflow, graph, &mut counts);
            if let Some(reason) = single_node(workflow, graph) {
                single.push(format!("  {} ({reason})", loaded.library.source(workflow.home).path()));
            }
        }
        *counts.entry("files read".to_owned()).or_default() += loaded.library.documents().len();
        for finding in findings {
            let source = loaded.library.source(finding.span.source);
            let line = source.position(finding.span.start).line;
            found
                .entry((finding.severity, finding.code.0))
                .or_default()
                .push(format!("{}:{line}", source.path()));
        }
    }
    for (name, count) in &counts {
        writeln!(text, "{name}: {count}").unwrap();
    }
    writeln!(text, "decided without a model: {}", decided(&counts)).unwrap();
    writeln!(text, "\ngraphs of a single node: {}", single.len()).unwrap();
    for line in single {
        writeln!(text, "{line}").unwrap();
    }
    for ((severity, rule), places) in found.iter().rev() {
        writeln!(text, "\n{} {rule}: {}", severity.name(), places.len()).unwrap();
        for place in places {
            writeln!(text, "  {place}").unwrap();
        }
    }
    text
}

fn tally(workflow: &Workflow, graph: &Graph, counts: &mut BTreeMap<String, usize>) {
    let mut add = |name: String| *counts.entry(name).or_default() += 1;
    add("workflows".to_owned());
    add(format!("workflows from {}", workflow.dialect.name()));
    let steps = workflow
        .steps
        .iter()
        .chain(workflow.protocols.iter().flat_map(|protocol| &protocol.steps));
    for step in steps {
        add("steps".to_owned());
        if let Some(condition) = &step.condition {
            add(decider(condition));
        }
        each_condition(step, &mut |condition| add(decider(condition)));
        visit(&step.body, &mut |instruction| {
            if let Act::Menu(_) | Act::Ask(_) = instruction.act {
                add("menus and asks".to_owned());
            }
        });
    }
    for (_, _, edge) in graph.edges() {
        add(format!("edges {}", edge.name()));
    }
}

fn each_condition(step: &Step, see: &mut dyn FnMut(&Condition)) {
    visit(&step.body, &mut |instruction| {
        if let Some(condition) = &instruction.condition {
            see(condition);
        }
    });
}

fn decider(condition: &Condition) -> String {
    let kind = match condition.decider() {
        Decider::Expression => "expression",
        Decider::Choice => "choice",
        Decider::Existence => "existence",
        Decider::Judged => "judged",
    };
    format!("conditions {kind}")
}

fn decided(counts: &BTreeMap<String, usize>) -> String {
    let of = |name: &str| counts.get(&format!("conditions {name}")).copied().unwrap_or(0);
    let known = of("expression") + of("choice") + of("existence");
    let all = known + of("judged");
    match all {
        0 => "no conditions".to_owned(),
        all => format!("{known} of {all} conditions ({} %)", known * 100 / all),
    }
}

/// Says why a graph has a single node of its own, if it has.
fn single_node(workflow: &Workflow, graph: &Graph) -> Option<&'static str> {
    let own = graph
        .nodes
        .node_weights()
        .filter(|node| !matches!(node.kind, NodeKind::Start | NodeKind::End | NodeKind::Step))
        .count();
    (own <= 1).then(|| {
        if workflow.steps.is_empty() {
            "it has no steps"
        } else if workflow.is_prose() {
            "prose without steps, menus or calls: one turn"
        } else {
            "one step with one turn"
        }
    })
}

/// Lists every file below a folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
