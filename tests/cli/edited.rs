//! Workflows that are edited while a run of them waits: what comes after the first difference is done again, in every
//! later process too.

use super::aftermath::process;
use super::{Ended, folder_with};
use std::fs;
use tempfile::TempDir;

mod lanes;
mod random;
mod sections;

/// Notes its calls, and what `conf.txt` holds. Where a file `kill` is there it ends the engine in the middle.
const TOOL: &str = r#"echo "$2" >> "$1/calls"
cat conf.txt > "built-$2.txt" 2>/dev/null
test -e "$1/kill" && rm "$1/kill" && kill -9 $PPID && exit 1
cat conf.txt
"#;
const AGENT: &str = r#"words=$(cat)
what=$(printf '%s' "$words" | grep -o 'Build [a-z-]*' | head -1)
sh "$1/tool.sh" "$1" "${what#Build }" > /dev/null
test -e "$1/killed" && rm "$1/killed" && kill -9 $PPID && exit 1
echo '{"text":"ok"}'
"#;

/// A project with a workflow of one step.
fn place(body: &str) -> TempDir {
    let place = folder_with(&[("tool.sh", TOOL), ("agent.sh", AGENT), ("calls", "")]);
    fs::create_dir(place.path().join("project")).unwrap();
    edit(&place, body);
    place
}

/// Writes the workflow: its commands call the tool.
fn edit(place: &TempDir, body: &str) {
    let tool = format!("exec sh {0}/tool.sh {0}", place.path().display());
    let body = body.replace("TOOL", &tool);
    let flow = format!("<workflow name=\"E\"><step n=\"1\" goal=\"Build\">{body}</step></workflow>\n");
    fs::write(place.path().join("project/workflow.xml"), flow).unwrap();
}

fn trust(place: &TempDir) {
    assert_eq!(process(place, &["trust", "workflow.xml", "--yes"]).code, 0);
}

fn exec(place: &TempDir) -> Ended {
    let folder = place.path().display();
    let agent = format!("command:sh {folder}/agent.sh {folder}");
    process(place, &["exec", "workflow.xml", "--non-interactive", "--agent", &agent])
}

fn resume(place: &TempDir, words: &[&str]) -> Ended {
    process(place, &[&["resume", "--non-interactive"], words].concat())
}

