//! Where in the workflows an effect comes from.

use crate::source::SourceId;

/// Where an effect comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whence {
    /// The workflow, by position.
    pub workflow: usize,
    /// The file of the step.
    pub file: SourceId,
}
