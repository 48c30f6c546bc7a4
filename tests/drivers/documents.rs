//! The document checks on real documents: every Markdown file of the packages.

use crate::packages::{PACKAGES, fetched};
use bmad::builtins::Value;
use bmad::drivers::{Options, named};
use bmad::machine::Task;
use bmad::os::Disk;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Returns the Markdown files below a folder.
fn documents(folder: &Path) -> Vec<PathBuf> {
    let files = bmad::project::files(&Disk, folder).into_iter();
    let is_page = |file: &PathBuf| file.extension().is_some_and(|it| it == "md" || it == "mdx");
    files.filter(is_page).collect()
}

#[test]
fn every_document_of_the_packages_is_checked_and_every_finding_quotes_it() {
    let Some(corpus) = fetched() else { return };
    let mut count = 0;
    for package in PACKAGES {
        let root = corpus.join(package.name()).join("package");
        let driver = named("offline", &Options::new(Arc::new(Disk), &root)).unwrap();
        for file in documents(&root) {
            let path = file.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
            let task = Task {
                prompt: "Review the document.".to_owned(),
                params: vec![("document".to_owned(), Value::from(path.as_str()))],
                ..Task::default()
            };
            let reply = super::wait(driver.perform(Arc::new(super::turn(task, root.clone()))))
                .result
                .unwrap();
            for finding in reply.envelope.findings {
                let part = |name: &str| finding.get(name).unwrap().to_string();
                let line: usize = part("line").parse().unwrap();
                let quote = part("quote");
                let written = text.lines().nth(line - 1).unwrap_or("");
                assert!(written.contains(&quote), "{path}:{line} has no {quote:?}");
                if std::env::var_os("BMAD_SHOW_FINDINGS").is_some() {
                    println!(
                        "{}/{path}:{line} [{}] {} | {quote}",
                        package.name(),
                        part("check"),
                        part("message")
                    );
                }
            }
            count += 1;
        }
    }
    assert!(count > 1000, "only {count} documents were found");
}
