//! What fixers answer: real work, lies, and edits that fit nowhere.

use super::dice::Dice;
use super::words::NASTY;
use serde_json::{Value, json};

/// What a fixer has before it.
pub(super) struct Fixer {
    pub(super) dice: Dice,
    /// How many times in a hundred it does its work well.
    pub(super) luck: usize,
    /// The findings that it was given: identifier, file, quote.
    pub(super) given: Vec<[String; 3]>,
}

impl Fixer {
    /// Returns its reply.
    pub(super) fn reply(mut self) -> Value {
        let mut fixes = Vec::new();
        let mut edits = Vec::new();
        for given in self.given.clone() {
            if self.dice.chance(self.luck) {
                let [finding, file, quote] = &given;
                fixes.push(
                    json!({"finding": finding, "status": "FIXED", "description": "Said it", "verification": "read it"}),
                );
                let new = format!("{quote} This is settled for {finding}.");
                edits.push(json!({"file": file, "old": quote, "new": new}));
            } else {
                self.spoil(&given, &mut fixes, &mut edits);
            }
        }
        let nasty = *self.dice.pick(NASTY);
        match self.dice.below(40) {
            0 => json!({"fixes": "everything is done", "edits": edits}),
            1 => json!({"fixes": fixes, "edits": nasty}),
            2 => json!({"fixes": {"finding": "F-1", "status": "FIXED"}, "edits": 7}),
            3 => json!({"fixes": [[fixes], null, 3, nasty], "edits": [[edits], null, 3, nasty]}),
            4 => json!({"fixes": fixes, "edits": edits, "patterns": [nasty, null, {"a": nasty}], "text": nasty}),
            5 => {
                json!({"fixes": fixes, "edits": edits, "changed": ["src/a.rs", "docs/plan.md"], "findings": [{"claim": "one more"}]})
            }
            6 => json!({"text": nasty}),
            _ => json!({"fixes": fixes, "edits": edits, "patterns": ["A rule names its owner"]}),
        }
    }

    /// Does the work of one finding badly.
    fn spoil(&mut self, [finding, file, quote]: &[String; 3], fixes: &mut Vec<Value>, edits: &mut Vec<Value>) {
        let nasty = *self.dice.pick(NASTY);
        let fixed = json!({"finding": finding, "status": "FIXED", "description": nasty});
        match self.dice.below(18) {
            0 => fixes.push(json!({"finding": finding, "status": "BLOCKED", "needs": "the owner decides"})),
            1 => fixes.push(json!({"finding": finding, "status": "BLOCKED", "needs": nasty})),
            2 => fixes.push(json!({"finding": finding, "status": "BLOCKED"})),
            3 => fixes.push(fixed),
            4 => fixes.push(json!({"finding": finding, "status": "FIXED", "files_modified": ["src/a.rs", "../x"]})),
            5 => fixes.push(json!({"finding": finding, "status": self.dice.pick(&["DONE", "", nasty])})),
            6 => fixes.push(json!({"finding": finding, "status": 3})),
            7 => fixes.push(json!({"finding": "F-777", "status": "FIXED"})),
            8 => fixes.push(json!({"finding": self.dice.pick(&["F-1", "F-2", "F-3"]), "status": "FIXED"})),
            9 => {
                fixes.extend([fixed.clone(), fixed]);
                edits.push(json!({"file": file, "old": "words that nobody wrote", "new": nasty}));
            }
            10 => {
                fixes.push(fixed);
                edits.extend(["one", "two"].map(|new| json!({"file": file, "old": quote, "new": new})));
            }
            11 => {
                fixes.push(fixed);
                edits.push(json!({"file": file, "old": "", "new": nasty}));
            }
            12 => {
                fixes.push(fixed);
                edits.push(json!({"file": file, "old": quote, "new": ""}));
            }
            13 => {
                fixes.push(fixed);
                let elsewhere = self.dice.pick(&[
                    "../../outside.md",
                    "/etc/hostname",
                    "src/a.rs",
                    "_bmad-output/reviews/schedule-issues.md",
                ]);
                edits.push(json!({"file": elsewhere, "old": quote, "new": nasty}));
            }
            14 => {
                fixes.push(fixed);
                edits.push(json!({"file": file, "old": quote, "new": nasty, "finding": finding}));
            }
            15 => edits.push(json!({"file": file, "section": "No such", "old": quote, "new": nasty})),
            16 => {
                fixes.push(fixed);
                edits.push(json!({"file": file, "old": [quote], "new": {"a": 1}, "section": 3}));
            }
            _ => {}
        }
    }
}
