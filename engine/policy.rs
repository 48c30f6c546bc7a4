//! A question in, an answer or nothing out: what a run does about questions where no person sits at it. Pure.
//!
//! The answers file goes first, then the policy. Neither ever guesses: what they do not answer stays open. And what
//! nobody may read, whoever wrote it: secrets.

mod answers;
mod blank;
mod decide;
mod fill;
mod places;
pub mod secret;
pub mod stop;

pub use answers::{Answers, AnswersError, Given, Unused};
pub use blank::blank;
pub use decide::Policy;
pub use fill::{Unfilled, fill, is_open};
