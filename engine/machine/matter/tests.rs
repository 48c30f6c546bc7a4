//! What changes in frontmatter, and everything that does not.

use super::{Change, Item, set};

mod lists;
mod steps;

fn text(value: &str) -> Change {
    Change::Text(value.to_owned())
}

fn named(names: &[&str]) -> Vec<Item> {
    names.iter().map(|name| Item::Text((*name).to_owned())).collect()
}

fn numbers(numbers: &[&str]) -> Vec<Item> {
    numbers
        .iter()
        .map(|number| Item::Number((*number).to_owned()))
        .collect()
}

fn change(document: &str, key: &str, change: Change) -> String {
    set(document, &[(key, change)]).unwrap()
}

fn refusal(document: &str, key: &str, change: Change) -> (usize, String) {
    let error = set(document, &[(key, change)]).unwrap_err();
    (error.line, error.why)
}

#[test]
fn a_value_is_replaced_in_its_line() {
    let document = "---\n# about\nname:  'x'   # why\nstatus: draft\nother: [1, 2]\n---\nbody\n";
    assert_eq!(
        change(document, "name", text("it's")),
        "---\n# about\nname:  'it''s'   # why\nstatus: draft\nother: [1, 2]\n---\nbody\n"
    );
    assert_eq!(
        change(document, "status", text("done: yes")),
        "---\n# about\nname:  'x'   # why\nstatus: \"done: yes\"\nother: [1, 2]\n---\nbody\n"
    );
    assert_eq!(
        change(document, "other", text("none")),
        "---\n# about\nname:  'x'   # why\nstatus: draft\nother: none\n---\nbody\n"
    );
}

#[test]
fn quotes_stay_what_they_were_where_they_can() {
    assert_eq!(change("---\na: \"x\"\n---\n", "a", text("y")), "---\na: \"y\"\n---\n");
    assert_eq!(
        change("---\na: 'x'\n---\n", "a", text("1\n2")),
        "---\na: \"1\\n2\"\n---\n"
    );
    assert_eq!(change("---\na: x\n---\n", "a", text("5")), "---\na: \"5\"\n---\n");
    assert_eq!(
        change("---\na: 'x'\n---\n", "a", Change::Number("5".into())),
        "---\na: 5\n---\n"
    );
}

#[test]
fn a_number_that_is_none_is_text() {
    let odd = Change::Number("1\nb: 2".into());
    assert_eq!(refusal("---\na: x\n---\n", "a", odd).0, 2);
}

#[test]
fn the_same_value_changes_nothing() {
    let document = "---\na:   \"x\"\nn: [ 1,2 ]\n---\n";
    assert_eq!(change(document, "a", text("x")), document);
    assert_eq!(change(document, "n", Change::List(numbers(&["1", "2"]))), document);
    assert_eq!(change(document, "n", Change::AppendUnique(Item::of("2"))), document);
}

#[test]
fn a_key_without_a_value_gets_one() {
    assert_eq!(change("---\na:\nb: 1\n---\n", "a", text("x")), "---\na: x\nb: 1\n---\n");
    assert_eq!(change("---\na: # why\n---\n", "a", text("x")), "---\na: x # why\n---\n");
    assert_eq!(
        change("---\na: ~ # why\n---\n", "a", text("x")),
        "---\na: x # why\n---\n"
    );
}

#[test]
fn a_value_of_several_lines_is_replaced_whole() {
    for value in [
        "|\n  one\n\n  # two",
        ">-\n  one\n  two",
        "one\n  two",
        "\n  x: 1\n  y: 2",
        "\n- 1\n- 2",
    ] {
        let document = format!("---\nz: 0\na: {value}\n\n# b is next\nb: 1\n---\n");
        assert_eq!(
            change(&document, "a", text("x")),
            "---\nz: 0\na: x\n\n# b is next\nb: 1\n---\n",
            "{value}"
        );
        assert_eq!(
            change(&document, "a", Change::Remove),
            "---\nz: 0\n\n# b is next\nb: 1\n---\n",
            "{value}"
        );
    }
}

