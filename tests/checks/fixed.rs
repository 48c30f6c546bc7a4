//! What the built-in agent puts right among planted mistakes: its own check is silent afterwards, and nothing else changed.

use super::planted::{DOCUMENTS, PLANTERS, harbour, planted, write};
use super::{findings, part, take};
use bmad::builtins::Value;
use bmad::machine::Task;
use std::path::Path;

/// What can be put right by rule, and at least how many of ten.
const PUT_RIGHT: &[(&str, usize)] = &[
    ("ragged-table", 4),
    ("misnumbered-list", 10),
    ("doubled-word", 10),
    ("dead-anchor", 2),
    ("unbalanced-fence", 1),
];

/// Hands findings to the fixer; returns how many it fixed, and its edits.
fn fix(root: &Path, document: &str, found: &[Value]) -> (usize, Vec<Value>) {
    let task = Task {
        agent: Some("issue-fixer".to_owned()),
        prompt: format!("Fix the findings you are given in {document}, every one of them and nothing else."),
        params: vec![("findings".to_owned(), Value::List(found.to_vec()))],
        ..Task::default()
    };
    let envelope = take(root, task);
    let list = |name: &str| {
        let value = envelope
            .fields
            .iter()
            .find(|(field, _)| field == name)
            .map(|(_, value)| value);
        match value {
            Some(Value::List(items)) => items.clone(),
            other => panic!("{other:?}"),
        }
    };
    let fixes = list("fixes");
    assert_eq!(fixes.len(), found.len(), "every finding is answered once");
    for fix in fixes.iter().filter(|fix| part(fix, "status") == "BLOCKED") {
        assert!(
            !part(fix, "needs").is_empty() && !part(fix, "description").is_empty(),
            "{fix}"
        );
    }
    let fixed = fixes.iter().filter(|fix| part(fix, "status") == "FIXED").count();
    (fixed, list("edits"))
}

/// Makes edits as the engine does: the old text has to stand there exactly once.
fn edited(text: &str, edits: &[Value]) -> String {
    let mut text = text.to_owned();
    for edit in edits {
        let (old, new) = (part(edit, "old"), part(edit, "new"));
        assert_eq!(text.matches(&old).count(), 1, "{old:?} does not stand once in\n{text}");
        text = text.replace(&old, &new);
    }
    text
}

#[test]
fn a_fix_silences_its_own_check_and_changes_nothing_else() {
    let folder = harbour();
    let mut table = String::new();
    for (kind, planter) in PLANTERS {
        let (mut seen, mut count) = (0, 0);
        let least = PUT_RIGHT
            .iter()
            .find(|(name, _)| name == kind)
            .map_or(0, |(_, least)| *least);
        // What is never put right is tried a few times only.
        let most = if least == 0 { 6 } else { usize::MAX };
        for (path, seed) in planted(*planter).into_iter().take(most) {
            let document = format!("docs/{path}");
            write(folder.path(), path, &seed.text);
            let found = findings(folder.path(), &document);
            let own: Vec<Value> = found
                .iter()
                .filter(|finding| part(finding, "check") == *kind)
                .cloned()
                .collect();
            let (fixed, edits) = fix(folder.path(), &document, &own);
            seen += own.len();
            count += fixed;
            assert_eq!(fixed == 0, edits.is_empty(), "{kind}: {}", seed.what);
            let text = edited(&seed.text, &edits);
            write(folder.path(), path, &text);
            let left = findings(folder.path(), &document);
            let still: Vec<&Value> = left.iter().filter(|finding| part(finding, "check") == *kind).collect();
            assert_eq!(still.len(), own.len() - fixed, "{kind}: {}\n{still:#?}", seed.what);
            assert!(left.len() <= found.len(), "{kind}: {} brought {left:#?}", seed.what);
            let base = DOCUMENTS.iter().find(|(name, _)| *name == path).unwrap().1;
            is_near(kind, base, &seed.text, &text);
            write(folder.path(), path, base);
        }
        table.push_str(&format!("{kind:<22}{seen:>6} found{count:>6} put right\n"));
        assert!(count * 10 >= seen * least, "{table}");
        assert!(
            least > 0 || count == 0,
            "{kind} is put right and is not listed\n{table}"
        );
    }
    println!("{table}");
}

/// Compares what was put right with the clean document.
fn is_near(kind: &str, base: &str, planted: &str, fixed: &str) {
    match kind {
        // The words that were doubled over the end of a line keep their line break.
        "doubled-word" => assert_eq!(words(base), words(fixed)),
        "misnumbered-list" => assert_eq!(base, fixed),
        "ragged-table" => assert_eq!(cells(planted), cells(fixed)),
        "unbalanced-fence" => assert!(fixed.starts_with(planted.trim_end()), "{fixed}"),
        "dead-anchor" => assert_eq!(planted.lines().count(), fixed.lines().count()),
        _ => assert_eq!(planted, fixed),
    }
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// Returns what is not a border and not empty.
fn cells(text: &str) -> Vec<&str> {
    let parts = text.split(['|', '\n']).map(str::trim);
    parts.filter(|part| !part.is_empty()).collect()
}
