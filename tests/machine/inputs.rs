//! The protocol that finds the documents a workflow names: whole or sharded, by three strategies and in two orders.

use super::{project, trace, willing};
use bmad::machine::{Effect, Issued, Options, Outcome};

fn run(pattern: &str, order: Option<&str>, there: &[(&str, &[&str])]) -> String {
    let yaml = format!(
        "name: discover\ninstructions: \"{{installed_path}}/instructions.xml\"\nepic: 7\ninput_file_patterns:\n  prd:\n{pattern}"
    );
    let config = format!("input_order: {}\n", order.unwrap_or("sharded-first"));
    let loaded = project([
        ("flow/workflow.yaml", yaml.as_str()),
        (
            "flow/instructions.xml",
            r#"<workflow><step n="1" goal="load"><invoke-protocol name="discover_inputs"/><output>{prd_content}</output></step></workflow>"#,
        ),
        ("_bmad/core/config.yaml", config.as_str()),
        ("_bmad/_config/manifest.yaml", "installation: {}\n"),
    ]);
    let mut rest = willing(&[]);
    trace(
        &loaded,
        "flow/workflow.yaml",
        Options::default(),
        &mut |issued: &Issued| match &issued.effect {
            Effect::List { pattern } => {
                let found = there.iter().find(|(known, _)| known == pattern);
                let paths = found.map(|(_, paths)| paths.iter().map(|path| (*path).to_owned()).collect());
                Some(Outcome::Listed {
                    paths: paths.unwrap_or_default(),
                })
            }
            Effect::Read { path } => Some(Outcome::Contents {
                sha256: None,
                text: Some(format!("text of {path}")),
            }),
            _ => rest(issued),
        },
    )
}

const BOTH: &str = "    whole: \"docs/*prd*.md\"\n    sharded: \"docs/prd/*.md\"\n";
const THERE: &[(&str, &[&str])] = &[
    ("docs/*prd*.md", &["docs/prd.md"]),
    ("docs/prd/*.md", &["docs/prd/index.md", "docs/prd/a.md"]),
];

#[test]
fn shards_win_over_a_whole_document_and_the_index_is_read_first() {
    insta::assert_snapshot!(run(BOTH, None, THERE), @r"
    step 1
    list docs/prd/*.md
    read docs/prd/index.md
    read docs/prd/a.md
    show prd: loaded (FULL_LOAD, 2 shards)
    show 

    text of docs/prd/index.md

    text of docs/prd/a.md
    completed
    ");
}

#[test]
fn a_whole_document_wins_in_the_older_order() {
    insta::assert_snapshot!(run(BOTH, Some("whole-first"), THERE), @r"
    step 1
    list docs/prd/*.md
    list docs/*prd*.md
    read docs/prd.md
    show prd: loaded (FULL_LOAD, 0 shards)
    show 

    text of docs/prd.md
    completed
    ");
}

#[test]
fn a_whole_document_is_read_where_there_are_no_shards() {
    insta::assert_snapshot!(run(BOTH, None, &THERE[..1]), @r"
    step 1
    list docs/prd/*.md
    list docs/*prd*.md
    read docs/prd.md
    show prd: loaded (FULL_LOAD, 0 shards)
    show 

    text of docs/prd.md
    completed
    ");
}

#[test]
fn one_shard_is_read_where_the_strategy_selects() {
    let pattern = "    sharded: \"docs/epics/*.md\"\n    sharded_single: \"docs/epics/epic-{epic}.md\"\n    load_strategy: SELECTIVE_LOAD\n";
    insta::assert_snapshot!(run(pattern, None, &[("docs/epics/*.md", &["docs/epics/epic-1.md", "docs/epics/epic-7.md"])]), @r"
    step 1
    list docs/epics/*.md
    read docs/epics/epic-7.md
    show prd: loaded (SELECTIVE_LOAD, 2 shards)
    show text of docs/epics/epic-7.md
    completed
    ");
}

#[test]
fn the_index_says_what_is_read_where_the_strategy_is_guided() {
    let pattern =
        "    sharded: \"docs/arch/*.md\"\n    sharded_index: \"docs/arch/index.md\"\n    load_strategy: INDEX_GUIDED\n";
    insta::assert_snapshot!(run(pattern, None, &[("docs/arch/*.md", &["docs/arch/index.md", "docs/arch/data.md"])]), @r"
    step 1
    list docs/arch/*.md
    read docs/arch/index.md
    turn Choose from this index every document that may matter for discover. Answer with documents. They are a list of paths.
    show prd: nothing found; it can be given by hand
    show 
    completed
    ");
}
