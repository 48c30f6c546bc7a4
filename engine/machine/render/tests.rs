//! What is filled, what stays, and what never becomes syntax.

use super::{MAX_DEPTH, MAX_OUTPUT, Names, ProblemKind, blocks, document, ours, text, value};
use crate::builtins::Value;
use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{self, Format, parse};

mod handlebars;
mod tracker;

fn words(items: &[&str]) -> Value {
    Value::List(items.iter().map(|item| Value::from(*item)).collect())
}

fn map(pairs: &[(&str, Value)]) -> Value {
    Value::Map(
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect(),
    )
}

fn known(name: &str) -> Option<Value> {
    Some(match name {
        "name" => Value::from("Ada"),
        "project-root" => Value::from("/p"),
        "count" => Value::from(3.0),
        "yes" => Value::Bool(true),
        "no" => Value::Bool(false),
        "off" => Value::from("false"),
        "nothing" => Value::Nothing,
        "empty" => Value::List(Vec::new()),
        "list" => words(&["a", "b", "c"]),
        "sly" => Value::from("{{name}} {count} {{#if yes}}x{{/if}}"),
        "n" => Value::from(2.0),
        "epic_2" => Value::from("Login"),
        "config_source:user_name" => Value::from("Grace"),
        "config_source" => Value::from("config.yaml"),
        "reply" => map(&[
            ("path", Value::from("a.md")),
            ("tags", words(&["x", "y"])),
            ("length", Value::from("long")),
        ]),
        "people" => Value::List(vec![
            map(&[("name", Value::from("Ada")), ("tags", words(&["math"]))]),
            map(&[("name", Value::from("Bob")), ("tags", Value::List(Vec::new()))]),
        ]),
        _ => return None,
    })
}

fn filled(template: &str) -> String {
    text(template, &known)
}

#[test]
fn known_names_are_filled_and_others_stay() {
    assert_eq!(filled("{name} {{name}} {{ name }} {{{name}}}"), "Ada Ada Ada Ada");
    assert_eq!(
        filled("{other} {{ other }} {{a free text}} {{x|y}}"),
        "{other} {{ other }} {{a free text}} {{x|y}}"
    );
    assert_eq!(filled("{project-root}/docs"), "/p/docs");
}

#[test]
fn what_is_not_ours_stays() {
    for written in [
        "${name} ${{ name }}",
        r"\{name} \{{name}}",
        "{ name }",
        "{\"name\": 1}",
        "{{.name}}",
        "{{! name }}",
    ] {
        assert_eq!(filled(written), written);
    }
}

#[test]
fn fields_items_and_lengths_are_reached_with_dots() {
    assert_eq!(filled("{reply.path} {reply.tags.1} {{people.0.name}}"), "a.md y Ada");
    assert_eq!(
        filled("{list.length} {reply.tags.length} {name.length} {empty.length}"),
        "3 2 3 0"
    );
    assert_eq!(filled("{reply.length}"), "long");
    for written in [
        "{reply.missing}",
        "{list.9}",
        "{list.x}",
        "{name.x}",
        "{other.length}",
        "{count.length}",
    ] {
        assert_eq!(filled(written), written);
    }
}

#[test]
fn lists_and_numbers_are_shown_as_people_write_them() {
    assert_eq!(filled("{list}; {count}; {yes}; <{nothing}>"), "a, b, c; 3; true; <>");
}

#[test]
fn a_variable_inside_a_name_completes_it() {
    assert_eq!(filled("{{epic_{n}}}"), "Login");
    assert_eq!(
        filled("{{epic_{count}}} {{epic_{sly}}}"),
        "{{epic_{count}}} {{epic_{sly}}}"
    );
}

#[test]
fn a_configuration_key_is_asked_for_whole() {
    assert_eq!(filled("{config_source}:user_name."), "Grace.");
    assert_eq!(filled("{config_source}:other"), "config.yaml:other");
    assert_eq!(filled("{name}: x {count}:30"), "Ada: x 3:30");
}

