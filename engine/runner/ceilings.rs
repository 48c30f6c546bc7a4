//! What was used and what may be used in, whether another call may be made out.

use super::used::{Used, counted, dollars, is_cost};
use crate::host::{Called, Ceiling, Limits};
use std::collections::{BTreeMap, VecDeque};

/// Milliseconds of an hour.
const HOUR: i64 = 60 * 60 * 1000;
/// The most calls of a run in any hour, where nothing is set.
const HOURLY: u64 = 100;

/// Why no call is made now.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hold {
    /// When one can be made, in milliseconds since 1970, where that is known.
    pub(super) until: Option<i64>,
    /// Why, for a person.
    pub(super) why: String,
}

/// What was counted of a run, a workflow or a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Count {
    pub(super) used: Used,
    /// Calls that are not over.
    pub(super) under_way: u64,
    /// When the calls of the last hour ended.
    recent: VecDeque<i64>,
    /// Calls that were cut off and told no cost, by agent.
    cut: BTreeMap<String, u64>,
    /// Calls that were cut off and told no tokens, by agent.
    mute: BTreeMap<String, u64>,
}

/// The most that a call of each agent used in this run, as far as that is known.
#[derive(Debug, Clone, Default)]
pub(super) struct Dearest {
    costs: BTreeMap<String, f64>,
    tokens: BTreeMap<String, u64>,
}

impl Dearest {
    /// Adds a call that ended.
    pub(super) fn add(&mut self, called: &Called) {
        if let Some(cost) = called.spent.cost.filter(is_cost) {
            let dearest = self.costs.entry(called.driver.clone()).or_default();
            *dearest = dearest.max(cost);
        }
        if let Some(tokens) = called.spent.tokens {
            let most = self.tokens.entry(called.driver.clone()).or_default();
            *most = tokens.sum().max(*most);
        }
    }
}

impl Count {
    /// Adds a call that ended.
    pub(super) fn add(&mut self, called: &Called) {
        self.used.add(called);
        self.recent(called.at);
        if called.cut && called.spent.cost.is_none() {
            *self.cut.entry(called.driver.clone()).or_default() += 1;
        }
        if called.cut && called.spent.tokens.is_none() {
            *self.mute.entry(called.driver.clone()).or_default() += 1;
        }
    }

    /// Returns how many of the calls that were cut off an agent's other calls tell the cost of, and what they make.
    fn assumed(&self, dearest: &Dearest) -> (u64, f64) {
        let known = self
            .cut
            .iter()
            .filter_map(|(driver, calls)| Some((*calls, dearest.costs.get(driver)?)));
        known.fold((0, 0.0), |(all, sum), (calls, cost)| {
            (all + calls, sum + *cost * calls as f64)
        })
    }

    /// Returns how many calls were cut off and told no tokens, and how many they make. Of an agent none of whose calls
    /// told any they make none yet: the next one tells, and then they count.
    fn assumed_tokens(&self, dearest: &Dearest) -> (u64, u64) {
        let each = self.mute.iter();
        each.fold((0, 0), |(all, sum), (driver, calls)| {
            let most = dearest.tokens.get(driver).copied().unwrap_or_default();
            (all + calls, most.saturating_mul(*calls).saturating_add(sum))
        })
    }

    /// Notes when a call ended.
    fn recent(&mut self, at: i64) {
        self.recent.push_back(at);
        self.forget(at);
    }

    /// What is an hour old no longer counts, nor what is more than an hour ahead: the clock was put back since.
    fn forget(&mut self, now: i64) {
        let counts = |at: &i64| (now - HOUR < *at) && (*at <= now + HOUR);
        while self.recent.front().is_some_and(|at| !counts(at)) {
            self.recent.pop_front();
        }
    }
}

/// Whose ceiling it is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Scope<'a> {
    Run,
    Workflow(&'a str),
    Step(&'a str, &'a str),
}

impl Scope<'_> {
    fn key(self) -> &'static str {
        match self {
            Scope::Run => "run",
            Scope::Workflow(_) => "workflow",
            Scope::Step(..) => "step",
        }
    }

    fn words(self) -> String {
        match self {
            Scope::Run => "the run".to_owned(),
            Scope::Workflow(workflow) => format!("the workflow `{workflow}`"),
            Scope::Step(workflow, step) => format!("step {step} of `{workflow}`"),
        }
    }

    /// Returns the ceiling that holds for it.
    pub(super) fn ceiling(self, limits: &Limits) -> Ceiling {
        match self {
            Scope::Run => Ceiling {
                hourly: Some(limits.run.hourly.unwrap_or(HOURLY)),
                ..limits.run
            },
            Scope::Workflow(_) => limits.workflow,
            Scope::Step(..) => limits.step,
        }
    }
}

