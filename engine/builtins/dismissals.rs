//! What was dismissed in earlier reviews in, what of it this one begins with out; and what the next ones are to know.

use super::document::{Documents, text_hash};
use super::finding::{Change, Finding, Findings, Id, Place, State};
use super::given::{is_blank, number, words};
use super::{Arguments, Builtin, BuiltinError, Value, optional, required};

pub(super) const DISMISSALS: Builtin = Builtin {
    name: "dismissals",
    parameters: &[
        required(
            "content",
            "the text under review, or several as a list of `path` and `text`",
        ),
        optional("remembered", "what earlier reviews kept, as it was kept"),
        optional("findings", "all findings of this review"),
    ],
    returns: "a map: `findings`, `text`, `changed`, `unkept`, `problem`",
    summary: "keeps what a person dismissed from one review to the next",
    page: include_str!("../../spec/builtins/dismissals.md"),
    body: Some(dismissals),
};

/// The field of a kept finding that says why it is dismissed. One that has it was not dismissed first in this review.
const REASON: &str = "reason";

fn dismissals(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let documents = Documents::read(arguments.get("content"));
    let kept = Kept::read(arguments.get("remembered"));
    let findings = Findings::read(arguments.get("findings")).all;
    let dismissed: Vec<Value> = findings
        .iter()
        .filter(|finding| finding.state == State::Dismissed && !is_from_before(finding))
        .filter_map(|finding| entry(finding, &documents))
        .collect();
    let others = findings.iter().filter(|finding| finding.state != State::Dismissed);
    let open: Vec<Value> = others.filter_map(|finding| entry(finding, &documents)).collect();
    // About a text that has changed since, an entry decides nothing, and it is right again where the text comes back.
    let is_about_now = |entry: &Value, value: &Value| words(entry, &["anchor"]) == words(value, &["anchor"]);
    let is_opened = |value: &Value| {
        open.iter()
            .any(|entry| is_same(entry, value) && is_about_now(entry, value))
    };
    let is_replaced = |value: &Value| dismissed.iter().any(|entry| is_same(entry, value) && entry != value);
    let mut after = kept.entries.clone();
    after.retain(|value| !is_opened(value) && !is_replaced(value));
    let new = dismissed.iter().filter(|entry| !kept.entries.contains(entry));
    after.extend(new.cloned());
    let is_changed = kept.is_list && after != kept.entries;
    let unkept = if kept.is_list { 0 } else { dismissed.len() };
    Ok(Value::of([
        ("findings", kept.known(&documents)),
        (
            "text",
            Value::Text(serde_json::to_string_pretty(&after).unwrap_or_default()),
        ),
        ("changed", Value::Bool(is_changed)),
        ("unkept", number(unkept)),
        ("problem", Value::Text(kept.problem())),
    ]))
}

/// What earlier reviews kept.
struct Kept {
    /// Every entry, as it is written.
    entries: Vec<Value>,
    /// Whether it can be read; where it cannot, it is somebody's work and stays as it is.
    is_list: bool,
}

impl Kept {
    fn read(remembered: &Value) -> Self {
        let text = remembered.to_string();
        let list = match remembered {
            Value::List(entries) => Some(entries.clone()),
            _ if is_blank(remembered) => Some(Vec::new()),
            _ => serde_json::from_str(text.trim_start_matches('\u{feff}').trim()).ok(),
        };
        Self {
            is_list: list.is_some(),
            entries: list.unwrap_or_default(),
        }
    }

    /// Returns the findings to begin with: those about a text under review that has not changed where they are.
    fn known(&self, documents: &Documents) -> Value {
        let entries = self.entries.iter().filter(|entry| says_why(entry)).cloned();
        let mut findings = Findings::read(&Value::List(entries.collect()));
        findings.all.retain_mut(|finding| takes_up(finding, documents));
        for (at, finding) in (1..).zip(&mut findings.all) {
            finding.id = Id(at);
        }
        findings.value()
    }

    /// Says what cannot be read and what comes of it; nothing where all of it can be.
    fn problem(&self) -> String {
        let unclear = self.entries.iter().filter(|entry| !says_why(entry)).count();
        match (self.is_list, unclear) {
            (false, _) => "it is no list in JSON, so what was dismissed before is asked again, and what is dismissed \
                now is not kept; mend it or delete it"
                .to_owned(),
            (true, 0) => String::new(),
            (true, 1) => "one entry names no claim or no reason, and is passed over".to_owned(),
            (true, unclear) => format!("{unclear} entries name no claim or no reason, and are passed over"),
        }
    }
}

/// Says whether an entry says what was dismissed, and why.
fn says_why(entry: &Value) -> bool {
    !words(entry, &["claim"]).is_empty() && !words(entry, &[REASON]).is_empty()
}

/// Says whether a finding was dismissed in an earlier review, and nothing happened to it since.
fn is_from_before(finding: &Finding) -> bool {
    finding.history.len() == 1 && !words(&finding.value(), &[REASON]).is_empty()
}

/// Says whether two entries are about the same thing.
fn is_same(one: &Value, other: &Value) -> bool {
    words(one, &["claim"]) == words(other, &["claim"]) && Place::read(one) == Place::read(other)
}

/// Makes a finding that was kept one of this review; says whether it holds for a text under review.
fn takes_up(finding: &mut Finding, documents: &Documents) -> bool {
    let is_reviewed = documents.files.iter().any(|file| file.path == finding.place.file);
    if !is_reviewed || anchor(finding, documents).as_ref() != Some(&finding.anchor) {
        return false;
    }
    if finding.place.is_whole() {
        // In one review it is about the text, whatever becomes of that.
        finding.anchor.clear();
    }
    let reason = words(&finding.value(), &[REASON]);
    finding.state = State::Dismissed;
    finding.history = vec![Change::new(None, State::Dismissed, reason)];
    true
}

/// Returns the hash of what a finding is about, for one about a whole text that of the text; none where it is gone.
fn anchor(finding: &Finding, documents: &Documents) -> Option<String> {
    let spot = documents.spot(&finding.place).ok()?;
    if finding.place.is_whole() {
        return Some(text_hash(&documents.files.get(spot.file)?.text));
    }
    Some(documents.anchor(&spot)).filter(|anchor| !anchor.is_empty())
}

/// Returns what of a finding the next review needs, and why it is dismissed; nothing where its place is gone.
fn entry(finding: &Finding, documents: &Documents) -> Option<Value> {
    let spot = documents.spot(&finding.place).ok()?;
    let mut place = finding.place.clone();
    place.file.clone_from(&documents.files.get(spot.file)?.path);
    let anchor = match place.is_whole() {
        true => anchor(finding, documents)?,
        false => finding.anchor.clone(),
    };
    let reason = finding.history.last().map_or("", |change| change.because.as_str());
    Some(Value::of([
        ("claim", Value::from(finding.claim.as_str())),
        (REASON, Value::from(reason)),
        ("severity", Value::from(finding.severity.name())),
        ("category", Value::from(finding.category.as_str())),
        ("place", place.value()),
        ("anchor", Value::Text(anchor)),
    ]))
}

#[cfg(test)]
mod tests;
