//! Effects in, the moments around them at which hooks run out: pure.

use crate::host::Hooked;
use crate::machine::{CommandEnd, Effect, End, EndKind, Issued, Key, Outcome, Task, Whence};
use crate::model::HookEvent;
use crate::project::{HookScope, ProjectHook};
use crate::source::SourceId;

/// The most bytes of a value that a hook is given.
const MAX_VALUE: usize = 10 * 1024;

/// A step that has begun and is not over.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OpenStep {
    lane: String,
    depth: u32,
    whence: Whence,
    pub(super) workflow: String,
    label: String,
}

/// What a moment is about: whose hooks run.
#[derive(Debug, Clone, PartialEq, Eq)]
enum About {
    /// A step, a tool of the engine, a question, the end.
    Run,
    /// A turn of the one that performs the workflow, or of an agent by name.
    Turn(Option<String>),
}

/// A moment at which hooks run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Moment {
    pub(super) event: HookEvent,
    whence: Whence,
    about: About,
    pub(super) key: Key,
    pub(super) step: String,
    workflow: String,
    tool: &'static str,
    arguments: String,
    /// How what it is about ended; none while it has not.
    code: Option<i32>,
}

impl Moment {
    fn new(event: HookEvent, issued: &Issued) -> Self {
        Self {
            event,
            whence: issued.whence,
            about: About::Run,
            key: issued.key.clone(),
            step: issued.step.to_string(),
            workflow: String::new(),
            tool: "",
            arguments: String::new(),
            code: None,
        }
    }

    fn of_turn(event: HookEvent, issued: &Issued, task: &Task) -> Self {
        Self {
            about: About::Turn(task.agent.clone()),
            workflow: task.workflow.clone(),
            ..Self::new(event, issued)
        }
    }

    /// Returns the moments before an effect, in order.
    pub(super) fn before(issued: &Issued) -> Vec<Self> {
        match &issued.effect {
            Effect::Checkpoint(checkpoint) => {
                let begins = checkpoint.step.iter().map(|label| Self {
                    step: label.clone(),
                    workflow: checkpoint.workflow.clone(),
                    ..Self::new(HookEvent::BeforeStep, issued)
                });
                begins.collect()
            }
            Effect::Dispatch(task) => {
                let begins = task.after.is_none().then_some(HookEvent::SessionStart);
                let events = begins.into_iter().chain([HookEvent::BeforeDispatch]);
                events.map(|event| Self::of_turn(event, issued, task)).collect()
            }
            Effect::Judge(task) => vec![Self::of_turn(HookEvent::BeforeDispatch, issued, task)],
            Effect::Ask(question) => vec![Self {
                workflow: question.workflow.clone(),
                arguments: question.key(),
                ..Self::new(HookEvent::OnQuestion, issued)
            }],
            Effect::Read { .. } | Effect::List { .. } | Effect::Write(_) | Effect::Run { .. } => {
                Self::of_tool(HookEvent::PreToolUse, issued).into_iter().collect()
            }
            Effect::Show { .. } | Effect::Look { .. } | Effect::Verify { .. } | Effect::Now => Vec::new(),
        }
    }

    /// Returns the moments after an effect, in order.
    pub(super) fn after(issued: &Issued, outcome: &Outcome) -> Vec<Self> {
        let code = match outcome {
            Outcome::Ran {
                end: CommandEnd::Exit(code),
                ..
            } => *code,
            other => i32::from(matches!(other, Outcome::Failed(_) | Outcome::Ran { .. })),
        };
        let mut moments = match &issued.effect {
            Effect::Dispatch(task) => [HookEvent::AfterDispatch, HookEvent::Stop]
                .map(|event| Self::of_turn(event, issued, task))
                .to_vec(),
            Effect::Judge(task) => vec![Self::of_turn(HookEvent::AfterDispatch, issued, task)],
            Effect::Read { .. } | Effect::List { .. } | Effect::Write(_) | Effect::Run { .. } => {
                Self::of_tool(HookEvent::PostToolUse, issued).into_iter().collect()
            }
            Effect::Checkpoint(_)
            | Effect::Ask(_)
            | Effect::Show { .. }
            | Effect::Look { .. }
            | Effect::Verify { .. }
            | Effect::Now => Vec::new(),
        };
        moments.iter_mut().for_each(|moment| moment.code = Some(code));
        moments
    }

