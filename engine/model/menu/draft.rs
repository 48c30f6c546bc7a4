//! Lines in, menus and handlers out: one pass that drafts menus and keeps those the rest of the file confirms.

use super::bracket::{self, Bracket, brackets, line_options};
use super::free::{answers_sentence, names_label, stands_free};
use super::marks::{MarkFinder, Marks};
use super::open::{OpenLines, Place};
use super::page::{Page, Row, Said};
use super::{
    Handled, Menu, MenuOption, MenuStyle, Menus, again, answer, branch, headed, list, listing, plain, ticked, words,
};
use crate::source::{Source, Span};
use crate::syntax::Markdown;

/// The most options one menu keeps.
pub(super) const MAX_OPTIONS: usize = 32;
/// The most menus one file keeps.
const MAX_MENUS: usize = 128;
/// The most handlers one file keeps.
const MAX_HANDLERS: usize = 512;
/// The most lines without an option inside one menu.
const MAX_GAP: usize = 6;
/// The most menus a handler is looked for in.
const MAX_BACK: usize = 12;

/// A menu that is being read.
struct Draft {
    /// The row of its last option.
    last: usize,
    options: Vec<MenuOption>,
    style: MenuStyle,
    /// Whether it is a menu even where nothing deals with it.
    sure: bool,
    /// Whether something else may be chosen.
    open: bool,
    /// Where a row stands that names all of the options once more.
    again: Option<Span>,
}

struct Reader<'a> {
    page: Page<'a>,
    drafts: Vec<Draft>,
    /// Whether the last draft may still grow.
    growing: bool,
    handlers: Vec<Handled>,
    mentioned: Vec<String>,
    borrowed: Vec<Span>,
    /// Whether rows speak of a choice, where that was asked: one row stands near several options.
    cues: Vec<Option<bool>>,
}

/// Reads the menus and handlers of a file.
pub(super) fn read(source: &Source, markdown: &Markdown) -> Menus {
    let page = Page::new(source, markdown);
    let mut reader = Reader {
        page,
        drafts: Vec::new(),
        growing: false,
        handlers: Vec::new(),
        mentioned: Vec::new(),
        borrowed: Vec::new(),
        cues: Vec::new(),
    };
    let mut marks = MarkFinder::new(source.text());
    let mut next = 0;
    for (index, place) in OpenLines::new(page, markdown) {
        if index < next {
            continue;
        }
        let line = &page.lines[index];
        let marks = marks.of_line(line.start as usize, line.end as usize);
        if !marks.hold_any() {
            if plain::says_nothing(page, index, reader.drafts.is_empty()) {
                continue;
            }
            if plain::only_heads(page, index) {
                reader.growing = false;
                continue;
            }
        }
        next = reader.row(index, place, marks);
        if reader.drafts.len() >= MAX_MENUS || reader.handlers.len() >= MAX_HANDLERS {
            break;
        }
    }
    reader.finish()
}

impl<'a> Reader<'a> {
    /// Reads one open row, or a whole list; returns the row to go on with.
    fn row(&mut self, index: usize, place: Place, marks: Marks) -> usize {
        let row = self.page.row(index);
        if !marks.hold_any() && plain::only_lists(&row) {
            return self.listed(index).unwrap_or(index + 1);
        }
        let said = Said::new(index, row);
        let is_prose = place == Place::Prose;
        if is_prose && self.clauses(&said, marks) || row.is_heading() {
            self.growing = false;
            return index + 1;
        }
        if let Some(next) = self.listed(index) {
            return next;
        }
        self.keys(&said, marks);
        if marks.hold(Marks::QUOTE) {
            self.mention_quoted(row.text);
        }
        if is_prose && marks.hold(Marks::TICK) && words::shows_another(row.text) {
            self.borrowed.push(row.span(self.page.source));
        }
        index + 1
    }

    /// Reads the list that begins with a row, where it is a menu; returns the row to go on with.
    #[inline]
    fn listed(&mut self, index: usize) -> Option<usize> {
        let listed = listing::read(self.page, index)?;
        self.growing = false;
        self.draft(listed.last, listed.options, listed.style);
        if let Some(draft) = self.drafts.last_mut() {
            draft.open = listed.open;
        }
        Some(listed.last + 1)
    }

