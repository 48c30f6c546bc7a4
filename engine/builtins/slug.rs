//! Any text in, a name that is safe in a path out.

use super::{Arguments, Builtin, BuiltinError, Value, required};
use crate::source::sha256;

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

/// The longest name, in bytes: with what is put behind it, it is still the name of a file.
const MOST_BYTES: usize = 160;

/// How many digits of its hash tell a text from others that begin alike.
const DIGITS: usize = 8;

fn slug(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let text = arguments.get("text").to_string();
    let name = whole(&text);
    if name.is_empty() {
        return Ok(Value::from("unnamed"));
    }
    if fits(&name, 0) {
        return Ok(Value::Text(name));
    }
    // What two long texts differ in may be cut off.
    let digits = sha256(text.as_bytes());
    let digits = &digits[..DIGITS];
    let end = name
        .char_indices()
        .map(|(at, _)| at)
        .take_while(|end| fits(&name[..*end], DIGITS + 1))
        .last();
    let start = name[..end.unwrap_or(0)].trim_end_matches('-');
    Ok(Value::Text(format!("{start}-{digits}")))
}

/// Turns a text into a name, however long.
fn whole(text: &str) -> String {
    let mut name = String::new();
    let mut gap = false;
    for character in text.chars().flat_map(char::to_lowercase) {
        if !character.is_alphanumeric() {
            gap = true;
            continue;
        }
        if std::mem::take(&mut gap) && !name.is_empty() {
            name.push('-');
        }
        name.push(character);
    }
    name
}

/// Says whether a name is short enough, with some more bytes behind it.
fn fits(name: &str, more: usize) -> bool {
    name.len() + more <= MOST_BYTES && name.chars().count() + more <= LONGEST
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
    fn a_long_name_is_cut_and_told_from_others_that_begin_alike() {
        let exact = "a".repeat(80);
        assert_eq!(slug(&exact), exact);
        let folder = "docs/decisions/2026/platform/services/authentication-and-authorization/records";
        let (one, two) = (slug(&format!("{folder}/adr-1.md")), slug(&format!("{folder}/adr-2.md")));
        assert_ne!(one, two);
        assert_eq!(one.get(..70), two.get(..70));
        assert!((75..=80).contains(&one.len()), "{one}");
        let words = slug(&format!("{} bb", "a".repeat(70)).repeat(2));
        assert!(
            words.starts_with(&format!("{}-", "a".repeat(70))) && !words.contains("--"),
            "{words}"
        );
    }

    #[test]
    fn a_name_is_that_of_a_file_in_any_script() {
        for letter in ["ä", "要", "𝒜"] {
            let name = slug(&letter.repeat(200));
            assert!(name.len() <= 160 && name.chars().count() <= 80, "{name}");
            assert!(name.starts_with(letter), "{name}");
        }
    }
}
