//! What is kept of a command, and what it gets.

use super::{Ear, Heard, MAX_ERR, MAX_OUT, MAX_RATE, Next, Pipe, Shell};
use crate::host::{CommandEnd, CommandLine, Commands, Ran};
use crate::policy::secret::Secrets;
use std::sync::Arc;
use std::time::Duration;

const MARK: &str = "[OUTPUT TRUNCATED AT 64KB]";

fn kept_whole(text: &[u8]) -> String {
    let mut pipe = Pipe::default();
    for chunk in text.chunks(16 * 1024) {
        pipe.take(chunk, MAX_OUT);
    }
    assert_eq!(pipe.size, text.len() as u64);
    pipe.text(MAX_OUT, &Secrets::common())
}

#[test]
fn exactly_64_kb_are_kept_as_they_are() {
    let text = "x".repeat(MAX_OUT);
    assert_eq!(kept_whole(text.as_bytes()), text);
    let lines = "1234567\n".repeat(MAX_OUT / 8);
    assert_eq!(kept_whole(lines.as_bytes()), lines);
}

#[test]
fn one_byte_more_is_cut_off_and_marked() {
    let text = "x".repeat(MAX_OUT + 1);
    assert_eq!(kept_whole(text.as_bytes()), format!("{}\n{MARK}", &text[..MAX_OUT]));
}

#[test]
fn the_cut_is_at_a_line_end_that_is_near() {
    let near = MAX_OUT - 1024;
    let mut text = vec![b'x'; MAX_OUT + 9];
    text[near] = b'\n';
    let expected = format!("{}\n{MARK}", "x".repeat(near));
    assert_eq!(kept_whole(&text), expected);
}

#[test]
fn a_line_end_further_away_is_not_looked_for() {
    let mut text = vec![b'x'; MAX_OUT + 9];
    text[MAX_OUT - 1025] = b'\n';
    let kept = kept_whole(&text);
    assert_eq!(kept.len(), MAX_OUT + 1 + MARK.len());
    assert!(kept.ends_with(&format!("x\n{MARK}")));
}

#[test]
fn a_character_is_not_cut_in_two() {
    let text = format!("x{}", "é".repeat(MAX_OUT));
    let kept = kept_whole(text.as_bytes());
    assert!(kept.ends_with(&format!("é\n{MARK}")) && !kept.contains('\u{fffd}'));
}

#[test]
fn a_secret_that_the_cut_goes_through_is_not_kept_in_part() {
    let token = ["ghp", "_", &"A1B2C3D4E5".repeat(4)].concat();
    let text = format!("{} {token} after", "x".repeat(MAX_OUT - 20));
    let kept = kept_whole(text.as_bytes());
    assert!(!kept.contains("ghp"), "{}", &kept[kept.len() - 80..]);
    let text = format!("before {token} after");
    assert_eq!(kept_whole(text.as_bytes()), "before [masked: GitHub token] after");
}

#[test]
fn more_than_a_megabyte_in_a_second_is_a_flood() {
    let mut heard = Heard::default();
    assert_eq!(heard.hear(&vec![b'x'; MAX_RATE - 1]), Next::More);
    assert_eq!(heard.note(b"x"), Next::More);
    assert_eq!(heard.note(b"x"), Next::Flood);
    assert!(heard.out.held.len() < MAX_OUT * 2);
}

#[expect(clippy::disallowed_methods, reason = "the test looks at real processes and files")]
fn ran(text: &str, variables: &[(&str, &str)], limit: u64) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let environment = [("PATH", "/usr/bin:/bin"), ("HOME", "/home/ada"), ("SECRET", "s")];
    let owned = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        let owned = pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        owned.collect()
    };
    let line = CommandLine {
        text: text.to_owned(),
        root: folder.path().to_path_buf(),
        variables: owned(variables),
        limit: Duration::from_millis(limit),
        token: "bmad-test-shell".to_owned(),
        input: String::new(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let shell = Shell::new(&owned(&environment), &Secrets::common());
    let ran = runtime.block_on(shell.run(Arc::new(line)));
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    ran
}

#[test]
fn a_value_is_never_read_as_a_command() {
    let value = "$(touch x) `touch y`; touch z 'a\" \\ !";
    for line in ["printf %s \"$TOOL_ARGS\"", "printf '%s' \"${TOOL_ARGS}\""] {
        let ran = ran(line, &[("TOOL_ARGS", value)], 5_000);
        assert_eq!((ran.end, ran.out.as_str()), (CommandEnd::Exit(0), value));
    }
    let bare = ran("echo $TOOL_ARGS", &[("TOOL_ARGS", "$(touch x); touch z")], 5_000);
    assert_eq!(bare.out, "$(touch x); touch z\n");
}

#[test]
fn a_command_gets_its_variables_and_little_else() {
    let ran = ran("env | cut -d= -f1 | grep -v '^_$' | sort", &[("STEP", "2")], 5_000);
    let names: Vec<&str> = ran
        .out
        .lines()
        .filter(|name| !matches!(*name, "PWD" | "SHLVL" | "OLDPWD"))
        .collect();
    let (own, others): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| !name.starts_with("BMAD_"));
    assert_eq!(own, ["HOME", "PATH", "STEP"]);
    assert_eq!(others.len(), 2, "{others:?}");
}

#[test]
fn a_nul_byte_is_refused_by_name() {
    let ran = ran("echo", &[("TOOL_ARGS", "a\0b")], 5_000);
    let why = "the value of TOOL_ARGS holds a NUL byte".to_owned();
    assert_eq!(ran.end, CommandEnd::Unstarted(why));
}

#[test]
fn what_takes_too_long_is_ended_and_what_it_said_is_kept() {
    let ran = ran("echo begun; exec sleep 60", &[], 200);
    assert_eq!((ran.end, ran.out.as_str()), (CommandEnd::Late, "begun\n"));
}

#[test]
fn what_writes_without_end_is_ended() {
    for line in ["exec yes", "exec yes >&2"] {
        assert_eq!(ran(line, &[], 60_000).end, CommandEnd::Flood, "{line}");
    }
}

#[test]
fn exit_code_and_messages_are_told() {
    let ran = ran("echo out; echo oh >&2; exit 3", &[], 5_000);
    let told = (ran.end, ran.out.as_str(), ran.err.as_str(), ran.size);
    assert_eq!(told, (CommandEnd::Exit(3), "out\n", "oh\n", 7));
}

#[test]
fn messages_have_a_cap_of_their_own() {
    let line = format!("head -c {} /dev/zero | tr '\\0' x >&2", MAX_ERR + 1);
    let ran = ran(&line, &[], 5_000);
    assert_eq!(ran.err, format!("{}\n[OUTPUT TRUNCATED AT 16KB]", "x".repeat(MAX_ERR)));
}
