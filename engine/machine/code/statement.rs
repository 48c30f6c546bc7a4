//! What somebody judges or is asked: a condition that is written, whether an order comes next, a question.

use super::Image;
use super::compile::Compiler;
use super::questions::Questions;
use crate::model::{Lift, LiftKind, Origin, indent, item};
use crate::source::Span;
use crate::syntax::{Heading, WordList, decode, without_ends};
use std::ops::Range;

/// How far a quotation below a question may reach, in bytes.
const LONGEST_QUOTE: usize = 3000;

/// How many lines above an answer its question is looked for.
const FAR: usize = 40;

/// A statement that holds or does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::machine) enum Statement {
    /// Words that are a condition.
    Words(Span),
    /// A case that an item names, below words that it depends on with the other items of its list.
    Case {
        /// The words above the list.
        lead: Span,
        /// The name of the case.
        name: Span,
    },
    /// An order, or a file that is only named, on a line that makes no condition of its own: one line may hold several.
    Next {
        /// The order or the file.
        order: Span,
        /// The line.
        line: Span,
    },
    /// `yes` or `no` below a question that the agent asks.
    Answer {
        /// The answer.
        words: Span,
        /// The question.
        question: Span,
    },
}

impl Statement {
    /// Returns where it is written.
    pub(in crate::machine) fn span(self) -> Span {
        match self {
            Statement::Words(words) | Statement::Answer { words, .. } | Statement::Case { lead: words, .. } => words,
            Statement::Next { line, .. } => line,
        }
    }
}

/// Words of a text that are put to the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Put {
    /// The words.
    pub(super) words: Span,
    /// Whether they only stop until the person says to go on.
    pub(super) pauses: bool,
    /// Whether they stop in prose: what stands under the next heading comes later.
    pub(super) stops: bool,
}

/// Words that say to ask somebody, and not what.
static ASKING: WordList = WordList::new(&[
    "ask",
    "prompt",
    "the",
    "user",
    "human",
    "person",
    "operator",
    "them",
    "user_name",
    "directly",
]);

