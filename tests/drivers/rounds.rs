//! The agent without a model in a review loop: it reviews, judges again, fixes what can be fixed by rule, and says so
//! where it has nothing to say.

use super::{Yard, task, texts};
use bmad::builtins::Value;
use bmad::machine::{Access, Envelope, Task, Wanted};

/// A document with one mistake that can be put right by rule, one that cannot, and one that only a reader would see.
const DRAFT: &str =
    "# Plan\n\nSend the the report to [the team](team.md).\n\n## Dates\n\n| What | When |\n|---|---|\n| Start |\n";

fn dispatch(agent: &str, prompt: &str, params: Vec<(&str, Value)>) -> Task {
    let params = params.into_iter().map(|(name, value)| (name.to_owned(), value));
    Task {
        agent: Some(agent.to_owned()),
        prompt: prompt.to_owned(),
        params: params.collect(),
        access: Access::Read,
        ..task(&[])
    }
}

/// Takes a turn as the review loop words it.
fn review(yard: &Yard, agent: &str) -> Envelope {
    let prompt = "Review the section Plan of the document plan.md, written by plan. This is round 1.\n\
                  Report what you can show. An empty list is an honest answer when you name the lenses you tried.";
    let params = vec![
        ("known", Value::from("")),
        ("context", Value::from("plan: section Plan of plan.md")),
    ];
    yard.take("offline", dispatch(agent, prompt, params)).unwrap().envelope
}

fn judge(yard: &Yard, statements: Vec<Value>) -> Envelope {
    let prompt = "Judge again whether each of these statements is true of plan.md as it is now. Answer with verdicts. \
                  Report nothing new.";
    let params = vec![("statements", Value::List(statements))];
    let task = Task {
        wanted: Wanted {
            fields: texts(&["verdicts"]),
            ..Wanted::default()
        },
        ..dispatch("adversarial-reviewer", prompt, params)
    };
    yard.take("offline", task).unwrap().envelope
}

fn fix(yard: &Yard, findings: Vec<Value>) -> Envelope {
    let prompt = "Fix the findings you are given in plan.md, every one of them and nothing else. For the document itself \
                  return edits; files of code you change in place.";
    let params = vec![
        ("findings", Value::List(findings)),
        ("save_patterns", Value::Bool(true)),
    ];
    let task = dispatch("issue-fixer", prompt, params);
    yard.take("offline", task).unwrap().envelope
}

fn field<'e>(envelope: &'e Envelope, name: &str) -> &'e Value {
    let mut fields = envelope.fields.iter();
    fields.find(|(field, _)| field == name).map(|(_, value)| value).unwrap()
}

fn items(value: &Value) -> &[Value] {
    match value {
        Value::List(items) => items,
        other => panic!("{other:?}"),
    }
}

fn part(value: &Value, name: &str) -> String {
    value.get(name).unwrap().to_string()
}

/// Returns findings as the loop hands them on: with an identifier, and without the words of the check.
fn known(envelope: &Envelope) -> Vec<Value> {
    let numbered = (1..).zip(&envelope.findings);
    numbered
        .map(|(n, finding)| statement(&format!("F-{n}"), finding))
        .collect()
}

fn statement(id: &str, finding: &Value) -> Value {
    let kept = ["claim", "place"].map(|name| (name.to_owned(), finding.get(name).unwrap().clone()));
    let id = ("finding".to_owned(), Value::from(id));
    Value::Map([id].into_iter().chain(kept).collect())
}

#[test]
fn the_reviewer_names_every_check_it_made_also_those_that_found_nothing() {
    let yard = Yard::new(&[("plan.md", DRAFT)]);
    let envelope = review(&yard, "adversarial-reviewer");
    let lenses: Vec<String> = items(field(&envelope, "lenses"))
        .iter()
        .map(|lens| format!("{}: {}", part(lens, "name"), part(lens, "result")))
        .collect();
    assert!(lenses.len() > 20, "{lenses:#?}");
    for line in [
        "dead-link: 1 found",
        "doubled-word: 1 found",
        "ragged-table: 1 found",
        "placeholder: nothing found",
    ] {
        assert!(
            lenses.iter().any(|lens| lens == line),
            "{line} is not among {lenses:#?}"
        );
    }
    assert_eq!(field(&envelope, "agent").to_string(), "adversarial-reviewer");
    assert_eq!(items(field(&envelope, "consulted")).len(), 0);
}

#[test]
fn every_finding_has_all_fields_of_a_finding() {
    let yard = Yard::new(&[("plan.md", DRAFT)]);
    let envelope = review(&yard, "adversarial-reviewer");
    assert_eq!(envelope.findings.len(), 3);
    for finding in &envelope.findings {
        for name in ["severity", "category", "claim", "evidence", "suggestion"] {
            assert!(!part(finding, name).is_empty(), "{name} of {finding}");
        }
        let place = finding.get("place").unwrap();
        assert_eq!(part(place, "file"), "plan.md");
        assert!(DRAFT.contains(&part(place, "quote")), "{place}");
        assert!(["Plan", "Dates"].contains(&part(place, "section").as_str()), "{place}");
    }
}

#[test]
fn those_who_talk_and_ask_have_nothing_to_say_and_say_so() {
    let yard = Yard::new(&[("plan.md", DRAFT)]);
    for agent in ["party-facilitator", "elicitation-expert"] {
        let envelope = review(&yard, agent);
        assert_eq!(envelope.findings, []);
        assert_eq!(items(field(&envelope, "lenses")).len(), 0);
        assert!(
            envelope
                .fields
                .iter()
                .all(|(name, _)| name != "consensus" && name != "checks")
        );
        assert_eq!(envelope.text, format!("{agent} looked at nothing: this needs a model"));
    }
}

