//! Paths in, bytes out, on the real disk.

use super::draft::{self, Sync};
use super::program;
use crate::host::{Entry, EntryKind, ReadError, Resolved, Workspace};
use crate::source::MAX_BYTES;
use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

/// The disk.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl Workspace for Disk {
    fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        let file = open(path)?;
        let metadata = file.metadata().map_err(read_error)?;
        if !metadata.is_file() {
            return Err(ReadError::NotAFile);
        }
        let size = metadata.len();
        if size > MAX_BYTES as u64 {
            return Err(ReadError::TooLarge { size });
        }
        let mut bytes = Vec::with_capacity(size as usize);
        match size {
            // A file that hides its size is read up to one byte past the cap, which tells it from one that fits.
            0 => file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map(|_| ()),
            size => read_whole(file, size, &mut bytes),
        }
        .map_err(read_error)?;
        if bytes.len() > MAX_BYTES {
            return Err(ReadError::TooLarge {
                size: bytes.len() as u64,
            });
        }
        Ok(bytes)
    }

    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    fn exists(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok()
    }

    fn is_executable(&self, path: &Path) -> bool {
        program::kind(path) == Some(true)
    }

    fn list(&self, path: &Path) -> Vec<Entry> {
        let mut entries = entries(path).unwrap_or_default();
        entries.sort_by(|left, right| left.name.cmp(&right.name));
        entries
    }

    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    fn closed(&self, path: &Path) -> Option<String> {
        let error = match fs::metadata(path) {
            Ok(found) if found.is_dir() => entries(path).err()?,
            Ok(_) => return None,
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => error,
            Err(_) => return None,
        };
        Some(error.to_string().to_lowercase())
    }

    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    fn resolve(&self, path: &Path) -> Option<Resolved> {
        let path = fs::canonicalize(path).ok()?;
        let kind = kind(fs::metadata(&path).ok()?.file_type())?;
        Some(Resolved { path, kind })
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        replace(path, bytes, Sync::Now)
    }

    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    fn remove(&self, path: &Path) -> io::Result<()> {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    fn write_soon(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        replace(path, bytes, Sync::Later)
    }
}

/// Opens a file to read it. A pipe is not waited for, and a folder is refused as what it is, whoever may read it.
fn open(path: &Path) -> Result<File, ReadError> {
    open_at_once(path).or_else(|error| match is_file(path)? {
        true => Err(read_error(error)),
        false => Err(ReadError::NotAFile),
    })
}

/// Opens what is at a path without waiting for whoever writes to it: one look at the path is enough.
#[cfg(all(unix, feature = "run"))]
fn open_at_once(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let opened = rustix::io::retry_on_intr(|| open(path, flags, Mode::empty()))?;
    Ok(File::from(opened))
}

