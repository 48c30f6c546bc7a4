//! The moments around effects, and whose hooks run at them.

use super::{Moment, OpenStep, is_inside, pass};
use crate::machine::{Branch, Checkpoint, DoneSteps, Effect, Issued, Key, Outcome, Question, Task, Whence};
use crate::model::{Hook, HookEvent, Words};
use crate::project::{HookScope, ProjectHook};
use crate::source::{SourceId, Span};

const WHENCE: Whence = Whence {
    workflow: 3,
    file: SourceId(7),
};

fn issued(lane: &str, effect: Effect) -> Issued {
    Issued {
        id: 1,
        key: Key {
            lane: lane.into(),
            digest: "d".into(),
            n: 0,
        },
        step: "2".into(),
        effect,
        limit: None,
        whence: WHENCE,
    }
}

fn step(lane: &str, depth: u32, label: Option<&str>) -> Issued {
    issued(
        lane,
        Effect::Checkpoint(Box::new(Checkpoint {
            workflow: "Tea".to_owned(),
            step: label.map(str::to_owned),
            goal: String::new(),
            depth,
            callers: Vec::new(),
            unvalidated: Vec::new(),
            artefacts: Vec::new(),
            document: None,
            done: DoneSteps::default(),
        })),
    )
}

fn turn(agent: Option<&str>, after: Option<&str>) -> Issued {
    let task = Task {
        agent: agent.map(str::to_owned),
        after: after.map(str::to_owned),
        workflow: "Tea".to_owned(),
        ..Task::default()
    };
    issued("0", Effect::Dispatch(Box::new(task)))
}

fn read() -> Issued {
    issued("0", Effect::Read { path: "a b.md".into() })
}

fn hook(event: HookEvent, scope: HookScope) -> ProjectHook {
    ProjectHook {
        hook: Hook {
            event,
            command: Words {
                text: "x".to_owned(),
                span: Span::new(SourceId(0), 0, 1),
            },
            matcher: None,
            once: false,
            critical: false,
            timeout: 1,
        },
        file: String::new(),
        place: String::new(),
        id: String::new(),
        seal: String::new(),
        scope,
    }
}

fn agent(name: &str) -> HookScope {
    HookScope::Agent {
        name: name.to_owned(),
        module: Some("bmm".to_owned()),
    }
}

fn events(moments: &[Moment]) -> Vec<&'static str> {
    moments.iter().map(|moment| moment.event.name()).collect()
}

fn labels(over: Vec<OpenStep>) -> Vec<String> {
    over.into_iter().map(|step| step.label).collect()
}

#[test]
fn a_step_is_over_when_the_next_of_its_depth_begins() {
    let mut open = Vec::new();
    assert_eq!(labels(pass(&mut open, &step("0", 0, Some("1")))), Vec::<String>::new());
    assert_eq!(
        labels(pass(&mut open, &step("0", 1, Some("inner")))),
        Vec::<String>::new()
    );
    assert_eq!(
        labels(pass(&mut open, &step("0.1.1", 1, Some("lane")))),
        Vec::<String>::new()
    );
    assert_eq!(
        labels(pass(&mut open, &step("0", 0, Some("2")))),
        ["lane", "inner", "1"]
    );
    assert_eq!(labels(pass(&mut open, &step("0", 0, None))), ["2"]);
    assert!(open.is_empty());
}

#[test]
fn a_lane_does_not_end_the_steps_of_another() {
    let mut open = Vec::new();
    pass(&mut open, &step("0.1.1", 1, Some("a")));
    pass(&mut open, &step("0.1.10", 1, Some("b")));
    assert_eq!(labels(pass(&mut open, &step("0.1.1", 1, Some("c")))), ["a"]);
}

#[test]
fn moments_come_in_the_order_of_the_lifecycle() {
    assert_eq!(events(&Moment::before(&step("0", 0, Some("1")))), ["before-step"]);
    assert_eq!(events(&Moment::before(&step("0", 0, None))), [""; 0]);
    assert_eq!(
        events(&Moment::before(&turn(None, None))),
        ["SessionStart", "before-dispatch"]
    );
    assert_eq!(events(&Moment::before(&turn(None, Some("d")))), ["before-dispatch"]);
    assert_eq!(
        events(&Moment::after(&turn(None, None), &Outcome::Done)),
        ["after-dispatch", "Stop"]
    );
    let ask = issued("0", Effect::Ask(Box::default()));
    assert_eq!(events(&Moment::before(&ask)), ["on-question"]);
    assert_eq!(events(&Moment::before(&read())), ["PreToolUse"]);
    assert_eq!(events(&Moment::after(&read(), &Outcome::Done)), ["PostToolUse"]);
}

