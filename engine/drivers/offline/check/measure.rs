//! Text in, numbers with their units out: `30 s`, `1.5 GB`, `at most 3 retries`.

/// A number with its unit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Measure {
    /// How much, in the smallest unit of its kind.
    pub(super) amount: f64,
    /// What is counted; only measures of the same kind can be compared.
    pub(super) kind: String,
    pub(super) bound: Bound,
    /// How many bytes it takes, bound included.
    pub(super) length: usize,
    /// The number and the unit as they are written.
    pub(super) written: String,
}

/// What a number limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Bound {
    Exactly,
    AtMost,
    AtLeast,
}

/// Words before a number that make it a limit.
const BOUNDS: &[(&str, Bound)] = &[
    ("at most ", Bound::AtMost),
    ("no more than ", Bound::AtMost),
    ("not more than ", Bound::AtMost),
    ("up to ", Bound::AtMost),
    ("less than ", Bound::AtMost),
    ("fewer than ", Bound::AtMost),
    ("under ", Bound::AtMost),
    ("below ", Bound::AtMost),
    ("within ", Bound::AtMost),
    ("a maximum of ", Bound::AtMost),
    ("<=", Bound::AtMost),
    ("≤", Bound::AtMost),
    ("<", Bound::AtMost),
    ("at least ", Bound::AtLeast),
    ("no less than ", Bound::AtLeast),
    ("more than ", Bound::AtLeast),
    ("over ", Bound::AtLeast),
    ("a minimum of ", Bound::AtLeast),
    (">=", Bound::AtLeast),
    ("≥", Bound::AtLeast),
    (">", Bound::AtLeast),
    ("exactly ", Bound::Exactly),
];

/// Units, the kind each belongs to, and how many of the smallest it is.
const UNITS: &[(&str, &str, f64)] = &[
    ("ms", "time", 1.0),
    ("millisecond", "time", 1.0),
    ("milliseconds", "time", 1.0),
    ("s", "time", 1e3),
    ("sec", "time", 1e3),
    ("secs", "time", 1e3),
    ("second", "time", 1e3),
    ("seconds", "time", 1e3),
    ("min", "time", 6e4),
    ("mins", "time", 6e4),
    ("minute", "time", 6e4),
    ("minutes", "time", 6e4),
    ("h", "time", 36e5),
    ("hour", "time", 36e5),
    ("hours", "time", 36e5),
    ("day", "time", 864e5),
    ("days", "time", 864e5),
    ("week", "time", 6048e5),
    ("weeks", "time", 6048e5),
    ("month", "months", 1.0),
    ("months", "months", 1.0),
    ("year", "months", 12.0),
    ("years", "months", 12.0),
    ("b", "size", 1.0),
    ("bytes", "size", 1.0),
    ("kb", "size", 1e3),
    ("kib", "size", 1e3),
    ("mb", "size", 1e6),
    ("mib", "size", 1e6),
    ("gb", "size", 1e9),
    ("gib", "size", 1e9),
    ("tb", "size", 1e12),
    ("%", "share", 1.0),
    ("percent", "share", 1.0),
    ("px", "length", 1.0),
    ("pixels", "length", 1.0),
];

/// Things that are counted.
const COUNTED: &[&str] = &[
    "retries",
    "attempts",
    "users",
    "items",
    "characters",
    "connections",
    "requests",
    "records",
    "rows",
    "entries",
    "files",
    "pages",
    "tokens",
    "messages",
    "workers",
    "threads",
    "replicas",
    "instances",
    "nodes",
    "devices",
    "points",
    "members",
    "seats",
    "sessions",
    "events",
    "jobs",
    "lines",
    "words",
    "digits",
    "tries",
    "rounds",
    "versions",
];

/// The longest measure.
const LONGEST: usize = 100;

