//! Any program as an agent: the prompt on its standard input, the reply on its standard output.

use super::ear::Whole;
use super::heard::last_words;
use super::process::{Ended, Job, Killed, Patience, passed, run};
use super::trouble::Trouble;
use super::{DriverError, Options, argument, described, failed, reply};
use crate::host::{AgentSettings, Call, Clock, Driver, Turn, Wait};
use crate::machine::{Failure, FailureKind};
use crate::policy::secret::Secrets;
use std::sync::Arc;

/// The most seconds without a sign of life, where nobody says: most programs write nothing before they are done.
const SILENCE: u32 = 3600;

/// A program that takes turns.
pub struct Command {
    name: String,
    argv: Vec<String>,
    environment: Vec<(String, String)>,
    clock: Option<Arc<dyn Clock>>,
    secrets: Arc<Secrets>,
    /// What is set about a program that is described by name.
    settings: AgentSettings,
}

impl Command {
    /// Makes the driver from a command line.
    pub(super) fn from_line(line: &str, options: &Options) -> Result<Box<dyn Driver>, DriverError> {
        let wrong = |why: &str| DriverError::argument("command", why);
        let named = options.settings_of(line.trim());
        let described = named.and_then(|set| Some((set, set.program.clone()?)));
        if let Some((set, program)) = described {
            let command = Self::new(line.trim(), vec![program], set.clone(), options);
            return Ok(Box::new(command));
        }
        let argv = argument::words(line).ok_or_else(|| wrong("a quote is not closed"))?;
        let Some(program) = argv.first().filter(|program| !program.is_empty()) else {
            return Err(wrong("it needs a program, as in `command:my-agent --flag`"));
        };
        Ok(Box::new(Self::new(
            program,
            argv.clone(),
            options.settings("command"),
            options,
        )))
    }

    fn new(name: &str, argv: Vec<String>, settings: AgentSettings, options: &Options) -> Self {
        let mut environment = passed(&options.environment, |name| settings.pass.iter().any(|it| it == name));
        environment.extend(settings.set.iter().cloned());
        Self {
            name: format!("command:{name}"),
            argv,
            environment,
            clock: options.clock.clone(),
            secrets: Arc::clone(&options.secrets),
            settings,
        }
    }

    async fn turn(&self, turn: &Turn) -> Call {
        let mut argv = self.argv.clone();
        argv.extend(described::arguments(&self.settings, turn));
        let job = Job {
            argv: &argv,
            root: &turn.root,
            environment: &self.environment,
            token: &turn.token,
            input: match described::takes_prompt(&self.settings) {
                true => "",
                false => &turn.prompt,
            },
            // Nothing that it writes says that it is done, so that it never stays after that.
            patience: Patience::of(turn, &self.settings, 0).silent(&self.settings, SILENCE),
            secrets: &self.secrets,
        };
        let mut out = Whole::default();
        let program = &self.argv[0];
        let fails = |kind, how: String| Call::from(Err(failed(kind, format!("`{program}` {how}"))));
        let ended = match run(&job, &mut out).await {
            Ok(ended) => ended,
            Err(why) => return fails(FailureKind::Crashed, format!("could not be started: {why}")),
        };
        let found = described::find(&self.settings, &out.0);
        let said = found.text.as_ref().map_or(out.0.as_slice(), |text| text.as_bytes());
        let call = match (reply::read_without(&self.secrets, said), ended.killed) {
            (_, Some(Killed::Flood)) => fails(
                FailureKind::Malformed,
                format!("wrote more than {} bytes and was ended", reply::MAX_REPLY),
            ),
            // An envelope counts however the program ended; without one the end is what there is to tell.
            (Ok(reply), _) => Ok(reply).into(),
            (Err(_), Some(Killed::Silent)) => {
                fails(FailureKind::Stuck, "gave no sign of life and was ended".to_owned())
            }
            (Err(_), Some(Killed::Late | Killed::Lingered)) => fails(
                FailureKind::Timeout,
                format!(
                    "took longer than {} s and was ended",
                    turn.task.timeout.unwrap_or_default()
                ),
            ),
            (Err(_), None) if found.error.is_some() => {
                let trouble = Trouble::of(None, found.error.as_deref().unwrap_or_default());
                fails(trouble.kind, format!("says: {}", trouble.message))
            }
            (Err(wrong), None) => self.ended(&out.0, &ended, wrong),
        };
        Call {
            spent: found.spent,
            session: found.session,
            model: found.model,
            ..call
        }
    }

    /// Says how a program ended that gave no envelope; what it told of that itself counts.
    fn ended(&self, out: &[u8], ended: &Ended, wrong: Failure) -> Call {
        let is_empty = out.iter().all(u8::is_ascii_whitespace);
        let how = match ended.code {
            Some(0) if is_empty => "ended without a reply".to_owned(),
            Some(0) => return Err(wrong).into(),
            Some(code) => format!("ended with exit code {code} and no envelope"),
            None => "was ended by a signal".to_owned(),
        };
        let words = last_words(&ended.err);
        let told = Trouble::in_words(&words).filter(|told| is_told(told.kind) && ended.code != Some(0));
        let now = self.clock.as_ref().map_or(0, |clock| clock.now());
        let until = told.as_ref().and_then(|told| told.until.as_ref()?.moment(now));
        let kind = told.map_or(FailureKind::Crashed, |told| told.kind);
        let said = if words.is_empty() {
            String::new()
        } else {
            format!(": {words}")
        };
        Call {
            until,
            ..Err(failed(kind, format!("`{}` {how}{said}", self.argv[0]))).into()
        }
    }
}

impl Driver for Command {
    fn name(&self) -> &str {
        &self.name
    }

    fn works_on_files(&self) -> bool {
        true
    }

    fn perform(&self, turn: Arc<Turn>) -> Wait<'_, Call> {
        Box::pin(async move {
            let mut turn = Arc::unwrap_or_clone(turn);
            // A conversation is gone on with only where it is said how.
            if self.settings.described.with_session.is_empty() {
                turn.begin_anew();
            }
            self.turn(&turn).await
        })
    }
}

/// Says whether the last words of any program are believed: those about its service, not those about files.
fn is_told(kind: FailureKind) -> bool {
    let kinds = [
        FailureKind::RateLimited,
        FailureKind::Overloaded,
        FailureKind::Auth,
        FailureKind::Limit,
    ];
    kinds.contains(&kind)
}
