//! Who works, what it may cost, and what happens where nobody can be asked.

use super::place::{Place, RUN};
use std::fs;
use std::os::unix::fs::PermissionsExt;

const FLOW: &str = "<workflow name=\"Three\">\
    <step n=\"1\"><dispatch mode=\"fresh\" access=\"write\">First. Answer with text.</dispatch></step>\
    <step n=\"2\"><dispatch mode=\"fresh\" access=\"write\">Second. Answer with text.</dispatch></step>\
    <step n=\"3\"><dispatch mode=\"fresh\" access=\"write\">Third. Answer with text.</dispatch></step></workflow>";

/// Replies, and is at its limit from the second call on for as long as a file says so.
const AGENT: &str = "cat > prompt\n\
    echo call >> calls.log\n\
    if [ -f limit ] && [ \"$(wc -l < calls.log)\" -ge 2 ]; then\n\
      echo 'usage limit reached, try again in 20 minutes' >&2; exit 1\n\
    fi\n\
    echo '{\"text\": \"fine\"}'\n";

fn place(files: &[(&str, &str)]) -> Place {
    let own = [("three.xml", FLOW), ("agent.sh", AGENT)];
    Place::with(&[&own, files].concat())
}

fn calls(place: &Place) -> usize {
    place.read("calls.log").unwrap_or_default().lines().count()
}

fn exec(place: &Place) -> super::Ended {
    place.exec("three.xml", "command:sh agent.sh")
}

/// Returns the part of what was told that is about the end.
fn end(errors: &str) -> String {
    let lines: Vec<&str> = errors.lines().collect();
    let from = lines
        .iter()
        .position(|line| line.starts_with("parked") || line.starts_with("error"));
    lines[from.unwrap_or(lines.len().saturating_sub(2))..].join("\n")
}

