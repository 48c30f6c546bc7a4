//! Sections that say what a word in capitals stands for in, the words and what they mean out: `To HALT with a status: …`.
//!
//! Nobody carries such a section out where it stands; whoever is told the word is told what it means.

use super::around::without;
use super::prose::plain_label;
use crate::model::library::{Document, Library};
use crate::model::role::worded_label;
use crate::model::workflow::Term;
use crate::source::{ByteSet, ProjectPath, Span};
use crate::syntax::{Heading, says};

/// The fewest letters of a word that is written in capitals to stand out.
const SHORTEST: usize = 3;

/// Finds the sections of a file that say how something is done whose name is written in capitals: one that the heading names,
/// and that a file in the folder of the workflow speaks of. Any other section is work.
pub(super) fn read(library: &Library, document: &Document, home: &ProjectPath) -> Vec<Term> {
    let source = &document.source;
    let headings = &document.parsed.markdown.headings;
    let mut found: Vec<Term> = Vec::new();
    for (at, heading) in headings.iter().enumerate() {
        let below = &source.text()[heading.span.end as usize..];
        if !may_define(below) || found.last().is_some_and(|last| last.span.contains(heading.span)) {
            continue;
        }
        let first = below.lines().find(|line| !line.trim().is_empty());
        let Some(word) = first
            .and_then(defined)
            .filter(|word| says(source.slice(heading.text), word))
        else {
            continue;
        };
        let Some(span) = section(document, at) else {
            continue;
        };
        if is_said(library, home, word, span) {
            found.push(Term {
                word: word.to_owned(),
                span,
            });
        }
    }
    found
}

/// Returns the place of the section below a heading: none where it holds a step, or is all that a file says.
fn section(document: &Document, at: usize) -> Option<Span> {
    let source = &document.source;
    let body = document.body();
    let headings = &document.parsed.markdown.headings;
    let heading = &headings[at];
    let rest = &headings[at + 1..];
    let inner = rest.iter().take_while(|other| other.level > heading.level).count();
    let is_step = |heading: &Heading| {
        let text = source.slice(heading.text);
        worded_label(text).is_some() || plain_label(text).is_some()
    };
    if rest[..inner].iter().chain([heading]).any(is_step) {
        return None;
    }
    let end = rest.get(inner).map_or(body.end, |next| next.span.start);
    let span = Span {
        start: heading.span.start,
        end,
        ..body
    };
    let is_title = at == 0 && heading.level == 1;
    let mut around = without(body, &[span]).into_iter();
    let is_all = !around.any(|part| source.slice(part).contains(char::is_alphanumeric));
    (!is_title && !is_all).then_some(span)
}

/// Says whether a word is said outside the section that says what it means, in a file of the workflow's folder.
fn is_said(library: &Library, home: &ProjectPath, word: &str, section: Span) -> bool {
    let own = library.document(section.source);
    let mut parts = without(own.body(), &[section]).into_iter();
    let is_near = |document: &&Document| document.source.path().is_in(home) && document.source.id() != section.source;
    let mut near = library.documents().filter(is_near);
    parts.any(|part| says(own.source.slice(part), word)) || near.any(|document| says(document.source.text(), word))
}

/// What may stand before the first word of a text.
static OPENING: ByteSet = ByteSet::of(b" \t\n\x0c\r*_`\"");

/// Says whether the first line of a text may lead to the meaning of words in capitals; most begin otherwise.
fn may_define(text: &str) -> bool {
    let bytes = text.as_bytes();
    let open = bytes.iter().position(|byte| !OPENING.has(*byte));
    let is_loud = |at: u8| at.is_ascii_uppercase() || at == b' ';
    match open.map(|open| &bytes[open..]) {
        Some([b'T', b'o', b' ', ..]) => true,
        Some([one, two, three, ..]) => is_loud(*one) && is_loud(*two) && is_loud(*three),
        Some(_) | None => false,
    }
}

/// Returns the words in capitals that a line leads to the meaning of: `To HALT …:`, `HALT means:`.
fn defined(line: &str) -> Option<&str> {
    let is_mark = |at: char| matches!(at, '*' | '_' | '`' | '"' | ' ');
    let line = line.trim_matches(is_mark).strip_suffix(':')?;
    let (said, is_order) = match line.strip_prefix("To ") {
        Some(said) => (said.trim_start_matches(is_mark), true),
        None => (line, false),
    };
    let is_capital = |word: &&str| word.chars().all(|at| at.is_ascii_uppercase());
    let words = said
        .split(' ')
        .map(|word| word.trim_matches(is_mark))
        .take_while(is_capital);
    let last = words.last().filter(|word| !word.is_empty())?;
    let end = last.as_ptr() as usize - said.as_ptr() as usize + last.len();
    let (word, rest) = said.split_at(end);
    let means = rest.trim_start_matches(is_mark).starts_with("means");
    (word.len() >= SHORTEST && (is_order || means)).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::defined;

    #[test]
    fn a_line_that_leads_to_what_a_word_in_capitals_means_defines_it() {
        for (line, word) in [
            ("To HALT with a final status and a reason:", Some("HALT")),
            ("**To `HALT`:**", Some("HALT")),
            ("EARLY EXIT means:", Some("EARLY EXIT")),
            ("HALT means to stop, in this order:", Some("HALT")),
            ("To HALT with a final status, say so.", None),
            ("To halt with a final status:", None),
            ("HALT if:", None),
            ("To DO:", None),
        ] {
            assert_eq!(defined(line), word, "{line}");
        }
    }
}
