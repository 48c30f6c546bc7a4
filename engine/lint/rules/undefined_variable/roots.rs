//! A name in, the root of paths that it is most likely a misspelling of out.

use super::misspelt_hole;
use crate::diagnostic::{differ_in_number, first_nearest};
use crate::lint::{FileUnit, Findings};
use crate::model::{Role, is_system};
use crate::syntax::{Format, HoleKind};
use std::ops::RangeInclusive;

/// Names that the engine gives a value and that paths begin with.
const ROOTS: &[&str] = &[
    "project-root",
    "skill-root",
    "installed_path",
    "workflow_path",
    "bmad_folder",
    "module_path",
    "module-root",
];

/// The lengths that a misspelling of a root may have: most names have another.
const LENGTHS: RangeInclusive<usize> = 9..=15;

/// Finds the misspelt roots of a file that is no part of a workflow, and that agents read: an agent, the settings of a
/// skill, or one of its pages.
pub(super) fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let is_page = match unit.document.role {
        Role::AgentYaml | Role::CustomizeToml => false,
        Role::Other if unit.document.parsed.format == Format::Markdown => true,
        _ => return,
    };
    let holes = unit.facts.holes.iter().filter(|hole| hole.kind == HoleKind::Single);
    let near = holes.filter_map(|hole| Some((hole, near(hole.name).filter(|_| !is_system(hole.name))?)));
    let mut near = near.peekable();
    if near.peek().is_none() || is_page && unit.skill().is_none() {
        return;
    }
    for (hole, root) in near {
        misspelt_hole(hole.span, hole.name, root, findings);
    }
}

/// Finds the root that a name nearly is. Of many there may be others.
pub(super) fn near(name: &str) -> Option<&'static str> {
    if !LENGTHS.contains(&name.len()) {
        return None;
    }
    let near = first_nearest(name, ROOTS.iter().copied())?;
    let words = |name: &'static str| name.split(['-', '_']);
    let is_many = words(near)
        .zip(name.split(['-', '_']))
        .any(|(one, two)| differ_in_number(one, two));
    (!is_many).then_some(near)
}

#[cfg(test)]
mod tests {
    use super::near;

    #[test]
    fn a_misspelt_root_is_found_and_another_name_is_none() {
        for (name, root) in [
            ("projet-root", "project-root"),
            ("project-rot", "project-root"),
            ("skil-root", "skill-root"),
            ("installed_pth", "installed_path"),
        ] {
            assert_eq!(near(name), Some(root), "{name}");
        }
        for name in ["skills-root", "module_paths", "project_name", "installed", "root", ""] {
            assert_eq!(near(name), None, "{name}");
        }
    }
}
