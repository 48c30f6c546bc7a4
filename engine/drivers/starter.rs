//! Commands in, their processes out, started on threads of their own.
//!
//! Whoever starts a process is held until it has become its program. The engine has others to listen to meanwhile, and a
//! process that waits for a processor holds up no other.

use super::pids::Tree;
use std::collections::VecDeque;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tokio::process::{Child, Command};
use tokio::runtime::Handle;
use tokio::sync::oneshot::{self, Receiver, error::TryRecvError};

/// The most processes that are started at the same time. Elsewhere a pipe is made in two acts, and a process that starts
/// between them would keep an end of it.
const MOST: usize = if cfg!(target_os = "linux") { 4 } else { 1 };

/// How often a program is tried again that somebody still writes, and after how long. Whoever is being started holds what
/// this process has open until it has become its program: also a file that was closed meanwhile, to be run.
const BUSY: (usize, Duration) = (100, Duration::from_millis(2));

/// How often it is looked whether a process that nobody wants any more was started.
const GLANCE: Duration = Duration::from_micros(200);

/// A process to start.
struct Order {
    command: Command,
    /// Where it is listened to.
    runtime: Handle,
    reply: oneshot::Sender<io::Result<Child>>,
}

impl Order {
    /// Starts the process. Whoever ordered it waits for it, even to end it.
    fn carry_out(mut self) {
        let _inside = self.runtime.enter();
        let is_busy = |error: &io::Error| error.kind() == io::ErrorKind::ExecutableFileBusy;
        let (tries, pause) = BUSY;
        let mut started = self.command.spawn();
        for _ in 0..tries {
            if !started.as_ref().is_err_and(is_busy) {
                break;
            }
            thread::sleep(pause);
            started = self.command.spawn();
        }
        drop(self.reply.send(started));
    }
}

/// Orders, and who takes them.
struct Starters {
    orders: VecDeque<Order>,
    threads: usize,
    /// How many of the threads have nothing to do.
    idle: usize,
}

static STARTERS: Mutex<Starters> = Mutex::new(Starters {
    orders: VecDeque::new(),
    threads: 0,
    idle: 0,
});

/// Rung when there is an order.
static BELL: Condvar = Condvar::new();

fn starters() -> MutexGuard<'static, Starters> {
    STARTERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hands an order to a thread, one more where all are busy. It comes back where the system has no thread to give.
fn hand(order: Order) -> Option<Order> {
    let mut all = starters();
    all.orders.push_back(order);
    if all.orders.len() <= all.idle {
        BELL.notify_one();
    } else if all.threads < MOST {
        let thread = thread::Builder::new().name("starter".to_owned()).spawn(take_orders);
        all.threads += usize::from(thread.is_ok());
    }
    match all.threads {
        0 => all.orders.pop_back(),
        _ => None,
    }
}

/// A thread that takes orders; it is no longer counted once it is gone.
struct Taking;

impl Drop for Taking {
    fn drop(&mut self) {
        starters().threads -= 1;
    }
}

/// Takes orders as long as the program runs.
fn take_orders() {
    let _taking = Taking;
    let mut all = starters();
    loop {
        while let Some(order) = all.orders.pop_front() {
            drop(all);
            order.carry_out();
            all = starters();
        }
        all.idle += 1;
        all = BELL.wait(all).unwrap_or_else(PoisonError::into_inner);
        all.idle -= 1;
    }
}

/// Starts a process. Dropped half-way, it ends what was started.
pub(super) async fn start(command: Command) -> io::Result<Child> {
    let (reply, child) = oneshot::channel();
    let order = Order {
        command,
        runtime: Handle::current(),
        reply,
    };
    if let Some(back) = hand(order) {
        back.carry_out();
    }
    Ordered(child).started().await
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
    use super::{MOST, start, starters};
    use crate::drivers::pids::{TOKEN, carriers};
    use std::task::{Context, Poll};
    use std::time::Duration;
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
        assert!((1..=MOST).contains(&starters().threads));
    }

    #[test]
    fn a_program_that_is_still_written_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agent");
        std::fs::copy("/bin/true", &path).unwrap();
        let writer = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
        let closing = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            drop(writer);
        });
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let ended = runtime.block_on(async { start(Command::new(&path)).await?.wait().await });
        assert_eq!(ended.unwrap().code(), Some(0));
        closing.join().unwrap();
    }

    #[test]
    fn a_program_that_is_waited_for_holds_up_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agent");
        std::fs::copy("/bin/true", &path).unwrap();
        let writer = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let held = tokio::spawn(start(Command::new(&path)));
            let other = tokio::spawn(start(Command::new("/bin/true")));
            other.await.unwrap().unwrap().wait().await.unwrap();
            drop(writer);
            drop(held.await);
        });
        assert!((2..=MOST).contains(&starters().threads));
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
