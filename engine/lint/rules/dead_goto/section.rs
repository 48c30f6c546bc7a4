//! A text and a number in, whether a heading or an item of a list has that number out.

/// What a heading may call a part of a text before its number.
const PARTS: &[&str] = &[
    "step ", "substep ", "stage ", "phase ", "part ", "section ", "task ", "§",
];

/// What the headings and the items of lists of a text begin with, in order.
pub(super) struct Numbers<'t> {
    items: Vec<&'t str>,
    /// In small letters.
    titles: Vec<String>,
}

impl<'t> Numbers<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let (mut items, mut titles) = (Vec::new(), Vec::new());
        for line in text.lines() {
            let bare = bare(line);
            items.extend(bare.contains(['.', ')']).then_some(bare));
            let line = line.trim_start();
            if line.starts_with('#') || line.starts_with("**") {
                let title = line.trim_start_matches(['#', '*', ' ']).to_ascii_lowercase();
                titles.extend(last(&title).map(str::to_owned));
                titles.push(number(&title).to_owned());
            }
        }
        items.sort_unstable();
        titles.sort_unstable();
        Self { items, titles }
    }

    /// Says whether an item of a list has the number: `3. Bake`, `- **3)** Bake`.
    pub(super) fn is_listed(&self, label: &str) -> bool {
        let first = self.items.partition_point(|item| *item < label);
        let mut rests = self.items[first..].iter().map_while(|item| item.strip_prefix(label));
        rests.any(is_behind)
    }

    /// Says whether a heading, or a line of bold words, has the number: `### 1.2 Bake`, `**Step 3: Bake**`.
    pub(super) fn is_headed(&self, label: &str) -> bool {
        let label = label.to_ascii_lowercase();
        let first = self.titles.partition_point(|title| *title < label);
        let mut rests = self.titles[first..]
            .iter()
            .map_while(|title| title.strip_prefix(label.as_str()));
        rests.any(|rest| !goes_on(rest))
    }
}

/// Says whether an item of a list in a short text has the number.
pub(super) fn is_listed(text: &str, label: &str) -> bool {
    let mut rests = text.lines().filter_map(|line| bare(line).strip_prefix(label));
    rests.any(is_behind)
}

/// Returns a line without what marks it as an item.
fn bare(line: &str) -> &str {
    line.trim_start_matches([' ', '\t', '*', '>', '-'])
}

/// Says whether this may stand behind the number of an item.
fn is_behind(rest: &str) -> bool {
    rest.starts_with(['.', ')']) && !goes_on(rest)
}

/// Returns a title without what it calls the part before its number.
fn number(title: &str) -> &str {
    let after = |word: &&str| {
        let head = title.get(..word.len()).filter(|head| head.eq_ignore_ascii_case(word));
        head.and_then(|head| title.get(head.len()..))
    };
    PARTS.iter().find_map(after).unwrap_or(title)
}

/// Returns the number that a title ends with, in small letters: `bake (step 3)`, `bake — step 3`.
fn last(title: &str) -> Option<&str> {
    let parts = ["(step ", "— step ", "– step ", "- step "];
    parts.iter().find_map(|part| Some(title.rsplit_once(part)?.1))
}

/// Says whether the number is only the beginning of a longer one.
fn goes_on(rest: &str) -> bool {
    let behind = rest.strip_prefix('.').unwrap_or("");
    rest.starts_with(char::is_alphanumeric) || behind.starts_with(|letter: char| letter.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::Numbers;

    fn is_headed(text: &str, label: &str) -> bool {
        Numbers::of(text).is_headed(label)
    }

    fn is_listed(text: &str, label: &str) -> bool {
        let found = Numbers::of(text).is_listed(label);
        assert_eq!(found, super::is_listed(text, label));
        found
    }

    #[test]
    fn a_heading_or_bold_words_have_a_number() {
        for line in [
            "### 1.2 Bake",
            "## Step 1.2: Bake",
            "**1.2** Bake",
            "  #### 1.2. Bake",
            "# PHASE 1.2",
            "## Bake (Step 1.2)",
            "**Bake — step 1.2**",
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
