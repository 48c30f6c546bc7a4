//! Assignments.

use super::{conditions, nothing_in, said, words};

#[test]
fn a_variable_is_set() {
    let sets = [
        ("Set x = y", "set x = y"),
        ("Set {{x}} = \"y z\"", "set x = y z"),
        ("Set {{x}} = empty", "set x = "),
        ("Set `{x}` to empty string", "set x = "),
        ("Set {x} to null, then go on", "set x = "),
        ("Set {{x}} = \"empty\"", "set x = empty"),
        ("Set {{x}} = `null`", "set x = null"),
        ("Set `x = null`", "set x = "),
        ("Set `x = 'null'`", "set x = null"),
        ("Set {x} to 'y'", "set x = y"),
        ("Set scan_level to \"deep\"", "set scan_level = deep"),
        ("Then set `review_mode` = `full`.", "set review_mode = full"),
        ("Set `kind = \"market\"`", "set kind = market"),
        ("set `{tree}`=`main` and load `./a.md`", "set tree = main"),
    ];
    for (text, expected) in sets {
        assert_eq!(said(text), [expected], "{text}");
    }
}

#[test]
fn a_value_that_is_told_in_words_is_for_a_reader() {
    let told = [
        ("Set {{x}} = empty handed", "store x"),
        ("Set {{all}} = {{a}} + {{b}}", "store all"),
        ("Set kind = \"one\" or \"two\"", "store kind"),
        ("Set {{n}} = number of things fixed (or 0)", "store n"),
        ("Set `{f}` to its path, and read that file", "store f"),
        ("set `spec_file` to that path, verify it, then go on", "store spec_file"),
        ("Set `topic = the first that fits`", "store topic"),
        ("Set `n = {n} + 1`", "store n"),
        ("Set `topic = [what they named]`", "store topic"),
        ("Set {{topic}} = [what they named, or none]", "store topic"),
        ("Set `topic` to `[what they named]`", "store topic"),
        ("Set `version = <number>`", "store version"),
    ];
    for (text, expected) in told {
        assert_eq!(said(text), [expected], "{text}");
    }
    let text = "Set mode = {{mode}} if provided by caller; otherwise mode = \"interactive\"";
    assert_eq!(said(text), ["store mode"]);
    assert_eq!(words(text), [text]);
    assert_eq!(conditions(text), [None]);
}

#[test]
fn a_list_is_a_value() {
    let lists = [
        ("Set `done = [1, 2]`", "set done = [1, 2]"),
        ("Set `done = ['a b', \"c\"]`", "set done = ['a b', \"c\"]"),
        ("Set {{done}} = [one]", "set done = [one]"),
        ("Set `done = []`", "set done = []"),
        ("Set `done = \"[a b]\"`", "set done = [a b]"),
    ];
    for (text, expected) in lists {
        assert_eq!(said(text), [expected], "{text}");
    }
}

#[test]
fn several_variables_are_set() {
    assert_eq!(said("Set a = 1, b = 2"), ["set a = 1", "set b = 2"]);
    assert_eq!(said("Set a_b = 1\nSet c_d = 2"), ["set a_b = 1", "set c_d = 2"]);
    assert_eq!(words("Set a = 1, b = 2"), ["Set a = 1", "b = 2"]);
    let joined = "Set `a` to `x y` and `b_c` to `z`.";
    assert_eq!(said(joined), ["set a = x y", "set b_c = z"]);
    assert_eq!(words(joined), ["Set `a` to `x y`", "`b_c` to `z`"]);
    assert_eq!(
        said("Set a_b to one and c_d to two"),
        ["set a_b = one", "set c_d = two"]
    );
    assert_eq!(said("Set `a` to `x` and tell {name} to go on"), ["set a = x"]);
    assert_eq!(said("Set `a` to `x` and `cd` to it."), ["set a = x"]);
}

#[test]
fn a_variable_without_a_written_value_is_stored() {
    assert_eq!(
        said("Set {{a}}, {{b}} and {{c}} from user input"),
        ["store a", "store b", "store c"]
    );
    assert_eq!(
        said("If one is chosen, set `story_key` and use it"),
        ["store story_key"]
    );
}

#[test]
fn what_is_set_otherwise_is_none() {
    nothing_in(&[
        "x = y",
        "Set story Status to: \"ready\"",
        "Set status to ready",
        "the variable is set to 3",
        "Set up the project",
        "A set of values = 3",
        "Do not set `status`",
        "helper --set x=1",
        "Set `lastStep = 14` in document frontmatter",
        "set it to ''",
        "Say \"Set x = 1\" aloud",
        "```\nSet x = 1\n```",
        "Set professional, calm tone",
    ]);
}

#[test]
fn a_result_is_stored() {
    let stores: [(&str, &[&str]); 12] = [
        ("Store the path as {{story_path}}", &["store story_path"]),
        ("Store as {{a}}, {{b}}", &["store a", "store b"]),
        ("Store {{x}} for later use", &["store x"]),
        ("Save the reply as {{answer_text}}", &["store answer_text"]),
        ("Store in variable: {x}", &["store x"]),
        (
            "Store content in variable: `{x_content}` (e.g., `{prd_content}`).",
            &["store x_content"],
        ),
        ("Store it in a variable named `{x}`", &["store x"]),
        (
            "Store the pick as: next_id, next_flow, next_agent (any)",
            &["store next_id", "store next_flow", "store next_agent"],
        ),
        ("Store all in file_inventory", &["store file_inventory"]),
        ("Store the found story_key (such as 1-2-a)", &["store story_key"]),
        ("Run it and store result as `{commit}`", &["store commit"]),
        ("Capture the reply as field_type", &["store field_type"]),
    ];
    for (text, expected) in stores {
        assert_eq!(said(text), expected, "{text}");
    }
    assert_eq!(words("Store as {{a}}, {{b}}"), ["Store as {{a}}", "{{b}}"]);
}

#[test]
fn what_is_kept_elsewhere_is_not_stored() {
    nothing_in(&[
        "Store the docs references",
        "Save the report to {output_file}",
        "Save the report as {output_file}",
        "Save file, keeping comments",
        "It is stored as {{x}}",
        "Store this as a reminder",
        "Do not store it as {{x}}",
    ]);
}
