//! Speed, as ratios measured in one run: `cargo test --release bench -- --ignored --nocapture`.

mod corpus;
mod exec;
mod journal;
mod resume;
mod run;
mod similarity;
mod start;
mod validator;
mod workflow;
