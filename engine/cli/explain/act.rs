//! Instructions in, rows out: what the engine makes of each.

use super::rows::{Rows, line};
use super::target;
use crate::graph::Graph;
use crate::model::{
    Act, Ask, Condition, Decider, Dispatch, Instruction, Lift, LiftKind, Menu, MenuOption, Param,
    Produce, Repeat, RepeatKind, Target, Test, Words, Workflow,
};
use crate::source::Span;

/// What rows about instructions need.
#[derive(Clone, Copy)]
pub(super) struct Teller<'a> {
    pub(super) workflow: &'a Workflow,
    pub(super) graph: &'a Graph,
}

impl Teller<'_> {
    /// Adds rows about instructions.
    pub(super) fn body(self, body: &[Instruction], depth: usize, rows: &mut Rows<'_>) {
        for instruction in body {
            let mut depth = depth;
            if let Some(condition) = &instruction.condition {
                rows.add(condition.span, depth, condition_text("if", condition));
                depth += 1;
            }
            self.act(instruction, depth, rows);
        }
    }

    fn act(self, instruction: &Instruction, depth: usize, rows: &mut Rows<'_>) {
        let span = instruction.span;
        match &instruction.act {
            Act::Do { text, lifts, body } => {
                rows.add(*text, depth, format!("do: {}", rows.words(*text)));
                for lift in lifts {
                    self.lift(lift, depth + 1, rows);
                }
                self.body(body, depth + 1, rows);
            }
            Act::Check { body } => self.body(body, depth, rows),
            Act::Ask(ask) => self.ask(ask, span, depth, rows),
            Act::Show {
                text,
                file,
                template,
            } => {
                rows.add(
                    span,
                    depth,
                    shown(&rows.words(*text), file.as_ref(), template.as_ref()),
                );
            }
            Act::Rule { text } => rows.add(span, depth, format!("rule: {}", rows.words(*text))),
            Act::Produce(produce) => rows.add(span, depth, produced(produce, &rows.words(span))),
            Act::Elicit => rows.add(span, depth, "elicitation is offered"),
            Act::Goto { target, says } => rows.add(
                span,
                depth,
                self.goto(target, says.as_ref(), &rows.words(span)),
            ),
            Act::Anchor { id } => rows.add(span, depth, format!("anchor `{}`", line(id))),
            Act::Invoke(invoke) => {
                let told = target::invoke(rows.library, self.workflow, invoke);
                rows.add(span, depth, format!("{told}{}", into(invoke.into.as_ref())));
                params(&invoke.params, depth + 1, rows);
            }
            Act::Loop {
                repeat,
                index,
                body,
            } => {
                rows.add(
                    repeat.span,
                    depth,
                    format!("repeat {}{}", repeated(repeat), counted(index.as_deref())),
                );
                self.body(body, depth + 1, rows);
            }
            Act::Group { label, title, body } => {
                rows.add(
                    span,
                    depth,
                    format!("part {}", named(label.as_ref(), title)),
                );
                self.body(body, depth + 1, rows);
            }
            Act::Menu(menu) => self.menu(menu, span, depth, rows),
            Act::Set { name, value } if value.text.is_empty() => {
                rows.add(
                    span,
                    depth,
                    format!("set {{{}}} by {}", line(&name.text), rows.words(span)),
                );
            }
            Act::Set { name, value } => {
                rows.add(
                    span,
                    depth,
                    format!("set {{{}}} to {}", line(&name.text), quoted(&value.text)),
                );
            }
            Act::Dispatch(dispatch) => dispatched(dispatch, span, depth, rows),
            Act::Collect { from, into, failed } => {
                let failed = failed.as_ref().map_or_else(String::new, |name| {
                    format!(", failed ones in {{{}}}", line(&name.text))
                });
                rows.add(
                    span,
                    depth,
                    format!(
                        "collect {{{}}} into {{{}}}{failed}",
                        line(&from.text),
                        line(&into.text)
                    ),
                );
            }
            Act::Parallel { body, into: result } => {
                rows.add(
                    span,
                    depth,
                    format!("at the same time{}", into(result.as_ref())),
                );
                self.body(body, depth + 1, rows);
            }
            Act::Return {
                value,
                params: named,
            } => {
                let value = value
                    .as_ref()
                    .map_or_else(String::new, |value| format!(" {}", quoted(&value.text)));
                rows.add(span, depth, format!("return{value}"));
                params(named, depth + 1, rows);
            }
            Act::Halt { reason } => {
                rows.add(span, depth, format!("stop the run: {}", line(reason)))
            }
        }
    }

    fn ask(self, ask: &Ask, span: Span, depth: usize, rows: &mut Rows<'_>) {
        rows.add(
            span,
            depth,
            format!("ask{}: {}", into(ask.into.as_ref()), rows.words(ask.text)),
        );
        for option in &ask.options {
            rows.add(
                option.span,
                depth + 1,
                format!("answer {}", offered(option)),
            );
        }
        self.body(&ask.body, depth + 1, rows);
    }

    fn menu(self, menu: &Menu, span: Span, depth: usize, rows: &mut Rows<'_>) {
        let waits = if menu.stops {
            ""
        } else {
            ", and the text does not wait"
        };
        rows.add(
            span,
            depth,
            format!("menu{}{waits}", into(menu.into.as_ref())),
        );
        for branch in &menu.branches {
            let place = branch.option.as_ref().map(|option| option.span);
            let place = place
                .or_else(|| branch.body.first().map(|first| first.span))
                .unwrap_or(span);
            let name = branch
                .option
                .as_ref()
                .map_or_else(|| "anything else".to_owned(), offered);
            let leads = match (branch.again, branch.body.is_empty()) {
                (true, _) => ", then the menu again",
                (false, true) => ": goes on",
                (false, false) => "",
            };
            rows.add(place, depth + 1, format!("{name}{leads}"));
            self.body(&branch.body, depth + 2, rows);
        }
    }

    fn lift(self, lift: &Lift, depth: usize, rows: &mut Rows<'_>) {
        let read = match &lift.kind {
            LiftKind::Goto {
                label, label_span, ..
            } => format!("goes to step {}{}", line(label), self.nowhere(*label_span)),
            LiftKind::Halt { reason } if reason.is_empty() => "stops the run".to_owned(),
            LiftKind::Halt { reason } => format!("stops the run: {}", line(reason)),
            LiftKind::Exit => "leaves the workflow".to_owned(),
            LiftKind::Return => "returns to the caller".to_owned(),
            LiftKind::Set { name, value, .. } => {
                format!("sets {{{}}} to {}", line(name), quoted(value))
            }
            LiftKind::Store { name } => format!("keeps it in {{{}}}", line(name)),
            LiftKind::Follow {
                target,
                target_span,
            } => {
                let found = target::path(rows.library, self.workflow, target, *target_span);
                format!("follows `{}`: {found}", line(target))
            }
            LiftKind::Skill { name } => format!(
                "calls skill `{}`: {}",
                line(name),
                target::skill(rows.library, name)
            ),
            LiftKind::Ask => "asks the person".to_owned(),
            LiftKind::Wait => "waits for the person".to_owned(),
        };
        let when = match lift.condition {
            Some(words) if words != lift.span => {
                format!(", when \"{}\" (agent: judged)", rows.words(words))
            }
            Some(_) | None => String::new(),
        };
        rows.add(
            lift.span,
            depth,
            format!("lifted \"{}\": {read}{when}", rows.words(lift.span)),
        );
    }

    fn goto(self, target: &Target, says: Option<&Words>, prose: &str) -> String {
        let said = says.map_or_else(String::new, |says| format!(" (\"{}\")", line(&says.text)));
        match target {
            Target::Step(label) => format!(
                "go to step {}{said}{}",
                line(&label.text),
                self.nowhere(label.span)
            ),
            Target::Anchor(id) => format!(
                "go to anchor {}{said}{}",
                line(&id.text),
                self.nowhere(id.span)
            ),
            Target::Prose => format!("go where an agent reads: {prose}"),
        }
    }

    fn nowhere(self, label: Span) -> &'static str {
        if self.graph.dead.iter().any(|jump| jump.span == label) {
            ", which is not there: running asks where to"
        } else {
            ""
        }
    }
}

