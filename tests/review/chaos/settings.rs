//! A seed in, how a review is asked for and what is set for it out.

use super::dice::Dice;
use super::words::{NASTY, PLAN, TERMS};
use bmad::builtins::Value;
use serde_json::json;
use std::collections::BTreeMap;

/// How one review is asked for.
pub(super) struct Settings {
    pub(super) inputs: Vec<(String, Value)>,
    /// What is put into the block `review_loop`, by its keys.
    review: Vec<([&'static str; 2], serde_json::Value)>,
    pub(super) rounds: usize,
    pub(super) iterations: usize,
    pub(super) per_fixer: usize,
    pub(super) at_once: usize,
    /// By how many milliseconds the clock goes on each time it is read.
    pub(super) tick: i64,
    pub(super) requested: bool,
    pub(super) documents: Vec<(&'static str, &'static str)>,
}

impl Settings {
    pub(super) fn of(seed: u64) -> Self {
        let mut dice = Dice::of(seed, "settings");
        let plain = dice.chance(25);
        let (rounds, iterations) = if plain { (3, 3) } else { (dice.below(5), dice.below(5)) };
        let (per_fixer, at_once) = if plain {
            (5, 3)
        } else {
            (1 + dice.below(5), 1 + dice.below(3))
        };
        let most = if plain { 50 } else { *dice.pick(&[3, 20, 50, 60]) };
        let requested = dice.chance(40);
        let mut documents = vec![("docs/plan.md", PLAN)];
        if dice.chance(30) {
            documents.push(("docs/terms.md", TERMS));
        }
        let section = match dice.below(8) {
            // A name is one line, whatever stands in it.
            0 => dice.pick(NASTY).lines().find(|line| !line.is_empty()).unwrap(),
            1 => "Ünïcode 三 / .. / plan",
            _ => "Schedule",
        };
        let paths: Vec<&str> = documents.iter().map(|(path, _)| *path).collect();
        let inputs = [
            ("content_path", paths.join("\n")),
            ("section_name", section.to_owned()),
            ("workflow_name", "ferry".to_owned()),
            ("tier", (*dice.pick(&["0", "1", "2", "3", "4"])).to_owned()),
            ("requested", if requested { "yes" } else { "no" }.to_owned()),
            (
                "wanted_level",
                (*dice.pick(&["", "", "minimal", "dual", "full", "full"])).to_owned(),
            ),
            ("fix", if dice.chance(85) { "yes" } else { "no" }.to_owned()),
            ("validation", (*dice.pick(&["", "PASS", "FAIL"])).to_owned()),
            ("memory", (*dice.pick(&["", "exact"])).to_owned()),
            (
                "changes",
                if dice.chance(10) { *dice.pick(NASTY) } else { "" }.to_owned(),
            ),
        ];
        let review = review(&mut dice, (rounds, iterations), (per_fixer, at_once), most);
        Self {
            inputs: inputs.map(|(name, value)| (name.to_owned(), Value::Text(value))).into(),
            review,
            rounds,
            iterations,
            per_fixer,
            at_once,
            tick: *dice.pick(&[0, 0, 1, 250, 3000]),
            requested,
            documents,
        }
    }

    /// Puts the settings over the configuration that every project has.
    pub(super) fn put(&self, config: &mut BTreeMap<String, Value>) {
        let mut block = serde_json::to_value(&config["review_loop"]).unwrap();
        for ([group, name], value) in &self.review {
            let place = if name.is_empty() {
                &mut block[*group]
            } else {
                &mut block[*group][*name]
            };
            *place = value.clone();
        }
        config.insert("review_loop".to_owned(), serde_json::from_value(block).unwrap());
    }
}

/// Throws the settings of the loop.
fn review(
    dice: &mut Dice,
    (rounds, iterations): (usize, usize),
    (per_fixer, at_once): (usize, usize),
    most: u32,
) -> Vec<([&'static str; 2], serde_json::Value)> {
    vec![
        (["limits", "max_review_rounds"], json!(rounds)),
        (["limits", "max_fix_iterations"], json!(iterations)),
        (["limits", "max_concurrent_fixers"], json!(at_once)),
        (["limits", "max_consecutive_failures"], json!(*dice.pick(&[1, 3, 5, 9]))),
        (["limits", "max_runtime_seconds"], json!(*dice.pick(&[60, 600, 1800]))),
        (["limits", "max_total_issues"], json!(most)),
        (
            ["subagents", "fixer"],
            json!({"max_issues_per_agent": per_fixer, "model": "sonnet", "timeout": 120}),
        ),
        (["loop_detection", "similarity"], json!(*dice.pick(&[50, 90, 100]))),
        (["target_confidence", ""], json!(*dice.pick(&[50, 80, 95, 100]))),
        (
            ["material_severities", ""],
            dice.pick(&[json!(["critical", "high", "medium"]), json!("low"), json!(["critical"])])
                .clone(),
        ),
    ]
}
