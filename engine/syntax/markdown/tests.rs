use crate::source::Source;
use crate::syntax::markdown::{LineKind, Markdown};
use crate::syntax::outline::source;
use crate::syntax::{Format, parse};

fn read(source: &Source) -> Markdown {
    parse(source, Format::Markdown).markdown
}

fn kinds(text: &str) -> Vec<LineKind> {
    read(&source(text)).lines.iter().map(|line| line.kind).collect()
}

fn fences(text: &str) -> Vec<(String, String)> {
    let source = source(text);
    let markdown = read(&source);
    let parts = |fence: &super::Fence| (source.slice(fence.language).into(), source.slice(fence.body).into());
    markdown.fences.iter().map(parts).collect()
}

fn pair(language: &str, body: &str) -> (String, String) {
    (language.into(), body.into())
}

#[test]
fn every_line_has_a_kind() {
    use LineKind::{Blank, Heading, Item, Quote, Table, Text};
    assert_eq!(
        kinds("# A\n\nwords\n- a\n* b\n+ c\n1. d\n12) e\n-\n> q\n| t |\n \t\n"),
        [
            Heading(1),
            Blank,
            Text,
            Item,
            Item,
            Item,
            Item,
            Item,
            Item,
            Quote,
            Table,
            Blank
        ]
    );
}

#[test]
fn what_only_looks_like_an_item_is_text() {
    use LineKind::Text;
    assert_eq!(kinds("-a\n---\n* * *\n1.a\n1\n1234567890. a\n**b**"), [Text; 7]);
}

#[test]
fn headings_have_one_to_six_marks_and_a_space() {
    use LineKind::{Heading, Text};
    assert_eq!(
        kinds("###### a\n####### a\n#a\n#\n   ## b\n    ## c"),
        [Heading(6), Text, Text, Heading(1), Heading(2), Text]
    );
}

#[test]
fn a_heading_says_what_stands_between_its_marks() {
    let source = source("x\n##  A # b ##  \n# #\n# c#\n");
    let headings = read(&source).headings;
    let texts: Vec<&str> = headings.iter().map(|heading| source.slice(heading.text)).collect();
    assert_eq!(texts, ["A # b", "", "c#"]);
    assert_eq!(headings[0].level, 2);
    assert_eq!(headings[0].line, 1);
    assert_eq!(source.slice(headings[0].span), "##  A # b ##  ");
}

#[test]
fn line_spans_leave_the_line_break_out() {
    let source = source("\u{feff}a\r\nb\n\r\nc");
    let markdown = read(&source);
    let lines: Vec<&str> = markdown
        .lines
        .iter()
        .map(|line| source.slice(line.span(&source)))
        .collect();
    assert_eq!(lines, ["a", "b", "", "c"]);
}

#[test]
fn indents_are_counted_in_columns() {
    let markdown = read(&source("a\n  b\n\tc\n  \td"));
    let indents: Vec<u16> = markdown.lines.iter().map(|line| line.indent).collect();
    assert_eq!(indents, [0, 2, 4, 4]);
}

#[test]
fn a_fence_hides_headings_and_items() {
    use LineKind::{Code, FenceMark, Heading};
    assert_eq!(
        kinds("```xml title\n# a\n- b\n```\n# c"),
        [FenceMark, Code, Code, FenceMark, Heading(1)]
    );
    assert_eq!(fences("```xml title\n# a\n- b\n```\n# c"), [pair("xml", "# a\n- b\n")]);
}

#[test]
fn a_fence_closes_with_at_least_as_many_of_the_same_marks() {
    assert_eq!(
        fences("````\n```\n~~~~\n```` a\n`````\nb\n~~~\n```\n~~~~"),
        [pair("", "```\n~~~~\n```` a\n"), pair("", "```\n")]
    );
}

#[test]
fn a_mark_indented_far_inside_a_fence_does_not_close_it() {
    assert_eq!(fences("```\n    ```\n   ```\n"), [pair("", "    ```\n")]);
}

#[test]
fn a_fence_may_stand_in_an_item() {
    use LineKind::{Code, FenceMark, Item, Text};
    let text = "- a\n\n    ```sh\n    x\n    ```\n1. ```\n   y\n   ```\nz";
    let found: Vec<LineKind> = kinds(text)
        .into_iter()
        .filter(|kind| *kind != LineKind::Blank)
        .collect();
    assert_eq!(
        found,
        [Item, FenceMark, Code, FenceMark, FenceMark, Code, FenceMark, Text]
    );
}

#[test]
fn a_fence_in_a_quote_ends_with_the_quote() {
    assert_eq!(
        fences("> ```a\n> b\n> ```\n> ```c\n> d\ne\n# f"),
        [pair("a", "> b\n"), pair("c", "> d\n")]
    );
    assert_eq!(kinds("> ```\n> a\n# b").last(), Some(&LineKind::Heading(1)));
}

#[test]
fn a_fence_that_nothing_closes_runs_to_the_end() {
    let source = source("a\n```\nb");
    let fence = read(&source).fences[0];
    assert_eq!(source.slice(fence.span), "```\nb");
    assert_eq!(source.slice(fence.body), "b");
    assert!(!fence.is_closed());
}

#[test]
fn inline_code_of_three_marks_is_no_fence() {
    assert_eq!(kinds("```a``` b\n# c"), [LineKind::Text, LineKind::Heading(1)]);
}

#[test]
fn an_offset_is_fenced_between_the_marks_of_a_fence() {
    let markdown = read(&source("a\n```\nb\n```\nc"));
    let fenced: Vec<u32> = (0..13).filter(|offset| markdown.is_fenced(*offset)).collect();
    assert_eq!(fenced, (2..11).collect::<Vec<u32>>());
}

#[test]
fn frontmatter_lines_are_no_headings() {
    use LineKind::{Frontmatter, Heading, Text};
    assert_eq!(
        kinds("\u{feff}---\r\n# a\r\n---\r\n# b"),
        [Frontmatter, Frontmatter, Frontmatter, Heading(1)]
    );
    assert_eq!(kinds("---\n# a\n--- \n"), [Frontmatter; 3]);
    assert_eq!(
        kinds("---\na: b\n\n# a\n"),
        [Frontmatter, Frontmatter, Frontmatter, Heading(1)]
    );
    assert_eq!(kinds("\n---\na\n---")[1], Text);
}

#[test]
fn lines_inside_a_comment_are_text() {
    use LineKind::{Blank, Heading, Text};
    assert_eq!(
        kinds("a <!-- b\n# c\n\n```\n--> <!-- d\n# e -->\n# f"),
        [Text, Text, Blank, Text, Text, Text, Heading(1)]
    );
}

#[test]
fn a_comment_that_nothing_ends_hides_nothing() {
    assert_eq!(kinds("<!-- a\n# b"), [LineKind::Text, LineKind::Heading(1)]);
    assert_eq!(kinds("`<!--`\n# b\n-->")[1], LineKind::Heading(1));
}