/// Opens what is at a path if it is a file: opening a pipe would wait.
#[cfg(not(all(unix, feature = "run")))]
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
fn open_at_once(path: &Path) -> io::Result<File> {
    match fs::metadata(path)?.is_file() {
        true => File::open(path),
        false => Err(io::ErrorKind::IsADirectory.into()),
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
fn is_file(path: &Path) -> Result<bool, ReadError> {
    fs::metadata(path).map(|found| found.is_file()).map_err(read_error)
}

/// Puts a whole new file in the place of an old one.
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
fn replace(path: &Path, bytes: &[u8], sync: Sync) -> io::Result<()> {
    // Renaming onto a link would replace the link; what is meant is the file behind it.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if let Some(folder) = target.parent()
        && !folder.as_os_str().is_empty()
    {
        fs::create_dir_all(folder)?;
    }
    draft::write(&target, bytes, sync)
}

/// Reads the bytes of a file of a known size, in one call if the system gives them at once.
#[cfg(all(unix, feature = "run"))]
fn read_whole(file: File, size: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    use rustix::buffer::spare_capacity;
    use rustix::io::{read, retry_on_intr};
    while (bytes.len() as u64) < size && retry_on_intr(|| read(&file, spare_capacity(bytes)))? > 0 {}
    bytes.truncate(size as usize);
    Ok(())
}

/// Reads the bytes of a file of a known size.
#[cfg(not(all(unix, feature = "run")))]
fn read_whole(file: File, size: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    file.take(size).read_to_end(bytes).map(|_| ())
}

/// Lists a folder. The folder is not asked what it is: what is no folder cannot be listed.
#[cfg(all(unix, feature = "run"))]
fn entries(path: &Path) -> io::Result<Vec<Entry>> {
    use rustix::fs::{Dir, FileType, Mode, OFlags, open};
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::DIRECTORY;
    let folder = rustix::io::retry_on_intr(|| open(path, flags, Mode::empty()))?;
    let entry = |found: rustix::fs::DirEntry| {
        let name = found.file_name().to_string_lossy();
        let kind = match found.file_type() {
            _ if matches!(&*name, "." | "..") => return None,
            FileType::RegularFile => EntryKind::File,
            FileType::Directory => EntryKind::Folder,
            FileType::Symlink => EntryKind::Link,
            // Not every disk says what it holds.
            FileType::Unknown => kind(fs::symlink_metadata(path.join(&*name)).ok()?.file_type())?,
            _ => return None,
        };
        let name = name.into_owned();
        Some(Entry { name, kind })
    };
    Ok(Dir::new(folder)?.flatten().filter_map(entry).collect())
}

/// Lists a folder.
#[cfg(not(all(unix, feature = "run")))]
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
fn entries(path: &Path) -> io::Result<Vec<Entry>> {
    let entry = |found: fs::DirEntry| {
        Some(Entry {
            name: found.file_name().to_string_lossy().into_owned(),
            kind: kind(found.file_type().ok()?)?,
        })
    };
    Ok(fs::read_dir(path)?.flatten().filter_map(entry).collect())
}

fn kind(found: FileType) -> Option<EntryKind> {
    if found.is_symlink() {
        Some(EntryKind::Link)
    } else if found.is_dir() {
        Some(EntryKind::Folder)
    } else if found.is_file() {
        Some(EntryKind::File)
    } else {
        None
    }
}

fn read_error(error: io::Error) -> ReadError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ReadError::Missing,
        io::ErrorKind::IsADirectory => ReadError::NotAFile,
        _ => ReadError::Refused(error.to_string().to_lowercase()),
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests set up real files")]
mod tests {
    use super::Disk;
    use crate::host::{Entry, EntryKind, ReadError, Workspace};
    use crate::source::MAX_BYTES;
    use std::fs::{self, File};
    use std::path::Path;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let folder = folder();
        let path = folder.path().join("new/deep/a.xml");
        Disk.write(&path, b"<task/>").unwrap();
        assert_eq!(Disk.read(&path).unwrap(), b"<task/>");
    }

    #[test]
    fn a_write_leaves_no_draft_behind() {
        let folder = folder();
        let path = folder.path().join("a.xml");
        Disk.write(&path, b"one").unwrap();
        Disk.write(&path, b"two").unwrap();
        let names: Vec<String> = Disk.list(folder.path()).into_iter().map(|e| e.name).collect();
        assert_eq!(names, ["a.xml"]);
        assert_eq!(Disk.read(&path).unwrap(), b"two");
    }

    #[test]
    fn a_write_that_fails_leaves_no_draft_behind() {
        let folder = folder();
        let path = folder.path().join("taken");
        fs::create_dir_all(path.join("full")).unwrap();
        assert!(Disk.write(&path, b"one").is_err());
        let names: Vec<String> = Disk.list(folder.path()).into_iter().map(|e| e.name).collect();
        assert_eq!(names, ["taken"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_write_keeps_the_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder();
        let path = folder.path().join("run.sh");
        fs::write(&path, "one").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
        Disk.write(&path, b"two").unwrap();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o750);
    }

    #[cfg(unix)]
    #[test]
    fn a_write_through_a_link_keeps_the_link() {
        let folder = folder();
        let real = folder.path().join("real.md");
        let link = folder.path().join("link.md");
        fs::write(&real, "one").unwrap();
        std::os::unix::fs::symlink("real.md", &link).unwrap();
        Disk.write(&link, b"two").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(Disk.read(&real).unwrap(), b"two");
    }

    #[test]
    fn a_file_over_the_cap_is_refused_by_its_size() {
        let folder = folder();
        let path = folder.path().join("big.xml");
        let size = MAX_BYTES as u64 * 8;
        File::create(&path).unwrap().set_len(size).unwrap();
        assert_eq!(Disk.read(&path), Err(ReadError::TooLarge { size }));
    }

    #[test]
    fn a_file_at_the_cap_is_read() {
        let folder = folder();
        let path = folder.path().join("full.xml");
        File::create(&path).unwrap().set_len(MAX_BYTES as u64).unwrap();
        assert_eq!(Disk.read(&path).unwrap().len(), MAX_BYTES);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_hides_its_size_is_read_up_to_the_cap() {
        // Files of /proc say they hold nothing.
        assert!(!Disk.read(Path::new("/proc/self/status")).unwrap().is_empty());
        assert_eq!(
            Disk.read(Path::new("/dev/zero")),
            Err(ReadError::NotAFile),
            "a device never ends"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_socket_and_a_pipe_without_a_writer_are_no_files() {
        let folder = folder();
        let socket = folder.path().join("socket.md");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        assert_eq!(Disk.read(&socket), Err(ReadError::NotAFile));
        let pipe = folder.path().join("pipe.md");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        assert_eq!(Disk.read(&pipe), Err(ReadError::NotAFile));
    }

    #[test]
    fn folders_and_missing_files_are_told_apart() {
        let folder = folder();
        assert_eq!(Disk.read(folder.path()), Err(ReadError::NotAFile));
        let missing = folder.path().join("missing/a.xml");
        assert_eq!(Disk.read(&missing), Err(ReadError::Missing));
        assert!(Disk.exists(folder.path()) && !Disk.exists(&missing));
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_is_listed_by_name_with_its_links() {
        let folder = folder();
        fs::write(folder.path().join("b.md"), "four").unwrap();
        fs::create_dir_all(folder.path().join("c")).unwrap();
        std::os::unix::fs::symlink("b.md", folder.path().join("a.md")).unwrap();
        let row = |name: &str, kind| Entry {
            name: name.to_owned(),
            kind,
        };
        assert_eq!(
            Disk.list(folder.path()),
            [
                row("a.md", EntryKind::Link),
                row("b.md", EntryKind::File),
                row("c", EntryKind::Folder),
            ]
        );
    }

    #[test]
    fn a_folder_that_is_not_there_holds_nothing() {
        assert_eq!(Disk.list(&folder().path().join("missing")), []);
    }

    #[cfg(unix)]
    #[test]
    fn links_resolve_to_one_place_and_circles_to_none() {
        use std::os::unix::fs::symlink;
        let folder = folder();
        let root = folder.path();
        fs::create_dir_all(root.join("real")).unwrap();
        symlink("real", root.join("one")).unwrap();
        symlink("one", root.join("two")).unwrap();
        symlink("left", root.join("right")).unwrap();
        symlink("right", root.join("left")).unwrap();
        let real = Disk.resolve(&root.join("real")).unwrap();
        assert_eq!(real.kind, EntryKind::Folder);
        assert_eq!(Disk.resolve(&root.join("two")), Some(real));
        assert_eq!(Disk.resolve(&root.join("left")), None);
    }
}
