//! What the commands that run workflows, and look at runs, say about themselves.

use super::help;

#[test]
fn exec_explains_itself() {
    insta::assert_snapshot!(help("exec"), @r"
    Run a workflow

    Usage: bmad exec [OPTIONS] <FILE> [WORDS]

    Arguments:
      <FILE>   The workflow, task or skill to run
      [WORDS]  What you want of it, in your own words

    Options:
      -i, --input <NAME=VALUE>  Give an input of the workflow a value
          --dry-run             Say what would happen and do nothing
          --fuel <NODES>        Stop after this many nodes [default: 10000]
          --agent <AGENT>       Who does the work, such as offline, manual, claude-code or
                                'command:PROGRAM'; without it whom bmad.toml names; a resume goes on
                                with whoever worked before
          --answers <FILE>      Answer questions from a file
          --yolo                Confirm nothing: take the one option that leads on
          --defaults            Take the option that is marked as the default
          --non-interactive     Ask nobody; questions that are still open end the run with exit code 3
          --wait                Wait where no agent can be asked, until one can, instead of stopping
                                with exit code 5
          --allow <COMMAND>     Let the built-in agent run this command, `*` at the end allows any
                                arguments; a `<run>` of the workflow too, where it is exactly this one
          --json                Print events as JSON, one a line
          --state-dir <DIR>     Keep the journals of runs here
          --color <WHEN>        Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help                Print help

    The engine walks the workflow; the agent does one step at a time. Everything that is done
    is kept in a journal, so that `bmad resume` goes on where a run stopped and pays for
    nothing twice.

    `bmad.toml` says which agent does which work and what a run may use: money, tokens, calls,
    time. A run that reaches such a ceiling, or finds no agent that can be asked now, is parked:
    exit code 5, or `--wait`.

    Examples:
      bmad exec workflow.xml                          run it, with the agent that needs no model
      bmad exec .claude/skills/bmad-spec 'A sundial'  run a skill, and say what it is to do
      bmad exec flow.yaml --agent 'command:my-agent'  let a program do the work
      bmad exec flow.yaml --agent claude-code --wait  wait where a usage limit is reached
      bmad exec workflow.xml --answers answers.yaml   answer its questions from a file
      bmad exec workflow.xml --non-interactive        ask nobody; open questions end the run
      bmad exec workflow.xml --dry-run                say what would happen and do nothing
    ");
}

#[test]
fn resume_explains_itself() {
    insta::assert_snapshot!(help("resume"), @r"
    Go on with a run that stopped

    Usage: bmad resume [OPTIONS] [RUN]

    Arguments:
      [RUN]  The run, by its id or the beginning of it; the last one

    Options:
          --plan               Say what would be used again and what would be paid, and do nothing
          --anyway             Go on although the last resumes got nowhere, or an earlier version read
                               the workflow otherwise
          --raise              Let limits count that were raised in bmad.toml while the run was at work,
                               and prices that were lowered
          --unfinished <WHAT>  What becomes of files that a turn left behind when it was cut off;
                               without it you are asked, and where nobody answers they are put back
                               [possible values: restore, keep]
          --fuel <NODES>       Stop after this many nodes, those that are not repeated included
          --agent <AGENT>      Who does the work, such as offline, manual, claude-code or
                               'command:PROGRAM'; without it whom bmad.toml names; a resume goes on with
                               whoever worked before
          --answers <FILE>     Answer questions from a file
          --yolo               Confirm nothing: take the one option that leads on
          --defaults           Take the option that is marked as the default
          --non-interactive    Ask nobody; questions that are still open end the run with exit code 3
          --wait               Wait where no agent can be asked, until one can, instead of stopping with
                               exit code 5
          --allow <COMMAND>    Let the built-in agent run this command, `*` at the end allows any
                               arguments; a `<run>` of the workflow too, where it is exactly this one
          --json               Print events as JSON, one a line
          --state-dir <DIR>    Keep the journals of runs here
          --color <WHEN>       Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help               Print help

    Nothing that was done is done again. A turn of an agent that was cut off is taken again;
    the files it left behind are put back first, or kept where you say so. Where the workflow
    was edited, what changed is done again, and so is what comes after it, but for answers and
    turns that only read. Where a run failed because the replies to a turn were not taken, that
    turn is asked for anew. What is said here of the agent, --yolo, --fuel and --allow counts for
    later resumes, until something else is said. A review ends as `bmad review` ends: with what
    was found, and its exit code.

    Examples:
      bmad resume                    go on with the last run of this project
      bmad resume 20261115-0616      go on with this one
      bmad resume --agent manual     let another agent fill what the last one left open
      bmad resume --plan             say what would be used again and what would be paid
    ");
}

#[test]
fn plan_explains_itself() {
    insta::assert_snapshot!(help("plan"), @r"
    Say what a run would do, and what it would ask

    Usage: bmad plan [OPTIONS] <FILE>

    Arguments:
      <FILE>  The workflow, task or skill to look through

    Options:
          --json          Print one JSON object
          --color <WHEN>  Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help          Print help

    Nothing runs, nobody is asked, nothing is written.

    Examples:
      bmad plan workflow.xml          list its steps, its questions and who decides what
      bmad plan workflow.xml --json   the same for a program
    ");
}

#[test]
fn runs_explains_itself() {
    insta::assert_snapshot!(help("runs"), @r"
    List the runs of this project

    Usage: bmad runs [OPTIONS]

    Options:
          --json                 Print one JSON object a line
          --remove <RUN>         Remove a run that is over
          --remove-older <DAYS>  Remove every run that is over and ended so many days ago or before
          --force                Remove runs that could still go on, too
          --state-dir <DIR>      The folder that the journals of runs are kept in
          --color <WHEN>         Colour the output [default: auto] [possible values: auto, always,
                                 never]
      -h, --help                 Print help

    Examples:
      bmad runs                     what became of each run, the newest last
      bmad runs --json              the same for a program
      bmad runs --remove-older 30   remove what ended 30 days ago or before

    With a run goes all that was kept for it: its journal, its reports, and the snapshots
    that `bmad rollback` goes back to. What it wrote into the project stays.
    ");
}

#[test]
fn answer_explains_itself() {
    insta::assert_snapshot!(help("answer"), @r"
    Answer a question that a run waits for

    Usage: bmad answer [OPTIONS] <RUN> <ID> <ANSWER>

    Arguments:
      <RUN>     The run, by its id or the beginning of it, or `last`
      <ID>      The question, by its id
      <ANSWER>  The answer

    Options:
          --state-dir <DIR>  The folder that the journals of runs are kept in
          --color <WHEN>     Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help             Print help

    Examples:
      bmad answer last 2-1f3a9c20 c            choose c
      bmad answer last 1-77ab01ff 'Our shop'   answer in words
      bmad resume                              go on
    ");
}

#[test]
fn log_explains_itself() {
    insta::assert_snapshot!(help("log"), @r"
    Tell what a run did, line by line

    Usage: bmad log [OPTIONS] [RUN]

    Arguments:
      [RUN]  The run, by its id or the beginning of it; the last one

    Options:
      -f, --follow           Go on until the run stops
          --json             Print the lines of the journal as they are
          --state-dir <DIR>  The folder that the journals of runs are kept in
          --color <WHEN>     Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help             Print help

    A line tells when, in which step, what was asked and what came of it. `!` marks what failed
    and what an agent claimed that was not so, `~` what was rolled back. Times are UTC.

    Examples:
      bmad log                      what the last run did, line by line
      bmad log --follow             the same, and go on until the run stops
      bmad log last --json          the lines as the journal has them, hashes included
    ");
}

#[test]
fn show_explains_itself() {
    insta::assert_snapshot!(help("show"), @r"
    Tell what a run did, step by step

    Usage: bmad show [OPTIONS] [RUN]

    Arguments:
      [RUN]  The run, by its id or the beginning of it; the last one

    Options:
          --turn <N>         Print what this turn was told and what it replied, in full [alias:
                             --prompt]
          --json             Print one JSON object
          --state-dir <DIR>  The folder that the journals of runs are kept in
          --color <WHEN>     Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help             Print help

    A file is `same` where it holds what the run wrote, `changed since` where somebody changed
    it, `gone` where it is not there any more.

    Examples:
      bmad show                     what the last run did
      bmad show --turn 3            what the third turn was told and what it replied, in full;
                                    for a command, what it wrote
      bmad show last --json         the same for a program
    ");
}

#[test]
fn rollback_explains_itself() {
    insta::assert_snapshot!(help("rollback"), @r"
    Undo the last part of a run

    Usage: bmad rollback [OPTIONS] <--to <STEP>|--last|--take <NAME>> <RUN> [PATH]...

    Arguments:
      <RUN>      The run, by its id or the beginning of it, or `last`
      [PATH]...  The files and folders of the project that `--take` is about; `.` for all

    Options:
          --to <STEP>        Go back to the beginning of this step
          --last             Go back to before what was written last, the writes right before it and the
                             beginning of their step
          --take <NAME>      Make files what they were when the run kept them under this name
      -y, --yes              Do it
          --snapshot         Put back what differs from the snapshot that was taken before the first
                             turn that is undone, too
          --edited           Put back files that somebody changed between two writes of the run, too
          --json             Print one JSON object
          --state-dir <DIR>  The folder that the journals of runs are kept in
          --color <WHEN>     Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help             Print help

    Without `--yes` nothing happens: it is said which files would become what, what would have
    to be done again, and what cannot be undone. Nothing is taken out of the journal: a line is
    added that says which lines before it are void.

    Only files that still hold what the run wrote are put back; one that somebody changed since
    is left alone and listed, and so is one that somebody changed between two writes of the run:
    `--edited` puts that back, too, and says how to have the changes back. Where the run writes
    such a file again it does so, keeps what was in it, and says the command that has it back.
    What agents changed by themselves is not the run's own: it is listed, and `--snapshot` puts
    it back too.

    Files that changed during a turn that may only read are put back by the run, and kept as
    they were then, and so is what the run wrote over: `--take` has them back. It takes nothing
    out of the run.

    Examples:
      bmad rollback last --to 3          what it would take to go back to the beginning of step 3
      bmad rollback last --to 3 --yes    do it
      bmad rollback last --last --yes    undo what was written last, back to the beginning of its
                                         step where nobody was asked in between
      bmad rollback last --take NAME docs --yes
                                         have files back that the run put back
      bmad resume                        go on from there
    ");
}

#[test]
fn rehearse_explains_itself() {
    insta::assert_snapshot!(help("rehearse"), @r"
    Try a workflow on a copy, with random replies and answers

    Usage: bmad rehearse [OPTIONS] <FILE> [WORDS]

    Arguments:
      <FILE>   The workflow, task or skill to try
      [WORDS]  What you want of it, in your own words

    Options:
          --seeds <N>           How many rehearsals there are [default: 20]
          --seed <SEED>         Do only the rehearsal of this seed
      -i, --input <NAME=VALUE>  Give an input of the workflow a value
          --fuel <NODES>        Stop each rehearsal after this many nodes [default: 10000]
          --json                Print one JSON object
          --color <WHEN>        Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help                Print help

    The files of the project are copied to a folder that goes afterwards: in a git work tree
    those that git keeps or would keep. There the workflow runs once for every seed. An agent
    replies at random, good and bad; questions are answered at random, and no command is run:
    its end is made up, too. The same seed always gives the same rehearsal.

    A step that is never reached may need luck: more seeds tell. What a real agent would do is
    not told.

    Exit code 1: the engine itself failed.

    Examples:
      bmad rehearse workflow.xml                what may happen, over 20 rehearsals
      bmad rehearse workflow.xml --seeds 200    the same over 200
      bmad rehearse workflow.xml --seed 7       the one rehearsal of seed 7
    ");
}

#[test]
fn trust_explains_itself() {
    insta::assert_snapshot!(help("trust"), @r"
    Let the hooks and commands of a file run, and the agents of `bmad.toml`

    Usage: bmad trust [OPTIONS] <FILE>

    Arguments:
      <FILE>  The file that names the commands; for a workflow, its other files too

    Options:
          --yes              Trust them without being asked
          --list             Only show them
          --forget           Trust them no longer
          --state-dir <DIR>  The folder that the journals of runs are kept in
          --color <WHEN>     Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help             Print help

    A hook is a command that a workflow, an agent or `bmad.toml` wants to be run during a run;
    a `<run>` of a workflow is another, and so are the `checks` of reviews. `bmad.toml` may also
    name a program as an agent, or let an agent do more. Files come from anywhere, so all this
    counts only after you have seen it. What you trust is exactly this: once it changes, or a
    script of the project that it starts, it is asked for again.

    Examples:
      bmad trust workflow.md          show the commands of a workflow and its steps, and ask
      bmad trust bmad.toml --yes      trust those of the project without being asked
      bmad trust bmad.toml --list     only show them
      bmad trust bmad.toml --forget   trust them no longer
    ");
}
