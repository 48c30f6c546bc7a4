//! Links of a project in, names by which what they lead to is found out.

use super::library::{Document, Library};
use super::names::STANDARD;
use crate::source::{ProjectPath, SourceId};

/// How many names there may be that links give to files.
const MOST: usize = 100_000;

impl Library {
    /// Lets files be found by the names that links give them too; each is read once, under its own name.
    pub fn link(&mut self, links: &[(ProjectPath, ProjectPath)]) {
        let is_own = |document: &&Document| !document.source.path().as_str().starts_with(STANDARD);
        let documents: Vec<&Document> = self.documents().take_while(is_own).collect();
        let mut named: Vec<(ProjectPath, SourceId)> = Vec::new();
        for (link, place) in links {
            named.extend(self.paths.get(place).map(|id| (link.clone(), *id)));
            let below = match place.as_str() {
                "" => String::new(),
                place => format!("{place}/"),
            };
            let first = documents.partition_point(|document| document.source.path().as_str() < below.as_str());
            let inside = documents[first..].iter().map_while(|document| {
                let rest = document.source.path().as_str().strip_prefix(&below)?;
                Some((rest, document.source.id()))
            });
            let inside = inside.filter_map(|(rest, id)| Some((link.join(rest)?, id)));
            named.extend(inside.take(MOST.saturating_sub(named.len())));
        }
        for (name, id) in named {
            self.paths.entry(name).or_insert(id);
        }
    }
}
