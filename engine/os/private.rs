//! Files and folders that only their owner may read.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Returns options that make a file nobody else can read.
pub(super) fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}

/// Makes a folder nobody else can read, with those above it; one that is there is left as it is.
pub(super) fn make_folder(path: &Path) -> io::Result<()> {
    builder().recursive(true).create(path)
}

/// Makes a folder nobody else can read, in one that is there; fails where something has its name.
pub(super) fn make_new_folder(path: &Path) -> io::Result<()> {
    builder().create(path)
}

/// Waits until what was made, renamed or removed in a folder is on the disk.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(path)?.sync_all()
    } else {
        // Elsewhere a folder cannot be opened, and the system keeps its entries in order itself.
        Ok(())
    }
}

fn builder() -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder
}
