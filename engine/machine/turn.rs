//! A turn of the performing agent: sent, answered, checked, taken or asked again.

use super::code::{Op, Turn};
use super::contract;
use super::effect::{Effect, Failure, FailureKind, Outcome};
use super::end::EndKind;
use super::envelope::{Asked, Envelope, Evidence, Status};
use super::lane::Stage;
use super::question::{Asker, Choice, Question};
use super::render;
use super::task::{Order, Task, Wanted};
use super::walk::{Flow, Walk};
use crate::builtins::Value;
use crate::model::is_system;
use crate::source::Span;

/// How often a turn is asked again before it is a failure.
const MAX_ATTEMPTS: u32 = 3;
/// How often a turn may ask the same over and say nothing new, although it gets the same answer.
const MAX_IDLE: u32 = 5;
/// How many questions are asked at once.
const MAX_ASKS: usize = 10;

/// A turn under way.
#[derive(Debug)]
pub(super) struct Taken {
    task: Task,
    /// Questions in its text that are the person's to answer.
    own: Vec<Asked>,
    /// How often it came back with questions.
    rounds: u32,
    /// How often in a row it came back with nothing new.
    idle: u32,
    phase: Phase,
}

impl Taken {
    /// Says whether a question was answered before in this turn, the last two times with the same words.
    fn is_settled(&self, asked: &Asked) -> bool {
        let same = self.task.answered.iter().rev();
        let mut answers = same
            .filter(|(question, _)| *question == asked.question)
            .map(|(_, answer)| answer);
        match (answers.next(), answers.next()) {
            (Some(last), Some(before)) => last == before,
            (last, _) => last.is_some(),
        }
    }
}

#[derive(Debug)]
enum Phase {
    /// The agent has it.
    Sent,
    /// The person is asked; the questions that are left, the next one first.
    Asking(Vec<Asked>),
    /// What the agent claims is checked.
    Verifying(Box<Envelope>),
    /// The person decides about an instruction that could not be done.
    Blocked(Box<Envelope>),
}

