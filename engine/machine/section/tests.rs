//! Where a section goes, and what stays around it.

use super::{Where, place, stands, stands_alone};

fn put(document: &str, name: &str, text: &str) -> (String, Where) {
    let placed = place(document, name, text, None);
    (placed.text, placed.at)
}

#[test]
fn a_slot_is_replaced() {
    let (text, at) = put(
        "# A\n\n{{goals}}\n\n## B\n\n{{ other }}\n",
        "goals",
        "\n- one\n- two\n\n",
    );
    assert_eq!(text, "# A\n\n- one\n- two\n\n## B\n\n{{ other }}\n");
    assert_eq!(at, Where::Slot);
}

#[test]
fn every_slot_of_the_name_is_replaced() {
    let (text, _) = put("Size: {{size}}\n\n{{size}}\n", "size", "large");
    assert_eq!(text, "Size: large\n\nlarge\n");
}

#[test]
fn a_section_around_a_slot_is_resolved_with_it() {
    let document = "{{#risk}}\n### Risk\n\n{{risk}}\n{{/risk}}\n\n{{#other}}\n{{other}}\n{{/other}}\n";
    let (text, at) = put(document, "risk", "None.");
    assert_eq!(text, "### Risk\n\nNone.\n\n{{#other}}\n{{other}}\n{{/other}}\n");
    assert_eq!(at, Where::Slot);
}

#[test]
fn single_braces_are_a_slot_alone_on_their_line_only() {
    let (text, _) = put("Use `{goals}`.\n\n{goals}\n", "goals", "G");
    assert_eq!(text, "Use `{goals}`.\n\nG\n");
    assert_eq!(put("Use `{goals}`.\n", "goals", "G").1, Where::End);
}

#[test]
fn a_value_with_slots_in_it_is_not_read_again() {
    let (text, _) = put("{{a}}\n{{a}}\n", "a", "{{a}} {{#if a}}{{/if}}");
    assert_eq!(text, "{{a}} {{#if a}}{{/if}}\n{{a}} {{#if a}}{{/if}}\n");
}

#[test]
fn what_an_earlier_pass_wrote_is_replaced() {
    let document = "# A\n\nold text\nof two lines\n\n# B\n\nmine\n";
    let placed = place(document, "a", "new", Some("old text\nof two lines\n"));
    assert_eq!(placed.text, "# A\n\nnew\n\n# B\n\nmine\n");
    assert_eq!(placed.at, Where::Replaced);
}

#[test]
fn a_heading_that_stands_above_the_earlier_text_is_not_written_twice() {
    let document = "# Plan\n\n## Risks\n\nSnow.\n\n## End\n";
    let placed = place(document, "risks", "## Risks\n\nRain.\n", Some("Snow."));
    assert_eq!(placed.text, "# Plan\n\n## Risks\n\nRain.\n\n## End\n");
    let below = "# Plan\n\n## Risks\n\nAn introduction.\n\nSnow.\n";
    let placed = place(below, "risks", "## Risks\n\nRain.\n", Some("Snow."));
    assert!(
        placed.text.ends_with("An introduction.\n\n## Risks\n\nRain.\n"),
        "{}",
        placed.text
    );
}

#[test]
fn an_earlier_text_that_stands_twice_is_replaced_under_its_heading_only() {
    let document = "## Risks\n\nnot yet\n\n## Open questions\n\nnot yet\n";
    let placed = place(document, "open_questions", "Why?", Some("not yet"));
    assert_eq!(placed.text, "## Risks\n\nnot yet\n\n## Open questions\n\nWhy?\n");
    let placed = place(document, "unheard_of", "Why?", Some("not yet"));
    assert_eq!(placed.at, Where::End);
    assert!(placed.text.starts_with(document));
}

#[test]
fn an_earlier_text_is_not_found_inside_a_word() {
    let placed = place("The status is unknown.\n", "answer", "yes", Some("know"));
    assert_eq!(placed.at, Where::End);
}