#[test]
fn a_new_key_goes_behind_the_others() {
    assert_eq!(
        change("---\na: 1\n# end\n---\nx", "b", text("2 x")),
        "---\na: 1\n# end\nb: \"2 x\"\n---\nx"
    );
    assert_eq!(
        change("---\na: |\n  x\n...\n", "b", text("w")),
        "---\na: |\n  x\nb: w\n...\n"
    );
    assert_eq!(
        change("---\n  a: 1\n---\n", "b", text("w")),
        "---\n  a: 1\n  b: w\n---\n"
    );
    assert_eq!(
        change("---\na: 1\n---\n", "b c: d", text("w")),
        "---\na: 1\n\"b c: d\": w\n---\n"
    );
}

#[test]
fn an_empty_frontmatter_gets_its_first_key() {
    assert_eq!(change("---\n---\n", "a", text("x")), "---\na: x\n---\n");
    assert_eq!(change("---\n\n---", "a", text("x")), "---\n\na: x\n---");
    assert_eq!(
        change("---\n# c\n---\n", "a", Change::List(Vec::new())),
        "---\n# c\na: []\n---\n"
    );
}

#[test]
fn a_document_without_frontmatter_gets_one() {
    assert_eq!(change("# T\n", "a", text("x")), "---\na: x\n---\n\n# T\n");
    assert_eq!(change("", "a", text("x")), "---\na: x\n---\n");
    assert_eq!(
        change("\u{feff}T\r\n", "a", text("x")),
        "\u{feff}---\r\na: x\r\n---\r\n\r\nT\r\n"
    );
    assert_eq!(
        change("---\nnever closed\n", "a", text("x")),
        "---\na: x\n---\n\n---\nnever closed\n"
    );
    assert_eq!(change("# T\n", "a", Change::Remove), "# T\n");
}

#[test]
fn windows_lines_and_the_mark_at_the_start_stay() {
    let document = "\u{feff}--- \r\na: 1\r\nb:\r\n  - x\r\n---\r\nbody\r\n";
    let items = Change::AppendUnique(Item::Text("w".into()));
    assert_eq!(
        change(document, "b", items),
        "\u{feff}--- \r\na: 1\r\nb:\r\n  - x\r\n  - w\r\n---\r\nbody\r\n"
    );
    assert_eq!(
        change(document, "c", text("z")),
        document.replace("---\r\nbody", "c: z\r\n---\r\nbody")
    );
    assert_eq!(change(document, "a", text("z")), document.replace("a: 1", "a: z"));
}

#[test]
fn a_broken_line_elsewhere_is_tolerated() {
    let document = "---\nname: 'it\\'s'\nfile: {x}/y\nsteps: [1]\nlines:\n  - a\n---\nbody\n";
    assert_eq!(
        change(document, "steps", Change::AppendUnique(Item::of("2"))),
        document.replace("[1]", "[1, 2]")
    );
    assert_eq!(
        change(document, "lines", Change::AppendUnique(Item::of("b"))),
        document.replace("- a\n", "- a\n  - b\n")
    );
    assert_eq!(
        change(document, "name", text("its")),
        document.replace("'it\\'s'", "'its'")
    );
    assert_eq!(
        change(document, "steps", Change::Remove),
        document.replace("steps: [1]\n", "")
    );
}

#[test]
fn a_key_that_is_not_there_is_not_added_to_broken_frontmatter() {
    let document = "---\nname: x\nfile: {x}/y\n---\n";
    let (line, why) = refusal(document, "new", text("x"));
    assert_eq!(line, 3);
    assert!(why.ends_with("; `new` can be added once that is mended"), "{why}");
    assert_eq!(change(document, "new", Change::Remove), document);
    assert_eq!(refusal("---\n- a\n---\n", "new", text("x")).0, 2);
    assert_eq!(refusal("---\njust words\n---\n", "new", text("x")).0, 2);
}

