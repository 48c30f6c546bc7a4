//! The shape of the tree, kept by tests: what imports what, who touches the world, how large things grow,
//! and that nothing exists which no list names. Each check is shown to fail on a file that breaks it.

mod caps;
mod code;
mod doors;
mod lists;
mod rooms;
mod tree;
mod words;
mod world;

use tree::{File, Tree};

/// Fails with every violation in one message.
#[track_caller]
fn assert_none(violations: Vec<String>) {
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
}

#[test]
fn the_tree_is_seen() {
    let tree = Tree::load();
    for path in [
        "engine/lib.rs",
        "engine/syntax/tag.rs",
        "tests/main.rs",
        "spec/tags/ask.md",
    ] {
        assert!(!tree.text(path).is_empty(), "{path}");
    }
}

#[test]
fn rooms_import_only_rooms_to_their_left() {
    assert_none(rooms::check(&Tree::load().engine()));
}

#[test]
fn every_dependency_has_one_door() {
    let tree = Tree::load();
    assert_none(doors::check(&tree.engine(), doors::DOORS));
    assert_none(doors::table(tree.text("Cargo.toml"), doors::DOORS));
}

#[test]
fn files_functions_and_parameter_lists_stay_small() {
    assert_none(caps::check(&Tree::load().rust()));
}

#[test]
fn only_some_rooms_touch_the_world() {
    assert_none(world::check(&Tree::load().engine()));
}

#[test]
fn words_and_names_are_the_agreed_ones() {
    let tree = Tree::load();
    assert_none(words::code(&tree.rust()));
    assert_none(words::text(&tree.prose()));
}

#[test]
fn every_file_is_a_module_of_its_parent() {
    assert_none(lists::modules(&Tree::load().rust()));
}

#[test]
fn every_rule_is_listed_and_has_its_page() {
    let tree = Tree::load();
    assert_none(lists::registry(&tree, "engine/lint/rules", "spec/rules"));
}

#[test]
fn every_builtin_is_listed_and_has_its_page() {
    let tree = Tree::load();
    assert_none(lists::registry(&tree, "engine/builtins", "spec/builtins"));
}

#[test]
fn every_tag_has_its_page_and_every_page_its_tag() {
    let names: Vec<&str> = bmad::syntax::TAGS.iter().map(|row| row.name).collect();
    assert_none(lists::pages(&names, &Tree::load(), "spec/tags"));
}

#[test]
fn every_command_is_listed() {
    assert_none(lists::commands(&Tree::load()));
}

#[test]
fn the_top_level_holds_only_what_belongs_there() {
    assert_none(lists::top_level(&tree::top_level()));
}
