//! Files that a text names and does not go on with: compared with, for a worker, reading matter.

use super::{project, trace, willing};
use bmad::graph::{Edge, NodeKind};
use bmad::machine::Options;
use bmad::project::Loaded;

/// A skill of two steps, the second of which says some words, beside a file of another name.
fn skill(words: &str, file: &str) -> Loaded {
    project([
        (
            "skills/w/SKILL.md",
            "---\nname: w\ndescription: d\n---\n\n# W\n\nRead fully and follow: `./steps/step-01-a.md`\n",
        ),
        (
            "skills/w/steps/step-01-a.md",
            "# Step 1: A\n\nDo a.\n\nRead fully and follow: `./step-02-b.md`\n",
        ),
        (
            "skills/w/steps/step-02-b.md",
            &format!("# Step 2: B\n\nDo b.\n\n{words}\n"),
        ),
        (&format!("skills/w/{file}"), "# Other\n\nBe short.\n"),
    ])
}

/// Lists the edges between steps and what leads to them, by the labels of the steps they are in.
fn edges(loaded: &Loaded) -> Vec<(String, String, Edge)> {
    let (workflow, graph) = (&loaded.workflows[0], &loaded.program.graphs[0]);
    let label = |step: Option<usize>| step.map(|step| workflow.steps[step].label.clone());
    let edges = graph.edges().into_iter();
    let edges = edges.filter(|(_, to, _)| graph.nodes[*to].kind == NodeKind::Step);
    edges
        .filter_map(|(from, to, edge)| Some((label(graph.nodes[from].step)?, label(graph.nodes[to].step)?, edge)))
        .collect()
}

fn edge(from: &str, to: &str, edge: Edge) -> (String, String, Edge) {
    (from.to_owned(), to.to_owned(), edge)
}

#[test]
fn a_step_file_that_is_only_compared_with_is_not_gone_back_to() {
    for words in [
        "Find the key exactly as `step-01-a.md` does.",
        "Use the same names as `./step-01-a.md`.",
        "Write it like `step-01-a.md`.",
    ] {
        let loaded = skill(words, "notes.md");
        assert!(!edges(&loaded).contains(&edge("2", "1", Edge::Next)), "{words}");
    }
    for words in [
        "| more | `step-01-a.md` |",
        "Go back to the file known as `step-01-a.md`.",
    ] {
        let loaded = skill(words, "notes.md");
        assert!(edges(&loaded).contains(&edge("2", "1", Edge::Next)), "{words}");
    }
}

#[test]
fn a_worker_is_called_by_the_step_that_sends_it_out() {
    let loaded = skill("- **Subagent File:** `./step-03-worker.md`", "steps/step-03-worker.md");
    let found = edges(&loaded);
    assert!(found.contains(&edge("2", "3", Edge::Call)), "{found:?}");
    let text = trace(&loaded, "skills/w/SKILL.md", Options::default(), &mut willing(&[]));
    assert!(!text.contains("step 3"), "{text}");
}

#[test]
fn a_file_below_the_folder_of_the_workflow_is_found_by_its_name() {
    let words = "Follow `brief.md`. For a worker that means: say little.";
    let run = |file: &str| {
        let loaded = skill(words, file);
        trace(&loaded, "skills/w/SKILL.md", Options::default(), &mut willing(&[]))
    };
    let told = run("resources/knowledge/brief.md");
    assert!(told.contains("Follow `brief.md`. For a worker"), "{told}");
    assert!(!told.contains("ask"), "{told}");
    assert!(run("resources/knowledge/other.md").contains("ask"));
}
