//! An option that skips the rest of its step in, where it leads out: the next step file, or the end of the step.

use crate::model::instruction::{Act, Instruction, Target, Words, visit};
use crate::model::library::Document;
use crate::model::lift::Lift;
use crate::model::workflow::Origin;
use crate::source::Span;

/// Returns what leads past the rest of a step: the one step file that its file leads to, else a jump to its end.
pub(super) fn leading(document: &Document, origin: Origin, option: Span, end: Span) -> Instruction {
    match next_file(document).filter(|_| origin == Origin::File) {
        Some(next) => Instruction::prose(next.span, vec![next]),
        None => Instruction {
            act: Act::Goto {
                target: Target::Anchor(Words {
                    text: id(document, end),
                    span: option,
                }),
                says: None,
            },
            span: option,
            condition: None,
        },
    }
}

/// Finds the order that leads to the next step file, where all that name a step file name the same.
fn next_file(document: &Document) -> Option<Lift> {
    let is_step = |lift: &Lift| {
        let followed = lift.kind.followed();
        let words = || document.source.slice(lift.span);
        followed.is_some_and(|(target, _)| target.to_ascii_lowercase().contains("step")) && !lift.goes_back(words())
    };
    let found = document.lifts_in(document.body(), is_step);
    let target = |lift: &Lift| lift.kind.followed().map(|(target, _)| target.to_owned());
    let first = found.first()?;
    let is_one = found.iter().all(|lift| target(lift) == target(first));
    is_one.then(|| Lift {
        condition: None,
        ..first.clone()
    })
}

/// Marks the end of a stretch where something in it leads there.
pub(super) fn mark_end(document: &Document, read: &mut Vec<Instruction>, end: Span) {
    let mut is_wanted = false;
    visit(read, &mut |one| {
        is_wanted |= matches!(&one.act, Act::Goto { target: Target::Anchor(words), .. } if words.text.starts_with(END));
    });
    if is_wanted {
        read.push(Instruction {
            act: Act::Anchor { id: id(document, end) },
            span: end,
            condition: None,
        });
    }
}

/// What the name of the end of a stretch begins with.
const END: &str = "end at ";

/// Returns the name of the end of a stretch; no author can write it.
fn id(document: &Document, end: Span) -> String {
    let line = document.source.position(end.start).line;
    format!("{END}{}:{line}", document.source.path().name())
}
