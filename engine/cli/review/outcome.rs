//! What the review loop returned in, a review as it is told out.

use crate::builtins::Value;
use crate::cli::Exit;
use crate::source::clean;

/// A review that is over.
#[derive(Debug)]
pub(super) struct Review {
    /// The run it was.
    pub(super) run: String,
    /// What was reviewed, as a person calls it.
    pub(super) section: String,
    /// How it ended: `complete`, `blocked`, `timeout`, `stopped-by-limit`, `diverging` or `user-stop`.
    pub(super) outcome: String,
    /// Why it ended so.
    pub(super) reason: String,
    /// How deep it looked.
    pub(super) level: String,
    /// The last confidence, 0 to 100.
    pub(super) confidence: f64,
    /// How many rounds there were.
    pub(super) rounds: f64,
    /// Everything that was found and survived its check, in the order of identifiers.
    pub(super) findings: Vec<Finding>,
    /// What did not survive its check: what was claimed, and why it does not count.
    pub(super) set_aside: Vec<(String, String)>,
    /// Who did not answer in the last round.
    pub(super) silent: Vec<String>,
    /// What reviewers tried in the last round, found or not.
    pub(super) lenses: Vec<String>,
    /// The files before and after.
    pub(super) documents: Vec<Document>,
    /// The counters of the run.
    pub(super) metrics: Value,
    /// What was written: the tracker, the certificate, the metrics.
    pub(super) tracker: String,
    pub(super) certificate: String,
    /// The text of the certificate.
    pub(super) certificate_text: String,
}

/// One file of a review.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) path: String,
    pub(super) before: String,
    pub(super) after: String,
}

/// One finding.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) id: String,
    pub(super) severity: String,
    pub(super) state: String,
    pub(super) category: String,
    pub(super) claim: String,
    pub(super) file: String,
    pub(super) section: String,
    pub(super) quote: String,
    /// The line its quote begins in, where it stands in the file now.
    pub(super) line: Option<usize>,
    pub(super) evidence: Vec<String>,
    pub(super) suggestion: String,
    pub(super) reviewers: Vec<String>,
    /// How a discussion voted on its severity.
    pub(super) votes: Vec<(String, String)>,
    /// Every change of state: round, state, reason.
    pub(super) history: Vec<(String, String, String)>,
}

impl Review {
    /// Reads what the loop returned; nothing where it is not the result of a review.
    pub(super) fn read(value: &Value, run: &str) -> Option<Self> {
        let outcome = value.get("outcome")?.to_string();
        Some(Self::read_fields(value, run, outcome))
    }

    fn read_fields(value: &Value, run: &str, outcome: String) -> Self {
        let field = |name: &str| value.get(name).cloned().unwrap_or_default();
        let text = |name: &str| harmless(&field(name).to_string());
        let documents = documents(&field("before"), &field("after"));
        let findings = items(&field("findings"))
            .iter()
            .map(|finding| Finding::read(finding, &documents))
            .collect();
        let set_aside = items(&field("set_aside"))
            .iter()
            .map(|finding| (text_of(finding, "claim"), text_of(finding, "why")))
            .collect();
        Self {
            run: run.to_owned(),
            section: text("section"),
            outcome,
            reason: text("reason"),
            level: text("level"),
            confidence: field("confidence").number().unwrap_or_default(),
            rounds: field("rounds").number().unwrap_or_default(),
            findings,
            set_aside,
            silent: items(&field("silent"))
                .iter()
                .map(|item| harmless(&item.to_string()))
                .collect(),
            lenses: items(&field("lenses")).iter().map(lens).collect(),
            documents,
            metrics: field("counters"),
            tracker: path_of(&text("tracker")),
            certificate: path_of(&text("certificate")),
            certificate_text: text("certificate_text"),
        }
    }

    /// Makes a review that had nothing to look at.
    pub(super) fn of_nothing(section: &str, reason: &str) -> Self {
        let fields = [("section", section), ("reason", reason)];
        let fields = fields.map(|(name, value)| (name.to_owned(), Value::from(value)));
        Self::read_fields(&Value::Map(fields.into()), "", "complete".to_owned())
    }

    /// Says whether anybody looked: where every call failed, or none was made, no findings mean nothing.
    pub(super) fn is_reviewed(&self) -> bool {
        let counted = |name: &str| self.metrics.get(name).and_then(Value::number);
        // What was dismissed may be known from an earlier review.
        let is_found = self.findings.iter().any(|finding| finding.state != "dismissed");
        match (counted("subagent_invocations"), counted("failures")) {
            _ if is_found || !self.set_aside.is_empty() => true,
            (Some(calls), Some(failures)) => calls > failures,
            (_, _) => self.rounds >= 1.0,
        }
    }

