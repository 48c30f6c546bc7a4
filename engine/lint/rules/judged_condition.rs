//! Conditions that a model has to judge although an expression would do.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::model::is_system;
use crate::syntax::each_hole;

pub(super) const RULE: Rule = Rule {
    code: Code("judged-condition"),
    severity: Severity::Hint,
    summary: "a condition is prose that a model must judge",
    page: include_str!("../../../spec/rules/judged-condition.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let are_read = findings.are_read();
    for condition in &unit.acts.judged {
        let found = findings.add(condition.span, "a model decides this condition each time".to_owned());
        found.help = are_read.then(|| match condition.suggestion() {
            Some(expression) => could(unit, expression),
            None => "where a step can set a variable, test the variable instead: `{ready} == true`".to_owned(),
        });
    }
}

/// Says which expression the engine could decide. A name in it that nothing defines is one that calls a file so and is
/// defined without that word, or one to define first.
fn could(unit: &WorkflowUnit<'_>, expression: String) -> String {
    const KINDS: &[&str] = &["_file", "_document", "_folder", "_directory", "_report"];
    let mut suggested = expression.clone();
    for (_, name, place) in each_hole(&expression) {
        if is_defined(unit, name) {
            continue;
        }
        let mut bare = KINDS.iter().filter_map(|kind| name.strip_suffix(kind));
        match bare.find(|bare| is_defined(unit, bare)) {
            Some(bare) => suggested = suggested.replace(&expression[place], &format!("{{{bare}}}")),
            None => return format!("where something sets `{name}`, the engine could decide `{expression}` by itself"),
        }
    }
    format!("the engine could decide `{suggested}` by itself")
}

fn is_defined(unit: &WorkflowUnit<'_>, name: &str) -> bool {
    let library = unit.subject.library;
    is_system(name)
        || library.has_config_key(name)
        || library.is_setting(name)
        || unit.workflow.names().any(|known| known == name)
}
