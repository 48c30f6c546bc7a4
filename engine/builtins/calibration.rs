//! How sure runs were and what became of their work in, from which scores on a run may be sure out.

use super::Value;
use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{Format, Node, Value as Written, parse};

/// How many samples of a tier are looked at together.
const SAMPLES: usize = 20;

/// By how many points a threshold moves.
const STEP: f64 = 5.0;

/// How many of those that seemed sure may have needed more work.
const FALSE_POSITIVES: f64 = 0.10;

/// How many of those that seemed unsure may have been good as they were.
const FALSE_NEGATIVES: f64 = 0.20;

/// Where `high` has to stay.
const HIGH: std::ops::RangeInclusive<f64> = 70.0..=90.0;

/// Where `medium` has to stay.
const MEDIUM: std::ops::RangeInclusive<f64> = 40.0..=60.0;

/// From which scores on a run is sure of its work, or half sure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Thresholds {
    pub(super) high: f64,
    pub(super) medium: f64,
}

impl Thresholds {
    /// What counts until anything else is known.
    pub(super) const USUAL: Thresholds = Thresholds {
        high: 80.0,
        medium: 50.0,
    };

    pub(super) fn band(self, score: f64) -> Band {
        if score >= self.high {
            Band::High
        } else if score >= self.medium {
            Band::Medium
        } else {
            Band::Low
        }
    }

    fn is_in_bounds(self) -> bool {
        HIGH.contains(&self.high) && MEDIUM.contains(&self.medium)
    }
}

/// How sure a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Band {
    High,
    Medium,
    Low,
}

/// A score that was shown, and what became of the work.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Sample {
    tier: usize,
    score: f64,
    /// Whether the work was good as it was: approved, and not worked on again.
    held: bool,
}

/// A calibration: thresholds for each tier to begin with, and the samples since.
#[derive(Debug, Clone, PartialEq)]
struct Calibration {
    thresholds: [Thresholds; 5],
    samples: Vec<Sample>,
}

/// Returns the thresholds of a tier by a calibration, as a value or as the text of its file; nothing where it cannot be
/// read.
pub(super) fn thresholds(calibration: &Value, tier: usize) -> Option<Thresholds> {
    let read = match calibration {
        Value::Text(text) => Calibration::read(&yaml(text)?),
        Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => {
            Calibration::read(calibration)
        }
    };
    read.and_then(|calibration| calibration.of(tier))
}

impl Calibration {
    /// Reads a list of samples, or a map with thresholds, samples or both.
    fn read(value: &Value) -> Option<Self> {
        let (written, samples) = match value {
            Value::List(_) => (None, value.items()),
            Value::Map(_) => {
                value.get("calibration_version").filter(|version| !version.is_empty())?;
                let samples = value.get("samples").map(Value::items).unwrap_or_default();
                (value.get("thresholds"), samples)
            }
            Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) => return None,
        };
        let mut thresholds = [Thresholds::USUAL; 5];
        if let Some(written) = written {
            for (tier, thresholds) in thresholds.iter_mut().enumerate() {
                *thresholds = of_tier(written.get(&format!("tier_{tier}"))?)?;
            }
        }
        let samples: Option<Vec<Sample>> = samples.iter().map(Sample::read).collect();
        Some(Self {
            thresholds,
            samples: samples?,
        })
    }

    /// Moves the thresholds of a tier by its samples, so many at a time; those that are too few to judge by wait.
    fn of(&self, tier: usize) -> Option<Thresholds> {
        let mut thresholds = *self.thresholds.get(tier)?;
        let own: Vec<Sample> = self.samples.iter().copied().filter(|it| it.tier == tier).collect();
        for some in own.chunks_exact(SAMPLES) {
            thresholds.high = moved(thresholds, some);
        }
        Some(thresholds)
    }
}

/// Returns where `high` belongs after some samples. Too many that seemed sure and were not raise it; otherwise too many
/// that seemed unsure and were good lower it.
fn moved(thresholds: Thresholds, samples: &[Sample]) -> f64 {
    let share = |band: Band, held: bool| {
        let in_band = samples.iter().filter(|it| thresholds.band(it.score) == band);
        let all = in_band.clone().count();
        let wrong = in_band.filter(|it| it.held == held).count();
        wrong as f64 / all.max(1) as f64
    };
    let high = thresholds.high;
    let moved = if share(Band::High, false) > FALSE_POSITIVES {
        high + STEP
    } else if share(Band::Low, true) > FALSE_NEGATIVES {
        high - STEP
    } else {
        high
    };
    moved.clamp(*HIGH.start(), *HIGH.end())
}

