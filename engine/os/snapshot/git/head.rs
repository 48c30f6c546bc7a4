//! A repository in, where it stands out: its branch and the commit.

use super::WorkTree;

/// How many digits of a commit are told.
const DIGITS: usize = 12;

impl WorkTree<'_> {
    /// Says where the repository stands; nothing where nothing is committed.
    pub(super) fn head(&self) -> String {
        let said = self.git.run(&["rev-parse", "HEAD", "--symbolic-full-name", "HEAD"]);
        let said = said.map(|said| String::from_utf8_lossy(&said).into_owned());
        let said = said.unwrap_or_default();
        let mut lines = said.lines();
        let (Some(commit), Some(name)) = (lines.next(), lines.next()) else {
            return String::new();
        };
        let commit = commit.get(..DIGITS).unwrap_or(commit);
        match name.strip_prefix("refs/heads/") {
            Some(branch) => format!("branch `{branch}` at {commit}"),
            None => commit.to_owned(),
        }
    }

    /// Says where the repository stood at snapshot `n` and where it stands, where that is not the same.
    pub(in crate::os::snapshot) fn moved(&self, n: u32) -> Option<(String, String)> {
        let was = self.manifest(n).head?;
        let now = self.head();
        (was != now).then_some((was, now))
    }
}
