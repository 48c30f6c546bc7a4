//! The real process: its streams and its exit code.

use std::io::Read;
use std::process::{Command, Stdio};

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_bmad"))
}

#[test]
fn the_process_prints_and_ends_as_the_library_says() {
    let output = program().arg("--version").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        super::bmad(&["--version"]).output
    );
    let output = program().arg("lnit").output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let mut child = program()
        .args(["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Closing the pipe before the program can write more than one buffer of it.
    drop(child.stdout.take());
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!((child.wait().unwrap().code(), errors.as_str()), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_fails() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = program().args(["completions", "bash"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.starts_with("error: the output could not be written: "),
        "{errors}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_is_heard_while_others_of_many_turns_are_about_to_start() {
    let folder = super::folder_with(&[(
        "workflow.xml",
        "<workflow name=\"Many\"><step n=\"1\" goal=\"Send\"><set name=\"items\" value=\"1,2,3,4,5,6,7,8,9,10\"/>
         <parallel for=\"a in {items}\" max=\"100\"><parallel for=\"b in {items}\" max=\"100\">
         <dispatch mode=\"fresh\" access=\"read\">Do {a} and {b}.</dispatch></parallel></parallel></step></workflow>",
    )]);
    // A person presses Ctrl-C; `timeout` and whoever stops a service ask by the other one.
    for signal in ["INT", "TERM"] {
        // Whoever starts first interrupts the one that started it.
        let agent = format!("command:sh -c 'kill -{signal} $PPID; exec sleep 60'");
        let output = program()
            .args(["exec", "workflow.xml", "--non-interactive", "--agent", &agent])
            .args(["--state-dir", "state"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{signal}: {errors}");
        assert!(errors.contains("bmad resume"), "{signal}: {errors}");
    }
}
