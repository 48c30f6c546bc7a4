//! Inputs as a person gives them in, as the run knows them out.

use super::Project;
use crate::cli::failure::Failure;
use crate::cli::session::{Session, tidy};
use crate::diagnostic::nearest;
use crate::host::EntryKind;
use crate::machine::escape::shell_word;
use crate::model::{Input, InputKind, REQUEST};
use std::path::Path;

/// Refuses to begin without an input that the workflow cannot do without, or with one that it probably does not mean;
/// a file is given as seen from the folder the person is in and handed on as seen from the project.
pub(in crate::cli) fn inputs(
    project: &Project,
    given: &[(String, String)],
    session: &Session<'_>,
) -> Result<Vec<(String, String)>, Failure> {
    let declared = &project.workflow().inputs;
    for (name, _) in given {
        let known = declared.iter().any(|input| input.name == *name);
        let meant = nearest(name, declared.iter().map(|input| input.name.as_str()));
        if let Some(meant) = meant.filter(|_| !known) {
            return Err(Failure::usage(format!("`{}` has no input `{name}`", project.home()))
                .with_hint(format!("did you mean `--input {meant}=VALUE`?")));
        }
        if !known && !project.image().reads(project.at, name) {
            return Err(unread(project, name));
        }
    }
    let missing = |input: &&Input| input.is_needed() && given.iter().all(|(name, _)| *name != input.name);
    if let Some(input) = declared.iter().find(missing) {
        return Err(lacking(project, input));
    }
    let kind = |name: &str| {
        let named = declared.iter().find(|input| input.name == name);
        named.map_or(InputKind::Text, |input| input.kind)
    };
    let mut handed: Vec<(String, String)> = Vec::new();
    for (name, value) in given {
        match kind(name) {
            InputKind::Text => handed.push((name.clone(), value.clone())),
            InputKind::File => handed.push((name.clone(), seen(project, name, value, session)?)),
            InputKind::Files => {
                let seen: Result<Vec<String>, Failure> =
                    value.lines().map(|path| seen(project, name, path, session)).collect();
                add_lines(&mut handed, name, &seen?);
            }
        }
    }
    Ok(handed)
}

/// Adds the words of the person to the inputs; a workflow in the engine's own tags takes them where it has an input for them.
pub(in crate::cli) fn with_words(
    project: &Project,
    given: &[(String, String)],
    words: Option<&str>,
) -> Result<Vec<(String, String)>, Failure> {
    let mut given = given.to_vec();
    let Some(words) = words.filter(|words| !words.trim().is_empty()) else {
        return Ok(given);
    };
    if given.iter().any(|(name, _)| name == REQUEST) {
        let message = format!("the words behind the file are the input `{REQUEST}`, and that is given, too");
        return Err(Failure::usage(message).with_hint("give one of the two"));
    }
    if !project.image().takes_words(project.at) {
        let message = format!(
            "`{}` has no place for words: it has no input `{REQUEST}`",
            project.home()
        );
        return Err(Failure::usage(message).with_hint(format!(
            "give its inputs by name, `--input NAME=VALUE`; or declare `<input name=\"{REQUEST}\"/>` in it"
        )));
    }
    given.push((REQUEST.to_owned(), words.to_owned()));
    Ok(given)
}

/// Adds paths to an input that may be given several times.
fn add_lines(handed: &mut Vec<(String, String)>, name: &str, paths: &[String]) {
    let at = handed.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
        handed.push((name.to_owned(), String::new()));
        handed.len() - 1
    });
    for path in paths {
        let lines = &mut handed[at].1;
        if !lines.lines().any(|known| known == path) {
            let before = if lines.is_empty() { "" } else { "\n" };
            lines.push_str(before);
            lines.push_str(path);
        }
    }
}

/// Masks secrets in what the run is given, as in everything else that comes in.
pub(in crate::cli) fn without_secrets(inputs: Vec<(String, String)>, session: &Session<'_>) -> Vec<(String, String)> {
    let masked = |(name, value): (String, String)| (name, session.secrets.masked(&value).into_owned());
    inputs.into_iter().map(masked).collect()
}

/// Says that nothing in a workflow reads an input, and what inputs there are.
fn unread(project: &Project, name: &str) -> Failure {
    let declared = project.workflow().inputs.iter();
    let declared: Vec<String> = declared.map(|input| format!("`{}`", input.name)).collect();
    let failure = Failure::usage(format!("nothing in `{}` reads an input `{name}`", project.home()));
    match declared.is_empty() {
        true => failure.with_hint("leave it out: the workflow declares no inputs"),
        false => failure.with_hint(format!("its inputs are {}", declared.join(", "))),
    }
}

fn lacking(project: &Project, input: &Input) -> Failure {
    let value = match input.kind {
        InputKind::Text => "VALUE",
        InputKind::File | InputKind::Files => "FILE",
    };
    let hint = match input.name == REQUEST {
        true => "say what you want behind the file: `bmad exec FILE 'WORDS'`".to_owned(),
        false => format!("add `--input {}={value}`", input.name),
    };
    Failure::usage(input.lacking(&format!("`{}`", project.home()))).with_hint(hint)
}

/// Returns a path of the project.
fn seen(project: &Project, name: &str, value: &str, session: &Session<'_>) -> Result<String, Failure> {
    if let Some(path) = inside(project, value, session) {
        return Ok(path);
    }
    let workflow = tidy(&project.root.join(project.home()));
    let command = quoted(&workflow).map(|workflow| format!("bmad exec {workflow} --input {name}="));
    Err(outside(project, value, command.as_deref(), session))
}

/// Returns a file as the project knows it; nothing where it lies outside of it.
fn inside(project: &Project, value: &str, session: &Session<'_>) -> Option<String> {
    let host = session.host();
    let full = tidy(&session.folder().join(value));
    let below = |path: &Path, root: &Path| Some(path.strip_prefix(root).ok()?.to_str()?.replace('\\', "/"));
    let real = |path: &Path| host.resolve(path).map(|found| found.path);
    let by_links = || below(&real(&full)?, &real(&project.root)?);
    below(&full, &project.root).or_else(by_links)
}

/// Refuses a file or folder outside of the project; `command` is what does the work once the file is named behind it.
pub(in crate::cli) fn check_inside(
    project: &Project,
    value: &str,
    command: &str,
    session: &Session<'_>,
) -> Result<(), Failure> {
    match inside(project, value, session) {
        Some(_) => Ok(()),
        None => Err(outside(project, value, Some(command), session)),
    }
}

fn outside(project: &Project, value: &str, command: Option<&str>, session: &Session<'_>) -> Failure {
    let failure = Failure::usage(format!(
        "`{value}` lies outside of `{}`, the folder this run works on",
        project.root.display()
    ));
    let full = tidy(&session.folder().join(value));
    let kind = session.host().resolve(&full).map(|found| found.kind);
    let there = match kind {
        Some(EntryKind::Folder) => quoted(&full).map(|folder| (folder, ".".to_owned())),
        Some(EntryKind::File | EntryKind::Link) | None => typed(&full),
    };
    match command.zip(there) {
        Some((command, (folder, file))) => {
            failure.with_hint(format!("run it where the file is: cd {folder} && {command}{file}"))
        }
        None => failure.with_hint("run it from the folder that the file is in"),
    }
}

/// Returns the folder of a file and its name in it, as they are typed.
fn typed(file: &Path) -> Option<(String, String)> {
    Some((quoted(file.parent()?)?, quoted(Path::new(file.file_name()?))?))
}

/// Returns a path as it is typed.
fn quoted(path: &Path) -> Option<String> {
    shell_word(path.to_str()?)
}
