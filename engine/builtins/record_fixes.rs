//! Claims and verdicts in, findings with their new states out.

use super::check_fixes::failed;
use super::finding::{Change, Finding, Findings, Fix, Id, SetAside, State};
use super::given::{field, items, texts, truth, words};
use super::{Arguments, Builtin, BuiltinError, Value, optional, required};
use std::collections::HashMap;

pub(super) const RECORD_FIXES: Builtin = Builtin {
    name: "record-fixes",
    parameters: &[
        required("findings", "all findings"),
        required("claims", "what `check-fixes` answered"),
        optional("verdicts", "a list of `finding`, `holds`, `because`"),
        optional("round", "the number of the round"),
        optional(
            "checks",
            "what the project's check commands said: a list of `command`, `ok`, `output`",
        ),
    ],
    returns: "a map: `findings`, `fixed`, `blocked`, `reopened`, `refused`, `failed`, `set_aside`",
    summary: "records what came of fixes",
    page: include_str!("../../spec/builtins/record-fixes.md"),
    body: Some(record),
};

/// What a second reader says about a claim.
#[derive(Debug, Clone)]
struct Verdict {
    holds: bool,
    because: String,
}

/// What is recorded about one finding.
struct Ending {
    state: State,
    because: String,
    fix: Fix,
}

fn record(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let mut findings = Findings::read(arguments.get("findings"));
    let claims = arguments.get("claims");
    let round = arguments.get("round").number();
    let (verdicts, aside) = verdicts(arguments.get("verdicts"));
    let failed = failed(arguments.get("checks"));
    let said = by_finding(claims, "said");
    let list = |name| by_finding(claims, name);
    let (changed, refused, blocked) = (list("changed"), list("refused"), list("blocked"));
    let unanswered = list("unanswered");
    let mut ended: HashMap<State, Vec<Id>> = HashMap::new();
    let mut reasons = Vec::new();
    // Nobody was given a blocked finding: it is a person's to decide, whatever a fixer says about it.
    for finding in findings.all.iter_mut().filter(|finding| finding.state.is_open()) {
        let why =
            |entry: &Value, usual: &str| field(entry, &["why"]).map_or_else(|| usual.to_owned(), Value::to_string);
        // Where two lists name one finding, the one that promises less is believed.
        let ending = if let Some(entry) = refused.get(&finding.id) {
            Ending::open("REFUSED", why(entry, "its fix was refused"))
        } else if let Some(entry) = blocked.get(&finding.id) {
            Ending::blocked(why(entry, "its fixer does not say what is missing"))
        } else if let Some(entry) = unanswered.get(&finding.id) {
            Ending::open("UNANSWERED", why(entry, "no fixer answered for it"))
        } else if changed.contains_key(&finding.id) {
            judged(verdicts.get(&finding.id), failed.as_deref())
        } else {
            continue;
        };
        ended.entry(ending.state).or_default().push(finding.id);
        if ending.state == State::Open {
            let because = Value::from(ending.because.as_str());
            reasons.push(Value::of([
                ("finding", Value::Text(finding.id.to_string())),
                ("why", because),
            ]));
        }
        ending.write(finding, round, said.get(&finding.id));
    }
    let ids = |state| texts(ended.get(&state).into_iter().flatten());
    Ok(Value::of([
        ("findings", findings.value()),
        ("fixed", ids(State::Fixed)),
        ("blocked", ids(State::Blocked)),
        ("reopened", ids(State::Open)),
        ("refused", Value::List(reasons)),
        ("failed", Value::Text(failed.unwrap_or_default())),
        ("set_aside", SetAside::list(&aside)),
    ]))
}

/// Decides about a claim that changed something.
fn judged(verdict: Option<&Verdict>, failed: Option<&str>) -> Ending {
    match (failed, verdict) {
        (Some(why), _) => Ending::open("REFUSED", why.to_owned()),
        (None, None) => Ending::open("UNVERIFIED", "no verdict came about it".to_owned()),
        (None, Some(verdict)) if verdict.holds => {
            Ending::open("REFUSED", format!("its claim still holds: {}", verdict.because))
        }
        (None, Some(verdict)) => Ending {
            state: State::Fixed,
            because: format!("its claim no longer holds: {}", verdict.because),
            fix: Fix {
                status: "FIXED".to_owned(),
                description: String::new(),
                verification: verdict.because.clone(),
            },
        },
    }
}

impl Ending {
    fn open(status: &str, why: String) -> Self {
        Self {
            state: State::Open,
            fix: Fix {
                status: status.to_owned(),
                description: String::new(),
                verification: why.clone(),
            },
            because: why,
        }
    }

    fn blocked(why: String) -> Self {
        Self {
            state: State::Blocked,
            fix: Fix {
                status: "BLOCKED".to_owned(),
                description: String::new(),
                verification: why.clone(),
            },
            because: why,
        }
    }

    fn write(self, finding: &mut Finding, round: Option<f64>, said: Option<&Value>) {
        let mut fix = self.fix;
        if let Some(said) = said {
            fix.description = words(said, &["description"]);
        }
        if self.state == State::Blocked {
            finding.blocked_because.clone_from(&self.because);
        }
        finding.turn(Change {
            fix: Some(fix),
            ..Change::new(round, self.state, self.because)
        });
    }
}

/// Returns the entries of a list of claims by the finding they are about, the first of each.
fn by_finding(claims: &Value, list: &str) -> HashMap<Id, Value> {
    let mut found = HashMap::new();
    for entry in claims.get(list).map(items).unwrap_or_default() {
        let name = match &entry {
            Value::Text(id) => id.clone(),
            other => words(other, &["finding", "id"]),
        };
        if let Some(id) = Id::read(&name) {
            found.entry(id).or_insert(entry);
        }
    }
    found
}

/// Reads verdicts. Of two about one finding the one that says it still holds counts.
fn verdicts(value: &Value) -> (HashMap<Id, Verdict>, Vec<SetAside>) {
    let mut read: HashMap<Id, Verdict> = HashMap::new();
    let mut aside = Vec::new();
    let inner = |item: Value| item.get("verdicts").map_or_else(|| vec![item.clone()], items);
    for item in items(value).into_iter().flat_map(inner) {
        let id = Id::read(&words(&item, &["finding", "id"]));
        let holds = item.get("holds").and_then(truth);
        let (Some(id), Some(holds)) = (id, holds) else {
            aside.push(SetAside::new(
                item,
                "a verdict names its finding and says whether it holds: true or false",
            ));
            continue;
        };
        let verdict = Verdict {
            holds,
            because: words(&item, &["because", "reason"]),
        };
        let known = read.entry(id).or_insert_with(|| verdict.clone());
        if holds {
            *known = verdict;
        }
    }
    (read, aside)
}

#[cfg(test)]
mod tests;
