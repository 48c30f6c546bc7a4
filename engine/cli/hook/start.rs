//! What a review is about in, the state file that the stop hook reads out; and its end.

use super::place::{self, Settings};
use super::{PLUGIN, StartArgs, plugin, target};
use crate::builtins::Value;
use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::session::{Session, tidy};
use crate::host::{Clock, stays_in};
use crate::machine::render;
use crate::os::clock::{Moment, SystemClock};
use crate::policy::stop::{LoopState, Tally, tally};
use crate::project::STDLIB;
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The template of the state file, below the core module.
const TEMPLATE: &str = "templates/review-loop-state.yaml";
/// The names that the template may use.
const NAMES: [&str; 17] = [
    "active",
    "workflow_name",
    "section_name",
    "content_path",
    "tracker_path",
    "round",
    "iteration",
    "initial_confidence",
    "confidence",
    "issues",
    "metrics",
    "context",
    "repetition",
    "review_loop",
    "started_at",
    "now",
    "original_prompt",
];

/// A review that begins.
pub(super) struct Review<'a> {
    /// What is set about reviews.
    pub(super) review_loop: Value,
    /// The document, where one is named.
    pub(super) document: &'a str,
    /// The tracker, as seen from the project.
    pub(super) tracker: &'a str,
    /// How many issues are open.
    pub(super) open: u64,
    /// What the agent is told each time it is sent back.
    pub(super) prompt: &'a str,
    /// When it begins.
    pub(super) began: i64,
}

pub(super) fn run(args: &StartArgs, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let settings = place::here(session);
    let path = state_file(&settings)?;
    if !args.again && is_on(&path, session) {
        return Err(
            Failure::usage("a review is on already").with_hint("`bmad hook end` calls it off; `--again` begins anew")
        );
    }
    let tracker = match &args.tracker {
        Some(tracker) => named(tracker, &settings, session)?,
        None => inside(&unfinished(settings.tracker(), session), &settings)?,
    };
    if args.tracker.is_some() && is_finished(&settings.root.join(&tracker), session) {
        return Err(
            Failure::usage(format!("nothing is open in `{tracker}`: the agent could stop at once"))
                .with_hint("remove it, or name another one; without `--tracker` a new one is begun"),
        );
    }
    let document = match &args.document {
        Some(document) => named(document, &settings, session)?,
        None => String::new(),
    };
    let about = match document.as_str() {
        "" => "you were asked for".to_owned(),
        document => format!("of {document}"),
    };
    let prompt = format!("Finish the review {about}: find the issues, fix them, and keep {tracker} up to date.");
    let text = template(&settings, session);
    let text = filled(
        &text,
        &Review {
            review_loop: limits(settings.review_loop(), args),
            document: &document,
            tracker: &tracker,
            open: open(&settings.root.join(&tracker), session),
            prompt: args.prompt.as_deref().unwrap_or(&prompt),
            began: SystemClock.now(),
        },
    )?;
    let text = match &args.promise {
        Some(promise) => with_promise(&text, promise)?,
        None => text,
    };
    let state = LoopState::read(&text).map_err(|error| {
        let hint = format!("repair or remove `_bmad/core/{TEMPLATE}`");
        Failure::usage(format!(
            "the template of the state file makes one that the hook cannot read: {error}"
        ))
        .with_hint(hint)
    })?;
    keep(&path, &text, &settings, session)?;
    told(&state, &path, &settings, session)
}

/// Writes the state file; a link must not lead out of the project.
fn keep(path: &Path, text: &str, settings: &Settings, session: &Session<'_>) -> Result<(), Failure> {
    let (host, shown) = (session.host(), path.display());
    if !stays_in(&settings.root, path, &*host) {
        return Err(Failure::usage(format!("`{shown}` leads out of the project by a link"))
            .with_hint("remove the link, or name another `state_file` under `review_loop`; nothing was written"));
    }
    host.write(path, text.as_bytes())
        .map_err(|error| Failure::work(format!("`{shown}` could not be written: {error}")))
}

