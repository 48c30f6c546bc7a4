//! A draft in, what a person made of it in their own editor out.

use crate::source::MAX_BYTES;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// Ends the answer in the file; what is below it is not read.
const SCISSORS: &str = "# ------------------------ >8 ------------------------";

/// What is handed to an editor.
pub(super) struct Draft<'a> {
    /// The answer so far.
    pub(super) text: &'a str,
    /// The question.
    pub(super) about: &'a str,
}

/// Opens a draft in an editor and waits until the person is done; says why where that does not work.
pub(super) fn edit(command: &str, scratch: &Path, draft: &Draft<'_>) -> Result<String, String> {
    let told = |doing: &str, error: &io::Error| format!("the answer could not be {doing}: {error}");
    let (path, mut file) = create(scratch).map_err(|error| told("put into a file", &error))?;
    let kept = Kept(path);
    file.write_all(page(draft).as_bytes())
        .map_err(|error| told("put into a file", &error))?;
    drop(file);
    let ended =
        run(command, &kept.0).map_err(|error| format!("the editor `{command}` could not be started: {error}"))?;
    if !ended.success() {
        return Err(format!("the editor `{command}` ended with {ended}; nothing was taken"));
    }
    // The file is opened again by its name: editors replace it.
    let mut bytes = Vec::new();
    let opened = File::open(&kept.0).and_then(|file| file.take(MAX_BYTES as u64).read_to_end(&mut bytes));
    opened.map_err(|error| told("read back", &error))?;
    Ok(answer(&String::from_utf8_lossy(&bytes)))
}

/// Removes its file when dropped.
struct Kept(PathBuf);

impl Drop for Kept {
    #[expect(clippy::disallowed_methods, reason = "this room touches the disk")]
    fn drop(&mut self) {
        // A file that is gone already is what is wanted; one that stays does no harm.
        match fs::remove_file(&self.0) {
            Ok(()) | Err(_) => {}
        }
    }
}

fn page(draft: &Draft<'_>) -> String {
    let mut page = format!("{}\n\n{SCISSORS}\n", draft.text);
    page.push_str("# Write the answer above this line, save and close. An empty answer leaves the question open.\n");
    for line in draft.about.lines() {
        page.push_str(format!("# {line}").trim_end());
        page.push('\n');
    }
    page
}

fn answer(page: &str) -> String {
    let answer = page.split(SCISSORS).next().unwrap_or("");
    answer.trim_end().to_owned()
}

/// Makes a new file that only this person can read.
#[expect(clippy::disallowed_methods, reason = "this room touches the disk")]
fn create(folder: &Path) -> io::Result<(PathBuf, File)> {
    fs::create_dir_all(folder)?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let process = std::process::id();
    for number in 0..1000 {
        let path = folder.join(format!("answer-{process}-{number}.md"));
        match options.open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Runs the editor as a shell would: its command may have arguments and quotes.
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "this room starts processes")]
fn run(command: &str, path: &Path) -> io::Result<ExitStatus> {
    Command::new("sh")
        .arg("-c")
        .arg(format!("{command} \"$@\""))
        .arg(command)
        .arg(path)
        .status()
}

#[cfg(not(unix))]
#[expect(clippy::disallowed_methods, reason = "this room starts processes")]
fn run(command: &str, path: &Path) -> io::Result<ExitStatus> {
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or("notepad");
    Command::new(program).args(words).arg(path).status()
}

#[cfg(test)]
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "a test looks at what is on the disk")]
mod tests {
    use super::{Draft, edit};
    use std::fs;

    const DRAFT: Draft<'static> = Draft {
        text: "so far",
        about: "What shall I remember?",
    };

    fn edited(command: &str) -> Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        let result = edit(command, folder.path(), &DRAFT);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "a file stayed");
        result
    }

    #[test]
    fn what_the_editor_wrote_is_the_answer() {
        assert_eq!(edited("printf '# one\\n\\ntwo\\n' >").unwrap(), "# one\n\ntwo");
    }

    #[test]
    fn the_draft_is_there_and_the_question_is_not_part_of_the_answer() {
        assert_eq!(edited("true").unwrap(), "so far");
        assert_eq!(edited("sed -i -e 's/so far/milk/'").unwrap(), "milk");
    }

    #[test]
    fn the_question_is_shown_below_the_answer() {
        let copy = tempfile::NamedTempFile::new().unwrap();
        edited(&format!("sh -c 'cp \"$0\" {}'", copy.path().display())).unwrap();
        let page = fs::read_to_string(copy.path()).unwrap();
        assert!(page.ends_with("# What shall I remember?\n"), "{page}");
    }

    #[test]
    fn an_editor_that_fails_changes_nothing() {
        assert_eq!(
            edited("false").unwrap_err(),
            "the editor `false` ended with exit status: 1; nothing was taken"
        );
    }

    #[test]
    fn only_its_person_can_read_the_draft() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (path, _file) = super::create(folder.path()).unwrap();
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
