//! What an agent tells of an error in, what kind of failure it is out. Only errors are read, never what a model wrote.

use super::reset::Reset;
use crate::machine::FailureKind;

/// Something that went wrong, as an agent tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble {
    pub(super) kind: FailureKind,
    pub(super) message: String,
    /// When it says that it can be asked again.
    pub(super) until: Option<Reset>,
}

/// Words of errors, and what they mean; the first that is found counts.
const WORDS: &[(&str, FailureKind)] = &[
    ("usage limit", FailureKind::RateLimited),
    ("rate limit", FailureKind::RateLimited),
    ("rate_limit", FailureKind::RateLimited),
    ("too many requests", FailureKind::RateLimited),
    ("resource_exhausted", FailureKind::RateLimited),
    ("exhausted your capacity", FailureKind::RateLimited),
    ("quota", FailureKind::RateLimited),
    ("session limit", FailureKind::RateLimited),
    ("credit balance", FailureKind::Limit),
    ("max budget", FailureKind::Limit),
    ("prompt is too long", FailureKind::TooLong),
    ("context window", FailureKind::TooLong),
    ("context length", FailureKind::TooLong),
    ("context_length", FailureKind::TooLong),
    ("input is too long", FailureKind::TooLong),
    ("maximum context", FailureKind::TooLong),
    ("overloaded", FailureKind::Overloaded),
    ("at capacity", FailureKind::Overloaded),
    ("server error", FailureKind::Overloaded),
    ("server_error", FailureKind::Overloaded),
    ("service unavailable", FailureKind::Overloaded),
    ("high demand", FailureKind::Overloaded),
    ("stream disconnected", FailureKind::Overloaded),
    ("api error: terminated", FailureKind::Overloaded),
    ("error decoding response body", FailureKind::Overloaded),
    ("error sending request", FailureKind::Overloaded),
    ("unable to connect", FailureKind::Overloaded),
    ("connection refused", FailureKind::Overloaded),
    ("connection error", FailureKind::Overloaded),
    ("econnrefused", FailureKind::Overloaded),
    ("invalid api key", FailureKind::Auth),
    ("incorrect api key", FailureKind::Auth),
    ("invalid x-api-key", FailureKind::Auth),
    ("api key not valid", FailureKind::Auth),
    ("not logged in", FailureKind::Auth),
    ("unauthorized", FailureKind::Auth),
    ("unauthenticated", FailureKind::Auth),
    ("authentication", FailureKind::Auth),
    ("please run /login", FailureKind::Auth),
    ("missing environment variable", FailureKind::Auth),
    ("no conversation found", FailureKind::Missing),
    ("no rollout found", FailureKind::Missing),
    ("session not found", FailureKind::Missing),
    ("no session found", FailureKind::Missing),
    ("no session, task, or name matched", FailureKind::Missing),
    ("invalid session identifier", FailureKind::Missing),
    ("cannot be used with root", FailureKind::Denied),
    ("permission denied", FailureKind::Denied),
];

impl Trouble {
    pub(super) fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        let message = message.into();
        let passes = matches!(kind, FailureKind::RateLimited | FailureKind::Overloaded);
        let until = passes.then(|| Reset::in_words(&message)).flatten();
        Self { kind, message, until }
    }

    /// Reads an error by its status of HTTP, or else by its words.
    pub(super) fn of(status: Option<u64>, message: &str) -> Self {
        let kind = status.and_then(|status| by_status(status, message));
        let kind = kind.or_else(|| by_words(message)).unwrap_or(FailureKind::Crashed);
        Self::new(kind, message)
    }

    /// Reads an error by its words, where they say something.
    pub(super) fn in_words(message: &str) -> Option<Self> {
        Some(Self::new(by_words(message)?, message))
    }
}

fn by_status(status: u64, message: &str) -> Option<FailureKind> {
    match status {
        401 | 403 => Some(FailureKind::Auth),
        402 => Some(FailureKind::Limit),
        413 => Some(FailureKind::TooLong),
        400 => Some(by_words(message).unwrap_or(FailureKind::Crashed)),
        404 => Some(by_words(message).unwrap_or(FailureKind::Missing)),
        429 => Some(FailureKind::RateLimited),
        408 | 500..=599 => Some(FailureKind::Overloaded),
        _ => None,
    }
}

fn by_words(message: &str) -> Option<FailureKind> {
    let lower = message.to_lowercase();
    let found = WORDS.iter().find(|(words, _)| lower.contains(words));
    found.map(|(_, kind)| *kind).or_else(|| status_in(&lower))
}

/// Finds a status of HTTP that is written out: `status 401`, `status: 429`, `error: 500`, `(429)`.
fn status_in(lower: &str) -> Option<FailureKind> {
    for mark in ["status code ", "status ", "status: ", "error: ", "\"code\":", "("] {
        for (at, _) in lower.match_indices(mark) {
            let digits: String = lower[at + mark.len()..]
                .chars()
                .take_while(char::is_ascii_digit)
                .collect();
            if digits.len() == 3
                && let Ok(status) = digits.parse::<u64>()
                && status >= 400
            {
                return by_status(status, "");
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Trouble;
    use crate::machine::FailureKind;

    #[test]
    fn a_status_counts_more_than_words() {
        let told = Trouble::of(Some(429), "authentication of the gateway took too many tries");
        assert_eq!(told.kind, FailureKind::RateLimited);
        assert_eq!(Trouble::of(Some(401), "rate limit of keys").kind, FailureKind::Auth);
    }

    #[test]
    fn what_means_nothing_known_is_a_crash() {
        assert_eq!(Trouble::of(None, "it broke").kind, FailureKind::Crashed);
        assert_eq!(Trouble::in_words("it broke"), None);
    }

    #[test]
    fn a_status_in_the_words_is_read() {
        for (words, kind) in [
            ("unexpected status 401 Unauthorised: nope", FailureKind::Auth),
            ("Request rejected (429)", FailureKind::RateLimited),
            ("exceeded retry limit, last status: 503 down", FailureKind::Overloaded),
        ] {
            assert_eq!(Trouble::of(None, words).kind, kind, "{words}");
        }
    }
}
