//! Blocks: which branch is shown, how often, and what stays as written.

use super::{MAX_DEPTH, MAX_OUTPUT, ProblemKind, blocks, filled, known, text, words};
use crate::builtins::Value;

#[test]
fn a_condition_shows_one_of_its_branches() {
    assert_eq!(filled("{{#if yes}}a{{else}}b{{/if}}"), "a");
    assert_eq!(filled("{{#if no}}a{{else}}b{{/if}}"), "b");
    assert_eq!(filled("{{#if no}}a{{/if}}."), ".");
    assert_eq!(filled("{{#unless no}}a{{else}}b{{/unless}}"), "a");
    assert_eq!(filled("{{#if no}}a{{else if yes}}b{{else}}c{{/if}}"), "b");
    assert_eq!(filled("{{if count > 2}}a{{else}}b{{/if}}"), "a");
}

#[test]
fn nothing_empty_zero_and_false_do_not_hold() {
    for name in ["no", "off", "nothing", "empty", "empty.length"] {
        assert_eq!(
            filled(&format!("{{{{#if {name}}}}}a{{{{else}}}}b{{{{/if}}}}")),
            "b",
            "{name}"
        );
    }
    for name in ["yes", "count", "list", "reply", "name", "list.length"] {
        assert_eq!(
            filled(&format!("{{{{#if {name}}}}}a{{{{else}}}}b{{{{/if}}}}")),
            "a",
            "{name}"
        );
    }
}

#[test]
fn a_condition_may_compare() {
    for (condition, shown) in [
        ("name == \"Ada\"", "a"),
        ("name == 'Bob'", "b"),
        ("name != \"Ada\"", "b"),
        ("list.length > 0", "a"),
        ("count >= 3 and name == Ada", "a"),
        ("count < 3 or name == Bob", "b"),
        ("no != true", "a"),
        ("off == false", "a"),
        ("name in [Ada, Bob]", "a"),
    ] {
        let written = format!("{{{{#if {condition}}}}}a{{{{else}}}}b{{{{/if}}}}");
        assert_eq!(filled(&written), shown, "{condition}");
    }
}

#[test]
fn a_condition_that_is_not_known_stays_and_its_text_is_filled() {
    let written = "{{#if other}}{{name}}{{else}}b{{/if}}";
    assert_eq!(filled(written), "{{#if other}}Ada{{else}}b{{/if}}");
    let written = "{{#if other == 1}}a{{/if}} {{#if the text is good}}b{{/if}} {{#unless (eq a b)}}c{{/unless}}";
    assert_eq!(filled(written), written);
    assert_eq!(
        filled("{{#if no}}a{{else if other}}b{{/if}}"),
        "{{#if no}}a{{else if other}}b{{/if}}"
    );
    assert_eq!(filled("{{#if other == 1 and count == 4}}a{{/if}}."), ".");
}

#[test]
fn a_list_is_shown_item_by_item() {
    assert_eq!(filled("{{#each list}}{{@index}}{{this}} {{/each}}"), "0a 1b 2c ");
    assert_eq!(
        filled("{{#each list}}{{@index + 1}}.{{#if @last}}!{{/if}}{{/each}}"),
        "1.2.3.!"
    );
    assert_eq!(filled("{{#each empty}}a{{else}}none{{/each}}"), "none");
    assert_eq!(filled("{{#each nothing}}a{{/each}}."), ".");
}

#[test]
fn the_fields_of_an_item_are_names() {
    let written =
        "{{#each people}}{{name}}/{{this.name}}/{{../name}}/{{count}} {{#each tags}}<{{this}}>{{/each}};{{/each}}";
    assert_eq!(filled(written), "Ada/Ada/Ada/3 <math>;Bob/Bob/Ada/3 ;");
}

#[test]
fn a_map_is_shown_field_by_field() {
    assert_eq!(
        filled("{{#each reply}}{{@key}}={{this}};{{/each}}"),
        "path=a.md;tags=x, y;length=long;"
    );
    assert_eq!(filled("{{#with reply}}{{path}} {{name}}{{/with}}"), "a.md Ada");
}

#[test]
fn a_list_that_is_not_known_keeps_its_whole_block() {
    let written = "{{#each other}}{{name}} {{/each}} {{#other}}{{name}}{{/other}} {{^other}}{{name}}{{/other}}";
    assert_eq!(filled(written), written);
}

#[test]
fn a_section_shows_what_there_is() {
    assert_eq!(
        filled("{{#list}}{{this}}{{/list}}{{#name}}<{{name}}>{{/name}}{{#no}}a{{/no}}"),
        "abc<Ada>"
    );
    assert_eq!(
        filled("{{#reply}}{{path}}{{/reply}} {{^empty}}none{{/empty}}{{^list}}a{{/list}}"),
        "a.md none"
    );
}

