use super::Frontmatter;
use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{FaultKind, Format, Parsed, Value, parse};

fn read(text: &str) -> (Source, Parsed) {
    let source = Source::new(SourceId(0), ProjectPath::root(), text);
    let parsed = parse(&source, Format::Markdown);
    (source, parsed)
}

fn block(text: &str) -> (Source, Frontmatter) {
    let (source, parsed) = read(text);
    (source, parsed.frontmatter.unwrap())
}

/// Returns the kinds, places and reasons of what is wrong with a frontmatter.
fn complaint(text: &str) -> (FaultKind, String, String) {
    let (source, parsed) = read(text);
    let fault = parsed.faults.first().unwrap();
    (fault.kind, source.slice(fault.span).to_owned(), fault.detail.clone())
}

#[test]
fn the_block_ends_at_the_second_fence() {
    let (source, block) = block("---\nname: a\n---\n# Title\n\n---\n");
    assert_eq!(source.slice(block.span), "---\nname: a\n---");
    assert_eq!(source.slice(block.body), "name: a\n");
    assert_eq!(block.data.unwrap().get("name").unwrap().text(), Some("a"));
}

#[test]
fn three_dots_end_the_block_too() {
    let (source, block) = block("---\na: 1\n...\nrest");
    assert_eq!(source.slice(block.body), "a: 1\n");
}

#[test]
fn a_mark_and_windows_line_ends_do_not_matter() {
    let (source, block) = block("\u{feff}--- \r\nname: 'é'\r\n---\r\nrest");
    let data = block.data.unwrap();
    let name = data.get("name").unwrap();
    assert_eq!(name.text(), Some("é"));
    assert_eq!(source.slice(name.span), "'é'");
}

#[test]
fn an_empty_block_is_an_empty_map() {
    for text in ["---\n---\n", "---\n\n---", "---\n# nothing yet\n---\n"] {
        assert_eq!(block(text).1.data.unwrap().value, Value::Map(Vec::new()));
    }
}

#[test]
fn a_rule_across_the_page_is_no_frontmatter() {
    for text in [
        "---\nName: a\n",
        "---\n\nname: a\n",
        "---",
        "",
        "----\na: 1\n---\n",
        "\n---\na: 1\n---\n",
        "--- a\n---\n",
    ] {
        let (_, parsed) = read(text);
        assert!(parsed.frontmatter.is_none(), "{text}");
        assert!(parsed.faults.is_empty(), "{text}");
    }
}

#[test]
fn a_block_that_nothing_closes_ends_where_the_page_begins() {
    for (text, body, place) in [
        ("---\nname: a\n\n# Title\n\nGo.\n", "name: a\n\n", "# Title"),
        ("---\nname: a\n\nGo on.\n", "name: a\n\n", "Go on."),
        ("---\nname: a\n", "name: a\n", "---"),
        ("---\nname: a", "name: a", "---"),
        ("---\r\nname: a\r\n", "name: a\r\n", "---"),
        ("---\nname: a\n# Title\nRead `b: c`.\n", "name: a\n", "# Title"),
        (
            "---\nname: a\n# References\nb: c\n\n- One.\n",
            "name: a\n# References\nb: c\n\n",
            "- One.",
        ),
        (
            "---\nname: a\nb:\n- c\n\n# Title\n\n## Part\n",
            "name: a\nb:\n- c\n\n",
            "# Title",
        ),
        (
            "---\nname: a\n# b\nc: d\n\n## Title\n\nGo.\n1. Do this: now.\n\n---\n\nMore.\n",
            "name: a\n# b\nc: d\n\n",
            "## Title",
        ),
        (
            "---\nname: a\n\n# Title\n\nLike\nthis.\nGo: on.\n\n---\n",
            "name: a\n\n",
            "# Title",
        ),
    ] {
        let (source, block) = block(text);
        assert_eq!(source.slice(block.body), body, "{text}");
        assert_eq!(block.data.unwrap().get("name").unwrap().text(), Some("a"), "{text}");
        let (kind, at, _) = complaint(text);
        assert_eq!((kind, at.as_str()), (FaultKind::BadFrontmatter, place), "{text}");
    }
}

