//! A turn and what a person set in, who takes it and with which model out.

use crate::host::{Chosen, Staff};
use crate::machine::{Access, Task};

/// The tiers of models, the weakest first.
const TIERS: [&str; 3] = ["haiku", "sonnet", "opus"];
/// After how many failures a stronger model is asked.
const PATIENCE: u32 = 2;
/// From which level on no weaker tier than that of the level is asked.
const MANDATORY: u32 = 4;

/// Who takes a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Route {
    /// Agents by their specs, the first that can be asked takes it.
    pub(super) chain: Vec<String>,
    /// The model, by the name people use.
    pub(super) model: Option<String>,
}

/// Finds who takes a turn; answers the setting that says that nobody does.
pub(super) fn route(staff: &Staff, default: &str, task: &Task) -> Result<Route, String> {
    let names = names(task);
    let settings = || {
        let found = names.iter().filter_map(|name| {
            let (own, settings) = staff.tasks.iter().find(|(own, _)| own == name)?;
            Some((own.as_str(), settings))
        });
        found.collect::<Vec<_>>()
    };
    let settings = settings();
    let chosen = settings.iter().find_map(|(name, it)| Some((*name, it.agent.as_ref()?)));
    let first = match chosen {
        Some((name, Chosen::Nobody)) => return Err(format!("agents.tasks.{}.agent", quoted(name))),
        Some((_, Chosen::Agent(agent))) => agent.as_str(),
        None => default,
    };
    let fallback = settings.iter().find_map(|(_, it)| it.fallback.as_ref());
    let mut chain = vec![first.to_owned()];
    for next in fallback.unwrap_or(&staff.fallback) {
        if !chain.contains(next) {
            chain.push(next.clone());
        }
    }
    let own = settings.iter().find_map(|(_, it)| it.model.clone());
    Ok(Route {
        chain,
        model: by_level(staff, task, task.model.clone().or(own)),
    })
}

/// Returns the names under which something may be set about a turn, the closest first.
fn names(task: &Task) -> Vec<String> {
    let mut names = vec![format!("{}/{}", task.workflow, task.step)];
    if let Some(agent) = &task.agent {
        names.push(agent.clone());
        names.extend(agent.split_once(':').map(|(_, short)| short.to_owned()));
    }
    names.push(task.workflow.clone());
    names.push(kind(task).to_owned());
    names
}

/// Returns what kind of work a turn is.
fn kind(task: &Task) -> &'static str {
    match (task.only_judges(), task.access) {
        (true, _) => "judge",
        (false, Access::Read) => "review",
        (false, Access::Write) => "work",
    }
}

/// Returns the model that is named, or else the one of the work's level; at the highest level a weaker tier than the
/// level's does not do.
fn by_level(staff: &Staff, task: &Task, named: Option<String>) -> Option<String> {
    let Some(level) = level(task) else { return named };
    let at = staff.tiers.iter().filter(|(from, _)| *from <= level);
    let tier = at.max_by_key(|(from, _)| *from).map(|(_, model)| model.clone());
    let rank = |model: &String| TIERS.iter().position(|tier| tier == model);
    match (named, tier) {
        (Some(named), Some(tier)) if level >= MANDATORY && rank(&named).is_some() && rank(&named) < rank(&tier) => {
            Some(tier)
        }
        (named, tier) => named.or(tier),
    }
}

/// Finds the level of the work among the values of a turn.
fn level(task: &Task) -> Option<u32> {
    let given = |name: &str| {
        let handed = task.params.iter().find(|(own, _)| own == name);
        let known = task.variables.iter().find(|(own, _)| own == name);
        let text = handed.map(|(_, value)| value.to_string());
        text.or_else(|| known.map(|(_, value)| value.clone()))
    };
    ["tier", "level"]
        .into_iter()
        .find_map(|name| given(name)?.trim().parse().ok())
}

/// Returns the model for an attempt: the next tier after two failures, where the agent has one.
pub(super) fn escalated(model: &str, failures: u32, has: impl Fn(&str) -> bool) -> &str {
    let at = TIERS.iter().position(|tier| *tier == model);
    let next = at.and_then(|at| TIERS.get(at + 1)).filter(|next| has(next));
    match next {
        Some(next) if failures >= PATIENCE => next,
        Some(_) | None => model,
    }
}

/// Says whether a model is named by its tier.
pub(super) fn is_tier(model: &str) -> bool {
    TIERS.contains(&model)
}

fn quoted(name: &str) -> String {
    let plain = |each: char| each.is_ascii_alphanumeric() || "-_".contains(each);
    match name.chars().all(plain) {
        true => name.to_owned(),
        false => format!("\"{name}\""),
    }
}

