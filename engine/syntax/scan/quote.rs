//! Where a quoted value ends, when quotes may stand inside it and the last one may be missing.

use super::is_name;
use crate::source::near_places;
use crate::syntax::tag::Tag;

/// Finds the ends of quoted values.
pub(super) struct Quotes<'s> {
    text: &'s str,
    end: usize,
    double: Known,
    single: Known,
}

/// The last answer for one kind of quote: no end stands between `from` and `found`.
///
/// Whether a quote is an end does not depend on where the value starts, so the answer holds for
/// every start between the two, and values that come to nothing are not searched again.
#[derive(Default)]
struct Known {
    from: usize,
    found: Option<usize>,
    is_set: bool,
}

impl<'s> Quotes<'s> {
    pub(super) fn new(text: &'s str) -> Self {
        Self {
            text,
            end: 0,
            double: Known::default(),
            single: Known::default(),
        }
    }

    /// Sets where the part that is scanned ends.
    pub(super) fn limit(&mut self, end: usize) {
        self.end = end;
        self.double = Known::default();
        self.single = Known::default();
    }

    /// Returns where the value that starts at `start` ends, or where to go on when it has no end.
    pub(super) fn end_of(&mut self, start: usize, quote: u8) -> Result<usize, usize> {
        let end = self.find(start, quote).ok_or(start)?;
        match self.tag_line(start, end) {
            Some(tag) => Err(tag),
            None => Ok(end),
        }
    }

    /// Finds the first quote that a tag can go on after.
    fn find(&mut self, start: usize, quote: u8) -> Option<usize> {
        let known = if quote == b'"' { &self.double } else { &self.single };
        if known.is_set && known.from <= start && known.found.is_none_or(|found| start <= found) {
            return known.found;
        }
        let part = self.text.as_bytes().get(start..self.end)?;
        let mut quotes = near_places(quote, part);
        let found = quotes.find(|at| can_follow(&part[at + 1..])).map(|at| start + at);
        let known = if quote == b'"' {
            &mut self.double
        } else {
            &mut self.single
        };
        *known = Known {
            from: start,
            found,
            is_set: true,
        };
        found
    }

    /// Finds a line inside a value that starts with a tag: then the quote before it was forgotten.
    fn tag_line(&self, start: usize, end: usize) -> Option<usize> {
        let value = self.text.as_bytes().get(start..end)?;
        near_places(b'\n', value).find_map(|at| {
            let line = &value[at + 1..];
            let indent = line.iter().position(|byte| !matches!(byte, b' ' | b'\t'))?;
            let tag = start + at + 1 + indent;
            starts_with_tag(self.text.get(tag..end)?).then_some(tag)
        })
    }
}

/// Says whether a tag can go on with `rest` after the quote that ends a value.
fn can_follow(rest: &[u8]) -> bool {
    let spaces = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    match &rest[spaces..] {
        [b'>', ..] | [b'/', b'>', ..] => true,
        next if spaces > 0 => {
            let name = next.iter().take_while(|byte| is_name(**byte)).count();
            let after = next[name..].iter().find(|byte| !byte.is_ascii_whitespace());
            name > 0 && after == Some(&b'=')
        }
        _ => false,
    }
}

fn starts_with_tag(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('<') else {
        return false;
    };
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let length = rest.bytes().position(|byte| !is_name(byte)).unwrap_or(rest.len());
    rest.get(..length).and_then(Tag::named).is_some()
}