/// Says what a condition is and who decides it.
pub(super) fn condition_text(word: &str, condition: &Condition) -> String {
    let who = match (&condition.test, condition.decider()) {
        (Test::Otherwise, _) => "engine: whatever is left".to_owned(),
        (_, Decider::Expression) => "engine: expression".to_owned(),
        (_, Decider::Choice) => "engine: answer".to_owned(),
        (_, Decider::Existence) => "engine: existence".to_owned(),
        (_, Decider::Judged) => match condition.suggestion() {
            Some(expression) => format!(
                "agent: judged; the engine could decide `{}`",
                line(&expression)
            ),
            None => "agent: judged".to_owned(),
        },
    };
    format!("{word} {} ({who})", line(&condition.text))
}

/// Says how something repeats and who decides about another pass.
pub(super) fn repeated(repeat: &Repeat) -> String {
    let how = match &repeat.kind {
        RepeatKind::Times(times) => format!("{} times", line(times)),
        RepeatKind::Each { item, list } => format!("for each {{{}}} of {}", line(item), line(list)),
        RepeatKind::While(condition) => condition_text("while", condition),
        RepeatKind::Until(condition) => condition_text("until", condition),
        RepeatKind::Bounded => String::new(),
    };
    let bound = repeat.bound.as_ref().map_or_else(String::new, |bound| {
        format!("at most {} times", line(bound))
    });
    let parts: Vec<String> = [how, bound]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    parts.join(", ")
}

