//! A run that waits long for an agent says so from time to time.

use super::corpus::{Onward, crew};
use super::project;
use bmad::host::{Call, Driver, Durability, Journal, JournalError, Line, Reply, Turn, Wait};
use bmad::machine::{Envelope, Image, Machine, Options};
use bmad::runner::{Event, History, Stopped, run};
use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::time::Duration;

/// An agent that replies once somebody noticed that it takes long.
struct Slow(Arc<Notice>);

/// Whether it was noticed, and whom to wake then.
#[derive(Default)]
struct Notice(Mutex<(bool, Option<Waker>)>);

impl Notice {
    fn give(&self) {
        let mut notice = self.0.lock().unwrap();
        notice.0 = true;
        if let Some(waker) = notice.1.take() {
            waker.wake();
        }
    }

    async fn taken(&self) {
        poll_fn(|context| {
            let mut notice = self.0.lock().unwrap();
            notice.1 = Some(context.waker().clone());
            if notice.0 { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

impl Driver for Slow {
    fn name(&self) -> &str {
        "slow"
    }

    fn perform(&self, _: Arc<Turn>) -> Wait<'_, Call> {
        Box::pin(async {
            self.0.taken().await;
            let envelope = Envelope::default();
            let raw = String::new();
            Ok(Reply { envelope, raw }).into()
        })
    }
}

/// A journal that keeps nothing.
struct Nowhere;

impl Journal for Nowhere {
    fn append(&mut self, _: &Line<'_>, _: Durability) -> Result<(), JournalError> {
        Ok(())
    }

    fn settle(&mut self) -> Result<(), JournalError> {
        Ok(())
    }
}

#[test]
fn whoever_watches_is_told_how_long_an_agent_is_waited_for() {
    let loaded = project([(
        "flow.xml",
        r#"<workflow name="W"><step n="1" goal="a"><dispatch mode="fresh">Work.</dispatch></step></workflow>"#,
    )]);
    let image = Image::new(&loaded.library, &loaded.workflows, &loaded.program);
    let at = (0..loaded.workflows.len())
        .find(|at| loaded.workflows[*at].name == "W")
        .unwrap();
    let mut machine = Machine::new(&image, at, Options::default());
    let noticed = Arc::new(Notice::default());
    let mut crew = crew("script:--ack", Arc::new(Onward));
    crew.driver = Arc::new(Slow(Arc::clone(&noticed)));
    crew.beat = Duration::from_millis(1);
    let mut told = Vec::new();
    let stopped = run(
        &mut machine,
        &mut Nowhere,
        &mut History::default(),
        &crew,
        &mut |event| {
            if let Event::Waited(time) = event {
                told.push(time.as_millis());
                if told.len() == 3 {
                    noticed.give();
                }
            }
        },
    );
    assert!(matches!(stopped, Ok(Stopped::Ended(_))), "{stopped:?}");
    assert_eq!(told[..3], [1, 2, 3]);
}
