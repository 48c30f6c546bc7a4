//! Small documents, and what is found in them.

use super::{CHECKS, Check, document};
use crate::drivers::offline::page::Page;

fn all() -> Vec<&'static Check> {
    CHECKS.iter().collect()
}

/// Returns `line check` for every finding; only `there.md` and `pic.png` exist next to the document.
fn found(text: &str) -> Vec<String> {
    let page = Page::new(text);
    let exists = |path: &str| {
        let inside = !path.starts_with("../../");
        inside.then_some(matches!(
            path,
            "there.md" | "./there.md" | "pic.png" | "folder" | "a b.md"
        ))
    };
    let findings = document(&page, &exists, &all());
    findings
        .iter()
        .map(|finding| format!("{} {}", page.line(finding.range.start), finding.check))
        .collect()
}

#[track_caller]
fn clean(text: &str) {
    assert_eq!(found(text), Vec::<String>::new(), "{text}");
}

#[test]
fn links_to_files_that_are_not_there_are_found() {
    let text = "[a](gone.md) ![b](gone.png \"t\")\n[c](<gone too.md>)\n\n[d]: gone/x.md\n<img src=\"gone.svg\"> <a href='gone.html'>x</a>";
    assert_eq!(
        found(text),
        [
            "1 dead-link",
            "1 dead-image",
            "2 dead-link",
            "4 dead-link",
            "5 dead-image",
            "5 dead-link"
        ]
    );
}

#[test]
fn links_that_lead_somewhere_or_elsewhere_are_left_alone() {
    clean(
        "[a](there.md) [b](./there.md#x) ![c](pic.png) [d](folder/) [e](there) [f](a%20b.md) [g](there.md?x=1 'title')",
    );
    clean("[a](https://x.y/z.md) [b](mailto:a@b.c) [c](/docs/x) [d](//x/y) [e](../../other/x.md)");
    clean("[C]: Continue[^1]\n\n[^1]: see x.md there");
    clean("`[a](gone.md)` and\n\n```\n[a](gone.md)\n```\n<!-- [a](gone.md) -->");
}

#[test]
fn anchors_without_a_heading_are_found() {
    let text = "# One & two\n\n[a](#one--two) [b](#one-and-two)\n";
    assert_eq!(found(text), ["3 dead-anchor"]);
}

#[test]
fn anchors_of_every_kind_are_known() {
    clean(
        "# 🚀 Quick `start`!\n\n[a](#-quick-start) [b](#quick-start) [c](#own) [d](#second-one) [e](#under) [f](#tag)\n\
         [g](#named) [h](#top) [i](#) [j](#x-1) [k](#%EF%B8%8F-tools)\n\n## 🛠️ Tools\n\nx\n\n## Own way {#own}\n\nx\n\n## [Second](there.md) *one*\n\nx\n\n\
         Under\n=====\n\n<h2 align=\"center\">Tag</h2>\n<a name=\"named\"></a>\n\n## A\n\n### x\n\nx\n\n## B\n\n### x\n\nx\n",
    );
}

#[test]
fn placeholders_are_found() {
    let text = "Dear {{name}},\n\nuse {api_key} and [Your Company].\n\n<insert date here>\n\nLorem ipsum dolor.";
    assert_eq!(
        found(text),
        [
            "1 placeholder",
            "3 placeholder",
            "3 placeholder",
            "5 placeholder",
            "7 placeholder"
        ]
    );
}

#[test]
fn what_only_looks_like_a_placeholder_is_left_alone() {
    clean("`{{name}}` and ${HOME} and ${{ secrets.x }} and \\{x} and {a, b} and GET /users/{id} and $x^{n+1}_{ij}$");
    clean("[your guide](there.md) and <b>your</b> and <yourtag> and style={{ a: 1 }} and [Yours]\n");
    clean("---\nname: '{{x}}'\n---\n\nText.\n");
    clean("Tags follow v{major}.{minor}.{patch}, files {year}-{month} and places {host}:{port} or {folder}/{file}.\n");
    clean(":::note[Your ideas]\n\nNo {{x}}, [your name] or other placeholders.\n");
}

#[test]
fn marks_of_unfinished_work_are_found() {
    let [one, two, three, four] = super::mark::MARKS else {
        panic!()
    };
    let text = format!("{one}: write\n\n**{two}** [{three}] and {four}.\n");
    assert_eq!(
        found(&text),
        ["1 open-mark", "3 open-mark", "3 open-mark", "3 open-mark"]
    );
}

#[test]
fn words_that_contain_a_mark_are_left_alone() {
    let [one, _, three, four] = super::mark::MARKS else {
        panic!()
    };
    let lower = one.to_lowercase();
    clean(&format!(
        "All {one} items. {one}_STORY {one}S.md {one}.md \"{one}\" my{one} {lower} list sk-{three} {three}-123 {four}s `{one}`\n\n<!-- {one}: x -->\n"
    ));
}