    /// Reads the keys in brackets that a row offers, or its choices between slashes.
    fn keys(&mut self, said: &Said<'a>, marks: Marks) {
        let row = said.row;
        let found: Vec<Bracket<'a>> = match marks.hold(Marks::BRACKET) {
            true => brackets(row.text).collect(),
            false => Vec::new(),
        };
        if found.is_empty() {
            self.word_option(said);
            if marks.hold(Marks::QUESTION) {
                self.slashed(said.index, row);
            }
        } else if !self.bracketed(said, &found) {
            self.mention(row.text, &found);
        }
    }

    fn draft(&mut self, last: usize, options: Vec<MenuOption>, style: MenuStyle) {
        self.drafts.push(Draft {
            last,
            options,
            style,
            sure: true,
            open: false,
            again: None,
        });
    }

    /// Reads what a row says about answers; says whether it says anything.
    fn clauses(&mut self, said: &Said<'a>, marks: Marks) -> bool {
        let is_answer = answer::may_begin(said.inner.as_bytes());
        let is_offered = !self.drafts.is_empty() && said.may_answer_offer();
        let has_more = marks.hold(Marks::STOP);
        if !is_answer && !is_offered && !has_more {
            return false;
        }
        let drafts = &self.drafts;
        let offers = |key: &str, label: Option<&str>| {
            let mut recent = drafts.iter().rev().take(MAX_BACK);
            let has = |draft: &&Draft| draft.options.iter().any(|option| headed::is_of(option, key, label));
            recent.find(has).map(|draft| draft.last)
        };
        let offers: Option<&branch::Offers<'_>> = if is_offered { Some(&offers) } else { None };
        let first = branch::first(self.page, said, offers);
        if branch::read(self.page, said, first, has_more, &mut self.handlers) {
            return true;
        }
        let options = self.drafts.last().map_or(&[][..], |draft| &draft.options);
        let remaining = branch::remaining(self.page, said, &self.handlers, options);
        let is_read = remaining.is_some();
        self.handlers.extend(remaining);
        is_read
    }

    /// Reads the options of a row with keys in brackets; says whether it offers any.
    fn bracketed(&mut self, said: &Said<'a>, found: &[Bracket<'a>]) -> bool {
        let Some(first) = found.first() else {
            return false;
        };
        let (index, row) = (said.index, said.row);
        let text = row.text;
        let at_start = said.at == first.start;
        let marked = text
            .get(..first.start)
            .unwrap_or("")
            .contains(['-', '+', '*', '.', ')']);
        if at_start && first.key == "x" && marked {
            return false;
        }
        let lone_code = found.len() == 1 && first.key.len() == 2;
        if !at_start && (lone_code || !stands_free(text, first)) {
            return false;
        }
        let kept: Vec<Bracket<'a>> = found
            .iter()
            .enumerate()
            .filter(|(at, bracket)| *at == 0 || names_label(text, bracket))
            .map(|(_, bracket)| *bracket)
            .collect();
        let options = line_options(text, &kept, row.span(self.page.source));
        if options.iter().all(|option| option.label.is_empty()) || first.is_form(text) {
            return false;
        }
        if !at_start && found.len() == 1 && answers_sentence(text, first) {
            self.short_answer(index, options);
            return true;
        }
        let joined = kept.iter().any(|bracket| bracket.joined);
        let sure = self.is_sure(index, &options, joined);
        self.offer(index, options, sure);
        true
    }

    /// Keeps a key that a sentence gives as one answer to what it asks: a choice only where something deals with it, and
    /// any other answer will do as well.
    fn short_answer(&mut self, last: usize, options: Vec<MenuOption>) {
        self.growing = false;
        self.drafts.push(Draft {
            last,
            options,
            style: MenuStyle::Bracketed,
            sure: false,
            open: true,
            again: None,
        });
    }

    /// Says whether the words around make this a menu, handled or not.
    fn is_sure(&mut self, index: usize, options: &[MenuOption], joined: bool) -> bool {
        if options.len() > 1 && !joined && options.iter().all(is_letter) {
            return true;
        }
        self.cues.resize(self.page.lines.len(), None);
        let (page, cues) = (self.page, &mut self.cues);
        let mut is_cue = |at: usize| *cues[at].get_or_insert_with(|| words::is_cue(page.row(at).text));
        let mut near = (0..index).rev().filter(|at| !page.row(*at).is_blank()).take(4);
        is_cue(index) || near.any(|at| !(joined && page.row(at).is_heading()) && is_cue(at))
    }

    /// Adds options to the draft that is growing, or starts one.
    fn offer(&mut self, index: usize, options: Vec<MenuOption>, sure: bool) {
        let growing = self.growing;
        if let Some(draft) = self.drafts.last_mut() {
            let known = options
                .iter()
                .any(|option| draft.options.iter().any(|known| known.key == option.key));
            let near = index.saturating_sub(draft.last) <= MAX_GAP + 1;
            if growing && near && again::names_all(self.page, index, &options, &draft.options) {
                draft.last = index;
                draft.again = options.last().map(|option| option.span);
                draft.sure |= sure;
                return;
            }
            if growing && near && !known && draft.options.len() < MAX_OPTIONS {
                draft.options.extend(options);
                draft.again = None;
                draft.last = index;
                draft.sure |= sure || draft.options.iter().all(is_letter);
                return;
            }
        }
        self.growing = true;
        self.drafts.push(Draft {
            last: index,
            options: ticked::above(self.page, index, options),
            style: MenuStyle::Bracketed,
            sure,
            open: false,
            again: None,
        });
    }

    /// Reads `[Back] - …` right below an option.
    fn word_option(&mut self, said: &Said<'a>) {
        let (true, Some(draft)) = (self.growing, self.drafts.last_mut()) else {
            return;
        };
        let Some((key, rest)) = said.inner.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
            return;
        };
        let word = key.len() <= 20 && key.bytes().all(|at| at.is_ascii_alphabetic());
        if !word || !rest.starts_with(' ') || said.index != draft.last + 1 || draft.options.len() >= MAX_OPTIONS {
            return;
        }
        let (row, at) = (said.row, said.at);
        let end = row.text.trim_end_matches(['"', '”', ' ', '*']).len();
        draft.last = said.index;
        draft.options.push(MenuOption {
            key: key.to_owned(),
            label: key.to_owned(),
            span: self.page.source.span(row.start + at, row.start + end.max(at)),
        });
    }

    /// Reads `… ? (y/n)` and `… ? [Y/N]`.
    fn slashed(&mut self, index: usize, row: Row<'a>) {
        let options = list::slashed(row.text, row.span(self.page.source));
        let Some(first) = options.first() else {
            return;
        };
        let open = (first.span.start as usize).saturating_sub(row.start + 1);
        let (before, rest) = row.text.split_at_checked(open).unwrap_or(("", ""));
        let before =
            before.trim_end_matches(|at: char| matches!(at, '*' | '_' | '"' | '\'' | '`') || at.is_whitespace());
        let letters = options.iter().all(|option| option.key.len() == 1);
        let [one, two, ..] = options.as_slice() else {
            return;
        };
        let short = one.key.len() == 1 && one.label == "yes" && two.label == "no";
        let asked = rest.starts_with('(') && one.key == "yes" && words::has(before, "ask");
        if before.ends_with('?') && (letters || short || asked) {
            self.growing = false;
            self.draft(index, options, MenuStyle::Slashed);
        }
    }

    fn mention(&mut self, text: &str, found: &[Bracket<'_>]) {
        if words::chooses(text) {
            for found in found {
                self.name(found.key);
            }
        }
    }

    fn mention_quoted(&mut self, text: &str) {
        let mut keys = bracket::quoted(text).peekable();
        // Most quotes hold no key, so the words are looked for last.
        if keys.peek().is_some() && words::chooses(text) {
            keys.for_each(|key| self.name(key));
        }
    }

    fn name(&mut self, key: &str) {
        if self.mentioned.len() < MAX_MENUS && !self.mentioned.iter().any(|known| known == key) {
            self.mentioned.push(key.to_owned());
        }
    }

    fn finish(self) -> Menus {
        let menu = |handled: &Handled, key: &str| last_before(&self.drafts, handled.span.start, key);
        let source = self.page.source;
        let handlers = headed::once(self.handlers, source, menu);
        let mut waits = None;
        let named = |draft: &Draft| {
            let mut keys = handlers.iter().flat_map(|handled| &handled.keys);
            keys.any(|key| draft.options.iter().any(|option| option.is_meant_by(key)))
        };
        let menus = self.drafts.into_iter().filter(|draft| draft.sure || named(draft));
        let menus = menus.filter_map(|draft| {
            let span = draft
                .options
                .first()?
                .span
                .to(draft.again.unwrap_or(draft.options.last()?.span));
            let stops = *waits.get_or_insert_with(|| words::waits(source.text()));
            Some(Menu {
                span,
                options: draft.options,
                style: draft.style,
                stops,
                open: draft.open,
            })
        });
        Menus {
            menus: menus.collect(),
            handlers,
            mentioned: self.mentioned,
            borrowed: self.borrowed,
        }
    }
}

/// Finds the last menu before a place that offers a key.
fn last_before(drafts: &[Draft], place: u32, key: &str) -> Option<usize> {
    drafts.iter().rposition(|draft| {
        let mut options = draft.options.iter();
        options.any(|option| option.span.start < place && option.is_meant_by(key))
    })
}

fn is_letter(option: &MenuOption) -> bool {
    option.key.len() != 2 && option.key.bytes().all(|at| at.is_ascii_alphabetic())
}
