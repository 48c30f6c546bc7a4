//! What fixers claim and the text before and after in, which claims have something to show out.

mod changed;
mod checks;
mod fix;

pub(super) use checks::failed;

use super::document::Documents;
use super::finding::{Finding, Findings, Id, SetAside, State};
use super::given::{is_blank, items, texts, words};
use super::{Arguments, Builtin, BuiltinError, Value, optional, required};
use changed::Changed;
use fix::{Fixes, Said};
use std::collections::HashSet;

pub(super) const CHECK_FIXES: Builtin = Builtin {
    name: "check-fixes",
    parameters: &[
        required("findings", "all findings"),
        required("fixes", "what the fixers report"),
        required(
            "before",
            "the text before the fixes, or several as a list of `path` and `text`",
        ),
        required("after", "the text after them"),
        optional("rejected", "edits that could not be applied"),
        optional(
            "wave",
            "the wave that was sent; what it holds and no fixer mentions is unanswered",
        ),
        optional(
            "checks",
            "what the project's check commands said: a list of `command`, `ok`, `output`",
        ),
        optional("touched", "paths of other files that changed meanwhile"),
    ],
    returns: "a map: `changed`, `refused`, `blocked`, `unanswered`, `said`, `outside`, `set_aside`",
    summary: "checks which claimed fixes really changed something",
    page: include_str!("../../spec/builtins/check-fixes.md"),
    body: Some(check),
};

/// The four lists of claims.
#[derive(Default)]
struct Claims {
    changed: Vec<Value>,
    refused: Vec<Value>,
    blocked: Vec<Value>,
    unanswered: Vec<Value>,
}

fn check(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let findings = Findings::read(arguments.get("findings"));
    let fixes = Fixes::read(arguments.get("fixes"));
    let changed = Changed {
        before: Documents::read(arguments.get("before")),
        after: Documents::read(arguments.get("after")),
        touched: items(arguments.get("touched")).iter().map(Value::to_string).collect(),
        rejected: items(arguments.get("rejected")),
    };
    let assigned = assigned(arguments.get("wave"), &findings);
    let failed = failed(arguments.get("checks"));
    let mut claims = Claims::default();
    let mut aside = fixes.aside;
    let mut answered = HashSet::new();
    for said in &fixes.said {
        let Some(finding) = said.id.and_then(|id| findings.get(id)) else {
            aside.push(SetAside::new(
                said.raw.clone(),
                format!("no finding is called `{}`", said.named),
            ));
            continue;
        };
        if !assigned.contains(&finding.id) {
            claims.refused.push(entry(finding, Some("it was not given to a fixer")));
        } else if !answered.insert(finding.id) {
            aside.push(SetAside::new(
                said.raw.clone(),
                format!("{} was answered before", finding.id),
            ));
        } else {
            claims.take(finding, said, &changed, failed.as_deref());
        }
    }
    let unanswered = findings
        .all
        .iter()
        .filter(|finding| assigned.contains(&finding.id) && !answered.contains(&finding.id));
    if !is_blank(arguments.get("wave")) {
        claims.unanswered = unanswered
            .map(|finding| entry(finding, Some("no fixer answered for it")))
            .collect();
    }
    let about = findings.all.iter().filter(|finding| assigned.contains(&finding.id));
    let outside = changed.outside(about.map(|finding| finding.place.file.as_str()));
    Ok(Value::of([
        ("changed", Value::List(claims.changed)),
        ("refused", Value::List(claims.refused)),
        ("blocked", Value::List(claims.blocked)),
        ("unanswered", Value::List(claims.unanswered)),
        ("said", Value::List(fixes.said.iter().map(Said::value).collect())),
        ("outside", texts(outside)),
        ("set_aside", SetAside::list(&aside)),
    ]))
}

/// Returns what fixers were given: the wave; without one what is in progress, or else what is open.
fn assigned(wave: &Value, findings: &Findings) -> HashSet<Id> {
    if !is_blank(wave) {
        let shares = wave.get("shares").map_or_else(|| items(wave), items);
        let held = shares
            .iter()
            .flat_map(|share| share.get("findings").map_or_else(|| vec![share.clone()], items));
        return held
            .filter_map(|item| Id::read(&words(&item, &["id", "finding"])))
            .collect();
    }
    let of = |wanted: &dyn Fn(&Finding) -> bool| -> HashSet<Id> {
        findings
            .all
            .iter()
            .filter(|finding| wanted(finding))
            .map(|finding| finding.id)
            .collect()
    };
    let working = of(&|finding| finding.state == State::InProgress);
    if working.is_empty() {
        of(&|finding| finding.state.is_open())
    } else {
        working
    }
}

impl Claims {
    fn take(&mut self, finding: &Finding, said: &Said, changed: &Changed, failed: Option<&str>) {
        match said.status.as_str() {
            "FIXED" => match (failed, changed.at(finding, said)) {
                (Some(why), _) => self.refused.push(entry(finding, Some(why))),
                (None, Ok(())) => self.changed.push(entry(finding, None)),
                (None, Err(why)) => self.refused.push(entry(finding, Some(&why))),
            },
            "BLOCKED" => self.blocked.push(entry(finding, Some(&said.needs()))),
            "" => self
                .refused
                .push(entry(finding, Some("it says neither FIXED nor BLOCKED"))),
            other => {
                let why = format!("its status `{other}` is neither FIXED nor BLOCKED");
                self.refused.push(entry(finding, Some(&why)));
            }
        }
    }
}

/// Makes an entry: nothing in it comes from the fixer, except why it is blocked.
fn entry(finding: &Finding, why: Option<&str>) -> Value {
    let entry = Value::of([
        ("finding", Value::Text(finding.id.to_string())),
        ("claim", Value::Text(finding.claim.clone())),
        ("place", finding.place.value()),
    ]);
    match (entry, why) {
        (Value::Map(mut entries), Some(why)) => {
            entries.push(("why".to_owned(), Value::from(why)));
            Value::Map(entries)
        }
        (entry, _) => entry,
    }
}

#[cfg(test)]
mod tests;