    /// The engine's own effects that are tools in an agent's sense, by the names that agents give them.
    fn of_tool(event: HookEvent, issued: &Issued) -> Option<Self> {
        let (tool, arguments) = match &issued.effect {
            Effect::Read { path } => ("Read", path),
            Effect::List { pattern } => ("Glob", pattern),
            Effect::Write(write) => ("Write", &write.path),
            Effect::Run { command, .. } => ("Bash", command),
            Effect::Checkpoint(_)
            | Effect::Dispatch(_)
            | Effect::Judge(_)
            | Effect::Ask(_)
            | Effect::Show { .. }
            | Effect::Look { .. }
            | Effect::Verify { .. }
            | Effect::Now => return None,
        };
        Some(Self {
            tool,
            arguments: arguments.clone(),
            ..Self::new(event, issued)
        })
    }

    /// Returns the moments at which a step is over, seen from the effect that follows it.
    pub(super) fn over(step: &OpenStep, key: &Key) -> Vec<Self> {
        let moment = |event| Self {
            event,
            whence: step.whence,
            about: About::Run,
            key: key.clone(),
            step: step.label.clone(),
            workflow: step.workflow.clone(),
            tool: "",
            arguments: String::new(),
            code: Some(0),
        };
        [HookEvent::AfterStep, HookEvent::Stop].map(moment).to_vec()
    }

    /// Returns the moment at which a run is over.
    pub(super) fn end(root: Whence, workflow: String, end: &End) -> Self {
        let code = match end.kind {
            EndKind::Completed => 0,
            EndKind::Halted | EndKind::Failed => 1,
            EndKind::Limit => 5,
        };
        Self {
            event: HookEvent::OnEnd,
            whence: root,
            about: About::Run,
            key: end_key(),
            step: String::new(),
            workflow,
            tool: "",
            arguments: end.kind.name().to_owned(),
            code: Some(code),
        }
    }

