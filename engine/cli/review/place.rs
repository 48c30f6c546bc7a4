//! A project in, which of its files a review may take up by itself out.

use crate::cli::hook::Settings;
use crate::cli::launch::Project;
use crate::host::Workspace;
use crate::runner::OUTPUT;
use std::path::{Component, Path, PathBuf};

/// How many of the files that are left out are named.
const NAMED: usize = 4;

/// Where reviews put what they make, where nothing else is set.
const REVIEWS: &str = "_bmad-output/reviews";

/// The folders that this program and its workflows write to: nobody who names a folder around them means what is there.
#[derive(Debug)]
pub(super) struct Own {
    folders: Vec<PathBuf>,
    /// Where reviews put what they make.
    reviews: PathBuf,
}

impl Own {
    pub(super) fn of(project: &Project) -> Self {
        let settings = Settings::of(project);
        Self {
            folders: settings.written().into(),
            reviews: settings.reviews(),
        }
    }

    /// Says whether a path lies in such a folder, and what was named does not.
    pub(super) fn holds(&self, path: &Path, named: &Path) -> bool {
        let between = |folder: &PathBuf| path.starts_with(folder) && !named.starts_with(folder);
        self.folders.iter().any(between) || path.strip_prefix(named).is_ok_and(is_made)
    }
}

/// Says whether a path leads through an output folder: reviews below the top of a repository leave one where they are.
pub(super) fn is_made(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == OUTPUT)
}

/// What is not reviewed although it lies where somebody pointed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct LeftOut {
    /// Files that cannot be reviewed, and why.
    unfit: Vec<(String, String)>,
    /// How many documents lie where workflows write.
    made: usize,
}

impl LeftOut {
    pub(super) fn unfit(&mut self, path: String, why: String) {
        let path = match path.contains(char::is_control) {
            true => format!("{path:?}"),
            false => path,
        };
        self.unfit.push((path, why));
    }

    /// Counts a document that a workflow wrote; what reviews themselves write nobody misses.
    pub(super) fn made(&mut self, path: &Path, own: &Own) {
        let is_review = path.starts_with(&own.reviews) || path.parent().is_some_and(|folder| folder.ends_with(REVIEWS));
        self.made += usize::from(is_document(path) && !is_review);
    }

    /// Tells it in one line; nothing where nothing is left out.
    pub(super) fn line(&self) -> Option<String> {
        let shown = self.unfit.iter().take(NAMED);
        let mut parts: Vec<String> = shown.map(|(path, why)| format!("{path} ({why})")).collect();
        if let Some(more) = self.unfit.len().checked_sub(NAMED).filter(|more| *more > 0) {
            parts.push(format!("{more} more that cannot be reviewed"));
        }
        match self.made {
            0 => {}
            1 => parts.push("1 document in the output folder (name it to review it)".to_owned()),
            made => parts.push(format!(
                "{made} documents in the output folder (name them to review them)"
            )),
        }
        (!parts.is_empty()).then(|| format!("left out: {}", parts.join(", ")))
    }
}

/// Says why a name would be read as that of another file: paths are handed on one a line, with `/` between parts.
pub(super) fn unfit_name(file: &str) -> Option<&'static str> {
    let is_split =
        |part: Component<'_>| matches!(part, Component::Normal(name) if name.to_string_lossy().contains('\\'));
    if file.contains(char::is_control) {
        return Some("a line break or another control character is in its name");
    }
    if file.trim() != file {
        return Some("a blank is at an end of its name");
    }
    let mut parts = Path::new(file).components();
    parts.any(is_split).then_some("a backslash is in its name")
}

/// Says why a file cannot be reviewed; nothing where it can.
pub(super) fn unfit(host: &dyn Workspace, path: &Path) -> Option<String> {
    let bytes = match host.read(path) {
        Ok(bytes) => bytes,
        Err(error) => return Some(error.to_string()),
    };
    match std::str::from_utf8(&bytes) {
        Ok(text) if text.contains('\0') => Some("no text".to_owned()),
        Ok(text) if text.trim_start_matches('\u{feff}').trim().is_empty() => Some("empty".to_owned()),
        Ok(_) => None,
        Err(_) => Some("not UTF-8 text".to_owned()),
    }
}

/// Says whether a file is a Markdown document.
pub(super) fn is_document(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
}

#[cfg(test)]
mod tests {
    use super::{LeftOut, Own, unfit_name};
    use std::path::{Path, PathBuf};

    fn own() -> Own {
        let reviews = PathBuf::from("/p/out/reviews");
        Own {
            folders: vec!["/p/_bmad-output".into(), "/p/out".into(), reviews.clone()],
            reviews,
        }
    }

    #[test]
    fn what_workflows_wrote_is_meant_only_where_it_is_named() {
        let rows = [
            ("/p/out/prd.md", "/p", true),
            ("/p/out/prd.md", "/p/out", false),
            ("/p/out/prd.md", "/p/out/prd.md", false),
            ("/p/out/reviews/a.md", "/p/out", true),
            ("/p/out/reviews/a.md", "/p/out/reviews", false),
            ("/p/_bmad-output/a.md", "/p", true),
            ("/p/sub/_bmad-output/a.md", "/p", true),
            ("/p/sub/_bmad-output/a.md", "/p/sub/_bmad-output", false),
            ("/p/outer/a.md", "/p", false),
            ("/p/docs/a.md", "/p", false),
        ];
        for (path, named, expected) in rows {
            assert_eq!(
                own().holds(Path::new(path), Path::new(named)),
                expected,
                "{path} {named}"
            );
        }
    }

    #[test]
    fn a_name_that_would_be_read_as_that_of_another_file_is_unfit() {
        for name in ["a\nb.md", "a\rb.md", "a\tb.md", " a.md", "a.md "] {
            assert!(unfit_name(name).is_some(), "{name:?}");
        }
        let fit = [
            "my plan.md",
            "it's.md",
            "a, b.md",
            "docs/a(1).md",
            "../NOTES",
            "a\"b.md",
            "a:b.md",
            "`x`.md",
        ];
        for name in fit {
            assert_eq!(unfit_name(name), None, "{name:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_backslash_in_a_name_is_unfit_where_it_parts_no_folders() {
        assert!(unfit_name("docs/a\\b.md").is_some());
    }

    #[test]
    fn what_is_left_out_is_one_line_however_much_it_is() {
        let mut left_out = LeftOut::default();
        assert_eq!(left_out.line(), None);
        left_out.made(Path::new("/p/out/reviews/a-issues.md"), &own());
        left_out.made(Path::new("/p/out/state.yaml"), &own());
        assert_eq!(left_out.line(), None);
        left_out.made(Path::new("/p/out/prd.md"), &own());
        for name in ["a", "b", "c", "d", "e", "f"] {
            left_out.unfit(name.to_owned(), "empty".to_owned());
        }
        let line = left_out.line().unwrap();
        insta::assert_snapshot!(line, @"left out: a (empty), b (empty), c (empty), d (empty), 2 more that cannot be reviewed, 1 document in the output folder (name it to review it)");
    }
}
