//! Menus after which nothing says to wait.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};

pub(super) const RULE: Rule = Rule {
    code: Code("menu-without-stop"),
    severity: Severity::Info,
    summary: "a menu is shown and nothing says to wait for the answer",
    page: include_str!("../../../spec/rules/menu-without-stop.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let document = unit.document;
    if !document.instructs_in_prose() {
        return;
    }
    for menu in &document.menus().menus {
        if !menu.stops {
            findings
                .add(menu.span, "nothing says to stop and wait after this menu".to_owned())
                .help = Some("the engine waits all the same; a model that reads the file alone may not: write `HALT and wait for the choice`".to_owned());
        }
    }
}
