//! The name of a shell in, a completion script out.

use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::cli::{Exit, args};
use clap_complete::Shell;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bmad completions bash > ~/.local/share/bash-completion/completions/bmad
  bmad completions fish > ~/.config/fish/completions/bmad.fish
  bmad completions zsh > \"${fpath[1]}/_bmad\"")]
pub(super) struct Args {
    /// The shell that will read the script
    shell: Shell,
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let mut grammar = args::grammar();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut grammar, "bmad", &mut script);
    std::io::Write::write_all(&mut session.output, &script)?;
    Ok(Exit::Clean)
}
