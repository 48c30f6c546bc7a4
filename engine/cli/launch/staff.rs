//! What is set about agents in, agents that can be asked out. Whatever is wrong is said before anything is started.

use super::RunArgs;
use super::engaged::{self, EngagedAgent, Home, Watch};
use crate::cli::brief::with_state;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::drivers;
use crate::host::{AgentSettings, Begun, Chosen, Spec, Staff};
use crate::os::{Unstartable, find_program};
use crate::policy::secret::is_masked;
use crate::project::{Loaded, Mistake, NamedAgent, Staffed, staff, wrong_configuration};
use crate::runner::Member;
use std::path::Path;
use std::sync::Arc;

/// Who works where nobody says anything.
const NOBODY_ELSE: &str = "offline";
/// Agents that know the names of the tiers themselves.
const KNOW_TIERS: &[&str] = &["claude-code"];

/// Returns what a project sets about agents.
pub(super) fn read(root: &Path, session: &Session<'_>) -> Result<Staffed, Failure> {
    staff(&*session.host(), root).map_err(|mistakes| wrong(&mistakes))
}

/// Returns who works in a project, and what a run of it may use.
pub(in crate::cli) fn set(root: &Path, session: &Session<'_>) -> Result<Staff, Failure> {
    Ok(read(root, session)?.staff)
}

/// Refuses to start where the configuration of the installation sets something that it does not have.
pub(in crate::cli) fn check_configuration(loaded: &Loaded) -> Result<(), Failure> {
    match &wrong_configuration(loaded)[..] {
        [] => Ok(()),
        mistakes => Err(wrong(mistakes)),
    }
}

fn wrong(mistakes: &[Mistake]) -> Failure {
    let told: Vec<String> = mistakes
        .iter()
        .map(|mistake| format!("{}: {}", mistake.place, mistake.message))
        .collect();
    let mut failure = Failure::usage(told.join("\n       "));
    for mistake in mistakes {
        failure = failure.with_hint(&*mistake.help);
    }
    failure.with_hint("nothing was started, so that nobody works in another way than you meant")
}

/// Says who does the work of a new run, after everybody who may be asked was looked at.
pub(in crate::cli) fn check_agents(root: &Path, args: &RunArgs, session: &Session<'_>) -> Result<String, Failure> {
    let staffed = read(root, session)?;
    let given = args.agent.clone().or_else(|| staffed.staff.default.clone());
    let default = given.unwrap_or_else(|| NOBODY_ELSE.to_owned());
    let home = Home {
        root,
        state: args.state_dir.as_deref(),
    };
    check(&staffed, &default, args.agent(), home, session)?;
    Ok(default)
}

/// Looks at everybody whom the project lets work where nobody else is named.
pub(in crate::cli) fn check_default(root: &Path, state: Option<&Path>, session: &Session<'_>) -> Result<(), Failure> {
    let staffed = read(root, session)?;
    let default = staffed.staff.default.clone();
    let home = Home { root, state };
    check(&staffed, default.as_deref().unwrap_or(NOBODY_ELSE), None, home, session)
}

/// Finds who goes on with a run, whom the person names or who began it, and looks at everybody who may be asked.
pub(in crate::cli) fn check_successor(
    begun: &mut Begun,
    root: &Path,
    args: &RunArgs,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let staffed = read(root, session)?;
    // A name that is not kept as a whole may be another one than was typed.
    begun.typed &= !is_masked(&begun.agent);
    let same = |agent: &String| kept(agent, session) == begun.agent;
    let given = args.agent.clone().or_else(|| staffed.staff.default.clone());
    if let Some(agent) = given.filter(same) {
        begun.agent = agent;
    }
    let agent = args.agent().unwrap_or(&begun.agent);
    if args.agent.is_none() && is_masked(agent) {
        let run = &begun.run;
        let resume = with_state(format!("bmad resume {run} --agent AGENT"), args.state_dir.as_deref());
        let error = format!("run {run} was begun by `{agent}`: a secret in the name of an agent is not kept");
        return Err(Failure::usage(error)
            .with_hint(format!("name it once more: {resume}"))
            .with_hint("in a variable it would not be seen: `pass` under `[agents.NAME]` in `bmad.toml`"));
    }
    let home = Home {
        root,
        state: args.state_dir.as_deref(),
    };
    check(&staffed, agent, typed(begun, args), home, session)
}