#[test]
fn a_mark_alone_on_its_line_takes_the_line_with_it() {
    let written = "Parts:\n{{#each list}}\n- {{this}}\n  {{/each}}\nend\n";
    assert_eq!(filled(written), "Parts:\n- a\n- b\n- c\nend\n");
    let windows = "a\r\n{{#if yes}}\r\nb\r\n{{else}}\r\nc\r\n{{/if}}\r\nd\r\n";
    assert_eq!(filled(windows), "a\r\nb\r\nd\r\n");
    assert_eq!(
        filled("a\n{{#if other}}\nb\n{{/if}}\n"),
        "a\n{{#if other}}\nb\n{{/if}}\n"
    );
}

#[test]
fn a_tilde_takes_the_white_space_beside_it() {
    assert_eq!(filled("a \n {{~#if yes~}} \n b \n {{~/if~}} \n c"), "abc");
}

#[test]
fn blocks_that_do_not_match_stay() {
    for written in [
        "{{#if yes}}a",
        "a{{/if}}b",
        "a{{else}}b",
        "{{#if yes",
        "{{#unheard name}}a{{/unheard}}",
        "{{#if}}a{{/if}}",
        "{{> part}}",
    ] {
        assert_eq!(filled(written), written);
    }
    assert_eq!(filled("{{#if yes}}{{#each list}}{{name}}{{/if}}"), "{{#each list}}Ada");
    assert_eq!(filled("{{#if yes}}{{#if no}}{{name}}{{/if}}"), "{{#if yes}}");
}

#[test]
fn what_does_not_match_is_reported_with_its_line() {
    let written = "{{#if a}}\n{{/each}}\n{{else}}\n{{#unheard x}}\n{{/unheard}}\n{{> part}}\n{{#each b}}{{/each}}";
    let found: Vec<(ProblemKind, usize)> = blocks(written).iter().map(|it| (it.kind, it.line)).collect();
    assert_eq!(
        found,
        [
            (ProblemKind::Unclosed, 1),
            (ProblemKind::Stray, 2),
            (ProblemKind::Stray, 3),
            (ProblemKind::Unknown, 4),
            (ProblemKind::Unknown, 6),
        ]
    );
    assert_eq!(
        blocks("\n{{#if a}}")[0].to_string(),
        "line 2: `{{#if a}}` is never closed; it stays as written"
    );
    assert_eq!(blocks("{{#if a}}{{b}}{{else if c}}{d}{{/if}} {{! note }}"), []);
}

#[test]
fn blocks_are_rendered_to_a_depth() {
    let nested = |depth: usize| {
        format!(
            "{}{{{{else}}}}b{}",
            "{{#if yes}}".repeat(depth),
            "{{/if}}".repeat(depth)
        )
    };
    assert_eq!(filled(&nested(MAX_DEPTH)), "");
    assert_eq!(filled(&nested(MAX_DEPTH + 1)), "{{#if yes}}{{else}}b{{/if}}");
    assert_eq!(blocks(&nested(MAX_DEPTH)), []);
    assert_eq!(
        blocks(&nested(MAX_DEPTH + 2)).first().unwrap().kind,
        ProblemKind::TooDeep
    );
}

#[test]
fn very_many_open_blocks_are_read_once() {
    let many = 30_000;
    let open = "{{#a}}".repeat(many) + &"{{/b}}".repeat(many);
    assert_eq!(filled(&open), open);
    assert_eq!(blocks(&open).len(), 2 * many);
    let nested = "{{#yes}}".repeat(many) + &"{{/yes}}".repeat(many);
    assert!(filled(&nested).len() < nested.len());
}

#[test]
fn a_text_that_would_grow_too_large_stays_as_written() {
    let large = "x".repeat(MAX_OUTPUT / 4);
    let names = move |name: &str| match name {
        "large" => Some(Value::Text(large.clone())),
        other => known(other),
    };
    let written = "{{#each list}}{{large}}{{large}}{{/each}} {large}";
    let shown = text(written, &names);
    assert!(shown.starts_with("{{#each list}}{{large}}{{large}}{{/each}} "));
    assert!(shown.len() <= MAX_OUTPUT + written.len());
}

#[test]
fn loops_in_loops_end() {
    let many = words(&["x"; 1000]);
    let names = move |name: &str| (name == "many").then(|| many.clone());
    let written = format!("{}{}", "{{#each many}}".repeat(8), "{{/each}}".repeat(8));
    assert_eq!(text(&written, &names), written);
}

#[test]
fn an_item_without_the_fields_of_its_block_is_shown_itself() {
    assert_eq!(
        filled("{{#each list}}\n- {{action}} — **{{state}}** (by {{owner}})\n{{/each}}\n"),
        "- a\n- b\n- c\n"
    );
    assert_eq!(
        filled("{{#each list}}{{@index}}. {{key}}: \"{{state}}\" (bad) {{/each}}"),
        "0. a (bad) 1. b (bad) 2. c (bad) "
    );
    let known_fields = "{{#each people}}{{owner}}{{/each}}{{#each list}}{{this}} {{owner}}\n{{state}}{{/each}}";
    assert_eq!(
        filled(known_fields),
        "{{owner}}{{owner}}a {{owner}}\n{{state}}b {{owner}}\n{{state}}c {{owner}}\n{{state}}"
    );
}
