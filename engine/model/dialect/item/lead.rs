//! A menu at the margin in, the condition of the line above that leads to it out: `If a draft is found:`.

use super::{FAR, OPEN, indent, is_answer, item, line_start, said};
use crate::model::condition::is_otherwise;
use crate::source::ByteSet;

/// Returns the condition of the line that leads to a menu at the margin: `If a draft is found:`. Between them stand lists,
/// what is shown, and what leads to that; other words make it a menu of its own.
pub(super) fn lead(text: &str, start: usize) -> Option<&str> {
    let mut end = start;
    for _ in 0..FAR {
        end = end.checked_sub(1)?;
        let from = line_start(text, end);
        let line = &text[from..end];
        if may_lead(line.as_bytes()) {
            let bare = bare(line);
            if line.starts_with('#') || is_otherwise(bare.trim_end_matches(':')) {
                return None;
            }
            if !bare.is_empty()
                && let Some(words) = said(line)
            {
                return Some(words).filter(|words| !is_answer(words) && !is_apart(&text[end + 1..start]));
            }
        }
        end = from;
    }
    None
}

/// Says whether words between a line and a menu make that a menu of its own; the first of them that are no list say it.
fn is_apart(between: &str) -> bool {
    let at_margin = between.split('\n').filter(|line| indent(line) == 0);
    for line in at_margin {
        let bare = bare(line);
        if bare.starts_with(['"', '“', '>']) || bare.contains(": \"") || bare.starts_with("```") {
            return false;
        }
        if !bare.is_empty() && item(line).is_none() && !bare.ends_with(':') {
            return true;
        }
    }
    false
}

fn bare(line: &str) -> &str {
    line.trim().trim_matches(['*', '_'])
}

/// Says whether a line may be a heading, say otherwise or lead to what stands below it, as few do.
fn may_lead(line: &[u8]) -> bool {
    let (Some(first), Some(last)) = (line.first(), line.last()) else {
        return false;
    };
    let is_other = || OTHERWISE.has(*first) && matches!(last, b',' | b'e' | b'E' | b't' | b'T');
    !matches!(first, b' ' | b'\t') && (*first == b'#' || OPEN.has(*last) || is_other())
}

/// What the first byte of a line is that says otherwise: a letter of such words, or what may stand before them.
static OTHERWISE: ByteSet = ByteSet::of(b"oOeEiI*_ \t\n\x0b\x0c\r").and_wide();

#[cfg(test)]
mod tests {
    use super::super::leading;
    use super::{bare, is_otherwise, may_lead, said};

    #[test]
    fn only_lines_that_may_lead_to_a_menu_do() {
        let begins = ["", "#", "- ", "**", "_", "{", "\u{a0}", "\r", "é", "1) "];
        let words = [
            "",
            "If one is found",
            "Else",
            "if not",
            "OTHERWISE",
            "Look. When it is so",
        ];
        let ends = [
            "", ":", ".", ":**", ": ", ":\r", ",", ":,", ":}", ":\u{a0}", " → Go", "é", "::",
        ];
        for (begin, word) in begins.iter().flat_map(|begin| words.map(|word| (begin, word))) {
            for line in ends.map(|end| [*begin, word, end].concat()) {
                assert_eq!(said(&line), leading(&line), "{line}");
                let other = is_otherwise(bare(&line).trim_end_matches(':'));
                let leads = line.starts_with('#') || other || said(&line).is_some();
                assert!(may_lead(line.as_bytes()) || !leads, "{line}");
            }
        }
    }
}
