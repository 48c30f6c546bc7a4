//! What a call may use: time, which is handed down with room to clean up at every level, and room for what it is given.

use super::effect::{Failure, FailureKind};
use super::lane::{Frame, Lane};
use crate::builtins::Value;

/// What every level keeps to clean up after the one below, in milliseconds.
pub(crate) const CLEANUP: u64 = 10_000;

/// How long a call that only checks something may take, in milliseconds.
const CHECKING: u64 = 300_000;

/// How much of what an agent can take in a call may fill, in hundredths.
const FILLED: usize = 80;

/// What is left of a value that is shortened, in tokens.
const SHORT: usize = 500;

/// How many characters one token is, by a rule of thumb.
const TOKEN: usize = 4;

/// Words in the name of a workflow that only checks the work of another.
const CHECKS: [&str; 5] = ["validate", "validation", "validator", "compliance", "check"];

impl Lane<'_> {
    /// Returns how many milliseconds are left for its agents, where that is limited.
    pub(super) fn left(&self) -> Option<u64> {
        self.frames.iter().filter_map(|frame| frame.left).min()
    }

    /// Takes off what a turn took.
    pub(super) fn charge(&mut self, took: u64) {
        for left in self.frames.iter_mut().filter_map(|frame| frame.left.as_mut()) {
            *left = left.saturating_sub(took);
        }
    }

    /// Takes off what a lane that parted from it used beyond those that worked at the same time.
    pub(super) fn charge_for(&mut self, lane: Option<u64>) {
        if let (Some(own), Some(least)) = (self.left(), lane) {
            self.charge(own.saturating_sub(least));
        }
    }

    /// Ends every call inside the outermost one that has no time left for another turn; answers why.
    pub(super) fn out_of_time(&mut self, name: impl Fn(&Frame<'_>) -> String) -> Option<Failure> {
        let is_out = |frame: &Frame<'_>| frame.left.is_some_and(|left| left <= CLEANUP);
        let at = self.frames.iter().position(is_out)?;
        self.frames.truncate(at + 1);
        let workflow = name(&self.frames[at]);
        Some(Failure {
            kind: FailureKind::Timeout,
            message: format!("`{workflow}` has used the time it may take"),
        })
    }
}

/// Returns how long a call may take: as long as is said, or as one that checks something may, and never longer than
/// whoever calls has left after cleaning up.
pub(super) fn time(said: Option<u64>, name: &str, left: Option<u64>) -> Result<Option<u64>, Failure> {
    if let Some(said) = said.filter(|said| *said <= CLEANUP) {
        let (said, kept) = (said / 1000, CLEANUP / 1000);
        return Err(Failure {
            kind: FailureKind::Timeout,
            message: format!("`{name}` may take {said} s, and {kept} s of a call are kept to clean up; say more"),
        });
    }
    let own = said.or_else(|| checks(name).then_some(CHECKING));
    let Some(left) = left else { return Ok(own) };
    if left <= CLEANUP {
        return Err(Failure {
            kind: FailureKind::Timeout,
            message: format!(
                "{} s are left, which are kept to clean up: no time to call `{name}`",
                left / 1000
            ),
        });
    }
    let most = left - CLEANUP;
    Ok(Some(own.map_or(most, |own| own.min(most))))
}

fn checks(name: &str) -> bool {
    let lower = name.to_lowercase();
    let mut words = lower.split(|at: char| !at.is_alphanumeric());
    words.any(|word| CHECKS.contains(&word))
}

/// Makes room: values that fill more of what an agent can take in than they may are shortened, the middle of each left
/// out. Refuses what is too much even then.
pub(super) fn fit(params: &mut [(String, Value)], room: usize, name: &str) -> Result<(), Failure> {
    let most = room * FILLED / 100;
    if tokens(params) <= most {
        return Ok(());
    }
    for (_, value) in params.iter_mut() {
        if let Some(short) = shortened(&value.to_string()) {
            *value = Value::Text(short);
        }
    }
    let handed = tokens(params);
    if handed <= most {
        return Ok(());
    }
    Err(Failure {
        kind: FailureKind::Limit,
        message: format!("the call of `{name}` hands over about {handed} tokens, more than {FILLED} % of {room}"),
    })
}

fn tokens(params: &[(String, Value)]) -> usize {
    let characters: usize = params.iter().map(|(_, value)| value.to_string().chars().count()).sum();
    characters.div_ceil(TOKEN)
}

/// Leaves the middle of a long text out, and says so.
fn shortened(text: &str) -> Option<String> {
    let count = text.chars().count();
    if count <= SHORT * TOKEN {
        return None;
    }
    let note = format!("\n[… {} characters are left out …]\n", count - SHORT * TOKEN + 60);
    let kept = SHORT * TOKEN - 60;
    let (head, tail) = (kept * 3 / 4, kept / 4);
    let first: String = text.chars().take(head).collect();
    let last: String = text.chars().skip(count - tail).collect();
    Some(first + &note + &last)
}

#[cfg(test)]
mod tests {
    use super::{fit, time};
    use crate::builtins::Value;

    #[test]
    fn a_call_gets_no_more_than_its_caller_has_left_after_cleaning_up() {
        assert_eq!(time(Some(300_000), "a", Some(120_000)), Ok(Some(110_000)));
        assert_eq!(time(Some(50_000), "a", Some(120_000)), Ok(Some(50_000)));
        assert_eq!(time(None, "a", Some(120_000)), Ok(Some(110_000)));
    }

    #[test]
    fn a_caller_that_has_only_time_to_clean_up_calls_nobody() {
        assert!(time(None, "a", Some(10_001)).is_ok());
        assert!(time(None, "a", Some(10_000)).is_err());
    }

    #[test]
    fn a_call_that_may_take_no_longer_than_cleaning_up_is_refused_and_says_so() {
        let refused = time(Some(3_000), "a", None).map_err(|failure| failure.message);
        let why = "`a` may take 3 s, and 10 s of a call are kept to clean up; say more";
        assert_eq!(refused, Err(why.to_owned()));
        assert_eq!(time(Some(11_000), "a", None), Ok(Some(11_000)));
    }

    #[test]
    fn only_what_checks_something_is_limited_by_itself() {
        assert_eq!(time(None, "workflow-compliance-check", None), Ok(Some(300_000)));
        assert_eq!(time(None, "Validate PRD", None), Ok(Some(300_000)));
        assert_eq!(time(None, "dev-story", None), Ok(None));
        assert_eq!(time(None, "checkout", None), Ok(None));
    }

    #[test]
    fn eighty_percent_is_allowed_and_one_more_is_shortened() {
        let value = |tokens: usize| vec![("text".to_owned(), Value::Text("a".repeat(tokens * 4)))];
        let mut exact = value(8_000);
        assert!(fit(&mut exact, 10_000, "a").is_ok());
        assert_eq!(exact, value(8_000));
        let mut more = value(8_001);
        assert!(fit(&mut more, 10_000, "a").is_ok());
        let text = more[0].1.to_string();
        assert!(text.chars().count() <= 2_000, "{}", text.len());
        assert!(text.contains("characters are left out"));
    }

    #[test]
    fn what_is_too_much_even_when_shortened_is_refused() {
        let mut many: Vec<_> = (0..20)
            .map(|n| (n.to_string(), Value::Text("a".repeat(4_000))))
            .collect();
        let refused = fit(&mut many, 10_000, "child").map_err(|failure| failure.message);
        assert!(refused.is_err_and(|why| why.contains("`child`") && why.contains("80 %")));
    }
}