    /// Returns what is neither fixed, nor dismissed, nor deferred.
    pub(super) fn left(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.is_left())
    }

    /// Returns the code the program ends with.
    pub(super) fn exit(&self) -> Exit {
        match self.outcome.as_str() {
            _ if self.left().next().is_some() => Exit::Findings,
            "complete" | "user-stop" => Exit::Clean,
            "timeout" | "stopped-by-limit" => Exit::Limit,
            _ => Exit::Findings,
        }
    }

    /// Counts the findings in a state.
    pub(super) fn count(&self, state: &str) -> usize {
        self.findings.iter().filter(|finding| finding.state == state).count()
    }
}

impl Finding {
    fn read(value: &Value, documents: &[Document]) -> Self {
        let place = value.get("place").cloned().unwrap_or_default();
        let (file, quote) = (text_of(&place, "file"), text_of(&place, "quote"));
        let list = |name: &str| {
            let found = value.get(name).cloned().unwrap_or_default();
            items(&found)
                .iter()
                .map(|item| harmless(&item.to_string()))
                .collect::<Vec<String>>()
        };
        let votes = match value.get("votes") {
            Some(Value::Map(votes)) => votes
                .iter()
                .map(|(name, count)| (harmless(name), harmless(&count.to_string())))
                .collect(),
            Some(Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_)) | None => {
                Vec::new()
            }
        };
        let changes = value.get("history").cloned().unwrap_or_default();
        let change = |change: &Value| {
            let reason = text_of(change, "reason");
            (text_of(change, "round"), text_of(change, "state"), reason)
        };
        Self {
            id: text_of(value, "id"),
            severity: text_of(value, "severity"),
            state: text_of(value, "state"),
            category: text_of(value, "category"),
            claim: text_of(value, "claim"),
            section: text_of(&place, "section"),
            line: line(&file, &quote, documents),
            file,
            quote,
            evidence: list("evidence"),
            suggestion: text_of(value, "suggestion"),
            reviewers: list("reviewers"),
            votes,
            history: items(&changes).iter().map(change).collect(),
        }
    }

    /// Says whether something is still to be done about it.
    pub(super) fn is_left(&self) -> bool {
        !matches!(self.state.as_str(), "fixed" | "dismissed" | "deferred")
    }

    /// Returns where it is, as editors understand it.
    pub(super) fn place(&self) -> String {
        match (self.line, self.section.as_str()) {
            (Some(line), _) => format!("{}:{line}", self.file),
            (None, "") => self.file.clone(),
            (None, section) => format!("{} ({section})", self.file),
        }
    }
}

/// Returns the name of a lens: agents write it alone, or with what it showed.
fn lens(value: &Value) -> String {
    match value {
        Value::Map(_) => text_of(value, "name"),
        Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
            harmless(&value.to_string())
        }
    }
}

/// Finds the line that a quote begins in.
fn line(file: &str, quote: &str, documents: &[Document]) -> Option<usize> {
    let document = documents.iter().find(|document| document.path == file)?;
    let first = quote.lines().map(str::trim).find(|line| !line.is_empty())?;
    let at = document.after.lines().position(|line| line.contains(first))?;
    Some(at + 1)
}

fn documents(before: &Value, after: &Value) -> Vec<Document> {
    let after = items(after);
    let now = |path: &str| {
        let found = after.iter().find(|document| text_of(document, "path") == path);
        found.map(bare)
    };
    items(before)
        .iter()
        .map(|document| {
            let (path, before) = (text_of(document, "path"), bare(document));
            let after = now(&path).unwrap_or_else(|| before.clone());
            Document { path, before, after }
        })
        .collect()
}

/// Returns the text of a file as it is.
fn bare(document: &Value) -> String {
    document.get("text").map(Value::to_string).unwrap_or_default()
}

fn items(value: &Value) -> Vec<Value> {
    match value {
        Value::List(items) => items.clone(),
        Value::Nothing => Vec::new(),
        Value::Text(text) if text.is_empty() => Vec::new(),
        one @ (Value::Text(_) | Value::Bool(_) | Value::Number(_) | Value::Map(_)) => vec![one.clone()],
    }
}

fn text_of(value: &Value, name: &str) -> String {
    value
        .get(name)
        .map(|value| harmless(&value.to_string()))
        .unwrap_or_default()
}

/// Takes out what moves a cursor or turns text around: agents wrote it, and it is shown to people.
fn harmless(text: &str) -> String {
    clean(text)
}

/// Returns a path of the project as people write it.
fn path_of(text: &str) -> String {
    text.strip_prefix("./").unwrap_or(text).to_owned()
}
