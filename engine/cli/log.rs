//! The journal of a run in, one readable line for each of its lines out.

use crate::cli::Exit;
use crate::cli::brief;
use crate::cli::failure::Failure;
use crate::cli::launch::{Marks, is_held};
use crate::cli::resume::find;
use crate::cli::session::Session;
use crate::host::{Begun, Called, Hooked, Line, NOBODY, Settlement};
use crate::machine::{Effect, Key, Outcome};
use crate::os::journal::{Tail, Told};
use crate::os::store::RunFolder;
use crate::source::clean;
use std::collections::HashMap;
use std::io::Write as _;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
A line tells when, in which step, what was asked and what came of it. `!` marks what failed
and what an agent claimed that was not so, `~` what was rolled back. Times are UTC.

Examples:
  bmad log                      what the last run did, line by line
  bmad log --follow             the same, and go on until the run stops
  bmad log last --json          the lines as the journal has them, hashes included")]
pub(super) struct Args {
    /// The run, by its id or the beginning of it; the last one
    #[arg(value_name = "RUN")]
    pub(super) run: Option<String>,

    /// Go on until the run stops
    #[arg(long, short)]
    pub(super) follow: bool,

    /// Print the lines of the journal as they are
    #[arg(long)]
    pub(super) json: bool,

    /// The folder that the journals of runs are kept in
    #[arg(long, value_name = "DIR")]
    pub(super) state_dir: Option<PathBuf>,
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let (folder, _) = find(args.run.as_deref(), args.state_dir.as_deref(), session)?;
    print(args, &folder, session)
}

fn print(args: &Args, folder: &RunFolder, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let mut tail = Tail::open(&folder.journal()).map_err(|error| Failure::journal(&error))?;
    let mut telling = Telling {
        // A damaged journal is told up to where it is damaged.
        marks: Marks::of(folder).unwrap_or_default(),
        open: HashMap::new(),
    };
    loop {
        // Looked at first: what a run wrote before it let go is read after that.
        let goes_on = args.follow && is_held(folder);
        while let Some(lines) = next(&mut tail, session)? {
            for told in lines {
                match args.json {
                    true => writeln!(session.output, "{}", told.written)?,
                    false => {
                        let line = telling.tell(&told).to_string();
                        writeln!(session.output, "{}", session.secrets.masked_loosely(&line))?;
                    }
                }
            }
        }
        session.output.flush()?;
        if !goes_on || session.output.is_closed() {
            return Ok(Exit::Clean);
        }
        tail.pause();
    }
}

/// Reads on; what was printed before damage is found stays printed.
fn next(tail: &mut Tail, session: &mut Session<'_>) -> Result<Option<Vec<Told>>, Failure> {
    match tail.more() {
        Ok(lines) => Ok(Some(lines).filter(|lines| !lines.is_empty())),
        Err(error) => {
            session.output.flush()?;
            Err(Failure::journal(&error))
        }
    }
}

/// What is told of a journal so far.
#[derive(Debug)]
struct Telling {
    marks: Marks,
    /// What was asked of agents that have not replied yet, and commands that have not ended.
    open: HashMap<Key, Effect>,
}

/// The fewest characters of the name of a lane that is known by its item.
const NAMED: usize = 12;
/// How many of them are told.
const TOLD: usize = 4;

