//! What the program says about itself.

mod hook;
mod reviews;
mod runs;

use super::bmad;

fn help(command: &str) -> String {
    let ended = bmad(&[command, "--help"]);
    assert_eq!((ended.code, ended.errors.as_str()), (0, ""), "{command}");
    ended.output
}

#[test]
fn help_is_given_whichever_way_it_is_asked_for() {
    for words in [&["lint"][..], &["drivers", "probe"], &["--color", "never"], &[]] {
        let asked: Vec<&str> = ["help"].iter().chain(words).copied().collect();
        let plain: Vec<&str> = words.iter().chain(&["--help"]).copied().collect();
        let (asked, plain) = (bmad(&asked), bmad(&plain));
        assert_eq!((asked.code, &asked.output), (0, &plain.output), "{words:?}");
    }
    let unknown = bmad(&["help", "lnit"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.errors.contains("a similar subcommand exists: 'lint'"),
        "{}",
        unknown.errors
    );
}

#[test]
fn the_program_lists_its_commands_and_exit_codes() {
    let ended = bmad(&["--help"]);
    assert_eq!(ended.code, 0);
    insta::assert_snapshot!(ended.output, @r"
    Run, check, draw and explain BMAD workflows

    Usage: bmad [OPTIONS] <COMMAND>

    Commands:
      exec         Run a workflow
      resume       Go on with a run that stopped
      review       Review documents or changes, and fix what is found
      plan         Say what a run would do, and what it would ask
      runs         List the runs of this project
      answer       Answer a question that a run waits for
      log          Tell what a run did, line by line
      show         Tell what a run did, step by step
      verify       Check that the journal of a run is whole and true
      rollback     Undo the last part of a run
      trust        Let the hooks and commands of a file run, and the agents of `bmad.toml`
      hook         Keep an agent at work until its review is finished
      rehearse     Try a workflow on a copy, with random replies and answers
      doctor       Check that everything a run needs is here
      drivers      List the agents, look at one, or put its driver to the test
      lint         Check workflows, agents, skills and the files around them
      graph        Draw the flow of a workflow
      explain      Explain a rule, a tag, or what the engine understood of a file
      new          Start a workflow that checks clean
      fmt          Format files written in the engine's own tags
      schema       Print the schema of the tags, for editors
      completions  Print a completion script for a shell

    Options:
      -V, --version       Print version
          --color <WHEN>  Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help          Print help

    Examples:
      bmad lint                     check the BMAD installation found from here
      bmad lint _bmad --fix         check a folder and repair what is safe to repair
      bmad explain dead-goto        read what a rule means
      bmad graph workflow.yaml      draw a workflow
      bmad exec workflow.xml        run a workflow
      bmad resume                   go on with the last run

    Exit codes:
      0    done; nothing to complain about
      1    errors or warnings were found, or the work failed
      2    the command line or the configuration makes no sense
      3    a run waits for a person
      4    the journal of a run is damaged
      5    a limit stopped a run
      130  a run was interrupted; `bmad resume` goes on
    ");
}

#[test]
fn lint_explains_itself() {
    insta::assert_snapshot!(help("lint"), @r"
    Check workflows, agents, skills and the files around them

    Usage: bmad lint [OPTIONS] [PATH]...

    Arguments:
      [PATH]...  Files and folders to check

    Options:
          --format <FORMAT>   Choose how findings are printed [default: text] [possible values: text,
                              json, sarif, github]
          --level <SEVERITY>  Show findings of this severity and above [default: warning] [possible
                              values: hint, info, warning, error]
          --max <N>           Show at most this many findings; all are counted
          --fix               Repair what is safe to repair
          --watch             Check again whenever a file changes
          --exclude <GLOB>    Skip paths that match a pattern
          --deny <RULE>       Make the findings of a rule errors; `all` means every rule
          --warn <RULE>       Make the findings of a rule warnings; `all` means every rule
          --allow <RULE>      Drop the findings of a rule; `all` means every rule
          --color <WHEN>      Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help              Print help

    Without a path the BMAD installation around the current folder is found and checked.

    An error does not do what it says, a warning probably does not, an info is worth
    knowing, a hint is a better way. Only errors and warnings fail.

    A finding is silenced where it is written, by a comment on the line before:
      <!-- bmad: allow(dead-goto) -->

    Examples:
      bmad lint                             find the installation and check it
      bmad lint _bmad/bmm --level hint      show everything about one module
      bmad lint --fix workflows             repair what is safe to repair
      bmad lint --allow all --deny dead-goto,broken-reference
                                            look for two things only
      bmad lint --format sarif > bmad.sarif
                                            write a log for code scanning
    ");
}

#[test]
fn graph_explains_itself() {
    insta::assert_snapshot!(help("graph"), @r"
    Draw the flow of a workflow

    Usage: bmad graph [OPTIONS] <FILE>

    Arguments:
      <FILE>  The workflow, task or skill to draw

    Options:
          --format <FORMAT>  Choose what is printed [default: mermaid] [possible values: mermaid, dot,
                             svg]
          --color <WHEN>     Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help             Print help

    A step file or an instructions file means the workflow it is part of, a folder the workflow in it.
    An svg of a large workflow shows its steps and calls only.

    Examples:
      bmad graph workflow.yaml                          print a diagram for Markdown
      bmad graph workflow.yaml --format svg > flow.svg  draw a picture, no other program needed
    ");
}

#[test]
fn explain_explains_itself() {
    insta::assert_snapshot!(help("explain"), @r"
    Explain a rule, a tag, or what the engine understood of a file

    Usage: bmad explain [OPTIONS] <TOPIC|FILE>

    Arguments:
      <TOPIC|FILE>  A rule, a tag, a built-in or a file

    Options:
          --color <WHEN>  Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help          Print help

    `rules`, `tags` and `builtins` list what there is.

    Examples:
      bmad explain dead-goto        what the rule means, with examples
      bmad explain template-output  what the tag means
      bmad explain rules            every rule in one line
      bmad explain workflow.yaml    what the engine understood of a file:
                                    every lifted sentence, every condition and who decides it
    ");
}

#[test]
fn new_explains_itself() {
    insta::assert_snapshot!(help("new"), @r"
    Start a workflow that checks clean

    Usage: bmad new [OPTIONS] <NAME>

    Arguments:
      <NAME>  The name of the workflow and of its folder: small letters, digits and hyphens, 64 at most

    Options:
          --style <STYLE>  Choose what it is written in [default: xml] [possible values: xml, steps,
                           skill]
          --color <WHEN>   Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help           Print help

    A folder that exists is left alone.

    Examples:
      bmad new release-notes                make the folder release-notes here
      bmad new release-notes --style skill  make it a skill
      bmad lint release-notes               check it
    ");
}

#[test]
fn fmt_explains_itself() {
    insta::assert_snapshot!(help("fmt"), @r"
    Format files written in the engine's own tags

    Usage: bmad fmt [OPTIONS] <PATH>...

    Arguments:
      <PATH>...  Files and folders to format

    Options:
          --check         Change nothing and say what would change
          --color <WHEN>  Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help          Print help

    Well-formed XML files with `<workflow>`, `<task>` or `<tool>` at their root are formatted; others
    are left as they are. A file that is named and cannot be formatted fails.

    Examples:
      bmad fmt stdlib               format a folder
      bmad fmt stdlib --check       change nothing, exit 1 where something would change
    ");
}

#[test]
fn schema_explains_itself() {
    insta::assert_snapshot!(help("schema"), @r"
    Print the schema of the tags, for editors

    Usage: bmad schema [OPTIONS]

    Options:
          --color <WHEN>  Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help          Print help

    The schema is RELAX NG in its XML syntax: it knows every tag and its attributes.

    Examples:
      bmad schema > bmad.rng        save it where your editor looks for schemas
    ");
}

#[test]
fn completions_explains_itself() {
    insta::assert_snapshot!(help("completions"), @r#"
    Print a completion script for a shell

    Usage: bmad completions [OPTIONS] <SHELL>

    Arguments:
      <SHELL>  The shell that will read the script [possible values: bash, elvish, fish, powershell,
               zsh]

    Options:
          --color <WHEN>  Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help          Print help

    Examples:
      bmad completions bash > ~/.local/share/bash-completion/completions/bmad
      bmad completions fish > ~/.config/fish/completions/bmad.fish
      bmad completions zsh > "${fpath[1]}/_bmad"
    "#);
}

#[test]
fn no_sentence_of_help_ends_with_a_period() {
    let grammar = bmad::cli::grammar();
    let inner = grammar.get_subcommands().flat_map(clap::Command::get_subcommands);
    let commands = std::iter::once(&grammar).chain(grammar.get_subcommands()).chain(inner);
    for command in commands {
        let about = command.get_about().map(ToString::to_string);
        let help = |arg: &clap::Arg| arg.get_help().map(ToString::to_string);
        let sentences = about.into_iter().chain(command.get_arguments().filter_map(help));
        for sentence in sentences {
            assert!(!sentence.ends_with('.'), "{sentence}");
            assert!(sentence.starts_with(char::is_uppercase), "{sentence}");
        }
    }
}

#[test]
fn the_version_is_the_package_s() {
    let ended = bmad(&["--version"]);
    let version = format!("bmad {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!((ended.code, ended.output), (0, version));
}

#[test]
fn every_shell_gets_a_completion_script_that_knows_the_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ended = bmad(&["completions", shell]);
        assert_eq!((ended.code, ended.errors.as_str()), (0, ""), "{shell}");
        for command in bmad::cli::grammar().get_subcommands() {
            assert!(ended.output.contains(command.get_name()), "{shell}");
        }
    }
}
