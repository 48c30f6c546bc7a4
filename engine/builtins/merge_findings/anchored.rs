//! Reports in, those whose place is there out, and why the others do not count.

use crate::builtins::claim::{Class, Lexicon, Meaning, Quoted};
use crate::builtins::document::{Document, Documents, Spot, squeezed};
use crate::builtins::finding::{Finding, Report, SetAside};
use std::cmp::Reverse;
use std::ops::Range;

/// The fewest words of a second quote in the evidence.
const FEWEST_WORDS: usize = 3;

/// A report whose place was found, and what it claims.
#[derive(Debug, Clone)]
pub(super) struct Anchored {
    pub(super) report: Report,
    pub(super) anchor: String,
    pub(super) spot: Spot,
    pub(super) meaning: Meaning,
    /// The words of the place.
    pub(super) quoted: Quoted,
    /// The text it is about.
    pub(super) range: Range<usize>,
    /// The quoted words alone, and for a contradiction the other words it quotes.
    pub(super) ends: Vec<Range<usize>>,
    /// Where the blocks begin that it quotes.
    pub(super) blocks: Vec<usize>,
    /// Its section and those around it, the nearest first.
    pub(super) sections: Vec<usize>,
}

/// Finds the place of every report, in an order that does not depend on who answered first.
pub(super) fn check(reports: Vec<Report>, documents: &Documents, lexicon: &Lexicon) -> (Vec<Anchored>, Vec<SetAside>) {
    let mut anchored = Vec::new();
    let mut lost = Vec::new();
    for report in reports {
        match documents.spot(&report.place) {
            Ok(spot) => anchored.push(Anchored::new(report, spot, documents, lexicon)),
            Err(why) => lost.push(SetAside {
                claim: report.claim,
                why,
                reviewer: report.reviewer,
                report: report.raw,
            }),
        }
    }
    anchored.sort_by_cached_key(Anchored::order);
    lost.sort_by_cached_key(|lost| {
        let report = lost.report.to_string();
        (lost.claim.clone(), lost.why.clone(), lost.reviewer.clone(), report)
    });
    (anchored, lost)
}

impl Anchored {
    fn new(mut report: Report, spot: Spot, documents: &Documents, lexicon: &Lexicon) -> Self {
        let meaning = lexicon.meaning(&report.claim, &report.category);
        let section = documents.section_name(&spot);
        if spot.quote.is_some() || spot.section.is_some() {
            section.clone_into(&mut report.place.section);
        }
        let path = documents.files.get(spot.file).map(|file| file.path.as_str());
        if let Some(path) = path.filter(|path| !path.is_empty()) {
            path.clone_into(&mut report.place.file);
        }
        let mut ends: Vec<Range<usize>> = spot.quote.iter().cloned().collect();
        if meaning.is_of(Class::Contradiction) {
            ends.extend(other_ends(&report, documents, spot.file));
        }
        Self::at(Rooted { report, spot, meaning }, ends, documents, lexicon)
    }

    /// Makes what is compared of a finding that is known; none where its place is gone.
    pub(super) fn of_known(finding: &Finding, documents: &Documents, lexicon: &Lexicon) -> Option<Self> {
        let spot = documents.spot(&finding.place).ok()?;
        let report = Report::of(finding);
        Some(Self::new(report, spot, documents, lexicon))
    }

    fn at(rooted: Rooted, ends: Vec<Range<usize>>, documents: &Documents, lexicon: &Lexicon) -> Self {
        let Rooted { report, spot, meaning } = rooted;
        let mut quoted = lexicon.words(&report.place.quote);
        quoted.extend(lexicon.words(&report.place.section));
        let sections = documents.sections_of(&spot);
        let outline = documents.files.get(spot.file).map(Document::outline);
        let touched = outline
            .iter()
            .flat_map(|outline| ends.iter().flat_map(|end| outline.touched(end)));
        let blocks = touched.map(|block| block.start).collect();
        Self {
            anchor: documents.anchor(&spot),
            range: documents.range(&spot),
            report,
            spot,
            meaning,
            quoted,
            ends,
            blocks,
            sections,
        }
    }

    /// Returns what reports are sorted by, behind a pointer: it is moved a lot.
    pub(super) fn order(&self) -> Box<impl Ord + use<>> {
        let report = &self.report;
        Box::new((
            (self.spot.file, self.range.start),
            squeezed(&report.claim).to_lowercase(),
            Reverse(report.severity),
            (report.place.clone(), report.category.clone()),
            (
                report.reviewer.clone(),
                report.evidence.clone(),
                report.suggestion.clone(),
            ),
        ))
    }
}

/// A report at its place.
struct Rooted {
    report: Report,
    spot: Spot,
    meaning: Meaning,
}

/// Returns where the words stand that a report quotes besides those of its place.
fn other_ends(report: &Report, documents: &Documents, file: usize) -> Vec<Range<usize>> {
    let Some(document) = documents.files.get(file) else {
        return Vec::new();
    };
    let said = squeezed(&format!("{} {}", report.claim, report.evidence));
    let quotes = said.split('"').skip(1).step_by(2);
    let long = quotes.filter(|quote| quote.split(' ').count() >= FEWEST_WORDS);
    long.flat_map(|quote| document.places(quote).into_iter().take(1))
        .collect()
}
