//! What was decided in, what a person or an agent reads of it out.

use crate::builtins::Value;
use crate::machine::render;
use crate::policy::stop::{Limit, LoopState, Release, Tally};
use crate::project::STDLIB;

/// The words of the standard library, and below the core module where a project has its own.
pub(super) const TEMPLATE: &str = "prompts/stop-hook.j2";

/// What is known of a tracker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Seen {
    /// It was counted.
    Counted,
    /// The review has none.
    None,
    /// It is not there.
    Missing,
    /// It is there and cannot be read, or is no tracker; why.
    Unreadable(String),
}

/// Returns how much is left, such as `2 issues are open`.
pub(super) fn left(tally: Tally, seen: &Seen) -> String {
    let count = |number: u64, one: &str, many: &str| match number {
        1 => format!("1 issue {one}"),
        number => format!("{number} issues {many}"),
    };
    let open = count(tally.open, "is open", "are open");
    let blocked = count(tally.blocked, "waits for a person", "wait for a person");
    let counted = match (tally.open, tally.blocked) {
        (_, 0) => open,
        (0, _) => blocked,
        (_, _) => format!("{open}, {blocked}"),
    };
    match (seen, tally.is_clear()) {
        (_, true) => "nothing is open".to_owned(),
        (Seen::Counted | Seen::None, false) => counted,
        (Seen::Missing, false) => "the issue tracker is not there yet".to_owned(),
        (Seen::Unreadable(why), false) => {
            format!("the issue tracker cannot be read ({why}), and {counted} by the last count")
        }
    }
}

/// Tells a person why the agent may stop.
pub(super) fn released(why: &Release, left: &str) -> String {
    match why {
        Release::Complete => "The review is complete: nothing is open.".to_owned(),
        Release::NothingOpen => format!("The review is over: {left}."),
        Release::Blocked(why) => format!("The review needs you: {why} ({left})."),
        Release::TimedOut(why) => format!("The review ran out of time: {why} ({left})."),
        Release::Limit(limit) => {
            let limit = match limit {
                Limit::Rounds(1) => "1 round is used up".to_owned(),
                Limit::Rounds(count) => format!("{count} rounds are used up"),
                Limit::Failures(count) => format!("it failed {count} times in a row"),
                Limit::Runtime(seconds) => format!("it took {seconds} seconds"),
            };
            format!("The review stopped at a limit: {limit}; {left}. The rest is yours to decide.")
        }
        Release::Capped(cap) => format!(
            "The agent was sent back {cap} times in a row, which is the most its program allows; {left}. \
             Any prompt goes on with the review, `bmad hook end` calls it off."
        ),
    }
}

/// Tells a person that the agent goes on.
pub(super) fn held(state: &LoopState, left: &str) -> String {
    let (round, last) = (state.next_round(), state.max_rounds);
    format!("The review goes on, round {round} of {last}: {left}. `bmad hook end` calls it off.")
}

/// What an agent is told when it is sent back.
pub(super) struct Order<'a> {
    /// Where the review stands.
    pub(super) state: &'a LoopState,
    /// How much is left.
    pub(super) left: &'a str,
    /// What is known of the tracker.
    pub(super) seen: &'a Seen,
    /// Whether the agent said that everything is resolved.
    pub(super) promised: bool,
    /// The project's own words for it, where it has some.
    pub(super) own: Option<&'a str>,
}

/// Returns what an agent is told when it is sent back: its prompt, and what ends the review.
pub(super) fn order(order: &Order<'_>) -> String {
    let Order {
        state,
        left,
        seen,
        promised,
        own,
    } = order;
    let text = |text: &str| Some(Value::Text(text.to_owned()));
    let names = |name: &str| match name {
        "prompt" => text(&state.prompt),
        "round" => text(&state.next_round().to_string()),
        "rounds" => text(&state.max_rounds.to_string()),
        "left" => text(left),
        "promise" => text(&state.promise),
        "promised" => Some(Value::Bool(*promised)),
        "tracker" => text(state.tracker.as_deref().unwrap_or_default()),
        "listed" => Some(Value::Bool(**seen == Seen::Counted)),
        _ => None,
    };
    let keys = [
        "prompt", "round", "rounds", "left", "promise", "promised", "tracker", "listed",
    ];
    let keys = keys.map(str::to_owned);
    let rendered = |template: &str| {
        let text = render::ours(template, &names, &keys).unwrap_or_default();
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    };
    let standard = || STDLIB.iter().find(|file| file.path == TEMPLATE).map(|file| file.text);
    // Words that say nothing, or cannot be read, are no words; and an agent that is told nothing would stop at once.
    let own = own.and_then(rendered);
    own.or_else(|| standard().and_then(rendered))
        .unwrap_or_else(|| format!("{}\n\n{left}", state.prompt))
}