impl Compiler<'_> {
    /// Returns the question whether what a lift says comes next.
    pub(super) fn next(&self, lift: &Lift, text: Span) -> Statement {
        Statement::Next {
            order: lift.span,
            line: self.sentence(lift.span, text),
        }
    }

    /// Returns what a lift says to put to the person. Prose files speak of waiting in their rules, too; there only an order
    /// to ask is a question, and a stop that waits for nothing but the person: `HALT and wait for confirmation.`
    pub(super) fn put(&self, lift: &Lift, text: Span, all: &[&Lift], asked: &Questions) -> Option<Put> {
        let is_tag = self.origin == Origin::Tag;
        let stops = lift.kind == LiftKind::Wait && !is_tag;
        let is_stop = || self.is_stop(lift, text) || self.only_waits(lift, text);
        let is_put = match lift.kind {
            LiftKind::Ask => true,
            LiftKind::Wait => is_tag || is_stop() && self.is_all_it_waits_for(lift, asked),
            _ => false,
        };
        let is_case = || self.is_for_a_case(lift.span, text) || self.is_one_case(lift.span, text, all);
        let is_put = is_put && lift.condition.is_none() && !is_case();
        let above = self.question_above(lift, text).filter(|_| stops);
        is_put.then(|| Put {
            words: above.unwrap_or_else(|| self.question(lift, text)),
            // A question that any words answer is no question whether to go on.
            pauses: stops && !(above.is_some() && self.waits_for_answer(lift)),
            stops,
        })
    }

    /// Returns the question in the line above words that wait for its answer.
    fn question_above(&self, wait: &Lift, text: Span) -> Option<Span> {
        let line = self.sentence(wait.span, text);
        let before = self.library.slice(Span {
            end: line.start,
            ..text
        });
        let above = before.lines().rev().find(|line| !line.trim().is_empty())?.trim();
        let is_asked = above.trim_end_matches(['"', '”', '*', '_', '`', ' ']).ends_with('?');
        let start = above.as_ptr() as usize - before.as_ptr() as usize;
        (is_asked && !above.starts_with('#')).then(|| text.inner(start, start + above.len()))
    }

    /// Says whether a line says nothing but to wait, below a question: `Wait for confirmation.`
    fn only_waits(&self, wait: &Lift, text: Span) -> bool {
        let line = self.library.slice(self.sentence(wait.span, text));
        let bare = line.trim_matches(['*', '_', '.', ' ', '\r']);
        let above = self.library.slice(Span {
            end: wait.span.start,
            ..text
        });
        let is_one = bare == self.library.slice(wait.span) && self.question_above(wait, text).is_some();
        is_one && !above.lines().rev().any(super::above::opens_case)
    }

    /// Says whether words wait for an answer, and not only for a person to agree.
    fn waits_for_answer(&self, wait: &Lift) -> bool {
        const ANSWERS: &[&str] = &[
            "answer",
            "answers",
            "response",
            "reply",
            "input",
            "choice",
            "selection",
            "decision",
        ];
        let last = self.library.slice(wait.span).split_whitespace().next_back();
        last.is_some_and(|last| ANSWERS.contains(&last))
    }

    /// Says whether the sentence that says to wait says to stop, in capitals.
    fn is_stop(&self, wait: &Lift, text: Span) -> bool {
        let line = self.sentence(wait.span, text);
        let until = self.library.slice(Span {
            end: wait.span.end,
            ..line
        });
        let sentence = until.rsplit(". ").next().unwrap_or_default();
        let mut words = sentence.split(|at: char| !at.is_alphanumeric());
        words.any(|word| matches!(word, "HALT" | "STOP"))
    }

    /// Says whether nothing else is asked or offered under the heading that some words to wait stand under.
    fn is_all_it_waits_for(&self, wait: &Lift, asked: &Questions) -> bool {
        let document = self.library.document(wait.span.source);
        let section = section(&document.parsed.markdown.headings, wait.span.start);
        // A file keeps few menus.
        let menus = || document.menus().menus.iter();
        let is_offered = || menus().any(|menu| section.contains(&menu.span.start));
        !self.branching && !asked.is_in(&section) && !is_offered()
    }

    /// Returns the words that a person is asked: the sentence that says to ask, or the line that says to wait.
    fn question(&self, lift: &Lift, text: Span) -> Span {
        let line = self.sentence(lift.span, text);
        if lift.kind != LiftKind::Ask {
            // What a person may choose from stands below: `HALT and give the user a choice:`.
            return self.block(line, line, text).unwrap_or(line);
        }
        let asked = Span {
            start: lift.span.start,
            ..line
        };
        let words = lift.span.len();
        let marks = self.library.slice(asked)[words..].bytes();
        let marks = marks.take_while(|mark| matches!(mark, b'.' | b'?' | b'!' | b'"'));
        let asked = asked.inner(0, words + marks.count());
        self.block(asked, line, text).unwrap_or(asked)
    }

    /// Returns a question whose words only lead to what stands below them, with that: a quotation or a list. Where the
    /// words say nothing but to ask, it is what stands below them.
    fn block(&self, asked: Span, line: Span, text: Span) -> Option<Span> {
        let head = self.library.slice(asked).trim_end_matches(is_mark);
        let rest = Span {
            start: asked.start + head.len() as u32,
            ..text
        };
        let below = self.library.slice(rest);
        let (tail, below) = below.split_once('\n')?;
        // Markdown behind an action belongs to it.
        if !without_ends(tail).chars().all(is_mark) {
            return None;
        }
        let leads = head.ends_with(':') || tail.contains(':');
        let start = rest.start + tail.len() as u32 + 1;
        let (from, to) = block(below, self.library.slice(line)).filter(|_| leads)?;
        let found = Span::new(text.source, start as usize + from, start as usize + to);
        let says = head.split(|at: char| !at.is_alphanumeric() && at != '_');
        let only_asks = says.filter(|word| !word.is_empty()).all(|word| ASKING.has(word));
        Some(if only_asks { found } else { asked.to(found) })
    }

    /// Returns the question that words which say nothing but `yes` or `no` answer: the one in the line above their list.
    pub(super) fn question_of(&self, words: Span) -> Option<Span> {
        let said = self.library.slice(words).trim_matches(|at: char| !at.is_alphanumeric());
        if !matches!(said.to_ascii_lowercase().as_str(), "yes" | "no") {
            return None;
        }
        let text = self.library.source(words.source).text();
        let start = text[..words.start as usize].rfind('\n')?;
        let depth = indent(&text[start + 1..]);
        let is_beside = |line: &&str| line.trim().is_empty() || item(line).is_some() && indent(line) >= depth;
        let above = text[..start].lines().rev().take(FAR).find(|line| !is_beside(line))?;
        let end = above.rfind('?')?;
        let starts = [". ", ": ", "! "].iter().filter_map(|mark| above[..end].rfind(mark));
        let from = starts.max().map_or(0, |at| at + 2);
        let question = above[from..=end].trim_start_matches(|at: char| !at.is_alphanumeric());
        let start = question.as_ptr() as usize - text.as_ptr() as usize;
        Some(Span::new(words.source, start, start + question.len()))
    }

    /// Returns the line that words stand in.
    pub(super) fn sentence(&self, words: Span, text: Span) -> Span {
        let whole = self.library.source(words.source).text();
        let (start, end) = (words.start as usize, words.end as usize);
        let from = whole[..start]
            .rfind('\n')
            .map_or(0, |at| at + 1)
            .max(text.start as usize);
        let to = whole[end..].find('\n').map_or(whole.len(), |at| end + at);
        let to = to.min((text.end as usize).max(end));
        Span::new(words.source, from.min(start), to)
    }
}

