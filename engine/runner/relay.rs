//! A turn in, one call out, made of as many calls as it takes: who is asked, with which model, in which conversation,
//! how often, and who takes over.
//!
//! Whatever is paid for is told to the ledger when it ends. Waiting is not work: it is not counted for any agent.

mod conduct;
mod course;
mod member;
#[cfg(test)]
mod tests;
mod waiting;

pub use member::Member;
pub use waiting::Patience;

use super::chance::{backoff, uuid};
use super::circuit::{Circuit, Shut};
use super::ledger::Ledger;
use super::line::line;
use super::route::route;
use super::used::is_cost;
use crate::host::{Call, Called, Clock, Driver, NOBODY, Session, Spent, Staff, Turn, Wait};
use crate::machine::{Failure, FailureKind, Mode, Task};
use conduct::{Conduct, conduct};
use course::Course;
use member::{cost, price};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a reviewer who failed is left alone.
const REVIEWER: Duration = Duration::from_secs(5);
/// An agent made of agents.
pub struct Relay {
    members: Vec<Member>,
    staff: Staff,
    ledger: Arc<Ledger>,
    clock: Arc<dyn Clock>,
    patience: Patience,
    /// How each agent fares, by its spec.
    circuits: Mutex<HashMap<String, Circuit>>,
    /// What was told already.
    told: Mutex<HashSet<String>>,
}

impl Relay {
    /// Makes a relay; the first member is asked where nothing else is set.
    pub fn new(members: Vec<Member>, staff: Staff, ledger: Arc<Ledger>, clock: Arc<dyn Clock>) -> Self {
        Self {
            members,
            staff,
            ledger,
            clock,
            patience: Patience::Park,
            circuits: Mutex::default(),
            told: Mutex::default(),
        }
    }

    /// Says what is done when nobody can be asked.
    #[must_use]
    pub fn with_patience(mut self, patience: Patience) -> Self {
        self.patience = patience;
        self
    }

    fn first(&self) -> &str {
        self.members.first().map_or("", |member| member.spec.as_str())
    }

