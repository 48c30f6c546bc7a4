//! Files that are put back, and kept as they were then: whoever changed them may have been a person.

use super::crew::{Back, Crew, Left};
use crate::machine::escape::shell_word;

/// How many files are named.
const NAMED: usize = 20;

/// What was put back.
pub(super) struct PutBack {
    /// What stayed as it is, in words; nothing where all of it was put back.
    pub(super) stayed: String,
    /// How to have it back, in words.
    pub(super) how: String,
}

/// Makes files what they were in a snapshot, once what they hold now is kept. What cannot be kept is not touched.
pub(super) fn put_back(id: &str, paths: &[String], crew: &Crew) -> Result<PutBack, String> {
    let Back { kept, left } = (crew.put_back)(id, paths)?;
    let mut back = paths.to_vec();
    back.retain(|path| !left.contains(path));
    let how = kept.filter(|_| !back.is_empty()).map(|kept| {
        format!(
            "\n  if you changed them yourself, nothing is lost: once the run has stopped, have them back with\n  bmad rollback {} --take {kept} --yes {}",
            crew.run,
            words(&back)
        )
    });
    Ok(PutBack {
        stayed: stayed(&left),
        how: how.unwrap_or_default(),
    })
}

/// Names what was not put back.
fn stayed(left: &[String]) -> String {
    if left.is_empty() {
        return String::new();
    }
    let mut named = left.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    if left.len() > NAMED {
        named.push_str(&format!(" and {} more", left.len() - NAMED));
    }
    format!(
        ", but for what is too large to be kept or cannot be read, or has in its place what nothing keeps, and is left as it is: {named}"
    )
}

/// Says that the repository is not where it was, which is not put back: its commits and branches are nobody's files.
pub(super) fn moved(id: &str, crew: &Crew) -> String {
    let Some((was, is)) = (crew.moved)(id) else {
        return String::new();
    };
    let place = |words: String| match words.is_empty() {
        true => "no commit".to_owned(),
        false => words,
    };
    format!(
        "\n  git stood at {} and stands at {}: that is left to you",
        place(was),
        place(is)
    )
}

/// Names files, one a line, and how many more there are.
pub(super) fn listed(left: &[Left]) -> String {
    let mut text: String = left.iter().take(NAMED).map(|file| format!("\n  {file}")).collect();
    if left.len() > NAMED {
        text.push_str(&format!("\n  and {} more", left.len() - NAMED));
    }
    text
}

/// Returns paths as a shell takes them; the whole project where they are too many to be typed.
fn words(paths: &[String]) -> String {
    let words: Option<Vec<String>> = paths.iter().map(|path| shell_word(path)).collect();
    let words = words.filter(|words| words.len() <= NAMED);
    words.map_or(".".to_owned(), |words| words.join(" "))
}