impl Image<'_> {
    /// Returns what is judged, as somebody is asked it.
    pub(in crate::machine) fn statement(&self, statement: Statement) -> String {
        match statement {
            Statement::Words(words) => {
                let said = self.said(words);
                match item(&said).is_some() && said.contains('\n') {
                    true => format!("any of these holds:\n{said}"),
                    false => said,
                }
            }
            Statement::Case { lead, name } => {
                let name = self.said(name);
                format!(
                    "“{}” is the case, of those below this: {}",
                    bare(&name),
                    self.said(lead)
                )
            }
            Statement::Next { order, line } => {
                let order = self.said(order);
                let line = self.said(line);
                format!(
                    "“{}” comes next, by what is written here: {}",
                    bare(&order),
                    without_mark(&line)
                )
            }
            Statement::Answer { words, question } => {
                format!("the answer to “{}” is {}", self.said(question), self.said(words))
            }
        }
    }

    /// Returns the words at a place as a person reads them.
    pub(in crate::machine) fn said(&self, span: Span) -> String {
        decode(&without_ends(self.slice(span))).trim().to_owned()
    }
}

/// Returns words without the marks that stress them or lead on.
fn bare(words: &str) -> String {
    let bare = words.trim_matches(|at: char| at.is_whitespace() || matches!(at, '*' | '→'));
    bare.replace("**", "")
}

/// Returns a line without what makes it an item of a list.
pub(in crate::machine) fn without_mark(line: &str) -> &str {
    let marks = ["- ", "* ", "+ ", "> "];
    let bare = marks.iter().find_map(|mark| line.trim_start().strip_prefix(mark));
    bare.map_or(line, str::trim_start)
}

/// Returns the section that a place is in: from the heading above it, or the start, to the next heading.
fn section(headings: &[Heading], place: u32) -> Range<u32> {
    let next = headings.partition_point(|heading| heading.span.start <= place);
    let starts = |at: usize| headings.get(at).map(|heading| heading.span.start);
    let start = next.checked_sub(1).and_then(starts);
    start.unwrap_or(0)..starts(next).unwrap_or(u32::MAX)
}

/// Says whether a letter only marks words or parts them.
fn is_mark(at: char) -> bool {
    at.is_whitespace() || matches!(at, '*' | '_' | ':')
}

/// Finds the quotation or the list that a text begins with, below a line; without the marks around a quotation.
fn block(text: &str, above: &str) -> Option<(usize, usize)> {
    let start = text.find(|at: char| at != '\n' && at != '\r')?;
    let block = &text[start..];
    let first = block.lines().next()?;
    // What stands beside an item is no part of it.
    if item(above).is_some() && indent(first) <= indent(above) {
        return None;
    }
    let bare = first.trim_start().trim_start_matches(['*', '_']);
    if let Some(mark) = bare.chars().next().filter(|mark| matches!(mark, '"' | '“')) {
        let open = start + first.len() - bare.len() + mark.len_utf8();
        let near = &text[..text.floor_char_boundary(open + LONGEST_QUOTE)];
        let mut ends = near[open..].match_indices(['"', '”']).map(|(at, _)| open + at);
        let close = ends.find(|end| {
            let mut line = text[*end..].chars().skip(1).take_while(|at| *at != '\n');
            line.all(|at| is_mark(at) || at == '.')
        })?;
        return Some((open, close));
    }
    let is_quoted = first.trim_start().starts_with('>');
    let goes_on = |line: &&str| match is_quoted {
        true => line.trim_start().starts_with('>'),
        false => {
            item(line).is_some() && indent(line) >= indent(first)
                || indent(line) > indent(first) && !line.trim().is_empty()
        }
    };
    let length: usize = block.split_inclusive('\n').take_while(goes_on).map(str::len).sum();
    let end = start + block[..length].trim_end().len();
    (length > 0).then_some((start, end))
}

#[cfg(test)]
mod tests {
    use super::{Questions, section};
    use crate::source::{SourceId, Span};
    use crate::syntax::Heading;

    /// Makes headings of four bytes that begin at some places.
    fn headings(starts: &[usize]) -> Vec<Heading> {
        let heading = |(line, start): (usize, &usize)| {
            let span = Span::new(SourceId::default(), *start, start + 4);
            Heading {
                level: 2,
                span,
                text: span,
                line,
            }
        };
        starts.iter().enumerate().map(heading).collect()
    }

    #[test]
    fn a_place_is_in_the_section_of_the_heading_above_it() {
        let headings = headings(&[10, 20, 30]);
        assert_eq!(section(&headings, 5), 0..10);
        assert_eq!(section(&headings, 10), 10..20);
        assert_eq!(section(&headings, 29), 20..30);
        assert_eq!(section(&headings, 99), 30..u32::MAX);
        assert_eq!(section(&[], 5), 0..u32::MAX);
    }

    #[test]
    fn a_question_is_looked_for_in_one_section_only() {
        let asked = Questions(vec![4, 12, 31]);
        for (section, expected) in [
            (0..10, true),
            (10..12, false),
            (12..20, true),
            (20..30, false),
            (32..99, false),
        ] {
            assert_eq!(asked.is_in(&section), expected, "{section:?}");
        }
    }
}
