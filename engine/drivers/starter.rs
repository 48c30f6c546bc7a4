//! Commands in, their processes out, started on a thread of their own.
//!
//! Whoever starts a process is held until it has become its program. The engine has others to listen to meanwhile.

use super::pids::Tree;
use std::io;
use std::sync::LazyLock;
use std::sync::mpsc::{self, SendError, Sender};
use std::time::Duration;
use tokio::process::{Child, Command};
use tokio::runtime::Handle;
use tokio::sync::oneshot::{self, Receiver, error::TryRecvError};

/// How often it is looked whether a process that nobody wants any more was started.
const GLANCE: Duration = Duration::from_micros(200);

/// A process to start.
struct Order {
    command: Command,
    /// Where it is listened to.
    runtime: Handle,
    reply: oneshot::Sender<io::Result<Child>>,
}

/// Where orders go; nowhere, where the system has no thread to give.
static ORDERS: LazyLock<Option<Sender<Order>>> = LazyLock::new(|| {
    let (sender, orders) = mpsc::channel::<Order>();
    let starting = move || {
        for mut order in orders {
            let _inside = order.runtime.enter();
            // Whoever ordered it waits for it, even to end it.
            drop(order.reply.send(order.command.spawn()));
        }
    };
    let thread = std::thread::Builder::new().name("starter".to_owned()).spawn(starting);
    thread.is_ok().then_some(sender)
});

/// Starts a process. Dropped half-way, it ends what was started.
pub(super) async fn start(command: Command) -> io::Result<Child> {
    let (reply, child) = oneshot::channel();
    let mut order = Order {
        command,
        runtime: Handle::current(),
        reply,
    };
    if let Some(orders) = &*ORDERS {
        match orders.send(order) {
            Ok(()) => return Ordered(child).started().await,
            Err(SendError(back)) => order = back,
        }
    }
    order.command.spawn()
}

/// A process that was ordered and is not yet there.
struct Ordered(Receiver<io::Result<Child>>);

impl Ordered {
    async fn started(mut self) -> io::Result<Child> {
        let reply = (&mut self.0).await;
        reply.unwrap_or_else(|_| Err(io::Error::other("nobody is left to start it")))
    }
}

impl Drop for Ordered {
    /// Waits for a process that nobody wants any more, which takes a moment, and ends it: nobody else knows of it.
    fn drop(&mut self) {
        loop {
            match self.0.try_recv() {
                Ok(Ok(child)) => return child.id().into_iter().for_each(|leader| Tree::of(leader).force()),
                Ok(Err(_)) | Err(TryRecvError::Closed) => return,
                Err(TryRecvError::Empty) => std::thread::sleep(GLANCE),
            }
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::start;
    use crate::drivers::pids::{TOKEN, carriers};
    use std::task::{Context, Poll};
    use tokio::process::Command;
    use tokio::runtime::Builder;

    #[test]
    fn what_is_ordered_at_once_is_started_and_ends() {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let mut codes: Vec<Option<i32>> = runtime.block_on(async {
            let mut all = tokio::task::JoinSet::new();
            for code in 0..20 {
                all.spawn(async move {
                    let mut command = Command::new("sh");
                    command.args(["-c", &format!("exit {code}")]);
                    start(command).await.unwrap().wait().await.unwrap().code()
                });
            }
            all.join_all().await
        });
        codes.sort_unstable();
        assert_eq!(codes, (0..20).map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn what_cannot_be_started_says_why() {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let started = runtime.block_on(start(Command::new("/nowhere/to/be/found")));
        assert_eq!(started.unwrap_err().kind(), std::io::ErrorKind::NotFound);
    }

    #[test]
    fn what_nobody_waits_for_any_more_is_ended() {
        let token = format!("test-unwanted-{}", std::process::id());
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let given_up = runtime.block_on(async {
            let mut given_up = 0;
            for _ in 0..20 {
                let mut command = Command::new("sleep");
                command.arg("1000").env(TOKEN, &token);
                command.process_group(0);
                let mut starting = Box::pin(start(command));
                // It is ordered, and nearly always given up before it is there.
                let poll = |context: &mut Context| Poll::Ready(starting.as_mut().poll(context));
                match std::future::poll_fn(poll).await {
                    Poll::Pending => given_up += 1,
                    Poll::Ready(started) => started.unwrap().start_kill().unwrap(),
                }
            }
            given_up
        });
        assert!(given_up > 0);
        // One that was ended may take a moment to go.
        let looks = 1000;
        assert!(
            (0..looks).any(|_| carriers(&token).is_empty()),
            "{:?}",
            carriers(&token)
        );
    }
}
