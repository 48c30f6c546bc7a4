//! A row without marks in, whether it surely has no part in a menu out: most have none.

use super::answer;
use super::page::{Page, Row};
use crate::syntax::LineKind;

/// Says whether an open row without marks surely has no part in a menu, as most: it begins with a word that begins no
/// answer and no number, maybe behind the mark of an item below another item that is set in as far or farther, or of bold
/// text where no menu is answered.
#[inline]
pub(super) fn says_nothing(page: Page<'_>, index: usize, offers_nothing: bool) -> bool {
    let text = page.source.text().as_bytes();
    let line = |at: usize| &text[page.lines[at].range()];
    let above = || index.checked_sub(1).and_then(|above| item(line(above)));
    let own = line(index);
    let said = match (own, own.first()) {
        (_, Some(b'-' | b' ')) => match item(own) {
            Some((indent, said)) if above().is_some_and(|(above, _)| above >= indent) => said,
            Some(_) | None => return false,
        },
        (said, _) => said,
    };
    let said = match said {
        [b'*', b'*', bold @ ..] if offers_nothing => bold,
        said => said,
    };
    begins_no_answer(said)
}

/// Says whether a row without marks is an item that surely says nothing of answers, as most: it may only begin a list.
#[inline]
pub(super) fn only_lists(row: &Row<'_>) -> bool {
    let says_nothing = |said: &[u8]| said.get(1) != Some(&b':') && begins_no_answer(said);
    !row.is_heading() && item(row.text.as_bytes()).is_some_and(|(_, said)| says_nothing(said))
}

/// Says whether a text surely begins no answer, whatever is offered.
#[inline]
fn begins_no_answer(said: &[u8]) -> bool {
    match said {
        [first, second, ..] if first.is_ascii_alphabetic() => {
            !matches!(second, b')' | b'.' | b':') && !answer::may_begin(said)
        }
        // Some marks of other scripts are cut from the start of a line; the pictures that many begin with are not.
        [0xe2, second, ..] => !matches!(second, 0x80 | 0x81),
        [b'<' | b'{' | 0xf0, ..] => true,
        _ => false,
    }
}

/// Says whether a row without marks is a heading that surely begins no answer, as most.
#[inline]
pub(super) fn only_heads(page: Page<'_>, index: usize) -> bool {
    let line = &page.lines[index];
    let text = &page.source.text().as_bytes()[line.range()];
    let level = text.iter().take_while(|byte| **byte == b'#').count();
    match text[level..] {
        [b' ', ref said @ ..] if matches!(line.kind, LineKind::Heading(_)) => {
            // `Option 1` is one.
            let says = |first: &u8| first.is_ascii_alphabetic() && !matches!(first, b'o' | b'O');
            said.first().is_some_and(says) && !answer::may_begin(said)
        }
        _ => false,
    }
}

/// Returns how far an item with the plainest mark is set in, and what it says.
#[inline]
fn item(line: &[u8]) -> Option<(usize, &[u8])> {
    let indent = line.iter().take_while(|byte| **byte == b' ').count();
    match &line[indent..] {
        [b'-', b' ', said @ ..] => Some((indent, said)),
        _ => None,
    }
}