/// Returns the agent of a run that the person named themselves, now or when it began.
pub(super) fn typed<'a>(begun: &'a Begun, args: &'a RunArgs) -> Option<&'a str> {
    args.agent().or_else(|| begun.typed.then_some(&*begun.agent))
}

/// Returns the name of an agent as it is written down.
pub(super) fn kept(agent: &str, session: &Session<'_>) -> String {
    session.secrets.masked_loosely(agent).into_owned()
}

fn check(
    staffed: &Staffed,
    default: &str,
    typed: Option<&str>,
    home: Home<'_>,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let options = options(&staffed.staff, home.root, session);
    let specs = specs(&staffed.staff, default);
    engaged::check(staffed, &specs, typed, home, session)?;
    for spec in specs {
        let named = staffed.named.iter().find(|named| named.agent == spec);
        if let Err(error) = drivers::named(&spec, &options) {
            return Err(match named {
                Some(named) => unknown(named, &error.to_string()),
                None => Failure::usage(error.to_string())
                    .with_hint("`bmad drivers` lists the agents; `command:PROGRAM` and `acp:PROGRAM` start any other"),
            });
        }
        if let Some(program) = drivers::program(&spec, &options)
            && let Err(why) = find_program(&program, session.search_path(), home.root)
        {
            return Err(unstartable(&spec, &program, &why, named));
        }
    }
    Ok(())
}

fn unknown(named: &NamedAgent, error: &str) -> Failure {
    Failure::usage(format!("{}: `{}`: {error}", named.place, named.key))
        .with_hint("`bmad drivers` lists the agents; `command:PROGRAM` and `acp:PROGRAM` start any other")
        .with_hint("nothing was started")
}

fn unstartable(spec: &str, program: &str, why: &Unstartable, named: Option<&NamedAgent>) -> Failure {
    let name = Spec::parse(spec).name;
    let place = named.map_or(String::new(), |named| format!("{}: `{}`: ", named.place, named.key));
    let what = match why {
        Unstartable::Missing => format!("the program `{program}` of the agent `{name}` is not there"),
        Unstartable::NotExecutable(path) => format!(
            "the program of the agent `{name}` cannot be started: `{}` is not executable",
            path.display()
        ),
    };
    let failure = Failure::usage(format!("{place}{what}"));
    let failure = match (why, drivers::card(name)) {
        (Unstartable::NotExecutable(path), _) => failure.with_hint(format!("`chmod +x {}`", path.display())),
        (Unstartable::Missing, Some(card)) if card.program == program => failure
            .with_hint(format!("install it with `{}`", card.install))
            .with_hint(format!("or set `program` under `[agents.{name}]` in `bmad.toml`")),
        (Unstartable::Missing, Some(_) | None) => failure.with_hint("name a program that is on the PATH, or its path"),
    };
    let is_path = program.starts_with('.') && *why == Unstartable::Missing;
    let failure = match is_path {
        true => failure.with_hint("`--agent` sees such a path from the folder you are in, `bmad.toml` from its own"),
        false => failure,
    };
    failure.with_hint("nothing was started")
}

/// Returns everybody who may be asked, the one who is asked first of all at the front.
fn specs(staff: &Staff, default: &str) -> Vec<String> {
    let mut specs = vec![default.to_owned()];
    let tasks = staff.tasks.iter().flat_map(|(_, task)| {
        let agent = match &task.agent {
            Some(Chosen::Agent(agent)) => Some(agent),
            Some(Chosen::Nobody) | None => None,
        };
        agent.into_iter().chain(task.fallback.iter().flatten())
    });
    for spec in staff.fallback.iter().chain(tasks) {
        if !specs.contains(spec) {
            specs.push(spec.clone());
        }
    }
    specs
}