#[test]
fn a_value_is_never_read_again() {
    assert_eq!(filled("{sly}|{{sly}}"), format!("{0}|{0}", known("sly").unwrap()));
    assert_eq!(
        filled("{{#each list}}{{sly}}{{/each}}"),
        known("sly").unwrap().to_string().repeat(3)
    );
}

#[test]
fn a_text_of_one_hole_keeps_the_type() {
    assert_eq!(value("{list}", &known), known("list").unwrap());
    assert_eq!(value(" {{count}}\n", &known), Value::Number(3.0));
    assert_eq!(value("{reply.tags}", &known), words(&["x", "y"]));
    assert_eq!(value("{config_source}:user_name", &known), Value::from("Grace"));
}

#[test]
fn a_longer_text_is_text() {
    assert_eq!(value("{list}.", &known), Value::from("a, b, c."));
    assert_eq!(value("{count}{count}", &known), Value::from("33"));
    assert_eq!(value("{other}", &known), Value::from("{other}"));
    assert_eq!(value(" plain ", &known), Value::from(" plain "));
    assert_eq!(value("{{#if yes}}a{{/if}}", &known), Value::from("a"));
}

#[test]
fn a_document_starts_with_what_is_known() {
    let template = "---\nsteps: []\nauthor: '{{name}}'\n---\n\n# {{title}}\n\n{name}\n";
    let expected = "---\nsteps: []\nauthor: 'Ada'\n---\n\n# {{title}}\n\nAda\n";
    assert_eq!(document(template, &known), expected);
    assert_eq!(
        document("\u{feff}---\r\na: {n}\r\n---\r\n{n}", &known),
        "\u{feff}---\r\na: 2\r\n---\r\n2"
    );
}

#[test]
fn values_in_frontmatter_keep_their_types_where_they_stand_alone() {
    let head =
        "---\na: {count}\nb: {{list}}\nc: \"{count}\"\nd: {nothing}\ne: {yes}\nf: [{{name}}, '{{count}}']\n---\n";
    let expected = "---\na: 3\nb: [a, b, c]\nc: \"3\"\nd: \"\"\ne: true\nf: [Ada, '3']\n---\n";
    assert_eq!(document(head, &known), expected);
}

#[test]
fn comments_and_unknown_holes_of_frontmatter_stay() {
    let head = "---\n# {{name}}\na: {{other}} # {{name}}\nb: 'x {{other}}'\nc: { system-date }\n---\n";
    assert_eq!(document(head, &known), head);
}

#[test]
fn block_text_of_frontmatter_keeps_its_indentation() {
    let names = |name: &str| (name == "x").then(|| Value::from("one\ntwo: 2\n---\nthree"));
    let filled = document("---\na: |\n  <{{x}}>\nb: 1\n---\n", &names);
    assert_eq!(filled, "---\na: |\n  <one\n  two: 2\n  ---\n  three>\nb: 1\n---\n");
}