    fn member(&self, spec: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.spec == spec)
    }

    fn circuits(&self) -> MutexGuard<'_, HashMap<String, Circuit>> {
        self.circuits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn circuit<T>(&self, spec: &str, with: impl FnOnce(&mut Circuit) -> T) -> T {
        with(self.circuits().entry(spec.to_owned()).or_default())
    }

    fn tell_once(&self, text: String) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.insert(text.clone()) {
            self.ledger.tell(text);
        }
    }

    /// Takes a turn to its end.
    async fn take(&self, turn: Arc<Turn>) -> Call {
        let route = match route(&self.staff, self.first(), &turn.task) {
            Ok(route) => route,
            Err(setting) => return switched_off(&setting),
        };
        let first = route.chain.first().and_then(|spec| self.member(spec));
        if let Some(member) = first.filter(|member| !member.driver.counts()) {
            // Whoever is not counted keeps no conversation.
            let mut turn = Arc::unwrap_or_clone(turn);
            turn.begin_anew();
            return member.driver.perform(Arc::new(turn)).await;
        }
        let mut course = Course::of(&turn, route);
        if let Some(member) = first {
            self.ledger.tell_lost(&cut_off(member, &course, self.clock.now()));
        }
        self.rest_before(&course).await;
        let scope = (turn.task.workflow.as_str(), turn.task.step.as_str());
        loop {
            if let Err(hold) = self.ledger.begin(scope, &self.staff.limits, self.clock.now()) {
                let wake = hold.until;
                match self.held(&course, hold, wake, FailureKind::Limit).await {
                    Some(call) => return call,
                    None => continue,
                }
            }
            let Some(member) = self.next(&course) else {
                self.ledger.cancel(scope);
                match self.nobody(&mut course).await {
                    Some(call) => return call,
                    None => continue,
                }
            };
            let call = self.call(member, &mut course).await;
            if let Some(call) = self.weigh(&member.spec, call, &mut course).await {
                return call;
            }
        }
    }

    /// Waits before a turn is taken again that came to nothing in this lane.
    async fn rest_before(&self, course: &Course<'_>) {
        let turn = course.turn;
        let failures = self.ledger.failures(&turn.lane);
        if turn.task.attempt < 2 || failures == 0 {
            return;
        }
        let wait = match course.is_review() {
            true => REVIEWER,
            false => backoff(failures, &course.seed("rest")),
        };
        tokio::time::sleep(wait).await;
    }

    /// Finds who is asked next. One who failed is asked all the same where there is nobody else.
    fn next(&self, course: &Course<'_>) -> Option<&Member> {
        let now = self.clock.now();
        let chain = || course.route.chain.iter().filter(|spec| !course.passed.contains(spec));
        let admitted = chain().find(|spec| self.circuit(spec, |circuit| circuit.admits(now)));
        let failing = |spec: &&String| self.circuit(spec, |circuit| circuit.why() == Some(Shut::Failures));
        self.member(admitted.or_else(|| chain().find(failing))?)
    }

    /// Calls an agent once, and tells what came of it.
    async fn call(&self, member: &Member, course: &mut Course<'_>) -> Call {
        let turn = Arc::new(self.prepared(member, course));
        let resumed = turn.session.resume.clone();
        let model = turn.task.model.clone();
        let began = self.clock.now();
        let asked = Called {
            model: model.clone().or_else(|| member.model.clone()),
            ..cut_off(member, course, began)
        };
        self.ledger.open(asked.clone());
        let mut call = member.driver.perform(turn).await;
        let at = self.clock.now();
        course.all += 1;
        course.calls += 1;
        course.anew = false;
        let class = call.result.as_ref().err().map(|failure| failure.kind);
        // A call that broke off leaves a conversation that nobody knows the end of; the one before it is sound.
        let session = match class {
            None | Some(FailureKind::Malformed) => call.session.clone(),
            Some(_) => resumed,
        };
        let model = call.model.clone().or_else(|| asked.model.clone());
        call.spent = self.priced(call.spent, member, model.as_deref());
        for note in &call.notes {
            self.tell_once(format!("{}: {note}", member.driver.name()));
        }
        self.ledger.end(Called {
            at,
            model,
            session,
            spent: call.spent,
            took: u64::try_from(at - began).unwrap_or_default(),
            class,
            cut: false,
            until: call.until,
            ..asked
        });
        call
    }

    /// Makes the turn as the agent gets it.
    fn prepared(&self, member: &Member, course: &Course<'_>) -> Turn {
        let mut turn = course.turn.clone();
        let task = &mut turn.task;
        let failures = task.attempt.saturating_sub(1);
        task.model = match member.model(course.route.model.as_deref(), failures) {
            Ok(model) => model,
            Err(note) => {
                self.tell_once(note);
                None
            }
        };
        task.timeout = [task.timeout, self.seconds_left(course)].into_iter().flatten().min();
        let before = task
            .after
            .clone()
            .filter(|_| task.mode == Mode::Session && !course.anew);
        let talk = before.and_then(|digest| self.ledger.talk(&turn.lane, &digest));
        let resume = talk
            .filter(|talk| talk.driver == member.driver.name())
            .map(|talk| talk.session);
        if resume.is_none() {
            turn.begin_anew();
        }
        turn.session = Session {
            counted: resume.as_deref().map(|id| self.ledger.counted(id)).unwrap_or_default(),
            resume,
            choose: uuid(&format!(
                "{} {} {}",
                turn.session.choose,
                course.seed("session"),
                self.ledger.tries(&course.key())
            )),
        };
        turn
    }

    /// Adds what a call cost by the person's own prices, where the agent does not tell.
    fn priced(&self, spent: Spent, member: &Member, model: Option<&str>) -> Spent {
        let by_price = || cost(price(&self.staff.prices, member, model?)?, spent);
        Spent {
            cost: spent.cost.filter(is_cost).or_else(by_price),
            ..spent
        }
    }

    /// Decides about a call: the end of the turn, or nothing where somebody is asked again.
    async fn weigh(&self, spec: &str, call: Call, course: &mut Course<'_>) -> Option<Call> {
        let now = self.clock.now();
        let conduct = conduct(&call);
        match conduct {
            Conduct::Answered if call.is_too_long() && course.goes_on(&self.ledger) => {
                self.circuit(spec, Circuit::works);
                course.anew = true;
                return None;
            }
            Conduct::Replied | Conduct::Answered => {
                self.circuit(spec, Circuit::works);
                return Some(call);
            }
            // A review beside others is repeated and given up by the workflow itself.
            Conduct::Busy if course.is_review() => {
                self.circuit(spec, |circuit| circuit.failed(now));
                return Some(call);
            }
            Conduct::Busy | Conduct::Limited => {
                // Whoever was left alone got one call to show that they work again.
                let is_probe = self.circuit(spec, |circuit| circuit.why().is_some());
                if let Some(wait) = course.soon(call.until, now).filter(|_| !is_probe) {
                    course.last = Some(call);
                    tokio::time::sleep(wait).await;
                    return None;
                }
                self.circuit(spec, |circuit| circuit.trip(now, call.until, Shut::Busy));
            }
            Conduct::Locked => self.circuit(spec, |circuit| circuit.trip(now, call.until, Shut::Locked)),
            Conduct::Empty => self.circuit(spec, |circuit| circuit.trip(now, call.until, Shut::Empty)),
            Conduct::Late | Conduct::Failed => {
                let is_shut = self.circuit(spec, |circuit| circuit.failed(now));
                // The ceiling that ended it says so itself.
                if conduct == Conduct::Late && self.seconds_left(course) == Some(0) {
                    return None;
                }
                if !(is_shut || conduct == Conduct::Late) || !self.has_others(spec, course) {
                    return Some(call);
                }
            }
        }
        self.pass(spec, call, course);
        None
    }

    fn seconds_left(&self, course: &Course<'_>) -> Option<u32> {
        let task = &course.turn.task;
        let scope = (task.workflow.as_str(), task.step.as_str());
        self.ledger.seconds_left(scope, &self.staff.limits)
    }

    /// Says whether somebody else can be asked now.
    fn has_others(&self, spec: &str, course: &Course<'_>) -> bool {
        let other = |it: &&String| *it != spec && !course.passed.contains(it);
        let mut others = course.route.chain.iter().filter(other);
        others.any(|it| self.circuit(it, |circuit| circuit.why().is_none()))
    }

    /// Goes on to the next agent.
    fn pass(&self, spec: &str, call: Call, course: &mut Course<'_>) {
        course.passed.push(spec.to_owned());
        course.calls = 0;
        if self.has_others(spec, course)
            && let Err(failure) = &call.result
        {
            self.ledger.tell(format!(
                "{} ({}); somebody else is asked",
                line(&failure.message),
                failure.kind.name()
            ));
        }
        course.last = Some(call);
    }
}

