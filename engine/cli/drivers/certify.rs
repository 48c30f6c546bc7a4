//! One driver, put through everything that can go wrong.

use super::{CertifyArgs, Format};
use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::drivers::lab::{Finding, Report, certify};
use crate::drivers::{Options, Probe, probe};
use crate::os::clock::SystemClock;
use crate::os::scratch::Scratch;
use serde_json::json;
use std::io::Write as _;
use std::sync::Arc;

pub(super) fn show(args: &CertifyArgs, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let folder = Scratch::make(&session.scratch_folder())
        .map_err(|error| Failure::work(format!("there is no folder to work in: {error}")))?;
    let options = Options {
        clock: Some(Arc::new(SystemClock)),
        ..super::options(&args.name, args.state_dir.as_deref(), session)?
    };
    let found = probe(&args.name, &options).ok();
    let report = certify(&args.name, &args.only, &options, folder.path())
        .map_err(|why| Failure::usage(why).with_hint("`bmad drivers` lists the agents"))?;
    match args.format {
        Format::Text => text(&report, found.as_ref(), session)?,
        Format::Json => writeln!(session.output, "{}", value(&report, found.as_ref()))?,
        Format::Markdown => markdown(&report, found.as_ref(), session)?,
    }
    Ok(match failures(&report) {
        0 => Exit::Clean,
        _ => Exit::Findings,
    })
}

fn failures(report: &Report) -> usize {
    report.findings.iter().filter(|finding| finding.wrong.is_some()).count()
}

/// Names the program that was found here, so that a table says what it is about.
fn stamp(report: &Report, found: Option<&Probe>) -> String {
    let engine = env!("CARGO_PKG_VERSION");
    match found.and_then(|found| found.version.as_ref().ok()) {
        Some(version) => format!("{} {version}, bmad {engine}", report.agent),
        None => format!("{}, bmad {engine}", report.agent),
    }
}

fn how(finding: &Finding) -> &'static str {
    match (&finding.wrong, finding.left_out) {
        (Some(_), _) => "FAILED",
        (None, true) => "left out",
        (None, false) => "ok",
    }
}

fn text(report: &Report, found: Option<&Probe>, session: &mut Session<'_>) -> Result<(), Failure> {
    writeln!(session.output, "{}", stamp(report, found))?;
    let width = report
        .findings
        .iter()
        .map(|finding| finding.scenario.len())
        .max()
        .unwrap_or(0);
    for finding in &report.findings {
        writeln!(
            session.output,
            "{:<8}  {:<width$}  {}",
            how(finding),
            finding.scenario,
            finding.class
        )?;
        if let Some(wrong) = &finding.wrong {
            writeln!(session.output, "          {wrong}")?;
        }
    }
    let left = report.findings.iter().filter(|finding| finding.left_out).count();
    let played = report.findings.len() - left;
    writeln!(
        session.output,
        "{played} played, {} failed, {left} left out: the agent has no words for them",
        failures(report)
    )?;
    Ok(())
}

fn markdown(report: &Report, found: Option<&Probe>, session: &mut Session<'_>) -> Result<(), Failure> {
    writeln!(session.output, "### {}\n", stamp(report, found))?;
    if let Some(found) = found {
        writeln!(session.output, "| it can | |\n|---|---|")?;
        for (can, has) in found.abilities() {
            writeln!(
                session.output,
                "| {} | {} |",
                can.name(),
                if has { "yes" } else { "no" }
            )?;
        }
        writeln!(session.output)?;
    }
    writeln!(session.output, "| scenario | came out as | |\n|---|---|---|")?;
    for finding in &report.findings {
        writeln!(
            session.output,
            "| {} | {} | {} |",
            finding.scenario,
            finding.class,
            how(finding)
        )?;
    }
    Ok(())
}

fn value(report: &Report, found: Option<&Probe>) -> serde_json::Value {
    let findings: Vec<serde_json::Value> = report
        .findings
        .iter()
        .map(|finding| json!({"scenario": finding.scenario, "class": finding.class, "result": how(finding), "wrong": finding.wrong}))
        .collect();
    let can: Option<serde_json::Map<String, serde_json::Value>> = found.map(|found| {
        let pairs = found.abilities().into_iter();
        pairs.map(|(can, has)| (can.name().to_owned(), json!(has))).collect()
    });
    json!({
        "agent": report.agent, "bmad": env!("CARGO_PKG_VERSION"),
        "version": found.and_then(|found| found.version.as_ref().ok()).map(ToString::to_string),
        "can": can, "scenarios": findings,
    })
}
