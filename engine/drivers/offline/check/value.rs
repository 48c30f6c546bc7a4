//! One quantity with two values.
//!
//! Only what is named alike, measured alike and said of the same thing is compared: a value that a heading, an item
//! above it or the sentence around it makes special is left alone.

mod statement;

use super::measure::Bound;
use super::{About, Check, Exists, Finding, Severity};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::page::Page;
use statement::{Source, Statement, statements};
use std::collections::{HashMap, HashSet};

/// One quantity with two values.
pub(super) const CHECK: Check = Check {
    name: "conflicting-values",
    claims: &[CONFLICT],
    needs: "whoever decides about it says which of the two values holds",
    about: About::Content,
    find,
};

const CONFLICT: &str = "the {} is given as {} and as {}";

fn find(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let statements = statements(page);
    let keys = keys(&statements);
    let mut groups: HashMap<(&str, &str, Bound), Vec<&Statement>> = HashMap::new();
    for statement in &statements {
        let measure = &statement.measure;
        let name = (statement.subject.as_str(), measure.kind.as_str(), measure.bound);
        groups.entry(name).or_default().push(statement);
    }
    let mut found = Vec::new();
    for group in groups.values() {
        // What has three values in one document is something that varies.
        let values: HashSet<String> = group.iter().map(|each| each.value()).collect();
        if values.len() != 2 {
            continue;
        }
        let Some(first) = group.first() else { continue };
        let other = group.iter().find(|other| other.value() != first.value());
        if let Some(other) = other.filter(|other| contradicts(page, &keys, first, other)) {
            found.push(finding(page, first, other));
        }
    }
    found
}

fn finding(page: &Page, first: &Statement, second: &Statement) -> Finding {
    let lines = [first, second].map(|each| page.line(each.range.start));
    Finding {
        check: CHECK.name,
        severity: Severity::High,
        range: second.range.clone(),
        message: say(
            CONFLICT,
            [&first.subject, &first.measure.written, &second.measure.written],
        ),
        evidence: format!(
            "line {} says \"{}\", line {} says \"{}\"",
            lines[0],
            page.text()[first.range.clone()].trim(),
            lines[1],
            page.text()[second.range.clone()].trim()
        ),
        suggestion: "decide which value holds and write it in both places".to_owned(),
        repair: Vec::new(),
    }
}

/// The values that each list or table gives, by name.
type Keys<'s> = HashMap<(Option<usize>, Option<usize>), HashMap<&'s str, String>>;

fn keys(statements: &[Statement]) -> Keys<'_> {
    let mut found: Keys<'_> = HashMap::new();
    for statement in statements.iter().filter(|each| each.source == Source::Pair) {
        let place = (statement.section, statement.parent);
        let values = found.entry(place).or_default();
        values.insert(
            &statement.subject,
            format!("{} {}", statement.measure.kind, statement.value()),
        );
    }
    found
}

fn contradicts(page: &Page, keys: &Keys<'_>, first: &Statement, second: &Statement) -> bool {
    let is_same_table = first.table.is_some() && first.table == second.table;
    if first.limit != second.limit || is_same_table {
        return false;
    }
    let is_same_place = (first.section, first.parent) == (second.section, second.parent);
    let is_named = first.subject.split(' ').count() > 1;
    if is_same_place {
        return is_named || first.source != second.source || first.source == Source::Pair;
    }
    if !is_named || first.parent.is_some() || second.parent.is_some() {
        return false;
    }
    let both_pairs = first.source == Source::Pair && second.source == Source::Pair;
    if both_pairs {
        return !is_parallel(page, keys, first, second);
    }
    !are_variants(page, first, second)
}

/// Says whether two lists describe two things by the same names: two plans, two phases, two servers.
fn is_parallel(page: &Page, keys: &Keys<'_>, first: &Statement, second: &Statement) -> bool {
    let place = |each: &Statement| (each.section, each.parent);
    let (Some(one), Some(other)) = (keys.get(&place(first)), keys.get(&place(second))) else {
        return true;
    };
    let shared: Vec<&&str> = one.keys().filter(|name| other.contains_key(**name)).collect();
    let differ = shared
        .iter()
        .filter(|name| one.get(**name) != other.get(**name))
        .count();
    // One value of several that are otherwise the same is a slip, not another thing.
    let is_slip = shared.len() >= 3 && differ == 1;
    !is_slip && (shared.len() > 1 || are_variants(page, first, second))
}

/// Says whether the headings of two places name two things of one kind: `Free plan` and `Pro plan`, `Phase 1` and
/// `Phase 2`.
fn are_variants(page: &Page, first: &Statement, second: &Statement) -> bool {
    let (Some(one), Some(other)) = (first.section, second.section) else {
        return false;
    };
    let title = |number: usize| page.headings[number].text.to_lowercase();
    let words = |text: &str| -> HashSet<String> {
        let words = text.split(|each: char| !each.is_alphanumeric());
        words.filter(|word| word.len() > 2).map(str::to_owned).collect()
    };
    let (left, right) = (title(one), title(other));
    let shares_word = one != other && words(&left).intersection(&words(&right)).next().is_some();
    let is_kind = [
        "plan",
        "tier",
        "phase",
        "option",
        "alternative",
        "environment",
        "variant",
        "scenario",
        "example",
    ];
    let names_kind = is_kind.iter().any(|kind| left.contains(kind) || right.contains(kind));
    shares_word || names_kind
}