impl<'p> Walk<'_, 'p> {
    pub(super) fn turn(&mut self, turn: &'p Turn<'p>) -> Flow<'p> {
        let mut task = self.task();
        for (at, span) in turn.orders.iter().enumerate() {
            task.instructions.push(Order {
                n: at as u32 + 1,
                text: self.words_but(*span, &turn.gives).trim().to_owned(),
                optional: false,
                place: self.image.place(*span),
            });
        }
        let known = self.known().telling().holding(&turn.gives);
        let conditions = self.conditions(turn).into_iter();
        task.conditions = conditions.map(|condition| render::text(&condition, &known)).collect();
        let stores = turn.stores.iter().map(|name| (*name).to_owned());
        let declared = self.declared_names(&turn.orders);
        task.wanted = Wanted {
            variables: unique(stores.chain(declared).chain(self.open_names(&turn.shows))),
            sections: unique(turn.sections.iter().map(|name| self.text(&name.text))),
            fields: Vec::new(),
        };
        let terms = self.terms(&task);
        let told = terms
            .iter()
            .map(|span| self.words_but(*span, &turn.gives).trim().to_owned());
        task.rules.extend(told);
        task.variables = self.mentioned(&[turn.orders.as_slice(), &terms].concat());
        task.files = self.files(&task.instructions, &turn.orders);
        self.frame_mut().variables.note_told();
        let own = turn.asks.iter().take(MAX_ASKS).map(|words| Asked {
            question: self.words(*words),
            options: Vec::new(),
        });
        let own = own.collect();
        self.lane.judged.clear();
        self.lane.stale.clear();
        self.begin_turn(task, own)
    }

    /// Returns the conditions that are put to a turn, as they are written.
    fn conditions(&self, turn: &Turn<'p>) -> Vec<String> {
        let said = turn.conditions.iter().map(|statement| self.image.statement(*statement));
        let further = turn.further.iter().filter(|_| self.options.whole);
        unique(said.chain(further.map(|words| (*words).to_owned())))
    }

    /// A turn that writes sections nobody wrote yet.
    pub(super) fn write_sections(&mut self, names: &[String], span: Span) -> Flow<'p> {
        let mut task = self.task();
        task.instructions.push(Order {
            n: 1,
            text: format!("Write these sections of the document: {}", names.join(", ")),
            optional: false,
            place: self.image.place(span),
        });
        task.wanted.sections = names.to_vec();
        self.send_task(task)
    }

    /// A turn that follows a file nobody can run as a workflow.
    pub(super) fn follow_by_agent(&mut self, text: String, place: String) -> Flow<'p> {
        let mut task = self.task();
        task.instructions.push(Order {
            n: 1,
            text,
            optional: false,
            place,
        });
        self.send_task(task)
    }

    /// Sends a task that asks the person nothing itself.
    pub(super) fn send_task(&mut self, task: Task) -> Flow<'p> {
        self.begin_turn(task, Vec::new())
    }

    fn begin_turn(&mut self, task: Task, own: Vec<Asked>) -> Flow<'p> {
        self.lane.said.clear();
        self.send(Taken {
            task,
            own,
            rounds: 0,
            idle: 0,
            phase: Phase::Sent,
        })
    }

    fn send(&mut self, taken: Taken) -> Flow<'p> {
        let mut task = taken.task.clone();
        task.after.clone_from(&self.lane.session);
        let taken = Taken {
            phase: Phase::Sent,
            ..taken
        };
        Flow::Wait(Effect::Dispatch(Box::new(task)), Stage::Turn(Box::new(taken)))
    }

    pub(super) fn turn_taken(&mut self, mut taken: Taken, outcome: Outcome) -> Flow<'p> {
        let phase = std::mem::replace(&mut taken.phase, Phase::Sent);
        match (phase, outcome) {
            (Phase::Sent, Outcome::Replied(envelope)) => self.replied(taken, *envelope),
            (Phase::Sent, Outcome::Failed(failure)) => self.turn_failed(taken, failure),
            (Phase::Asking(left), Outcome::Done) => self.ask_next(taken, left),
            (Phase::Asking(mut left), Outcome::Answered(answer)) => {
                self.tally.answers += 1;
                let asked = left.remove(0);
                let answer = asked.meant(&answer.text);
                taken.task.answered.push((asked.question, answer.clone()));
                self.frame_mut().answer = Some(answer);
                self.ask_next(taken, left)
            }
            (Phase::Verifying(envelope), Outcome::Verified { wrong }) => {
                if wrong.is_empty() {
                    return self.settle(taken, *envelope);
                }
                let told = wrong.into_iter().map(|(_, why)| why).collect();
                self.again(taken, told, FailureKind::Denied)
            }
            (Phase::Blocked(envelope), Outcome::Answered(answer)) => self.unblock(taken, *envelope, &answer.text),
            (_, Outcome::Failed(failure)) => Flow::Fail(failure),
            (_, _) => self.send(taken),
        }
    }

    fn turn_failed(&mut self, mut taken: Taken, failure: Failure) -> Flow<'p> {
        let worth = matches!(
            failure.kind,
            FailureKind::Malformed | FailureKind::Crashed | FailureKind::Stuck
        );
        if !worth || taken.task.attempt >= MAX_ATTEMPTS {
            return Flow::Fail(failure);
        }
        taken.task.attempt += 1;
        taken.task.again = vec![failure.message];
        self.send(taken)
    }

    fn replied(&mut self, mut taken: Taken, envelope: Envelope) -> Flow<'p> {
        self.tally.turns += 1;
        if !envelope.asks.is_empty() {
            return self.came_back(taken, envelope);
        }
        let menu = (taken.rounds == 0 && !self.asks_next()).then(|| contract::menu_in(&envelope.text));
        if let Some((asked, above)) = menu.flatten() {
            taken.rounds += 1;
            return self.say_and_ask(taken, &above, vec![asked]);
        }
        if taken.task.answered.is_empty() && !taken.own.is_empty() {
            let own = std::mem::take(&mut taken.own);
            return self.say_and_ask(taken, &envelope.text, own);
        }
        let problems = contract::problems(&taken.task, &envelope);
        if !problems.is_empty() {
            return self.again(taken, problems, FailureKind::Malformed);
        }
        let claims = contract::claims(&envelope);
        if claims.is_empty() {
            return self.settle(taken, envelope);
        }
        taken.phase = Phase::Verifying(Box::new(envelope));
        Flow::Wait(Effect::Verify { claims }, Stage::Turn(Box::new(taken)))
    }

    /// Asks what a reply asks. A conversation may go on for as long as it brings anything new.
    fn came_back(&mut self, mut taken: Taken, envelope: Envelope) -> Flow<'p> {
        let left: Vec<Asked> = envelope.asks.into_iter().take(MAX_ASKS).collect();
        let is_old = !self.lane.is_news(&envelope.text) && left.iter().all(|asked| taken.is_settled(asked));
        taken.rounds += 1;
        taken.idle = if is_old { taken.idle + 1 } else { 0 };
        if taken.idle > MAX_IDLE {
            let asked = left.first().map(|asked| asked.question.trim()).unwrap_or_default();
            let message = format!("the agent asked the same {MAX_IDLE} times over and got the same answer: `{asked}`");
            return Flow::Fail(Failure {
                kind: FailureKind::Malformed,
                message,
            });
        }
        self.say_and_ask(taken, &envelope.text, left)
    }

    /// Says whether the engine itself asks right after this turn, so that a menu in the reply is only shown.
    fn asks_next(&self) -> bool {
        let frame = self.frame();
        let next = self.image.code(frame.workflow).ops.get(frame.pc + 1);
        matches!((self.op(), next), (Op::Turn(_), Some(Op::Menu(..))))
    }

    /// Asks the same turn again, and says what was wrong; gives up after a few times.
    fn again(&mut self, mut taken: Taken, problems: Vec<String>, kind: FailureKind) -> Flow<'p> {
        if taken.task.attempt >= MAX_ATTEMPTS {
            let message = format!("asked {MAX_ATTEMPTS} times and still: {}", problems.join("; "));
            return Flow::Fail(Failure { kind, message });
        }
        taken.task.attempt += 1;
        taken.task.again = problems;
        self.send(taken)
    }

    /// Shows what the agent says before it asks.
    fn say_and_ask(&mut self, mut taken: Taken, text: &str, left: Vec<Asked>) -> Flow<'p> {
        let Some(text) = self.says_before(text) else {
            return self.ask_next(taken, left);
        };
        taken.phase = Phase::Asking(left);
        Flow::Wait(Effect::Show { text }, Stage::Turn(Box::new(taken)))
    }

    fn ask_next(&mut self, mut taken: Taken, left: Vec<Asked>) -> Flow<'p> {
        let Some(asked) = left.first() else {
            taken.task.again.clear();
            return self.send(taken);
        };
        let question = self.question_of_agent(asked);
        taken.phase = Phase::Asking(left);
        Flow::Wait(Effect::Ask(Box::new(question)), Stage::Turn(Box::new(taken)))
    }

    fn settle(&mut self, mut taken: Taken, envelope: Envelope) -> Flow<'p> {
        let Some((n, text)) = blocked(&envelope) else {
            return self.accept(&taken.task, envelope);
        };
        let order = taken.task.instructions.iter().find(|order| order.n == n);
        let place = order.map(|order| order.place.clone()).unwrap_or_default();
        let question = Question {
            choices: vec![
                Choice::plain("r", "Try again"),
                Choice::onward("g", "Go on and note it as a gap"),
                Choice::plain("x", "Stop the run"),
            ],
            origin: Asker::Engine,
            place,
            ..self.question(&text)
        };
        taken.phase = Phase::Blocked(Box::new(envelope));
        Flow::Wait(Effect::Ask(Box::new(question)), Stage::Turn(Box::new(taken)))
    }

    fn unblock(&mut self, mut taken: Taken, mut envelope: Envelope, answer: &str) -> Flow<'p> {
        self.tally.answers += 1;
        match answer {
            "g" => {
                let all = envelope.instructions.iter_mut();
                for it in all.filter(|it| it.status == Status::Blocked) {
                    it.status = Status::Gap;
                }
                self.accept(&taken.task, envelope)
            }
            "x" => {
                let reason = "a person stopped at a blocked instruction".to_owned();
                Flow::Over(self.end(EndKind::Halted, reason, None))
            }
            words => {
                // In their own words a person says what to do about it.
                if let Some((_, text)) = blocked(&envelope).filter(|_| !matches!(words, "r" | "")) {
                    taken.task.answered.push((text, words.to_owned()));
                }
                taken.task.again = vec!["the person asks to try what was blocked again".to_owned()];
                taken.task.attempt += 1;
                self.send(taken)
            }
        }
    }

    fn accept(&mut self, task: &Task, envelope: Envelope) -> Flow<'p> {
        for it in &envelope.instructions {
            let bare = |evidence: &Evidence| matches!(evidence, Evidence::Said { .. });
            match it.status {
                Status::Done if it.evidence.iter().all(bare) => self.tally.unverified += 1,
                Status::Done => self.tally.done += 1,
                Status::Skipped => self.tally.skipped += 1,
                Status::Gap | Status::Blocked => self.tally.gaps.push(contract::gap(task, it)),
            }
        }
        for (name, value) in envelope.variables {
            if !is_system(&name) && contract::is_name(&name) {
                self.note_filled(&name);
                self.frame_mut().variables.insert(name, value);
            }
        }
        for (name, value) in envelope.sections {
            let text = value.to_string();
            self.frame_mut()
                .variables
                .insert(name.clone(), Value::Text(text.clone()));
            self.frame_mut().sections.insert(name, text);
        }
        self.lane.note(&contract::report(task, &envelope.instructions));
        let conditions = match self.op() {
            Op::Turn(turn) => self.conditions(turn),
            _ => Vec::new(),
        };
        for (n, text) in (1..).zip(conditions) {
            let judgement = envelope.judgements.iter().find(|judgement| judgement.n == n);
            self.lane
                .judged
                .extend(judgement.map(|judgement| (text, judgement.holds)));
        }
        let onward = !matches!(self.op(), Op::Produce(..));
        match (self.lane.news(&envelope.text), onward) {
            (None, true) => Flow::Next,
            (None, false) => Flow::Stay,
            (Some(text), true) => Flow::Wait(Effect::Show { text }, Stage::Passed),
            (Some(text), false) => Flow::Wait(Effect::Show { text }, Stage::Again),
        }
    }
}

/// Returns the first instruction that could not be done, and the words that tell it to the person.
fn blocked(envelope: &Envelope) -> Option<(u32, String)> {
    let it = envelope.instructions.iter().find(|it| it.status == Status::Blocked)?;
    Some((it.n, format!("Instruction {} could not be done: {}", it.n, it.why)))
}

fn unique(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut found = Vec::new();
    for name in names {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}
