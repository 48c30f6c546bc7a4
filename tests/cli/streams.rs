//! Which stream gets what, and in which colours.

use super::{Run, bmad};

const ESCAPE: char = '\u{1b}';

#[test]
fn a_wrong_command_line_is_a_usage_error_on_the_error_stream() {
    for args in [
        &["lnit"][..],
        &["lint", "--format", "xml"],
        &["lint", "--level", "loud"],
        &["graph"],
        &["completions", "tcsh"],
    ] {
        let ended = bmad(args);
        assert_eq!((ended.code, ended.output.as_str()), (2, ""), "{args:?}");
        assert!(ended.errors.starts_with("error: "), "{}", ended.errors);
    }
}

#[test]
fn a_misspelt_command_is_suggested() {
    insta::assert_snapshot!(bmad(&["lnit"]).errors, @r"
    error: unrecognized subcommand 'lnit'

      tip: a similar subcommand exists: 'lint'

    Usage: bmad [OPTIONS] <COMMAND>

    For more information, try '--help'.
    ");
}

#[test]
fn no_command_is_a_usage_error_with_help() {
    let ended = bmad(&[]);
    assert_eq!(ended.code, 2);
    assert!(ended.errors.contains("Usage: bmad"), "{}", ended.errors);
}

fn is_coloured(run: Run, args: &[&str]) -> bool {
    let mut all = vec!["--help"];
    all.extend(args);
    run.call(&all).output.contains(ESCAPE)
}

fn on_a_terminal() -> Run {
    Run {
        terminal: true,
        ..Run::default()
    }
}

#[test]
fn a_terminal_gets_colours_and_a_pipe_does_not() {
    assert!(is_coloured(on_a_terminal(), &[]));
    assert!(!is_coloured(Run::default(), &[]));
}

#[test]
fn the_environment_can_turn_colours_off_and_on() {
    assert!(!is_coloured(on_a_terminal().with("NO_COLOR", "1"), &[]));
    assert!(is_coloured(on_a_terminal().with("NO_COLOR", ""), &[]));
    assert!(!is_coloured(on_a_terminal().with("TERM", "dumb"), &[]));
    assert!(is_coloured(Run::default().with("CLICOLOR_FORCE", "1"), &[]));
    assert!(!is_coloured(Run::default().with("CLICOLOR_FORCE", "0"), &[]));
}

#[test]
fn the_option_has_the_last_word_on_colours() {
    let colourless = || on_a_terminal().with("NO_COLOR", "1");
    assert!(is_coloured(colourless(), &["--color", "always"]));
    assert!(is_coloured(colourless(), &["--color=always"]));
    assert!(!is_coloured(on_a_terminal(), &["--color=never"]));
    assert!(is_coloured(on_a_terminal(), &["--", "--color=never"]));
}

#[cfg(unix)]
#[test]
fn nothing_that_others_named_or_wrote_does_anything_to_a_terminal() {
    let file = "w\u{1b}]0;x\u{7}\u{202e}.xml";
    let flow = "<workflow name=\"Tea&#27;[2J\"><step n=\"1\" goal=\"Pour\u{9b}2J\">\
        <goto step=\"9\u{1b}[2J\"/><ask response=\"p\">Who\r\u{1b}[K?</ask></step></workflow>";
    let folder = super::folder_with(&[(file, flow)]);
    for words in [
        &["lint"][..],
        &["lint", "--format", "github"],
        &["explain", file],
        &["plan", file],
        &["graph", file],
        &["graph", file, "--format", "dot"],
        &["exec", file, "--non-interactive", "--agent", "command:\u{1b}[2J"],
        &["exec", "no\u{1b}[2J"],
    ] {
        let ended = super::bmad_in(folder.path(), words);
        let all = format!("{}{}", ended.output, ended.errors);
        let is_obeyed = |each: char| each.is_control() && !matches!(each, '\n' | '\t') || each == '\u{202e}';
        assert!(!all.contains(is_obeyed), "{words:?}: {all:?}");
    }
}
