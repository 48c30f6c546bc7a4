//! The name of a program in, where it is out, or why it cannot be started.

use std::fs;
use std::path::{Path, PathBuf};

/// Where programs are where nobody says.
const USUAL: &str = "/usr/local/bin:/bin:/usr/bin";

/// Why a program cannot be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unstartable {
    /// It is nowhere.
    Missing,
    /// It is here, and no program.
    NotExecutable(PathBuf),
}

/// Finds a program: by its path as seen from a folder, or by its name in the folders of a search path.
///
/// # Errors
/// Answers why it cannot be started.
pub fn find_program(name: &str, path: Option<&str>, folder: &Path) -> Result<PathBuf, Unstartable> {
    let places: Vec<PathBuf> = match Path::new(name).components().count() {
        1 => path
            .unwrap_or(USUAL)
            .split(if cfg!(windows) { ';' } else { ':' })
            .map(|place| folder.join(place).join(name))
            .collect(),
        _ => vec![folder.join(name)],
    };
    let mut there = None;
    for place in places {
        match kind(&place) {
            Some(true) => return Ok(place),
            Some(false) => drop(there.get_or_insert(place)),
            None => {}
        }
    }
    Err(there.map_or(Unstartable::Missing, Unstartable::NotExecutable))
}

/// Says whether a file can be started; nothing where there is none.
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
pub(super) fn kind(path: &Path) -> Option<bool> {
    let found = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        Some(found.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        drop(found);
        Some(true)
    }
}
