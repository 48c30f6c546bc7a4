//! Paths in, findings out.

mod verdicts;
mod wanted;

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::report::{Checked, Format, Ledger, RuleEntry, report};
use crate::cli::session::Session;
use crate::diagnostic::{Severity, nearest};
use crate::lint::{RULES, Settings, rule};
use crate::model::{Document, Role};
use crate::os::{Apart, Watch};
use crate::project::{Applied, Loaded, Next, Shared, check_all, project_around, repaired, work_here};
use crate::source::{ProjectPath, Source};
use crate::syntax::Format as Syntax;
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
pub(super) use verdicts::{Verdict, Verdicts};
use wanted::{note, wanted, wrong_settings};

/// How much of a report is printed at once, in bytes.
const PIECE: usize = 64 * 1024;

/// What is said where nothing was there to look into.
const UNKNOWN: &str =
    "no workflow, agent, skill or module is among these files, as BMAD 6 has them; so little was checked";

/// Which findings of each file were repaired.
type Repaired = BTreeMap<PathBuf, Vec<Applied>>;

/// How often fixes are applied again: one may uncover another.
const MAX_PASSES: usize = 8;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Without a path the BMAD installation around the current folder is found and checked.

An error does not do what it says, a warning probably does not, an info is worth
knowing, a hint is a better way. Only errors and warnings fail.

A finding is silenced where it is written, by a comment on the line before:
  <!-- bmad: allow(dead-goto) -->

Examples:
  bmad lint                             find the installation and check it
  bmad lint _bmad/bmm --level hint      show everything about one module
  bmad lint --fix workflows             repair what is safe to repair
  bmad lint --allow all --deny dead-goto,broken-reference
                                        look for two things only
  bmad lint --format sarif > bmad.sarif
                                        write a log for code scanning")]
pub(super) struct Args {
    /// Files and folders to check
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,

    /// Choose how findings are printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Format,

    /// Show findings of this severity and above
    #[arg(long, value_name = "SEVERITY", default_value = "warning")]
    #[arg(value_parser = severity_parser())]
    pub(super) level: Severity,

    /// Show at most this many findings; all are counted
    #[arg(long, value_name = "N")]
    pub(super) max: Option<usize>,

    /// Repair what is safe to repair
    #[arg(long)]
    pub(super) fix: bool,

    /// Check again whenever a file changes
    #[arg(long)]
    pub(super) watch: bool,

    /// Skip paths that match a pattern
    #[arg(long, value_name = "GLOB")]
    pub(super) exclude: Vec<String>,

    #[command(flatten)]
    pub(super) verdicts: Verdicts,
}

fn severity_parser() -> impl clap::builder::TypedValueParser<Value = Severity> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    let names = [Severity::Hint, Severity::Info, Severity::Warning, Severity::Error].map(Severity::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Severity>())
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    // Where nothing comes after it, its own thread has nothing else to do.
    let others = session.last.then(|| {
        // Whoever waits for changes all day leaves it to the system where its threads run.
        let apart = (!args.watch).then(Apart::find);
        work_here(move |thread, count| apart.iter().for_each(|apart| apart.keep(thread, count)))
    });
    let settings = settings(&args.verdicts)?;
    let paths = paths(args, session)?;
    if !args.watch {
        return once(args, &settings, &paths, session, others);
    }
    once(args, &settings, &paths, session, None)?;
    let mut watch = Watch::start(&paths).map_err(|error| Failure::work(error.to_string()))?;
    while !session.output.is_closed() {
        watch.wait().map_err(|error| Failure::work(error.to_string()))?;
        once(args, &settings, &paths, session, None)?;
    }
    Ok(Exit::Clean)
}

/// Returns what to check: the given paths, or the project around the current folder.
fn paths(args: &Args, session: &Session<'_>) -> Result<Vec<PathBuf>, Failure> {
    if args.paths.is_empty() {
        return Ok(vec![project_around(&*session.host(), session.folder())]);
    }
    let given = session.paths(&args.paths);
    given.map_err(|failure| failure.with_hint("`bmad lint` alone looks around the current folder"))
}

