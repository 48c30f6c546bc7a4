//! One door per dependency: swapping a crate touches one file.

use super::code::{blank, paths, tokens};
use super::{File, assert_none};

/// Where a dependency may be named.
#[derive(Debug, Clone, Copy)]
pub(super) enum Door {
    /// Anywhere: it is part of the language for us.
    Free,
    /// Only in these files, or in files below these folders.
    At(&'static [&'static str]),
    /// In one file, whichever it is.
    OneFile,
}

/// Name in Cargo.toml, name in code, door.
pub(super) type Row = (&'static str, &'static str, Door);

pub(super) const DOORS: &[Row] = &[
    ("quick-xml", "quick_xml", Door::At(&["engine/syntax/xml.rs"])),
    ("saphyr-parser", "saphyr_parser", Door::At(&["engine/syntax/yaml.rs"])),
    ("toml", "toml", Door::At(&["engine/syntax/toml.rs"])),
    ("memchr", "memchr", Door::Free),
    ("aho-corasick", "aho_corasick", Door::At(&["engine/syntax/phrases.rs"])),
    ("petgraph", "petgraph", Door::At(&["engine/graph.rs", "engine/graph/"])),
    ("smallvec", "smallvec", Door::OneFile),
    ("rayon", "rayon", Door::At(&["engine/project.rs", "engine/project/"])),
    ("serde", "serde", Door::Free),
    ("serde_json", "serde_json", Door::Free),
    ("sha2", "sha2", Door::OneFile),
    ("blake3", "blake3", Door::OneFile),
    ("xxhash-rust", "xxhash_rust", Door::OneFile),
    (
        "minijinja",
        "minijinja",
        Door::At(&["engine/machine/render.rs", "engine/runner/prompt.rs"]),
    ),
    (
        "tokio",
        "tokio",
        Door::At(&["engine/runner.rs", "engine/runner/", "engine/drivers/", "engine/os/"]),
    ),
    ("strsim", "strsim", Door::OneFile),
    ("jiff", "jiff", Door::At(&["engine/drivers/reset.rs"])),
    (
        "agent-client-protocol",
        "agent_client_protocol",
        Door::At(&["engine/drivers/acp/wire.rs"]),
    ),
    ("mimalloc", "mimalloc", Door::At(&["engine/main.rs"])),
    ("clap", "clap", Door::At(&["engine/cli.rs", "engine/cli/"])),
    (
        "clap_complete",
        "clap_complete",
        Door::At(&["engine/cli/completions.rs"]),
    ),
    ("miette", "miette", Door::At(&["engine/cli/report/text.rs"])),
    ("serde-sarif", "serde_sarif", Door::At(&["engine/cli/report/sarif.rs"])),
    ("layout-rs", "layout", Door::OneFile),
    ("notify", "notify", Door::At(&["engine/os/watch.rs"])),
    ("terminal_size", "terminal_size", Door::At(&["engine/os/terminal.rs"])),
    ("rustix", "rustix", Door::At(&["engine/os/", "engine/drivers/pids.rs"])),
    (
        "unicode-width",
        "unicode_width",
        Door::At(&["engine/os/terminal/cell.rs"]),
    ),
];

pub(super) fn check(files: &[File], doors: &[Row]) -> Vec<String> {
    let mut violations = Vec::new();
    for (_, name, door) in doors {
        let users: Vec<&File> = files.iter().filter(|file| uses(file, name)).collect();
        match door {
            Door::Free => {}
            Door::At(allowed) => {
                let inside = |file: &File| allowed.iter().any(|it| file.path.starts_with(it));
                let outside = users.iter().filter(|file| !inside(file));
                violations.extend(outside.map(|file| {
                    let doors = allowed.join(" or ");
                    format!("{}: `{name}` belongs to {doors}", file.path)
                }));
            }
            Door::OneFile if users.len() > 1 => {
                let paths: Vec<&str> = users.iter().map(|file| file.path.as_str()).collect();
                violations.push(format!("`{name}` has several doors: {}", paths.join(", ")));
            }
            Door::OneFile => {}
        }
    }
    violations
}

/// Compares the table with the dependencies of the package, both ways.
pub(super) fn table(manifest: &str, doors: &[Row]) -> Vec<String> {
    let manifest: toml::Table = manifest.parse().unwrap();
    let wanted: Vec<&String> = manifest["dependencies"].as_table().unwrap().keys().collect();
    let doorless = wanted
        .iter()
        .filter(|name| !doors.iter().any(|(door, ..)| door == *name))
        .map(|name| format!("Cargo.toml: `{name}` has no door"));
    let stale = doors
        .iter()
        .filter(|(door, ..)| !wanted.iter().any(|name| name == door))
        .map(|(door, ..)| format!("the table has a door for `{door}`, which is no dependency"));
    doorless.chain(stale).collect()
}

/// Says whether a file names a crate; a module of the same name that is in scope hides it.
fn uses(file: &File, name: &str) -> bool {
    let code = blank(&file.text);
    let tokens = tokens(&code);
    let paths = paths(&tokens);
    let declared = tokens
        .windows(2)
        .any(|pair| pair[0].text == "mod" && pair[1].text == name);
    let imported = paths
        .iter()
        .any(|path| path.imported && path.segments.len() > 1 && path.segments.last().is_some_and(|last| last == name));
    paths
        .iter()
        .filter(|path| path.segments[0] == name)
        .any(|path| path.absolute || !(declared || imported))
}

fn broken(path: &str, text: &str) -> Vec<String> {
    check(&[File::new(path, text)], DOORS)
}

#[test]
fn a_second_door_is_found() {
    assert_eq!(
        broken("engine/lint.rs", "use quick_xml::Reader;"),
        ["engine/lint.rs: `quick_xml` belongs to engine/syntax/xml.rs"]
    );
    assert_eq!(
        broken("engine/model.rs", "fn f() { clap::Command::new(\"x\"); }").len(),
        1
    );
    assert_eq!(broken("engine/model.rs", "#[derive(clap::Args)] struct A;").len(), 1);
    assert_eq!(broken("engine/syntax.rs", "mod toml; use ::toml::Value;").len(), 1);
}

#[test]
fn two_users_of_a_crate_with_one_door_are_found() {
    let user = |path| File::new(path, "fn f() { strsim::jaro(a, b); }");
    assert_none(check(&[user("engine/lint/near.rs")], DOORS));
    let both = [user("engine/lint/near.rs"), user("engine/project.rs")];
    assert_eq!(
        check(&both, DOORS),
        ["`strsim` has several doors: engine/lint/near.rs, engine/project.rs"]
    );
}

#[test]
fn a_module_with_the_name_of_a_crate_is_no_door() {
    assert_none(broken("engine/syntax.rs", "mod toml; fn f() { toml::read(a); }"));
    assert_none(broken(
        "engine/syntax/md.rs",
        "use super::toml; fn f() { toml::read(a); }",
    ));
}

#[test]
fn a_dependency_without_a_door_is_found_and_a_door_without_one_too() {
    let doors: &[Row] = &[("serde", "serde", Door::Free), ("gone", "gone", Door::Free)];
    let manifest = "[dependencies]\nserde = \"1\"\nregex = \"1\"\n";
    assert_eq!(
        table(manifest, doors),
        [
            "Cargo.toml: `regex` has no door",
            "the table has a door for `gone`, which is no dependency",
        ]
    );
}
