//! What happened so far in, a bounded text for the next agent out.

use super::{Arguments, Builtin, BuiltinError, Value, optional};

pub(super) const CONTEXT_LAYERS: Builtin = Builtin {
    name: "context-layers",
    parameters: &[
        optional("layers", "the layers so far; empty at the start"),
        optional("stable", "what never changes; kept from the first call that gives it"),
        optional("outputs", "texts that reviews or turns produced"),
        optional("errors", "what went wrong"),
        optional("patterns", "fixes that worked"),
        optional(
            "clear",
            "what is forgotten first: `recent` (outputs and errors) or `all`",
        ),
        optional(
            "bounds",
            "a map of `outputs` (5), `errors` (5), `patterns` (3), `entry_length` (500), `total_length` (5000)",
        ),
    ],
    returns: "a map: `stable`, `outputs`, `errors`, `patterns`, `text`",
    summary: "keeps what agents are told about earlier work, in four bounded layers",
    page: include_str!("../../spec/builtins/context-layers.md"),
    body: Some(context_layers),
};

/// How many of the last outputs an agent is shown.
const OUTPUTS_SHOWN: usize = 3;

/// How many of the last errors an agent is shown.
const ERRORS_SHOWN: usize = 2;

/// Stands where an entry was cut.
const ENTRY_CUT: &str = "...";

/// Stands where the whole was cut.
const CUT: &str = "\n...[truncated]";

/// How much is kept: entries of a layer, characters of an entry, characters of the whole.
struct Bounds {
    outputs: usize,
    errors: usize,
    patterns: usize,
    entry_length: usize,
    total_length: usize,
}

impl Bounds {
    fn read(arguments: &Arguments<'_>) -> Result<Self, BuiltinError> {
        let given = arguments.get("bounds");
        let bound = |name: &str, otherwise: usize| match given.get(name) {
            Some(value) => whole(value).ok_or_else(|| {
                arguments.bad(
                    "bounds",
                    "a map of whole numbers, 0 or more, with the names of its page",
                )
            }),
            None => Ok(otherwise),
        };
        Ok(Self {
            outputs: bound("outputs", 5)?,
            errors: bound("errors", 5)?,
            patterns: bound("patterns", 3)?,
            entry_length: bound("entry_length", 500)?,
            total_length: bound("total_length", 5000)?,
        })
    }
}

fn whole(value: &Value) -> Option<usize> {
    let number = value.number()?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole and not below 0, as is just tested"
    )]
    (number >= 0.0 && number.fract() == 0.0).then_some(number as usize)
}

/// What an agent is told, oldest first.
#[derive(Default)]
struct Layers {
    stable: String,
    outputs: Vec<String>,
    errors: Vec<String>,
    patterns: Vec<String>,
}

impl Layers {
    /// Reads the layers that were answered last time, without what is to be forgotten.
    fn read(arguments: &Arguments<'_>) -> Result<Self, BuiltinError> {
        let given = arguments.get("layers");
        let texts = |name: &str| -> Vec<String> {
            let items = given.get(name).map(Value::items).unwrap_or_default();
            items.iter().map(Value::to_string).collect()
        };
        let mut layers = Self {
            stable: given.get("stable").map(Value::to_string).unwrap_or_default(),
            outputs: texts("outputs"),
            errors: texts("errors"),
            patterns: texts("patterns"),
        };
        match arguments.get("clear").to_string().as_str() {
            "" => {}
            "recent" => {
                layers.outputs.clear();
                layers.errors.clear();
            }
            "all" => layers = Self::default(),
            _ => return Err(arguments.bad("clear", "recent or all")),
        }
        Ok(layers)
    }

    /// Returns everything under headings, in the order in which it helps most.
    fn text(&self, most: usize) -> String {
        let mut parts = Vec::new();
        if !self.stable.is_empty() {
            parts.push(format!("## Original Context\n{}", self.stable));
        }
        if !self.outputs.is_empty() {
            let recent = last(&self.outputs, OUTPUTS_SHOWN).join("\n---\n");
            parts.push(format!("## Recent Review Outputs\n{recent}"));
        }
        if !self.patterns.is_empty() {
            parts.push(format!("## Successful Fix Patterns\n- {}", self.patterns.join("\n- ")));
        }
        if !self.errors.is_empty() {
            let recent = last(&self.errors, ERRORS_SHOWN).join("\n- ");
            parts.push(format!("## Recent Errors\n- {recent}"));
        }
        cut(&parts.join("\n\n"), most, CUT)
    }
}

