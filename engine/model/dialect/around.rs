//! What stands around a menu: the answers that belong to it, and what is left for an agent.

use crate::model::library::Document;
use crate::model::menu::{self, Handled};
use crate::source::{ByteSet, Source, Span};
use crate::syntax::WordList;

/// Returns the places of the handlers that deal with an option of a menu here, each with the marks around it.
pub(super) fn answers(source: &Source, shown: &[&menu::Menu], handlers: &[&Handled]) -> Vec<Span> {
    let options = || shown.iter().flat_map(|menu| &menu.options);
    let is_chosen = |handler: &&&Handled| {
        handler.any_other && !shown.is_empty() || options().any(|option| menu::handles(handler, option))
    };
    handlers
        .iter()
        .filter(is_chosen)
        .map(|handler| with_marks(source, handler.span))
        .collect()
}

/// Says whether what deals with any other answer is for a menu: both stand in one section, and none further in has a menu
/// beside that answer.
pub(super) fn is_for_any_other(document: &Document, handler: &Handled, menu: &menu::Menu) -> bool {
    let headings = &document.parsed.markdown.headings;
    let menus = &document.menus().menus;
    let above = headings.partition_point(|heading| heading.span.start <= handler.span.start);
    let mut level = None;
    for (at, heading) in headings[..above].iter().enumerate().rev() {
        if level.is_some_and(|level| heading.level >= level) {
            continue;
        }
        level = Some(heading.level);
        let next = headings[at + 1..].iter().find(|next| next.level <= heading.level);
        let end = next.map_or(u32::MAX, |next| next.span.start);
        let section = heading.span.start..end;
        let has = |menu: &menu::Menu| section.contains(&menu.span.start);
        if menus.iter().any(has) {
            return has(menu);
        }
    }
    true
}

/// Widens a place over the marks around it: `- **`, `#### `, quotes, bars, and the number of its item.
pub(super) fn with_marks(source: &Source, span: Span) -> Span {
    let is_mark =
        |at: char| !at.is_alphanumeric() && !matches!(at, '\n' | '.' | ':' | '!' | '?' | '{' | '}' | '<' | '>');
    let text = source.text();
    let (before, after) = (&text[..span.start as usize], &text[span.end as usize..]);
    let start = before.trim_end_matches(is_mark).len();
    let start = number_of_item(before, start).unwrap_or(start);
    let rest = after.trim_start_matches(is_mark);
    let is_quoted = after[..after.len() - rest.len()].contains('"');
    // The full stop behind a quotation ends the sentence that it stands in.
    let rest = rest.strip_prefix(". ").filter(|_| is_quoted).unwrap_or(rest);
    let end = text.len() - rest.len();
    Span {
        start: start as u32,
        end: end as u32,
        ..span
    }
}

/// Returns where the number of an item begins, where nothing but that stands in its line before a place: `4. If Y: …`.
fn number_of_item(before: &str, place: usize) -> Option<usize> {
    let head = before[..place].trim_end_matches(['.', ')']);
    // Most places stand behind no number.
    if !before[head.len()..].starts_with(['.', ')']) || !head.as_bytes().last().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let bare = head.trim_end_matches(|at: char| at.is_ascii_digit());
    let line = bare.rsplit('\n').next().unwrap_or_default();
    line.trim().is_empty().then_some(bare.len())
}

/// Returns what is left of a stretch without some places in it.
pub(super) fn without(span: Span, places: &[Span]) -> Vec<Span> {
    let mut left = Vec::with_capacity(1);
    let mut start = span.start;
    for place in places
        .iter()
        .filter(|place| place.start < span.end && place.end > span.start)
    {
        if place.start > start {
            left.push(Span {
                start,
                end: place.start,
                ..span
            });
        }
        start = start.max(place.end);
    }
    if start < span.end {
        left.push(Span { start, ..span });
    }
    left
}

/// Returns the paragraphs right behind a menu that are for whatever is chosen, before that is done: `Before acting on it, …`.
pub(super) fn before_acting(source: &Source, menu: Span, until: u32) -> Span {
    const OPENINGS: &[&str] = &[
        "before ",
        "in either case",
        "in both cases",
        "in any case",
        "either way",
    ];
    let rest = Span {
        start: menu.end,
        end: until.max(menu.end),
        ..menu
    };
    let text = source.slice(rest);
    let opens = |paragraph: &str| {
        let said = paragraph.trim_start_matches(|at: char| !at.is_alphanumeric());
        let begins = |opening: &&str| {
            said.get(..opening.len())
                .is_some_and(|said| said.eq_ignore_ascii_case(opening))
        };
        paragraph.trim().is_empty() || !paragraph.trim_start().starts_with('#') && OPENINGS.iter().any(begins)
    };
    let told = text.split_inclusive("\n\n").take_while(|paragraph| opens(paragraph));
    rest.inner(0, told.map(str::len).sum())
}

/// What is said of waiting, and nothing else.
static WAITING: WordList = WordList::new(&[
    "halt",
    "stop",
    "and",
    "wait",
    "await",
    "for",
    "the",
    "user",
    "user's",
    "human",
    "their",
    "an",
    "answer",
    "choice",
    "input",
    "response",
    "reply",
    "selection",
    "here",
    "to",
    "select",
    "choose",
    "always",
    "then",
    "before",
    "proceeding",
    "continuing",
]);

/// What the last byte of a line is that leads to something, with what may stand behind its colon.
static LEADING: ByteSet = ByteSet::of(b":? \t\n\x0b\x0c\r*_\"").and_wide();

/// Says whether what is left around a menu says more than what its headings are called, and to wait as the engine does.
pub(super) fn says(text: &str) -> bool {
    let is_word = |at: char| at.is_alphanumeric() || at == '\'';
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).enumerate();
    let is_lead = |at: usize, line: &str| {
        if line.trim_start().starts_with('#') {
            return true;
        }
        if !line.bytes().next_back().is_some_and(|last| LEADING.has(last)) {
            return false;
        }
        let bare = line.trim_end_matches(|at: char| at.is_whitespace() || matches!(at, '*' | '_' | '"' | '”'));
        // What leads to a list says nothing without it, and the question right behind a menu is that of the menu.
        bare.ends_with(':') || at == 0 && bare.ends_with('?')
    };
    lines.any(|(at, line)| {
        if is_lead(at, line) {
            return false;
        }
        let mut words = line.split(|at| !is_word(at)).filter(|word| !word.is_empty());
        words.any(|word| !WAITING.has(word))
    })
}

#[cfg(test)]
mod tests {
    use super::number_of_item;

    #[test]
    fn the_number_of_an_item_stands_alone_before_a_place() {
        for (before, begins) in [
            ("4. ", Some(0)),
            ("a\n  12) ", Some(4)),
            ("é\n3.", Some(3)),
            ("3", None),
            (".", None),
            ("", None),
            ("a 3. ", None),
            ("v.", None),
            ("é. ", None),
        ] {
            assert_eq!(number_of_item(before, before.trim_end().len()), begins, "{before:?}");
        }
    }
}
