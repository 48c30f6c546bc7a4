//! What the commands that review, and check what was done, say about themselves.

use super::help;

#[test]
fn verify_explains_itself() {
    insta::assert_snapshot!(help("verify"), @r"
    Check that the journal of a run is whole and true

    Usage: bmad verify [OPTIONS] [RUN]

    Arguments:
      [RUN]  The run, by its id or the beginning of it, or the certificate of a review; the last run

    Options:
          --json             Print one JSON object
          --state-dir <DIR>  The folder that the journals of runs are kept in
          --color <WHEN>     Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help             Print help

    Four things are checked: that no line of the journal was changed, dropped or moved; that
    every outcome belongs to something that was asked; that the files still hold what the run
    wrote; and, where the workflow is what it was, that the journal leads a fresh machine the
    same way. Every instruction that agents were given is counted, and every certificate of a
    review that it wrote is checked.

    A certificate can be checked alone: its digest, its counts, its words, and whether the files
    are still those that were reviewed.

    Exit code 0: all of it holds. 1: something differs. 4: the journal is damaged; the line is told.

    Examples:
      bmad verify                   check the last run
      bmad verify last --json       the same for a program
      bmad verify _bmad-output/reviews/prd-md-certificate.md
    ");
}

#[test]
fn review_explains_itself() {
    insta::assert_snapshot!(help("review"), @r"
    Review documents or changes, and fix what is found

    Usage: bmad review [OPTIONS] [FILE]...

    Arguments:
      [FILE]...  The files to review; a folder means the Markdown documents in it

    Options:
          --diff[=<COMMIT>]  Review what changed since a commit, HEAD where none is named
          --level <LEVEL>    How deep to look, instead of what confidence and tier say [possible values:
                             minimal, dual, full]
          --tier <TIER>      How much is at stake, 0 to 4; the built-in agent looks the same way at all
                             [default: 2]
          --no-fix           Change nothing, list what was found
          --fix              Repair what can be repaired, also without a model
          --format <FORMAT>  How the review is told [default: text] [possible values: text, json, sarif,
                             html]
          --report <RUN>     Tell of an earlier review instead of making one
          --agent <AGENT>    Who does the work, such as offline, manual, claude-code or
                             'command:PROGRAM'; without it whom bmad.toml names; a resume goes on with
                             whoever worked before
          --answers <FILE>   Answer questions from a file
          --yolo             Confirm nothing: take the one option that leads on
          --defaults         Take the option that is marked as the default
          --non-interactive  Ask nobody; questions that are still open end the run with exit code 3
          --wait             Wait where no agent can be asked, until one can, instead of stopping with
                             exit code 5
          --allow <COMMAND>  Let the built-in agent run this command, `*` at the end allows any
                             arguments; a `<run>` of the workflow too, where it is exactly this one
          --state-dir <DIR>  Keep the journals of runs here
          --color <WHEN>     Colour the output [default: auto] [possible values: auto, always, never]
      -h, --help             Print help

    Reviewers read at the same time, what they find is merged, checked and numbered, fixers get
    their share, and what they claim is verified, until nothing is open or a limit says why not.
    The issue tracker and a certificate are written below `_bmad-output/reviews`.

    Without an agent the built-in one looks for what can be shown to be wrong without a model:
    dead links, undefined requirements, ragged tables, and more. It repairs only with `--fix`.
    An agent with a model fixes what it finds unless `--no-fix` says otherwise.

    The exit code is 0 where nothing is left open, also where nothing changed, 1 where something is,
    and 5 where a limit ended the review before it could tell.

    Examples:
      bmad review README.md                          look at a document, without an account
      bmad review docs/prd.md --agent claude-code    review and fix it
      bmad review --diff=main --agent codex          review what changed since main
      bmad review docs --no-fix --format sarif       for a code scanning service
      bmad review --report last --format html        the last review as a page
    ");
}
