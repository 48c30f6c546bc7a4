//! What happens in, the words an agent has for it out: the other side of a driver.

use super::scenario::Expected;
use crate::machine::escape::shell;

/// How a stand-in speaks like an agent.
pub(in crate::drivers) trait Voice: Sync {
    /// The first events of a conversation.
    fn begin(&self, session: &str) -> Vec<String>;

    /// The last events of a turn that went well.
    fn done(&self, end: &Good<'_>) -> Vec<String>;

    /// The last events of a turn that failed; none where the agent has no words for it.
    fn failed(&self, fault: Fault, session: &str) -> Option<Failed>;

    /// Something on the way; none where the agent has no words for it.
    fn notice(&self, notice: Notice<'_>) -> Option<Vec<String>>;

    /// The first events of another conversation than it was asked to go on with; none where it cannot stray.
    fn stray(&self, session: &str) -> Vec<String> {
        self.begin(session)
    }

    /// The command that reads all that it is told.
    fn hear(&self) -> &'static str {
        "cat > /dev/null"
    }

    /// An event that nobody knows.
    fn unknown(&self) -> String {
        "{\"type\":\"novelty\",\"data\":{\"a\":[1,null]}}".to_owned()
    }

    /// What its program begins with.
    fn prelude(&self) -> &'static str {
        ""
    }

    /// The command that says a line of it; none where no shell can.
    fn spoken(&self, line: &str) -> Option<String> {
        Some(format!("printf '%s\\n' {}", shell(line).ok()?))
    }

    /// Says whether its events end with one that says so; otherwise its end is the end of its output.
    fn has_end(&self) -> bool {
        true
    }

    /// Says whether a scenario makes sense with it.
    fn plays(&self, _scenario: &str) -> bool {
        true
    }

    /// What has to come of a scenario where that is not what has to come of it with any other agent.
    fn expects(&self, _scenario: &str) -> Option<Expected> {
        None
    }
}

/// The end of a turn that went well.
pub(in crate::drivers) struct Good<'a> {
    /// Its last words.
    pub(in crate::drivers) reply: &'a str,
    /// The conversation.
    pub(in crate::drivers) session: &'a str,
    /// A command that was not allowed on the way.
    pub(in crate::drivers) denied: Option<&'a str>,
}

/// How a turn fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::drivers) enum Fault {
    RateLimited,
    /// With the words that say when it ends.
    LimitedUntil(&'static str),
    Overloaded,
    ServerError,
    Auth,
    TooLong,
    Refused,
    /// The conversation that was to go on is not there.
    SessionGone,
}

/// Something on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::drivers) enum Notice<'a> {
    /// It tries again.
    Retry,
    /// A limit is near.
    LimitNear,
    /// A command was not allowed.
    Denied(&'a str),
    /// Words of the model that are not its last.
    Said(&'a str),
}

/// The last words of a turn that failed.
pub(in crate::drivers) struct Failed {
    /// What it writes.
    pub(in crate::drivers) out: Vec<String>,
    /// What it writes for people.
    pub(in crate::drivers) err: String,
    /// How it exits; none where it goes on.
    pub(in crate::drivers) code: Option<i32>,
}

impl Failed {
    pub(in crate::drivers) fn told(out: Vec<String>, code: i32) -> Option<Self> {
        Some(Self {
            out,
            err: String::new(),
            code: Some(code),
        })
    }

    /// Makes the end of a turn that only words for people tell of.
    pub(in crate::drivers) fn noted(err: &str, code: i32) -> Option<Self> {
        Some(Self {
            out: Vec::new(),
            err: err.to_owned(),
            code: Some(code),
        })
    }
}
