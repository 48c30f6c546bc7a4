//! From which score on confidence is high or medium.

use super::{confidence, memory, reviewers, text, validation};
use crate::builtins::Value;

#[test]
fn a_calibration_moves_what_is_high_and_what_is_medium_for_its_tier_alone() {
    let file = "calibration_version: 1\nthresholds:\n  tier_0: {high: 90, medium: 60}\n  tier_1: {high: 70, medium: 40}\n  tier_2: {high: 80, medium: 50}\n  tier_3: {high: 80, medium: 50}\n  tier_4: {high: 80, medium: 50}\n";
    let calibration = ("calibration", Value::from(file));
    let given = [validation("PASS"), memory("similar"), reviewers(2.0, 3.0), calibration];
    assert_eq!(text(&confidence(0.0, &given), "threshold"), "medium");
    assert_eq!(text(&confidence(1.0, &given), "threshold"), "high");
    assert_eq!(text(&confidence(1.0, &given), "thresholds"), "high: 70; medium: 40");
    assert_eq!(text(&confidence(2.0, &given), "threshold"), "medium");
}

#[test]
fn a_calibration_that_cannot_be_read_is_said_and_the_usual_thresholds_count() {
    let given = [validation("PASS"), memory("exact"), ("calibration", Value::from("- {"))];
    let answer = confidence(0.0, &given);
    assert_eq!(text(&answer, "thresholds"), "high: 80; medium: 50");
    assert!(
        text(&answer, "reason").ends_with("the calibration cannot be read, so high is 80 and medium is 50"),
        "{answer}"
    );
    let nothing = confidence(0.0, &[validation("PASS"), ("calibration", Value::Nothing)]);
    assert!(!text(&nothing, "reason").contains("calibration"));
}

#[test]
fn what_the_user_sets_counts_more_than_a_calibration() {
    let set = |high: &str, medium: f64| {
        let overrides = Value::of([
            ("high_threshold", Value::from(high)),
            ("medium_threshold", Value::from(medium)),
        ]);
        confidence(
            0.0,
            &[
                validation("PASS"),
                ("overrides", overrides),
                ("calibration", Value::from("- {")),
            ],
        )
    };
    assert_eq!(text(&set("60", 45.0), "threshold"), "high");
    assert_eq!(text(&set("75", 45.0), "thresholds"), "high: 75; medium: 45");
    for broken in [set("lots", 45.0), set("40", 45.0), set("120", 45.0)] {
        assert_eq!(text(&broken, "thresholds"), "high: 80; medium: 50");
        assert!(
            text(&broken, "reason").contains("`overrides` cannot be read"),
            "{broken}"
        );
    }
}
