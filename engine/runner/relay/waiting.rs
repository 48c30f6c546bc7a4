//! A turn that nobody can take now in; it is waited until somebody can, or the run is parked.

use super::course::Course;
use super::{Circuit, Relay, Shut};
use crate::host::Call;
use crate::machine::{Failure, FailureKind};
use crate::runner::ceilings::Hold;
use crate::runner::chance::part;
use crate::runner::line::line;
use std::time::Duration;

/// How long after a stated moment somebody is asked again, and how much longer by chance.
const AFTER: Duration = Duration::from_secs(5);
/// How long to look away while somebody else finds out whether an agent works again.
const PROBED: Duration = Duration::from_secs(1);

/// What is done when nobody can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// The run is parked.
    Park,
    /// It is waited until somebody can.
    Wait,
}

impl Relay {
    /// Decides what becomes of a turn that nobody can take now.
    pub(super) async fn nobody(&self, course: &mut Course<'_>) -> Option<Call> {
        let chain = course.route.chain.iter();
        let shut: Vec<(&String, Circuit)> = chain.map(|spec| (spec, self.circuit(spec, |it| it.clone()))).collect();
        let because = |why: Shut| shut.iter().filter(move |(_, circuit)| circuit.why() == Some(why));
        let busy = because(Shut::Busy).min_by_key(|(_, circuit)| circuit.until());
        let Some((spec, circuit)) = busy.or_else(|| because(Shut::Empty).next()) else {
            return Some(course.last.take().unwrap_or_else(|| unasked(&course.route.chain)));
        };
        // Whoever has nothing left to spend waits for a person, not for a moment.
        let is_busy = circuit.why() == Some(Shut::Busy);
        let wake = circuit.until().filter(|_| is_busy);
        let why = match course.last.as_ref().map(|call| &call.result) {
            Some(Err(failure)) => failure.message.clone(),
            Some(Ok(_)) | None => format!("{spec} takes no more for now"),
        };
        let hold = Hold {
            until: circuit.stated(),
            why,
        };
        let over = self.held(course, hold, wake, FailureKind::RateLimited).await;
        if let (None, Some(waited)) = (&over, wake) {
            let now = self.clock.now();
            self.circuit(spec, |circuit| circuit.ripen(waited, now));
            course.passed.clear();
        }
        over
    }

    /// Parks a turn, or waits for a moment to take it.
    pub(super) async fn held(
        &self,
        course: &Course<'_>,
        hold: Hold,
        wake: Option<i64>,
        kind: FailureKind,
    ) -> Option<Call> {
        let Some(until) = wake.filter(|_| self.patience == Patience::Wait) else {
            let message = hold.why.clone();
            self.ledger.hold(course.key(), hold);
            return Some(Err(Failure { kind, message }).into());
        };
        let now = self.clock.now();
        let time = Duration::from_millis(u64::try_from(until - now).unwrap_or_default());
        let wait = time.max(PROBED) + AFTER + part(AFTER, &course.seed("held"));
        let why = line(&hold.why);
        self.ledger.tell(format!("{why}; waiting for {} s", wait.as_secs()));
        self.ledger.wait(course.key(), hold);
        tokio::time::sleep(wait).await;
        self.ledger.go_on(&course.key());
        None
    }
}

fn unasked(chain: &[String]) -> Call {
    Err(Failure {
        kind: FailureKind::Auth,
        message: format!(
            "nobody can be asked: {} did not let the engine in before",
            chain.join(", ")
        ),
    })
    .into()
}
