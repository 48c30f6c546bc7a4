//! A workflow that is left before the first of its step files: what is noted.

use super::walk::{Flow, Walk};
use crate::model::{Origin, Step};
use crate::source::Span;

impl<'p> Walk<'_, 'p> {
    /// Notes that nothing of the work was done, unless a step file was begun before.
    pub(super) fn note_unled(&mut self, words: Span) -> Flow<'p> {
        let workflow = &self.image.workflows[self.frame().workflow];
        let is_file = |step: &&Step| step.origin == Origin::File;
        let is_named = |label: &str| {
            let mut own = workflow.steps.iter().filter(|step| !is_file(step));
            own.any(|step| step.label == label)
        };
        let reached = |label: &str| {
            let reached = &self.world.reached;
            reached.contains(&(workflow.name.clone(), label.to_owned()))
        };
        let mut files = workflow.steps.iter().filter(is_file);
        if files.any(|step| reached(&step.label) && !is_named(&step.label)) {
            return Flow::Next;
        }
        let place = self.image.place(words);
        let gap = format!(
            "{}: none of its step files was begun, because nothing that leads to one was judged to hold ({place})",
            workflow.name
        );
        if !self.tally.gaps.contains(&gap) {
            self.tally.gaps.push(gap);
        }
        Flow::Next
    }
}