#[cfg(test)]
mod tests {
    use super::{escalated, route};
    use crate::builtins::Value;
    use crate::host::{Chosen, Staff, TaskSettings};
    use crate::machine::{Access, Task};

    fn task(agent: Option<&str>, access: Access) -> Task {
        Task {
            workflow: "dev".to_owned(),
            step: "3".to_owned(),
            agent: agent.map(str::to_owned),
            prompt: "Look.".to_owned(),
            access,
            ..Task::default()
        }
    }

    fn with(tasks: &[(&str, TaskSettings)]) -> Staff {
        let tasks = tasks
            .iter()
            .map(|(name, settings)| ((*name).to_owned(), settings.clone()));
        Staff {
            fallback: vec!["b".to_owned(), "c".to_owned()],
            tasks: tasks.collect(),
            ..Staff::default()
        }
    }

    fn by(agent: &str) -> TaskSettings {
        TaskSettings {
            agent: Some(Chosen::Agent(agent.to_owned())),
            ..TaskSettings::default()
        }
    }

    fn chain(staff: &Staff, task: &Task) -> String {
        route(staff, "a", task).map_or_else(|key| key, |route| route.chain.join(" "))
    }

    #[test]
    fn what_is_set_closest_to_the_turn_counts() {
        let review = task(Some("bmm:critic"), Access::Read);
        assert_eq!(chain(&with(&[]), &review), "a b c");
        let mut set = vec![("review", by("kind"))];
        assert_eq!(chain(&with(&set), &review), "kind b c");
        assert_eq!(chain(&with(&set), &task(None, Access::Write)), "a b c");
        set.push(("dev", by("workflow")));
        assert_eq!(chain(&with(&set), &review), "workflow b c");
        set.push(("critic", by("agent")));
        assert_eq!(chain(&with(&set), &review), "agent b c");
        set.push(("dev/3", by("step")));
        assert_eq!(chain(&with(&set), &review), "step b c");
    }

    #[test]
    fn whoever_takes_over_is_set_apart_from_who_begins() {
        let nobody = TaskSettings {
            fallback: Some(Vec::new()),
            ..TaskSettings::default()
        };
        let staff = with(&[("work", nobody), ("dev", by("b"))]);
        assert_eq!(chain(&staff, &task(None, Access::Write)), "b");
        assert_eq!(chain(&staff, &task(None, Access::Read)), "b c");
    }

    #[test]
    fn work_that_is_switched_off_names_the_setting() {
        let off = TaskSettings {
            agent: Some(Chosen::Nobody),
            ..TaskSettings::default()
        };
        let turn = task(None, Access::Read);
        assert_eq!(
            chain(&with(&[("dev/3", off.clone())]), &turn),
            "agents.tasks.\"dev/3\".agent"
        );
        assert_eq!(chain(&with(&[("review", off)]), &turn), "agents.tasks.review.agent");
    }

    fn model(own: Option<&str>, level: Option<&str>, named: Option<&str>) -> Option<String> {
        let mut staff = with(&[(
            "review",
            TaskSettings {
                model: own.map(str::to_owned),
                ..TaskSettings::default()
            },
        )]);
        staff.tiers = [(0, "haiku"), (2, "sonnet"), (4, "opus")]
            .map(|(level, model)| (level, model.to_owned()))
            .to_vec();
        let mut turn = task(None, Access::Read);
        turn.model = named.map(str::to_owned);
        let level = level.map(|level| ("tier".to_owned(), Value::from(level)));
        turn.params.extend(level);
        route(&staff, "a", &turn).unwrap().model
    }

    #[test]
    fn the_model_comes_from_the_workflow_the_task_or_the_level() {
        assert_eq!(model(None, None, None), None);
        assert_eq!(model(None, Some("1"), None).as_deref(), Some("haiku"));
        assert_eq!(model(None, Some("3"), None).as_deref(), Some("sonnet"));
        assert_eq!(model(Some("haiku"), Some("3"), None).as_deref(), Some("haiku"));
        assert_eq!(model(Some("haiku"), Some("4"), None).as_deref(), Some("opus"));
        assert_eq!(model(Some("haiku"), Some("4"), Some("o3")).as_deref(), Some("o3"));
        assert_eq!(model(None, Some("high"), None), None);
    }

    #[test]
    fn two_failures_lead_one_tier_up_where_there_is_one() {
        assert_eq!(escalated("haiku", 1, |_| true), "haiku");
        assert_eq!(escalated("haiku", 2, |_| true), "sonnet");
        assert_eq!(escalated("sonnet", 5, |_| true), "opus");
        assert_eq!(escalated("opus", 5, |_| true), "opus");
        assert_eq!(escalated("haiku", 2, |tier| tier == "opus"), "haiku");
        assert_eq!(escalated("gpt", 2, |_| true), "gpt");
    }
}
