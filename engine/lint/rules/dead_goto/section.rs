//! A text and a number in, whether a heading or an item of a list has that number out.

use crate::source::{near_byte, near_either, near_last};
use std::cell::{Cell, OnceCell};

/// What a heading may call a part of a text before its number.
const PARTS: &[&str] = &[
    "step ", "substep ", "stage ", "phase ", "part ", "section ", "task ", "§",
];

/// How many numbers are looked for one by one in a text before it is read through.
const FEW: usize = 8;

/// What the headings and the items of lists of a text begin with.
pub(super) struct Numbers<'t> {
    text: &'t str,
    asked: Cell<usize>,
    /// All of them, where many are asked for.
    all: OnceCell<All<'t>>,
}

/// All that headings and items of lists of a text begin with, in order.
struct All<'t> {
    items: Vec<&'t str>,
    /// In small letters.
    titles: Vec<String>,
}

impl<'t> Numbers<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self {
            text,
            asked: Cell::new(0),
            all: OnceCell::new(),
        }
    }

    /// Says whether an item of a list has the number: `3. Bake`, `- **3)** Bake`.
    pub(super) fn is_listed(&self, label: &str) -> bool {
        match self.is_early() && is_number(label) {
            true => lines_with(self.text, label).any(|line| is_item(line, label)),
            false => self.all.get_or_init(|| All::of(self.text)).is_listed(label),
        }
    }

    /// Says whether a heading, or a line of bold words, has the number: `### 1.2 Bake`, `**Step 3: Bake**`.
    pub(super) fn is_headed(&self, label: &str) -> bool {
        match (self.is_early(), is_number(label)) {
            (true, true) => lines_with(self.text, label).any(|line| is_heading(line, label)),
            (true, false) => {
                let label = label.to_ascii_lowercase();
                marked_lines(self.text).any(|line| is_heading(line, &label))
            }
            (false, _) => self.all.get_or_init(|| All::of(self.text)).is_headed(label),
        }
    }

    /// Says whether few were asked for yet, and counts it.
    fn is_early(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.asked.get() <= FEW
    }
}

/// Says whether a label is a number in digits. What is none is not looked for in the text as it is: it may be written in
/// another case.
fn is_number(label: &str) -> bool {
    !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// Returns the lines of a text that a number stands on.
fn lines_with<'t>(text: &'t str, number: &str) -> impl Iterator<Item = &'t str> {
    let finder = memchr::memmem::Finder::new(number.as_bytes()).into_owned();
    lines_where(text, move |rest| finder.find(rest))
}

/// Returns the lines of a text that have a mark which headings and bold words begin with.
fn marked_lines(text: &str) -> impl Iterator<Item = &str> {
    lines_where(text, |rest| near_either(b'#', b'*', rest))
}

/// Returns the lines of a text in which something is found.
fn lines_where(text: &str, find: impl Fn(&[u8]) -> Option<usize>) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let found = at + find(text.as_bytes().get(at..)?)?;
        let start = near_last(b'\n', &text.as_bytes()[..found]).map_or(0, |last| last + 1);
        let length = near_byte(b'\n', &text.as_bytes()[found..]);
        let end = length.map_or(text.len(), |length| found + length);
        at = end + 1;
        let line = &text[start..end];
        Some(line.strip_suffix('\r').filter(|_| length.is_some()).unwrap_or(line))
    })
}

/// Says whether a line is a heading, or begins with bold words, of that number.
fn is_heading(line: &str, label: &str) -> bool {
    let Some(title) = title(line) else { return false };
    let title = title.to_ascii_lowercase();
    let mut ends = ends(&title);
    ends.any(|end| end.strip_prefix(label).is_some_and(|rest| !goes_on(rest)))
}

/// Returns what a heading, or a line that begins with bold words, says.
fn title(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let is_title = line.starts_with('#') || line.starts_with("**");
    is_title.then(|| line.trim_start_matches(['#', '*', ' ']))
}

/// Returns what a title in small letters begins and ends with.
fn ends(title: &str) -> impl Iterator<Item = &str> {
    [last(title), Some(number(title))].into_iter().flatten()
}

impl<'t> All<'t> {
    fn of(text: &'t str) -> Self {
        let (mut items, mut all) = (Vec::new(), Vec::new());
        for line in text.lines() {
            let bare = bare(line);
            items.extend(bare.contains(['.', ')']).then_some(bare));
            if let Some(title) = title(line).map(str::to_ascii_lowercase) {
                all.extend(ends(&title).map(str::to_owned));
            }
        }
        items.sort_unstable();
        all.sort_unstable();
        Self { items, titles: all }
    }

    fn is_listed(&self, label: &str) -> bool {
        let first = self.items.partition_point(|item| *item < label);
        let mut rests = self.items[first..].iter().map_while(|item| item.strip_prefix(label));
        rests.any(is_behind)
    }

    fn is_headed(&self, label: &str) -> bool {
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
    text.lines().any(|line| is_item(line, label))
}

/// Says whether a line is an item of a list that has the number.
fn is_item(line: &str, label: &str) -> bool {
    bare(line).strip_prefix(label).is_some_and(is_behind)
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
    use super::{All, Numbers};

    fn is_headed(text: &str, label: &str) -> bool {
        let found = Numbers::of(text).is_headed(label);
        assert_eq!(found, All::of(text).is_headed(label), "{text}");
        found
    }

    fn is_listed(text: &str, label: &str) -> bool {
        let found = Numbers::of(text).is_listed(label);
        assert_eq!(found, super::is_listed(text, label));
        assert_eq!(found, All::of(text).is_listed(label), "{text}");
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
    fn any_line_is_looked_at() {
        let text =
            "3\n 33. x 3\r\n# a 3\r\n**Stage 4**\r\n- 5)\r\n\n## é — Step 6\n7.\r\n \u{a0}## B\n* # c\n**\u{a0}\n# D\r";
        for label in [
            "3", "33", "4", "5", "6", "7", "1", "3.", ".", "A", "é", "a 3", "step 6", "", "b", "C", "d",
        ] {
            is_headed(text, label);
            is_listed(text, label);
        }
        assert!(is_headed(text, "4") && is_listed(text, "5") && is_headed(text, "6") && is_listed(text, "7"));
        assert!(is_headed(text, "B") && !is_headed(text, "c") && is_headed(text, "d"));
    }

    #[test]
    fn an_item_of_a_list_has_a_number() {
        assert!(is_listed("a\n  3. Bake", "3") && is_listed("- **3)** Bake", "3"));
        assert!(!is_listed("3.1 Bake\n13. Eat\n3 loaves", "3"));
    }
}
