//! Orders to go on at a section of their own step file in, jumps to it out: `IF E: Return to step 4`.

use super::around::says;
use super::item::{indent, is_answer, item, said};
use crate::model::instruction::{Act, Branch, Instruction, Menu};
use crate::model::library::Document;
use crate::model::lift::{Lift, LiftKind, noun_of};
use crate::model::role::{is_section, step_label};
use crate::source::{Source, Span};
use crate::syntax::{Heading, trim};

/// Words behind a section that something else comes after.
const GOING_ON: &[&str] = &["then", "and", "before", "unless", "or"];

/// Says whether anything in a file goes to a number.
pub(super) fn are_named(document: &Document) -> bool {
    !document.lifts_in(document.body(), is_jump).is_empty()
}

/// Lets the orders of a step file lead to its sections where a menu stands between, or an answer gives them: whoever takes a
/// turn finds the way within it. `is_step` says which numbers are those of step files.
pub(super) fn link(document: &Document, body: &mut Vec<Instruction>, is_step: &dyn Fn(&str) -> bool) {
    let tops = body.iter().map(Top::of).collect();
    let mut linking = Linking {
        document,
        is_step,
        tops,
        wanted: Vec::new(),
    };
    for (at, one) in body.iter_mut().enumerate() {
        match &mut one.act {
            Act::Do { text, lifts, .. } => linking.told(at, *text, lifts),
            Act::Menu(menu) => linking.menu(menu),
            _ => {}
        }
    }
    let mut wanted = linking.wanted;
    wanted.sort_unstable();
    wanted.dedup();
    // What stands behind a mark is counted anew.
    for start in wanted.into_iter().rev() {
        mark(document, body, start);
    }
}

/// What one instruction of a step is, as far as sections go.
struct Top {
    span: Span,
    is_menu: bool,
    /// Whether it can be parted.
    is_prose: bool,
}

impl Top {
    fn of(one: &Instruction) -> Self {
        Self {
            span: one.span,
            is_menu: matches!(one.act, Act::Menu(_)),
            is_prose: matches!(&one.act, Act::Do { body, .. } if body.is_empty()) && one.condition.is_none(),
        }
    }
}

struct Linking<'a> {
    document: &'a Document,
    is_step: &'a dyn Fn(&str) -> bool,
    tops: Vec<Top>,
    /// Where the sections begin that something leads to.
    wanted: Vec<u32>,
}

impl Linking<'_> {
    /// Reads the orders of a text that stands in no answer: those for a case, past a menu.
    fn told(&mut self, at: usize, text: Span, lifts: &mut Vec<Lift>) {
        let is_apart = |top: usize| {
            let between = &self.tops[at.min(top)..at.max(top)];
            between.iter().any(|top| top.is_menu)
        };
        let mut orders = self.orders(text);
        orders.retain_mut(|(lift, top, _)| {
            lift.condition = lift.condition.or_else(|| above_list(&self.document.source, lift.span));
            lift.condition.is_some() && is_apart(*top)
        });
        self.add(orders, lifts);
    }

    /// Reads the orders of the answers to a menu.
    fn menu(&mut self, menu: &mut Menu) {
        for branch in menu.branches.iter_mut().filter(|branch| !branch.again) {
            self.branch(branch);
        }
    }

    fn branch(&mut self, branch: &mut Branch) {
        for one in &mut branch.body {
            match &mut one.act {
                Act::Do { text, lifts, .. } => {
                    let orders = self.orders(*text);
                    branch.onward |= orders.iter().any(|(lift, ..)| lift.condition.is_none());
                    self.add(orders, lifts);
                }
                Act::Menu(menu) => self.menu(menu),
                _ => {}
            }
        }
    }

    fn add(&mut self, orders: Vec<(Lift, usize, u32)>, lifts: &mut Vec<Lift>) {
        if orders.is_empty() {
            return;
        }
        self.wanted.extend(orders.iter().map(|(.., start)| *start));
        lifts.extend(orders.into_iter().map(|(lift, ..)| lift));
        lifts.sort_by_key(|lift| lift.span.start);
    }

    /// Finds the orders of a text that lead to a section, with the instruction that holds it and where it begins.
    fn orders(&self, text: Span) -> Vec<(Lift, usize, u32)> {
        let jumps = self.document.lifts_in(text, is_jump);
        jumps.into_iter().filter_map(|jump| self.order(jump)).collect()
    }

    fn order(&self, jump: Lift) -> Option<(Lift, usize, u32)> {
        let LiftKind::Goto { label, label_span, .. } = &jump.kind else {
            return None;
        };
        let source = &self.document.source;
        let said = Span {
            end: label_span.start,
            ..jump.span
        };
        let noun = noun_of(source.slice(said));
        if goes_on(source, jump.span.end) {
            return None;
        }
        let section = self.section(noun, label)?;
        let is_own = noun.eq_ignore_ascii_case("section") || !(self.is_step)(label);
        if !is_own && !self.is_meant(&jump, noun, section) {
            return None;
        }
        let top = holder(self.tops.iter().map(|top| top.span), section)?;
        let is_inside = self.tops[top].span.start < section.start;
        if is_inside && !self.tops[top].is_prose {
            return None;
        }
        let kind = LiftKind::Section {
            label: format!("{noun} {label}"),
            anchor: id(source, section.start),
        };
        Some((Lift { kind, ..jump }, top, section.start))
    }

    /// Says whether an order means the section, and not the step file of its number: that has a name, `Step 3`, and is
    /// mostly the next one. A section stands further down, and words in parentheses may say what it is called.
    fn is_meant(&self, jump: &Lift, noun: &str, section: Span) -> bool {
        let LiftKind::Goto { label, .. } = &jump.kind else {
            return false;
        };
        let source = &self.document.source;
        let title = source.slice(section).lines().next().unwrap_or_default();
        let behind = source.text().get(jump.span.end as usize..).unwrap_or_default();
        let said = behind.strip_prefix(" (").and_then(|said| said.split_once(')'));
        let named = |said: &str| words(said).any(|word| words(title).any(|other| word.eq_ignore_ascii_case(other)));
        let is_called = said.is_some_and(|(said, _)| named(said));
        let is_next = || is_behind(&step_label(source.path().stem()), label);
        noun == "step" && section.start > jump.span.end && (is_called || !is_next())
    }

    /// Finds the one section of the file that a number is of.
    fn section(&self, noun: &str, label: &str) -> Option<Span> {
        let headings = &self.document.parsed.markdown.headings;
        let is_it =
            |heading: &&Heading| heading.level > 1 && is_section(self.document.source.slice(heading.text), noun, label);
        let mut found = headings.iter().filter(is_it);
        let heading = found.next().filter(|_| found.next().is_none())?;
        let is_next = |next: &&Heading| next.span.start > heading.span.start && next.level <= heading.level;
        let end = headings.iter().find(is_next).map(|next| next.span.start);
        Some(Span {
            end: end.unwrap_or(self.document.body().end),
            ..heading.span
        })
    }
}

