//! A folder in, the files in it out.

use super::library::{Document, Library};
use crate::source::{QuickMap, SourceId};

impl Library {
    /// Returns the files that were read in a folder itself, in the order of their paths.
    pub fn files_in(&self, folder: &str) -> impl Iterator<Item = &Document> {
        let files = kept_in(self).get(folder).into_iter().flatten();
        files.map(|file| self.document(*file))
    }
}

/// Returns the files by their folders; found out once.
fn kept_in(library: &Library) -> &QuickMap<String, Vec<SourceId>> {
    library.kept_in.get_or_init(|| {
        let mut kept: QuickMap<String, Vec<SourceId>> = QuickMap::default();
        for source in library.documents().map(|document| &document.source) {
            let folder = source.path().folder_str();
            match kept.get_mut(folder) {
                Some(files) => files.push(source.id()),
                None => drop(kept.insert(folder.to_owned(), vec![source.id()])),
            }
        }
        kept
    })
}
