//! Documents of real packages: rendered, filled and marked as completed, and nothing else of them changes.

use crate::corpus::files;
use crate::packages::{self, PACKAGES};
use bmad::builtins::Value;
use bmad::machine::matter::{self, Change, Item};
use bmad::machine::section::{Where, place};
use bmad::machine::{escape, render};
use bmad::source::{ProjectPath, Source, SourceId, Span};
use bmad::syntax::{Format, HoleKind, Node, holes, parse};
use std::collections::BTreeMap;
use std::process::Command;

/// Reads the Markdown, XML and YAML files that the packages are made of.
fn documents() -> Option<Vec<(String, String)>> {
    let folder = packages::fetched()?;
    let mut found = Vec::new();
    for package in PACKAGES {
        for path in files(&folder.join(package.name())) {
            let name = path.strip_prefix(&folder).unwrap().display().to_string();
            let is_ours = Format::of(&name).is_some() && !name.contains("/node_modules/");
            if is_ours && let Ok(text) = std::fs::read_to_string(&path) {
                found.push((name, text));
            }
        }
    }
    assert!(found.len() > 1000, "only {} files were found", found.len());
    Some(found)
}

fn is_template(name: &str) -> bool {
    name.ends_with(".md") && name.rsplit('/').next().unwrap_or("").contains("template")
}

fn frontmatter(text: &str) -> Option<Node> {
    let end = text.find("\n---").map_or(text.len(), |fence| fence + "\n---".len());
    let source = Source::new(SourceId(0), ProjectPath::root(), &text[..end]);
    let parsed = parse(&source, Format::Markdown);
    let data = parsed.frontmatter?.data;
    data.filter(|_| parsed.faults.is_empty())
}

fn keys(node: &Node) -> Vec<&str> {
    node.pairs().iter().map(|pair| pair.key.as_str()).collect()
}

#[test]
fn a_shell_gets_back_every_value_it_was_handed() {
    let nasty = [
        "",
        " ",
        "'",
        "'\\''",
        "it's \"quoted\"",
        "a\nb\n\nc",
        "\r\n\t",
        "$(echo no) ${HOME} $HOME",
        "`echo no`",
        "-n",
        "--",
        "-e \\n",
        "\\",
        "\\\\'",
        "\"; rm -rf ~; echo \"",
        "'; echo no; '",
        "* ? [a-z] ~ !x #y",
        "a && b || c | d > e < f & g ; h",
        "é 漢字 🦀 \u{202e}",
        "\u{1}\u{7f}\u{1b}[31m",
        "%s %d %%",
        "{a,b} {{x}}",
    ];
    for value in nasty {
        let command = format!("printf %s {}", escape::shell(value).unwrap());
        let output = Command::new("sh").arg("-c").arg(&command).output().unwrap();
        assert_eq!(output.stdout, value.as_bytes(), "{command}");
        assert!(output.stderr.is_empty() && output.status.success(), "{command}");
    }
}

#[test]
fn the_table_of_the_spec_says_how_text_is_filled() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/spec/14-documents.md")).unwrap();
    let json = page.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let names: Value = serde_json::from_str(json).unwrap();
    let after = page.split("text becomes\n\n").nth(1).unwrap();
    let table = after.split("\n\n").next().unwrap();
    let rows: Vec<&str> = table.lines().skip(2).collect();
    assert!(rows.len() > 15, "only {} rows were found", rows.len());
    for row in rows {
        let cells: Vec<&str> = row.split('`').collect();
        let [_, written, _, shown, _] = cells.as_slice() else {
            panic!("{row} has other than two cells");
        };
        let filled = render::text(written, &|name: &str| names.get(name).cloned());
        assert_eq!(filled, *shown, "{row}");
    }
}

#[test]
fn text_whose_names_nobody_knows_stays_as_it_is() {
    let Some(documents) = documents() else { return };
    let nobody = |_: &str| None;
    for (name, text) in documents {
        assert_eq!(render::text(&text, &nobody), text, "{name}");
        assert_eq!(render::document(&text, &nobody), text, "{name}");
    }
}

#[test]
fn a_template_has_the_same_keys_whatever_is_filled_in() {
    let Some(documents) = documents() else { return };
    let nasty = "x'\"\n---\nstatus: done\n{{y}} # \\";
    let all = |_: &str| Some(Value::from(nasty));
    let mut seen = 0;
    for (name, text) in documents.into_iter().filter(|(name, _)| is_template(name)) {
        let Some(before) = frontmatter(&text) else { continue };
        let filled = render::document(&text, &all);
        let after = frontmatter(&filled).unwrap_or_else(|| panic!("{name} cannot be read any more:\n{filled}"));
        assert_eq!(keys(&before), keys(&after), "{name}");
        seen += usize::from(filled != text);
    }
    assert!(seen > 20, "only {seen} templates were filled");
}