    /// Returns the moment that a hook was run at before.
    pub(super) fn again(past: &Hooked) -> Option<Self> {
        let value = |name: &str| {
            let found = past.given.iter().find(|(own, _)| own == name);
            found.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        let agent = Some(value("AGENT")).filter(|agent| !agent.is_empty());
        let tools = ["Read", "Glob", "Write", "Bash"];
        Some(Self {
            event: HookEvent::named(&past.event)?,
            whence: Whence {
                workflow: 0,
                file: SourceId(0),
            },
            about: agent.map_or(About::Run, |agent| About::Turn(Some(agent))),
            key: past.key.clone(),
            step: past.step.clone(),
            workflow: value("WORKFLOW"),
            tool: tools.into_iter().find(|tool| value("TOOL_NAME") == *tool).unwrap_or(""),
            arguments: value("TOOL_ARGS"),
            code: value("EXIT_CODE").parse().ok(),
        })
    }

    /// Says whether a hook runs at this moment.
    pub(super) fn fits(&self, own: &ProjectHook) -> bool {
        if own.hook.event != self.event || !(self.tool.is_empty() || own.hook.is_for(self.tool)) {
            return false;
        }
        let is_of_agent = matches!(own.scope, HookScope::Agent { .. });
        match &self.about {
            // A step is over for whoever wrote it, a turn for whoever took it.
            About::Turn(_) if self.event == HookEvent::Stop && !is_of_agent => false,
            About::Turn(agent) => is_in_force(&own.scope, self.whence, agent.as_deref()),
            About::Run => !is_of_agent && is_in_force(&own.scope, self.whence, None),
        }
    }

    /// Returns the variables that a hook gets: all of them, so that a script may rely on their being set.
    pub(super) fn variables(&self) -> Vec<(String, String)> {
        let agent = match &self.about {
            About::Turn(Some(agent)) => agent.as_str(),
            About::Turn(None) | About::Run => "",
        };
        let code = self.code.map(|code| code.to_string()).unwrap_or_default();
        let all = [
            ("TOOL_NAME", self.tool),
            ("TOOL_ARGS", &self.arguments),
            ("EXIT_CODE", &code),
            ("STEP", &self.step),
            ("WORKFLOW", &self.workflow),
            ("AGENT", agent),
        ];
        all.map(|(name, value)| (name.to_owned(), capped(value))).to_vec()
    }

    /// Gives the moment the name of the workflow it happens in, where the effect does not tell it.
    pub(super) fn within(&mut self, open: &[OpenStep]) {
        if self.workflow.is_empty() {
            let same = open
                .iter()
                .rev()
                .find(|step| step.whence.workflow == self.whence.workflow);
            let found = same.or(open.last());
            self.workflow = found.map(|step| step.workflow.clone()).unwrap_or_default();
        }
    }
}

/// Follows where the run is: answers the steps that are over once an effect begins, the innermost first.
pub(super) fn pass(open: &mut Vec<OpenStep>, issued: &Issued) -> Vec<OpenStep> {
    let Effect::Checkpoint(checkpoint) = &issued.effect else {
        return Vec::new();
    };
    let lane = issued.key.lane.as_str();
    let is_over = |step: &OpenStep| match step.lane.strip_prefix(lane) {
        Some("") => step.depth >= checkpoint.depth,
        // Lanes that parted from this one met again before it goes on.
        Some(rest) => rest.starts_with('.'),
        None => false,
    };
    let mut over: Vec<OpenStep> = open.iter().filter(|step| is_over(step)).cloned().collect();
    over.reverse();
    open.retain(|step| !is_over(step));
    open.extend(checkpoint.step.iter().map(|label| OpenStep {
        lane: lane.to_owned(),
        depth: checkpoint.depth,
        whence: issued.whence,
        workflow: checkpoint.workflow.clone(),
        label: label.clone(),
    }));
    over
}

/// Says whether a hook is for the tools that an agent uses inside a turn.
pub(super) fn is_inside(own: &ProjectHook, whence: Whence, agent: Option<&str>) -> bool {
    let of_tools = matches!(own.hook.event, HookEvent::PreToolUse | HookEvent::PostToolUse);
    of_tools && is_in_force(&own.scope, whence, agent)
}

fn is_in_force(scope: &HookScope, whence: Whence, agent: Option<&str>) -> bool {
    match scope {
        HookScope::Run => true,
        HookScope::Workflow(at) => whence.workflow == *at,
        HookScope::File(file) => whence.file == *file,
        HookScope::Agent { name, module } => agent.is_some_and(|asked| match asked.split_once(':') {
            Some((of, short)) => short == name && module.as_deref() == Some(of),
            None => asked == name,
        }),
    }
}

/// Returns the key of the end of a run, which is no effect.
pub(super) fn end_key() -> Key {
    Key {
        lane: "0".into(),
        digest: "end".into(),
        n: 0,
    }
}

/// Says whether an event ends a step.
pub(super) fn is_closing(event: &str) -> bool {
    [HookEvent::AfterStep, HookEvent::Stop]
        .iter()
        .any(|it| it.name() == event)
}

/// Says whether a hook ran after what its key finds: that is recorded, and not performed again.
pub(super) fn is_after(past: &Hooked) -> bool {
    let after = [HookEvent::PostToolUse, HookEvent::AfterDispatch, HookEvent::OnEnd];
    let of_agent = past.event == HookEvent::Stop.name() && past.given.iter().any(|(name, _)| name == "AGENT");
    of_agent || after.iter().any(|it| it.name() == past.event)
}

fn capped(value: &str) -> String {
    let mut end = value.len().min(MAX_VALUE);
    while !value.is_char_boundary(end) {
        end -= 1;
    }
    value[..end].to_owned()
}

#[cfg(test)]
mod tests;