fn is_jump(lift: &Lift) -> bool {
    matches!(lift.kind, LiftKind::Goto { .. })
}

/// Returns the words that the list depends on in which an order stands: `If there is none:` above its items.
fn above_list(source: &Source, order: Span) -> Option<Span> {
    let before = &source.text()[..order.start as usize];
    let mut lines = before.split('\n').rev();
    let own = lines.next().filter(|own| item(own).is_some())?;
    let is_beside = |line: &&str| line.trim().is_empty() || item(line).is_some() || indent(line) > indent(own);
    let words = said(lines.find(|line| !is_beside(line))?).filter(|words| !is_answer(words))?;
    let start = words.as_ptr() as usize - before.as_ptr() as usize;
    Some(source.span(start, start + words.len()))
}

/// Returns the words of a text that say more than they join.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|at: char| !at.is_alphanumeric())
        .filter(|word| word.len() > 3)
}

/// Says whether a label is the one right behind another: `3` behind `2`, `2` and `2b`.
fn is_behind(own: &str, label: &str) -> bool {
    let number = |label: &str| {
        let last = label.rsplit('-').next().unwrap_or_default();
        last.trim_end_matches(|at: char| !at.is_ascii_digit())
            .parse::<u32>()
            .ok()
    };
    number(own)
        .zip(number(label))
        .is_some_and(|(own, label)| own + 1 == label)
}

/// Finds the instruction that a section begins with, or in.
fn holder(mut places: impl Iterator<Item = Span>, section: Span) -> Option<usize> {
    let mut at = 0;
    let place = places.find(|place| {
        at += 1;
        place.end > section.start
    })?;
    (place.start < section.end).then_some(at - 1)
}

/// Says whether the line of an order has more to do behind it: `Proceed to section 2, then return here`.
fn goes_on(source: &Source, end: u32) -> bool {
    let rest = source.text().get(end as usize..).unwrap_or_default();
    let line = rest.lines().next().unwrap_or_default();
    let sentence = line.split(". ").next().unwrap_or_default();
    let outside = sentence.split(['(', ')']).step_by(2);
    let mut words = outside.flat_map(|part| part.split(|at: char| !at.is_alphanumeric()));
    words.any(|word| GOING_ON.iter().any(|other| word.eq_ignore_ascii_case(other)))
}

/// Marks the beginning of a section. What only leads to its menu is shown with that, and no work of its own.
fn mark(document: &Document, body: &mut Vec<Instruction>, start: u32) {
    let source = &document.source;
    let places = body.iter().map(|one| one.span);
    let from = |span: Span| Span { start, ..span };
    let Some(at) = holder(places, from(document.body())) else {
        return;
    };
    let span = body[at].span;
    let is_before_menu = matches!(body.get(at + 1).map(|next| &next.act), Some(Act::Menu(_)));
    let is_prose = matches!(body[at].act, Act::Do { .. });
    let anchor = Instruction {
        act: Act::Anchor { id: id(source, start) },
        span: source.span(start as usize, start as usize),
        condition: None,
    };
    let rest = from(span);
    if is_prose && span.start <= start && is_before_menu && only_leads(source.slice(rest)) {
        body.insert(at + 1, anchor);
    } else if span.start >= start || !says(source.slice(Span { end: start, ..span })) {
        body.insert(at, anchor);
    } else if let Act::Do { text, lifts, .. } = &mut body[at].act {
        let later = lifts.extract_if(.., |lift| lift.span.start >= start).collect();
        let before = trim(source, Span { end: start, ..*text }).0;
        let behind = Instruction::prose(trim(source, rest).0, later);
        *text = before;
        body[at].span = before;
        body.splice(at + 1..at + 1, [anchor, behind]);
    }
}

/// Says whether a text only leads to a menu: headings, marks and questions, with nothing to fill in.
fn only_leads(text: &str) -> bool {
    text.lines().all(|line| {
        let bare = line.trim_end_matches(|at: char| at.is_whitespace() || matches!(at, '*' | '_' | '"' | '`'));
        let leads = bare.ends_with([':', '?']) && !bare.contains(['[', '{', '<']);
        !line.contains(char::is_alphanumeric) || line.starts_with('#') || line.starts_with("```") || leads
    })
}

/// Returns the name of the beginning of a section; no author can write it.
fn id(source: &Source, start: u32) -> String {
    let line = source.position(start).line;
    format!("section at {}:{line}", source.path().name())
}
