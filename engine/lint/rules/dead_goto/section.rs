//! A text and a number in, whether a heading or an item of a list has that number out.

/// What a heading may call a part of a text before its number.
const PARTS: &[&str] = &[
    "step ", "substep ", "stage ", "phase ", "part ", "section ", "task ", "§",
];

/// Says whether an item of a list has the number: `3. Bake`, `- **3)** Bake`.
pub(super) fn is_listed(text: &str, label: &str) -> bool {
    text.lines().any(|line| {
        let bare = line.trim_start_matches([' ', '\t', '*', '>', '-']);
        let rest = bare.strip_prefix(label);
        rest.is_some_and(|rest| rest.starts_with(['.', ')']) && !goes_on(rest))
    })
}

/// Says whether a heading, or a line of bold words, has the number: `### 1.2 Bake`, `**Step 3: Bake**`.
pub(super) fn is_headed(text: &str, label: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start();
        let is_heading = line.starts_with('#') || line.starts_with("**");
        is_heading && is_numbered(line.trim_start_matches(['#', '*', ' ']), label)
    })
}

fn is_numbered(title: &str, label: &str) -> bool {
    let after = |word: &&str| {
        let head = title.get(..word.len()).filter(|head| head.eq_ignore_ascii_case(word));
        head.and_then(|head| title.get(head.len()..))
    };
    let number = PARTS.iter().find_map(after).unwrap_or(title);
    let rest = number
        .get(..label.len())
        .filter(|head| head.eq_ignore_ascii_case(label));
    let rest = rest.and_then(|head| number.get(head.len()..));
    rest.is_some_and(|rest| !goes_on(rest))
}

/// Says whether the number is only the beginning of a longer one.
fn goes_on(rest: &str) -> bool {
    let behind = rest.strip_prefix('.').unwrap_or("");
    rest.starts_with(char::is_alphanumeric) || behind.starts_with(|letter: char| letter.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{is_headed, is_listed};

    #[test]
    fn a_heading_or_bold_words_have_a_number() {
        for line in [
            "### 1.2 Bake",
            "## Step 1.2: Bake",
            "**1.2** Bake",
            "  #### 1.2. Bake",
            "# PHASE 1.2",
        ] {
            assert!(is_headed(line, "1.2"), "{line}");
        }
        for line in [
            "### 1.20 Bake",
            "1.2 Bake",
            "## Bake 1.2",
            "### 1.2.3 Bake",
            "### 11.2 Bake",
        ] {
            assert!(!is_headed(line, "1.2"), "{line}");
        }
    }

    #[test]
    fn an_item_of_a_list_has_a_number() {
        assert!(is_listed("a\n  3. Bake", "3") && is_listed("- **3)** Bake", "3"));
        assert!(!is_listed("3.1 Bake\n13. Eat\n3 loaves", "3"));
    }
}
