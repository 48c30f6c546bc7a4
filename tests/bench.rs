//! Speed, as ratios measured in one run: `cargo test --release bench -- --ignored --nocapture`.

mod corpus;
mod journal;
mod run;
mod start;
mod validator;
