//! What a turn is given beside its instructions: values that somebody gave the workflow, and where its files are.

use super::{project, trace, willing};
use bmad::machine::{Effect, Issued, Options, Task};
use bmad::project::Loaded;

/// Runs a workflow and returns its turns.
fn turns(loaded: &Loaded, file: &str, options: Options) -> Vec<Task> {
    let mut turns = Vec::new();
    let mut rest = willing(&[]);
    trace(loaded, file, options, &mut |issued: &Issued| {
        if let Effect::Dispatch(task) = &issued.effect {
            turns.push((**task).clone());
        }
        rest(issued)
    });
    turns
}

#[test]
fn what_a_person_gives_is_told_at_first_and_wherever_the_words_speak_of_it() {
    let skill = "---\nname: prose\ndescription: d\n---\n# Prose\n\n## Step 1: Look\n\n- Look around\n\n## Step 2: Check\n\n- Check if content is empty\n\n## Step 3: Rest\n\n- Take a rest\n";
    let loaded = project([("prose/SKILL.md", skill)]);
    let options = Options {
        inputs: vec![
            ("content".to_owned(), "docs/guide.md".into()),
            ("reader_type".to_owned(), "llm".into()),
        ],
        ..Options::default()
    };
    let turns = turns(&loaded, "prose/SKILL.md", options);
    let names = |task: &Task| task.variables.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    let told: Vec<Vec<String>> = turns.iter().map(names).collect();
    assert_eq!(told, [vec!["content", "reader_type"], vec!["content"], vec![]]);
    assert_eq!(turns[0].variables[0].1, "docs/guide.md");
}

#[test]
fn a_workflow_in_tags_of_the_engine_names_what_it_reads() {
    let flow = r#"<workflow name="W"><step n="1" goal="a"><dispatch>Read.</dispatch><action>Write it.</action></step></workflow>"#;
    let loaded = project([("flow.xml", flow)]);
    let options = Options {
        inputs: vec![("content".to_owned(), "x".into())],
        ..Options::default()
    };
    let told = turns(&loaded, "flow.xml", options);
    assert!(told.iter().all(|task| task.variables.is_empty()), "{told:?}");
}

#[test]
fn files_of_a_workflow_are_told_as_seen_from_the_project() {
    let loaded = project([
        (
            "u/workflow.md",
            "---\nname: u\ndescription: d\n---\n\nRead fully and follow: `steps/step-01-a.md`\n",
        ),
        (
            "u/steps/step-01-a.md",
            "---\ntemplateFile: '../tpl/report.md'\n---\n# Step 1: A\n\nBegin `out/report.md` with {templateFile}. Read `methods.csv` and `data/list.md`, never `./step-02-b.md`.\n",
        ),
        ("u/steps/step-02-b.md", "# Step 2: B\n\nEnd.\n"),
        ("u/steps/methods.csv", "m\n"),
        ("u/data/list.md", "l\n"),
        ("u/tpl/report.md", "T\n"),
    ]);
    let turns = turns(&loaded, "u/workflow.md", Options::default());
    let files = turns.first().map(|task| task.files.clone()).unwrap_or_default();
    assert_eq!(
        files,
        [
            "`../tpl/report.md` is `u/tpl/report.md`",
            "`methods.csv` is `u/steps/methods.csv`",
            "`data/list.md` is `u/data/list.md`",
        ]
    );
}

#[test]
fn the_words_that_a_run_begins_with_are_told_to_every_turn_and_every_judge() {
    let outer = "---\nname: outer\ndescription: d\n---\n# Outer\n\n## Step 1: Look\n\n- Look around\n\n## Step 2: Call\n\nInvoke the `inner` skill.\n";
    let inner = r#"<task name="inner"><step n="1" goal="a"><check if="the yard is sunny"><action>Build it.</action></check><action>Draw it.</action></step></task>"#;
    let inner_skill = "---\nname: inner\ndescription: d\n---\n";
    let loaded = project([
        ("outer/SKILL.md", outer),
        ("inner/SKILL.md", &format!("{inner_skill}{inner}\n")),
    ]);
    let options = Options {
        inputs: vec![("request".to_owned(), "A sundial".into())],
        ..Options::default()
    };
    let mut told = Vec::new();
    let mut rest = willing(&[]);
    trace(&loaded, "outer/SKILL.md", options, &mut |issued: &Issued| {
        if let Effect::Dispatch(task) | Effect::Judge(task) = &issued.effect {
            told.push((task.workflow.clone(), task.request.clone(), task.variables.len()));
        }
        rest(issued)
    });
    assert!(told.iter().any(|(workflow, _, _)| workflow == "inner"), "{told:?}");
    assert!(told.len() >= 3, "{told:?}");
    assert!(told.iter().all(|(_, words, _)| words == "A sundial"), "{told:?}");
    // They are not told a second time as a value.
    assert_eq!(told[0].2, 0, "{told:?}");
}

#[test]
fn a_file_of_the_project_is_not_told_as_one_of_the_workflow() {
    let files = |line: &str| {
        let skill = format!("---\nname: s\ndescription: d\n---\n# S\n\n{line}\n");
        let loaded = project([
            ("s/SKILL.md", skill.as_str()),
            ("s/README.md", "# S\n"),
            ("README.md", "# Mine\n"),
        ]);
        let turns = turns(&loaded, "s/SKILL.md", Options::default());
        turns.first().map(|task| task.files.clone()).unwrap_or_default()
    };
    assert_eq!(files("Read the `README.md` of the project."), Vec::<String>::new());
    let own = ["Read `README.md`.", "Read `./README.md` before the project."];
    for line in own {
        assert_eq!(files(line).len(), 1, "{line}");
    }
}

/// Runs a step whose question is answered, and returns what its turn is told of the answer.
fn told_of_answer(before: &str, question: &str, answer: &str) -> String {
    let flow = format!(
        r#"<workflow name="W"><step n="1" goal="a"><output>{before}</output><ask>{question}</ask><action>Store it.</action></step></workflow>"#
    );
    let loaded = project([("flow.xml", flow.as_str())]);
    let mut told = String::new();
    let answers = [answer];
    let mut rest = willing(&answers);
    trace(&loaded, "flow.xml", Options::default(), &mut |issued: &Issued| {
        if let Effect::Dispatch(task) = &issued.effect {
            let last = task.variables.iter().find(|(name, _)| name == "the last answer");
            told = last.map(|(_, value)| value.clone()).unwrap_or_default();
        }
        rest(issued)
    });
    told
}

#[test]
fn an_answer_is_told_with_what_the_list_before_its_question_calls_it() {
    let list = "\n1. **Fix Issues** - what is wrong\n2. **Update Stories**\n";
    let question = "Select the type (1-2):";
    assert_eq!(
        told_of_answer(list, question, "2"),
        "2\nUpdate Stories\n(it was asked: Select the type (1-2):)"
    );
    assert_eq!(
        told_of_answer("a) Tea\nb) Milk", "Choose one", "A"),
        "A\nTea\n(it was asked: Choose one)"
    );
    assert_eq!(
        told_of_answer("**[R]** Revise it\n**[X]** Exit", "Your choice:", "r"),
        "r\nRevise it\n(it was asked: Your choice:)"
    );
    for (list, question, answer) in [
        (list, question, "3"),
        (list, "How many are there?", "2"),
        ("1. One\n2. Two\n\n1. Eins\n2. Zwei", question, "2"),
        ("All is well.", question, "2"),
    ] {
        assert_eq!(told_of_answer(list, question, answer), answer, "{list} {question}");
    }
}
