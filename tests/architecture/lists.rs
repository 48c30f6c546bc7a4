//! Nothing exists that no list names, and no list names what does not exist.

use super::code::{blank, tokens};
use super::{File, Tree, assert_none};

const TOP_LEVEL: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "LICENSE",
    "README.md",
    "engine",
    "spec",
    "stdlib",
    "target",
    "tests",
    "workflows",
];

/// Finds files that no `mod` names: the compiler never sees them.
pub(super) fn modules(files: &[File]) -> Vec<String> {
    let declares = |parent: &File, name: &str| {
        let code = blank(&parent.text);
        let tokens = tokens(&code);
        let listed = code.contains("rules! {") && tokens.iter().any(|token| token.text == name);
        let mut pairs = tokens.windows(2);
        listed || pairs.any(|pair| pair[0].text == "mod" && pair[1].text == name)
    };
    let orphan = |file: &&File| {
        let Some((folder, name)) = file.path.trim_end_matches(".rs").rsplit_once('/') else {
            return false;
        };
        let parents: Vec<String> = match folder {
            "engine" => vec!["engine/lib.rs".into(), "engine/main.rs".into()],
            "tests" => vec!["tests/main.rs".into()],
            folder => vec![format!("{folder}.rs")],
        };
        let is_root = parents.contains(&file.path) || file.path == "engine/build.rs";
        let mut known = files.iter().filter(|it| parents.contains(&it.path));
        !is_root && !known.any(|parent| declares(parent, name))
    };
    let orphans = files.iter().filter(orphan);
    orphans
        .map(|file| format!("{}: no module names it", file.path))
        .collect()
}

/// Compares the files of a folder, the list next to it, and the pages of the spec.
pub(super) fn registry(tree: &Tree, folder: &str, pages_folder: &str) -> Vec<String> {
    let list = format!("{folder}.rs");
    let code = blank(tree.text(&list));
    let words = tokens(&code);
    let mut stems = tree.stems(folder, ".rs");
    // What has a page includes it; the other files of the folder are its furniture.
    stems.retain(|stem| tree.text(&format!("{folder}/{stem}.rs")).contains("page: include_str!"));
    let unlisted = stems
        .iter()
        .filter(|stem| !words.iter().any(|word| word.text == **stem))
        .map(|stem| format!("{folder}/{stem}.rs: not in {list}"));
    let names: Vec<String> = stems.iter().map(|stem| stem.replace('_', "-")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    unlisted.chain(pages(&names, tree, pages_folder)).collect()
}

/// Compares names with the pages of a folder, both ways.
pub(super) fn pages(names: &[&str], tree: &Tree, folder: &str) -> Vec<String> {
    let stems = tree.stems(folder, ".md");
    let kebab: Vec<String> = stems.iter().map(|stem| stem.replace('_', "-")).collect();
    let pageless = names
        .iter()
        .filter(|name| !kebab.iter().any(|page| page == *name))
        .map(|name| format!("`{name}` has no page in {folder}"));
    let nameless = kebab
        .iter()
        .filter(|page| !names.contains(&page.as_str()))
        .map(|page| format!("{folder}/{page}.md is about nothing"));
    pageless.chain(nameless).collect()
}

/// Finds commands that the command line does not offer.
pub(super) fn commands(tree: &Tree) -> Vec<String> {
    let code = blank(tree.text("engine/cli/args.rs"));
    let listed = tokens(&code);
    let is_command = |file: &&File| file.text.contains("struct Args");
    let in_cli = |file: &&File| file.path.starts_with("engine/cli/");
    let files = tree.0.iter().filter(in_cli).filter(is_command);
    let name = |file: &File| file.path["engine/cli/".len()..].trim_end_matches(".rs").to_owned();
    files
        .map(name)
        .filter(|name| !listed.iter().any(|word| word.text == name))
        .map(|name| format!("engine/cli/{name}.rs: not in engine/cli/args.rs"))
        .collect()
}

/// Finds what does not belong at the top.
pub(super) fn top_level(names: &[String]) -> Vec<String> {
    let belongs = |name: &&String| name.starts_with('.') || TOP_LEVEL.contains(&name.as_str());
    let strangers = names.iter().filter(|name| !belongs(name));
    strangers
        .map(|name| format!("{name}: does not belong at the top"))
        .collect()
}

#[test]
fn a_file_that_no_module_names_is_found() {
    let files = [
        File::new("engine/lib.rs", "mod lint;"),
        File::new("engine/lint.rs", "// mod rule;"),
        File::new("engine/lint/rule.rs", ""),
        File::new("tests/main.rs", "mod cli;"),
        File::new("tests/cli.rs", ""),
        File::new("tests/lost.rs", ""),
    ];
    assert_eq!(
        modules(&files),
        [
            "engine/lint/rule.rs: no module names it",
            "tests/lost.rs: no module names it"
        ]
    );
}

#[test]
fn an_unlisted_rule_a_missing_page_and_an_orphan_page_are_found() {
    let tree = Tree(vec![
        File::new("engine/lint/rules.rs", "rules! { dead_goto } // step_order"),
        File::new("engine/lint/rules/dead_goto.rs", "page: include_str!(p)"),
        File::new("engine/lint/rules/step_order.rs", "page: include_str!(p)"),
        File::new("spec/rules/dead-goto.md", ""),
        File::new("spec/rules/old-rule.md", ""),
    ]);
    assert_eq!(
        registry(&tree, "engine/lint/rules", "spec/rules"),
        [
            "engine/lint/rules/step_order.rs: not in engine/lint/rules.rs",
            "`step-order` has no page in spec/rules",
            "spec/rules/old-rule.md is about nothing",
        ]
    );
}

#[test]
fn a_tag_without_a_page_and_a_page_without_a_tag_are_found() {
    let tree = Tree(vec![
        File::new("spec/tags/ask.md", ""),
        File::new("spec/tags/aks.md", ""),
    ]);
    assert_eq!(
        pages(&["ask", "goto"], &tree, "spec/tags"),
        ["`goto` has no page in spec/tags", "spec/tags/aks.md is about nothing"]
    );
}

#[test]
fn a_command_that_is_not_offered_is_found() {
    let tree = Tree(vec![
        File::new("engine/cli/args.rs", "enum Command { Lint(lint::Args) }"),
        File::new("engine/cli/lint.rs", "struct Args {}"),
        File::new("engine/cli/serve.rs", "struct Args {}"),
        File::new("engine/cli/outlet.rs", "struct Outlet;"),
    ]);
    assert_eq!(commands(&tree), ["engine/cli/serve.rs: not in engine/cli/args.rs"]);
}

#[test]
fn a_stranger_at_the_top_is_found() {
    let names = ["Cargo.toml", ".github", "scripts"].map(String::from);
    assert_eq!(top_level(&names), ["scripts: does not belong at the top"]);
    assert_none(top_level(&names[..2]));
}
