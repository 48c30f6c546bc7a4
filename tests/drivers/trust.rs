//! Whether Codex trusts a folder is for the person to say: a call writes nothing about it into their settings.
#![cfg(unix)]

use super::agents::Stage;
use super::task;
use bmad::host::Turn;
use bmad::machine::{Access, Task};
use std::fs;
use std::path::PathBuf;

/// A person with a home, and a folder to work in.
struct Person {
    stage: Stage,
    home: PathBuf,
}

impl Person {
    fn new() -> Self {
        let mut stage = Stage::new("", 0);
        let home = fs::canonicalize(stage.yard.root()).unwrap();
        for folder in [".codex", "work/deep"] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        stage.settings.set = vec![("HOME".to_owned(), home.display().to_string())];
        Self { stage, home }
    }

    /// Returns what a call in the folder says of it, where the person set this.
    fn said(&self, settings: &str, access: Access) -> (Option<String>, Vec<String>) {
        let settings = settings.replace("HERE", &self.home.display().to_string());
        fs::write(self.home.join(".codex/config.toml"), settings).unwrap();
        let turn = Turn {
            task: Task {
                access,
                ..task(&["Work"])
            },
            root: self.home.join("work/deep"),
            ..self.stage.turn(task(&[]))
        };
        let call = self.stage.call("codex", turn);
        let argv = self.stage.yard.text("bin/argv");
        let said = argv.lines().find(|word| word.starts_with("projects="));
        (said.map(str::to_owned), call.notes)
    }
}

#[test]
fn a_folder_that_nobody_decided_about_is_not_trusted_for_one_call() {
    let person = Person::new();
    let deep = person.home.join("work/deep");
    let wanted = Some(format!(
        "projects={{\"{}\"={{trust_level=\"untrusted\"}}}}",
        deep.display()
    ));
    assert_eq!(person.said("", Access::Write), (wanted.clone(), vec![]));
    let above = "[projects.\"HERE\"]\ntrust_level = \"trusted\"\n";
    assert_eq!(
        person.said(above, Access::Write).0,
        wanted,
        "a folder above it is another one"
    );
    assert_eq!(
        person.said("", Access::Read).0,
        None,
        "a folder that is only read is not noted by Codex"
    );
    fs::create_dir(deep.join(".codex")).unwrap();
    let (said, notes) = person.said("", Access::Write);
    assert_eq!(said, wanted);
    assert_eq!(
        notes,
        ["what the project sets in `.codex` is not obeyed: start `codex` there once and say that you trust it"]
    );
}

#[test]
fn what_a_person_decided_stays() {
    let person = Person::new();
    for level in ["trusted", "untrusted"] {
        let own = format!("[projects.\"HERE/work/deep\"]\ntrust_level = \"{level}\"\n");
        assert_eq!(person.said(&own, Access::Write).0, None, "{level}");
    }
    assert_eq!(
        person.said("model = [", Access::Write).0,
        None,
        "it says itself what is wrong"
    );
    let above = "[projects.\"HERE/work\"]\ntrust_level = \"trusted\"\n";
    assert!(person.said(above, Access::Write).0.is_some());
    fs::create_dir(person.home.join("work/.git")).unwrap();
    assert_eq!(
        person.said(above, Access::Write).0,
        None,
        "the repository is what is trusted"
    );
    fs::remove_dir(person.home.join("work/.git")).unwrap();
    let link = format!("gitdir: {}/first/.git/worktrees/second\n", person.home.display());
    fs::write(person.home.join("work/.git"), link).unwrap();
    let first = "[projects.\"HERE/first\"]\ntrust_level = \"trusted\"\n";
    assert_eq!(
        person.said(first, Access::Write).0,
        None,
        "and so is another work tree of it"
    );
}