/// Reads a measure at the start of a text; none where it is a range, a guess or has no unit.
pub(super) fn measure(text: &str) -> Option<Measure> {
    let text = &text[..text.floor_char_boundary(LONGEST.min(text.len()))];
    let lower = text.to_ascii_lowercase();
    let bound = BOUNDS.iter().find(|(words, _)| lower.starts_with(words));
    let (skipped, bound) = bound.map_or((0, Bound::Exactly), |(words, bound)| (words.len(), *bound));
    let rest = lower.get(skipped..)?;
    let start = skipped + rest.len() - rest.trim_start().len();
    let (amount, digits) = number(lower.get(start..)?)?;
    let after = lower.get(start + digits..)?;
    let gap = after.len() - after.trim_start_matches([' ', '-']).len();
    if gap > 1 {
        return None;
    }
    let unit = unit(&after[gap..])?;
    let (kind, factor) = match UNITS.iter().find(|(name, _, _)| *name == unit) {
        Some((_, kind, factor)) => ((*kind).to_owned(), *factor),
        None => (COUNTED.iter().find(|name| **name == unit)?.to_string(), 1.0),
    };
    let end = start + digits + gap + unit.len();
    let (kind, end) = match rate(lower.get(end..)?) {
        Some((per, length)) => (format!("{kind} per {per}"), end + length),
        None => (kind, end),
    };
    Some(Measure {
        amount: amount * factor,
        kind,
        bound,
        length: end,
        written: text.get(start..end)?.to_owned(),
    })
}

/// Reads `30`, `1,000` and `99.9`; none where it goes on as a range or a version.
fn number(text: &str) -> Option<(f64, usize)> {
    let length = text
        .bytes()
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','))
        .count();
    let digits = text[..length].trim_end_matches(['.', ',']);
    if !digits.starts_with(|each: char| each.is_ascii_digit()) || digits.matches('.').count() > 1 {
        return None;
    }
    let is_grouped = digits
        .split(',')
        .skip(1)
        .all(|group| group.split('.').next().is_some_and(|part| part.len() == 3));
    let amount = digits.replace(',', "").parse().ok()?;
    is_grouped.then_some((amount, digits.len()))
}

fn unit(text: &str) -> Option<&str> {
    if text.starts_with('%') {
        return Some("%");
    }
    let length = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let after = text[length..].chars().next().unwrap_or(' ');
    let is_whole = length > 0 && !after.is_alphanumeric() && after != '_';
    is_whole.then(|| &text[..length])
}

/// Reads `per second` and `/min`.
fn rate(text: &str) -> Option<(String, usize)> {
    let from = text.strip_prefix(" per ").or_else(|| text.strip_prefix('/'))?;
    let length = from.bytes().take_while(u8::is_ascii_alphabetic).count();
    (length > 0).then(|| (from[..length].to_owned(), text.len() - from.len() + length))
}

#[cfg(test)]
mod tests {
    use super::{Bound, measure};

    fn read(text: &str) -> Option<(f64, String, Bound, String)> {
        let found = measure(text)?;
        Some((found.amount, found.kind, found.bound, found.written))
    }

    #[test]
    fn numbers_with_units_are_read() {
        let exactly = |amount: f64, kind: &str, written: &str| {
            Some((amount, kind.to_owned(), Bound::Exactly, written.to_owned()))
        };
        assert_eq!(read("30 s, then"), exactly(30e3, "time", "30 s"));
        assert_eq!(read("2 minutes"), exactly(120e3, "time", "2 minutes"));
        assert_eq!(read("1,000 users"), exactly(1000.0, "users", "1,000 users"));
        assert_eq!(read("99.9% of"), exactly(99.9, "share", "99.9%"));
        assert_eq!(read("1.5 GB."), exactly(1.5e9, "size", "1.5 GB"));
        assert_eq!(
            read("100 requests per minute"),
            exactly(100.0, "requests per minute", "100 requests per minute")
        );
    }

    #[test]
    fn limits_are_told_from_values() {
        assert_eq!(read("at most 3 retries").map(|it| it.2), Some(Bound::AtMost));
        assert_eq!(read("< 200 ms").map(|it| it.2), Some(Bound::AtMost));
        assert_eq!(read("at least 8 characters").map(|it| it.2), Some(Bound::AtLeast));
    }

    #[test]
    fn ranges_versions_and_bare_numbers_are_none() {
        for text in ["30", "10-20 s", "1.2.3 s", "5,10 s", "30 stars", "about 30 s", "30  s"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
