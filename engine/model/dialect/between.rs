//! What stands between a menu and its answers, where each of them leads away: it is told with the answer.

use super::around::says;
use crate::model::instruction::{Act, Branch, Instruction, Menu};
use crate::model::library::Document;
use crate::model::lift::{Lift, LiftKind};
use crate::source::{Source, Span};
use crate::syntax::{Heading, trim};

/// Puts what stands right behind a menu, before the first of its answers, first in each answer that leads on, where nobody
/// would come by it: `When an approach is chosen: - Append the overview`.
pub(super) fn tell_first(document: &Document, read: &mut Vec<Instruction>, answers: &[Span]) {
    let source = &document.source;
    let mut at = 1;
    while at < read.len() {
        let (menus, rest) = read.split_at_mut(at);
        let (menu, next) = (&mut menus[at - 1], &rest[0]);
        let place = menu.span;
        let first = answers.iter().find(|answer| answer.start >= place.end);
        let is_between = place.end <= next.span.start && first.is_some_and(|first| next.span.end <= first.start);
        let told = match (&mut menu.act, &next.act) {
            (Act::Menu(menu), Act::Do { lifts, .. }) if is_between && leads_away(source, menu) => {
                let told = work(document, next.span);
                told.filter(|_| !lifts.iter().any(goes)).map(|told| (menu, told))
            }
            _ => None,
        };
        let Some((menu, told)) = told else {
            at += 1;
            continue;
        };
        let is_led = |branch: &&mut Branch| !branch.again && branch.body.iter().any(|one| leads(source, one));
        for branch in menu.branches.iter_mut().filter(is_led) {
            let lifts = document.lifts_in(told, |lift| lift.kind.gives().is_some());
            branch.body.insert(0, Instruction::prose(told, lifts));
        }
        read.remove(at);
    }
}

/// Says whether nothing comes by what stands behind a menu: an answer leads to a step, so that those that say nothing come
/// back, and none says to go on below.
fn leads_away(source: &Source, menu: &Menu) -> bool {
    let is_led = |branch: &Branch| !branch.again && branch.body.iter().any(|one| leads(source, one));
    menu.branches.iter().any(is_led) && !menu.branches.iter().any(|branch| branch.onward)
}

/// Says whether an instruction leads to a step file.
fn leads(source: &Source, one: &Instruction) -> bool {
    let Act::Do { lifts, .. } = &one.act else {
        return false;
    };
    lifts.iter().any(|lift| {
        let to_step = |(target, _): (&str, Span)| target.to_ascii_lowercase().contains("step");
        lift.kind.followed().is_some_and(to_step) && !lift.goes_back(source.slice(lift.span))
    })
}

/// Says whether a lift goes elsewhere, so that the text it stands in is more than work for an agent.
fn goes(lift: &Lift) -> bool {
    let waits = lift.is_plain_halt() || matches!(lift.kind, LiftKind::Wait);
    !waits && (lift.kind.leaves() || lift.kind.followed().is_some() || matches!(lift.kind, LiftKind::Skill { .. }))
}

/// Returns the first sections behind a menu that hold work of their own: not the rest of what the menu shows, and no rules.
fn work(document: &Document, text: Span) -> Option<Span> {
    let source = &document.source;
    let inside = |heading: &&Heading| text.contains(heading.span);
    let headings = document.parsed.markdown.headings.iter().filter(inside);
    let starts: Vec<u32> = headings.map(|heading| heading.span.start).collect();
    let ends = starts.iter().skip(1).copied().chain([text.end]);
    let sections = starts.iter().zip(ends).map(|(start, end)| Span {
        start: *start,
        end,
        ..text
    });
    let is_rule = |section: &Span| is_heading_of_rules(source.slice(*section).lines().next().unwrap_or_default());
    let is_work = |section: &Span| says(source.slice(*section));
    let sections: Vec<Span> = sections.take_while(|section| !is_rule(section)).collect();
    let (first, last) = (sections.first()?, sections.iter().rfind(|section| is_work(section))?);
    let (told, text) = trim(source, first.to(*last));
    // A text between fences is told before the menu.
    (!text.contains("\n```")).then_some(told)
}

/// What headings are called that a text of rules stands under.
const RULES: &[&str] = &[
    "rules",
    "protocols",
    "metrics",
    "boundaries",
    "success",
    "failure",
    "failures",
];

/// Says whether what stands under a heading is a list of rules, or of what is good and what is bad.
pub(crate) fn is_heading_of_rules(heading: &str) -> bool {
    let name = heading.split('(').next().unwrap_or_default().trim();
    // A section with a number is a part of the work, whatever it is called.
    let is_numbered = heading.contains(|at: char| at.is_ascii_digit());
    let is_loud = name.ends_with(':') || !name.contains(char::is_lowercase);
    let mut words = name
        .rsplit(|at: char| !at.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let last = words.next().unwrap_or_default();
    let last = if last.eq_ignore_ascii_case("modes") {
        words.next()
    } else {
        Some(last)
    };
    let names_rules = last.is_some_and(|last| RULES.iter().any(|rules| last.eq_ignore_ascii_case(rules)));
    is_loud && !is_numbered && names_rules
}
