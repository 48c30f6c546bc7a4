//! How large things may grow.

use super::code::{blank, functions, tokens};
use super::{File, assert_none};

const FILE_LINES: usize = 400;
const FUNCTION_LINES: usize = 60;
const PARAMETERS: usize = 5;

pub(super) fn check(files: &[File]) -> Vec<String> {
    files.iter().flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<String> {
    let mut violations = Vec::new();
    let lines = file.text.lines().count();
    if lines > FILE_LINES {
        violations.push(format!("{}: {lines} lines, more than {FILE_LINES}", file.path));
    }
    for function in functions(&tokens(&blank(&file.text))) {
        let place = format!("{}:{}: `{}`", file.path, function.line, function.name);
        if function.lines > FUNCTION_LINES {
            violations.push(format!("{place} has {} lines", function.lines));
        }
        if function.parameters > PARAMETERS {
            violations.push(format!("{place} has {} parameters", function.parameters));
        }
    }
    violations
}

fn broken(text: &str) -> Vec<String> {
    check(&[File::new("engine/a.rs", text)])
}

#[test]
fn a_long_file_is_found() {
    assert_eq!(broken(&"//\n".repeat(401)), ["engine/a.rs: 401 lines, more than 400"]);
    assert_none(broken(&"//\n".repeat(400)));
}

#[test]
fn a_long_function_is_found_by_its_lines_of_code() {
    let body = |lines: usize| format!("fn f() {{\n{}}}\n", "    a();\n".repeat(lines));
    assert_eq!(broken(&body(61)), ["engine/a.rs:1: `f` has 61 lines"]);
    assert_none(broken(&body(60)));
    let commented = format!("fn f() {{\n{}}}\n", "    // why\n\n".repeat(70));
    assert_none(broken(&commented));
}

#[test]
fn a_long_method_is_found_behind_text_that_looks_like_code() {
    let text = format!(
        "impl A {{\n    fn g<'a>(&'a self) -> char {{\n        let s = \"}}\"; let c = '}}'; let r = r#\"\"}}\"#;\n{}        '{{'\n    }}\n}}\n",
        "        a(); /* } */\n".repeat(60)
    );
    assert_eq!(broken(&text), ["engine/a.rs:2: `g` has 62 lines"]);
}

#[test]
fn too_many_parameters_are_found() {
    let six = "fn f<T: Fn(A, B) -> C>(a: (A, B), b: [A; 2], c: Map<A, B>, d: D, e: fn(A, B) -> C, f: F,) {}";
    assert_eq!(broken(six), ["engine/a.rs:1: `f` has 6 parameters"]);
    assert_none(broken(
        "trait A { fn f(&self, a: Map<A, Vec<B>>, b: B, c: C, d: D) -> [u8; 4]; }",
    ));
}

#[test]
fn a_trait_gives_the_parameters_of_its_functions() {
    let six = "fn f(&self, a: A, b: B, c: C, d: D, e: E) {}";
    assert_eq!(broken(&format!("impl A {{ {six} }}")).len(), 1);
    assert_none(broken(&format!("impl Other for A {{ {six} }}")));
}
