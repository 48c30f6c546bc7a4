//! Findings of several reviewers in, one list of distinct findings with states out.
//!
//! The order in which reviewers answered decides nothing: reports are sorted before anything is compared or numbered.

mod anchored;
mod known;
mod pool;

use super::claim::Lexicon;
use super::document::{Documents, squeezed};
use super::finding::{Change, Finding, Findings, Reports, SetAside, Severity, State};
use super::given::{items, number, plain, words};
use super::{Arguments, Builtin, BuiltinError, Value, optional, required};
use crate::source::clean;
use anchored::Anchored;
use pool::Pool;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::rc::Rc;

pub(super) const MERGE_FINDINGS: Builtin = Builtin {
    name: "merge-findings",
    parameters: &[
        required(
            "found",
            "the findings of this round, of all reviewers, or the replies that hold them",
        ),
        optional("known", "the findings of earlier rounds"),
        required(
            "content",
            "the text under review, or several as a list of `path` and `text`",
        ),
        required("round", "the number of the round"),
        optional("set_aside", "what was set aside in earlier rounds"),
        optional(
            "material",
            "the severities that decide whether to go on; critical, high and medium",
        ),
    ],
    returns: "a map: `findings`, `new`, `set_aside`, `unplaced`, `oscillating`, `agreement`, `text`, `tried`",
    summary: "merges what reviewers found with what is known",
    page: include_str!("../../spec/builtins/merge-findings.md"),
    body: Some(merge),
};

/// What a round did to the findings.
struct Round {
    number: f64,
    findings: Findings,
    aside: Vec<SetAside>,
    /// What this round reported that matters and that could not be placed.
    unplaced: Vec<SetAside>,
    /// Positions in the list of findings: reported in this round, new, and back for the second time.
    reported: Vec<usize>,
    new: Vec<usize>,
    oscillating: Vec<usize>,
}

fn merge(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let number = arguments.number("round")?;
    let documents = Documents::read(arguments.get("content"));
    let reports = Reports::read(arguments.get("found"));
    let lexicon = Lexicon::new();
    let mut round = Round {
        number,
        findings: Findings::read(arguments.get("known")),
        aside: SetAside::read(arguments.get("set_aside")),
        unplaced: Vec::new(),
        reported: Vec::new(),
        new: Vec::new(),
        oscillating: Vec::new(),
    };
    round.aside.append(&mut round.findings.unreadable);
    let (anchored, lost) = anchored::check(reports.read, &documents, &lexicon);
    let aside = || reports.aside.iter().chain(&lost);
    let material = Severity::material(arguments)?;
    round.unplaced = aside().filter(|report| report.is_of(&material)).cloned().collect();
    round.aside.extend(aside().cloned());
    let rest = known::recognise(&mut round, anchored, &documents, &lexicon);
    add(&mut round, rest);
    let mut seen = HashSet::new();
    round
        .aside
        .retain(|aside| seen.insert((aside.why.clone(), aside.reviewer.clone(), aside.report.to_string())));
    Ok(round.value(&reports.reviewers, arguments.get("found")))
}

/// Brings reports of the same thing together and gives each thing an identifier.
fn add(round: &mut Round, reports: Vec<Anchored>) {
    let mut groups: Vec<Vec<Rc<Anchored>>> = Vec::new();
    let mut pool = Pool::default();
    for report in reports.into_iter().map(Rc::new) {
        match pool.find(&report) {
            Some(at) => {
                if let Some(group) = groups.get_mut(at) {
                    group.push(report);
                }
            }
            None => {
                pool.add(groups.len(), Rc::clone(&report));
                groups.push(vec![report]);
            }
        }
    }
    for group in &mut groups {
        group.sort_by_cached_key(|report| (Reverse(report.report.severity), report.order()));
    }
    groups.sort_by_cached_key(|group| {
        group
            .first()
            .map(|first| (Reverse(first.report.severity), first.order()))
    });
    let mut next = round.findings.next();
    for group in groups {
        let Some(first) = group.first() else { continue };
        let mut finding = Finding::new(next, &first.report);
        next = next.after();
        finding.anchor.clone_from(&first.anchor);
        for other in group.iter().skip(1) {
            finding.hear(&other.report);
        }
        finding.turn(Change::new(Some(round.number), State::Open, "reported"));
        round.new.push(round.findings.all.len());
        round.reported.push(round.findings.all.len());
        round.findings.all.push(finding);
    }
}

impl Round {
    fn value(mut self, reviewers: &[String], found: &Value) -> Value {
        self.reported.sort_unstable();
        self.reported.dedup();
        let all = &self.findings.all;
        let picked = |positions: &[usize]| {
            let found = positions.iter().filter_map(|at| all.get(*at));
            Value::List(found.map(Finding::value).collect())
        };
        Value::of([
            ("findings", self.findings.value()),
            ("new", picked(&self.new)),
            ("set_aside", SetAside::list(&self.aside)),
            ("unplaced", self.unplaced()),
            ("oscillating", picked(&self.oscillating)),
            ("agreement", self.agreement(reviewers)),
            ("text", Value::Text(self.text())),
            ("tried", Value::Text(tried(found))),
        ])
    }

    /// Counts who answered, and the most of them that say the same: one finding together, or that there is nothing.
    fn agreement(&self, reviewers: &[String]) -> Value {
        let answered: HashSet<&String> = reviewers.iter().collect();
        let mut content = answered.clone();
        let mut aligned = 0;
        for finding in self.reported.iter().filter_map(|at| self.findings.all.get(*at)) {
            let together = finding.reviewers.iter().filter(|name| answered.contains(name));
            aligned = aligned.max(together.count());
            for name in &finding.reviewers {
                content.remove(name);
            }
        }
        let aligned = aligned.max(content.len());
        // Reports without a name are those of one reviewer.
        let nameless = usize::from(reviewers.is_empty() && !(self.reported.is_empty() && self.aside.is_empty()));
        Value::of([
            ("reviewer_count", number(reviewers.len() + nameless)),
            ("aligned_count", number(aligned + nameless)),
        ])
    }

    fn unplaced(&self) -> Value {
        let said = |aside: &SetAside| format!("{} ({})", clean(&squeezed(&aside.claim)), aside.why);
        Value::List(self.unplaced.iter().map(|aside| Value::Text(said(aside))).collect())
    }

    fn text(&self) -> String {
        let reported = self.reported.iter().filter_map(|at| self.findings.all.get(*at));
        let lines: Vec<String> = reported
            .map(|finding| {
                let place = match finding.place.section.as_str() {
                    "" => String::new(),
                    section => format!(" [{}]", clean(&squeezed(section))),
                };
                format!(
                    "- {} ({}): {}{place}",
                    finding.id,
                    finding.severity,
                    clean(&squeezed(&finding.claim))
                )
            })
            .collect();
        if lines.is_empty() {
            return "Nothing was found.".to_owned();
        }
        lines.join("\n")
    }
}

/// Lists what reviewers say that they tried, one a line.
fn tried(found: &Value) -> String {
    let lenses = items(found).into_iter().flat_map(|reply| match reply.get("lenses") {
        Some(lenses) => items(lenses),
        None => Vec::new(),
    });
    let lines = lenses.map(|lens| {
        let parts = [words(&lens, &["name"]), words(&lens, &["result"])];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let text = match parts.is_empty() {
            true => plain(&lens),
            false => parts.join(": "),
        };
        format!("- {}", clean(&squeezed(&text)))
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
