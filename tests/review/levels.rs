//! Who is sent at which tier and confidence, by the loop itself.

use crate::workflows::stage::Stage;
use std::fmt::Write as _;
use std::path::Path;

const SCRIPT: &str = "\
- agent: adversarial-reviewer
  reply: {findings: [], lenses: [contradiction]}
- agent: party-facilitator
  reply: {findings: [], lenses: [tester], consensus: full}
- agent: elicitation-expert
  reply: {findings: [], lenses: [five whys]}
";

/// Runs the loop and returns who reviewed.
fn reviewers(tier: &str, verdict: &str, thresholds: (u32, u32), minimum: &str) -> String {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/review/clean-first-pass");
    let stage = Stage::copy_of(&scene, &["command", "trace.txt", "script.yaml"]);
    let (dual, minimal) = thresholds;
    let mut settings = format!("[review_loop.confidence_thresholds]\ndual = {dual}\nminimal = {minimal}\n");
    if !minimum.is_empty() {
        write!(settings, "[review_loop.tier_minimums]\n\"{tier}\" = \"{minimum}\"\n").unwrap();
    }
    std::fs::write(stage.path("bmad.toml"), settings).unwrap();
    std::fs::write(stage.path("script.yaml"), SCRIPT).unwrap();
    let (tier, verdict) = (format!("tier={tier}"), format!("validation={verdict}"));
    let ended = stage.run_at(
        &[
            "exec",
            "_bmad/core/tasks/review-loop.xml",
            "--input=content_path=plan.md",
            "--input=section_name=Plan",
            "--input=workflow_name=ferry",
            "--input=requested=yes",
            "--input=memory=exact",
            &format!("--input={tier}"),
            &format!("--input={verdict}"),
            "--agent=script:script.yaml",
            "--non-interactive",
        ],
        "",
    );
    assert_eq!(ended.code, 0, "{}", ended.errors);
    let agents = [
        ("adversarial-reviewer", "A"),
        ("party-facilitator", "P"),
        ("elicitation-expert", "E"),
    ];
    let works = |name: &str| ended.errors.contains(&format!("{name} works"));
    agents
        .into_iter()
        .filter(|(name, _)| works(name))
        .map(|(_, letter)| letter)
        .collect()
}

#[test]
fn every_tier_sends_who_the_table_says() {
    // A verdict of PASS and an exact memory give 100; a tier takes 0, 0, 5, 10 or 15 of it.
    let usual = (95, 98);
    let table: Vec<String> = ["0", "1", "2", "3", "4"]
        .iter()
        .map(|tier| reviewers(tier, "PASS", usual, ""))
        .collect();
    assert_eq!(table, ["A", "AP", "AP", "APE", "APE"]);
    let table: Vec<String> = ["0", "1", "2", "3", "4"]
        .iter()
        .map(|tier| reviewers(tier, "FAIL", usual, ""))
        .collect();
    assert_eq!(table, ["A", "AP", "APE", "APE", "APE"]);
}

#[test]
fn both_bounds_belong_to_the_middle_level() {
    // Confidence is 95 at tier 2, 90 at tier 3 and 85 at tier 4.
    for (tier, score) in [("2", 95), ("3", 90), ("4", 85)] {
        assert_eq!(
            reviewers(tier, "PASS", (score, score + 3), ""),
            "AP",
            "at the lower bound"
        );
        assert_eq!(
            reviewers(tier, "PASS", (score - 3, score), ""),
            "AP",
            "at the upper bound"
        );
        assert_eq!(reviewers(tier, "PASS", (score + 1, score + 3), ""), "APE", "below");
        assert_eq!(reviewers(tier, "PASS", (score - 3, score - 1), ""), "A", "above");
    }
}

#[test]
fn a_minimum_of_the_user_raises_a_tier() {
    assert_eq!(reviewers("0", "PASS", (95, 98), "full"), "APE");
    assert_eq!(reviewers("2", "PASS", (95, 98), "minimal"), "AP");
}

#[test]
fn the_built_in_agent_says_that_a_tier_means_nothing_to_it() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/review/clean-first-pass");
    let told = |settings: &str, more: &[&str]| {
        let stage = Stage::copy_of(&scene, &["command", "trace.txt", "script.yaml"]);
        std::fs::write(stage.path("bmad.toml"), settings).unwrap();
        let args = ["review", "plan.md", "--non-interactive"];
        stage.run_at(&[&args, more].concat(), "").errors
    };
    let minimums = "[review_loop.tier_minimums]\n\"2\" = \"full\"\n";
    assert!(told("", &["--tier=4"]).contains("note: `--tier` changes nothing here"));
    assert!(told(minimums, &[]).contains("note: `review_loop.tier_minimums` changes nothing here"));
    for silent in [told("", &[]), told(minimums, &["--tier=4", "--level=full"])] {
        assert!(!silent.contains("changes nothing"), "{silent}");
    }
}
