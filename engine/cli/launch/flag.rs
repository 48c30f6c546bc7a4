//! The crash flag: which runs have begun and not stopped in order, for people and other programs to see.

use crate::host::{Begun, Workspace, stays_in};
use crate::machine::escape::yaml_scalar;
use crate::runner::OUTPUT;
use std::io;
use std::path::{Path, PathBuf};

fn path(root: &Path) -> PathBuf {
    root.join(OUTPUT).join(".crash_flag")
}

/// Says whether a file of the project is the flag.
pub(super) fn is_own(path: &str) -> bool {
    Path::new(path) == self::path(Path::new(""))
}

/// Says whether the runs of a project are listed: it has a folder for what workflows make, and the list is in it.
pub(super) fn is_raised_in(host: &dyn Workspace, root: &Path) -> bool {
    host.exists(&root.join(OUTPUT)) && stays_in(root, &path(root), host)
}

/// Lists a run, and when it was last seen at work; only where the project has a folder for what workflows make.
pub(super) fn raise(host: &dyn Workspace, root: &Path, begun: &Begun, seen: Option<i64>) -> io::Result<()> {
    if !is_raised_in(host, root) {
        return Ok(());
    }
    let mut lines = others(host, root, &begun.run);
    lines.push(format!(
        "- {{run: {}, workflow: {}, pid: {}, started: {}{}}}",
        yaml_scalar(&begun.run),
        yaml_scalar(&begun.workflow),
        crate::os::pid(),
        begun.at,
        seen.map(|seen| format!(", seen: {seen}")).unwrap_or_default()
    ));
    host.write_soon(&path(root), (lines.join("\n") + "\n").as_bytes())
}

/// Takes a run off the list.
pub(super) fn lower(host: &dyn Workspace, root: &Path, run: &str) -> io::Result<()> {
    if !host.exists(&path(root)) || !is_raised_in(host, root) {
        return Ok(());
    }
    let lines = others(host, root, run);
    if lines.is_empty() {
        return host.remove(&path(root));
    }
    host.write_soon(&path(root), (lines.join("\n") + "\n").as_bytes())
}

/// Returns the runs that are listed and are not this one.
pub(super) fn left_behind(host: &dyn Workspace, root: &Path, run: &str) -> Vec<String> {
    let id = |line: &String| {
        let (_, rest) = line.split_once("run: ")?;
        let end = rest.find([',', '}'])?;
        let id = rest[..end].trim_matches(['"', '\'']);
        // The file may be anybody's, and what it names is told as a command to be typed.
        id.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            .then(|| id.to_owned())
    };
    if !is_raised_in(host, root) {
        return Vec::new();
    }
    others(host, root, run).iter().filter_map(id).collect()
}

fn others(host: &dyn Workspace, root: &Path, run: &str) -> Vec<String> {
    let text = host
        .read(&path(root))
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let lines = text.unwrap_or_default();
    let own = |line: &&str| !line.contains(run) && !line.trim().is_empty();
    lines.lines().filter(own).map(str::to_owned).collect()
}
