//! The name of a rule or tag, or a file, in; its explanation out.

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::session::Session;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bmad explain dead-goto        what the rule means, with examples
  bmad explain template-output  what the tag means
  bmad explain workflow.yaml    what the engine understood of a file:
                                every lifted sentence, every condition and who decides it")]
pub(super) struct Args {
    /// A rule, a tag or a file
    #[arg(value_name = "RULE|TAG|FILE")]
    pub(super) topic: String,
}

pub(super) fn run(args: &Args, _session: &mut Session<'_>) -> Result<Exit, Failure> {
    Err(Failure::usage(format!(
        "`{}` cannot be explained yet",
        args.topic
    )))
}
