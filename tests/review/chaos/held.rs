//! What must hold after every review, whatever was answered.

use super::agent::{Asked, Seen, Work};
use super::settings::Settings;
use super::watched::Watched;
use bmad::builtins::{Outcome, Tracker, Value, check_certificate, read_tracker};
use bmad::machine::{End, EndKind, sha256};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

const STATE_FILE: &str = ".claude/review-loop-state.yaml";

/// A review that is over.
pub(super) struct Over<'r> {
    pub(super) end: &'r End,
    pub(super) settings: &'r Settings,
    pub(super) seen: &'r Seen,
    pub(super) workspace: &'r Watched,
}

/// A finding as the loop returns it: severity, state, claim.
type Finding = (String, String, String);

impl Over<'_> {
    fn field(&self, name: &str) -> &Value {
        static NOTHING: Value = Value::Nothing;
        self.end.value.get(name).unwrap_or(&NOTHING)
    }

    pub(super) fn text(&self, name: &str) -> String {
        self.field(name).to_string()
    }

    pub(super) fn list(&self, name: &str) -> &[Value] {
        match self.field(name) {
            Value::List(items) => items,
            _ => &[],
        }
    }

    pub(super) fn counter(&self, name: &str) -> usize {
        let counters = self.field("counters");
        counters.get(name).and_then(Value::number).unwrap_or(0.0) as usize
    }

    /// Checks everything and returns the outcome.
    pub(super) fn holds(&self) -> Outcome {
        assert_eq!(
            self.end.kind,
            EndKind::Completed,
            "{} {}",
            self.end.reason,
            self.end.place
        );
        let outcome = self.text("outcome");
        let outcome = Outcome::read(&outcome).unwrap_or_else(|| panic!("no outcome: {outcome}"));
        if self.field("tracker") == &Value::Nothing {
            assert_eq!(outcome, Outcome::UserStop, "there is no tracker");
            assert!(
                self.workspace.written().is_empty(),
                "nothing was reviewed and something written"
            );
            return outcome;
        }
        self.limits();
        self.nothing_is_lost();
        self.decisions();
        self.tracker_agrees();
        self.certificate_agrees(outcome);
        self.only_expected_files();
        let open = self
            .findings()
            .into_values()
            .filter(|(_, state, _)| is_left(state))
            .count();
        if outcome == Outcome::Complete {
            assert_eq!(open, 0, "complete, and something is open");
        }
        outcome
    }

    fn limits(&self) {
        let Settings {
            rounds,
            iterations,
            per_fixer,
            at_once,
            ..
        } = *self.settings;
        let first = |work: Work| {
            self.seen
                .asked
                .iter()
                .filter(move |asked| asked.work == work && asked.first)
        };
        let told = self.field("rounds").number().unwrap() as usize;
        assert!(told <= rounds, "{told} rounds of {rounds}");
        let mut sent: BTreeMap<(usize, &str), usize> = BTreeMap::new();
        for asked in first(Work::Review) {
            assert!((1..=rounds).contains(&asked.round), "{asked:?}");
            *sent.entry((asked.round, asked.who.as_str())).or_default() += 1;
        }
        assert!(
            sent.values().all(|times| *times == 1),
            "a reviewer was sent twice in a round: {sent:?}"
        );
        assert!(sent.len() <= 3 * rounds, "{sent:?}");
        let mut handed: HashSet<(usize, usize, &str)> = HashSet::new();
        for Asked {
            round, iteration, ids, ..
        } in first(Work::Fix)
        {
            assert!(
                (1..=rounds).contains(round) && (1..=iterations).contains(iteration),
                "{round} {iteration}"
            );
            assert!((1..=per_fixer).contains(&ids.len()), "{ids:?} for one fixer");
            for id in ids {
                assert!(
                    handed.insert((*round, *iteration, id)),
                    "{id} was handed out twice in one iteration"
                );
            }
        }
        assert!(
            self.seen.fixers_at_once <= at_once,
            "{} fixers at once",
            self.seen.fixers_at_once
        );
        let (fixers, judges) = (first(Work::Fix).count(), first(Work::Judge).count());
        assert!(
            fixers <= handed.len() && judges <= fixers,
            "{judges} readers for {fixers} fixers"
        );
        // A call is made twice at most, and an agent's own questions are answered a few times.
        let all = self.seen.asked.len();
        assert!(all <= 2 * 6 * (sent.len() + fixers + judges), "{all} calls");
    }

    /// Every report is in a finding or set aside, and every finding of a tracker is in the next.
    fn nothing_is_lost(&self) {
        let mut found: HashSet<String> = HashSet::new();
        for finding in self.list("findings") {
            collect(&finding.get("evidence").unwrap().to_string(), &mut found);
        }
        for aside in self.list("set_aside") {
            assert!(
                !aside.get("why").unwrap().to_string().is_empty(),
                "nobody says why: {aside}"
            );
            collect(
                &serde_json::to_string(aside.get("report").unwrap()).unwrap(),
                &mut found,
            );
        }
        let lost: Vec<&String> = self.seen.marks.iter().filter(|mark| !found.contains(*mark)).collect();
        assert!(
            lost.is_empty(),
            "{} of {} reports are lost: {lost:?}",
            lost.len(),
            self.seen.marks.len()
        );
        let mut known: BTreeSet<_> = BTreeSet::new();
        for tracker in self.trackers() {
            let ids: BTreeSet<_> = tracker.findings.iter().map(|finding| finding.id).collect();
            assert_eq!(ids.len(), tracker.findings.len(), "an identifier stands twice");
            assert!(ids.is_superset(&known), "{:?} went missing", known.difference(&ids));
            known = ids;
        }
    }

    /// Only a person moves a blocked finding, and what is done comes back only by a report.
    fn decisions(&self) {
        for finding in self.list("findings") {
            let Some(Value::List(history)) = finding.get("history") else {
                panic!("no history: {finding}")
            };
            let part = |change: &Value, name: &str| change.get(name).map(Value::to_string).unwrap_or_default();
            assert_eq!(
                part(history.last().unwrap(), "state"),
                part(finding, "state"),
                "{finding}"
            );
            assert_eq!(part(&history[0], "reason"), "reported", "{finding}");
            for pair in history.windows(2) {
                let (state, reason) = (part(&pair[0], "state"), part(&pair[1], "reason"));
                let by = match state.as_str() {
                    "blocked" => "a person",
                    "fixed" | "dismissed" => "reported again",
                    "deferred" => panic!("a deferred finding went on: {finding}"),
                    _ => "",
                };
                assert!(reason.starts_with(by), "{state}, then {reason}");
            }
        }
    }

    fn tracker_path(&self) -> String {
        let path = self.text("tracker");
        path.strip_prefix("/project/").unwrap_or(&path).to_owned()
    }

    /// Returns every tracker that was written; each of them can be read.
    fn trackers(&self) -> Vec<Tracker> {
        let path = Path::new("/project").join(self.tracker_path());
        let texts = self
            .workspace
            .written()
            .into_iter()
            .filter(|(written, _)| *written == path);
        let read = |text: &str| read_tracker(text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        texts.map(|(_, text)| read(&text)).collect()
    }

    fn findings(&self) -> BTreeMap<String, Finding> {
        let part = |finding: &Value, name: &str| finding.get(name).unwrap().to_string();
        let one = |finding: &Value| {
            let claim = bare(&part(finding, "claim"));
            (
                part(finding, "id"),
                (part(finding, "severity"), part(finding, "state"), claim),
            )
        };
        self.list("findings").iter().map(one).collect()
    }

    fn tracker_agrees(&self) {
        let tracker = read_tracker(&self.workspace.text(&self.tracker_path())).unwrap();
        let listed = tracker.findings.iter().map(|it| {
            let finding = (it.severity.to_string(), it.state.to_string(), bare(&it.claim));
            (it.id.to_string(), finding)
        });
        assert_eq!(listed.collect::<BTreeMap<_, _>>(), self.findings());
        let left = tracker.findings.iter().filter(|it| it.state.is_open()).count();
        assert_eq!(left, self.list("open").len());
    }

    fn certificate_agrees(&self, outcome: Outcome) {
        let path = self.text("certificate");
        let text = self.workspace.text(path.strip_prefix("/project/").unwrap_or(&path));
        let facts = check_certificate(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        assert_eq!(facts.outcome, outcome);
        assert_eq!(facts.reason, self.text("reason").trim());
        let stated = facts.findings.iter().map(|it| {
            let finding = (it.severity.to_string(), it.state.to_string(), bare(&it.claim));
            (it.id.to_string(), finding)
        });
        assert_eq!(stated.collect::<BTreeMap<_, _>>(), self.findings());
        assert_eq!(facts.texts.len(), self.settings.documents.len());
        for (hashed, (path, before)) in facts.texts.iter().zip(&self.settings.documents) {
            let hash = |text: &str| format!("sha256:{}", sha256(text.as_bytes()));
            assert!(hashed.path.ends_with(path), "{}", hashed.path);
            assert_eq!(hashed.before, hash(before), "{path} before");
            assert_eq!(hashed.after, hash(&self.workspace.text(path)), "{path} after");
        }
    }

    fn only_expected_files(&self) {
        let certificate = self.text("certificate");
        let stem = certificate.strip_suffix("certificate.md").unwrap();
        let mut expected: Vec<String> = self
            .settings
            .documents
            .iter()
            .map(|(path, _)| format!("/project/{path}"))
            .collect();
        expected.extend((1..=self.settings.rounds).map(|round| absolute(&format!("{stem}round-{round}.md"))));
        expected.extend(["tracker", "certificate", "metrics"].map(|name| absolute(&self.text(name))));
        expected.push(absolute("_bmad-output/calibration/confidence-log.yaml"));
        if !self.settings.requested {
            expected.push(absolute(STATE_FILE));
            assert!(
                self.workspace.text(STATE_FILE).contains("\nactive: false\n"),
                "the loop is over"
            );
        }
        let expected: Vec<&Path> = expected.iter().map(Path::new).collect();
        for (path, _) in self.workspace.written() {
            assert!(expected.contains(&path.as_path()), "{} was written", path.display());
        }
        assert!(self.workspace.removed().is_empty(), "{:?}", self.workspace.removed());
    }
}

fn absolute(path: &str) -> String {
    Path::new("/project").join(path).to_str().unwrap().to_owned()
}

fn is_left(state: &str) -> bool {
    !matches!(state, "fixed" | "dismissed" | "deferred")
}

/// Returns a text without the space and the signs that nobody sees.
fn bare(text: &str) -> String {
    let seen = |sign: &char| {
        let hidden =
            matches!(sign, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
        !sign.is_whitespace() && !sign.is_control() && !hidden
    };
    text.chars().filter(seen).collect()
}

/// Finds the marks of reports in a text.
fn collect(text: &str, into: &mut HashSet<String>) {
    for part in text.split("seen-").skip(1) {
        if let Some((mark, _)) = part.split_once('.') {
            into.insert(format!("seen-{mark}."));
        }
    }
}
