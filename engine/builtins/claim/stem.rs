//! A word in, its stem out: the same for all its forms, not always a word itself.

/// Words that look like forms of another one and are not.
const WHOLE: &[&str] = &[
    "address",
    "responsible",
    "responsibility",
    "process",
    "access",
    "always",
    "during",
    "nothing",
    "anything",
    "string",
    "less",
    "status",
    "bus",
    "class",
    "pass",
    "loss",
    "need",
    "speed",
    "feed",
    "embed",
    "red",
    "bed",
    "this",
    "thus",
    "us",
    "is",
    "as",
    "was",
    "has",
    "its",
    "his",
    "yes",
    "news",
];

/// Returns the stem of a word in lower case.
pub(super) fn stem(word: &str) -> String {
    let word = word.trim_end_matches("'s").trim_end_matches('\'');
    if word.len() < 4 || WHOLE.contains(&word) || !word.is_ascii() {
        return word.to_owned();
    }
    let word = match word.strip_suffix("our").filter(|rest| rest.len() > 2) {
        Some(rest) => format!("{rest}or"),
        None => singular(word),
    };
    let word = verb(&word);
    let word = noun(&word);
    let word = word.strip_suffix('e').filter(|rest| rest.len() > 2).unwrap_or(&word);
    match word.strip_suffix('y') {
        Some(rest) if rest.len() > 2 && !rest.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{rest}i"),
        _ => word.to_owned(),
    }
}

fn singular(word: &str) -> String {
    if let Some(rest) = word.strip_suffix("ies").filter(|rest| rest.len() > 1) {
        return format!("{rest}y");
    }
    let hissing = ["sses", "shes", "ches", "xes", "zes"];
    if hissing.iter().any(|end| word.ends_with(end)) {
        return word.strip_suffix("es").unwrap_or(word).to_owned();
    }
    match word.strip_suffix('s') {
        Some(rest) if !rest.ends_with(['s', 'u', 'i']) => rest.to_owned(),
        _ => word.to_owned(),
    }
}

fn verb(word: &str) -> String {
    if WHOLE.contains(&word) {
        return word.to_owned();
    }
    if let Some(rest) = word.strip_suffix("ied").filter(|rest| rest.len() > 1) {
        return format!("{rest}y");
    }
    for end in ["ing", "edly", "ed"] {
        let Some(rest) = word.strip_suffix(end) else { continue };
        if rest.len() < 2 || !rest.contains(['a', 'e', 'i', 'o', 'u', 'y']) {
            return word.to_owned();
        }
        return single(rest);
    }
    word.to_owned()
}

/// Takes one of two equal consonants at the end away: `stopp` is `stop`.
fn single(word: &str) -> String {
    let mut ends = word.chars().rev();
    match (ends.next(), ends.next()) {
        (Some(last), Some(before)) if last == before && !"aeiouls".contains(last) && word.len() > 3 => {
            word.get(..word.len() - 1).unwrap_or(word).to_owned()
        }
        _ => word.to_owned(),
    }
}

fn noun(word: &str) -> String {
    const ENDS: &[(&str, usize)] = &[
        ("ization", 3),
        ("isation", 3),
        ("ation", 5),
        ("ition", 3),
        ("ution", 4),
        ("ment", 4),
        ("ness", 3),
        ("ally", 4),
        ("ably", 3),
        ("ibly", 3),
        ("able", 4),
        ("ible", 4),
        ("ize", 4),
        ("ise", 4),
        ("iz", 4),
        ("ion", 4),
        ("ate", 5),
        ("at", 5),
        ("ly", 4),
    ];
    for (end, least) in ENDS {
        if let Some(rest) = word.strip_suffix(end).filter(|rest| rest.len() >= *least) {
            return rest.to_owned();
        }
    }
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn all_forms_of_a_word_have_one_stem() {
        for forms in [
            &["retry", "retries", "retried", "retrying"][..],
            &["define", "defines", "defined", "defining", "definition"],
            &["validate", "validates", "validated", "validation"],
            &["stop", "stops", "stopped", "stopping"],
            &["create", "created", "creation"],
            &["delete", "deleted", "deletes", "deletion"],
            &["authenticate", "authenticated", "authentication"],
            &["require", "required", "requirement", "requirements"],
            &["save", "saves", "saved", "saving"],
            &["expire", "expires", "expired"],
        ] {
            let stems: Vec<String> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.iter().all(|each| *each == stems[0]), "{stems:?}");
        }
    }

    #[test]
    fn different_words_stay_different() {
        for (one, other) in [
            ("user", "use"),
            ("process", "proceed"),
            ("address", "add"),
            ("status", "state"),
            ("string", "str"),
        ] {
            assert_ne!(stem(one), stem(other));
        }
    }

    #[test]
    fn short_and_foreign_words_are_left_alone() {
        assert_eq!(stem("api"), "api");
        assert_eq!(stem("prüfungen"), "prüfungen");
        assert_eq!(stem(""), "");
    }
}
