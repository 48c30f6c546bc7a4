//! One agent, looked at without spending anything.

use super::ProbeArgs;
use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::drivers::{Login, Probe, Unusable, probe};
use serde_json::json;
use std::io::Write as _;

pub(super) fn show(args: &ProbeArgs, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let found = probe(
        &args.name,
        &super::options(&args.name, args.state_dir.as_deref(), session)?,
    )
    .map_err(|error| Failure::usage(error.to_string()).with_hint("`bmad drivers` lists the agents"))?;
    if args.json {
        writeln!(session.output, "{}", value(&found))?;
    } else {
        tell(&found, session)?;
    }
    Ok(match found.version {
        Ok(_) => Exit::Clean,
        Err(_) => Exit::Findings,
    })
}

fn tell(found: &Probe, session: &mut Session<'_>) -> Result<(), Failure> {
    let card = found.card;
    writeln!(session.output, "{} ({})", card.title, card.name)?;
    writeln!(session.output, "  program   {}", found.program)?;
    match &found.version {
        Ok(version) => writeln!(session.output, "  version   {version}{}", tried(found))?,
        Err(why) => writeln!(session.output, "  version   {}", unusable(found, why))?,
    }
    let login = match &found.login {
        Login::Key(name) => format!("a key in {name}"),
        Login::File(file) => format!("a login in {file}"),
        Login::Unseen => "none that can be seen from here".to_owned(),
    };
    writeln!(session.output, "  login     {login}")?;
    for (can, has) in found.abilities() {
        writeln!(
            session.output,
            "  {:<18} {}",
            can.name(),
            if has { "yes" } else { "no" }
        )?;
    }
    Ok(())
}

fn tried(found: &Probe) -> String {
    match found.card.tried {
        Some(tried) => format!(" (tried with {tried})"),
        None => " (nobody could try this one yet)".to_owned(),
    }
}

/// Says why a program cannot be used, and what to do.
pub(in crate::cli) fn unusable(found: &Probe, why: &Unusable) -> String {
    let card = found.card;
    let other = match card.program {
        "" => format!("name another program after `{}:`", card.name),
        _ => format!("set `program` under `[agents.{}]` in `bmad.toml`", card.name),
    };
    match why {
        Unusable::Missing => match found.install() {
            Some(install) => format!("not found; `{install}` installs it, or {other}"),
            None => format!("not found; install it, or {other}"),
        },
        Unusable::NotRunnable(why) => format!("cannot be run ({why}); make it executable, or {other}"),
        Unusable::Strange(words) => format!("tells no version ({words}); is it the right program? {other}"),
        Unusable::Old(version) => {
            let newer = found
                .install()
                .map_or_else(|| "install a newer one".to_owned(), |install| format!("`{install}`"));
            format!(
                "{version} is older than {}, the oldest that works; {newer}",
                card.oldest
            )
        }
    }
}

fn value(found: &Probe) -> serde_json::Value {
    let version = match &found.version {
        Ok(version) => json!(version.to_string()),
        Err(_) => json!(null),
    };
    let problem = found.version.as_ref().err().map(|why| unusable(found, why));
    let login = match &found.login {
        Login::Key(name) => json!({"key": name}),
        Login::File(file) => json!({"file": file}),
        Login::Unseen => json!(null),
    };
    let abilities: serde_json::Map<String, serde_json::Value> = found
        .abilities()
        .into_iter()
        .map(|(can, has)| (can.name().to_owned(), json!(has)))
        .collect();
    json!({
        "agent": found.card.name, "program": found.program, "version": version, "problem": problem,
        "tried": found.card.tried, "login": login, "can": abilities,
    })
}
