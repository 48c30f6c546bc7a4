//! The checks of documents: what their page says, what was planted, and what real documents hold.

mod corpus;
mod fixed;
mod page;
mod place;
mod planted;

use bmad::builtins::Value;
use bmad::drivers::{Options, named};
use bmad::host::Turn;
use bmad::machine::{Envelope, Task};
use bmad::os::Disk;
use std::path::Path;
use std::sync::Arc;

/// Lets the built-in agent take a turn in a project.
fn take(root: &Path, task: Task) -> Envelope {
    let driver = named("offline", &Options::new(Arc::new(Disk), root)).unwrap();
    let turn = Turn {
        prompt: task.prompt.clone(),
        root: root.to_path_buf(),
        task,
        ..Turn::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let call = runtime.unwrap().block_on(driver.perform(Arc::new(turn)));
    call.result.unwrap().envelope
}

/// Returns what the built-in agent finds in a document of a project.
fn findings(root: &Path, document: &str) -> Vec<Value> {
    let task = Task {
        prompt: "Review the document.".to_owned(),
        params: vec![("document".to_owned(), Value::from(document))],
        ..Task::default()
    };
    take(root, task).findings
}

fn part(value: &Value, name: &str) -> String {
    value.get(name).map(ToString::to_string).unwrap_or_default()
}
