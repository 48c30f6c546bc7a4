//! Texts before and after in, whether something changed where a finding is out.

use super::fix::Said;
use crate::builtins::Value;
use crate::builtins::document::{Document, Documents, Meant, Section, Spot, squeezed};
use crate::builtins::finding::{Finding, Id};
use crate::builtins::given::{truth, words};
use std::ops::Range;

/// What was there before the fixes and what is there now.
pub(super) struct Changed {
    pub(super) before: Documents,
    pub(super) after: Documents,
    pub(super) touched: Vec<String>,
    pub(super) rejected: Vec<Value>,
}

impl Changed {
    /// Says whether a fix has something to show: a change where its finding is, or in a file that it lists.
    pub(super) fn at(&self, finding: &Finding, said: &Said) -> Result<(), String> {
        if let Some(why) = self.rejected(finding) {
            return Err(format!("its edit was rejected: {why}"));
        }
        let listed = said.files.iter().any(|file| self.is_touched(file));
        if listed || self.is_changed(finding) {
            return Ok(());
        }
        let unseen: Vec<&str> = said.files.iter().map(String::as_str).collect();
        if unseen.is_empty() {
            return Err("nothing changed where the finding is".to_owned());
        }
        Err(format!(
            "nothing changed where the finding is, and nothing shows that {} changed",
            unseen.join(", ")
        ))
    }

    /// Returns why the edit of a finding was rejected: one that names it, or one that was to change what it quotes and
    /// what still stands there.
    fn rejected(&self, finding: &Finding) -> Option<String> {
        let quote = squeezed(&finding.place.quote);
        let is_left = self.after.spot(&finding.place).is_ok();
        let is_own = |edit: &&Value| match words(edit, &["finding"]) {
            _ if edit.get("repeated").and_then(truth) == Some(true) => false,
            named if named.is_empty() => {
                let old = squeezed(&words(edit, &["old"]));
                is_left && !quote.is_empty() && !old.is_empty() && (old.contains(&quote) || quote.contains(&old))
            }
            named => Id::read(&named) == Some(finding.id),
        };
        let edit = self.rejected.iter().find(is_own)?;
        let why = words(edit, &["why"]);
        Some(if why.is_empty() {
            "nobody says why".to_owned()
        } else {
            why
        })
    }

    fn is_touched(&self, file: &str) -> bool {
        let by_text = match self.after.meant(file) {
            Meant::File(at) if !self.after.is_one => self.file_changed(at),
            Meant::File(_) | Meant::Unnamed | Meant::Several | Meant::Unknown | Meant::Outside => false,
        };
        by_text || self.touched.iter().any(|path| is_same_path(path, file))
    }

    fn file_changed(&self, at: usize) -> bool {
        let Some(after) = self.after.files.get(at) else {
            return false;
        };
        match self.earlier(after, at) {
            Some(before) => squeezed(&before.text) != squeezed(&after.text),
            None => true,
        }
    }

    /// Returns what a text was before.
    fn earlier(&self, after: &Document, at: usize) -> Option<&Document> {
        if self.after.is_one && self.before.is_one {
            return self.before.files.get(at);
        }
        self.before.files.iter().find(|before| before.path == after.path)
    }

    fn is_changed(&self, finding: &Finding) -> bool {
        let Ok(spot) = self.before.spot(&finding.place) else {
            // Its place was gone before: any change of its file may be the one.
            return match self.after.meant(&finding.place.file) {
                Meant::File(at) => self.file_changed(at),
                Meant::Unnamed => (0..self.after.files.len()).any(|at| self.file_changed(at)),
                Meant::Several | Meant::Unknown | Meant::Outside => false,
            };
        };
        let Some(before) = self.before.files.get(spot.file) else {
            return false;
        };
        let after = if self.after.is_one && self.before.is_one {
            self.after.files.get(spot.file)
        } else {
            self.after.files.iter().find(|after| after.path == before.path)
        };
        let Some(after) = after else { return true };
        place_differs(before, after, &spot)
    }

    /// Returns the files that changed and that no finding of the wave is about.
    pub(super) fn outside<'f>(&self, about: impl Iterator<Item = &'f str>) -> Vec<String> {
        let about: Vec<&str> = about.collect();
        let is_about = |path: &str| about.iter().any(|file| is_same_path(path, file) || file.is_empty());
        let texts = self.after.files.iter().enumerate();
        let texts = texts.filter(|(at, file)| !file.path.is_empty() && !self.after.is_one && self.file_changed(*at));
        let changed = texts.map(|(_, file)| file.path.clone());
        let gone =
            self.before.files.iter().filter(|before| {
                !self.before.is_one && !self.after.files.iter().any(|after| after.path == before.path)
            });
        let gone = gone.map(|file| file.path.clone());
        let mut outside: Vec<String> = changed.chain(gone).filter(|path| !is_about(path)).collect();
        let strange = |path: &&String| !about.iter().any(|file| is_same_path(path, file));
        outside.extend(self.touched.iter().filter(strange).cloned());
        outside.sort();
        outside.dedup();
        outside
    }
}

/// Says whether the text at a place differs: that of its section, or the text as a whole.
fn place_differs(before: &Document, after: &Document, spot: &Spot) -> bool {
    let section = spot.section.and_then(|at| before.outline().sections.get(at));
    let Some(section) = section else {
        let is_whole = spot.quote.is_none();
        let start = |document: &Document| match document.outline().sections.first() {
            Some(first) if !is_whole => first.own.start,
            Some(_) | None => document.text.len(),
        };
        let lead = |document: &Document| squeezed(document.text.get(..start(document)).unwrap_or(""));
        return lead(before) != lead(after);
    };
    let is_quoted = spot.quote.is_some();
    let old = part(before, section, is_quoted);
    let like_it = |document: &Document| {
        let named = document.outline().named(&section.name).into_iter();
        let sections = named.filter_map(|at| document.outline().sections.get(at));
        sections
            .filter(|section| part(document, section, is_quoted) == old)
            .count()
    };
    like_it(after) < like_it(before)
}

/// Returns what counts as the text of a section. A quote is answered before the next heading, or under a new heading
/// below it; a finding about the section by anything in it.
fn part(document: &Document, section: &Section, is_quoted: bool) -> (String, Vec<String>) {
    let text = |range: &Range<usize>| squeezed(document.text.get(range.clone()).unwrap_or(""));
    if !is_quoted {
        return (text(&section.whole), Vec::new());
    }
    let inside = document
        .outline()
        .sections
        .iter()
        .filter(|other| section.whole.contains(&other.own.start));
    (text(&section.own), inside.map(|other| other.name.clone()).collect())
}

fn is_same_path(one: &str, other: &str) -> bool {
    let tidy = |path: &str| crate::source::ProjectPath::new(path.trim());
    match (tidy(one), tidy(other)) {
        (Some(one), Some(other)) => one == other && !one.as_str().is_empty(),
        _ => false,
    }
}
