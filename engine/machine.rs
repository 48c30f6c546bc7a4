//! Control flow to effects, one at a time for each lane. Pure: the same outcomes in, the same effects out.

mod advance;
mod ask;
mod call;
mod code;
mod contract;
mod decide;
mod document;
mod effect;
mod end;
mod envelope;
pub mod escape;
mod flow;
mod fork;
mod key;
mod known;
mod lane;
pub mod matter;
mod menu_text;
mod options;
mod question;
pub mod render;
pub mod section;
mod task;
mod time;
mod turn;
mod walk;

pub use advance::{Issued, Machine};
pub use code::Image;
pub use effect::{Checkpoint, Claim, Effect, Failure, FailureKind, How, Outcome, Write};
pub use end::{End, EndKind, Tally};
pub use envelope::{Acknowledged, Asked, Envelope, Evidence, Judgement, Status, Written};
pub use key::{Key, digest, sha256};
pub use menu_text::{Detected, FalseAlarms, THRESHOLD, detect};
pub use options::Options;
pub use question::{Answer, Asker, By, Choice, Question};
pub use task::{Access, Mode, Order, Task, Wanted};