impl Sample {
    fn read(value: &Value) -> Option<Self> {
        let tier = tier(value.get("tier")?)?;
        let score = value
            .get("score")?
            .number()
            .filter(|score| (0.0..=100.0).contains(score))?;
        let approved = match value.get("decision")?.to_string().as_str() {
            "approve" => true,
            "modify" | "reject" => false,
            _ => return None,
        };
        let reworked = match value.get("rework").map(Value::to_string).as_deref() {
            Some("true") => true,
            Some("false" | "") | None => false,
            Some(_) => return None,
        };
        Some(Self {
            tier,
            score,
            held: approved && !reworked,
        })
    }
}

fn of_tier(value: &Value) -> Option<Thresholds> {
    let thresholds = Thresholds {
        high: value.get("high")?.number()?,
        medium: value.get("medium")?.number()?,
    };
    thresholds.is_in_bounds().then_some(thresholds)
}

/// Reads how much is at stake.
pub(super) fn tier(value: &Value) -> Option<usize> {
    let number = value.number()?;
    [0.0, 1.0, 2.0, 3.0, 4.0].iter().position(|tier| *tier == number)
}

/// Reads YAML; nothing where anything is wrong with it.
fn yaml(text: &str) -> Option<Value> {
    let source = Source::new(SourceId::default(), ProjectPath::new("calibration.yaml")?, text);
    let parsed = parse(&source, Format::Yaml);
    let sound = parsed.faults.is_empty();
    parsed.data.as_ref().filter(|_| sound).map(plain)
}

