//! Any text in, a name that is safe in a path out.

use super::{Arguments, Builtin, BuiltinError, Value, required};

pub(super) const SLUG: Builtin = Builtin {
    name: "slug",
    parameters: &[required("text", "any text")],
    returns: "the name, as text",
    summary: "turns text into a name that is safe in a path",
    page: include_str!("../../spec/builtins/slug.md"),
    body: Some(slug),
};

/// The longest name, in characters.
const LONGEST: usize = 80;

fn slug(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let text = arguments.get("text").to_string();
    let mut name = String::new();
    let mut length = 0;
    let mut gap = false;
    for character in text.chars().flat_map(char::to_lowercase) {
        if !character.is_alphanumeric() {
            gap = true;
            continue;
        }
        let separator = gap && length > 0;
        gap = false;
        if length + 1 + usize::from(separator) > LONGEST {
            break;
        }
        if separator {
            name.push('-');
            length += 1;
        }
        name.push(character);
        length += 1;
    }
    if name.is_empty() {
        name.push_str("unnamed");
    }
    Ok(Value::Text(name))
}

#[cfg(test)]
mod tests {
    use crate::builtins::{Value, run};

    fn slug(text: &str) -> String {
        run("slug", &[("text", Value::from(text))]).unwrap().to_string()
    }

    #[test]
    fn a_heading_becomes_a_file_name() {
        assert_eq!(slug("Functional Requirements (v2)"), "functional-requirements-v2");
    }

    #[test]
    fn nothing_of_a_path_survives() {
        assert_eq!(slug("../../etc/passwd"), "etc-passwd");
        assert_eq!(slug("C:\\temp\\x.md"), "c-temp-x-md");
    }

    #[test]
    fn letters_of_any_script_are_kept() {
        assert_eq!(slug("Übersicht — 要件"), "übersicht-要件");
    }

    #[test]
    fn text_with_nothing_to_keep_has_a_name_all_the_same() {
        assert_eq!(slug("¿…?"), "unnamed");
        assert_eq!(slug(""), "unnamed");
    }

    #[test]
    fn a_long_name_ends_at_eighty_characters_and_not_with_a_hyphen() {
        assert_eq!(slug(&"ä".repeat(200)).chars().count(), 80);
        let words = slug(&format!("{} b", "a".repeat(79)));
        assert_eq!(words, "a".repeat(79));
    }
}
