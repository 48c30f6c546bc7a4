//! The files of the repository, as text.

use std::fs;
use std::path::Path;

/// One file: its path from the top, and what it says.
#[derive(Debug, Clone)]
pub(super) struct File {
    pub(super) path: String,
    pub(super) text: String,
}

impl File {
    pub(super) fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    /// Returns the room of the engine the file is in; `lib` and `main` are rooms of their own.
    pub(super) fn room(&self) -> &str {
        let inside = self.path.strip_prefix("engine/").unwrap_or("");
        let end = inside.find(['/', '.']).unwrap_or(inside.len());
        &inside[..end]
    }
}

/// All files.
#[derive(Debug)]
pub(super) struct Tree(pub(super) Vec<File>);

impl Tree {
    /// Reads the text files that belong to the product.
    pub(super) fn load() -> Self {
        let mut files = Vec::new();
        let mut folders: Vec<String> = ["engine", "stdlib", "workflows", "spec", "tests"]
            .map(String::from)
            .into();
        folders.extend([".github", ".ci", ".config"].map(String::from));
        while let Some(folder) = folders.pop() {
            for (path, is_folder) in list(&folder) {
                if is_folder {
                    folders.push(path);
                } else if let Ok(text) = fs::read_to_string(top().join(&path)) {
                    files.push(File { path, text });
                }
            }
        }
        for name in ["Cargo.toml", "README.md"] {
            let text = fs::read_to_string(top().join(name)).unwrap();
            files.push(File::new(name, &text));
        }
        files.sort_by(|left, right| left.path.cmp(&right.path));
        Self(files)
    }

    pub(super) fn text(&self, path: &str) -> &str {
        let file = self.0.iter().find(|file| file.path == path);
        file.map_or("", |file| file.text.as_str())
    }

    /// Returns the Rust files of the engine; what cargo runs before it builds is no part of it.
    pub(super) fn engine(&self) -> Vec<File> {
        self.select(|path| path.starts_with("engine/") && path.ends_with(".rs") && path != "engine/build.rs")
    }

    /// Returns all Rust files.
    pub(super) fn rust(&self) -> Vec<File> {
        self.select(|path| path.ends_with(".rs"))
    }

    /// Returns what people wrote: everything but results that tests compare with.
    pub(super) fn prose(&self) -> Vec<File> {
        self.select(|path| path != "Cargo.toml" && (!path.starts_with("tests/") || path.ends_with(".rs")))
    }

    /// Returns the names of the files right in a folder that end in `extension`, without it.
    pub(super) fn stems(&self, folder: &str, extension: &str) -> Vec<&str> {
        let stem = |file: &'_ File| -> Option<(usize, usize)> {
            let inside = file.path.strip_prefix(folder)?.strip_prefix('/')?;
            let stem = inside.strip_suffix(extension)?;
            (!stem.contains('/')).then_some((folder.len() + 1, folder.len() + 1 + stem.len()))
        };
        let found = self.0.iter().filter_map(|file| Some((file, stem(file)?)));
        found.map(|(file, (from, to))| &file.path[from..to]).collect()
    }

    fn select(&self, wanted: impl Fn(&str) -> bool) -> Vec<File> {
        let files = self.0.iter().filter(|file| wanted(&file.path));
        files.cloned().collect()
    }
}

/// Returns the names at the top of the repository, without what a run of a workflow leaves there.
pub(super) fn top_level() -> Vec<String> {
    let ignored = fs::read_to_string(top().join(".gitignore")).unwrap();
    let is_ignored = |name: &str| ignored.lines().any(|line| line.strip_prefix('/') == Some(name));
    let names = list("").into_iter().map(|(path, _)| path);
    names.filter(|name| !is_ignored(name)).collect()
}

fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn list(folder: &str) -> Vec<(String, bool)> {
    let Ok(entries) = fs::read_dir(top().join(folder)) else {
        return Vec::new();
    };
    let entry = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        let path = if folder.is_empty() {
            name
        } else {
            format!("{folder}/{name}")
        };
        (path, entry.file_type().unwrap().is_dir())
    };
    entries.map(|found| entry(found.unwrap())).collect()
}