#[test]
fn a_mark_that_names_a_state_beside_others_is_left_alone() {
    let [one, ..] = super::mark::MARKS else { panic!() };
    let states = format!("1. **{one}** - Not started\n2. **IN PROGRESS** - Started\n3. **DONE** - Accepted\n");
    clean(&states);
    clean(&format!(
        "| State | What |\n|---|---|\n| {one} | a |\n| Doing | b |\n| Done | c |\n"
    ));
    // Work that is listed is work that is left.
    assert_eq!(found(&format!("{states}4. **{one}** - Write\n")).len(), 2);
    assert_eq!(found(&format!("- {one}: write\n- Done: read\n")).len(), 1);
    assert_eq!(found(&format!("- In progress ({one})\n- Ready\n- Done\n")).len(), 1);
}

#[test]
fn empty_sections_are_found() {
    let text = "# A\n\n## B\n\n## C\n\n<!-- later -->\n\n---\n\n## D\n\nx\n\n# E\n";
    assert_eq!(found(text), ["3 empty-section", "5 empty-section", "15 empty-section"]);
}

#[test]
fn a_form_that_is_filled_in_over_time_may_be_empty() {
    clean("# Memory\n\nx\n\n## Likes\n\n<!-- what was learnt -->\n\n## Past\n\n<!-- sessions -->\n\n## Notes\n\nx\n");
    // A section without a word about what belongs there is empty in a form too.
    let text = "# A\n\n## B\n\n<!-- b -->\n\n## C\n\n<!-- c -->\n\n## D\n";
    assert_eq!(found(text), ["11 empty-section"]);
    // One comment that was left behind makes no form.
    let text = "# A\n\n## B\n\nx\n\n## C\n\n<!-- c -->\n\n## D\n\nx\n";
    assert_eq!(found(text), ["7 empty-section"]);
}

#[test]
fn a_link_and_a_release_need_no_text() {
    clean("# A\n\nx\n\n## [The log](there.md)\n\n## [**More**](https://example.com)\n");
    clean(
        "# Log\n\n## [Unreleased]\n\n### Added\n\n### Fixed\n\n## Version 1.2.3\n\n## a-b-0.1.0\n\n## v2.0 - 2026-05-01\n",
    );
    assert_eq!(
        found("# A\n\nx\n\n## 2.1 Goals\n\n## [a](there.md) and [b](there.md)\n").len(),
        2
    );
}

#[test]
fn a_record_of_work_may_be_empty_until_the_work_is_done() {
    let story = |status: &str| {
        format!(
            "# Story 1.1: Sign in\n\nStatus: {status}\n\n## Acceptance Criteria\n\n1. It is refused.\n\n## Tasks\n\n- [x] a\n\n\
             ## Dev Notes\n\n## Dev Agent Record\n\n### Agent Model Used\n\n### File List\n"
        )
    };
    let notes = "13 empty-section";
    assert_eq!(found(&story("ready-for-dev")), [notes]);
    for status in ["review", "done", "ready for review"] {
        assert_eq!(
            found(&story(status)),
            [notes, "17 empty-section", "19 empty-section"],
            "{status}"
        );
    }
}

#[test]
fn a_log_of_changes_may_have_releases_of_every_level() {
    let parts = "### Bug Fixes\n\n* x\n\n### Features\n\n* y\n\n";
    let release = |head: &str, number: &str| format!("{head} [{number}](https://a.b/{number}) (2026-05-01)\n\n{parts}");
    let log = |first: &str| {
        format!(
            "# Changelog\n\n{}{}{}",
            release(first, "1.1.2"),
            release("###", "1.1.1"),
            release("##", "1.1.0")
        )
    };
    clean(&log("###"));
    clean(&log("##"));
    // The parts of one release are told apart all the same.
    let twice = format!("# Changelog\n\n### 1.1.1\n\n{parts}{parts}");
    assert_eq!(found(&twice), ["13 duplicate-heading", "17 duplicate-heading"]);
}

#[test]
fn a_type_in_braces_is_no_placeholder() {
    clean("* `path` {string} The path\n* {Object} x\n* Returns: {Promise} y\n\n@param {path} z\n");
    let text = "* Dear {name}\n* Run `x` {option}\n\nStory {number} and `code` {word}\n";
    assert_eq!(found(text).len(), 4);
}

#[test]
fn a_reference_may_hold_code() {
    clean("See [the `foo` docs][] and [it][the `bar`].\n\n[the `foo` docs]: https://a.b\n[The `bar`]: https://a.b\n");
    let text = "See [the `foo` docs][] and [the notes][].\n\n[the `bar` docs]: https://a.b\n[the notes]: https://a.b\n";
    assert_eq!(found(text), ["1 undefined-reference"]);
}

