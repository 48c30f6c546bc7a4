//! Orders of a text in; out whether one is for a case of several, or for whoever comes to the end of the text.

use crate::model::{Library, Lift, indent, item};
use crate::source::Span;

/// Words of a heading that make what stands below it one of several things.
const CASES: &[&str] = &[
    "if", "when", "unless", "for", "on", "case", "mode", "option", "rules", "failure",
];

/// How many orders of a text are looked at: whoever writes cases down writes few.
const MOST_ORDERS: usize = 2_000;
/// How many of them may lead elsewhere.
const MOST_CASES: usize = 200;

/// Says whether words stand in an item with a label, of a list in which two such items go elsewhere. Nobody can do both, so
/// each is for its own case.
pub(crate) fn is_one_case<'a>(
    library: &Library,
    words: Span,
    all: impl IntoIterator<Item = &'a Lift>,
    text: Span,
) -> bool {
    let Some(own) = Labelled::around(library, words, text) else {
        return false;
    };
    let leads = |lift: &&Lift| lift.condition.is_none() && (lift.kind.leaves() || lift.kind.followed().is_some());
    let leading: Vec<&Lift> = all.into_iter().take(MOST_ORDERS).filter(leads).collect();
    let is_other = |lift: &&Lift| {
        let found = Labelled::around(library, lift.span, text);
        found.is_some_and(|found| found.list == own.list && found.item != own.item)
    };
    leading.len() <= MOST_CASES && leading.iter().any(is_other)
}

/// Where an item with a label in bold begins, and the list of such items that it is part of, in bytes of a text.
struct Labelled {
    item: usize,
    list: usize,
}

impl Labelled {
    /// Finds the item that some words stand in, on its own line or further in below it.
    fn around(library: &Library, words: Span, text: Span) -> Option<Self> {
        let until = Span {
            end: words.start.max(text.start),
            ..text
        };
        let mut rest = library.slice(until);
        let mut found: Option<(usize, Self)> = None;
        let mut depth = usize::MAX;
        while !rest.is_empty() {
            let start = rest.trim_end_matches('\n').rfind('\n').map_or(0, |end| end + 1);
            let line = &rest[start..];
            rest = &rest[..start];
            if line.trim().is_empty() {
                continue;
            }
            let inner = indent(line);
            match &mut found {
                Some((own, at)) if inner == *own && is_labelled(line) => at.list = start,
                Some((own, _)) if inner > *own => {}
                Some(_) => break,
                None if inner >= depth => {}
                None if is_labelled(line) => {
                    found = Some((
                        inner,
                        Self {
                            item: start,
                            list: start,
                        },
                    ))
                }
                // The words of an item stand further in than its mark.
                None if depth == usize::MAX || item(line).is_some() => depth = inner,
                None => return None,
            }
            if depth == 0 && found.is_none() {
                // Nothing stands further out.
                return None;
            }
        }
        found.map(|(_, at)| at)
    }
}

/// Says whether a line is an item that begins with words in bold. A number says that all of the list is done in order.
fn is_labelled(line: &str) -> bool {
    let said = item(line).filter(|_| line.trim_start().starts_with(['-', '*', '+']));
    let label = said.and_then(|said| said.strip_prefix("**"));
    label.is_some_and(|label| label.contains("**"))
}

/// Says whether words are the last paragraph of a file, and nothing above them says that they are for a case.
pub(super) fn is_last_word(library: &Library, text: Span, words: Span) -> bool {
    let whole = library.source(words.source).text();
    let after = whole.get(words.end as usize..).unwrap_or_default();
    if after.contains(char::is_alphanumeric) {
        return false;
    }
    let before = library.slice(Span {
        end: words.start.max(text.start),
        ..text
    });
    let (above, own) = before.rsplit_once('\n').unwrap_or(("", before));
    let is_alone = own.trim_matches(['*', '_', ' ']).is_empty() && above.ends_with('\n');
    let leads = above.trim_end().trim_end_matches(['*', '_']).ends_with(':');
    let heading = above
        .lines()
        .rev()
        .find(|line| line.starts_with('#'))
        .unwrap_or_default();
    let mut said = heading.split(|at: char| !at.is_alphanumeric());
    let is_for_case = said.any(|word| CASES.iter().any(|case| word.eq_ignore_ascii_case(case)));
    is_alone && !leads && !is_for_case
}