#[test]
fn a_section_is_found_again_in_every_slot_of_a_template() {
    let Some(documents) = documents() else { return };
    let mut seen = 0;
    for (name, text) in documents.into_iter().filter(|(name, _)| is_template(name)) {
        // What stands inside a repeated block names a field of its items.
        if text.contains("{{#each") {
            continue;
        }
        let mut slots: BTreeMap<String, usize> = BTreeMap::new();
        let body = text.find("\n---\n").filter(|_| text.starts_with("---")).unwrap_or(0);
        for hole in holes(&text[body..], Span::default()) {
            let counts = hole.kind == HoleKind::Double && !hole.name.contains(['{', '.', ' ']);
            *slots.entry(hole.name.to_owned()).or_default() += if counts { 1 } else { 100 };
        }
        for (slot, _) in slots.iter().filter(|(_, count)| **count == 1) {
            let first = place(&text, slot, "First draft of it,\nin two lines.", None);
            assert_eq!(first.at, Where::Slot, "{slot} of {name}");
            let again = place(&first.text, slot, "Second.", Some("First draft of it,\nin two lines."));
            assert_eq!(again.at, Where::Replaced, "{slot} of {name}");
            assert_eq!(again.text, place(&text, slot, "Second.", None).text, "{slot} of {name}");
            seen += 1;
        }
    }
    assert!(seen > 500, "only {seen} slots were found");
}

#[test]
fn a_key_that_is_set_and_removed_leaves_the_same_bytes() {
    let Some(documents) = documents() else { return };
    let mut seen = 0;
    for (name, text) in documents.into_iter().filter(|(name, _)| name.ends_with(".md")) {
        if frontmatter(&text).is_none() {
            continue;
        }
        let key = "neverThere";
        let set = matter::set(&text, &[(key, Change::Text("a: 'b'\nc".into()))]);
        let set = set.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(set.lines().count(), text.lines().count() + 1, "{name}");
        let removed = matter::set(&set, &[(key, Change::Remove)]).unwrap();
        assert_eq!(removed, text, "{name}");
        seen += 1;
    }
    assert!(seen > 500, "only {seen} files have frontmatter");
}

#[test]
fn every_key_of_real_frontmatter_can_be_changed_alone() {
    let Some(documents) = documents() else { return };
    for (name, text) in documents.into_iter().filter(|(name, _)| name.ends_with(".md")) {
        let Some(before) = frontmatter(&text) else { continue };
        for key in keys(&before) {
            let changed = matter::set(&text, &[(key, Change::Text("x: y".into()))]);
            let changed = changed.unwrap_or_else(|error| panic!("{name}: {error}"));
            let after = frontmatter(&changed).unwrap();
            assert_eq!(after.get(key).unwrap().text(), Some("x: y"), "{name}");
            let removed = matter::set(&text, &[(key, Change::Remove)]).unwrap();
            let wanted: Vec<&str> = keys(&before).into_iter().filter(|other| *other != key).collect();
            assert_eq!(frontmatter(&removed).as_ref().map(keys), Some(wanted), "{name}");
        }
    }
}

#[test]
fn a_completed_step_changes_the_lines_of_its_list_only() {
    let Some(documents) = documents() else { return };
    let mut seen = 0;
    for (name, text) in documents.into_iter().filter(|(name, _)| name.ends_with(".md")) {
        let Some(before) = frontmatter(&text) else { continue };
        let done = matter::complete(&text, "7", None);
        let done = done.unwrap_or_else(|error| panic!("{name}: {error}"));
        let others = |text: &str| -> Vec<String> {
            let lines = text.split_inclusive('\n').map(str::to_owned);
            lines.filter(|line| !line.starts_with("stepsCompleted:")).collect()
        };
        assert_eq!(others(&done), others(&text), "{name}");
        assert_eq!(
            matter::steps_completed(&done).last().map(Item::to_string),
            Some("7".into()),
            "{name}"
        );
        assert_eq!(matter::complete(&done, "7", None).unwrap(), done, "{name}");
        seen += usize::from(before.get("stepsCompleted").is_some());
    }
    assert!(seen > 20, "only {seen} documents list their steps");
}
