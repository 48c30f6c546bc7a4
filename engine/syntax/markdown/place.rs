//! Text in, where its lines stand out.

use crate::syntax::breaks::line_break;

/// Where a line stands: its text, and where the next line starts. The line break, `\n` or `\r\n`, belongs to none.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) next: usize,
}

impl Place {
    /// Finds the line that begins at `start`; at the end of the text there is none.
    #[inline(always)]
    pub(super) fn of(bytes: &[u8], start: usize) -> Option<Place> {
        // Every other line is empty.
        let end = match bytes.get(start)? {
            b'\n' => start,
            _ => line_break(bytes, start),
        };
        let is_return = end > start && bytes.get(end - 1) == Some(&b'\r');
        Some(Place {
            start,
            end: end - usize::from(is_return),
            next: (end + 1).min(bytes.len()),
        })
    }
}