/// Checks everything once; afterwards nobody needs the `others`.
fn once(
    args: &Args,
    settings: &Settings,
    paths: &[PathBuf],
    session: &mut Session<'_>,
    others: Option<Shared>,
) -> Result<Exit, Failure> {
    let repaired = match args.fix {
        true => repair(args, settings, paths, session)?,
        false => Repaired::new(),
    };
    let mut ledger = Ledger::new(report(args.format, session.look, &entries()), args.level, args.max);
    ledger.repaired(repaired.values().map(Vec::len).sum());
    let (mut sites, idle) = wanted(args, paths, session);
    if !args.watch {
        note(&sites, &idle, session)?;
    }
    let wrong = wrong_settings(&sites, session);
    sites.extend(wrong);
    let folder = session.folder().to_path_buf();
    let next = match session.last && !args.watch {
        true => Next::Exit,
        false => Next::Work,
    };
    let host = session.host();
    // Secrets are looked for in long pieces: the end of each is looked at twice.
    let mut output = BufWriter::with_capacity(PIECE, &mut session.output);
    if args.format == Format::Text {
        list(&repaired, &folder, &mut output)?;
    }
    let (mut is_read, mut is_known) = (false, false);
    let mut empty = Vec::new();
    let counting = settings.clone().counting_below(args.level);
    check_all(&host, sites, &counting, next, |checked| {
        let loaded = &checked.loaded;
        is_read |= says_something(loaded);
        is_known |= loaded.library.documents().any(is_of_bmad);
        let sources: Vec<&Source> = loaded.library.documents().map(|document| &document.source).collect();
        let root = shown(&loaded.root, &folder);
        empty.extend(empty_ones(loaded).map(|path| shown(&loaded.root.join(path.as_str()), &folder)));
        let shown = Checked {
            sources: &sources,
            files: checked.asked(),
            root: &root,
            findings: &checked.findings,
        };
        ledger.project(&shown, &mut output)
    })?;
    // Whoever left files out, or waits for some, knows that there may be none.
    let is_in_vain = (ledger.is_empty() || !is_read) && args.exclude.is_empty() && !args.watch;
    if is_in_vain && args.format == Format::Text {
        return Err(nothing(args));
    }
    let summary = ledger.finish(&mut output)?;
    // They end while this thread writes.
    drop(others);
    if !is_known && !is_in_vain && args.format == Format::Text {
        writeln!(output, "note: {UNKNOWN}")?;
    }
    output.flush()?;
    for path in empty {
        writeln!(
            session.errors,
            "note: `{path}` is empty, so there was nothing in it to check"
        )?;
    }
    match is_in_vain {
        true => Err(nothing(args)),
        false => Ok(summary.exit()),
    }
}

/// Says whether anything that a person asked for is a file of a kind that is read, or says what its name does not.
fn says_something(loaded: &Loaded) -> bool {
    let is_read = |path: &ProjectPath| {
        let role = loaded.library.at(path).map(|document| document.role);
        Syntax::of(path.name()).is_some() || role.is_none_or(|role| role != Role::Other)
    };
    loaded.only.is_empty() || loaded.only.iter().any(is_read)
}

/// Lists what was repaired, file by file.
fn list(repaired: &Repaired, folder: &Path, output: &mut dyn Write) -> io::Result<()> {
    for (path, fixes) in repaired {
        let path = shown(path, folder);
        writeln!(output, "{path}: {} repaired", fixes.len())?;
        for Applied { code, at, title } in fixes {
            writeln!(output, "  {path}:{}:{} {}: {title}", at.line, at.column, code.0)?;
        }
    }
    Ok(())
}

/// Returns the files that a person named and in which nothing is written.
fn empty_ones(loaded: &Loaded) -> impl Iterator<Item = &ProjectPath> {
    let is_empty = |document: &Document| document.parsed.faults.is_empty() && document.source.text().trim().is_empty();
    let named = loaded.only.iter();
    named.filter(move |path| loaded.library.at(path).is_some_and(is_empty))
}

