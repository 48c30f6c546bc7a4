//! Entries of `bmad.toml`, hooks and comments of any file, that set nothing.

use crate::diagnostic::{Code, Severity};
use crate::lint::allow::mistaken;
use crate::lint::{Check, FileUnit, Findings, RULES, Rule, nearest, review_block, rule, wrong_review, wrong_settings};
use crate::model::{SETTINGS, hooks};
use crate::source::Span;
use crate::syntax::Value;
use std::str::FromStr;

pub(super) const RULE: Rule = Rule {
    code: Code("unknown-setting"),
    severity: Severity::Error,
    summary: "an entry of `bmad.toml`, a hook or a comment names something that does not exist, so it changes nothing",
    page: include_str!("../../../spec/rules/unknown-setting.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    permits(unit, findings);
    for wrong in hooks(unit.document).wrong {
        findings.add(wrong.span, wrong.message).help = Some(wrong.help);
    }
    if let Some((block, name)) = review_block(unit.document) {
        for wrong in wrong_review(block, name) {
            findings.add(wrong.span, wrong.message).help = Some(wrong.help);
        }
    }
    if unit.document.source.path().as_str() != SETTINGS {
        return;
    }
    let data = unit.document.parsed.data.as_ref();
    for wrong in data.map(wrong_settings).unwrap_or_default() {
        findings.add(wrong.span, wrong.message).help = Some(wrong.help);
    }
    let table = data.and_then(|data| data.get("lint"));
    if let Some(table) = table.filter(|table| !matches!(table.value, Value::Map(_))) {
        findings
            .add(table.span, "`lint` is a table of rules and their levels")
            .help = Some("write `[lint]`, and below it lines such as `dead-goto = \"error\"`".to_owned());
    }
    for pair in table.map(|table| table.pairs()).unwrap_or_default() {
        if pair.key != "all" && rule(&pair.key).is_none() {
            no_such_rule(pair.key_span, &pair.key, findings);
            continue;
        }
        if matches!(pair.node.value, Value::Map(_)) {
            let message = format!("`{}` is a table here, and a rule has nothing but a level", pair.key);
            findings.add(pair.key_span, message).help = Some(format!(
                "write `{} = \"error\"` below `[lint]`, or another level",
                pair.key
            ));
            continue;
        }
        let is_level = |level: &str| matches!(level, "allow" | "off") || Severity::from_str(level).is_ok();
        if !pair.node.text().is_some_and(is_level) {
            let written = unit.document.source.slice(pair.node.span);
            let level = pair.node.text().unwrap_or(written);
            findings
                .add(pair.node.span, format!("`{level}` is no level of a rule"))
                .help = Some("write `allow`, `hint`, `info`, `warning` or `error`, in quotes".to_owned());
        }
    }
}

/// Finds comments that allow what does not exist: the finding that somebody meant stays as it was.
fn permits(unit: &FileUnit<'_>, findings: &mut Findings) {
    for (span, name) in mistaken(unit.document) {
        match name.chars().all(|letter| letter.is_alphanumeric() || letter == '-') && !name.is_empty() {
            true => no_such_rule(span, name, findings),
            false => {
                findings
                    .add(span, "this comment allows nothing: it names no rule in brackets")
                    .help = Some("write `bmad: allow(dead-goto)`, with the name of the rule that is meant".to_owned());
            }
        }
    }
}

fn no_such_rule(span: Span, name: &str, findings: &mut Findings) {
    let near = nearest(name, RULES.iter().map(|rule| rule.code.0));
    let found = findings.add(span, format!("there is no rule `{name}`"));
    found.help = Some(near.map_or("`bmad explain rules` lists them".to_owned(), |near| {
        format!("did you mean `{near}`?")
    }));
}