fn counted(index: Option<&str>) -> String {
    index.map_or_else(String::new, |index| {
        format!(", counted in {{{}}}", line(index))
    })
}

fn produced(produce: &Produce, prose: &str) -> String {
    let names: Vec<String> = produce
        .names
        .iter()
        .map(|name| format!("`{}`", line(&name.text)))
        .collect();
    let what = if names.is_empty() {
        format!("what prose names: {prose}")
    } else {
        names.join(", ")
    };
    let value = produce
        .value
        .as_ref()
        .map_or_else(String::new, |value| format!(" = {}", quoted(&value.text)));
    let file = produce
        .file
        .as_ref()
        .map_or_else(String::new, |file| format!(" in {}", line(&file.text)));
    format!("produce and save {what}{value}{file}")
}

fn shown(text: &str, file: Option<&Words>, template: Option<&Words>) -> String {
    let from = template.map_or_else(String::new, |template| {
        format!(" from {}", line(&template.text))
    });
    match file {
        Some(file) => format!("write {}{from}: {text}", line(&file.text)),
        None => format!("show{from}: {text}"),
    }
}

fn dispatched(dispatch: &Dispatch, span: Span, depth: usize, rows: &mut Rows<'_>) {
    let names: Vec<String> = dispatch
        .agents
        .iter()
        .map(|agent| format!("`{}`", line(&agent.text)))
        .collect();
    let to = if names.is_empty() {
        "the agent that performs this".to_owned()
    } else {
        names.join(", ")
    };
    let text = format!(
        "dispatch to {to}{}: {}",
        into(dispatch.into.as_ref()),
        rows.words(dispatch.text)
    );
    rows.add(span, depth, text);
    params(&dispatch.params, depth + 1, rows);
}

fn params(params: &[Param], depth: usize, rows: &mut Rows<'_>) {
    for param in params {
        rows.add(
            param.name.span,
            depth,
            format!(
                "with {} = {}",
                line(&param.name.text),
                quoted(&param.value.text)
            ),
        );
    }
}

fn offered(option: &MenuOption) -> String {
    match line(&option.label).as_str() {
        "" => format!("[{}]", line(&option.key)),
        label if label == option.key => format!("[{label}]"),
        label => format!("[{}] {label}", line(&option.key)),
    }
}

pub(super) fn named(label: Option<&Words>, title: &str) -> String {
    let label = label.map_or_else(String::new, |label| line(&label.text));
    match (label.as_str(), line(title).as_str()) {
        ("", title) => title.to_owned(),
        (label, "") => label.to_owned(),
        (label, title) => format!("{label}: {title}"),
    }
}

fn into(name: Option<&Words>) -> String {
    name.map_or_else(String::new, |name| {
        format!(" into {{{}}}", line(name.text.trim_matches(['{', '}'])))
    })
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", line(text))
}