/// Tells what was begun, and what may keep it from working.
fn told(state: &LoopState, path: &Path, settings: &Settings, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let seen = settings.seen(path);
    let out = &mut session.output;
    writeln!(out, "a review is on: {seen}")?;
    writeln!(out, "  tracker   {}", state.tracker.as_deref().unwrap_or("none"))?;
    writeln!(out, "  rounds    {}", state.max_rounds)?;
    writeln!(out, "  ends with <review-complete>{}</review-complete>", state.promise)?;
    let sent_back = state.max_rounds.saturating_sub(state.round);
    if sent_back > target::CLAUDE_CAP {
        let cap = target::CLAUDE_CAP;
        writeln!(
            session.errors,
            "note: Claude Code ends a turn when it was sent back {cap} times in a row; set \
             CLAUDE_CODE_STOP_HOOK_BLOCK_CAP={sent_back} where it is started"
        )?;
    }
    if target::installed(settings, session).is_empty() && !plugin::is_ours(&settings.root.join(PLUGIN), session) {
        writeln!(
            session.errors,
            "note: no agent runs the hook in this project; `bmad hook install --agent AGENT` sets it up"
        )?;
    }
    Ok(Exit::Clean)
}

pub(super) fn end(session: &mut Session<'_>) -> Result<Exit, Failure> {
    let settings = place::here(session);
    let path = state_file(&settings)?;
    if !session.host().exists(&path) {
        writeln!(session.output, "no review is on")?;
        return Ok(Exit::Clean);
    }
    session
        .host()
        .remove(&path)
        .map_err(|error| Failure::work(format!("`{}` could not be removed: {error}", path.display())))?;
    writeln!(session.output, "the review is called off; the agent may stop")?;
    Ok(Exit::Clean)
}

/// Fills the template of a state file.
pub(super) fn filled(template: &str, review: &Review<'_>) -> Result<String, Failure> {
    let stamp = Moment::at(review.began).stamp();
    #[expect(clippy::cast_precision_loss, reason = "nobody has that many issues")]
    let open = Value::Number(review.open as f64);
    let map = |entries: &[(&str, Value)]| {
        let entries = entries.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        Value::Map(entries.collect())
    };
    let (none, nothing) = (Value::Number(0.0), Value::List(Vec::new()));
    let names = |name: &str| {
        Some(match name {
            "active" => Value::from("true"),
            "workflow_name" | "section_name" => Value::from(""),
            "content_path" => Value::from(review.document),
            "tracker_path" => Value::from(review.tracker),
            "round" => Value::Number(1.0),
            "iteration" | "initial_confidence" => none.clone(),
            "confidence" => map(&[("score", none.clone())]),
            "issues" => map(&[
                ("total", open.clone()),
                ("pending", open.clone()),
                ("in_progress", none.clone()),
                ("fixed", none.clone()),
                ("blocked", nothing.clone()),
            ]),
            "metrics" => map(&[("consecutive_failures", none.clone()), ("failures", none.clone())]),
            "context" => map(&[("errors", nothing.clone())]),
            "repetition" => map(&[("hashes", nothing.clone())]),
            "review_loop" => review.review_loop.clone(),
            "started_at" | "now" => Value::from(stamp.as_str()),
            "original_prompt" => Value::from(review.prompt),
            _ => return None,
        })
    };
    render::ours(template, &names, &NAMES.map(str::to_owned)).map_err(|error| {
        let hint = format!("repair or remove `_bmad/core/{TEMPLATE}`");
        Failure::usage(format!("the state file could not be made: {error}")).with_hint(hint)
    })
}

/// Returns the template of the standard library.
pub(super) fn standard() -> &'static str {
    let mut files = STDLIB.iter();
    files.find(|file| file.path == TEMPLATE).map_or("", |file| file.text)
}

/// Returns the template: the project's own, or the standard one.
fn template(settings: &Settings, session: &Session<'_>) -> String {
    let own = session.host().read(&settings.root.join("_bmad/core").join(TEMPLATE));
    let own = own.ok().and_then(|bytes| String::from_utf8(bytes).ok());
    own.unwrap_or_else(|| standard().to_owned())
}

