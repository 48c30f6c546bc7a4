//! An agent as a person typed it in, the same as the project sees it out: whoever goes on may be in another folder.

use crate::cli::session::tidy;
use crate::host::{Spec, command_words};
use crate::machine::escape::shell_word;
use std::path::Path;

/// Returns the spec of an agent with its file, or its program that is named by a path, as seen from the project at `root`;
/// it was typed in `folder`.
pub(super) fn rooted(typed: &str, folder: &Path, root: &Path) -> String {
    if folder == root {
        return typed.to_owned();
    }
    let spec = Spec::parse(typed);
    let argument = match spec.name {
        "record" => spec.recorded().and_then(|(file, inner)| {
            let file = seen(file, folder, root).filter(|file| !file.contains(':'))?;
            Some(format!("{file}:{}", rooted(inner, folder, root)))
        }),
        "cassette" => seen(spec.argument, folder, root),
        "script" => script(spec.argument, folder, root),
        "command" | "acp" => command(spec.argument, folder, root),
        _ => None,
    };
    argument.map_or_else(|| typed.to_owned(), |argument| format!("{}:{argument}", spec.name))
}

/// Returns a path as seen from the project: below it, or from the top.
fn seen(file: &str, folder: &Path, root: &Path) -> Option<String> {
    if file.is_empty() {
        return None;
    }
    let full = tidy(&folder.join(file));
    let path = full.strip_prefix(root).unwrap_or(&full).to_str()?;
    Some(path.replace('\\', "/"))
}

fn script(line: &str, folder: &Path, root: &Path) -> Option<String> {
    let words = command_words(line)?.into_iter().map(|word| {
        let is_option = word.starts_with("--");
        let path = if is_option {
            Some(word)
        } else {
            seen(&word, folder, root)
        };
        path.and_then(|path| if is_option { Some(path) } else { shell_word(&path) })
    });
    Some(words.collect::<Option<Vec<String>>>()?.join(" "))
}

/// A program is on the PATH, or it is named by where it is; what follows it is its own.
fn command(line: &str, folder: &Path, root: &Path) -> Option<String> {
    let (program, rest) = line.split_at(line.find(char::is_whitespace).unwrap_or(line.len()));
    let is_path = ["./", "../"].iter().any(|start| program.starts_with(start));
    if !is_path || program.contains(['\'', '"', '\\']) {
        return None;
    }
    let path = seen(program, folder, root)?;
    let path = match Path::new(&path).is_absolute() {
        true => path,
        false => format!("./{path}"),
    };
    Some(format!("{}{rest}", shell_word(&path)?))
}

#[cfg(test)]
mod tests {
    use super::rooted;
    use std::path::Path;

    fn from(folder: &str, typed: &str) -> String {
        rooted(typed, Path::new(folder), Path::new("/p"))
    }

    #[test]
    fn a_path_that_was_typed_below_the_project_is_one_of_the_project() {
        for (typed, seen) in [
            ("script:a.yaml --ack", "script:sub/a.yaml --ack"),
            ("script:../a.yaml", "script:a.yaml"),
            ("script:'my file.yaml'", "script:'sub/my file.yaml'"),
            ("cassette:../../t.jsonl", "cassette:/t.jsonl"),
            ("command:./ag.sh -x ./y", "command:./sub/ag.sh -x ./y"),
            ("command:../ag.sh", "command:./ag.sh"),
            ("command:../../ag.sh", "command:/ag.sh"),
            ("acp:./ag", "acp:./sub/ag"),
            (
                "record:t.jsonl:command:./ag.sh",
                "record:sub/t.jsonl:command:./sub/ag.sh",
            ),
        ] {
            assert_eq!(from("/p/sub", typed), seen);
            assert_eq!(from("/p", typed), typed);
        }
    }

    #[test]
    fn what_names_no_path_stays_as_it_is() {
        for typed in [
            "claude-code:opus",
            "offline",
            "script:--ack",
            "command:my-agent ./x",
            "command:/bin/ag",
            "command:'./my agent' x",
            "script:/a.yaml",
        ] {
            assert_eq!(from("/p/sub", typed), typed);
        }
    }
}
