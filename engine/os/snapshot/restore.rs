//! Paths and what was there in, files out; nothing outside the folder, and nothing through a link.

use super::manifest::{LARGEST, Stat};
use super::{SnapshotError, refused};
use crate::os::private;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

/// A path in the folder.
#[derive(Debug)]
pub(super) struct Place {
    /// Relative to the folder, with `/`.
    pub(super) path: String,
    pub(super) real: PathBuf,
}

/// Turns paths into places; one that leads elsewhere, or into what belongs to git or to the runs, refuses them all.
pub(super) fn places(root: &Path, own: Option<&Path>, only: &[String]) -> Result<Vec<Place>, SnapshotError> {
    let place = |path: &String| {
        let real = root.join(path);
        let plain = |part: Component<'_>| matches!(part, Component::Normal(name) if name != ".git");
        let inside = !path.is_empty() && Path::new(path).components().all(plain);
        let foreign = own.is_some_and(|own| real.starts_with(own));
        if !inside || foreign {
            return Err(SnapshotError::Escapes(path.clone()));
        }
        let path = path.clone();
        Ok(Place { path, real })
    };
    only.iter().map(place).collect()
}

/// Parts places into those that may be made what they were, and those that are left as they are: `lacks` says that the
/// snapshot has nothing to put there, or what stands there now is in no snapshot. What lies above or below such a file is
/// left with it.
pub(super) fn part(places: &[Place], lacks: impl Fn(&Place) -> bool) -> (Vec<&Place>, Vec<String>) {
    let closed: Vec<&Path> = places
        .iter()
        .filter(|place| !can_be_kept(&place.real))
        .map(|place| Path::new(&place.path))
        .collect();
    let is_near = |path: &Path| closed.iter().any(|it| it.starts_with(path) || path.starts_with(it));
    let left: BTreeSet<&str> = places
        .iter()
        .filter(|place| lacks(place) || is_near(Path::new(&place.path)))
        .map(|place| place.path.as_str())
        .collect();
    let rest = places.iter().filter(|place| !left.contains(place.path.as_str()));
    (rest.collect(), left.iter().map(|path| (*path).to_owned()).collect())
}

/// Says whether a snapshot can hold what stands at a path: nothing, a link, or a file that is not too large and may be
/// read.
fn can_be_kept(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_file() => there.len() <= LARGEST && File::open(path).is_ok(),
        Ok(_) | Err(_) => true,
    }
}

/// No moment: nobody knows which folders were there.
pub(super) const NEVER: i64 = i64::MIN;

/// Removes a file or a link that was not there, and the folders that are empty without it, but for those that were made
/// before a moment, in nanoseconds since 1970.
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
pub(super) fn remove(root: &Path, place: &Place, before: i64) -> Result<(), SnapshotError> {
    if !has_plain_folders(root, place)? {
        // Nothing is below what is no folder.
        return Ok(());
    }
    match fs::remove_file(&place.real) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(refused(&place.real, &error)),
    }
    // A folder that still holds something cannot be removed, and ends the way up.
    let folders = place.real.ancestors().skip(1).take_while(|folder| *folder != root);
    for folder in folders {
        if made_at(folder).is_some_and(|at| at < before) || fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(())
}

/// Returns when a folder was made, in nanoseconds since 1970, where the disk knows.
fn made_at(folder: &Path) -> Option<i64> {
    let made = fs::symlink_metadata(folder).ok()?.created().ok()?;
    let since = made.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_nanos()).ok()
}

/// Makes a file as open as it was; `was` is told how open it is.
pub(super) fn open_as(place: &Place, was: impl Fn(u32) -> Option<u32>) -> Result<(), SnapshotError> {
    let set = || {
        let metadata = fs::symlink_metadata(&place.real)?;
        let made = Stat::of(&metadata).mode;
        match was(made).filter(|mode| metadata.is_file() && *mode != made) {
            Some(mode) => set_mode(&place.real, mode),
            None => Ok(()),
        }
    };
    set().map_err(|error| refused(&place.real, &error))
}

/// Puts a file back: another file, a link or an empty folder in its place is replaced.
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
pub(super) fn put_bytes(root: &Path, place: &Place, bytes: &[u8], mode: u32) -> Result<(), SnapshotError> {
    make_room(root, place)?;
    let draft = draft(&place.real);
    let write = || {
        let mut file = private::options().write(true).create_new(true).open(&draft)?;
        file.write_all(bytes)?;
        set_mode(&draft, mode)?;
        fs::rename(&draft, &place.real)
    };
    let written = write();
    if written.is_err() && fs::remove_file(&draft).is_err() {
        // The draft was never made; the first failure is the one to tell.
    }
    written.map_err(|error| refused(&place.real, &error))
}

/// Puts a link back.
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
pub(super) fn put_link(root: &Path, place: &Place, target: &str) -> Result<(), SnapshotError> {
    make_room(root, place)?;
    let draft = draft(&place.real);
    let write = std::os::unix::fs::symlink(target, &draft).and_then(|()| fs::rename(&draft, &place.real));
    write.map_err(|error| refused(&place.real, &error))
}

#[cfg(not(unix))]
pub(super) fn put_link(_: &Path, place: &Place, _: &str) -> Result<(), SnapshotError> {
    Err(refused(&place.real, &io::Error::other("links cannot be made here")))
}

/// Returns the places that have room for what was there, once what came since is gone. In the way of the others stands
/// something that no snapshot holds, such as what git ignores: it stays, and they are listed as left.
pub(super) fn with_room<'p>(root: &Path, places: Vec<&'p Place>, left: &mut Vec<String>) -> Vec<&'p Place> {
    let (free, taken): (Vec<&Place>, Vec<&Place>) = places.into_iter().partition(|place| !is_taken(root, place));
    left.extend(taken.into_iter().map(|place| place.path.clone()));
    free
}

/// Says whether a folder that is not empty stands in a place, or a file where a folder above it was.
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
fn is_taken(root: &Path, place: &Place) -> bool {
    let is_folder = fs::symlink_metadata(&place.real).is_ok_and(|there| there.is_dir());
    let holds = |folder: &Path| fs::read_dir(folder).map_or(true, |mut inside| inside.next().is_some());
    let mut above = place.real.ancestors().skip(1).take_while(|folder| *folder != root);
    let is_file = |folder: &Path| fs::symlink_metadata(folder).is_ok_and(|there| there.is_file());
    (is_folder && holds(&place.real)) || above.any(is_file)
}

/// Sees to it that the folders above are there and nothing but a file stands in the place.
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
pub(super) fn make_room(root: &Path, place: &Place) -> Result<(), SnapshotError> {
    if !has_plain_folders(root, place)? {
        return Err(SnapshotError::Escapes(place.path.clone()));
    }
    let folder = place.real.parent().unwrap_or(root);
    fs::create_dir_all(folder).map_err(|error| refused(folder, &error))?;
    match fs::symlink_metadata(&place.real) {
        Ok(there) if there.is_dir() => fs::remove_dir(&place.real).map_err(|error| refused(&place.real, &error)),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Says whether everything above a place is a folder, or not there; a link on the way is no folder.
fn has_plain_folders(root: &Path, place: &Place) -> Result<bool, SnapshotError> {
    let folders = place.real.ancestors().skip(1).take_while(|folder| *folder != root);
    for folder in folders {
        match fs::symlink_metadata(folder) {
            Ok(there) if !there.is_dir() => return Ok(false),
            Ok(_) => {}
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {}
            Err(error) => return Err(refused(folder, &error)),
        }
    }
    Ok(true)
}

fn draft(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.restored", std::process::id()))
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}