/// Puts what the person says in the place of what is set.
fn limits(mut review_loop: Value, args: &StartArgs) -> Value {
    let mut set = |name: &str, number: Option<f64>| {
        let Value::Map(entries) = &mut review_loop else {
            return;
        };
        let limits = entries.iter_mut().find(|(key, _)| key == "limits");
        if let (Some((_, Value::Map(limits))), Some(number)) = (limits, number) {
            limits.retain(|(key, _)| key != name);
            limits.push((name.to_owned(), Value::Number(number)));
        }
    };
    set("max_review_rounds", args.max_rounds.map(f64::from));
    set(
        "max_runtime_seconds",
        args.max_minutes.map(|minutes| f64::from(minutes) * 60.0),
    );
    review_loop
}

/// Puts another promise into the text of a state file.
fn with_promise(text: &str, promise: &str) -> Result<String, Failure> {
    if promise.trim().is_empty() || promise.contains(['<', '>']) {
        return Err(Failure::usage("the promise has to be words without `<` and `>`"));
    }
    let key = "completion_promise:";
    let is_key = |line: &&str| line.starts_with(key);
    let line = text.lines().find(is_key).unwrap_or_default();
    let spaced = promise.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(text.replacen(line, &format!("{key} {}", serde_json::Value::from(spaced)), 1))
}

/// Counts what is open; where there is no tracker yet, the review itself is.
fn open(tracker: &Path, session: &Session<'_>) -> u64 {
    let text = session.host().read(tracker).ok();
    let counted = text.and_then(|bytes| tally(&String::from_utf8_lossy(&bytes)).ok());
    counted.map_or(1, |tally| tally.open)
}

/// Says whether a tracker lists nothing that is left to do.
fn is_finished(tracker: &Path, session: &Session<'_>) -> bool {
    let text = session.host().read(tracker).ok();
    let counted = text.and_then(|bytes| tally(&String::from_utf8_lossy(&bytes)).ok());
    counted.is_some_and(Tally::is_clear)
}

/// Returns the tracker of a review that begins: that of one that is over stays as it is, and the next has a number.
fn unfinished(usual: PathBuf, session: &Session<'_>) -> PathBuf {
    let part = |part: Option<&OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    let stem = part(usual.file_stem()).unwrap_or_default();
    let ending = part(usual.extension()).map_or_else(String::new, |ending| format!(".{ending}"));
    let numbered = (2..).map(|n: u32| usual.with_file_name(format!("{stem}-{n}{ending}")));
    let mut all = std::iter::once(usual.clone()).chain(numbered);
    all.find(|path| !is_finished(path, session)).unwrap_or(usual)
}

fn is_on(path: &Path, session: &Session<'_>) -> bool {
    let text = session.host().read(path).ok();
    let state = text.and_then(|bytes| LoopState::read(&String::from_utf8_lossy(&bytes)).ok());
    state.is_some_and(|state| state.active)
}

fn state_file(settings: &Settings) -> Result<PathBuf, Failure> {
    settings.state_file().ok_or_else(|| {
        Failure::usage("`state_file` under `review_loop` in the configuration is no YAML file inside the project")
            .with_hint("such as `{project-root}/.claude/review-loop-state.yaml`")
    })
}

/// Returns a path that the person gives, as seen from the project.
fn named(path: &Path, settings: &Settings, session: &Session<'_>) -> Result<String, Failure> {
    inside(&tidy(&session.folder().join(path)), settings)
}

fn inside(path: &Path, settings: &Settings) -> Result<String, Failure> {
    match path.strip_prefix(&settings.root) {
        Ok(seen) => Ok(seen.display().to_string().replace('\\', "/")),
        Err(_) => Err(
            Failure::usage(format!("`{}` is not inside the project", path.display()))
                .with_hint(format!("the project is `{}`", settings.root.display())),
        ),
    }
}