/// Says whether a file is a part of what the engine knows, and not any page.
fn is_of_bmad(document: &Document) -> bool {
    !matches!(document.role, Role::Template | Role::Other)
}

/// Says that there was nothing to check, and what to do about it.
fn nothing(args: &Args) -> Failure {
    let failure = match args.paths.as_slice() {
        [] => Failure::usage("there is nothing to check around this folder"),
        given => {
            let names: Vec<String> = given.iter().map(|path| format!("`{}`", path.display())).collect();
            Failure::usage(format!("there is nothing to check in {}", names.join(", ")))
        }
    };
    failure.with_hint("name the folder of a BMAD installation, of a module or of a skill: `bmad lint PATH`")
}

/// Applies safe fixes until none is left; every file is written whole or not at all.
///
/// Returns what was repaired in each file.
fn repair(args: &Args, settings: &Settings, paths: &[PathBuf], session: &mut Session<'_>) -> Result<Repaired, Failure> {
    let mut done = Repaired::new();
    for _ in 0..MAX_PASSES {
        let mut changed = Vec::new();
        let (sites, _) = wanted(args, paths, session);
        check_all(
            &session.host(),
            sites,
            settings,
            Next::Work,
            |checked| -> Result<(), Failure> {
                changed.extend(repaired(checked));
                Ok(())
            },
        )?;
        if changed.is_empty() {
            break;
        }
        for file in changed {
            let path = file.path;
            session
                .host()
                .write(&path, file.text.as_bytes())
                .map_err(|error| Failure::work(format!("`{}` could not be written: {error}", path.display())))?;
            done.entry(path).or_default().extend(file.fixes);
        }
    }
    Ok(done)
}

/// Returns the display form of a project's root: as seen from the current folder where that is shorter.
fn shown(root: &Path, folder: &Path) -> String {
    root.strip_prefix(folder).unwrap_or(root).display().to_string()
}

fn entries() -> Vec<RuleEntry> {
    RULES
        .iter()
        .map(|rule| RuleEntry {
            code: rule.code,
            severity: rule.severity,
            summary: rule.summary,
            page: rule.page,
        })
        .collect()
}

/// Turns what the person said about rules into settings; the last word on a rule counts.
fn settings(verdicts: &Verdicts) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    for (verdict, name) in &verdicts.0 {
        if name != "all" && rule(name).is_none() {
            let near = nearest(name, RULES.iter().map(|rule| rule.code.0));
            let hint = near.map_or("`bmad explain rules` lists them".to_owned(), |near| {
                format!("did you mean `{near}`?")
            });
            return Err(Failure::usage(format!("there is no rule `{name}`")).with_hint(hint));
        }
        let level = match verdict {
            Verdict::Deny => Some(Severity::Error),
            Verdict::Warn => Some(Severity::Warning),
            Verdict::Allow => None,
        };
        settings.set(name, level);
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::{Args, Verdict};
    use crate::diagnostic::Severity;
    use clap::{Args as _, Command, FromArgMatches};

    fn parse(words: &[&str]) -> Args {
        let command = Args::augment_args(Command::new("lint").no_binary_name(true));
        Args::from_arg_matches(&command.get_matches_from(words)).unwrap()
    }

    #[test]
    fn verdicts_keep_the_order_they_were_given_in() {
        let args = parse(&["--allow", "all", "a.xml", "--deny", "b,c", "--warn=d", "--allow", "c"]);
        let said: Vec<(Verdict, &str)> = args
            .verdicts
            .0
            .iter()
            .map(|(verdict, rule)| (*verdict, rule.as_str()))
            .collect();
        assert_eq!(
            said,
            [
                (Verdict::Allow, "all"),
                (Verdict::Deny, "b"),
                (Verdict::Deny, "c"),
                (Verdict::Warn, "d"),
                (Verdict::Allow, "c"),
            ]
        );
    }

    #[test]
    fn warnings_and_errors_are_shown_unless_somebody_says_otherwise() {
        assert_eq!(parse(&[]).level, Severity::Warning);
        assert_eq!(parse(&["--level", "hint"]).level, Severity::Hint);
    }
}
