//! The agent without a model.

mod documents;

use super::{Yard, task, texts};
use bmad::builtins::Value;
use bmad::drivers::Options;
use bmad::machine::{Access, Envelope, Evidence, FailureKind, Order, Status, Task, Wanted, sha256};

fn reply(yard: &Yard, task: Task) -> Envelope {
    yard.take("offline", task).unwrap().envelope
}

/// Returns `status: why` of every instruction.
fn statuses(envelope: &Envelope) -> Vec<String> {
    let line = |status: Status, why: &str| format!("{status:?} {why}").trim().to_owned();
    envelope
        .instructions
        .iter()
        .map(|given| line(given.status, &given.why))
        .collect()
}

#[test]
fn reading_is_done_for_real_with_the_hash_as_evidence() {
    let yard = Yard::new(&[("docs/a.md", "hello\n")]);
    let envelope = reply(&yard, task(&["Load the complete file docs/a.md", "Read gone.md"]));
    assert_eq!(statuses(&envelope), ["Done", "Blocked there is no file `gone.md`"]);
    assert_eq!(
        envelope.instructions[0].evidence,
        [Evidence::File {
            path: "docs/a.md".to_owned(),
            sha256: Some(sha256(b"hello\n")),
        }]
    );
}

#[test]
fn a_path_out_of_the_project_is_refused() {
    let yard = Yard::new(&[("a.md", "x")]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc", yard.root().join("link")).unwrap();
    let envelope = reply(
        &yard,
        task(&["Read ../x.md", "Read /etc/hostname", "Read link/hostname"]),
    );
    let outside = |path: &str| format!("Blocked `{path}` leads out of the project");
    assert_eq!(
        statuses(&envelope),
        [outside("../x.md"), outside("/etc/hostname"), outside("link/hostname")]
    );
}

#[test]
fn listing_gives_the_paths() {
    let yard = Yard::new(&[
        ("docs/b.md", ""),
        ("docs/a.md", ""),
        ("docs/x.txt", ""),
        ("docs/deep/c.md", ""),
    ]);
    let listed = |text: &str| {
        let envelope = reply(&yard, task(&[text]));
        match envelope.instructions[0].evidence.first() {
            Some(Evidence::Value { value }) => value.to_string(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(listed("List docs/*.md"), "docs/a.md, docs/b.md");
    assert_eq!(
        listed("List all files matching docs/**/*.md"),
        "docs/a.md, docs/b.md, docs/deep/c.md"
    );
    assert_eq!(
        listed("List the folder docs/"),
        "docs/a.md, docs/b.md, docs/deep, docs/x.txt"
    );
}

#[test]
fn values_are_set_and_kept() {
    let yard = Yard::new(&[("a.md", "text of a")]);
    let wanted = Task {
        wanted: Wanted {
            variables: texts(&["mode", "notes"]),
            ..Wanted::default()
        },
        ..task(&["Set mode to fast", "Read a.md and store it as {{notes}}"])
    };
    let envelope = reply(&yard, wanted);
    assert_eq!(envelope.asks, []);
    assert_eq!(
        envelope.variables,
        [
            ("mode".to_owned(), Value::from("fast")),
            ("notes".to_owned(), Value::from("text of a"))
        ]
    );
}

#[test]
fn given_text_is_written_once_and_never_over_other_text() {
    let yard = Yard::new(&[("taken.md", "mine")]);
    let orders = &[
        "Create new/x.md with the content \"# X\"",
        "Write \"other\" to taken.md",
        "Write \"x\" to _bmad/core/x.md",
    ];
    let envelope = reply(&yard, task(orders));
    assert_eq!(
        statuses(&envelope),
        [
            "Done",
            "Blocked `taken.md` is already there and says something else",
            "Blocked `_bmad/core/x.md` belongs to the installation; nothing is written there"
        ]
    );
    assert_eq!(yard.text("new/x.md"), "# X");
    assert_eq!(envelope.files.len(), 1);
    assert_eq!(statuses(&reply(&yard, task(&orders[..1]))), ["Done"]);
}

#[test]
fn a_turn_that_may_change_nothing_changes_nothing() {
    let yard = Yard::new(&[]);
    let reader = Task {
        access: Access::Read,
        ..task(&["Write \"x\" to x.md"])
    };
    assert_eq!(
        statuses(&reply(&yard, reader)),
        ["Blocked this turn may change nothing"]
    );
    assert!(!yard.root().join("x.md").exists());
}

#[cfg(unix)]
#[test]
fn only_allowed_commands_run() {
    let yard = Yard::new(&[("a.md", "x")]);
    let options = Options {
        allowed: texts(&["ls *", "false", "ls | cat"]),
        ..yard.options()
    };
    let orders = &["Run `ls a.md`", "Run `touch b.md`", "Run `false`", "Run `ls | cat`"];
    let envelope = yard.take_with("offline", &options, task(orders)).unwrap().envelope;
    assert_eq!(
        statuses(&envelope),
        [
            "Done",
            "Blocked the command `touch b.md` is not among those that may be run; `--allow 'touch b.md'` allows it",
            "Blocked `false` ended with exit code 1",
            "Blocked the command `ls | cat` needs a shell, and none is used"
        ]
    );
    assert!(!yard.root().join("b.md").exists());
    assert_eq!(
        envelope.instructions[0].evidence,
        [Evidence::Command {
            command: "ls a.md".to_owned(),
            exit: 0
        }]
    );
}

#[test]
fn what_needs_a_model_is_a_gap_and_what_is_optional_is_skipped() {
    let yard = Yard::new(&[]);
    let mut mixed = task(&["Decide what matters most", "Read gone.md"]);
    mixed.instructions[1] = Order {
        optional: true,
        ..mixed.instructions[1].clone()
    };
    assert_eq!(
        statuses(&reply(&yard, mixed)),
        ["Gap needs a model", "Skipped there is no file `gone.md`"]
    );
}

#[test]
fn a_section_gets_a_placeholder_that_says_so() {
    let yard = Yard::new(&[]);
    let wanted = Task {
        wanted: Wanted {
            sections: texts(&["goals", "a --> b\nc"]),
            ..Wanted::default()
        },
        ..task(&[])
    };
    let envelope = reply(&yard, wanted);
    let sections: Vec<String> = envelope.sections.iter().map(|(_, text)| text.to_string()).collect();
    assert_eq!(
        sections,
        [
            "<!-- bmad: gap goals -->\n> Not written yet: needs an agent. Section: goals\n",
            "<!-- bmad: gap a - -  b c -->\n> Not written yet: needs an agent. Section: a --> b c\n"
        ]
    );
    assert_eq!(envelope.text, "Not written yet: goals, a --> b\nc.");
}

#[test]
fn a_value_that_nobody_gives_is_asked_for_before_anything_is_done() {
    let yard = Yard::new(&[]);
    let wanted = Task {
        wanted: Wanted {
            variables: texts(&["audience"]),
            ..Wanted::default()
        },
        conditions: texts(&["the audience is large"]),
        ..task(&["Write \"x\" to x.md", "Find out the audience"])
    };
    let first = reply(&yard, wanted.clone());
    let questions: Vec<&str> = first.asks.iter().map(|asked| asked.question.as_str()).collect();
    assert_eq!(
        questions,
        [
            "What is the value of `audience`?",
            "Does this hold: the audience is large"
        ]
    );
    assert_eq!(first.instructions, []);
    assert!(!yard.root().join("x.md").exists());
    let answers = ["engineers", "no"];
    let again = Task {
        answered: questions
            .iter()
            .zip(answers)
            .map(|(q, a)| ((*q).to_owned(), a.to_owned()))
            .collect(),
        ..wanted
    };
    let second = reply(&yard, again);
    assert_eq!(second.variables, [("audience".to_owned(), Value::from("engineers"))]);
    assert!(!second.judgements[0].holds);
    assert_eq!(yard.text("x.md"), "x");
}

#[test]
fn a_turn_that_only_judges_is_left_to_others() {
    let yard = Yard::new(&[]);
    let judge = Task {
        conditions: texts(&["it rains"]),
        ..task(&[])
    };
    let failure = yard.take("offline", judge).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Denied);
    assert!(
        failure.message.contains("needs a person or a model"),
        "{}",
        failure.message
    );
}

#[test]
fn a_prompt_that_needs_a_model_is_refused() {
    let yard = Yard::new(&[]);
    let dispatch = Task {
        prompt: "Say what could go wrong.".to_owned(),
        ..task(&[])
    };
    let failure = yard.take("offline", dispatch).unwrap_err();
    assert_eq!(
        (failure.kind, failure.message.as_str()),
        (FailureKind::Denied, "this prompt needs a model")
    );
}

fn review(agent: Option<&str>, prompt: &str) -> Task {
    Task {
        agent: agent.map(str::to_owned),
        prompt: prompt.to_owned(),
        ..task(&[])
    }
}

#[test]
fn a_review_of_a_document_gives_findings_with_places() {
    let yard = Yard::new(&[
        ("docs/a.md", "# A\n\nSee [b](b.md) and [c](c.md).\n\n## Empty\n"),
        ("docs/b.md", ""),
    ]);
    let task = Task {
        params: vec![("document".to_owned(), Value::from("docs/a.md"))],
        ..review(None, "Review the document. Answer with findings.")
    };
    let envelope = reply(&yard, task);
    let findings = envelope
        .findings
        .iter()
        .map(|finding| serde_json::to_string(finding).unwrap());
    let lines: Vec<String> = findings.chain([envelope.text]).collect();
    insta::assert_snapshot!(lines.join("\n"), @r###"
    {"check":"dead-link","category":"dead-link","severity":"high","file":"docs/a.md","line":3,"quote":"See [b](b.md) and [c](c.md).","message":"the link to c.md leads to no file","claim":"the link to c.md leads to no file","evidence":"seen from the folder of the document there is no file `c.md`","suggestion":"write the path of the file that is meant, or take the link out","anchor":"7cb10bfd74e44e33","place":{"file":"docs/a.md","section":"A","quote":"See [b](b.md) and [c](c.md)."}}
    {"check":"empty-section","category":"empty-section","severity":"medium","file":"docs/a.md","line":5,"quote":"## Empty","message":"the section \"Empty\" is empty","claim":"the section \"Empty\" is empty","evidence":"nothing follows it to the end of the document","suggestion":"write the section, or take its heading out","anchor":"29b8bf118911538d","place":{"file":"docs/a.md","section":"Empty","quote":"## Empty"}}
    2 findings in docs/a.md by 26 checks without a model
    "###);
}

#[test]
fn a_review_makes_only_the_checks_that_are_named() {
    let yard = Yard::new(&[("a.md", "# A\n\n[x](gone.md)\n\n## Empty\n")]);
    let checks = |names: &str| Task {
        params: vec![
            ("document".to_owned(), Value::from("a.md")),
            ("checks".to_owned(), Value::from(names)),
        ],
        ..review(None, "Review the document. Answer with findings.")
    };
    let envelope = reply(&yard, checks("empty-section, heading-jump"));
    let found: Vec<String> = envelope
        .findings
        .iter()
        .map(|it| it.get("check").unwrap().to_string())
        .collect();
    assert_eq!(found, ["empty-section"]);
    assert_eq!(
        envelope.text,
        "1 finding in a.md by checks without a model: empty-section, heading-jump"
    );
    let failure = yard.take("offline", checks("dead-lnk")).unwrap_err();
    assert!(
        failure
            .message
            .starts_with("there is no check `dead-lnk`; there are dead-link, "),
        "{}",
        failure.message
    );
}

#[test]
fn the_document_of_a_review_is_found_wherever_it_is_named() {
    let yard = Yard::new(&[("docs/a.md", "# A\n")]);
    let named = [
        review(Some("adversarial-reviewer"), "Judge what docs/a.md says now."),
        review(None, "Check `docs/a.md` please"),
        Task {
            files: texts(&["docs/a.md"]),
            ..review(Some("link-checker"), "Do your work.")
        },
        Task {
            variables: vec![("content_path".to_owned(), "docs/a.md".to_owned())],
            ..review(Some("reviewer"), "Do your work.")
        },
    ];
    for task in named {
        let envelope = reply(&yard, task);
        assert_eq!(envelope.findings.len(), 1, "{envelope:?}");
    }
}

#[test]
fn a_reviewer_that_is_asked_for_something_else_says_that_it_cannot() {
    let yard = Yard::new(&[("a.md", "# A\n")]);
    let verdicts = Task {
        wanted: Wanted {
            fields: texts(&["verdicts"]),
            ..Wanted::default()
        },
        ..review(Some("adversarial-reviewer"), "Judge these statements about a.md.")
    };
    assert_eq!(yard.take("offline", verdicts).unwrap_err().kind, FailureKind::Denied);
    let nothing = review(Some("adversarial-reviewer"), "Review it.");
    assert_eq!(yard.take("offline", nothing).unwrap_err().kind, FailureKind::Denied);
}

#[test]
fn an_instruction_to_check_is_done_as_far_as_it_goes() {
    let yard = Yard::new(&[("a.md", "# A\n\n[x](gone.md)\n")]);
    let envelope = reply(&yard, task(&["Check a.md for dead links", "Review a.md"]));
    assert_eq!(
        statuses(&envelope),
        [
            "Done",
            "Gap only checks without a model were made; reading it needs a model"
        ]
    );
    assert_eq!(envelope.findings.len(), 2);
}