#[test]
fn at_a_usage_limit_a_run_is_parked_and_goes_on_at_no_cost() {
    let place = place(&[("limit", ""), ("_bmad-output/keep", "")]);
    let ended = exec(&place);
    assert_eq!(ended.code, 5, "{}", ended.errors);
    insta::assert_snapshot!(end(&ended.errors), @r"
    parked: `sh` ended with exit code 1 and no envelope: usage limit reached, try again in 20 minutes
      nobody can be asked before 2026-11-15 06:36:05 UTC; then go on with: bmad resume 20261115-061605-0000
      or let it wait by itself: bmad resume 20261115-061605-0000 --wait
    ");
    let note = format!("_bmad-output/parked/{RUN}.yaml");
    let said = place.read(&note).unwrap();
    assert!(said.starts_with("status: parked\n"), "{said}");
    assert!(place.call(&["runs"]).output.contains("parked"));
    assert_eq!(place.call(&["verify"]).code, 0);
    assert_eq!(calls(&place), 2);

    fs::remove_file(place.project.path().join("limit")).unwrap();
    let ended = place.resume();
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert!(!ended.errors.contains("cut off"), "{}", ended.errors);
    assert_eq!(calls(&place), 4, "the first turn was paid for once");
    assert_eq!(place.read(&note), None);
    assert_eq!(place.call(&["verify"]).code, 0);
}

#[test]
fn a_run_that_is_resumed_too_early_is_parked_again() {
    let place = place(&[("limit", "")]);
    assert_eq!(exec(&place).code, 5);
    assert_eq!(place.resume().code, 5);
    assert_eq!(calls(&place), 3);
}

#[test]
fn a_ceiling_is_kept_over_restarts_and_lifted_by_its_setting() {
    let place = place(&[("bmad.toml", "[limits.run]\ncalls = 2\n")]);
    let ended = exec(&place);
    assert_eq!(ended.code, 5, "{}", ended.errors);
    insta::assert_snapshot!(end(&ended.errors), @r"
    parked: the run may make 2 calls and made 2 calls: `limits.run.calls` in `bmad.toml`
      what was done is kept; once the cause is gone, go on with: bmad resume 20261115-061605-0000
    ");
    assert_eq!(place.resume().code, 5);
    assert_eq!(calls(&place), 2);
    place.write("bmad.toml", "[limits.run]\ncalls = 3\n");
    assert_eq!(place.resume().code, 0);
    assert_eq!(calls(&place), 3);
}

#[test]
fn a_cost_that_nobody_tells_is_refused_below_a_ceiling_of_money() {
    let place = place(&[("bmad.toml", "[limits.run]\nmoney = 2\n")]);
    let ended = exec(&place);
    assert_eq!((ended.code, calls(&place)), (5, 1));
    assert!(
        ended
            .errors
            .contains("1 call told no cost, so that `limits.run.money` cannot be kept"),
        "{}",
        ended.errors
    );
    place.write("bmad.toml", "[limits]\nestimate = 0.5\n[limits.run]\nmoney = 2\n");
    assert_eq!(place.resume().code, 0);
}

#[test]
fn a_setting_that_sets_nothing_stops_a_run_before_it_starts() {
    let place = place(&[(
        "bmad.toml",
        "[agents]\ndefualt = \"offline\"\n\n[limits.run]\nmoney = \"2\"\n",
    )]);
    let ended = exec(&place);
    assert_eq!(ended.code, 2);
    insta::assert_snapshot!(ended.errors, @r"
    error: bmad.toml:2:1: there is no setting `defualt` in `agents`, so that the entry changes nothing
           bmad.toml:5:9: `limits.run.money` cannot be set to this, so that the entry changes nothing
      hint: did you mean `default`?
      hint: write a number that is not negative
      hint: nothing was started, so that nobody works in another way than you meant
    ");
    assert_eq!(calls(&place), 0);
    assert!(place.call(&["runs"]).output.starts_with("no runs yet"));
}

#[test]
fn an_agent_that_is_not_known_or_not_there_is_named_with_its_place() {
    let said = |toml: &str| {
        let place = place(&[("bmad.toml", toml), ("plain.txt", "")]);
        place.call(&["trust", "bmad.toml", "--yes"]);
        let ended = place.call(&["exec", "three.xml", "--non-interactive"]);
        assert_eq!(ended.code, 2, "{}", ended.errors);
        let root = place.project.path().display().to_string();
        ended.errors.replace(&root, "ROOT")
    };
    insta::assert_snapshot!(said("[agents]\ndefault = \"claud-code\"\n"), @r"
    error: bmad.toml:2:11: no agent is named `claud-code`
      hint: did you mean `claude-code`?
      hint: nothing was started, so that nobody works in another way than you meant
    ");
    insta::assert_snapshot!(said("[agents]\nfallback = [\"command:no-such-program\"]\n"), @r"
    error: bmad.toml:2:13: `agents.fallback`: the program `no-such-program` of the agent `command` is not there
      hint: name a program that is on the PATH, or its path
      hint: nothing was started
    ");
    insta::assert_snapshot!(said("[agents.claud-code]\nmodel = \"opus\"\n"), @r"
    error: bmad.toml:1:9: no agent is named `claud-code`
      hint: did you mean `claude-code`?
      hint: nothing was started, so that nobody works in another way than you meant
    ");
    insta::assert_snapshot!(said("[agents]\ndefault = \"claude-code\"\n[agents.claude-code]\nprogram = \"./plain.txt\"\n"), @r"
    error: bmad.toml:2:11: `agents.default`: the program of the agent `claude-code` cannot be started: `ROOT/./plain.txt` is not executable
      hint: `chmod +x ROOT/./plain.txt`
      hint: nothing was started
    ");
}

/// Speaks like Claude Code: a result with what it used.
const CLAUDE: &str = "#!/bin/sh\n\
    cat > /dev/null\n\
    echo \"$@\" >> arguments.log\n\
    echo '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"session_id\":\"s1\",\
    \"result\":\"{\\\"text\\\": \\\"fine\\\"}\",\"total_cost_usd\":0.25,\
    \"usage\":{\"input_tokens\":1000,\"output_tokens\":200}}'\n";

fn with_claude(toml: &str) -> Place {
    let base = "[agents.claude-code]\nprogram = \"./claude.sh\"\n";
    let place = place(&[("bmad.toml", &format!("{base}{toml}")), ("claude.sh", CLAUDE)]);
    let program = place.project.path().join("claude.sh");
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    place.call(&["trust", "bmad.toml", "--yes"]);
    place
}

#[test]
fn what_a_run_used_is_told_at_its_end_and_afterwards() {
    let place = with_claude("");
    let ended = place.exec("three.xml", "claude-code");
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert!(
        ended.errors.ends_with("  used so far: 3 calls, 3,600 tokens, $0.75\n"),
        "{}",
        ended.errors
    );
    let shown = place.call(&["show"]).output;
    assert!(shown.contains("  used      3 calls, 3,600 tokens, $0.75\n"), "{shown}");
    assert!(
        shown.contains("step 1    (1 turn, 1 call, 1,200 tokens, $0.25)"),
        "{shown}"
    );
    let log = place.call(&["log"]).output;
    assert!(
        log.contains("called      claude-code, 1 call, 1,200 tokens, $0.25"),
        "{log}"
    );
}

#[test]
fn a_ceiling_of_money_counts_what_the_agent_tells() {
    let place = with_claude("[limits.workflow]\nmoney = 0.5\n");
    let ended = place.exec("three.xml", "claude-code");
    assert_eq!(ended.code, 5);
    assert!(
        ended.errors.contains(
            "parked: the workflow `Three` may use $0.50 and used $0.50: `limits.workflow.money` in `bmad.toml`"
        ),
        "{}",
        ended.errors
    );
}

#[test]
fn work_goes_to_whom_the_project_says_and_somebody_else_takes_over() {
    let toml = "[agents]\ndefault = \"command:sh locked.sh\"\nfallback = \"claude-code\"\n\
        [agents.tasks.\"Three/2\"]\nagent = \"command:sh agent.sh\"\nmodel = \"opus\"\n";
    let place = with_claude(toml);
    place.write("locked.sh", "echo 'not logged in' >&2\nexit 1\n");
    place.call(&["trust", "bmad.toml", "--yes"]);
    let ended = place.call(&["exec", "three.xml", "--non-interactive"]);
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert_eq!(calls(&place), 1);
    assert_eq!(place.read("arguments.log").unwrap().lines().count(), 2);
    assert!(ended.errors.contains("somebody else is asked"), "{}", ended.errors);
}

#[test]
fn work_that_is_switched_off_is_a_gap() {
    let place = place(&[("bmad.toml", "[agents.tasks.\"Three/2\"]\nagent = false\n")]);
    let ended = exec(&place);
    assert_eq!((ended.code, calls(&place)), (0, 2), "{}", ended.errors);
    assert!(
        ended
            .errors
            .contains("`agents.tasks.\"Three/2\".agent` in `bmad.toml` is `false`"),
        "{}",
        ended.errors
    );
}

#[test]
fn calls_that_were_rolled_back_were_still_paid_for() {
    let place = place(&[("bmad.toml", "[limits.run]\ncalls = 4\n")]);
    assert_eq!(exec(&place).code, 0);
    let back = || place.call(&["rollback", "last", "--to", "3", "--yes"]);
    assert_eq!(back().code, 0);
    assert_eq!(place.resume().code, 0);
    assert_eq!(calls(&place), 4);
    assert_eq!(back().code, 0);
    assert_eq!(place.resume().code, 5);
    assert_eq!(calls(&place), 4);
}

#[test]
fn a_turn_is_told_with_who_took_it() {
    let settings = "[agents]\nfallback = [\"script:--ack\"]\n\
        [agents.tasks.\"Three/2\"]\nagent = \"offline\"\nfallback = false\n\
        [agents.tasks.\"Three/3\"]\nagent = false\n";
    let limit = "cat > prompt\necho 'usage limit reached, try again in 20 minutes' >&2\nexit 1\n";
    let place = place(&[("bmad.toml", settings), ("agent.sh", limit)]);
    assert_eq!(exec(&place).code, 0);
    let told = place.call(&["show"]).output;
    let turns: Vec<&str> = told.lines().filter(|line| line.starts_with("  turn ")).collect();
    let who = turns.iter().map(|line| line.split(": ").next().unwrap_or_default());
    assert_eq!(
        who.collect::<Vec<_>>(),
        [
            "  turn 1 of script",
            "  turn 2 of offline",
            "  turn 3 (nobody was asked)"
        ],
        "{told}"
    );
    let one = place.call(&["show", "--turn", "1"]).output;
    assert!(one.starts_with("turn 1 of script in step 1"), "{one}");
    let log = place.call(&["log"]).output;
    assert!(log.contains("dispatch    offline begins: Second."), "{log}");
    assert!(log.contains("dispatch    nobody is asked: Third."), "{log}");
}

#[test]
fn a_described_agent_is_paid_by_the_price_of_its_model() {
    let agent = "cat > prompt\necho '{\"result\": {\"text\": \"{}\"}, \"usage\": {\"in\": 100000, \"out\": 10000}}'\n";
    let described = |own: &str| {
        format!(
            "[agents]\ndefault = \"command:my\"\n[agents.my]\nprogram = \"sh\"\narguments = [\"agent.sh\"]\n\
             find = {{text = \"result.text\", input = \"usage.in\", output = \"usage.out\"}}\n{own}\
             [prices.\"m1\"]\ninput = 1\noutput = 5\n[limits.run]\nmoney = 1\n"
        )
    };
    for own in [
        "model = \"m1\"\n",
        "model = \"sonnet\"\n[models.my]\nsonnet = \"m1\"\n",
        "[models.my]\nbig = \"m1\"\n[agents.tasks.work]\nmodel = \"big\"\n",
    ] {
        let place = Place::with(&[("three.xml", FLOW), ("agent.sh", agent), ("bmad.toml", &described(own))]);
        assert_eq!(place.call(&["trust", "bmad.toml", "--yes"]).code, 0);
        let ended = place.call(&["exec", "three.xml", "--non-interactive"]);
        assert_eq!(ended.code, 0, "{own}{}", ended.errors);
        assert!(ended.errors.contains("$0.45"), "{own}{}", ended.errors);
    }
}

#[test]
fn an_agent_is_typed_as_it_is_seen_from_the_folder_of_the_person() {
    let place = place(&[
        ("_bmad/core/config.yaml", "user_name: Ada\n"),
        ("sub/own.sh", "#!/bin/sh\ncat > /dev/null\necho '{\"text\": \"own\"}'\n"),
        ("replies/script.yaml", "- ack: true\n  reply: {text: scripted}\n"),
        (
            "ask.xml",
            "<workflow name=\"Ask\"><step n=\"1\"><ask response=\"x\">What?</ask>\
             <dispatch mode=\"fresh\" access=\"write\">Go. Answer with text.</dispatch></step></workflow>",
        ),
    ]);
    let program = place.project.path().join("sub/own.sh");
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    let below = |args: &[&str]| {
        let mut program = place.program();
        program.environment.folder = place.project.path().join("sub");
        program.call(args)
    };
    let args = [
        "exec",
        "../three.xml",
        "--non-interactive",
        "--agent",
        "command:./own.sh",
    ];
    let ended = below(&args);
    assert_eq!(ended.code, 0, "{}", ended.errors);
    // Whoever goes on is somewhere else.
    let scripted = "script:../replies/script.yaml";
    let ended = below(&["exec", "../ask.xml", "--non-interactive", "--agent", scripted]);
    assert_eq!(ended.code, 3, "{}", ended.errors);
    place.write("all.yaml", "x: this\n");
    let ended = place.call(&["resume", "--answers", "all.yaml", "--non-interactive"]);
    assert_eq!(ended.code, 0, "{}", ended.errors);
}

#[test]
fn a_ceiling_that_an_agent_raised_counts_only_once_a_person_agrees() {
    let raising = AGENT.replace(
        "cat > prompt\n",
        "cat > prompt\nprintf '[limits.run]\\ncalls = 9\\n' > bmad.toml\n",
    );
    let place = Place::with(&[
        ("three.xml", FLOW),
        ("agent.sh", &raising),
        ("bmad.toml", "[limits.run]\ncalls = 1\n"),
    ]);
    let agent = ["--agent", "command:sh agent.sh", "--non-interactive"];
    let parked = place.call(&[&["exec", "three.xml"], &agent[..]].concat());
    assert_eq!((parked.code, calls(&place)), (5, 1), "{}", parked.errors);
    let again = place.call(&["resume", "--non-interactive"]);
    assert_eq!((again.code, calls(&place)), (5, 1), "{}", again.errors);
    let told = "note: `limits.run.calls` in `bmad.toml` is 9, and was 1 before; 1 holds\n";
    assert!(
        again.errors.contains(told) && again.errors.contains(" --raise"),
        "{}",
        again.errors
    );
    let agreed = place.call(&["resume", "--non-interactive", "--raise"]);
    assert_eq!((agreed.code, calls(&place)), (0, 3), "{}", agreed.errors);
    assert!(agreed.errors.contains("and was 1 before\n"), "{}", agreed.errors);
}

#[test]
fn a_price_that_an_agent_lowered_below_a_ceiling_of_money_counts_only_once_a_person_agrees() {
    let agent = "cat > prompt\nsed -i 's/^output = 5/output = 0.01/' bmad.toml\n\
        echo '{\"result\": {\"text\": \"{}\"}, \"usage\": {\"in\": 100000, \"out\": 10000}}'\n";
    let set = "[agents]\ndefault = \"command:my\"\n[agents.my]\nprogram = \"sh\"\narguments = [\"agent.sh\"]\n\
        find = {text = \"result.text\", input = \"usage.in\", output = \"usage.out\"}\nmodel = \"m.1\"\n\
        [prices.\"m.1\"]\ninput = 0\noutput = 5\n[limits.run]\nmoney = 0.07\n";
    let flow = FLOW.replacen("</step>", "<ask response=\"more\">More?</ask></step>", 1);
    let place = Place::with(&[("three.xml", &flow), ("agent.sh", agent), ("bmad.toml", set)]);
    place.write("all.yaml", "more: yes\n");
    assert_eq!(place.call(&["trust", "bmad.toml", "--yes"]).code, 0);
    assert_eq!(place.call(&["exec", "three.xml", "--non-interactive"]).code, 3);
    let again = place.call(&["resume", "--answers", "all.yaml", "--non-interactive"]);
    let told = "note: `prices.\"m.1\".output` in `bmad.toml` is 0.01, and was 5 before; 5 holds\n";
    assert!(again.errors.contains(told), "{}", again.errors);
    assert_eq!(again.code, 5, "{}", again.errors);
    assert!(
        again.errors.contains("2 calls, 220,000 tokens, $0.10"),
        "{}",
        again.errors
    );
}

#[test]
fn a_ceiling_holds_whose_file_is_not_there_any_more() {
    let place = place(&[("bmad.toml", "[limits.run]\ncalls = 1\n")]);
    assert_eq!(exec(&place).code, 5);
    std::fs::remove_file(place.project.path().join("bmad.toml")).unwrap();
    let again = place.call(&["resume", "--non-interactive"]);
    assert_eq!((again.code, calls(&place)), (5, 1), "{}", again.errors);
    let told = "it is not there any more, and an agent may have removed it as well as you; where you want it so: ";
    assert!(again.errors.contains(told), "{}", again.errors);
}