fn context_layers(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let bounds = Bounds::read(arguments)?;
    let mut layers = Layers::read(arguments)?;
    if layers.stable.is_empty() {
        layers.stable = arguments.get("stable").to_string();
    }
    for (layer, name, most) in [
        (&mut layers.outputs, "outputs", bounds.outputs),
        (&mut layers.errors, "errors", bounds.errors),
        (&mut layers.patterns, "patterns", bounds.patterns),
    ] {
        let new = arguments.get(name).items().iter().filter(|entry| !entry.is_empty());
        layer.extend(new.map(|entry| cut(&entry.to_string(), bounds.entry_length, ENTRY_CUT)));
        layer.drain(..layer.len().saturating_sub(most));
    }
    let text = layers.text(bounds.total_length);
    let list = |texts: Vec<String>| Value::List(texts.into_iter().map(Value::Text).collect());
    Ok(Value::of([
        ("stable", Value::Text(layers.stable)),
        ("outputs", list(layers.outputs)),
        ("errors", list(layers.errors)),
        ("patterns", list(layers.patterns)),
        ("text", Value::Text(text)),
    ]))
}

fn last(entries: &[String], count: usize) -> &[String] {
    &entries[entries.len().saturating_sub(count)..]
}

/// Cuts a text after so many characters, and marks that.
fn cut(text: &str, most: usize, mark: &str) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}{mark}", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::builtins::{Value, run};

    fn layers(given: &[(&str, Value)]) -> Value {
        run("context-layers", given).unwrap()
    }

    fn list(answer: &Value, name: &str) -> Vec<String> {
        let items = answer.get(name).unwrap().items();
        items.iter().map(Value::to_string).collect()
    }

    fn text(answer: &Value) -> String {
        answer.get("text").unwrap().to_string()
    }

    /// One layer after each of so many entries.
    fn grown(name: &str, count: usize) -> Value {
        (0..count).fold(Value::Nothing, |so_far, at| {
            layers(&[("layers", so_far), (name, Value::from(format!("{name} {at}")))])
        })
    }

    #[test]
    fn the_first_layers_are_empty() {
        let answer = layers(&[]);
        assert_eq!(answer.get("stable"), Some(&Value::from("")));
        for name in ["outputs", "errors", "patterns"] {
            assert_eq!(list(&answer, name), [""; 0], "{name}");
        }
        assert_eq!(text(&answer), "");
    }

    #[test]
    fn what_is_stable_is_kept_from_the_first_call_that_gives_it() {
        let first = layers(&[("stable", Value::from("Original prompt"))]);
        assert_eq!(first.get("stable"), Some(&Value::from("Original prompt")));
        let second = layers(&[("layers", first), ("stable", Value::from("Another"))]);
        assert_eq!(second.get("stable"), Some(&Value::from("Original prompt")));
    }

    #[test]
    fn outputs_are_added_one_by_one_or_as_a_list() {
        let first = layers(&[("outputs", Value::from("Review 1"))]);
        let more = Value::List(vec![Value::from("Review 2"), Value::from(""), Value::from("Review 3")]);
        let second = layers(&[("layers", first), ("outputs", more)]);
        assert_eq!(list(&second, "outputs"), ["Review 1", "Review 2", "Review 3"]);
    }

    #[test]
    fn the_last_five_outputs_the_last_five_errors_and_the_last_three_patterns_are_kept() {
        let outputs = list(&grown("outputs", 10), "outputs");
        assert_eq!(
            outputs,
            ["outputs 5", "outputs 6", "outputs 7", "outputs 8", "outputs 9"]
        );
        assert_eq!(list(&grown("errors", 6), "errors").len(), 5);
        let patterns = list(&grown("patterns", 6), "patterns");
        assert_eq!(patterns, ["patterns 3", "patterns 4", "patterns 5"]);
    }

    #[test]
    fn an_entry_is_cut_after_five_hundred_characters() {
        let entry = |length: usize| layers(&[("outputs", Value::from("x".repeat(length)))]);
        assert_eq!(list(&entry(500), "outputs")[0], "x".repeat(500));
        assert_eq!(list(&entry(501), "outputs")[0], "x".repeat(500) + "...");
        assert_eq!(list(&entry(1000), "outputs")[0].len(), 503);
    }

    #[test]
    fn characters_are_counted_and_not_bytes() {
        let answer = layers(&[("errors", Value::from("日".repeat(600)))]);
        assert_eq!(list(&answer, "errors")[0], "日".repeat(500) + "...");
        let long = layers(&[("stable", Value::from("é".repeat(10_000)))]);
        assert_eq!(text(&long).chars().count(), 5015);
    }

    #[test]
    fn an_error_and_a_pattern_are_added() {
        let answer = layers(&[
            ("errors", Value::from("Error 1")),
            ("patterns", Value::from("Pattern 1")),
        ]);
        assert_eq!(list(&answer, "errors"), ["Error 1"]);
        assert_eq!(list(&answer, "patterns"), ["Pattern 1"]);
    }

    #[test]
    fn the_text_has_every_layer_under_a_heading() {
        let answer = layers(&[
            ("stable", Value::from("Stable")),
            ("outputs", Value::from("Review")),
            ("patterns", Value::from("Pattern")),
            ("errors", Value::from("Error")),
        ]);
        insta::assert_snapshot!(text(&answer), @r"
        ## Original Context
        Stable

        ## Recent Review Outputs
        Review

        ## Successful Fix Patterns
        - Pattern

        ## Recent Errors
        - Error
        ");
    }

    #[test]
    fn the_text_shows_the_last_three_outputs_all_patterns_and_the_last_two_errors() {
        assert_eq!(
            text(&grown("outputs", 5)),
            "## Recent Review Outputs\noutputs 2\n---\noutputs 3\n---\noutputs 4"
        );
        assert_eq!(text(&grown("errors", 5)), "## Recent Errors\n- errors 3\n- errors 4");
        assert_eq!(
            text(&grown("patterns", 3)),
            "## Successful Fix Patterns\n- patterns 0\n- patterns 1\n- patterns 2"
        );
    }

    #[test]
    fn the_text_is_cut_after_five_thousand_characters() {
        let heading = "## Original Context\n".len();
        let stable = |length: usize| text(&layers(&[("stable", Value::from("x".repeat(length)))]));
        assert_eq!(stable(5000 - heading).len(), 5000);
        let long = stable(10_000);
        assert_eq!(long.len(), 5000 + "\n...[truncated]".len());
        assert!(long.ends_with("xxxx\n...[truncated]"));
    }

    #[test]
    fn forgetting_what_is_recent_keeps_what_is_stable_and_the_patterns() {
        let before = layers(&[
            ("stable", Value::from("Stable")),
            ("outputs", Value::from("Review")),
            ("errors", Value::from("Error")),
            ("patterns", Value::from("Pattern")),
        ]);
        let recent = layers(&[("layers", before.clone()), ("clear", Value::from("recent"))]);
        assert_eq!(recent.get("stable"), Some(&Value::from("Stable")));
        assert_eq!(list(&recent, "patterns"), ["Pattern"]);
        assert_eq!(list(&recent, "outputs"), [""; 0]);
        assert_eq!(list(&recent, "errors"), [""; 0]);
        let all = layers(&[("layers", before), ("clear", Value::from("all"))]);
        assert_eq!(all, layers(&[]));
    }

    #[test]
    fn layers_survive_being_written_down() {
        let before = layers(&[("stable", Value::from("Stable")), ("outputs", Value::from("Review"))]);
        let written = serde_json::to_string(&before).unwrap();
        let restored: Value = serde_json::from_str(&written).unwrap();
        assert_eq!(layers(&[("layers", restored)]), before);
    }

    #[test]
    fn the_bounds_can_be_said() {
        let bounds = Value::of([
            ("outputs", Value::from("1")),
            ("entry_length", Value::from(3.0)),
            ("total_length", Value::from(30.0)),
        ]);
        let outputs = Value::List(vec![Value::from("one"), Value::from("twenty")]);
        let answer = layers(&[("outputs", outputs), ("bounds", bounds)]);
        assert_eq!(list(&answer, "outputs"), ["twe..."]);
        assert_eq!(text(&answer), "## Recent Review Outputs\ntwe..\n...[truncated]");
    }

    #[test]
    fn a_bound_that_is_no_number_and_an_unknown_clear_are_refused() {
        let bounds = Value::of([("errors", Value::from("many"))]);
        let error = run("context-layers", &[("bounds", bounds)]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`bounds` of built-in `context-layers` must be a map of whole numbers, 0 or more, with the names of its page"
        );
        let error = run("context-layers", &[("clear", Value::from("some"))]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`clear` of built-in `context-layers` must be recent or all"
        );
    }
}