#[test]
fn a_key_that_stands_twice_is_left_to_people() {
    let (line, why) = refusal("---\na: 1\nb: 2\na: 3\n---\n", "a", text("x"));
    assert_eq!((line, why.as_str()), (4, "`a` is also in line 2; keep one of them"));
    assert_eq!(
        change("---\na: 1\na: 3\nb: 2\n---\n", "b", text("x")),
        "---\na: 1\na: 3\nb: x\n---\n"
    );
}

#[test]
fn values_keep_the_limits_of_frontmatter() {
    let (_, why) = refusal("", "summary", Change::Text("x".repeat(20_000)));
    assert!(
        why.starts_with("`summary` has 20000 bytes, the most that may enter frontmatter is 10240"),
        "{why}"
    );
    assert!(refusal("", "a", Change::List(named(&["a\0"]))).1.contains("NUL"));
}

#[test]
fn a_value_never_becomes_syntax() {
    for value in [
        "---\nstatus: done",
        "x\nb: 2",
        "\"; rm -rf ~; echo \"",
        "' # x",
        "{{x}}",
        "- a",
        "\\",
    ] {
        for document in [
            "---\na: x\nb: 1\n---\n",
            "---\na: 'x'\nb: 1\n---\n",
            "---\na:\n - x\nb: 1\n---\n",
            "---\nb: 1\n---\n",
            "",
        ] {
            let changed = change(document, "a", text(value));
            let source = crate::source::Source::new(
                crate::source::SourceId(0),
                crate::source::ProjectPath::root(),
                changed.as_str(),
            );
            let parsed = crate::syntax::parse(&source, crate::syntax::Format::Markdown);
            let data = parsed.frontmatter.unwrap().data.unwrap();
            assert_eq!(data.get("a").unwrap().text(), Some(value), "{changed}");
            assert_eq!(data.pairs().len(), 1 + usize::from(!document.is_empty()), "{changed}");
        }
    }
}

#[test]
fn an_error_names_the_line_and_what_to_do() {
    let error = set("---\na: x\n---\n", &[("a", Change::AppendUnique(Item::of("1")))]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the frontmatter was left alone: line 2: `a` is no list; make it one or take it out"
    );
}

#[test]
fn odd_documents_are_changed_or_refused_but_never_lose_a_byte() {
    const PARTS: &[&str] = &[
        "---\n",
        "---",
        "...\n",
        "a: 1\n",
        "a:\n",
        "b: [1, 2]\n",
        "b:\n  - x\n",
        "- y\n",
        "  c: d\n",
        "# e\n",
        "\n",
        "\r\n",
        "f: |\n  g\n",
        "h: 'i\n",
        "j: \"k\"\n",
        "{l: m}\n",
        "? n\n",
        "o\n",
        "\u{feff}",
        "\t",
        "é: 🦀\n",
        "p: *q\n",
        "r: &s t\n",
    ];
    let mut state = 0x1234_5678_9abc_def1_u64;
    for _ in 0..500 {
        let mut document = "---\n".to_owned();
        for _ in 0..state % 9 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            document.push_str(PARTS[(state >> 33) as usize % PARTS.len()]);
        }
        document.push_str("---\nbody\n");
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15).rotate_left(9);
        if let Ok(changed) = set(&document, &[("new", text("x: y"))]) {
            assert!(changed.ends_with("body\n"));
            let back = change(&changed, "new", Change::Remove);
            let framed = format!("---\n---\n\n{document}");
            assert!(
                back == document || back == framed,
                "{document:?}\n{changed:?}\n{back:?}"
            );
        }
        for key in ["a", "b", "f", "h", "é", "p"] {
            for change in [
                text("x"),
                Change::AppendUnique(Item::of("9")),
                Change::Remove,
                Change::List(numbers(&["4"])),
            ] {
                if let Ok(changed) = set(&document, &[(key, change)]) {
                    assert!(changed.ends_with("body\n"), "{document:?}\n{changed:?}");
                }
            }
        }
    }
}