#[test]
fn a_value_never_becomes_syntax_of_frontmatter() {
    let nasty = [
        "---\nstatus: done",
        "x'\nstatus: done\ny: '",
        "x\"\nstatus: done\ny: \"",
        "a: b",
        "a # b",
        "], status: done, [",
        "{{name}}",
        "'",
        "\"",
        "\\",
        "a\nb",
        "| x",
        "&a *b",
        "",
        "yes",
        "\u{7}",
    ];
    let template = "---\na: '{{v}}'\nb: \"{{v}}\"\nc: {{v}}\nd: It is '{{v}}' here\ne: [{{v}}, '{{v}}', \"{{v}}\"]\nf:\n  - {{v}}\n  - g: '''{{v}}'''\nz: end\n---\n";
    for value in nasty {
        let names = |name: &str| (name == "v").then(|| Value::from(value));
        let filled = document(template, &names);
        let source = Source::new(SourceId(0), ProjectPath::root(), filled.as_str());
        let parsed = parse(&source, Format::Markdown);
        assert!(parsed.faults.is_empty(), "{value:?}: {:?}\n{filled}", parsed.faults);
        let data = parsed.frontmatter.unwrap().data.unwrap();
        let keys: Vec<&str> = data.pairs().iter().map(|pair| pair.key.as_str()).collect();
        assert_eq!(keys, ["a", "b", "c", "d", "e", "f", "z"], "{filled}");
        let is_value = |node: &syntax::Node| node.value == syntax::Value::Text(value.to_owned());
        for key in ["a", "b", "c"] {
            assert!(is_value(data.get(key).unwrap()), "{key} of {value:?}\n{filled}");
        }
        assert_eq!(
            data.get("d").unwrap().text(),
            Some(format!("It is '{value}' here").as_str())
        );
        assert!(data.get("e").unwrap().items().iter().all(is_value), "{filled}");
        let items = data.get("f").unwrap().items();
        assert!(is_value(&items[0]), "{filled}");
        assert_eq!(items[1].get("g").unwrap().text(), Some(format!("'{value}'").as_str()));
    }
}

#[test]
fn a_value_that_may_not_enter_frontmatter_leaves_its_slot() {
    for value in ["a\0b".to_owned(), "a".repeat(20_000)] {
        let names = |name: &str| (name == "v").then(|| Value::Text(value.clone()));
        let head = "---\na: '{{v}}'\nb: x\n  and {{v}}\n---\n";
        assert_eq!(document(head, &names), head);
    }
}

#[test]
fn our_templates_have_loops_and_conditions() {
    let keys = ["list", "people", "project-root", "nothing", "absent"].map(String::from);
    let template = "{% for person in people %}\n- {{ person.name }}: {{ person.tags }}\n{% else %}\nnobody\n{% endfor %}\n{{ list }} at {{ project_root }}{{ nothing }}{{ absent }}\n";
    assert_eq!(
        ours(template, &known, &keys).unwrap(),
        "- Ada: math\n- Bob: \na, b, c at /p\n"
    );
}

#[test]
fn only_a_line_of_blocks_leaves_no_line_behind() {
    let shown = |template: &str| ours(template, &known, &["name".to_owned()]).unwrap();
    assert_eq!(shown("a: {% if name %}yes{% endif %}\nb: two\n"), "a: yes\nb: two\n");
    assert_eq!(shown("  {% if name %}yes{% endif %}\nb\n"), "  yes\nb\n");
    assert_eq!(
        shown("a\n  {% if name %}\n  {# why #}\nb\n{% endif %}\n\nc"),
        "a\nb\n\nc"
    );
    let error = ours(
        "{% if name %}\n{% endif %}\n{{ name | nobody }}\n",
        &known,
        &["name".to_owned()],
    )
    .unwrap_err();
    assert_eq!(error.line, Some(3));
}

#[test]
fn a_line_of_blocks_keeps_its_signs_and_what_is_raw() {
    let shown = |template: &str| ours(template, &known, &["name".to_owned()]).unwrap();
    assert_eq!(shown("{% if name -%}\n  b\n{%- endif %}\nc"), "bc");
    let raw = "{% raw %}\n{% x %}\n{% endraw %}\n{{ name }}";
    assert_eq!(shown(raw), "{% x %}\nAda");
}