/// Returns a lane as a person reads it; the main line is `0`. The name of a lane that is known by its item is a hash: its
/// first characters are told, since its place in the list is another one after an edit.
fn told_lane(lane: &str) -> String {
    let parts = lane.split('.').map(|part| match part.split_at_checked(NAMED) {
        Some((name, more)) => format!("{}{more}", &name[..TOLD]),
        None => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join(".")
}

/// The columns of a line.
struct Row {
    at: i64,
    wrong: bool,
    lane: String,
    step: String,
    what: &'static str,
    text: String,
}

impl Telling {
    fn tell(&mut self, told: &Told) -> String {
        let row = self.row(&told.line);
        let mark = match (self.marks.is_void(told.seq), row.wrong) {
            (true, _) => '~',
            (false, true) => '!',
            (false, false) => ' ',
        };
        let lane = match row.lane.as_str() {
            "" | "0" => String::new(),
            lane => format!("[{}] ", told_lane(lane)),
        };
        let (at, step) = (brief::moment(row.at), row.step);
        let line = format!("{at} {mark} {step:<4} {:<11} {lane}{}", row.what, row.text);
        clean(line.trim_end())
    }

    fn row(&mut self, line: &Line<'static>) -> Row {
        match line {
            Line::Begun(begun) => Row::of(begun.at, "begun", started(begun)),
            Line::Intent {
                at,
                key,
                step,
                driver,
                effect,
                ..
            } => {
                self.open.insert(key.clone(), effect.clone().into_owned());
                let asked = brief::asked(effect);
                let text = match driver.as_str() {
                    NOBODY => format!("nobody is asked: {asked}"),
                    driver => format!("{driver} begins: {asked}"),
                };
                Row::of(*at, effect.name(), text).at(key, step)
            }
            Line::Done {
                at,
                key,
                step,
                effect,
                outcome,
            } => {
                let open = self.open.remove(key);
                done(*at, effect.as_deref(), open.as_ref(), outcome).at(key, step)
            }
            Line::Hooked(hooked) => Row::of_hook(hooked),
            Line::Called(called) => Row::of_call(called),
            Line::Resumed(resumed) => Row::of(resumed.at, "resumed", brief::resumed(resumed)),
            Line::Settled { at, key, choice } => {
                let text = settled(self.open.get(key), *choice);
                Row::of(*at, "settled", text).at(key, "")
            }
            Line::RolledBack { at, to } => {
                let text = format!("everything after line {to} is void");
                Row::of(*at, "rolled-back", text)
            }
            Line::Stopped { at, how, why, .. } => {
                let text = match why.as_str() {
                    "" => how.clone(),
                    why => format!("{how}: {why}"),
                };
                let mut row = Row::of(*at, "stopped", text);
                row.wrong = matches!(how.as_str(), "failed" | "limit" | "parked");
                row
            }
        }
    }
}

impl Row {
    fn of(at: i64, what: &'static str, text: String) -> Self {
        Self {
            at,
            wrong: false,
            lane: String::new(),
            step: String::new(),
            what,
            text,
        }
    }

    fn of_hook(hooked: &Hooked) -> Self {
        let mut row = Self::of(hooked.at, "hook", brief::hooked(hooked)).at(&hooked.key, &hooked.step);
        row.wrong = !hooked.end.is_fine();
        row
    }

    fn of_call(called: &Called) -> Self {
        let row = Self::of(called.at, "called", brief::called(called));
        Self {
            wrong: called.class.is_some(),
            ..row.at(&called.key, &called.step)
        }
    }

    fn at(mut self, key: &Key, step: &str) -> Self {
        key.lane.as_str().clone_into(&mut self.lane);
        step.clone_into(&mut self.step);
        self
    }
}

fn settled(open: Option<&Effect>, choice: Settlement) -> String {
    let what = match open.is_none_or(Effect::is_turn) {
        true => "turn",
        false => "command",
    };
    let files = match choice {
        Settlement::Restored => "the files are what they were before it",
        Settlement::Kept => "the files stay as they are",
    };
    format!("a {what} was cut off; {files}")
}

fn started(begun: &Begun) -> String {
    let mut text = format!("{} with {}", begun.workflow, begun.agent);
    for (name, value) in &begun.inputs {
        text.push_str(&format!(", {name} = {}", brief::short(value)));
    }
    text
}

/// Tells of an effect that is done; `open` is what was asked where that was told before.
fn done(at: i64, effect: Option<&Effect>, open: Option<&Effect>, outcome: &Outcome) -> Row {
    let effect = effect.or(open);
    let came = brief::came(outcome);
    // What a turn was asked stands where it began.
    let asked = match open {
        Some(_) => String::new(),
        None => effect.map(brief::asked).unwrap_or_default(),
    };
    let text = match (asked.is_empty(), came.is_empty()) {
        (false, false) => format!("{asked} → {came}"),
        (true, _) => came,
        (false, true) => asked,
    };
    let mut row = Row::of(at, effect.map_or("unknown", Effect::name), text);
    row.wrong = brief::is_wrong(outcome);
    row
}

#[cfg(test)]
mod tests {
    use super::told_lane;

    #[test]
    fn lanes_that_are_known_by_their_items_are_told_by_the_start_of_their_names() {
        for (lane, told) in [
            ("0", "0"),
            ("0.1.2", "0.1.2"),
            ("0.2.ca978112ca1b", "0.2.ca97"),
            ("0.2.ca978112ca1b.1.3e23e8160039", "0.2.ca97.1.3e23"),
            ("0.2.ca978112ca1bx2", "0.2.ca97x2"),
        ] {
            assert_eq!(told_lane(lane), told);
        }
    }
}
