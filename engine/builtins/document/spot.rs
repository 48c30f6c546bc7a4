//! A place in the words of a reviewer in, the spot in the reviewed texts out, or why it is not there.

use super::{Document, Documents, Meant, text_hash};
use crate::builtins::finding::Place;
use std::ops::Range;

/// Where something stands in the reviewed texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spot {
    /// Which text.
    pub(crate) file: usize,
    /// Which section of it.
    pub(crate) section: Option<usize>,
    /// The quoted words.
    pub(crate) quote: Option<Range<usize>>,
}

impl Documents {
    /// Finds a place; what is wrong with it is said in words for a person.
    pub(crate) fn spot(&self, place: &Place) -> Result<Spot, String> {
        match self.meant(&place.file) {
            Meant::File(file) => self.spot_in(file, place),
            Meant::Unnamed | Meant::Several if self.files.len() != 1 => self.anywhere(place),
            Meant::Unnamed | Meant::Several => self.spot_in(0, place),
            Meant::Unknown => Err(format!("the file `{}` is not under review", place.file)),
            Meant::Outside => Err(format!("the path `{}` leads out of the project", place.file)),
        }
    }

    /// Finds a place that names no file, where only one file has it.
    fn anywhere(&self, place: &Place) -> Result<Spot, String> {
        let mut found = (0..self.files.len()).filter_map(|file| self.spot_in(file, place).ok());
        match (found.next(), found.next()) {
            (Some(spot), None) if !place.is_whole() => Ok(spot),
            (Some(_), _) => Err("it names no file, and several are under review".to_owned()),
            (None, _) => Err("it names no file, and none that is under review has this place".to_owned()),
        }
    }

    fn spot_in(&self, file: usize, place: &Place) -> Result<Spot, String> {
        let Some(document) = self.files.get(file) else {
            return Err("nothing is under review".to_owned());
        };
        let named = document.outline().named(&place.section);
        if !place.quote.contains(char::is_alphanumeric) {
            return document.section_spot(file, place, &named);
        }
        let places = document.places(&place.quote);
        let inside = |range: &&Range<usize>| {
            let sections = named.iter().filter_map(|at| document.outline().sections.get(*at));
            sections.into_iter().any(|section| section.whole.contains(&range.start))
        };
        let Some(quote) = places.iter().find(inside).or(places.first()) else {
            return Err(format!("its quote is not in {}", document.called()));
        };
        Ok(Spot {
            file,
            section: document.outline().around(quote.start),
            quote: Some(quote.clone()),
        })
    }

    /// Returns where the text is that a place is about: the blocks of its quote, its section, or everything.
    pub(crate) fn range(&self, spot: &Spot) -> Range<usize> {
        let Some(document) = self.files.get(spot.file) else {
            return 0..0;
        };
        let outline = document.outline();
        let section = spot.section.and_then(|section| outline.sections.get(section));
        match (&spot.quote, section) {
            (Some(quote), _) => outline.block(quote),
            (None, Some(section)) => section.whole.clone(),
            (None, None) => 0..document.text.len(),
        }
    }

    /// Returns the text that a place is about; none where it is about the text as a whole.
    pub(crate) fn anchored(&self, spot: &Spot) -> Option<&str> {
        let is_whole = spot.quote.is_none() && spot.section.is_none();
        let document = self.files.get(spot.file).filter(|_| !is_whole)?;
        document.text.get(self.range(spot))
    }

    /// Returns the section of a spot and those around it, the nearest first.
    pub(crate) fn sections_of(&self, spot: &Spot) -> Vec<usize> {
        let Some((document, nearest)) = self.files.get(spot.file).zip(spot.section) else {
            return Vec::new();
        };
        let sections = &document.outline().sections;
        let start = sections.get(nearest).map_or(0, |section| section.own.start);
        let around = sections.iter().enumerate().take(nearest + 1).rev();
        let around = around.filter(|(_, section)| section.whole.contains(&start));
        around.map(|(at, _)| at).collect()
    }

    /// Returns the hash of what a place is about; empty where it is about the text as a whole.
    pub(crate) fn anchor(&self, spot: &Spot) -> String {
        self.anchored(spot).map(text_hash).unwrap_or_default()
    }

    /// Returns the name of the section that a spot is in.
    pub(crate) fn section_name(&self, spot: &Spot) -> &str {
        let outline = self.files.get(spot.file).map(Document::outline);
        let section = outline
            .zip(spot.section)
            .and_then(|(outline, at)| outline.sections.get(at));
        section.map_or("", |section| &section.name)
    }
}

impl Document {
    fn section_spot(&self, file: usize, place: &Place, named: &[usize]) -> Result<Spot, String> {
        if place.section.is_empty() {
            return Ok(Spot {
                file,
                section: None,
                quote: None,
            });
        }
        if let Some(section) = named.first() {
            return Ok(Spot {
                file,
                section: Some(*section),
                quote: None,
            });
        }
        match self.label(&place.section) {
            Some(range) => Ok(Spot {
                file,
                section: self.outline().around(range.start),
                quote: Some(range),
            }),
            None => Err(format!("no section of {} is called `{}`", self.called(), place.section)),
        }
    }

    /// Finds a name that is no heading: a function in code, a requirement such as `FR-3` in prose.
    fn label(&self, name: &str) -> Option<Range<usize>> {
        let name = name.trim().trim_end_matches("()").trim_matches('`');
        let is_identifier =
            !name.contains(' ') && name.contains(|mark: char| mark.is_ascii_digit() || "_:.".contains(mark));
        if self.outline().is_prose() && !is_identifier {
            return None;
        }
        let part = |mark: char| mark.is_alphanumeric() || mark == '_';
        let stands_alone = |range: &Range<usize>| {
            let before = self.text.get(..range.start).and_then(|text| text.chars().next_back());
            let after = self.text.get(range.end..).and_then(|text| text.chars().next());
            !before.is_some_and(part) && !after.is_some_and(part)
        };
        self.places(name).into_iter().find(stands_alone)
    }

    /// Returns how it is called in a message.
    fn called(&self) -> String {
        if self.path.is_empty() {
            "the text under review".to_owned()
        } else {
            format!("`{}`", self.path)
        }
    }
}