#[test]
fn a_bad_line_among_keys_begins_no_page() {
    for text in [
        "---\nname: a\n\n# References\nfile: {x}/y\n\nother: b\n---\nGo.\n",
        "---\nname: a\n\nno key\nother: b\n---\nGo.\n",
        "---\nname: a: b\n\n# Metadata\nStatus: draft\nAuthor: x\n---\nGo.\n",
        "---\nname: a: b\n\n# Größe\nGröße: 1\n'quoted': 2\nTop Key: 3\n---\nGo.\n",
        "---\nname: a: b\n\nSome words.\n\nMore words.\n---\nGo.\n",
        "---\nname: 'a\nb'\n\n# c\n---\nGo.\n",
    ] {
        let (source, block) = block(text);
        assert!(source.slice(block.span).ends_with("---"), "{text}");
    }
}

#[test]
fn an_indented_fence_belongs_to_the_text_above_it() {
    let (source, block) = block("---\na: |\n  x\n  ---\n  y\nb: 1\n---\n");
    let data = block.data.unwrap();
    assert_eq!(data.get("a").unwrap().text(), Some("x\n---\ny\n"));
    assert_eq!(source.slice(data.get("b").unwrap().span), "1");
}

#[test]
fn a_backslash_does_not_escape_an_apostrophe() {
    let text = "---\nname: 'x'\ndescription: 'Goals that don\\'t leak'\nnext: './b.md'\n---\n";
    let (kind, place, reason) = complaint(text);
    assert_eq!(kind, FaultKind::BadFrontmatter);
    assert_eq!(place, "t leak'");
    assert_eq!(
        reason,
        r"`description`: the text ends at `\'`: `\` does not escape inside single quotes; write `''`"
    );
}

#[test]
fn a_path_that_starts_with_a_brace_must_be_quoted() {
    let (_, place, reason) = complaint("---\nfile: {output_folder}/x.md\nb: 1\n---\n");
    assert_eq!(place, "/x.md");
    assert_eq!(
        reason,
        "`file`: an unquoted `{` starts a map or list, and this one does not end with it; quote the value"
    );
}

#[test]
fn a_pattern_that_starts_with_a_star_must_be_quoted() {
    let (_, place, reason) = complaint("---\nfiles: **/*.md\n---\n");
    assert_eq!(place, "**/*.md");
    assert_eq!(
        reason,
        "`files`: an unquoted `*` starts an alias, and nothing has that name; quote the value"
    );
}

#[test]
fn a_list_is_no_frontmatter() {
    let (kind, place, reason) = complaint("---\n- a\n- b\n---\n");
    assert_eq!((kind, place.as_str()), (FaultKind::BadFrontmatter, "- a\n- b"));
    assert_eq!(reason, "a list where keys are expected, each written `key: value`");
}

#[test]
fn a_repeated_key_keeps_the_rest() {
    let (_, parsed) = read("---\na: 1\na: 2\nb: 3\n---\n");
    assert_eq!(parsed.faults.first().unwrap().kind, FaultKind::DuplicateKey);
    assert!(parsed.frontmatter.unwrap().data.unwrap().get("b").is_some());
}

#[test]
fn a_comment_to_the_engine_is_kept() {
    let (source, parsed) = read("---\n# bmad: allow(x)\na: '# bmad: no'\n---\n");
    let comments: Vec<&str> = parsed.comments.iter().map(|span| source.slice(*span)).collect();
    assert_eq!(comments, [" bmad: allow(x)"]);
}

#[test]
fn one_bad_line_does_not_undo_the_others() {
    let (_, block) = block("---\nname: 'it\\'s'\nnextStepFile: './b.md'\n---\n");
    let data = block.data.unwrap();
    assert_eq!(data.get("nextStepFile").unwrap().text(), Some("./b.md"));
    assert!(data.get("name").is_none());
}
