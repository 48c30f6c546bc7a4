//! A list of files to follow in order in, how each leads to the next one out.

use super::compile::Compiler;
use super::left::{LEADING, is_purpose, words};
use super::{Op, Pc};
use crate::model::{Act, Instruction, Lift, LiftKind, Origin, indent, item, visit};
use crate::source::{SourceId, Span};
use crate::syntax::WordList;

/// Verbs of words that say to do all of a list. What is tried or looked at in order ends with the first that fits.
static DOING: WordList = WordList::new(&["do", "execute", "follow", "load", "run"]);

/// How step files lead to each other that a list says to follow in order.
#[derive(Default)]
pub(super) struct Chain<'p> {
    /// Where each step file ends.
    ends: Vec<(SourceId, Pc)>,
    /// Which file comes behind another one.
    links: Vec<(SourceId, &'p Lift)>,
}

/// A list of step files that are followed in order.
struct Listed<'p> {
    /// The list, with the line that leads to it.
    place: Span,
    /// Its orders, and the files they name.
    items: Vec<(&'p Lift, SourceId)>,
}

impl<'p> Compiler<'p> {
    /// Ends a step, so that nobody comes from it into the next one.
    pub(super) fn end_step(&mut self, step: usize) {
        if let Some(words) = self.only_judged(step) {
            self.emit(Op::Unled(words));
        }
        let at = self.emit(Op::Exit);
        let ended = self.workflow.steps.get(step);
        let file = ended
            .filter(|step| step.origin == Origin::File)
            .map(|step| step.span.source);
        self.chain.ends.extend(file.map(|file| (file, at)));
    }

