//! Every example of the spec runs: what it says is found is found, and nothing else; what it says happens, happens.

use crate::machine::{project_of, trace, willing};
use crate::memory::Memory;
use bmad::diagnostic::Severity;
use bmad::host::Workspace;
use bmad::lint::Settings;
use bmad::machine::Options;
use bmad::project::{check, load, settings, sites};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One example: the files under a heading and what is expected of them.
struct Example {
    line: usize,
    heading: String,
    files: Vec<(String, Vec<u8>)>,
    expected: Vec<String>,
    run: Option<Traced>,
}

/// What a run of an example does.
struct Traced {
    answers: Vec<String>,
    trace: String,
}

#[test]
fn every_example_of_the_spec_finds_what_it_says() {
    let mut wrong = String::new();
    let mut count = 0;
    for page in pages(&root().join("spec")) {
        if std::env::var("BMAD_SPEC").is_ok_and(|only| !page.ends_with(only)) {
            continue;
        }
        let text = std::fs::read_to_string(&page).unwrap();
        let name = page.strip_prefix(root()).unwrap().display().to_string();
        let rule = name
            .strip_prefix("spec/rules/")
            .and_then(|rest| rest.strip_suffix(".md"));
        for example in examples(&name, &text, &mut wrong) {
            count += 1;
            let found = findings(&example, rule);
            if found != example.expected {
                writeln!(
                    wrong,
                    "{name}:{} {}\n  expected {:#?}\n  found    {found:#?}",
                    example.line, example.heading, example.expected
                )
                .unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(
        count > 100 || std::env::var_os("BMAD_SPEC").is_some(),
        "only {count} examples were found"
    );
}

#[test]
fn every_trace_of_the_spec_is_what_its_example_does() {
    let mut wrong = String::new();
    let mut count = 0;
    for page in pages(&root().join("spec")) {
        let text = std::fs::read_to_string(&page).unwrap();
        let name = page.strip_prefix(root()).unwrap().display().to_string();
        for example in examples(&name, &text, &mut wrong) {
            let Some(run) = &example.run else { continue };
            count += 1;
            let answers: Vec<&str> = run.answers.iter().map(String::as_str).collect();
            let loaded = project_of(example.files);
            let first = ["workflow.yaml", "workflow.md", "workflow.xml", "SKILL.md"];
            let home = first.iter().find(|name| {
                let paths = loaded.library.documents().map(|it| it.source.path().as_str());
                paths.into_iter().any(|path| path == **name)
            });
            let trace = trace(&loaded, home.unwrap(), Options::default(), &mut willing(&answers));
            if trace != run.trace {
                writeln!(wrong, "{name}:{} {}\n{trace}", example.line, example.heading).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count > 5, "only {count} traces were found");
}

#[test]
fn every_rule_shows_three_examples_that_it_finds_and_three_it_leaves_alone() {
    let mut poor = String::new();
    for page in pages(&root().join("spec/rules")) {
        let text = std::fs::read_to_string(&page).unwrap();
        let examples = examples(&page.display().to_string(), &text, &mut String::new());
        let positive = examples.iter().filter(|example| !example.expected.is_empty()).count();
        let negative = examples.len() - positive;
        if positive < 3 || negative < 3 {
            writeln!(poor, "{}: {positive} found, {negative} left alone", page.display()).unwrap();
        }
    }
    assert!(poor.is_empty(), "{poor}");
}

fn findings(example: &Example, rule: Option<&str>) -> Vec<String> {
    let host: Arc<dyn Workspace> = Arc::new(Memory::new(example.files.clone()));
    let mut found = Vec::new();
    for site in sites(&*host, &[PathBuf::from("/project")]) {
        let loaded = load(&host, site);
        let merged = settings(&loaded, &Settings::default());
        for diagnostic in check(&loaded, &merged) {
            let shown = match rule {
                Some(rule) => diagnostic.code.0 == rule,
                None => diagnostic.severity >= Severity::Warning,
            };
            if !shown {
                continue;
            }
            let source = loaded.library.source(diagnostic.span.source);
            let place = source.position(diagnostic.span.start);
            let inside = loaded
                .root
                .strip_prefix("/project")
                .unwrap()
                .join(source.path().as_str());
            found.push(format!(
                "{}:{}:{} {} {}",
                inside.display(),
                place.line,
                place.column,
                diagnostic.severity.name(),
                diagnostic.code
            ));
        }
    }
    found.sort();
    found
}

/// Reads the examples of a page: under one heading, the fences that name a file, and the `findings` fence after them.
fn examples(page: &str, text: &str, wrong: &mut String) -> Vec<Example> {
    let mut read: Vec<Example> = Vec::new();
    let mut open: Option<Example> = None;
    let mut heading = String::new();
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        if ticks < 3 {
            if line.starts_with('#') {
                heading = line.trim_start_matches('#').trim().to_owned();
                read.extend(open.take());
            }
            continue;
        }
        let head = line[ticks..].trim();
        let body = fenced(&mut lines, &"`".repeat(ticks));
        if let Some(answers) = head.strip_prefix("trace") {
            let run = Traced::new(answers, &body);
            match open.as_mut().or(read.last_mut().filter(|last| last.heading == heading)) {
                Some(example) => example.run = Some(run),
                None => writeln!(wrong, "{page}:{} a trace without an example", at + 1).unwrap(),
            }
            continue;
        }
        match head.split_once(' ') {
            Some((_, file)) => {
                let example = open.get_or_insert_with(|| Example {
                    line: at + 1,
                    heading: heading.clone(),
                    files: Vec::new(),
                    expected: Vec::new(),
                    run: None,
                });
                let file = match file.trim().strip_suffix(" hex") {
                    Some(path) => (path.to_owned(), bytes(&body)),
                    None => (file.trim().to_owned(), body.into_bytes()),
                };
                example.files.push(file);
            }
            None if head == "findings" => {
                if let Some(mut example) = open.take() {
                    example.expected = body
                        .lines()
                        .map(|line| line.trim().to_owned())
                        .filter(|line| !line.is_empty())
                        .collect();
                    example.expected.sort();
                    read.push(example);
                }
            }
            None if ["text", "console", "mermaid", "json", "toml", ""].contains(&head) => {}
            None => writeln!(
                wrong,
                "{page}:{} a `{head}` fence without a file name does not run",
                at + 1
            )
            .unwrap(),
        }
    }
    read.extend(open);
    read
}

/// Returns the lines up to the end of a fence.
fn fenced<'t>(lines: &mut impl Iterator<Item = (usize, &'t str)>, mark: &str) -> String {
    let mut body = String::new();
    for (_, line) in lines.by_ref() {
        if line.trim_end() == mark {
            break;
        }
        body.push_str(line);
        body.push('\n');
    }
    body
}

impl Traced {
    fn new(answers: &str, trace: &str) -> Self {
        let answers = answers.split(" | ").map(str::trim).filter(|it| !it.is_empty());
        Self {
            answers: answers.map(str::to_owned).collect(),
            trace: trace.trim_end().to_owned(),
        }
    }
}

/// Puts bytes in the place of `\xE9` and the like.
fn bytes(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut read = parts.next().unwrap_or("").as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at(2);
        read.push(u8::from_str_radix(digits, 16).unwrap());
        read.extend_from_slice(rest.as_bytes());
    }
    read
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
