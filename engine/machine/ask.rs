//! Questions: asks, menus, optional steps, jumps that lead nowhere.

use super::code::{Op, Place, Places};
use super::effect::Effect;
use super::end::EndKind;
use super::envelope::Asked;
use super::lane::{Kind, Stage};
use super::lead;
use super::question::{Asker, Choice, Question};
use super::render;
use super::walk::{Flow, Walk};
use crate::builtins::Value;
use crate::graph::Want;
use crate::model::{Act, Ask, Branch, Instruction, LiftKind, Menu, Origin, Step};
use crate::source::{Span, sha256};

/// How often an answer that fits nothing is asked for again.
const MAX_MISSES: u32 = 10;

impl<'p> Walk<'_, 'p> {
    /// Makes a question of this step: its id is the label of the step and a hash of its text.
    pub(super) fn question(&self, text: &str) -> Question {
        let workflow = &self.image.workflows[self.frame().workflow];
        let step = self.frame().step.map(|step| step.label.clone()).unwrap_or_default();
        Question {
            id: id(&step, text),
            text: text.trim().to_owned(),
            open: true,
            workflow: workflow.name.clone(),
            step,
            branches: self.lane.branches.clone(),
            ..Question::default()
        }
    }

    fn put(&self, question: Question) -> Flow<'p> {
        let asked = Effect::Ask(Box::new(question.clone()));
        Flow::Wait(asked, Stage::Answer(Box::new(question)))
    }

    pub(super) fn optional(&mut self, step: &'p Step) -> Flow<'p> {
        if self.frame().yolo {
            self.lane.flag = true;
            return Flow::Next;
        }
        let text = format!("Step {} ({}) is optional. Do it?", step.label, self.text(step.title()));
        let question = Question {
            id: id(&step.label, &text),
            step: step.label.clone(),
            choices: vec![
                Choice {
                    aliases: vec!["yes".to_owned()],
                    default: true,
                    ..Choice::onward("y", "Yes")
                },
                Choice {
                    aliases: vec!["no".to_owned()],
                    ..Choice::plain("n", "No, leave it out")
                },
            ],
            open: false,
            place: self.image.place(step.head),
            ..self.question(&text)
        };
        Flow::Wait(Effect::Ask(Box::new(question)), Stage::YesOrNo)
    }

    pub(super) fn ask(&mut self, ask: &'p Ask) -> Flow<'p> {
        let text = lead(self.image.slice(ask.text), ask, ask.text);
        let choices = ask.options.iter().map(|option| Choice {
            key: option.key.clone(),
            label: self.text(&option.label),
            forward: !turns_away(&option.label),
            ..Choice::default()
        });
        let frame = self.frame();
        // A question keeps its id, whatever the agent puts into it.
        let bare = render::text(text, &self.known().bare());
        let question = Question {
            id: self.question(&bare).id,
            name: ask.into.as_ref().map(|into| into.text.clone()),
            choices: self.named(choices.collect()),
            open: !self.image.goes_by_keys(frame.workflow, frame.pc, ask),
            place: self.image.place(ask.text),
            ..self.question(&self.text(text))
        };
        let shown = match lead::is_parted(self.image.slice(ask.text), ask) {
            true => question.text.clone(),
            false => lead::before_options(&question),
        };
        self.put(Question {
            text: shown,
            ..question
        })
    }

    pub(super) fn menu(&mut self, menu: &'p Menu, span: Span) -> Flow<'p> {
        let (written, shown) = match &menu.text {
            Some(text) => (text.text.as_str(), None),
            None if menu.branches.iter().any(|branch| branch.option.is_some()) && menu.name.is_none() => {
                let written = self.image.lines(span);
                let listed = lead::listed(self.image.above(span), written, menu);
                let own = || lead::of_line(&self.text(written), menu);
                let shown = listed.map_or_else(own, |listed| self.text(&listed));
                (written, Some(shown))
            }
            None => ("What next?", None),
        };
        let Op::Menu(_, _, places) = self.op() else {
            return Flow::Next;
        };
        let choices = self.offered(menu, places).filter_map(|(branch, Place { again, .. })| {
            let option = branch.option.as_ref()?;
            Some(Choice {
                key: option.key.clone(),
                label: self.text(&option.label),
                aliases: branch.aliases.clone(),
                forward: !again && !stops(&branch.body),
                default: branch.default,
            })
        });
        let choices = self.named(choices.collect());
        let other = menu.branches.iter().any(|branch| branch.option.is_none());
        if choices.is_empty() && !other {
            return Flow::To(places.exit);
        }
        // A question keeps its id, whatever the agent puts into it.
        let bare = render::text(written, &self.known().bare());
        let question = Question {
            id: self.question(&bare).id,
            name: menu.name.as_ref().map(|name| name.text.clone()),
            choices,
            open: other,
            place: self.image.place(span),
            ..self.question(&self.text(written))
        };
        let text = shown.unwrap_or_else(|| question.text.clone());
        self.put(Question { text, ..question })
    }

    /// Stops until the person says something: the answer that is offered, or what the next turn is told.
    pub(super) fn pause(&mut self, words: Span, answer: &str) -> Flow<'p> {
        let asked = Asked {
            question: self.words(words),
            options: vec![answer.to_owned()],
        };
        let question = Question {
            place: self.image.place(words),
            ..self.question_of_agent(&asked)
        };
        Flow::Wait(
            Effect::Ask(Box::new(question.clone())),
            Stage::Paused(Box::new(question)),
        )
    }

    pub(super) fn elicit(&mut self, span: Span) -> Flow<'p> {
        let question = Question {
            choices: vec![
                Choice::plain("a", "Advanced elicitation"),
                Choice {
                    default: true,
                    ..Choice::onward("c", "Continue")
                },
            ],
            open: false,
            place: self.image.place(span),
            ..self.question("Look at this once more with an elicitation method?")
        };
        self.put(question)
    }

    /// Goes on with the answer to an ask, a menu or an offer.
    pub(super) fn answered(&mut self, question: &Question, answer: &str) -> Flow<'p> {
        self.tally.answers += 1;
        let Ok(settled) = question.settle(answer) else {
            return self.missed(question);
        };
        self.frame_mut().misses = 0;
        let label = question.choice(&settled).map(|at| question.choices[at].label.clone());
        self.frame_mut().answer = Some(match label {
            Some(label) if !label.is_empty() => format!("{settled}\n{label}"),
            Some(_) | None => self.with_listed(question, &settled),
        });
        match self.op() {
            Op::Ask(ask) => {
                if let Some(into) = &ask.into {
                    self.bind(&into.text, Value::Text(settled));
                }
                Flow::Next
            }
            Op::Menu(menu, _, places) => self.chosen(menu, places, &settled),
            Op::Elicit(span) if settled == "a" => self.elicitation(*span),
            _ => Flow::Next,
        }
    }

    /// Makes the question that an agent has.
    pub(super) fn question_of_agent(&self, asked: &Asked) -> Question {
        let choices = asked.options.iter().enumerate().map(|(at, option)| Choice {
            key: (at + 1).to_string(),
            label: option.clone(),
            forward: true,
            ..Choice::default()
        });
        Question {
            choices: choices.collect(),
            open: true,
            origin: Asker::Agent,
            ..self.question(&asked.question)
        }
    }

    /// Returns what is shown of the words that an agent says before a question.
    pub(super) fn says_before(&mut self, text: &str) -> Option<String> {
        self.options.whole.then(|| self.lane.news(text)).flatten()
    }

    fn missed(&mut self, question: &Question) -> Flow<'p> {
        self.frame_mut().misses += 1;
        if self.frame().misses > MAX_MISSES {
            let reason = format!(
                "question {} was answered {MAX_MISSES} times with what it does not offer",
                question.id
            );
            return Flow::Over(self.end(EndKind::Limit, reason, None));
        }
        Flow::Stay
    }

    fn chosen(&mut self, menu: &'p Menu, places: &Places, settled: &str) -> Flow<'p> {
        if let Some(into) = &menu.into {
            self.bind(&into.text, Value::Text(settled.to_owned()));
        }
        let named = |(branch, _): &(&Branch, &Place)| {
            branch
                .option
                .as_ref()
                .is_some_and(|option| option.key.eq_ignore_ascii_case(settled))
        };
        let other = |(branch, _): &(&Branch, &Place)| branch.option.is_none();
        let chosen = self.offered(menu, places).find(named);
        let chosen = chosen.or_else(|| self.offered(menu, places).find(other));
        match chosen {
            Some((_, place)) => Flow::To(place.start),
            None => Flow::Next,
        }
    }

    /// Returns the branches of a menu that are offered now, with where they lead.
    fn offered<'m>(&'m self, menu: &'m Menu, places: &'m Places) -> impl Iterator<Item = (&'m Branch, &'m Place)> {
        let marks = &self.frame().marks;
        let is_offered = |place: &Place| place.offered.is_none_or(|mark| marks[mark]);
        let branches = menu.branches.iter().zip(&places.branches);
        branches.filter(move |(_, place)| is_offered(place))
    }

    /// A jump whose target only the run knows, or that leads nowhere: the person says which step.
    pub(super) fn lost(&mut self, label: &'p str, span: Span) -> Flow<'p> {
        let named = self.text(label);
        let code = self.image.code(self.frame().workflow);
        if named == "next" {
            return self.goto(self.next_step());
        }
        let origin = self.frame().step.map_or(Origin::Tag, |step| step.origin);
        let targets = code.targets_from(self.frame().pc);
        if let Some(to) = targets.find(&Want::Label(origin, named.clone())) {
            return self.goto(to);
        }
        let steps = self.offered_steps().into_iter();
        let mut choices: Vec<Choice> = steps
            .map(|(step, _)| Choice::plain(&step.label, step.title()))
            .collect();
        choices.push(Choice {
            default: true,
            ..Choice::onward("next", "Go on with the next step")
        });
        let question = Question {
            choices,
            open: false,
            origin: Asker::Engine,
            place: self.image.place(span),
            ..self.question(&format!(
                "The workflow says to go to `{named}`, and there is no such step. Where to?"
            ))
        };
        Flow::Wait(
            Effect::Ask(Box::new(question.clone())),
            Stage::Found(Box::new(question)),
        )
    }

    pub(super) fn found(&mut self, question: &Question, answer: &str) -> Flow<'p> {
        self.tally.answers += 1;
        let Ok(settled) = question.settle(answer) else {
            return self.missed(question);
        };
        let mut steps = self.offered_steps().into_iter();
        match steps.find(|(step, _)| step.label == settled) {
            Some((_, to)) if settled != "next" => self.goto(to),
            Some(_) | None => self.goto(self.next_step()),
        }
    }

    /// Returns the steps that a person may choose where a jump leads nowhere. A label means a step that is written like the
    /// one that jumps, and the first of those that share it.
    fn offered_steps(&self) -> Vec<(&'p Step, usize)> {
        let all = self.steps();
        let origin = self.frame().step.map(|step| step.origin);
        let origin = origin.filter(|origin| all.iter().any(|(step, _)| step.origin == *origin));
        let mut offered: Vec<(&'p Step, usize)> = Vec::new();
        for (step, start) in all {
            let is_known = offered.iter().any(|(other, _)| other.label == step.label);
            if !is_known && origin.is_none_or(|origin| origin == step.origin) {
                offered.push((step, start));
            }
        }
        offered
    }

    /// Returns the steps that a jump from here can lead to.
    fn steps(&self) -> Vec<(&'p Step, usize)> {
        let frame = self.frame();
        let workflow = &self.image.workflows[frame.workflow];
        self.image.code(frame.workflow).steps_from(frame.pc, workflow)
    }

    /// Returns where the step after this one begins, or the end.
    fn next_step(&self) -> usize {
        let pc = self.frame().pc;
        let after = self
            .steps()
            .into_iter()
            .map(|(_, start)| start)
            .find(|start| *start > pc);
        after.unwrap_or_else(|| self.image.code(self.frame().workflow).way_out(pc))
    }

    /// Says how deep the innermost workflow is nested.
    pub(super) fn depth(&self) -> u32 {
        let calls = self
            .lane
            .frames
            .iter()
            .filter(|frame| matches!(frame.kind, Kind::Call(_)));
        calls.count() as u32 + self.lane.base
    }
}

