//! Real BMAD packages, pinned, fetched once and kept under `target/`.
//!
//! Without a network the tests that need them are skipped and say so; `BMAD_REQUIRE_NETWORK` makes that a failure.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A package of the npm registry.
pub(crate) struct Package {
    package: &'static str,
    version: &'static str,
    sha256: &'static str,
}

impl Package {
    /// A package by its name, its version and the checksum of its archive.
    pub(crate) const fn new(package: &'static str, version: &'static str, sha256: &'static str) -> Self {
        Self {
            package,
            version,
            sha256,
        }
    }

    /// Returns the name of its folder.
    pub(crate) fn name(&self) -> String {
        let package = self.package.trim_start_matches('@').replace('/', "-");
        format!("{package}-{}", self.version)
    }
}

/// The packages that tests read.
pub(crate) const PACKAGES: &[Package] = &[
    Package {
        package: "bmad-method",
        version: "6.0.0-alpha.7",
        sha256: "506561e649d33699650c8f51bc2656fb55892e57d1054e6ddd2782a3c91f2dec",
    },
    Package {
        package: "bmad-method",
        version: "6.0.0-alpha.22",
        sha256: "bb2759132a4681a9001cfb4c562c0fa5573c23c20562569aca7782bc77aaab18",
    },
    Package {
        package: "bmad-method",
        version: "6.0.0-Beta.5",
        sha256: "930b2325faf9263c7d5b878d3eae9bd7bc68f0e8c66209278fa54887952cde6c",
    },
    Package {
        package: "bmad-method",
        version: "6.0.4",
        sha256: "f9dfde8a90233e0bcf4c4bde9c41c1dd48789fccd433dedb7e6634890438aa0b",
    },
    Package {
        package: "bmad-method",
        version: "6.2.0",
        sha256: "baca3e351c3361faf4f1817ecab3504aa4053c44ace5908da319270f2caa1c27",
    },
    Package {
        package: "bmad-method",
        version: "6.5.0",
        sha256: "d6aceac19d629831908ae3995026d861097ecd8ee9d128ee55d8a2c2c509a675",
    },
    Package {
        package: "bmad-method",
        version: "6.8.0",
        sha256: "0a029c8fe72518457880dd96d436a6859f714ef1a0c7e5a9f4e58fc2bd05dcb3",
    },
    Package {
        package: "bmad-method",
        version: "6.10.0",
        sha256: "69350342fbca906354ada4ed40799bb49c46477de03e7188381746f19cf00032",
    },
    Package {
        package: "bmad-method",
        version: "6.12.0",
        sha256: "ac05c93f0b3c4256bb4072e6e1ff181eaad6cc0a64a27a63893bfb2b0b64aed2",
    },
    Package {
        package: "bmad-story-automator",
        version: "1.15.0",
        sha256: "72b31642fb8bf09053034e0465ea24213585fb6d2796b112be5db63f96691e45",
    },
];

/// Returns the folder that holds the unpacked packages; none when they cannot be had.
pub(crate) fn fetched() -> Option<PathBuf> {
    static FETCHED: OnceLock<Option<PathBuf>> = OnceLock::new();
    FETCHED.get_or_init(fetch).clone()
}

fn fetch() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus");
    std::fs::create_dir_all(&folder).unwrap();
    let lock = std::fs::File::create(folder.join(".lock")).unwrap();
    lock.lock().unwrap();
    for package in PACKAGES {
        if folder.join(package.name()).join("package").is_dir() {
            continue;
        }
        if let Err(reason) = unpack(package, &folder) {
            skip(package, &reason);
            return None;
        }
    }
    Some(folder)
}

/// Says that a package cannot be had; fails where it has to be.
pub(crate) fn skip(package: &Package, reason: &str) {
    skip_named(&package.name(), reason);
}

/// Says that something of a name cannot be had; fails where it has to be.
pub(crate) fn skip_named(name: &str, reason: &str) {
    println!("skipped: {name} could not be fetched: {reason}");
    assert!(
        std::env::var_os("BMAD_REQUIRE_NETWORK").is_none(),
        "BMAD_REQUIRE_NETWORK is set and {name} could not be fetched: {reason}"
    );
}

/// Fetches the archive of a package into a folder and looks at its checksum.
pub(crate) fn archive(package: &Package, folder: &Path) -> Result<PathBuf, String> {
    let archive = folder.join(format!("{}.tgz", package.name()));
    let wanted = format!("{}@{}", package.package, package.version);
    run(Command::new("npm")
        .args(["pack", "--silent", &wanted])
        .current_dir(folder))?;
    let sum = run(Command::new("sha256sum").arg(&archive))?;
    if !sum.starts_with(package.sha256) {
        return Err(format!("its checksum is {sum}, not {}", package.sha256));
    }
    Ok(archive)
}

/// Fetches a package and unpacks it into a folder of its own; it is there whole or not at all.
pub(crate) fn unpack(package: &Package, folder: &Path) -> Result<(), String> {
    let archive = archive(package, folder)?;
    let fresh = folder.join(format!("{}.part", package.name()));
    std::fs::create_dir_all(&fresh).map_err(|error| error.to_string())?;
    run(Command::new("tar").arg("xzf").arg(&archive).arg("-C").arg(&fresh))?;
    std::fs::rename(&fresh, folder.join(package.name())).map_err(|error| error.to_string())
}

/// Runs a command; what it prints, or why it failed.
pub(crate) fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
