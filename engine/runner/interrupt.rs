//! Somebody who wants the program to stop in order: they press Ctrl-C, or the system asks it to end.

use super::crew::EndSurvivors;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

/// Waits until somebody interrupts the program; without signals, for ever.
pub(super) async fn interrupted() {
    tokio::select! {
        () = pressed() => {}
        () = asked() => {}
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
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut signal) => drop(signal.recv().await),
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn asked() {
    std::future::pending().await
}

/// Says whether somebody interrupted already; from then on they are heard.
pub(super) async fn has_come(mut interrupt: Pin<&mut impl Future<Output = ()>>) -> bool {
    std::future::poll_fn(|context| Poll::Ready(interrupt.as_mut().poll(context).is_ready())).await
}

/// Ends whoever an earlier process left behind, and says whether somebody interrupted meanwhile. They are ended all the
/// same, without any more time: nobody else would.
pub(super) async fn came_while(end: Option<EndSurvivors>, interrupt: Pin<&mut impl Future<Output = ()>>) -> bool {
    let Some(end) = end else { return false };
    let haste = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&haste);
    let mut ending = tokio::task::spawn_blocking(move || end(&told));
    tokio::select! {
        _ = &mut ending => false,
        () = interrupt => {
            haste.store(true, Ordering::Relaxed);
            drop(ending.await);
            true
        }
    }
}
