//! Reports in, what they say about findings that are known out; the rest is new.

use super::Round;
use super::anchored::Anchored;
use super::pool::Pool;
use crate::builtins::claim::{Ground, Lexicon, Meaning, Nearness, Quoted};
use crate::builtins::document::{Documents, Meant, heading_key};
use crate::builtins::finding::{Change, Finding, SetAside, State};
use std::collections::HashMap;
use std::rc::Rc;

/// From which share of words on two quotes are the same sentence, edited.
const EDITED: f64 = 0.6;
/// How many findings whose place is gone are compared with every report.
const MOST_ADRIFT: usize = 200;

/// Takes what is reported about known findings and returns the other reports.
pub(super) fn recognise(
    round: &mut Round,
    reports: Vec<Anchored>,
    documents: &Documents,
    lexicon: &Lexicon,
) -> Vec<Anchored> {
    let mut pool = Pool::default();
    let mut adrift = Vec::new();
    let mut anchors = HashMap::new();
    for (at, finding) in round.findings.all.iter().enumerate() {
        match Anchored::of_known(finding, documents, lexicon) {
            Some(known) => {
                anchors.insert(at, known.anchor.clone());
                pool.add(at, Rc::new(known));
            }
            None if adrift.len() < MOST_ADRIFT => adrift.push(Adrift::new(at, finding, documents, lexicon)),
            None => {}
        }
    }
    let mut rest = Vec::new();
    for report in reports {
        let lost = || adrift.iter().find(|lost| lost.is_same(&report)).map(|lost| lost.at);
        match pool.find(&report).or_else(lost) {
            Some(at) => round.again(at, &report, anchors.get(&at).map(String::as_str)),
            None => rest.push(report),
        }
    }
    rest
}

/// A known finding whose place is gone: its section, where that is still there, and its words are left.
struct Adrift {
    at: usize,
    file: Option<usize>,
    section: String,
    known: Meaning,
    quoted: Quoted,
}

impl Adrift {
    fn new(at: usize, finding: &Finding, documents: &Documents, lexicon: &Lexicon) -> Self {
        let file = match documents.meant(&finding.place.file) {
            Meant::File(file) => Some(file),
            Meant::Unnamed | Meant::Several | Meant::Unknown | Meant::Outside => None,
        };
        Self {
            at,
            file,
            section: heading_key(&finding.place.section),
            known: lexicon.meaning(&finding.claim, &finding.category),
            quoted: lexicon.words(&finding.place.quote),
        }
    }

    fn is_same(&self, report: &Anchored) -> bool {
        if self.file.is_some_and(|file| file != report.spot.file) {
            return false;
        }
        let in_section = !self.section.is_empty() && self.section == heading_key(&report.report.place.section);
        let shared = self.quoted.intersection(&report.quoted).count();
        let edited = !self.quoted.is_empty() && shared as f64 >= EDITED * self.quoted.len() as f64;
        if !in_section && !edited {
            return false;
        }
        let ground = Ground {
            nearness: if edited { Nearness::Same } else { Nearness::Section },
            quoted: [&self.quoted, &report.quoted],
        };
        self.known.is_same(&report.meaning, ground)
    }
}

impl Round {
    /// Takes a report of something that is known; `now` is the hash of its place as it is now, none where it is gone.
    fn again(&mut self, at: usize, report: &Anchored, now: Option<&str>) {
        let number = Some(self.number);
        let Some(finding) = self.findings.all.get_mut(at) else {
            return;
        };
        let is_changed = now.is_none_or(|now| !finding.anchor.is_empty() && now != finding.anchor);
        match finding.state {
            State::Dismissed if !is_changed => {
                let because = finding.history.last().map_or("", |change| change.because.as_str());
                let why = format!("{} is dismissed ({because}) and its place has not changed", finding.id);
                self.aside.push(report.aside(why));
                return;
            }
            State::Deferred => {
                let because = finding.history.last().map_or("", |change| change.because.as_str());
                let why = format!("{} is deferred ({because})", finding.id);
                self.aside.push(report.aside(why));
                return;
            }
            State::Dismissed => {
                let because = "reported again, and its place changed since it was dismissed";
                finding.turn(Change::new(number, State::Open, because));
            }
            State::Fixed => {
                finding.turn(Change::new(
                    number,
                    State::Regressed,
                    "reported again after it was fixed",
                ));
                if finding.returns() > 1 {
                    self.oscillating.push(at);
                }
            }
            State::Open | State::InProgress | State::Regressed | State::Blocked => {}
        }
        finding.hear(&report.report);
        if now.is_none() {
            finding.place = report.report.place.clone();
        }
        finding.anchor = now.map_or_else(|| report.anchor.clone(), str::to_owned);
        self.reported.push(at);
    }
}

impl Anchored {
    fn aside(&self, why: String) -> SetAside {
        SetAside {
            claim: self.report.claim.clone(),
            why,
            reviewer: self.report.reviewer.clone(),
            report: self.report.raw.clone(),
        }
    }
}
