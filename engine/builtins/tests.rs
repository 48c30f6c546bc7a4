//! What holds for every built-in, and for every call in the standard library.

mod hostile;

use super::{BUILTINS, BuiltinError, Value, named, run};

const STDLIB: &[&str] = &[
    include_str!("../../stdlib/tasks/review-loop.xml"),
    include_str!("../../stdlib/tasks/workflow.xml"),
    include_str!("../../stdlib/tasks/advanced-elicitation.xml"),
    include_str!("../../stdlib/tasks/party-mode.xml"),
    include_str!("../../stdlib/tasks/validation-loop.xml"),
];

/// The calls of built-ins in well-formed text: the name, and the names of the parameters.
fn calls(text: &str) -> Vec<(&str, Vec<&str>)> {
    text.split("<call builtin=\"")
        .skip(1)
        .map(|rest| {
            let call = rest.split("</call>").next().unwrap();
            let name = call.split('"').next().unwrap();
            let parameters = call
                .split("<param name=\"")
                .skip(1)
                .map(|parameter| parameter.split('"').next().unwrap())
                .collect();
            (name, parameters)
        })
        .collect()
}

#[test]
fn every_call_of_the_standard_library_fits_a_signature() {
    for (name, parameters) in STDLIB.iter().flat_map(|text| calls(text)) {
        let builtin = named(name).unwrap_or_else(|| panic!("no built-in `{name}`"));
        assert_eq!(builtin.check(parameters.into_iter()), []);
    }
}

#[test]
fn every_builtin_is_called_by_the_standard_library() {
    let called: Vec<&str> = STDLIB
        .iter()
        .flat_map(|text| calls(text))
        .map(|(name, _)| name)
        .collect();
    for builtin in BUILTINS {
        assert!(called.contains(&builtin.name), "nothing calls `{}`", builtin.name);
    }
}

#[test]
fn every_page_names_its_builtin_and_every_parameter() {
    for builtin in BUILTINS {
        assert!(
            builtin.page.starts_with(&format!("# {}\n", builtin.name)),
            "{}",
            builtin.name
        );
        for parameter in builtin.parameters {
            let needed = if parameter.required { "yes" } else { "no" };
            let row = format!("| `{}` | {needed} | {} |", parameter.name, parameter.summary);
            assert!(builtin.page.contains(&row), "{}: {row}", builtin.name);
        }
        assert!(builtin.page.contains("\n## Examples\n"), "{}", builtin.name);
    }
}

#[test]
fn every_example_of_a_page_fits_a_signature() {
    for builtin in BUILTINS {
        for (name, parameters) in calls(builtin.page) {
            let called = named(name).unwrap_or_else(|| panic!("no built-in `{name}`"));
            assert_eq!(called.check(parameters.into_iter()), []);
        }
    }
}

#[test]
fn no_two_builtins_share_a_name() {
    for builtin in BUILTINS {
        let same = BUILTINS.iter().filter(|other| other.name == builtin.name);
        assert_eq!(same.count(), 1, "{}", builtin.name);
    }
}

#[test]
fn every_builtin_runs() {
    for builtin in BUILTINS {
        assert!(builtin.is_runnable(), "{}", builtin.name);
    }
}

#[test]
fn an_unknown_name_is_met_with_the_nearest_one() {
    let error = run("merge-finding", &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no built-in is named `merge-finding`; did you mean `merge-findings`?"
    );
}

#[test]
fn a_name_like_no_other_gets_no_guess() {
    let error = run("qqqq", &[]).unwrap_err();
    assert_eq!(error.to_string(), "no built-in is named `qqqq`");
}

#[test]
fn a_missing_parameter_is_named() {
    let error = run("slug", &[]).unwrap_err();
    assert_eq!(
        error,
        BuiltinError::MissingParameter {
            builtin: "slug",
            parameter: "text"
        }
    );
}

#[test]
fn a_misspelt_parameter_is_met_with_the_nearest_one() {
    let error = run("slug", &[("txt", Value::from("a"))]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "built-in `slug` takes no `txt`; did you mean `text`?"
    );
}

#[test]
fn a_value_of_the_wrong_kind_is_named() {
    let given = [("confidence", Value::from("high")), ("tier", Value::from(2.0))];
    let error = run("review-level", &given).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`confidence` of built-in `review-level` must be a number"
    );
}