#[test]
fn an_earlier_text_stands_alone_on_its_own_lines_or_below_its_heading() {
    for (document, text, alone) in [
        ("# Plan\n\nBlockers: None\n\n## Risks\n\nmine\n", "None", false),
        ("# Plan\n\nNone\n\n## Risks\n\nmine\n", "None", false),
        (
            "# Plan\n\nNone but the rain\n\n## Risks\n\nmine\n",
            "None but the rain",
            true,
        ),
        ("# Plan\n\n## More\n\nSo far: None\n", "None", true),
    ] {
        assert!(stands(document, "more", text), "{document}");
        assert_eq!(stands_alone(document, "more", text), alone, "{document}");
    }
}

#[test]
fn frontmatter_is_no_place_for_a_section() {
    let document = "---\ngoals: '{{goals}}'\nold: old\n---\n\n{{goals}}\n";
    let (text, _) = put(document, "goals", "G");
    assert_eq!(text, "---\ngoals: '{{goals}}'\nold: old\n---\n\nG\n");
    let placed = place("---\nold: old\n---\n", "goals", "G", Some("old"));
    assert_eq!(placed.text, "---\nold: old\n---\n\nG\n");
}

#[test]
fn an_empty_heading_of_the_name_gets_the_text() {
    for (heading, name) in [
        ("## Open Questions", "open_questions"),
        ("### 3. Open questions", "open-questions"),
        ("## OPEN QUESTIONS ##", "Open Questions"),
    ] {
        let document = format!("# A\n\n{heading}\n\n## B\n");
        let (text, at) = put(&document, name, "Why?");
        assert_eq!(text, format!("# A\n\n{heading}\n\nWhy?\n\n## B\n"));
        assert_eq!(at, Where::Heading);
    }
}

#[test]
fn a_heading_is_not_written_twice() {
    let (text, _) = put("# Risks\n", "risks", "## Risks\n\n- a\n");
    assert_eq!(text, "# Risks\n\n- a\n");
    let placed = place(&text, "risks", "### Risks\n\n- b", Some("## Risks\n\n- a\n"));
    assert_eq!(placed.text, "# Risks\n\n- b\n");
    assert_eq!(placed.at, Where::Replaced);
}

#[test]
fn nor_is_it_where_the_place_of_the_section_is_below_it() {
    for (document, filled) in [
        ("## Risks\n\n{{risks}}\n", "## Risks\n\n- a\n"),
        ("## 2. Risks\n{{ risks }}\n## B\n", "## 2. Risks\n- a\n## B\n"),
        ("## Risks\n\n<!-- bmad: gap risks -->\n", "## Risks\n\n- a\n"),
        ("## All\n\n{{risks}}\n", "## All\n\n### Risks\n\n- a\n"),
        (
            "## Risks\n\nSee below.\n\n{{risks}}\n",
            "## Risks\n\nSee below.\n\n### Risks\n\n- a\n",
        ),
    ] {
        assert_eq!(put(document, "risks", "### Risks\n\n- a\n").0, filled);
    }
}

#[test]
fn a_heading_gets_the_empty_lines_it_lacks() {
    assert_eq!(put("## A\n## B\n", "a", "x").0, "## A\n\nx\n\n## B\n");
    assert_eq!(put("## A", "a", "x").0, "## A\n\nx");
    assert_eq!(put("## A\n", "a", "x").0, "## A\n\nx\n");
    assert_eq!(put("## A\n\n", "a", "x").0, "## A\n\nx\n");
    assert_eq!(put("## A\n\n\n\n## B\n", "a", "x").0, "## A\n\nx\n\n\n\n## B\n");
}

#[test]
fn a_heading_with_something_below_it_is_left_alone() {
    for document in ["## A\n\nmine\n", "## A\n\n### Deeper\n\n## B\n", "```\n## A\n```\n"] {
        let (text, at) = put(document, "a", "x");
        assert_eq!(text, format!("{document}\nx\n"));
        assert_eq!(at, Where::End);
    }
}

#[test]
fn a_section_without_a_place_goes_to_the_end_after_one_empty_line() {
    assert_eq!(put("a\n", "n", "x").0, "a\n\nx\n");
    assert_eq!(put("a\n\n", "n", "x").0, "a\n\nx\n");
    assert_eq!(put("a", "n", "x").0, "a\n\nx");
    assert_eq!(put("", "n", "x").0, "x\n");
    assert_eq!(put("---\na: 1\n---", "n", "x").0, "---\na: 1\n---\n\nx");
}