fn calls(place: &TempDir) -> String {
    let calls = fs::read_to_string(place.path().join("calls")).unwrap();
    calls.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn holds(place: &TempDir, path: &str) -> String {
    let text = fs::read_to_string(place.path().join("project").join(path)).unwrap_or_default();
    text.trim().to_owned()
}

fn kill_next(place: &TempDir) {
    fs::write(place.path().join("kill"), "").unwrap();
}

fn assert_true(place: &TempDir) {
    let verified = process(place, &["verify"]);
    assert_eq!(verified.code, 0, "{}", verified.output);
}

const CONF: &str = "<output file=\"{project-root}/conf.txt\">debug</output>";
const SHIP: &str = "<ask response=\"go\">Ship?</ask>";

#[test]
fn what_was_built_before_the_edit_is_built_again_although_that_was_cut_off() {
    let turn = "<dispatch mode=\"fresh\" access=\"write\" into=\"d\">Build it. Answer with text.</dispatch>";
    for build in ["<run command=\"TOOL it\"/>", turn] {
        let body = format!("{CONF}{build}{SHIP}");
        let place = place(&body);
        trust(&place);
        assert_eq!(exec(&place).code, 3);
        edit(&place, &body.replace("debug", "release"));
        trust(&place);
        // The agent asks the tool, which would end its own shell only.
        let when = if build == turn { "killed" } else { "kill" };
        fs::write(place.path().join(when), "").unwrap();
        assert_eq!(resume(&place, &[]).code, 137);
        let plan = resume(&place, &["--plan"]).output;
        assert!(plan.contains("used again: 3 effects"), "{plan}");
        let resumed = resume(&place, &[]);
        assert_eq!(
            (resumed.code, calls(&place).as_str()),
            (3, "it it it"),
            "{}",
            resumed.errors
        );
        assert_eq!(holds(&place, "built-it.txt"), "release");
        assert_eq!((resume(&place, &[]).code, calls(&place).as_str()), (3, "it it it"));
    }
}

#[test]
fn an_edit_that_is_taken_back_is_done_again_too() {
    let body = format!("<output file=\"{{project-root}}/price.md\">10 EUR</output>{SHIP}");
    let place = place(&body);
    assert_eq!(exec(&place).code, 3);
    edit(&place, &body.replace("10", "99"));
    assert_eq!(
        (resume(&place, &[]).code, holds(&place, "price.md").as_str()),
        (3, "99 EUR")
    );
    edit(&place, &body);
    let resumed = resume(&place, &[]);
    assert_eq!((resumed.code, holds(&place, "price.md").as_str()), (3, "10 EUR"));
    assert!(
        !resumed.errors.contains("not as this run left it"),
        "{}",
        resumed.errors
    );
    assert_true(&place);
    // What was kept in between can still be had back, and the way back leads to the beginning.
    assert_eq!(process(&place, &["rollback", "last", "--to", "1", "--yes"]).code, 0);
    assert_eq!(holds(&place, "price.md"), "");
    assert_eq!(
        (resume(&place, &[]).code, holds(&place, "price.md").as_str()),
        (3, "10 EUR")
    );
}

#[test]
fn what_is_taken_out_or_moved_is_a_difference() {
    let build = "<run command=\"TOOL it\"/>";
    let more = "<output file=\"{project-root}/conf.txt\">release</output>";
    let place = place(&format!("{CONF}{more}{build}{SHIP}"));
    trust(&place);
    assert_eq!(exec(&place).code, 3);
    assert_eq!(holds(&place, "built-it.txt"), "release");
    edit(&place, &format!("{CONF}{build}{SHIP}"));
    assert_eq!((resume(&place, &[]).code, calls(&place).as_str()), (3, "it it"));
    assert_eq!(holds(&place, "built-it.txt"), "debug");
    edit(&place, &format!("{CONF}{build}{more}{SHIP}"));
    assert_eq!((resume(&place, &[]).code, calls(&place).as_str()), (3, "it it"));
    edit(&place, &format!("{CONF}{more}{build}{SHIP}"));
    assert_eq!((resume(&place, &[]).code, calls(&place).as_str()), (3, "it it it"));
    assert_eq!(holds(&place, "built-it.txt"), "release");
    assert_true(&place);
}

#[test]
fn a_question_that_nobody_answered_leaves_nothing_behind() {
    let body = format!("{CONF}<run command=\"TOOL it\"/>{SHIP}");
    let place = place(&body);
    trust(&place);
    assert_eq!(exec(&place).code, 3);
    edit(&place, &format!("<ask response=\"x\">Really?</ask>{body}"));
    assert_eq!(resume(&place, &[]).code, 3);
    edit(&place, &body);
    assert_eq!((resume(&place, &[]).code, calls(&place).as_str()), (3, "it"));
    assert_true(&place);
}

#[test]
fn what_was_cut_off_before_the_edit_is_not_undone_over_what_came_since() {
    let body = format!("{CONF}<run command=\"TOOL it\"/>{SHIP}");
    let place = place(&body);
    trust(&place);
    kill_next(&place);
    assert_eq!(exec(&place).code, 137);
    edit(&place, &body.replace("debug", "release"));
    let resumed = resume(&place, &[]);
    assert_eq!(resumed.code, 3, "{}", resumed.errors);
    assert_eq!(
        (holds(&place, "conf.txt"), holds(&place, "built-it.txt")),
        ("release".to_owned(), "release".to_owned())
    );
    assert!(resumed.errors.contains("others came after it"), "{}", resumed.errors);
}

#[test]
fn what_was_cut_off_is_undone_where_nothing_changed_the_world_since() {
    let body = format!("{CONF}<run command=\"echo x >> log; TOOL it\"/>{SHIP}");
    for before in [
        "<output>hello</output>",
        "<dispatch mode=\"fresh\" access=\"read\">Look. Answer with text.</dispatch>",
    ] {
        let place = place(&body);
        trust(&place);
        kill_next(&place);
        assert_eq!(exec(&place).code, 137);
        edit(&place, &body.replace("<run", &format!("{before}<run")));
        let resumed = resume(&place, &[]);
        assert_eq!(
            (resumed.code, holds(&place, "log").as_str()),
            (3, "x"),
            "{}",
            resumed.errors
        );
        assert!(
            resumed.errors.contains("was cut off and left behind"),
            "{}",
            resumed.errors
        );
        assert_true(&place);
    }
}

#[test]
fn what_was_cut_off_is_undone_before_files_are_written_again() {
    let two = CONF.replace("debug", "two");
    let body = format!("{CONF}{two}<run command=\"TOOL it\"/>{SHIP}");
    let place = place(&body);
    trust(&place);
    kill_next(&place);
    assert_eq!(exec(&place).code, 137);
    edit(&place, &body.replace(&two, ""));
    let resumed = resume(&place, &[]);
    assert_eq!(resumed.code, 3, "{}", resumed.errors);
    assert_eq!(
        (holds(&place, "conf.txt"), holds(&place, "built-it.txt")),
        ("debug".to_owned(), "debug".to_owned())
    );
    assert_true(&place);
}

/// A run that wrote a file twice, with a command in between that was edited since.
fn written_twice() -> TempDir {
    let two = CONF.replace("debug", "two");
    let body = format!("{CONF}<run command=\"TOOL it\"/>{two}{SHIP}");
    let place = place(&body);
    trust(&place);
    assert_eq!((exec(&place).code, holds(&place, "conf.txt").as_str()), (3, "two"));
    edit(&place, &body.replace("TOOL it", "TOOL that"));
    trust(&place);
    place
}

#[test]
fn what_the_run_itself_wrote_later_is_not_the_change_of_somebody() {
    let place = written_twice();
    let resumed = resume(&place, &[]);
    assert_eq!((resumed.code, holds(&place, "built-that.txt").as_str()), (3, "debug"));
    assert!(
        !resumed.errors.contains("not as this run left it"),
        "{}",
        resumed.errors
    );
}

#[test]
fn what_somebody_changed_in_a_file_is_told_although_its_last_write_is_left_behind() {
    let note = "<output file=\"{project-root}/note.md\">why</output>";
    let body = format!("<run command=\"TOOL it\"/>{note}{CONF}{SHIP}");
    let place = place(&body);
    trust(&place);
    assert_eq!(exec(&place).code, 3);
    edit(&place, &body.replace("TOOL it", "TOOL that"));
    trust(&place);
    fs::write(place.path().join("project/note.md"), "mine\n").unwrap();
    let resumed = resume(&place, &[]);
    let told = "not as this run left it, and kept until the run writes it again: ";
    assert!(
        resumed.errors.contains(&format!("{told}note.md\n")),
        "{}",
        resumed.errors
    );
    assert_eq!(resumed.errors.matches(told).count(), 1, "{}", resumed.errors);
    assert_eq!(holds(&place, "note.md"), "why");
    let (_, back) = resumed.errors.split_once("have it back with: bmad ").unwrap();
    let (back, _) = back.split_once(" --state-dir").unwrap();
    let words: Vec<&str> = back.split(' ').collect();
    assert_eq!(process(&place, &words).code, 0);
    assert_eq!(holds(&place, "note.md"), "mine");
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_again_stops_the_run_until_it_can() {
    let place = written_twice();
    let project = place.path().join("project");
    fs::create_dir_all(project.join("sub/.git")).unwrap();
    fs::rename(project.join("conf.txt"), project.join("sub/.git/conf.txt")).unwrap();
    std::os::unix::fs::symlink("sub/.git/conf.txt", project.join("conf.txt")).unwrap();
    let stopped = resume(&place, &[]);
    assert!(
        stopped.errors.contains("could not be written again"),
        "{} {}",
        stopped.code,
        stopped.errors
    );
    assert_eq!(calls(&place), "it");
    fs::remove_file(project.join("conf.txt")).unwrap();
    fs::rename(project.join("sub/.git/conf.txt"), project.join("conf.txt")).unwrap();
    let resumed = resume(&place, &[]);
    assert_eq!(resumed.code, 3, "{}", resumed.errors);
    assert_eq!(
        (holds(&place, "built-that.txt"), holds(&place, "conf.txt")),
        ("debug".to_owned(), "two".to_owned())
    );
    assert_true(&place);
}

#[test]
fn a_run_whose_command_was_trusted_later_is_true() {
    let body = "<run command=\"true\" into=\"t\"/><output file=\"{project-root}/a.md\">{t.how}</output>\
                <ask response=\"x\">Go?</ask><output>{x}</output>";
    let place = place(body);
    assert_eq!(exec(&place).code, 3);
    assert_true(&place);
    trust(&place);
    assert_eq!(resume(&place, &[]).code, 3);
    assert_eq!(holds(&place, "a.md"), "exit code 0");
    assert_true(&place);
    let log = process(&place, &["log"]).output;
    assert!(log.contains("count no longer"), "{log}");
}

#[test]
fn no_question_that_the_run_waits_with_is_planned_as_a_change() {
    let first = "<ask response=\"first\">First?</ask>";
    let place = place(&format!("{CONF}{SHIP}"));
    assert_eq!(exec(&place).code, 3);
    edit(&place, &format!("{CONF}{first}{SHIP}"));
    fs::write(place.path().join("first.yaml"), "first: yes\n").unwrap();
    let answers = place.path().join("first.yaml").display().to_string();
    assert_eq!(resume(&place, &["--answers", &answers]).code, 3);
    edit(&place, &format!("{CONF}{SHIP}"));
    let plan = resume(&place, &["--plan"]).output;
    assert!(!plan.contains("changed"), "{plan}");
    assert!(plan.contains("next: ask in step 1"), "{plan}");
}