impl Driver for Relay {
    fn name(&self) -> &str {
        self.members
            .first()
            .map(|member| member.driver.name())
            .unwrap_or(NOBODY)
    }

    fn asked(&self, task: &Task) -> Option<&str> {
        let route = route(&self.staff, self.first(), task).ok()?;
        let first = route.chain.first().and_then(|spec| self.member(spec));
        first.map(|member| member.driver.name())
    }

    fn works_on_files(&self) -> bool {
        self.members.iter().any(|member| member.driver.works_on_files())
    }

    fn runs_hooks(&self) -> bool {
        self.members.iter().any(|member| member.driver.runs_hooks())
    }

    fn perform(&self, turn: Arc<Turn>) -> Wait<'_, Call> {
        Box::pin(self.take(turn))
    }
}

/// Returns what is told of a call that was cut off.
fn cut_off(member: &Member, course: &Course<'_>, at: i64) -> Called {
    Called {
        at,
        key: course.key(),
        step: course.turn.task.step.clone(),
        workflow: course.turn.task.workflow.clone(),
        driver: member.driver.name().to_owned(),
        model: None,
        session: None,
        spent: Spent::default(),
        took: 0,
        class: None,
        cut: true,
        until: None,
    }
}

fn switched_off(setting: &str) -> Call {
    Err(Failure {
        kind: FailureKind::Denied,
        message: format!("this work is switched off: `{setting}` in `bmad.toml` is `false`"),
    })
    .into()
}
