//! The counters of a run, from a value and back to one.

use crate::builtins::Value;

/// What a run used, found and lost so far.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Counters {
    pub(super) review_rounds: f64,
    pub(super) fix_iterations: f64,
    pub(super) found: f64,
    pub(super) fixed: f64,
    pub(super) blocked: f64,
    pub(super) loops: f64,
    /// Seconds that were waited before somebody was asked again.
    pub(super) backoff: f64,
    pub(super) triggers: Vec<String>,
    pub(super) final_confidence: f64,
    calls: f64,
    failures: f64,
    consecutive_failures: f64,
    recoveries: f64,
    started_at: String,
    ended_at: Option<String>,
    /// The seconds the run had worked when the counters were started.
    worked_before: Option<f64>,
    elapsed: f64,
    exit_reason: String,
}

impl Counters {
    /// Makes counters that stand at 0.
    pub(super) fn started(at: String) -> Self {
        Self {
            started_at: at,
            ..Self::default()
        }
    }

    /// Reads counters that were answered before; nothing where one of them is no number.
    pub(super) fn read(value: &Value) -> Option<Self> {
        let number = |name: &str| match value.get(name) {
            Some(value) => value.number(),
            None => Some(0.0),
        };
        let text = |name: &str| value.get(name).map(Value::to_string).unwrap_or_default();
        let some = |name: &str| value.get(name).filter(|value| !value.is_empty());
        let Value::Map(_) = value else { return None };
        let triggers = value.get("triggers").map(Value::items).unwrap_or_default();
        Some(Self {
            review_rounds: number("review_rounds")?,
            fix_iterations: number("fix_iterations")?,
            found: number("total_issues_found")?,
            fixed: number("total_issues_fixed")?,
            blocked: number("total_issues_blocked")?,
            loops: number("loops_detected")?,
            backoff: number("total_backoff_seconds")?,
            triggers: triggers.iter().map(Value::to_string).collect(),
            final_confidence: number("final_confidence")?,
            calls: number("subagent_invocations")?,
            failures: number("failures")?,
            consecutive_failures: number("consecutive_failures")?,
            recoveries: number("recoveries")?,
            started_at: text("started_at"),
            ended_at: some("ended_at").map(Value::to_string),
            worked_before: some("worked_before").and_then(Value::number),
            elapsed: number("elapsed_seconds")?,
            exit_reason: text("exit_reason"),
        })
    }

    /// Counts one call; an answer after a failure is a recovery.
    pub(super) fn called(&mut self, failed: bool) {
        self.calls += 1.0;
        if failed {
            self.failures += 1.0;
            self.consecutive_failures += 1.0;
        } else {
            self.recoveries += f64::from(u8::from(self.consecutive_failures > 0.0));
            self.consecutive_failures = 0.0;
        }
    }

    /// Takes the seconds the run has worked. The first time they are where counting begins; after the end they say
    /// nothing any more.
    pub(super) fn worked(&mut self, seconds: f64) {
        let before = *self.worked_before.get_or_insert(seconds);
        if self.ended_at.is_none() {
            self.elapsed = to_thousandths((seconds - before).max(0.0));
        }
    }

    /// Ends the counting; the first end counts.
    pub(super) fn close(&mut self, at: String, reason: String) {
        if self.ended_at.is_none() {
            self.ended_at = Some(at);
            self.exit_reason = reason;
        }
    }

    fn success_rate(&self) -> f64 {
        match self.found > 0.0 {
            true => self.fixed / self.found,
            false => 1.0,
        }
    }

    /// Returns the counters as a value, with the same as text and as JSON.
    pub(super) fn answer(&self) -> Value {
        let mut entries = self.entries();
        let json = serde_json::to_string_pretty(&Value::Map(entries.clone()));
        entries.push(("summary".to_owned(), Value::Text(self.summary())));
        // Counters are finite numbers and texts, and every one of those can be written.
        entries.push(("json".to_owned(), Value::Text(json.unwrap_or_default())));
        Value::Map(entries)
    }

    fn entries(&self) -> Vec<(String, Value)> {
        let number = Value::Number;
        let text = |text: &str| Value::from(text);
        [
            ("review_rounds", number(self.review_rounds)),
            ("fix_iterations", number(self.fix_iterations)),
            ("total_issues_found", number(self.found)),
            ("total_issues_fixed", number(self.fixed)),
            ("total_issues_blocked", number(self.blocked)),
            ("subagent_invocations", number(self.calls)),
            ("failures", number(self.failures)),
            ("consecutive_failures", number(self.consecutive_failures)),
            ("recoveries", number(self.recoveries)),
            ("loops_detected", number(self.loops)),
            ("total_backoff_seconds", number(self.backoff)),
            ("started_at", text(&self.started_at)),
            ("ended_at", self.ended_at.as_deref().map_or(Value::Nothing, text)),
            ("worked_before", self.worked_before.map_or(Value::Nothing, number)),
            ("elapsed_seconds", number(self.elapsed)),
            ("elapsed_minutes", number(self.elapsed / 60.0)),
            ("success_rate", number(self.success_rate())),
            (
                "triggers",
                Value::List(self.triggers.iter().map(|name| text(name)).collect()),
            ),
            ("final_confidence", number(self.final_confidence)),
            ("exit_reason", text(&self.exit_reason)),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    /// Returns the counters as a person reads them.
    fn summary(&self) -> String {
        let line = "═".repeat(50);
        [
            line.clone(),
            "REVIEW LOOP METRICS SUMMARY".to_owned(),
            line.clone(),
            format!("Duration: {:.1} minutes", self.elapsed / 60.0),
            format!("Review rounds: {}", self.review_rounds),
            format!("Fix iterations: {}", self.fix_iterations),
            format!("Subagent calls: {}", self.calls),
            String::new(),
            format!("Issues found: {}", self.found),
            format!("Issues fixed: {}", self.fixed),
            format!("Issues blocked: {}", self.blocked),
            format!("Success rate: {:.1}%", self.success_rate() * 100.0),
            String::new(),
            format!("Failures: {}", self.failures),
            format!("Recoveries: {}", self.recoveries),
            format!("Loops detected: {}", self.loops),
            format!("Total backoff: {:.1}s", self.backoff),
            String::new(),
            format!("Final confidence: {:.1}%", self.final_confidence),
            format!("Exit reason: {}", self.exit_reason),
            line,
        ]
        .join("\n")
    }
}

/// Rounds to milliseconds: a difference of two times has digits that nobody measured.
fn to_thousandths(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}