/// Says whether somebody may be asked who is a program with files of its own.
pub(super) fn has_programs(staff: &Staff, default: &str) -> bool {
    let is_program = |spec: &String| drivers::card(Spec::parse(spec).innermost().name).is_some();
    specs(staff, default).iter().any(is_program)
}

/// Returns what drivers are made with that is set about agents.
pub(super) fn options(staff: &Staff, root: &Path, session: &Session<'_>) -> drivers::Options {
    let mut options = drivers::Options::new(session.host(), root);
    options.agents.clone_from(&staff.agents);
    let cards = drivers::DRIVERS.iter().filter_map(|kind| drivers::card(kind.name));
    let mut wanted: Vec<&str> = cards.flat_map(|card| card.variables.iter().copied()).collect();
    wanted.extend(
        staff
            .agents
            .iter()
            .flat_map(|(_, it)| it.pass.iter().map(String::as_str)),
    );
    options.environment = session.inherited(|name| wanted.contains(&name));
    options
}

/// Returns what drivers are made with in the project at a root; what nobody trusts of it is left out.
pub(in crate::cli) fn agents_at(
    root: &Path,
    state: Option<&Path>,
    session: &Session<'_>,
) -> Result<drivers::Options, Failure> {
    let staffed = read(root, session)?;
    let trusted = engaged::trusted(&staffed, Home { root, state }, session)?;
    Ok(options(&trusted.staff, root, session))
}

/// Refuses to look at an agent that is what it is by settings that nobody trusts.
pub(in crate::cli) fn check_named(
    name: &str,
    root: &Path,
    state: Option<&Path>,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let home = Home { root, state };
    engaged::check(&read(root, session)?, &[name.to_owned()], None, home, session)
}

/// Lists what the settings of a project say about agents that somebody has to trust.
pub(in crate::cli) fn engaged_at(
    root: &Path,
    state: Option<&Path>,
    session: &Session<'_>,
) -> Result<Vec<EngagedAgent>, Failure> {
    // Settings that cannot be read let nobody do anything; whoever starts a run is told.
    match read(root, session) {
        Ok(staffed) => engaged::found(&staffed, Home { root, state }, session),
        Err(_) => Ok(Vec::new()),
    }
}

/// Makes everybody who may be asked.
pub(super) fn members(
    staff: &Staff,
    default: &str,
    options: &drivers::Options,
    watch: &Arc<Watch>,
) -> Result<Vec<Member>, Failure> {
    let member = |spec: String| {
        let driver = drivers::named(&spec, options).map_err(|error| {
            Failure::usage(error.to_string())
                .with_hint("`bmad drivers` lists the agents; `command:PROGRAM` and `acp:PROGRAM` start any other")
        })?;
        let inner = Spec::parse(&spec).innermost();
        let set = about(&inner, staff);
        let is_cli = drivers::card(inner.name).is_some();
        // What follows `acp` is a program, and no model.
        let has_model = is_cli && inner.name != "acp" && !inner.argument.is_empty();
        let given = has_model.then(|| inner.argument.to_owned());
        Ok(Member {
            driver: watch.guard(&spec, driver),
            model: given.or_else(|| set.and_then(|set| set.model.clone())),
            models: set.map(|set| set.models.clone()).unwrap_or_default(),
            knows_tiers: !is_cli || KNOW_TIERS.contains(&inner.name),
            spec,
        })
    };
    specs(staff, default).into_iter().map(member).collect()
}

/// Returns what is set about an agent: by the name of its description, where it has one.
fn about<'s>(spec: &Spec<'_>, staff: &'s Staff) -> Option<&'s AgentSettings> {
    let named = |name: &str| staff.agents.iter().find(|(own, _)| own == name).map(|(_, set)| set);
    let described = spec.table().and_then(|table| named(&table));
    described
        .filter(|set| set.program.is_some())
        .or_else(|| named(spec.name))
}
