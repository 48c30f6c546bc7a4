//! Somebody who wants the program to stop in order: they press Ctrl-C, close its terminal, or the system asks it to end.
//!
//! From the first look on they do not end the program any more: whoever works or waits from then on has to look again.

use super::ceilings::Hold;
use super::crew::{Crew, EndSurvivors, RunError, Stopped};
use super::run::Running;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use tokio::task::JoinError;

impl Running<'_> {
    /// Stops because somebody wants it. Where every turn only waits until somebody can be asked, nothing is under way, and
    /// the run is parked.
    pub(super) fn interrupted(&mut self) -> Result<Stopped, RunError> {
        let hold = self.crew.ledger.waiting(self.began.keys());
        if hold.is_some() {
            self.take_news()?;
        }
        self.settle()?;
        Ok(match hold {
            Some(Hold { until, why }) => Stopped::Parked { until, why },
            None => Stopped::Interrupted,
        })
    }

    /// Tells of the calls that are cut off because the run stops: they may have to be paid for.
    pub(super) fn cut_off(&mut self) -> Result<(), RunError> {
        self.crew.ledger.cut_off(self.crew.clock.now());
        if self.take_news()? {
            self.settle()?;
        }
        Ok(())
    }
}

/// How often a run goes around between two looks where nobody is waited for.
const ROUNDS: u64 = 64;

/// Somebody who may interrupt a run. They are not asked for again once they came.
pub(super) struct Interrupt {
    coming: Pin<Box<dyn Future<Output = ()>>>,
    rounds: u64,
}

impl Interrupt {
    pub(super) fn new(crew: &Crew) -> Self {
        Self {
            coming: Box::pin(interrupted(crew.outlives_terminal)),
            rounds: 0,
        }
    }

    /// Waits for them.
    pub(super) async fn wait(&mut self) {
        (&mut self.coming).await;
    }

    /// Says whether they came already; from then on they are heard.
    pub(super) async fn has_come(&mut self) -> bool {
        std::future::poll_fn(|context| Poll::Ready(self.coming.as_mut().poll(context).is_ready())).await
    }

    /// Says whether they came, now and then, and where much was done since: a run may go around without waiting for anybody.
    pub(super) async fn has_come_meanwhile(&mut self, much: bool) -> bool {
        self.rounds += 1;
        (much || self.rounds.is_multiple_of(ROUNDS)) && self.has_come_by_now().await
    }

    /// Says whether they came, whatever was done meanwhile.
    pub(super) async fn has_come_by_now(&mut self) -> bool {
        // What came is told when nobody works.
        tokio::task::yield_now().await;
        self.has_come().await
    }

    /// Ends whoever an earlier process left behind, and says whether somebody interrupted meanwhile. They are ended all
    /// the same, without any more time: until the next resume nobody else would.
    pub(super) async fn has_come_while(&mut self, end: Option<EndSurvivors>) -> bool {
        // Heard from here on: the first snapshot of a large project takes its time.
        let came = self.has_come().await;
        let Some(end) = end else { return came };
        let haste = Arc::new(AtomicBool::new(came));
        let told = Arc::clone(&haste);
        let mut ending = tokio::task::spawn_blocking(move || end(&told));
        if !came {
            tokio::select! {
                biased;
                () = self.wait() => haste.store(true, Ordering::Relaxed),
                ended = &mut ending => {
                    unpanicked(ended);
                    return false;
                }
            }
        }
        unpanicked(ending.await);
        true
    }
}

fn unpanicked(ended: Result<(), JoinError>) {
    if let Err(error) = ended
        && error.is_panic()
    {
        std::panic::resume_unwind(error.into_panic());
    }
}

/// Does something that takes its time; nothing comes of it where somebody interrupts it.
pub(super) async fn unless_interrupted<T>(crew: &Crew, work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        done = work => Some(done),
        () = interrupted(crew.outlives_terminal) => None,
    }
}

/// Waits until somebody interrupts the program; without signals, for ever.
async fn interrupted(outlives_terminal: bool) {
    tokio::select! {
        () = pressed() => {}
        () = asked() => {}
        () = hung_up(), if !outlives_terminal => {}
    }
}

async fn pressed() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Waits until the system asks the program to end, as `timeout` does and whoever stops a service.
#[cfg(unix)]
async fn asked() {
    signalled(tokio::signal::unix::SignalKind::terminate()).await;
}

/// Waits until the terminal of the program is closed, or the connection to it is lost.
#[cfg(unix)]
async fn hung_up() {
    signalled(tokio::signal::unix::SignalKind::hangup()).await;
}

#[cfg(unix)]
async fn signalled(kind: tokio::signal::unix::SignalKind) {
    match tokio::signal::unix::signal(kind) {
        Ok(mut signal) => drop(signal.recv().await),
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn asked() {
    std::future::pending().await
}

#[cfg(not(unix))]
async fn hung_up() {
    std::future::pending().await
}
