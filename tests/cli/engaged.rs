//! What a project's own settings say about agents starts nothing before a person agreed to it.

use super::place::Place;
use std::fs;
use std::os::unix::fs::PermissionsExt;

const FLOW: &str = "<workflow name=\"Two\">\
    <step n=\"1\"><dispatch mode=\"fresh\" access=\"write\">First. Answer with text.</dispatch></step>\
    <step n=\"2\"><dispatch mode=\"fresh\" access=\"write\">Second. Answer with text.</dispatch></step></workflow>";
const AGENT: &str = "#!/bin/sh\ncat > /dev/null\necho call >> calls.log\necho '{\"text\": \"fine\"}'\n";
const NAMED: &str = "command:./agent.sh";
/// Changes itself when it is called.
const SLY: &str =
    "#!/bin/sh\ncat > /dev/null\necho call >> calls.log\necho '# more' >> sly.sh\necho '{\"text\": \"fine\"}'\n";

fn place(toml: &str) -> Place {
    let place = Place::with(&[
        ("two.xml", FLOW),
        ("agent.sh", AGENT),
        ("sly.sh", SLY),
        ("page.md", "# Page\n"),
        ("bmad.toml", toml),
    ]);
    for name in ["agent.sh", "sly.sh"] {
        let program = place.project.path().join(name);
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    place
}

fn calls(place: &Place) -> usize {
    place.read("calls.log").unwrap_or_default().lines().count()
}

#[test]
fn a_project_starts_no_program_as_an_agent_before_somebody_agreed() {
    for toml in [
        "[agents]\ndefault = \"command:./agent.sh\"\n",
        "[agents]\nfallback = [\"acp:sh agent.sh\"]\n",
        "[agents]\ndefault = \"record:tape.jsonl:command:./agent.sh\"\n",
        "[agents.tasks.work]\nagent = \"command:sh agent.sh\"\n",
        "[agents]\ndefault = \"claude-code\"\n[agents.claude-code]\nprogram = \"./agent.sh\"\n",
        "[agents]\ndefault = \"command:own\"\n[agents.own]\nprogram = \"./agent.sh\"\n",
        "[agents]\ndefault = \"command :./agent.sh\"\n",
        "[agents]\ndefault = \"record :tape.jsonl: command :./agent.sh\"\n",
        "[agents]\ndefault = \"command:x:y\"\n[agents.\"x:y\"]\nprogram = \"./agent.sh\"\n",
    ] {
        let place = place(toml);
        for words in [
            &["exec", "two.xml", "--non-interactive"][..],
            &["review", "page.md", "--non-interactive"],
        ] {
            let ended = place.call(words);
            assert_eq!(ended.code, 2, "{toml}{}", ended.errors);
            assert!(ended.errors.contains("nobody trusted this"), "{toml}{}", ended.errors);
            assert!(ended.errors.contains("`bmad trust bmad.toml"), "{toml}{}", ended.errors);
        }
        place.call(&["doctor"]);
        place.call(&["drivers", "probe", "claude-code"]);
        assert_eq!((calls(&place), place.read("tape.jsonl")), (0, None), "{toml}");
    }
}

#[test]
fn a_refusal_says_who_may_be_asked_and_what_to_type() {
    let place = place("[agents]\nfallback = \"claude-code\"\n[agents.claude-code]\nprogram = \"./agent.sh\"\n");
    let refused = place.call(&["exec", "two.xml", "--non-interactive", "--agent", "offline"]);
    insta::assert_snapshot!(refused.errors, @r#"
    error: bmad.toml:3:9: `agents.claude-code`: nobody trusted this in this project: `program = "./agent.sh"`
      hint: `agents.fallback` lets it be asked, whoever is asked first
      hint: `bmad trust bmad.toml` shows what it starts and allows, and trusts it
      hint: where nobody can be asked, as in CI: `bmad trust bmad.toml --yes`
      hint: nothing was started
    "#);
}

#[test]
fn what_was_agreed_to_works_until_its_script_is_another() {
    let place = place("[agents]\ndefault = \"command:./agent.sh\"\n[agents.codex]\npermission = \"all\"\n");
    let listed = place.call(&["trust", "bmad.toml", "--list"]).output;
    insta::assert_snapshot!(listed, @r#"
    bmad.toml:3:9  agents.codex (not trusted)
        permission = "all"
    bmad.toml:2:11  agents.default (not trusted)
        command:./agent.sh
    "#);
    assert_eq!(place.call(&["trust", "bmad.toml", "--yes"]).code, 0);
    let exec = || place.call(&["exec", "two.xml", "--non-interactive"]);
    assert_eq!((exec().code, calls(&place)), (0, 2));
    place.write("agent.sh", &format!("{AGENT}# more\n"));
    assert_eq!((exec().code, calls(&place)), (2, 2));
}

#[test]
fn what_is_trusted_in_another_state_folder_is_found_there() {
    let place = place("[agents]\ndefault = \"claude-code\"\n[agents.claude-code]\nprogram = \"./agent.sh\"\n");
    place.call(&["trust", "bmad.toml", "--yes", "--state-dir", "kept"]);
    for words in [
        &["doctor"][..],
        &["drivers", "probe", "claude-code"],
        &["drivers", "certify", "claude-code", "--only", "no such scenario"],
    ] {
        let told = |words: &[&str]| {
            let ended = place.call(words);
            ended.output + &ended.errors
        };
        assert!(told(words).contains("nobody trusted this"), "{words:?}");
        let there = told(&[words, &["--state-dir", "kept"]].concat());
        assert!(!there.contains("nobody trusted this"), "{words:?}{there}");
        assert!(!there.contains("unexpected argument"), "{words:?}{there}");
    }
}

#[test]
fn whom_a_person_names_they_trust_and_not_what_the_project_makes_of_it() {
    let named = place("[agents]\ndefault = \"command:./agent.sh\"\n");
    assert_eq!(named.exec("two.xml", "command:./agent.sh").code, 0);
    assert_eq!(calls(&named), 2);
    let set = place("[agents.claude-code]\nprogram = \"./agent.sh\"\n");
    assert_eq!(set.exec("two.xml", "claude-code").code, 2);
    assert_eq!(calls(&set), 0);
    // What is not asked need not be trusted.
    assert_eq!(set.exec("two.xml", "offline").code, 0);
}

#[test]
fn whom_a_person_named_when_the_run_began_they_trust_when_it_goes_on() {
    let place = place("");
    let begin = ["exec", "two.xml", "--non-interactive", "--fuel", "1"];
    place.write("bmad.toml", "[agents]\ndefault = \"command:./agent.sh\"\n");
    assert_eq!(place.call(&[&begin[..], &["--agent", NAMED]].concat()).code, 5);
    let ended = place.call(&["resume", "--non-interactive", "--fuel", "99"]);
    assert_eq!((ended.code, calls(&place)), (0, 2), "{}", ended.errors);
    // Whom the project named is trusted no more than before.
    place.call(&["trust", "bmad.toml", "--yes"]);
    assert_eq!(place.call(&begin).code, 5);
    place.call(&["trust", "bmad.toml", "--forget"]);
    let ended = place.call(&["resume", "--non-interactive", "--fuel", "99"]);
    assert_eq!((ended.code, calls(&place)), (2, 2), "{}", ended.errors);
}

#[test]
fn a_script_that_changes_while_the_run_is_on_is_not_called_again() {
    let place = place("[agents]\ndefault = \"command:./sly.sh\"\n");
    place.call(&["trust", "bmad.toml", "--yes"]);
    let ended = place.call(&["exec", "two.xml", "--non-interactive"]);
    assert_eq!(calls(&place), 1, "{}", ended.errors);
    assert!(
        ended.errors.contains("changed since somebody trusted it"),
        "{}",
        ended.errors
    );
}

#[test]
fn an_agent_that_is_recorded_is_looked_at_before_anything_begins() {
    let place = place("");
    let ended = place.exec("two.xml", "record:tape.jsonl:command:./gone.sh");
    assert_eq!(ended.code, 2, "{}", ended.errors);
    assert!(ended.errors.contains("gone.sh"), "{}", ended.errors);
    assert!(place.call(&["runs"]).output.starts_with("no runs yet"));
}
