//! A conversation in, the step that the script has for it out on the line, with every way it can go wrong.

use super::Office;
use super::http::{Line, Question};
use super::scenario::{Act, Fault, Step};
use super::talk::{Answer, Dialect, Stream};
use std::io;
use std::time::{Duration, Instant};

/// How often a reply that waits looks whether anybody still waits with it.
const MOMENT: Duration = Duration::from_millis(20);

/// Answers a conversation by the script.
pub(super) fn reply(line: &mut Line, dialect: &dyn Dialect, question: Question, office: &Office) -> io::Result<()> {
    let talk = dialect.talk(&question);
    let number = office.note(question, &talk);
    let step = {
        let mut taken = office.taken.lock().unwrap();
        office.scenario.step(&talk, &mut taken)
    };
    if !pause(line, step.delay, office)? {
        return line.cut();
    }
    if let Act::Fault(fault) = &step.act {
        let Fault { status, body, headers } = fault;
        let body = body.clone().unwrap_or_else(|| dialect.refusal(*status));
        return line.answer(*status, headers, &body);
    }
    let answer = Answer::new(&step, &talk, number, office.scenario.usage);
    let mut desk = Desk {
        line,
        dialect,
        office,
        answer,
    };
    if talk.streamed {
        desk.stream(&step)
    } else {
        desk.whole(&step)
    }
}

/// An answer on its way.
struct Desk<'a> {
    line: &'a mut Line,
    dialect: &'a dyn Dialect,
    office: &'a Office,
    answer: Answer,
}

impl Desk<'_> {
    fn whole(&mut self, step: &Step) -> io::Result<()> {
        let text = self.dialect.whole(&self.answer).to_string();
        match &step.act {
            Act::Hang => {
                while pause(self.line, MOMENT, self.office)? {}
                self.line.cut()
            }
            Act::Cut => {
                self.line.head(200, &[], text.len())?;
                let [half, _] = Answer::halves(&text);
                self.line.send(half)?;
                self.line.cut()
            }
            Act::Malformed => self.line.whole(200, &[], "{this is no JSON"),
            Act::Broken(_) => self.line.answer(500, &[], &self.dialect.refusal(500)),
            Act::Text(_) | Act::Write { .. } | Act::Shell(_) | Act::Call { .. } | Act::Structured(_) => {
                self.line.whole(200, &[], &text)
            }
            Act::Fault(_) => unreachable!("a refusal is no answer"),
        }
    }

    fn stream(&mut self, step: &Step) -> io::Result<()> {
        let Stream { opening, mut rest } = self.dialect.stream(&self.answer);
        self.line.open()?;
        for event in &opening {
            self.line.part(&event.text())?;
        }
        match &step.act {
            Act::Hang => {
                while pause(self.line, MOMENT, self.office)? {}
                return self.line.cut();
            }
            Act::Cut => {
                // A third is after the first words and before the last.
                for event in &rest[..(rest.len() / 3).max(1)] {
                    self.line.part(&event.text())?;
                }
                return self.line.cut();
            }
            Act::Malformed => {
                rest.truncate(1);
                rest[0].payload = "{this is no JSON".to_owned();
            }
            Act::Broken(kind) => {
                rest.truncate(1);
                rest.push(self.dialect.broken(&self.answer, kind));
            }
            Act::Text(_) | Act::Write { .. } | Act::Shell(_) | Act::Call { .. } | Act::Structured(_) => {}
            Act::Fault(_) => unreachable!("a refusal is no answer"),
        }
        for event in &rest {
            self.line.part(&event.text())?;
        }
        self.line.close()
    }
}

/// Waits; says whether anybody still waits for the answer.
fn pause(line: &mut Line, delay: Duration, office: &Office) -> io::Result<bool> {
    let start = Instant::now();
    while start.elapsed() < delay {
        if office.is_stopped() || !line.wait(MOMENT.min(delay))? {
            return Ok(false);
        }
    }
    Ok(true)
}
