//! Control flow to effects, one at a time for each lane. Pure: the same outcomes in, the same effects out.

mod effect;
mod envelope;
mod key;
mod question;
mod task;

pub use effect::{Checkpoint, Claim, Effect, Failure, FailureKind, How, Outcome, Write};
pub use envelope::{Acknowledged, Asked, Envelope, Evidence, Judgement, Status, Written};
pub use key::{Hashing, Key, digest, hex, sha256};
pub use question::{Answer, Asker, By, Choice, Question};
pub use task::{Access, Mode, Order, Task, Wanted};