#[test]
fn findings_above_the_most_are_counted() {
    let text: String = (0..1010).map(|number| format!("[x](gone-{number}.md)\n")).collect();
    let page = Page::new(&format!("{text}\nSend it to the the team.\n"));
    let told = document(&page, &|_| Some(false), &all());
    let last = told.last().unwrap();
    assert_eq!(
        (told.len(), page.line(last.range.start), last.message.as_str()),
        (1001, 1001, "11 more findings of this document are not listed")
    );
    assert_eq!(
        last.evidence,
        "1000 are listed; found beside them: 10 by dead-link, 1 by doubled-word"
    );
}

#[test]
fn a_section_of_code_or_of_subsections_is_not_empty() {
    clean("# A\n\n## B\n\n```\nx\n```\n\n## C\n\n`x`\n\n## D\n\n### E\n\n| a |\n");
}

#[test]
fn a_heading_that_leaves_out_a_level_is_found() {
    assert_eq!(found("# A\n\nx\n\n### B\n\nx\n"), ["5 heading-jump"]);
    clean("### A\n\nx\n\n# B\n\nx\n\n## C\n\n### D\n\nx\n\n# E\n\nx\n");
    // A level that is left out everywhere is left out on purpose.
    let release = |number: u8| format!("# 1.{number}.0\n\n### Fixed\n\nx\n\n");
    clean(&(1..4).map(release).collect::<String>());
    let mixed = format!("{}# 2.0.0\n\n## Fixed\n\nx\n", (1..3).map(release).collect::<String>());
    // Both say the same of a section of the same name, so they are told once.
    assert_eq!(found(&mixed), ["3 heading-jump"]);
    // What a tag holds has an outline of its own.
    clean("# A\n\n<ask>What?\n\n### B\n\nx\n\n#### C\n\nx\n</ask>\n");
    assert_eq!(
        found("# A\n\n<ask>What?\n\n## B\n\nx\n\n#### C\n\nx\n</ask>\n"),
        ["9 heading-jump"]
    );
}

#[test]
fn a_heading_that_is_said_twice_below_one_parent_is_found() {
    assert_eq!(found("# A\n\n## B\n\nx\n\n## b\n\nx\n"), ["7 duplicate-heading"]);
    clean("# A\n\n## Fixed\n\nx\n\n# B\n\n## Fixed\n\nx\n");
}

#[test]
fn a_fence_that_never_closes_is_found() {
    assert_eq!(found("x\n\n```rust\nfn x() {}\n"), ["3 unbalanced-fence"]);
    clean("````\n```\n````\n\n~~~\n```\n~~~\n");
}

#[test]
fn frontmatter_that_is_not_yaml_is_found_unless_a_template_makes_it() {
    assert_eq!(found("---\na: {b}/c\n---\n\nText.\n"), ["2 bad-frontmatter"]);
    clean("---\na: 'b'\n{{#has}}\nc: '{{d}}'\n{{/has}}\n---\n\nText.\n");
}

#[test]
fn an_anchor_survives_lines_that_move() {
    let value = |text: &str| {
        let page = Page::new(text);
        let found = document(&page, &|_| Some(false), &all());
        found[0].value(&page, "a.md")
    };
    let (first, moved) = (
        value("# A\n\n[x](gone.md)\n"),
        value("# A\n\nMore.\n\nMore.\n\n[x](gone.md)\n"),
    );
    assert_eq!(first.get("anchor"), moved.get("anchor"));
    assert_ne!(first.get("line"), moved.get("line"));
}

#[test]
fn hostile_documents_are_read_to_their_end() {
    for part in [
        "](",
        "[a",
        "<h1",
        "{{",
        "/{ab}",
        "# a\n",
        "<!-- x -->\n",
        "`",
        "<code",
        "id=\"",
        "[x]: a.b\n",
        "> ```\n",
        "**a ",
        "[a][b",
        "[ab][bc]",
        "[^a]",
        "[^a]: b\n",
        "FR1, ",
        "- FR1: a\n",
        "## FR1: a\n",
        "AC 1, ",
        "| a ",
        "| a |\n|---|\n",
        "1. a\n",
        "   1. a\n",
        "- [ ] a\n",
        "the the ",
        "2026-02-31 ",
        "The time limit is 30 s. ",
        "- Time limit: 30 s\n",
        "<<<<<<< a\n",
        "# Contents\n- [a](#b)\n",
        "## Story 1.1\n",
        "Status: done\n",
        "a `b ",
    ] {
        let text = part.repeat(5_000);
        document(&Page::new(&text), &|_| Some(true), &all());
    }
}