#[test]
fn lines_end_as_the_document_has_them() {
    let (text, _) = put("# A\r\n\r\n{{a}}\r\n", "a", "1\n2\r\n3");
    assert_eq!(text, "# A\r\n\r\n1\r\n2\r\n3\r\n");
    let placed = place(&text, "a", "4\n5", Some("1\n2\n3"));
    assert_eq!(placed.text, "# A\r\n\r\n4\r\n5\r\n");
    assert_eq!(put("a\r\n", "n", "x\ny").0, "a\r\n\r\nx\r\ny\r\n");
    assert_eq!(put("## A\r\n## B\r\n", "a", "x").0, "## A\r\n\r\nx\r\n\r\n## B\r\n");
}

#[test]
fn the_mark_at_the_start_stays() {
    assert_eq!(put("\u{feff}{{a}}", "a", "x").0, "\u{feff}x");
    assert_eq!(
        put("\u{feff}---\nk: 1\n---\n{{a}}", "a", "x").0,
        "\u{feff}---\nk: 1\n---\nx"
    );
    assert_eq!(put("\u{feff}a\n", "n", "x").0, "\u{feff}a\n\nx\n");
}

#[test]
fn the_same_text_twice_changes_nothing() {
    let documents = [
        "",
        "a",
        "a\n",
        "## A\n",
        "## A\n\n## B\n",
        "{{a}}\n",
        "## A\n\n{{a}}\n\nrest\n",
        "x\r\n\r\n{{a}}\r\n",
        "---\nk: 1\n---\n",
        "## B\n\nother\n",
    ];
    for document in documents {
        for text in ["one", "one\n\ntwo\n", "## A\n\nbody", "- a\r\n- b", "", "  indented\n"] {
            let once = place(document, "a", text, None).text;
            let twice = place(&once, "a", text, Some(text)).text;
            assert_eq!(once, twice, "{document:?} {text:?}");
            let redone = place(&once, "a", text, None).text;
            if text.trim().contains('\n') || !document.contains("{{a}}\n\nrest") {
                assert_eq!(once, redone, "{document:?} {text:?}");
            }
        }
    }
}

#[test]
fn empty_text_empties_a_slot_and_adds_nothing() {
    assert_eq!(put("a {{x}} b\n", "x", " \n").0, "a  b\n");
    assert_eq!(put("## X\n", "x", "").0, "## X\n");
    assert_eq!(put("a\n", "x", "").0, "a\n");
}

#[test]
fn odd_documents_keep_everything_around_the_section() {
    let odd = [
        "{{{a}}}",
        "{{#a}}",
        "\0{{a",
        "---\n---",
        "🦀{{a}}🦀",
        "```\n{{a}}",
        "# \n#\n##",
        "\r\r\n{{b}}\r",
    ];
    for document in odd {
        for name in ["a", "", "🦀", "#", "{{a}}"] {
            let text = place(document, name, "NEW", Some("OLD")).text;
            let outside = text.replace("NEW", "");
            let kept = outside
                .chars()
                .filter(|each| !"{a}#\r\n".contains(*each))
                .collect::<String>();
            let wanted = document
                .chars()
                .filter(|each| !"{a}#\r\n".contains(*each))
                .collect::<String>();
            assert_eq!(kept, wanted, "{document:?} {name:?}");
        }
    }
}

#[test]
fn the_mark_of_a_gap_is_the_place_of_its_section() {
    let marked = "# A\n\n<!-- bmad: gap goals -->\n> Not written yet.\n> Really.\n\n> A quote.\n\n## B\n";
    let (text, at) = put(marked, "goals", "Three goals.");
    assert_eq!(text, "# A\n\nThree goals.\n\n> A quote.\n\n## B\n");
    assert_eq!(at, Where::Slot);
    assert_eq!(put(marked, "risks", "None.").1, Where::End);
    let crlf = "<!-- bmad: gap a - - b -->\r\n> Not written yet.\r\nText\r\n";
    assert_eq!(put(crlf, "a --\nb", "Done.").0, "Done.\r\nText\r\n");
}

#[test]
fn a_gap_that_is_marked_again_changes_nothing() {
    let marked = "# A\n\n<!-- bmad: gap goals -->\n> Not written yet.\n\n## B\n";
    let (text, _) = put(marked, "goals", "<!-- bmad: gap goals -->\n> Not written yet.\n");
    assert_eq!(text, marked);
}