#[test]
fn a_statement_of_a_check_is_decided_by_making_the_check_again() {
    let yard = Yard::new(&[("plan.md", DRAFT)]);
    let statements = known(&review(&yard, "adversarial-reviewer"));
    std::fs::write(yard.root().join("plan.md"), DRAFT.replace("the the", "the")).unwrap();
    let envelope = judge(&yard, statements);
    assert_eq!(envelope.findings, []);
    let verdicts = items(field(&envelope, "verdicts")).iter();
    let verdicts: Vec<String> = verdicts
        .map(|verdict| serde_json::to_string(verdict).unwrap())
        .chain([envelope.text.clone()])
        .collect();
    insta::assert_snapshot!(verdicts.join("\n"), @r###"
    {"finding":"F-1","holds":false,"because":"the check doubled-word was made again and does not find it"}
    {"finding":"F-2","holds":true,"because":"the check dead-link finds it on line 3: \"Send the report to [the team](team.md).\""}
    {"finding":"F-3","holds":true,"because":"the check ragged-table finds it on line 9: \"| Start |\""}
    3 of 3 statements were judged by making the checks again
    "###);
}

#[test]
fn a_statement_of_somebody_else_gets_no_verdict() {
    let yard = Yard::new(&[("plan.md", DRAFT)]);
    let other = Value::Map(vec![
        ("finding".to_owned(), Value::from("F-9")),
        (
            "claim".to_owned(),
            Value::from("The plan does not say who sends the report"),
        ),
    ]);
    let envelope = judge(&yard, vec![other]);
    assert_eq!(items(field(&envelope, "verdicts")).len(), 0);
    assert_eq!(
        envelope.text,
        "0 of 1 statements were judged by making the checks again; these need a model: F-9"
    );
}

#[test]
fn the_same_words_in_another_section_do_not_keep_a_statement_true() {
    let text = "# Plan\n\n## One\n\nSend it to [them](gone.md).\n\n## Two\n\nAsk [them](gone.md) first.\n";
    let yard = Yard::new(&[("plan.md", text)]);
    let found = review(&yard, "adversarial-reviewer");
    assert_eq!(found.findings.len(), 2);
    let changed = text.replace("[them](gone.md) first", "them first");
    std::fs::write(yard.root().join("plan.md"), changed).unwrap();
    let envelope = judge(&yard, known(&found));
    let holds: Vec<String> = items(field(&envelope, "verdicts"))
        .iter()
        .map(|it| part(it, "holds"))
        .collect();
    assert_eq!(holds, ["true", "false"]);
}

#[test]
fn the_fixer_returns_edits_for_what_can_be_put_right_by_rule_and_says_what_the_rest_needs() {
    let yard = Yard::new(&[("plan.md", DRAFT)]);
    let found = review(&yard, "adversarial-reviewer");
    let mut findings = known(&found);
    findings.push(Value::Map(vec![
        ("id".to_owned(), Value::from("F-4")),
        (
            "claim".to_owned(),
            Value::from("The plan does not say who sends the report"),
        ),
    ]));
    let envelope = fix(&yard, findings);
    let lines = ["fixes", "edits"]
        .map(|name| items(field(&envelope, name)).to_vec())
        .concat();
    let lines: Vec<String> = lines.iter().map(|line| serde_json::to_string(line).unwrap()).collect();
    insta::assert_snapshot!(lines.join("\n"), @r###"
    {"finding":"F-1","status":"FIXED","description":"take one of the two out","files_modified":[],"verification":"the check doubled-word was made again on the changed text and does not find it","memory_saved":false}
    {"finding":"F-2","status":"BLOCKED","description":"more than one change could be meant","needs":"the author says which file is meant, or adds it"}
    {"finding":"F-3","status":"FIXED","description":"give the row 2 cells","files_modified":[],"verification":"the check ragged-table was made again on the changed text and does not find it","memory_saved":false}
    {"finding":"F-4","status":"BLOCKED","description":"no check made this claim: it takes somebody who understands the text","needs":"an agent with a model, or a person"}
    {"file":"plan.md","section":"Plan","old":"Send the the report to [the team](team.md).","new":"Send the report to [the team](team.md)."}
    {"file":"plan.md","section":"Dates","old":"| Start |","new":"| Start |  |"}
    "###);
    assert_eq!(
        yard.text("plan.md"),
        DRAFT,
        "the engine applies the edits, not the agent"
    );
}

#[test]
fn a_finding_that_is_no_longer_there_is_not_said_to_be_fixed() {
    let yard = Yard::new(&[("plan.md", DRAFT)]);
    let found = review(&yard, "adversarial-reviewer");
    std::fs::write(yard.root().join("plan.md"), "# Plan\n\nSend the report.\n").unwrap();
    let envelope = fix(&yard, known(&found));
    for entry in items(field(&envelope, "fixes")) {
        assert_eq!(part(entry, "status"), "BLOCKED");
        assert!(
            part(entry, "description").ends_with("does not find it any more"),
            "{entry}"
        );
    }
    assert_eq!(items(field(&envelope, "edits")).len(), 0);
}

#[test]
fn a_workflow_is_checked_for_its_form_only() {
    let text =
        "---\nname: x\ndescription: y\n---\n\n# Step\n\nRead {output_folder}/{{file}} and the the [notes](gone.md).\n";
    let yard = Yard::new(&[("plan.md", text)]);
    let envelope = review(&yard, "adversarial-reviewer");
    let found: Vec<String> = envelope.findings.iter().map(|it| part(it, "check")).collect();
    assert_eq!(found, ["doubled-word"]);
    assert!(
        envelope
            .text
            .ends_with("only its form was checked: bmad lint checks the rest"),
        "{}",
        envelope.text
    );
}
