//! What the commands of the stop hook say about themselves.

use super::{bmad, help};

fn part(command: &str) -> String {
    let ended = bmad(&["hook", command, "--help"]);
    assert_eq!((ended.code, ended.errors.as_str()), (0, ""), "{command}");
    ended.output
}

#[test]
fn hook_explains_itself() {
    insta::assert_snapshot!(help("hook"), @r"
    Keep an agent at work until its review is finished

    Usage: bmad hook [OPTIONS] <COMMAND>

    Commands:
      install    Let an agent run the hook in this project
      uninstall  Take the hook away, and leave everything else as it is
      check      Tell whether the hook is there and whether it fires; spends nothing
      start      Begin a review that the agent may not leave unfinished
      end        Call the review off: the agent may stop
      stop       Say whether the agent may stop; this is what agents run

    Options:
          --color <WHEN>  Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help          Print help

    An agent stops when it thinks that it is done. While a review is on, the hook sends it back to
    work as long as issues are open in the tracker, and lets it go when nothing is open, when it
    needs a person, or when a limit is reached. Whatever goes wrong, it lets the agent go.

    Examples:
      bmad hook install --agent claude-code      let Claude Code run the hook in this project
      bmad hook check                            is it there, and does it fire
      bmad hook start --tracker issues.md        begin a review
      bmad hook end                              call it off: the agent may stop
      bmad hook uninstall --agent claude-code    take the hook away
    ");
}

#[test]
fn hook_install_explains_itself() {
    insta::assert_snapshot!(part("install"), @r"
    Let an agent run the hook in this project

    Usage: bmad hook install [OPTIONS] --agent <AGENT>

    Options:
          --agent <AGENT>   The agent [possible values: claude-code, codex]
          --project         Use the settings of the project, which everybody shares; the default
          --local           Use your own settings of the project, which nobody shares; Claude Code only
          --plugin [<DIR>]  Use a plugin in a folder of its own; Claude Code only
          --color <WHEN>    Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help            Print help

    The command that is put down names this program by its full path, so that it works where bmad
    is not on the path. It is run once to see that it answers as it should.

    Examples:
      bmad hook install --agent claude-code            in .claude/settings.json, for everybody
      bmad hook install --agent claude-code --local    in .claude/settings.local.json, for you
      bmad hook install --agent claude-code --plugin   as a plugin in its own folder
      bmad hook install --agent codex                  in .codex/hooks.json; Codex asks you to trust it
    ");
}

#[test]
fn hook_uninstall_explains_itself() {
    insta::assert_snapshot!(part("uninstall"), @r"
    Take the hook away, and leave everything else as it is

    Usage: bmad hook uninstall [OPTIONS] --agent <AGENT>

    Options:
          --agent <AGENT>   The agent [possible values: claude-code, codex]
          --project         Use the settings of the project, which everybody shares; the default
          --local           Use your own settings of the project, which nobody shares; Claude Code only
          --plugin [<DIR>]  Use a plugin in a folder of its own; Claude Code only
          --color <WHEN>    Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help            Print help

    Where nothing else changed, the file is then byte for byte what it was before.

    Examples:
      bmad hook uninstall --agent claude-code            out of .claude/settings.json and your own
      bmad hook uninstall --agent claude-code --local    out of your own only
      bmad hook uninstall --agent claude-code --plugin   the plugin, with its folder
    ");
}

#[test]
fn hook_start_explains_itself() {
    insta::assert_snapshot!(part("start"), @r"
    Begin a review that the agent may not leave unfinished

    Usage: bmad hook start [OPTIONS]

    Options:
          --prompt <TEXT>    Tell the agent this each time it is sent back
          --tracker <FILE>   Count the issues of this tracker, inside the project
          --document <FILE>  Name the document under review
          --max-rounds <N>   End with this round; the agent is sent back one time less
          --max-minutes <N>  End the review after this time
          --promise <TEXT>   End the review with exactly this text
          --again            Begin even though a review is on
          --color <WHEN>     Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help             Print help

    The state of the review is written to .claude/review-loop-state.yaml, or where `state_file`
    under `review_loop` in the configuration says. The round counts from 1: with three rounds the
    agent is sent back twice. As long as the tracker is not there, the review itself is what is open.

    Examples:
      bmad hook start --prompt 'Review docs/prd.md and fix what you find' --tracker issues.md
      bmad hook start --tracker issues.md --max-rounds 6
    ");
}

#[test]
fn hook_check_explains_itself() {
    insta::assert_snapshot!(part("check"), @r"
    Tell whether the hook is there and whether it fires; spends nothing

    Usage: bmad hook check [OPTIONS]

    Options:
          --agent <AGENT>  Look at this agent only [possible values: claude-code, codex]
          --plugin <DIR>   Look at a plugin too
          --color <WHEN>   Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help           Print help
    ");
}

#[test]
fn the_command_of_agents_takes_nothing() {
    insta::assert_snapshot!(part("stop"), @r"
    Say whether the agent may stop; this is what agents run

    Usage: bmad hook stop [OPTIONS]

    Options:
          --color <WHEN>  Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help          Print help
    ");
}
