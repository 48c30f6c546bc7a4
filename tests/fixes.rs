//! Safe fixes keep the flow: the same jumps and ends before and after, and nothing left to fix.

use crate::memory::Memory;
use bmad::graph::{Edge, Graph, NodeKind};
use bmad::host::Workspace;
use bmad::lint::Settings;
use bmad::project::{Checked, check, load, repaired, settings, sites};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const ERRANDS: &str = "\
<workflow>
  <critical>Never buy twice.</critical>
  <step n=\"1\" goal=\"Look at the list\">
    <action>Read the list aloud.</action>
    <action>Set budget = \"40 & a bit\"</action>
    <action if=\"the list is empty\">Exit workflow</action>
    <check if=\"{{shop}} == 'closed'\">
      <action>HALT with error: \"the shop is closed today\"</action>
    </check>
    <action if=\"user chooses 2\">Jump to Step 3.</action>
    <action>Set {{shop}} = open</action>
    <action>Set mood = whatever the person says</action>
    <action>Go to step 2, but only on weekdays.</action>
  </step>
  <step n=\"2\" goal=\"Buy\">
    <action>Buy what is on the list.</action>
    - the cheap things first
    <action>Continue to Step 3</action>
  </step>
  <step n=\"3\" goal=\"Go home\">
    <action if=\"something is missing\"> Return to Step 1 </action>
    <action>Go to Step 9</action>
  </step>
</workflow>
";

fn checked(host: &Arc<dyn Workspace>) -> Checked {
    let site = sites(&**host, &[PathBuf::from("/project")]).remove(0);
    let loaded = load(host, site);
    let merged = settings(&loaded, &Settings::default());
    let findings = check(&loaded, &merged);
    Checked { loaded, findings }
}

/// Returns what leads out of each step, and every stop in it.
fn flow(checked: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    for (workflow, graph) in checked.loaded.workflows.iter().zip(&checked.loaded.program.graphs) {
        lines.extend(
            crossings(graph)
                .into_iter()
                .map(|line| format!("{}: {line}", workflow.name)),
        );
    }
    lines.sort();
    lines
}

fn crossings(graph: &Graph) -> Vec<String> {
    let mut lines: Vec<String> = graph
        .edges()
        .into_iter()
        .map(|(from, to, why)| (&graph.nodes[from], &graph.nodes[to], why))
        .filter(|(from, to, why)| from.step != to.step || *why == Edge::Goto)
        .map(|(from, to, why)| format!("{:?} -{}-> {:?} {:?}", from.step, why.name(), to.step, to.kind))
        .collect();
    let stops = graph
        .nodes
        .node_weights()
        .filter(|node| matches!(node.kind, NodeKind::Halt | NodeKind::Exit));
    lines.extend(stops.map(|node| format!("{:?} {:?}", node.step, node.kind)));
    lines.extend(graph.dead.iter().map(|jump| format!("dead {}", jump.label)));
    lines.sort();
    lines
}

fn project(instructions: &str) -> Arc<dyn Workspace> {
    let yaml = "name: errands\ndescription: Runs errands\ninstructions: \"{installed_path}/instructions.md\"\n";
    Arc::new(Memory::new([
        ("errands/workflow.yaml".to_owned(), yaml.to_owned()),
        ("errands/instructions.md".to_owned(), instructions.to_owned()),
    ]))
}

fn instructions(host: &Arc<dyn Workspace>) -> String {
    let bytes = host.read(Path::new("/project/errands/instructions.md")).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn fix(host: &Arc<dyn Workspace>) -> usize {
    let mut count = 0;
    for file in repaired(&checked(host)) {
        host.write(&file.path, file.text.as_bytes()).unwrap();
        count += file.fixes.len();
    }
    count
}

fn hints(checked: &Checked) -> Vec<&str> {
    let hints = checked
        .findings
        .iter()
        .filter(|finding| finding.code.0 == "liftable-prose");
    hints
        .map(|finding| checked.loaded.library.slice(finding.span))
        .collect()
}

#[test]
fn sentences_become_tags_and_the_flow_stays() {
    let host = project(ERRANDS);
    let before = flow(&checked(&host));
    assert_eq!(fix(&host), 7);
    let after = checked(&host);
    assert_eq!(flow(&after), before);
    assert_eq!(fix(&host), 0);
    assert_eq!(hints(&after), ["Go to step 2", "Go to Step 9"]);
    let changed: Vec<(String, String)> = ERRANDS
        .lines()
        .zip(instructions(&host).lines())
        .filter(|(before, after)| before != after)
        .map(|(before, after)| (before.trim().to_owned(), after.trim().to_owned()))
        .collect();
    let expected = [
        (
            "<action>Set budget = \"40 & a bit\"</action>",
            "<set name=\"budget\" value=\"40 &amp; a bit\"/>",
        ),
        (
            "<action if=\"the list is empty\">Exit workflow</action>",
            "<return if=\"the list is empty\"/>",
        ),
        (
            "<action>HALT with error: \"the shop is closed today\"</action>",
            "<halt reason=\"the shop is closed today\"/>",
        ),
        (
            "<action if=\"user chooses 2\">Jump to Step 3.</action>",
            "<goto step=\"3\" if=\"user chooses 2\"/>",
        ),
        (
            "<action>Set {{shop}} = open</action>",
            "<set name=\"shop\" value=\"open\"/>",
        ),
        ("<action>Continue to Step 3</action>", "<goto step=\"3\"/>"),
        (
            "<action if=\"something is missing\"> Return to Step 1 </action>",
            "<goto step=\"1\" if=\"something is missing\"/>",
        ),
    ];
    assert_eq!(
        changed,
        expected.map(|(before, after)| (before.to_owned(), after.to_owned()))
    );
}

#[test]
fn without_an_open_root_only_jumps_become_tags() {
    let host = project(
        "<step n=\"1\" goal=\"Wait\">\n<action>Set calm = true</action>\n<action>Go to step 1</action>\n</step>\n",
    );
    assert_eq!(fix(&host), 1);
    assert_eq!(
        instructions(&host),
        "<step n=\"1\" goal=\"Wait\">\n<action>Set calm = true</action>\n<goto step=\"1\"/>\n</step>\n"
    );
}
