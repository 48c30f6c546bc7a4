//! The block `review_loop`: in `bmad.toml`, and in the configuration of an installation.

use super::{Form, WrongSetting, look};
use crate::model::{Document, Role};
use crate::syntax::Node;

const LEVELS: &[&str] = &["minimal", "dual", "full"];
const SEVERITIES: &[&str] = &["critical", "high", "medium", "low"];

/// The most and the least of one kind of reviewer or fixer. `required_issues` is known and never demanded: who has to
/// find something invents it.
const SUBAGENT: Form = Form::Keys(&[
    ("model", Form::Text),
    ("timeout", Form::Some),
    ("required_issues", Form::Count),
    ("min_agents", Form::Count),
    ("max_agents", Form::Count),
    ("min_rounds", Form::Count),
    ("max_rounds", Form::Count),
    ("min_methods", Form::Count),
    ("max_methods", Form::Count),
    ("max_issues_per_agent", Form::Some),
]);

pub(super) const REVIEW_LOOP: Form = Form::Keys(&[
    ("enabled", Form::Truth),
    (
        "confidence_thresholds",
        Form::Keys(&[
            ("minimal", Form::Percent),
            ("dual", Form::Percent),
            ("full", Form::Percent),
        ]),
    ),
    (
        "tier_minimums",
        Form::Keys(&[
            ("0", Form::Word(LEVELS)),
            ("1", Form::Word(LEVELS)),
            ("2", Form::Word(LEVELS)),
            ("3", Form::Word(LEVELS)),
            ("4", Form::Word(LEVELS)),
        ]),
    ),
    ("target_confidence", Form::Percent),
    ("fix_bonus", Form::Percent),
    ("material_severities", Form::Words(SEVERITIES)),
    (
        "subagents",
        Form::Keys(&[
            ("adversarial", SUBAGENT),
            ("party", SUBAGENT),
            ("elicitation", SUBAGENT),
            ("fixer", SUBAGENT),
        ]),
    ),
    (
        "limits",
        Form::Keys(&[
            ("max_review_rounds", Form::Count),
            ("max_fix_iterations", Form::Count),
            ("max_concurrent_fixers", Form::Some),
            ("max_consecutive_failures", Form::Count),
            ("max_runtime_seconds", Form::Count),
            ("max_total_issues", Form::Count),
        ]),
    ),
    (
        "loop_detection",
        Form::Keys(&[("similarity", Form::Percent), ("window", Form::Count)]),
    ),
    (
        "context",
        Form::Keys(&[
            ("outputs", Form::Count),
            ("errors", Form::Count),
            ("patterns", Form::Count),
            ("entry_length", Form::Count),
            ("total_length", Form::Count),
        ]),
    ),
    (
        "issue_tracker",
        Form::Keys(&[
            ("output_dir", Form::Text),
            ("filename_pattern", Form::Text),
            ("save_fix_patterns", Form::Truth),
        ]),
    ),
    ("checks", Form::Texts),
    ("check_timeout", Form::Some),
    ("state_file", Form::Text),
]);

/// Returns the block `review_loop` of a file that sets the configuration of an installation, with its full name.
pub fn review_block(document: &Document) -> Option<(&Node, &'static str)> {
    let data = document.parsed.data.as_ref()?;
    match document.role {
        Role::ConfigYaml => data.get("review_loop").map(|block| (block, "review_loop")).or_else(|| {
            let automation = data.get("automation")?;
            Some((automation.get("review_loop")?, "automation.review_loop"))
        }),
        Role::ConfigToml => {
            let core = data.get("core")?;
            Some((core.get("review_loop")?, "core.review_loop"))
        }
        _ => None,
    }
}

/// Finds entries of a block `review_loop` that set nothing.
pub fn wrong_review(block: &Node, name: &str) -> Vec<WrongSetting> {
    let mut wrong = Vec::new();
    look(block, REVIEW_LOOP, name, &mut wrong);
    wrong
}
