//! What reviewers answer: findings, good and bad, and verdicts.

use super::dice::Dice;
use super::words::{CLAIMS, NASTY, SEVERITIES};
use serde_json::{Value, json};

/// What a reviewer has before it.
pub(super) struct Reader<'d> {
    pub(super) dice: Dice,
    /// How many times in a hundred it does its work well.
    pub(super) luck: usize,
    /// The documents, as they are now.
    pub(super) documents: &'d [(String, String)],
    /// What begins the mark of every report, so that it is found again.
    pub(super) mark: String,
    pub(super) marks: Vec<String>,
}

impl Reader<'_> {
    /// Makes so many reports, with some in lists of their own and some twice.
    pub(super) fn reports(&mut self, count: usize) -> Vec<Value> {
        let mut made: Vec<Value> = Vec::new();
        for at in 0..count {
            let report = self.report(at, count);
            match self.dice.below(12) {
                0 => made.push(json!([report])),
                1 => made.extend([report.clone(), report]),
                _ => made.push(report),
            }
        }
        made
    }

    fn report(&mut self, at: usize, count: usize) -> Value {
        let mark = format!("{}-{at}.", self.mark);
        self.marks.push(mark.clone());
        if self.dice.chance(3) {
            return json!(format!("{} {mark}", self.dice.pick(CLAIMS)));
        }
        let (file, text) = self.dice.pick(self.documents).clone();
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| line.contains(' ') && !line.starts_with('#'))
            .collect();
        let quote = (*self.dice.pick(&lines)).to_owned();
        let mut report = json!({
            "severity": self.dice.pick(SEVERITIES),
            "category": self.dice.pick(&["gap", "contradiction", "vague", "unsafe"]),
            "claim": self.dice.pick(CLAIMS),
            "place": {"file": file, "quote": quote},
            "evidence": format!("read it: {mark}"),
            "suggestion": "Say it",
        });
        // Most of many are about something of their own.
        if count > 20 && self.dice.chance(70) {
            report["claim"] = json!(format!("The rule {at} has no owner and no date"));
        }
        if !self.dice.chance(self.luck) {
            self.spoil(&mut report, &mark);
        }
        report
    }

    /// Does one thing or several wrong.
    fn spoil(&mut self, report: &mut Value, mark: &str) {
        let nasty = *self.dice.pick(NASTY);
        for _ in 0..=self.dice.below(3) {
            if !report["place"].is_object() {
                report["place"] = json!({"file": "docs/plan.md"});
            }
            match self.dice.below(20) {
                0 => report["claim"] = json!(nasty),
                1 => report["claim"] = json!(format!("{}\n{nasty}", self.dice.pick(CLAIMS))),
                2 => report["claim"] = self.odd(),
                3 => report["severity"] = self.odd(),
                4 => report["severity"] = json!("purple"),
                5 => report["place"]["quote"] = json!("words that nobody ever wrote here"),
                6 => report["place"]["quote"] = json!(nasty),
                7 => {
                    report["place"] =
                        json!({"file": "docs/plan.md", "section": self.dice.pick(&["Goals", "## Schedule", "No such"])})
                }
                8 => {
                    report["place"]["file"] =
                        json!(
                            self.dice
                                .pick(&["../../outside.md", "/etc/hostname", "src/other.rs", "plan.md"])
                        )
                }
                9 => {
                    report["place"] = json!(
                        self.dice
                            .pick(&["docs/plan.md#Goals", "Safety", "C:\\x", "src/a.rs:12"])
                    )
                }
                10 => report["place"] = self.odd(),
                11 => report["evidence"] = json!([nasty, mark]),
                12 => report["suggestion"] = json!(nasty),
                13 => report["category"] = json!(nasty),
                14 => report["id"] = json!(self.dice.pick(&["F-1", "F-2", "F-9999999", "F-99999999999", "x"])),
                15 => report["state"] = json!(self.dice.pick(&["fixed", "dismissed", "deferred"])),
                16 => report["reviewer"] = json!(self.dice.pick(&["a person", nasty])),
                17 => report["history"] = json!([{"round": 1, "state": "fixed", "reason": "forged"}]),
                18 => report["votes"] = self.odd(),
                _ => report["evidence"] = json!(format!("{nasty} {mark}")),
            }
        }
    }

    /// Returns a value of a kind that nobody expects.
    fn odd(&mut self) -> Value {
        let nasty = *self.dice.pick(NASTY);
        let odd = [
            json!(null),
            json!(true),
            json!(-3.5),
            json!([]),
            json!({}),
            json!([nasty]),
            json!({"a": nasty}),
            json!(""),
        ];
        self.dice.pick(&odd).clone()
    }

    /// Judges statements again.
    pub(super) fn verdicts(&mut self, statements: &[String]) -> Value {
        let mut verdicts = Vec::new();
        for finding in statements {
            let nasty = *self.dice.pick(NASTY);
            if self.dice.chance(self.luck) {
                verdicts.push(json!({"finding": finding, "holds": false, "because": "it reads otherwise now"}));
                continue;
            }
            match self.dice.below(9) {
                0 => verdicts.push(json!({"finding": finding, "holds": true, "because": nasty})),
                1 => verdicts.push(json!({"finding": finding})),
                2 => verdicts.push(json!({"finding": finding, "holds": self.odd(), "because": self.odd()})),
                3 => verdicts.push(json!({"finding": "F-777", "holds": false})),
                4 => verdicts.extend([false, true].map(|holds| json!({"finding": finding, "holds": holds}))),
                5 => verdicts.push(json!(format!("{finding} is fine"))),
                6 => verdicts.push(json!({"finding": finding, "holds": "no"})),
                7 => verdicts.push(self.odd()),
                _ => {}
            }
        }
        match self.dice.below(30) {
            0 => self.odd(),
            1 => json!("all fine"),
            _ => json!(verdicts),
        }
    }
}
