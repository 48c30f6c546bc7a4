//! Cases that are settled before the rest of a text is told: `If the file exists: STOP and load the other step.`

use super::compile::Compiler;
use super::guard::Guard;
use super::left::words;
use crate::model::{Lift, LiftKind, indent, is_heading_of_rules, item};
use crate::source::Span;
use crate::syntax::WordList;

/// Words that ask what is there, which the work itself may change.
static PRESENT: WordList = WordList::new(&["exists", "exist", "already", "missing"]);

impl<'p> Compiler<'p> {
    /// Returns where each text ends that has to be told before what stands behind it: a case in it leads elsewhere, and
    /// whoever went on would do what is for the other case alone. Under one heading, cases with no order between them end
    /// together.
    pub(super) fn firsts(&self, acts: &[(&'p Lift, Option<Guard>)], text: Span) -> Vec<u32> {
        let mut found: Vec<u32> = Vec::new();
        let mut heading = None;
        for (at, (lift, guard)) in acts.iter().enumerate() {
            let Some(guard) = guard
                .as_ref()
                .filter(|guard| text.contains(lift.span) && self.is_first(lift, guard, text))
            else {
                continue;
            };
            let end = self.end_of_case(lift, guard, text);
            let next = acts[at + 1..].iter().find(|(next, _)| next.span.start >= end);
            let splits = next.is_some_and(|(_, guard)| matches!(guard, Some(Guard::Otherwise)));
            let calls = |(act, guard): &(&'p Lift, Option<Guard>)| guard.is_none() && act.span.start < end;
            if splits || acts[at + 1..].iter().any(calls) || !self.orders(Span { start: end, ..text }, acts) {
                continue;
            }
            let above = self.heading_above(lift.span);
            // Cases that stand together are settled together.
            let since = |end: u32| Span {
                start: end,
                end: self.sentence(lift.span, text).start.max(end),
                ..text
            };
            let is_same = heading.replace(above) == Some(above);
            if is_same && found.last().is_some_and(|end| !self.orders(since(*end), acts)) {
                found.pop();
            }
            found.push(end);
        }
        found
    }

    /// Says whether a case is about what is there before any work is done, or stops in capitals.
    fn is_first(&self, lift: &Lift, guard: &Guard, text: Span) -> bool {
        let leads = match lift.kind {
            LiftKind::Follow { .. } | LiftKind::Goto { .. } => !self.comes_back(lift),
            LiftKind::Section { .. } | LiftKind::Exit | LiftKind::Return | LiftKind::Halt { .. } => true,
            LiftKind::Set { .. } | LiftKind::Skill { .. } | LiftKind::Store { .. } | LiftKind::Ask | LiftKind::Wait => {
                false
            }
        };
        let Some(said) = guard.place().map(|place| self.library.slice(place)) else {
            return false;
        };
        let follows = matches!(lift.kind, LiftKind::Follow { .. });
        let line = self.library.slice(self.sentence(lift.span, text));
        let jumps = matches!(lift.kind, LiftKind::Section { .. });
        let stops = follows && words(line).any(|word| word == "STOP");
        leads && !self.is_among_rules(lift.span) && (jumps || stops || words(said).any(|word| PRESENT.has(word)))
    }

    /// Returns where the lines end that a case is told in: its own, and those that belong to the same condition.
    fn end_of_case(&self, lift: &Lift, guard: &Guard, text: Span) -> u32 {
        let own = self.sentence(lift.span, text);
        let line = self.library.slice(own);
        let (depth, is_item) = (indent(line), item(line).is_some());
        // What stands beside an item with a condition of its own is for every case.
        let is_alone = guard.place().is_some_and(|place| own.contains(place));
        let belongs = |line: &str| match (indent(line) > depth, item(line).is_some()) {
            (true, _) => true,
            (false, true) => is_item && !is_alone && indent(line) == depth,
            (false, false) => !is_item && !is_alone && !line.starts_with('#'),
        };
        let below = Span {
            start: own.end.min(text.end),
            ..text
        };
        let mut lines = self.library.slice(below).split_inclusive('\n');
        let end = below.start + lines.next().map_or(0, str::len) as u32;
        let more = lines.take_while(|line| !line.trim().is_empty() && belongs(line));
        end + more.map(|line| line.len() as u32).sum::<u32>()
    }

    /// Says whether a text orders anything that is not what the engine does itself, before its rules.
    fn orders(&self, text: Span, acts: &[(&'p Lift, Option<Guard>)]) -> bool {
        let mut start = text.start;
        for line in self.library.slice(text).split_inclusive('\n') {
            let place = start..start + line.len() as u32;
            start = place.end;
            if line.starts_with('#') {
                if is_heading_of_rules(line) {
                    return false;
                }
                continue;
            }
            let leads = line.trim_end().trim_end_matches(['*', '_']).ends_with(':');
            let is_act = acts.iter().any(|(lift, _)| place.contains(&lift.span.start));
            if line.contains(char::is_alphanumeric) && !leads && !is_act {
                return true;
            }
        }
        false
    }

    /// Returns the heading that some words stand under.
    fn heading_above(&self, place: Span) -> Option<Span> {
        let document = self.library.document(place.source);
        let headings = document.parsed.markdown.headings.iter().map(|heading| heading.span);
        headings.take_while(|heading| heading.start <= place.start).last()
    }

    /// Says whether words stand among rules, or among the conditions to stop that hold for all of the work.
    fn is_among_rules(&self, place: Span) -> bool {
        let heading = self.heading_above(place).map(|heading| self.library.slice(heading));
        heading.is_some_and(|heading| {
            let last = words(heading).last().unwrap_or_default();
            is_heading_of_rules(heading) || last.eq_ignore_ascii_case("conditions")
        })
    }
}