#[test]
fn a_hook_is_told_in_which_lane_a_question_is_asked() {
    let branch = Branch {
        lane: "0.1.2".to_owned(),
        ..Branch::default()
    };
    let question = Question {
        id: "1-ab12".to_owned(),
        branches: vec![branch],
        ..Question::default()
    };
    let moment = Moment::before(&issued("0.1.2", Effect::Ask(Box::new(question)))).remove(0);
    assert!(
        moment
            .variables()
            .contains(&("TOOL_ARGS".to_owned(), "1-ab12@1.2".to_owned()))
    );
}

#[test]
fn a_hook_gets_every_variable() {
    let mut moment = Moment::after(&read(), &Outcome::Done).remove(0);
    let mut open = Vec::new();
    pass(&mut open, &step("0", 0, Some("2")));
    moment.within(&open);
    let all: Vec<String> = moment
        .variables()
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let expected = [
        "TOOL_NAME=Read",
        "TOOL_ARGS=a b.md",
        "EXIT_CODE=0",
        "STEP=2",
        "WORKFLOW=Tea",
        "AGENT=",
    ];
    assert_eq!(all, expected);
    let turn = Moment::before(&turn(Some("ada"), None)).remove(0);
    assert!(turn.variables().contains(&("AGENT".to_owned(), "ada".to_owned())));
}

#[test]
fn a_long_value_is_cut_between_characters() {
    let path = format!("x{}", "é".repeat(10_000));
    let moment = Moment::before(&issued("0", Effect::Read { path })).remove(0);
    assert_eq!(moment.variables()[1].1.len(), 10 * 1024 - 1);
}

#[test]
fn a_hook_is_in_force_where_its_file_is() {
    let moment = &Moment::before(&read())[0];
    let fits = |scope| moment.fits(&hook(HookEvent::PreToolUse, scope));
    assert!(fits(HookScope::Run) && fits(HookScope::Workflow(3)) && fits(HookScope::File(SourceId(7))));
    assert!(!fits(HookScope::Workflow(4)) && !fits(HookScope::File(SourceId(8))) && !fits(agent("ada")));
    assert!(!moment.fits(&hook(HookEvent::PostToolUse, HookScope::Run)));
    let mut other = hook(HookEvent::PreToolUse, HookScope::Run);
    other.hook.matcher = Some("Write|Edit".to_owned());
    assert!(!moment.fits(&other));
}

#[test]
fn the_hooks_of_an_agent_are_for_its_own_turns() {
    let fits = |name: &str| {
        let moment = Moment::before(&turn(Some(name), None)).remove(0);
        moment.fits(&hook(HookEvent::SessionStart, agent("ada")))
    };
    assert!(fits("ada") && fits("bmm:ada"));
    assert!(!fits("bea") && !fits("cis:ada"));
}

#[test]
fn a_turn_stops_for_its_agent_and_a_step_for_its_file() {
    let of_turn = &Moment::after(&turn(Some("ada"), None), &Outcome::Done)[1];
    assert!(of_turn.fits(&hook(HookEvent::Stop, agent("ada"))));
    assert!(!of_turn.fits(&hook(HookEvent::Stop, HookScope::Run)));
    let mut open = Vec::new();
    let first = step("0", 0, Some("1"));
    pass(&mut open, &first);
    let of_step = &Moment::over(&open[0], &first.key)[1];
    assert!(of_step.fits(&hook(HookEvent::Stop, HookScope::File(SourceId(7)))));
    assert!(!of_step.fits(&hook(HookEvent::Stop, agent("ada"))));
}

#[test]
fn tools_of_an_agent_are_seen_by_the_hooks_around_it() {
    let inside = |event, scope| is_inside(&hook(event, scope), WHENCE, Some("ada"));
    assert!(inside(HookEvent::PreToolUse, HookScope::Run) && inside(HookEvent::PostToolUse, agent("ada")));
    assert!(!inside(HookEvent::PreToolUse, agent("bea")) && !inside(HookEvent::Stop, HookScope::Run));
}