    /// Follows the files of a list in order, once what stands before it is told; says whether there is such a list.
    pub(super) fn chained(&mut self, text: Span, lifts: &[&'p Lift]) -> bool {
        let Some(list) = self.in_order(text, lifts) else {
            return false;
        };
        let before = Span {
            end: list.place.start,
            ..text
        };
        if self.says(before) {
            let inside = lifts.iter().copied().filter(|lift| before.contains(lift.span));
            let inside: Vec<&'p Lift> = inside.collect();
            self.turn(before, &inside, None);
        }
        let links = list.items.windows(2).map(|pair| (pair[0].1, pair[1].0));
        self.chain.links.extend(links);
        self.lifted(list.items[0].0);
        true
    }

    /// Lets each file of a list lead to the next one where it ends.
    pub(super) fn link(&mut self) {
        let Chain { ends, links } = std::mem::take(&mut self.chain);
        for (file, next) in links {
            let end = ends.iter().find(|(ended, _)| *ended == file);
            if let (Some((_, at)), Some((target, span))) = (end, next.kind.followed()) {
                self.code.ops[*at] = Op::Follow(target, span, None);
            }
        }
    }

    /// Finds the list of a text whose items do nothing but lead to step files, one each, below words that say to do all of
    /// it in order; none where anything else leads to one of them.
    fn in_order(&self, text: Span, lifts: &[&'p Lift]) -> Option<Listed<'p>> {
        let mut items = Vec::new();
        for lift in lifts {
            if let Some((target, span)) = lift.kind.followed().filter(|(to, at)| self.is_own_step(to, *at)) {
                items.push((*lift, self.file(target, span)?));
            }
        }
        let place = self.place_of(&items, text)?;
        let leads = !self.branching && !self.menu_leads && !self.is_amid_headings();
        (leads && self.is_only_led(&items)).then_some(Listed { place, items })
    }

    /// Returns the place of a list that holds some orders and nothing else, with the line that leads to it.
    fn place_of(&self, items: &[(&'p Lift, SourceId)], text: Span) -> Option<Span> {
        let [(first, _), .., (last, _)] = items else {
            return None;
        };
        let start = self.sentence(first.span, text).start.max(text.start);
        let above = self.library.slice(Span { end: start, ..text });
        let lead = above.trim_end().rsplit('\n').next().filter(|line| says_all(line))?;
        let from = text.start + above.rfind(lead)? as u32;
        let end = self.sentence(last.span, text).end;
        let list = self.library.slice(Span { start, end, ..text });
        let depth = indent(list);
        let mut lines = list.lines().filter(|line| !line.trim().is_empty());
        let mut at = items.iter();
        let is_item = |line: &str| {
            let order = at.next().map(|(lift, _)| *lift);
            let own = order.filter(|order| order.condition.is_none());
            indent(line) == depth && own.is_some_and(|order| only_leads(line, self.library.slice(order.span)))
        };
        let is_whole = lines.all(is_item) && at.next().is_none();
        // Who would do what stands behind the list comes back from none of the files.
        let behind = self.library.source(text.source).text().get(end as usize..)?;
        let ends = !behind.contains(char::is_alphanumeric);
        (is_whole && ends).then_some(Span {
            start: from,
            end,
            ..text
        })
    }

    /// Says whether nothing leads to some files but the list that names each of them once, and none before the last leads
    /// on or ends by itself.
    fn is_only_led(&self, items: &[(&'p Lift, SourceId)]) -> bool {
        let mut is_only = true;
        let place = |file: SourceId| items.iter().position(|(_, listed)| *listed == file);
        let mut look = |one: &Instruction| {
            let is_linked = place(one.span.source).is_some_and(|at| at + 1 < items.len());
            is_only &= !(is_linked && self.leads_or_ends(one));
            let Act::Do { lifts, .. } = &one.act else { return };
            for (lift, (target, span)) in lifts.iter().filter_map(|lift| Some((lift, lift.kind.followed()?))) {
                let to = self.file(target, span).and_then(place);
                is_only &= to.is_none_or(|to| std::ptr::eq(items[to].0, lift));
            }
        };
        for step in &self.workflow.steps {
            visit(&step.body, &mut look);
        }
        is_only
    }

    /// Says whether an instruction leads to another step, or ends the work; a stop for a case leaves the others alone.
    fn leads_or_ends(&self, one: &Instruction) -> bool {
        let leaves = |lift: &Lift| match &lift.kind {
            LiftKind::Halt { .. } => lift.condition.is_none(),
            LiftKind::Follow { target, target_span } => self.is_own_step(target, *target_span),
            kind => kind.leaves(),
        };
        match &one.act {
            Act::Do { lifts, .. } => lifts.iter().any(leaves),
            Act::Goto { .. } | Act::Return { .. } | Act::Halt { .. } => true,
            _ => false,
        }
    }
}

/// Says whether a line leads to a list, all of which is done in order: `Do these in order:`, `Load and follow all of the
/// following files in the given order:`. With any other word it may be for less than all.
fn says_all(line: &str) -> bool {
    let said = line.trim().trim_matches(['*', '_']).to_ascii_lowercase();
    let Some(said) = said.strip_suffix(':').map(|said| said.trim_end_matches(['*', '_'])) else {
        return false;
    };
    let said: Vec<&str> = words(said).collect();
    let [verb, rest @ ..] = said.as_slice() else {
        return false;
    };
    let rest = rest.strip_prefix(&["and", "follow"]).unwrap_or(rest);
    let rest = rest.strip_prefix(&["all"]).unwrap_or(rest);
    let rest = rest.strip_prefix(&["of"]).unwrap_or(rest);
    let (["these", rest @ ..] | ["them", rest @ ..] | ["the", "following", rest @ ..]) = rest else {
        return false;
    };
    let rest = rest.strip_prefix(&["steps"]).unwrap_or(rest);
    let rest = rest.strip_prefix(&["files"]).unwrap_or(rest);
    let is_order = matches!(
        rest,
        ["in", "order"] | ["in", "this", "order"] | ["in", "the", "given", "order"]
    );
    DOING.has(verb) && is_order
}

/// Says whether an item has a label and an order, and nothing else.
fn only_leads(line: &str, order: &str) -> bool {
    let Some((before, after)) = item(line).and_then(|said| said.split_once(order)) else {
        return false;
    };
    let label = before.strip_prefix("**").and_then(|label| label.split_once("**"));
    let before = label.map_or(before, |(_, behind)| behind);
    words(before).all(|word| LEADING.has(word)) && (words(after).all(|word| LEADING.has(word)) || is_purpose(after))
}

#[cfg(test)]
mod tests {
    use super::{only_leads, says_all};

    #[test]
    fn words_that_say_to_do_all_in_order_are_told_from_those_that_do_not() {
        for line in [
            "Do these in order:",
            "**Follow them in this order:**",
            "Load and follow all of the following files in the given order:",
            "Run all these steps in order:",
        ] {
            assert!(says_all(line), "{line}");
        }
        for line in [
            "Try these in order:",
            "Check in this order:",
            "In order to begin:",
            "Do one of these, in order of worth:",
            "Do these in order.",
            "Do not run these in order:",
            "Run only what applies of these, in order:",
            "Go with the first that fits, in this order:",
            "Do the first of these in order:",
            "Never do these in order:",
            "Do one of these:",
        ] {
            assert!(!says_all(line), "{line}");
        }
    }

    #[test]
    fn an_item_that_says_more_than_where_to_go_is_work() {
        let order = "read fully and follow `./a.md`";
        for (item, expected) in [
            ("- **Plan:** read fully and follow `./a.md`", true),
            ("1. read fully and follow `./a.md` to make the plan.", true),
            ("- **Plan** — then read fully and follow `./a.md`", true),
            (
                "- **Plan:** collect the facts, then read fully and follow `./a.md`",
                false,
            ),
            ("- **Plan:** read fully and follow `./a.md`, then write it down", false),
            ("read fully and follow `./a.md`", false),
        ] {
            assert_eq!(only_leads(item, order), expected, "{item}");
        }
    }
}