fn plain(node: &Node) -> Value {
    match &node.value {
        Written::Null => Value::Nothing,
        Written::Bool(truth) => Value::Bool(*truth),
        Written::Number(text) => text.parse().map_or_else(|_| Value::Text(text.clone()), Value::Number),
        Written::Text(text) => Value::Text(text.clone()),
        Written::List(items) => Value::List(items.iter().map(plain).collect()),
        Written::Map(pairs) => Value::Map(pairs.iter().map(|pair| (pair.key.clone(), plain(&pair.node))).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Thresholds, thresholds};
    use crate::builtins::Value;
    use std::fmt::Write as _;

    const FILE: &str = r#"
calibration_version: 1
last_updated: "2026-01-15T10:30:00Z"
sample_size: {tier_0: 25, tier_1: 20, tier_2: 15, tier_3: 8, tier_4: 3}
thresholds:
  tier_0: {high: 85, medium: 55}
  tier_1: {high: 82, medium: 52}
  tier_2: {high: 78, medium: 48}
  tier_3: {high: 75, medium: 45}
  tier_4: {high: 70, medium: 40}
"#;

    fn read(text: &str, tier: usize) -> Option<(f64, f64)> {
        let read = thresholds(&Value::from(text), tier);
        read.map(|Thresholds { high, medium }| (high, medium))
    }

    /// So many samples of a tier, as the text of a file.
    fn samples(tier: usize, score: f64, decision: &str, count: usize) -> String {
        let mut text = String::new();
        for _ in 0..count {
            writeln!(text, "- tier: {tier}\n  score: {score}\n  decision: {decision}").unwrap();
        }
        text
    }

    fn high(text: &str) -> f64 {
        read(text, 2).unwrap().0
    }

    #[test]
    fn a_file_with_thresholds_gives_those_of_the_tier() {
        let all = [0, 1, 2, 3, 4].map(|tier| read(FILE, tier).unwrap());
        assert_eq!(
            all,
            [(85.0, 55.0), (82.0, 52.0), (78.0, 48.0), (75.0, 45.0), (70.0, 40.0)]
        );
    }

    #[test]
    fn fewer_than_twenty_samples_move_nothing() {
        assert_eq!(read(&samples(2, 85.0, "reject", 19), 2), Some((80.0, 50.0)));
        assert_eq!(read(&samples(2, 85.0, "reject", 20), 2), Some((85.0, 50.0)));
        assert_eq!(read(&samples(2, 85.0, "reject", 20), 3), Some((80.0, 50.0)));
    }

    #[test]
    fn more_than_a_tenth_of_false_positives_raise_the_threshold_by_five() {
        let of_twenty =
            |rejected: usize| samples(2, 85.0, "reject", rejected) + &samples(2, 85.0, "approve", 20 - rejected);
        assert_eq!(high(&of_twenty(2)), 80.0);
        assert_eq!(high(&of_twenty(3)), 85.0);
    }

    #[test]
    fn more_than_a_fifth_of_false_negatives_lower_the_threshold_by_five() {
        let of_twenty =
            |approved: usize| samples(2, 30.0, "approve", approved) + &samples(2, 30.0, "modify", 20 - approved);
        assert_eq!(high(&of_twenty(4)), 80.0);
        assert_eq!(high(&of_twenty(5)), 75.0);
    }

    #[test]
    fn work_that_was_approved_and_needed_more_work_did_not_hold() {
        let reworked = samples(2, 85.0, "approve\n  rework: true", 20);
        assert_eq!(high(&reworked), 85.0);
        let held = samples(2, 85.0, "approve\n  rework: false", 20);
        assert_eq!(high(&held), 80.0);
    }

    #[test]
    fn where_both_are_too_many_safety_wins() {
        let both = samples(2, 85.0, "reject", 10) + &samples(2, 30.0, "approve", 10);
        assert_eq!(high(&both), 85.0);
    }

    #[test]
    fn the_threshold_moves_once_for_every_twenty_samples_and_stays_in_its_bounds() {
        assert_eq!(high(&samples(2, 95.0, "reject", 39)), 85.0);
        assert_eq!(high(&samples(2, 95.0, "reject", 40)), 90.0);
        assert_eq!(high(&samples(2, 95.0, "reject", 200)), 90.0);
        assert_eq!(high(&samples(2, 30.0, "approve", 200)), 70.0);
    }

    #[test]
    fn a_sample_is_judged_by_the_threshold_of_its_time() {
        let first = samples(2, 82.0, "reject", 20);
        assert_eq!(high(&first), 85.0);
        assert_eq!(high(&(first.clone() + &samples(2, 82.0, "reject", 20))), 85.0);
        assert_eq!(high(&(first + &samples(2, 86.0, "reject", 20))), 90.0);
    }

    #[test]
    fn samples_go_on_from_the_thresholds_of_their_file() {
        let mut text = FILE.to_owned() + "samples:\n";
        for line in samples(4, 75.0, "reject", 20).lines() {
            writeln!(text, "  {line}").unwrap();
        }
        assert_eq!(read(&text, 4), Some((75.0, 40.0)));
        assert_eq!(read(&text, 0), Some((85.0, 55.0)));
    }

    #[test]
    fn a_file_that_is_not_sound_gives_nothing() {
        let broken = [
            String::new(),
            "splendid".to_owned(),
            "{ not: closed".to_owned(),
            FILE.replace("calibration_version: 1\n", ""),
            FILE.replace("  tier_3: {high: 75, medium: 45}\n", ""),
            FILE.replace("high: 85", "high: 91"),
            FILE.replace("high: 70", "high: 69"),
            FILE.replace("medium: 40", "medium: 39"),
            FILE.replace("medium: 55", "medium: 61"),
            FILE.replace("medium: 55", "medium: half"),
            FILE.replace(", medium: 55", ""),
            samples(7, 80.0, "approve", 1),
            samples(2, 101.0, "approve", 1),
            samples(2, 80.0, "shrug", 1),
            samples(2, 80.0, "approve\n  rework: perhaps", 1),
        ];
        for text in broken {
            assert_eq!(read(&text, 0), None, "{text}");
        }
    }

    #[test]
    fn a_calibration_may_be_a_value_already() {
        let sample = Value::of([
            ("tier", Value::from(2.0)),
            ("score", Value::from(90.0)),
            ("decision", Value::from("reject")),
        ]);
        let samples = Value::List(vec![sample; 20]);
        assert_eq!(
            thresholds(&samples, 2),
            Some(Thresholds {
                high: 85.0,
                medium: 50.0
            })
        );
        assert_eq!(thresholds(&Value::Bool(true), 2), None);
    }
}
