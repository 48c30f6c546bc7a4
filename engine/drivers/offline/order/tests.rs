//! Instructions, and what is understood of them.

use super::{Act, Depth, acts};

fn one(text: &str) -> Act {
    let mut found = acts(text).unwrap_or_else(|| panic!("{text}"));
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

fn read(paths: &[&str]) -> Act {
    Act::Read {
        paths: paths.iter().map(|path| (*path).to_owned()).collect(),
        into: None,
    }
}

#[test]
fn reading_is_understood() {
    assert_eq!(one("Load docs/prd.md"), read(&["docs/prd.md"]));
    assert_eq!(one("Read the COMPLETE file: `docs/prd.md`."), read(&["docs/prd.md"]));
    assert_eq!(one("Read a.md and b.md fully"), read(&["a.md", "b.md"]));
    let kept = Act::Read {
        paths: vec!["a.md".to_owned()],
        into: Some("notes".to_owned()),
    };
    assert_eq!(one("Read a.md and store its content as {{notes}}"), kept);
}

#[test]
fn listing_is_understood() {
    for (text, pattern) in [
        ("List the files in docs/", "docs/"),
        ("List docs/*.md", "docs/*.md"),
        ("Find all files matching `docs/**/*.md`", "docs/**/*.md"),
    ] {
        let wanted = Act::List {
            pattern: pattern.to_owned(),
            into: None,
        };
        assert_eq!(one(text), wanted);
    }
}

#[test]
fn setting_is_understood() {
    let set = |name: &str, value: &str| Act::Set {
        name: name.to_owned(),
        value: value.to_owned(),
    };
    assert_eq!(one("Set status to draft"), set("status", "draft"));
    assert_eq!(one("Set {{mode}} = \"two words\""), set("mode", "two words"));
    assert_eq!(acts("Set status to the best word"), None);
    assert_eq!(acts("Set status to {other}"), None);
}

#[test]
fn writing_given_text_is_understood() {
    let write = |path: &str, text: &str| Act::Write {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    assert_eq!(one("Write \"Hello.\" to notes.txt"), write("notes.txt", "Hello."));
    assert_eq!(one("Write \"a.md\" to list.txt"), write("list.txt", "a.md"));
    assert_eq!(
        one("Create the file `docs/x.md` with the content \"# X\""),
        write("docs/x.md", "# X")
    );
    assert_eq!(
        one("Create docs/x.md with the following content:\n```\n# X\n\nText.\n```"),
        write("docs/x.md", "# X\n\nText.\n")
    );
}

#[test]
fn running_is_understood() {
    let run = Act::Run {
        line: "cargo test --lib".to_owned(),
    };
    assert_eq!(one("Run `cargo test --lib`"), run);
    assert_eq!(one("Execute the command:\n```\ncargo test --lib\n```"), run);
    assert_eq!(acts("Run the tests"), None);
}

#[test]
fn a_review_tells_how_deep_it_goes() {
    let review = |depth| Act::Review {
        path: "docs/x.md".to_owned(),
        depth,
    };
    assert_eq!(one("Review docs/x.md"), review(Depth::Full));
    assert_eq!(one("Check docs/x.md for contradictions"), review(Depth::Full));
    assert_eq!(
        one("Check docs/x.md for dead links and empty sections"),
        review(Depth::Mechanical)
    );
}

#[test]
fn what_needs_understanding_is_no_act() {
    for text in [
        "Read docs/prd.md and summarise it",
        "Write a summary to notes.txt",
        "Write the summary to `notes.txt`",
        "Write the content of \"a.md\" to b.md",
        "Save `draft` to docs/x.md",
        "Load the most relevant files",
        "Create docs/x.md from the template",
        "Think about the architecture",
        "Find all documents that match the template docs/x.md",
        "Verify that docs/x.md exists",
        "Read a.md. Decide what is missing.",
        "",
    ] {
        assert_eq!(acts(text), None, "{text}");
    }
}