#[test]
fn the_tracker_of_the_standard_library_is_rendered() {
    let finding = map(&[
        ("id", Value::from("F1")),
        ("claim", Value::from("{% raw %}")),
        ("reviewers", words(&["a", "b"])),
    ]);
    let tracker = map(&[("total", Value::from(1.0)), ("findings", Value::List(vec![finding]))]);
    let names = move |name: &str| match name {
        "tracker" => Some(tracker.clone()),
        "confidence" => Some(map(&[("score", Value::from(97.5))])),
        _ => None,
    };
    let template = include_str!("../../../stdlib/templates/issue-tracker.md");
    let shown = ours(template, &names, &["tracker".to_owned(), "confidence".to_owned()]).unwrap();
    assert!(shown.contains("Confidence: 97.5 %\n"), "{shown}");
    assert!(shown.contains("| Total | 1 |\n"), "{shown}");
    assert!(
        shown.contains("<!-- ISSUES_START -->\n### F1 ·  · \n\n{% raw %}\n"),
        "{shown}"
    );
    assert!(shown.contains("- Seen by: a, b\n\n<!-- ISSUES_END -->\n"), "{shown}");
    assert!(shown.contains("Nothing was fixed so far.\n"), "{shown}");
}

#[test]
fn our_templates_keep_the_order_of_fields() {
    let names = |name: &str| (name == "m").then(|| map(&[("z", Value::from(1.0)), ("a", Value::from("it's"))]));
    let template = "{% for key, value in m | items %}{{ key }}={{ value | tojson }};{% endfor %}";
    assert_eq!(
        ours(template, &names, &["m".to_owned()]).unwrap(),
        "z=1;a=\"it\\u0027s\";"
    );
}

#[test]
fn values_in_our_templates_are_not_read_again() {
    let names = |name: &str| (name == "x").then(|| Value::from("{{ 1 + 1 }}{% if %}<b>"));
    assert_eq!(
        ours("{{ x }}", &names, &["x".to_owned()]).unwrap(),
        "{{ 1 + 1 }}{% if %}<b>"
    );
}

#[test]
fn a_template_that_fails_says_where() {
    let fails = |template: &str| ours(template, &known, &["name".to_owned()]).unwrap_err();
    assert_eq!(fails("a\n{% if %}\n").line, Some(2));
    let error = fails("a\nb\n{{ missing.field }}");
    assert_eq!(error.to_string(), "the template fails in line 3: undefined value");
    assert_eq!(fails("{{ name | unheard }}").line, Some(1));
}

#[test]
fn a_template_that_never_ends_is_stopped() {
    let ends = "{% for a in range(9999) %}{% for b in range(9999) %}".to_owned() + "{% endfor %}{% endfor %}";
    let error = ours(&ends, &known, &[]).unwrap_err();
    assert!(error.why.contains("instructions"), "{error}");
    let large = Value::Text("x".repeat(MAX_OUTPUT / 2));
    let names = move |name: &str| (name == "x").then(|| large.clone());
    let error = ours("{{ x }}{{ x }}{{ x }}", &names, &["x".to_owned()]).unwrap_err();
    assert!(error.why.contains("grows over"), "{error}");
}

#[test]
fn odd_text_is_filled_without_a_stop() {
    const PARTS: &[&str] = &[
        "{{",
        "}}",
        "{",
        "}",
        "{{#if yes}}",
        "{{#each list}}",
        "{{/each}}",
        "{{/if}}",
        "{{else}}",
        "{{^empty}}",
        "{{/empty}}",
        "{{#list}}",
        "{{/list}}",
        "name",
        "\n",
        " ",
        "{{this}}",
        "{{@index}}",
        "~",
        "\\",
        "$",
        "é",
        "{{else if no}}",
        "{{~/if~}}",
        "---\n",
        "a: ",
        "'",
        "\"",
        "[",
        "|",
        "{{name}}",
    ];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..5000 {
        let mut written = String::new();
        for _ in 0..state % 24 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            written.push_str(PARTS[(state >> 33) as usize % PARTS.len()]);
        }
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15).rotate_left(7);
        let none = |_: &str| None;
        assert_eq!(text(&written, &none), written);
        assert_eq!(document(&format!("---\n{written}"), &none), format!("---\n{written}"));
        let names: &dyn Names = &known;
        let all = text(&written, names).len() + document(&format!("---\n{written}\n---\n"), names).len();
        assert!(all + blocks(&written).len() < 1_000_000);
    }
}