/// Refuses a call that would go beyond what may be used.
pub(super) fn check(
    scope: Scope<'_>,
    count: &mut Count,
    limits: &Limits,
    dearest: &Dearest,
    now: i64,
) -> Result<(), Hold> {
    let ceiling = scope.ceiling(limits);
    let refuse = |key: &str, may: String, did: String| Hold {
        until: None,
        why: format!(
            "{} may {may} and {did}: `limits.{}.{key}` in `bmad.toml`",
            scope.words(),
            scope.key()
        ),
    };
    let used = count.used;
    if let Some(most) = ceiling.money {
        // What was cut off may have cost as much as the dearest call of the same agent.
        let (known, guess) = match limits.estimate {
            Some(estimate) => (used.unknown, estimate * used.unknown as f64),
            None => count.assumed(dearest),
        };
        let spent = used.cost + guess;
        if spent >= most {
            let did = format!("used {}", dollars(spent));
            return Err(refuse("money", format!("use {}", dollars(most)), did));
        }
        if let Some(left) = used.unknown.checked_sub(known).filter(|left| *left > 0) {
            let advice = "write what such a call costs at most below `[limits]`, such as `estimate = 0.50` for half a \
                          dollar, or set `prices` for a model that tells tokens,";
            return Err(unknown(scope, "money", ("cost", left), advice));
        }
    }
    if let Some(most) = ceiling.tokens {
        let (cut, guess) = count.assumed_tokens(dearest);
        let spent = used.tokens.saturating_add(guess);
        if spent >= most {
            let did = format!("used {}", counted(spent, "token"));
            return Err(refuse("tokens", format!("use {}", counted(most, "token")), did));
        }
        if let Some(left) = used.untold.checked_sub(cut).filter(|left| *left > 0) {
            let advice = "set `calls` in its place";
            return Err(unknown(scope, "tokens", ("tokens", left), advice));
        }
    }
    let calls = used.calls + count.under_way;
    if let Some(most) = ceiling.calls.filter(|most| calls >= *most) {
        let did = format!("made {}", counted(calls, "call"));
        return Err(refuse("calls", format!("make {}", counted(most, "call")), did));
    }
    if let Some(most) = ceiling.time.filter(|most| used.took >= most * 1000) {
        let did = format!("kept them at work for {}", counted(used.took / 1000, "second"));
        let may = format!("keep agents at work for {}", counted(most, "second"));
        return Err(refuse("time", may, did));
    }
    hourly(count, ceiling.hourly, now, refuse)
}

fn hourly(
    count: &mut Count,
    most: Option<u64>,
    now: i64,
    refuse: impl Fn(&str, String, String) -> Hold,
) -> Result<(), Hold> {
    count.forget(now);
    let made = count.recent.len() as u64 + count.under_way;
    let Some(most) = most.filter(|most| made >= *most) else {
        return Ok(());
    };
    let may = format!("make {} an hour", counted(most, "call"));
    let mut hold = refuse("calls-per-hour", may, format!("made {made}"));
    // The call that has to be an hour old before there is room for another.
    let oldest = usize::try_from(made - most).unwrap_or_default();
    hold.until = count.recent.get(oldest).map(|at| at + HOUR);
    Err(hold)
}

/// What is not known is not nothing: a ceiling over it cannot be kept.
fn unknown(scope: Scope<'_>, key: &str, (what, calls): (&str, u64), advice: &str) -> Hold {
    Hold {
        until: None,
        why: format!(
            "what {} used is not known: {} told no {what}, so that `limits.{}.{key}` cannot be kept; {advice} in \
             `bmad.toml`",
            scope.words(),
            counted(calls, "call"),
            scope.key()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{Count, Dearest, HOUR, Scope, check};
    use crate::host::{Ceiling, Limits};

    #[test]
    fn calls_that_a_clock_put_ahead_hold_nobody_up_once_it_is_put_right() {
        let limits = Limits {
            run: Ceiling {
                hourly: Some(2),
                ..Ceiling::default()
            },
            ..Limits::default()
        };
        let (now, year) = (1_794_723_365_000, 365 * 24 * HOUR);
        let mut count = Count::default();
        let check = |count: &mut Count| check(Scope::Run, count, &limits, &Dearest::default(), now);
        count.recent(now + year);
        count.recent(now + year + 1);
        assert_eq!(check(&mut count), Ok(()));
        count.recent(now - 1);
        count.recent(now + 1);
        let held = check(&mut count).map_err(|hold| hold.until);
        assert_eq!(
            held,
            Err(Some(now - 1 + HOUR)),
            "a clock that is put right a little counts on"
        );
    }
}