/// Returns the text of a question without the tags nested in it.
fn lead<'a>(text: &'a str, ask: &Ask, span: Span) -> &'a str {
    let first = ask
        .body
        .first()
        .map(|nested| nested.span.start.saturating_sub(span.start) as usize);
    first.and_then(|end| text.get(..end)).unwrap_or(text).trim()
}

/// Says whether a branch stops the run or leaves the workflow.
fn stops(body: &[Instruction]) -> bool {
    body.iter().any(|instruction| match &instruction.act {
        Act::Halt { .. } => instruction.condition.is_none(),
        Act::Do { lifts, .. } => lifts.iter().any(|lift| {
            lift.condition.is_none() && matches!(lift.kind, LiftKind::Halt { .. } | LiftKind::Exit | LiftKind::Return)
        }),
        _ => false,
    })
}

/// Says whether the label of an option speaks of stopping, going back or changing something.
fn turns_away(label: &str) -> bool {
    let first = label
        .split(|at: char| !at.is_alphanumeric())
        .find(|word| !word.is_empty());
    let first = first.unwrap_or_default().to_lowercase();
    matches!(
        first.as_str(),
        "no" | "exit" | "quit" | "cancel" | "stop" | "abort" | "back" | "edit" | "revise" | "change" | "redo" | "retry"
    )
}

fn id(step: &str, text: &str) -> String {
    let normal: String = text
        .chars()
        .filter(|at| at.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    let label: String = step
        .chars()
        .map(|at| if at.is_alphanumeric() || at == '.' { at } else { '-' })
        .collect();
    format!("{label}-{}", &sha256(normal.as_bytes())[..8])
}
