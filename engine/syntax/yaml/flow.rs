//! A line inside of `[…]` or `{…}` that stands too far left in, the text with that line joined to the one before out.
//!
//! Every common reader of YAML takes such a line, and only the parser behind this door refuses it. A join keeps the place
//! of every letter.

/// The most lines that are joined in one text.
const MAX_JOINS: usize = 64;
/// The most bytes that are read again because of joins.
const MAX_BYTES: usize = 4 << 20;

/// Joins lines, and not without end.
#[derive(Debug, Default)]
pub(super) struct Joins {
    count: usize,
    bytes: usize,
}

impl Joins {
    /// Joins the line that the parser refused at `at`, for a reason of indentation, to the one before.
    pub(super) fn join(&mut self, text: &str, at: usize, reason: &str) -> Option<String> {
        const REFUSALS: &[&str] = &["invalid indentation", "invalid indentation in flow construct"];
        self.count += 1;
        self.bytes += text.len();
        let may = self.count <= MAX_JOINS && self.bytes <= MAX_BYTES;
        let (before, after) = text
            .split_at_checked(at)
            .filter(|_| may && REFUSALS.contains(&reason))?;
        let kept = before.trim_ascii_end();
        let line = &kept[kept.rfind('\n').map_or(0, |end| end + 1)..];
        let is_comment = line.starts_with('#') || line.contains(" #") || line.contains("\t#");
        let gap = before.len() - kept.len();
        (!is_comment && before[kept.len()..].contains('\n')).then(|| format!("{kept}{:gap$}{after}", ""))
    }
}
