//! Control flow to effects, one at a time for each lane. Pure: the same outcomes in, the same effects out.

mod effect;
mod envelope;
pub mod escape;
mod key;
pub mod matter;
mod question;
pub mod render;
pub mod section;
mod task;

pub use effect::{Checkpoint, Claim, Effect, Failure, FailureKind, How, Outcome, Write};
pub use envelope::{Acknowledged, Asked, Envelope, Evidence, Judgement, Status, Written};
pub use key::{Key, digest, sha256};
pub use question::{Answer, Asker, By, Choice, Question};
pub use task::{Access, Mode, Order, Task, Wanted};
