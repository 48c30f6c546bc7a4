//! Commands of the project: their text in, what came of them out.
//!
//! The text is written out in the file that runs, or it is a value of the configuration, exactly as it stands there. It
//! is never put together, and never what an agent, a person or a file said.

use super::code::Op;
use super::effect::{CommandEnd, Effect};
use super::end::EndKind;
use super::known::Foreign;
use super::lane::{Last, Stage};
use super::walk::{Flow, Walk};
use crate::builtins::Value;
use crate::model::{Run, only_name};

/// How many seconds a command may take where nothing is said.
const TIMEOUT: u32 = 600;

impl<'p> Walk<'_, 'p> {
    pub(super) fn run(&mut self, run: &'p Run) -> Flow<'p> {
        let why = match self.command(&run.command.text) {
            Ok(command) => {
                let timeout = match self.seconds(run.timeout.as_ref()) {
                    Ok(timeout) => timeout.unwrap_or(TIMEOUT),
                    Err(reason) => return Flow::Over(self.end(EndKind::Failed, reason, Some(run.command.span))),
                };
                let stage = Stage::Ran(command.clone());
                return Flow::Wait(Effect::Run { command, timeout }, stage);
            }
            Err(why) => why,
        };
        let end = CommandEnd::Unstarted(why);
        let workflow = &self.image.workflows[self.frame().workflow].name;
        let step = self.frame().step.map(|step| step.label.as_str()).unwrap_or_default();
        let gap = format!(
            "{workflow} step {step}: the command `{}` ({})",
            run.command.text,
            end.words()
        );
        if !self.tally.gaps.contains(&gap) {
            self.tally.gaps.push(gap);
        }
        self.ran(run.command.text.clone(), &end, String::new())
    }

    /// Returns the text of a command, or says why it is not run.
    fn command(&self, written: &str) -> Result<String, String> {
        let name = match only_name(written) {
            Ok(None) => return Ok(written.trim().to_owned()),
            Ok(Some(name)) => name,
            Err(name) => {
                return Err(format!(
                    "`{{{name}}}` stands inside of a command, and no value is put into one"
                ));
            }
        };
        match self.known().of_configuration(name) {
            Ok(Value::Text(command)) if !command.trim().is_empty() => Ok(command.trim().to_owned()),
            Ok(_) => Err(format!(
                "`{{{name}}}` is no command: the configuration has no text there"
            )),
            Err(Foreign::Given(given)) => Err(format!(
                "`{{{given}}}` was given its value while the run went on, and only what the configuration says is run"
            )),
            Err(Foreign::Key(key)) => Err(format!(
                "`{{{key}}}` is a key of the workflow, and only what the configuration says is run"
            )),
            Err(Foreign::Unknown) => Err(format!("the configuration has no `{name}`")),
        }
    }

    /// Takes what came of a command.
    pub(super) fn ran(&mut self, command: String, end: &CommandEnd, output: String) -> Flow<'p> {
        let code = match end {
            CommandEnd::Exit(code) => Value::Number(f64::from(*code)),
            CommandEnd::Signal | CommandEnd::Late | CommandEnd::Flood | CommandEnd::Unstarted(_) => Value::Nothing,
        };
        let result = [
            ("command", Value::Text(command)),
            ("ok", Value::Bool(end.is_fine())),
            ("code", code),
            ("output", Value::Text(output)),
            ("how", Value::Text(end.words())),
        ];
        let result = Value::Map(result.map(|(name, value)| (name.to_owned(), value)).into());
        match self.op() {
            Op::Run(Run { into: Some(into), .. }) => self.bind(&into.text, result),
            _ => self.lane.last = Last::Value(result),
        }
        Flow::Next
    }
}
