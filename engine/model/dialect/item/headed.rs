//! A menu in, the condition of the heading that it stands under out: `### If the list is long`, `### Ask (only if it is long)`.

use super::is_answer;
use crate::model::library::Document;
use crate::source::Span;
use crate::syntax::Heading;

/// Returns the words of a heading above a menu that say when it is offered, and the menu behind what they are for, before
/// `end`: who skips the only menu of a step would skip what leads on.
pub(super) fn above(document: &Document, menu: Span, end: u32) -> Option<(&str, Span)> {
    let headings = &document.parsed.markdown.headings;
    let behind = headings.partition_point(|heading| heading.span.start < menu.start);
    let mut level = u8::MAX;
    for (at, heading) in headings[..behind].iter().enumerate().rev() {
        if heading.level >= level {
            continue;
        }
        level = heading.level;
        if let Some(words) = condition(document.source.slice(heading.text)) {
            let until = section_end(&headings[at..]).unwrap_or(end);
            let others = document.menus().menus.iter().map(|other| other.span);
            let mut behind = others.filter(|other| (until..end).contains(&other.start));
            let next = behind.next().filter(|_| !is_answered(document, heading))?;
            return Some((words, next));
        }
    }
    None
}

/// Returns where the section of the first of some headings ends, if another one follows.
fn section_end(headings: &[Heading]) -> Option<u32> {
    let (own, rest) = headings.split_first()?;
    let next = rest.iter().find(|next| next.level <= own.level);
    next.map(|next| next.span.start)
}

/// Says whether a heading is that of an answer to a menu.
fn is_answered(document: &Document, heading: &Heading) -> bool {
    let mut handlers = document.menus().handlers.iter();
    handlers.any(|handler| heading.span.contains(handler.span.inner(0, 0)))
}

/// Returns the condition in a heading; one word, and what names an answer, is none.
fn condition(name: &str) -> Option<&str> {
    let name = name.trim().trim_end_matches([':', '*', '_']);
    let in_parentheses = || name.strip_suffix(')')?.rsplit_once('(').map(|(_, inside)| inside);
    let opened = |words: &'_ str| {
        let words = without(words, "only ").unwrap_or(words);
        without(words, "if ").map(str::len)
    };
    let bare = unnumbered(name);
    let words = match opened(bare) {
        Some(length) => &bare[bare.len() - length..],
        None => {
            let inside = in_parentheses()?.trim();
            &inside[inside.len() - opened(inside)?..]
        }
    };
    let is_quoted = words.starts_with(['\'', '"', '[', '‘', '“']);
    let is_one_word = !words.trim().contains(' ');
    (!is_quoted && !is_one_word && !is_answer(words)).then_some(words)
}

fn without<'t>(words: &'t str, opener: &str) -> Option<&'t str> {
    let (first, rest) = words.split_at_checked(opener.len())?;
    first.eq_ignore_ascii_case(opener).then(|| rest.trim_start())
}

/// Cuts the number or the letter from the start of a heading, and the marks around it: `4. `, `**B)** `.
fn unnumbered(name: &str) -> &str {
    let name = name.trim_start_matches(['*', '_', ' ']);
    let key = name.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let is_key = key < 3 && (key == 1 || name.bytes().take(key).all(|at| at.is_ascii_digit()));
    let counted = name[key..].strip_prefix(['.', ')', ':']).filter(|_| is_key);
    counted.unwrap_or(name).trim_start_matches(['*', '_', ' '])
}

#[cfg(test)]
mod tests {
    use super::condition;

    #[test]
    fn a_heading_says_when_what_stands_under_it_is_for() {
        for (name, words) in [
            ("If the request is simple", "the request is simple"),
            ("4. If **no** draft is there:", "**no** draft is there"),
            ("B) IF it is old", "it is old"),
            ("6. Present the options (Only if Risks Detected)", "Risks Detected"),
            ("Start anew (if no draft is there)", "no draft is there"),
            ("Only if it is old", "it is old"),
        ] {
            assert_eq!(condition(name), Some(words), "{name}");
        }
        for name in [
            "Ask (if needed)",
            "If 'A' (Again):",
            "If [M] or [D]",
            "If user selects it",
            "If C:",
            "Iffy requests come here",
            "What if it is old",
            "Start (a new one)",
            "Ask if it is old",
            "",
            "(",
        ] {
            assert_eq!(condition(name), None, "{name}");
        }
    }
}
