//! Lists: both styles grow and change as they are written.

use super::{change, named, refusal};
use crate::machine::matter::{Change, Item};

#[test]
fn a_list_in_brackets_grows_in_its_style() {
    let add = |list: &str, item: &str| {
        let document = format!("---\na: {list}\nb: 1\n---\n");
        let grown = change(&document, "a", Change::AppendUnique(Item::of(item)));
        grown["---\na: ".len()..grown.len() - "\nb: 1\n---\n".len()].to_owned()
    };
    assert_eq!(add("[]", "1"), "[1]");
    assert_eq!(add("[ ]  # none", "1"), "[1]  # none");
    assert_eq!(add("[1, 2]", "3"), "[1, 2, 3]");
    assert_eq!(add("[ 1, 2 ]", "3"), "[ 1, 2, 3 ]");
    assert_eq!(add("[1, 2,]", "3"), "[1, 2, 3,]");
    assert_eq!(add("['a', 'b'] # c", "d"), "['a', 'b', 'd'] # c");
    assert_eq!(add("[\"a.md\"]", "b.md"), "[\"a.md\", \"b.md\"]");
    assert_eq!(add("[a]", "b, c"), "[a, \"b, c\"]");
    assert_eq!(add("[\n  1,\n  2 # two\n]", "3"), "[\n  1,\n  2,\n  3 # two\n]");
    assert_eq!(add("[{x: 1}, [2]]", "w"), "[{x: 1}, [2], w]");
}

#[test]
fn a_list_of_lines_grows_by_a_line() {
    let add = |list: &str, item: &str| {
        let document = format!("---\na:{list}\nb: 1\n---\n");
        let grown = change(&document, "a", Change::AppendUnique(Item::of(item)));
        grown["---\na:".len()..grown.len() - "\nb: 1\n---\n".len()].to_owned()
    };
    assert_eq!(
        add("\n  - 1 # one\n  # more\n  - 2", "3"),
        "\n  - 1 # one\n  # more\n  - 2\n  - 3"
    );
    assert_eq!(add("\n- 'x'", "y"), "\n- 'x'\n- 'y'");
    assert_eq!(add("\n  - \"x.md\"\n", "y.md"), "\n  - \"x.md\"\n  - \"y.md\"\n");
    assert_eq!(add("\n  - k: 1\n    l: 2", "z"), "\n  - k: 1\n    l: 2\n  - z");
    assert_eq!(add(" # none yet", "z"), " [z] # none yet");
}

#[test]
fn a_list_is_replaced_in_its_style() {
    let list = |items: &[&str]| Change::List(named(items));
    assert_eq!(
        change("---\na: ['x', 'y'] # c\n---\n", "a", list(&["z"])),
        "---\na: ['z'] # c\n---\n"
    );
    assert_eq!(
        change("---\na:\n  - x\n  - y\nb: 1\n---\n", "a", list(&["z", "w"])),
        "---\na:\n  - z\n  - w\nb: 1\n---\n"
    );
    assert_eq!(
        change("---\na:\n  - x # c\n---\n", "a", list(&["x", "w"])),
        "---\na:\n  - x # c\n  - w\n---\n"
    );
    assert_eq!(change("---\na:\n  - x\n---\n", "a", list(&[])), "---\na: []\n---\n");
    assert_eq!(
        change("---\na: [ x ]\n---\n", "a", list(&["v", "z"])),
        "---\na: [ v, z ]\n---\n"
    );
    assert_eq!(change("---\na: x\n---\n", "a", list(&["w"])), "---\na: [w]\n---\n");
    assert_eq!(
        change("---\nb: 1\n---\n", "a", list(&["w", "2"])),
        "---\nb: 1\na: [w, \"2\"]\n---\n"
    );
}

#[test]
fn what_is_no_list_is_not_made_one() {
    let add = Change::AppendUnique(Item::of("1"));
    let why = "`a` is no list; make it one or take it out".to_owned();
    assert_eq!(refusal("---\nb: 0\na: x\n---\n", "a", add.clone()), (3, why));
    assert_eq!(change("---\na: ''\n---\n", "a", add), "---\na: [1]\n---\n");
}
