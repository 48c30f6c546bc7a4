//! Control flow to effects, one at a time for each lane. Pure: the same outcomes in, the same effects out.

mod effect;
mod envelope;
mod key;
mod menu_text;
mod question;
mod task;

pub use effect::{Checkpoint, Claim, Effect, Failure, FailureKind, How, Outcome, Write};
pub use envelope::{Acknowledged, Asked, Envelope, Evidence, Judgement, Status, Written};
pub use key::{Key, digest, sha256};
pub use menu_text::{Detected, FalseAlarms, THRESHOLD, detect};
pub use question::{Answer, Asker, By, Choice, Question};
pub use task::{Access, Mode, Order, Task, Wanted};
