//! What is done inside a step, in order.

mod made;

use super::condition::Condition;
use super::lift::Lift;
use super::menu::MenuOption;
use super::workflow::{Repeat, Step};
use crate::source::Span;

/// One instruction.
#[derive(Debug)]
pub struct Instruction {
    /// What is done.
    pub act: Act,
    /// Where it is written.
    pub span: Span,
    /// When it is done.
    pub condition: Option<Box<Condition>>,
}

/// A piece of text and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// The text.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// What an instruction does. Most is prose, so that what takes more room stands apart.
#[derive(Debug)]
pub enum Act {
    /// Prose for an agent, with the control flow found in it and the tags nested in it.
    Do {
        /// The prose as written, loose Markdown after it included.
        text: Span,
        /// Control flow found in the prose.
        lifts: Vec<Lift>,
        /// Tags nested in it.
        body: Vec<Instruction>,
    },
    /// A condition that guards other instructions.
    Check {
        /// What it guards.
        body: Vec<Instruction>,
    },
    /// A question to the person.
    Ask(Box<Ask>),
    /// Text shown to the person, or written to a file.
    Show {
        /// The text.
        text: Span,
        /// The file it is written to.
        file: Option<Words>,
        /// The template it is rendered from.
        template: Option<Words>,
    },
    /// A rule or a remark: in force, not done.
    Rule {
        /// The text.
        text: Span,
    },
    /// A section to produce, save and check.
    Produce(Box<Produce>),
    /// Elicitation must be offered.
    Elicit,
    /// A jump.
    Goto {
        /// Where to.
        target: Target,
        /// What the author says is there; words that say when to jump are the condition.
        says: Option<Words>,
    },
    /// A place a goto can name.
    Anchor {
        /// Its name.
        id: String,
    },
    /// Another workflow, task, skill or protocol.
    Invoke(Box<Invoke>),
    /// Instructions that repeat.
    Loop {
        /// How.
        repeat: Box<Repeat>,
        /// The name the count gets.
        index: Option<String>,
        /// What repeats.
        body: Vec<Instruction>,
    },
    /// A part of a step with its own label.
    Group {
        /// Its label, if it has one.
        label: Option<Words>,
        /// What it is for.
        title: String,
        /// What is done in it.
        body: Vec<Instruction>,
        /// The step it is written as, without its body; it is one where it stands in no other step.
        step: Option<Box<Step>>,
    },
    /// A choice with its branches.
    Menu(Box<Menu>),
    /// A name gets a value.
    Set {
        /// The name.
        name: Words,
        /// The value as written; where it comes from a file or a pattern, that.
        value: Words,
        /// What the value is read from.
        from: SetFrom,
    },
    /// A turn handed to one agent or several.
    Dispatch(Box<Dispatch>),
    /// One field of several replies, as a list.
    Collect(Box<Collect>),
    /// A command of the project.
    Run(Run),
    /// Lanes that run at the same time.
    Parallel(Box<Parallel>),
    /// The end of this workflow, with a value.
    Return {
        /// The value as written.
        value: Option<Words>,
        /// The named parts of the value, where it is a map.
        params: Vec<Param>,
    },
    /// The end of the run.
    Halt {
        /// Why.
        reason: String,
    },
}

/// What a `<set>` reads its value from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SetFrom {
    /// The value as written.
    Value,
    /// The text of a file.
    File,
    /// The paths that match a pattern.
    Glob,
}

/// A question to the person.
#[derive(Debug)]
pub struct Ask {
    /// The question.
    pub text: Span,
    /// The answers it offers.
    pub options: Vec<MenuOption>,
    /// The answers that the output right before it lists, where the question is which of them.
    pub listed: Vec<MenuOption>,
    /// The name the answer gets.
    pub into: Option<Words>,
    /// Branches nested in the question.
    pub body: Vec<Instruction>,
}

/// What a `template-output` produces.
#[derive(Debug)]
pub struct Produce {
    /// The sections or results it names.
    pub names: Vec<Words>,
    /// The value, in `name = value` form.
    pub value: Option<Words>,
    /// The file it goes to.
    pub file: Option<Words>,
}

/// Where a jump leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A step, by label.
    Step(Words),
    /// An anchor, by name.
    Anchor(Words),
    /// Only prose says where.
    Prose,
}

/// What is invoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Invoked {
    /// A workflow, task or other file, by path.
    File,
    /// A protocol, by name.
    Protocol,
    /// A skill, by name.
    Skill,
    /// A built-in, by name.
    Builtin,
    /// Something that only prose describes.
    Prose,
}

/// A call.
#[derive(Debug)]
pub struct Invoke {
    /// What kind of thing is called.
    pub what: Invoked,
    /// Its path or name.
    pub target: Words,
    /// The values handed over.
    pub params: Vec<Param>,
    /// The name the result gets.
    pub into: Option<Words>,
    /// How many seconds its agents may take.
    pub timeout: Option<Words>,
    /// Whether the run stops where it did not work, without asking.
    pub halt: bool,
}

/// A value handed to a call.
#[derive(Debug)]
pub struct Param {
    /// Its name.
    pub name: Words,
    /// Its value as written.
    pub value: Words,
}

/// A choice with its branches.
#[derive(Debug)]
pub struct Menu {
    /// What people and answers files call it.
    pub name: Option<Words>,
    /// The question above the options.
    pub text: Option<Words>,
    /// The branches, in order.
    pub branches: Vec<Branch>,
    /// The name the answer gets.
    pub into: Option<Words>,
    /// Whether the text says to stop and wait.
    pub stops: bool,
}

/// One branch of a menu.
#[derive(Debug)]
pub struct Branch {
    /// The option that leads here; none for "anything else".
    pub option: Option<MenuOption>,
    /// What is done.
    pub body: Vec<Instruction>,
    /// Whether the menu is shown again afterwards.
    pub again: bool,
    /// Whether it says that the step goes on behind the menu.
    pub onward: bool,
    /// Whether it leads past the rest of the step, and says nothing of where the others lead.
    pub past: bool,
    /// Whether the work before the menu is done once more, with the answer, before the menu is shown again.
    pub retold: bool,
    /// Whether it is taken where nobody chooses.
    pub default: bool,
    /// Other answers that mean it.
    pub aliases: Vec<String>,
    /// Where this does not hold it is not offered.
    pub condition: Option<Condition>,
}

/// One field of several replies, as a list.
#[derive(Debug)]
pub struct Collect {
    /// The replies.
    pub from: Words,
    /// The field that is taken of each; the whole reply where none is named.
    pub field: Option<Words>,
    /// The name the list gets.
    pub into: Words,
    /// The name the failed ones get.
    pub failed: Option<Words>,
}

/// Lanes that run at the same time.
#[derive(Debug)]
pub struct Parallel {
    /// One lane each; with `each`, together the body of every lane.
    pub body: Vec<Instruction>,
    /// The name the results get.
    pub into: Option<Words>,
    /// One lane for each item: the name the item gets, and the list.
    pub each: Option<(String, Words)>,
    /// The name the number of the lane gets.
    pub index: Option<String>,
    /// How many run at the same time.
    pub max: Option<Words>,
}

/// A turn handed to agents.
#[derive(Debug)]
pub struct Dispatch {
    /// The agents' names as written.
    pub agents: Vec<Words>,
    /// The values handed over.
    pub params: Vec<Param>,
    /// The name the reply or replies get.
    pub into: Option<Words>,
    /// The prompt.
    pub text: Span,
    /// Whether several agents may be named, so that the result is a list.
    pub several: bool,
    /// `fresh` or `session`.
    pub mode: Option<Words>,
    /// `read` or `write`.
    pub access: Option<Words>,
    /// The model.
    pub model: Option<Words>,
    /// Seconds.
    pub timeout: Option<Words>,
    /// How many run at the same time.
    pub max: Option<Words>,
}

/// A command of the project.
#[derive(Debug)]
pub struct Run {
    /// The command as written: written out, or one value of the configuration.
    pub command: Words,
    /// The most seconds it may take.
    pub timeout: Option<Words>,
    /// The name the result gets.
    pub into: Option<Words>,
}

impl Act {
    /// Returns the lists of instructions inside this one, in order.
    pub fn bodies(&self) -> impl Iterator<Item = &[Instruction]> {
        let (body, branches) = self.parts();
        let inside = branches.iter().map(|branch| branch.body.as_slice());
        [body].into_iter().chain(inside).filter(|body| !body.is_empty())
    }

    /// Returns the list of instructions inside this one, and the branches that hold others.
    #[inline]
    fn parts(&self) -> (&[Instruction], &[Branch]) {
        match self {
            Act::Do { body, .. } | Act::Check { body } | Act::Loop { body, .. } | Act::Group { body, .. } => {
                (body, &[])
            }
            Act::Parallel(parallel) => (&parallel.body, &[]),
            Act::Ask(ask) => (&ask.body, &[]),
            Act::Menu(menu) => (&[], &menu.branches),
            Act::Show { .. }
            | Act::Rule { .. }
            | Act::Produce(_)
            | Act::Elicit
            | Act::Goto { .. }
            | Act::Anchor { .. }
            | Act::Invoke(_)
            | Act::Set { .. }
            | Act::Dispatch(_)
            | Act::Collect(_)
            | Act::Run(_)
            | Act::Return { .. }
            | Act::Halt { .. } => (&[], &[]),
        }
    }
}

/// Returns the question that comes next, with nothing but outputs and rules before it.
pub fn question_next(rest: &[Instruction]) -> Option<&Instruction> {
    let is_said = |next: &&Instruction| matches!(next.act, Act::Show { .. } | Act::Rule { .. });
    let next = rest.iter().find(|next| !is_said(next))?;
    let asks = matches!(next.act, Act::Menu(_) | Act::Ask(_) | Act::Elicit);
    (asks && next.condition.is_none()).then_some(next)
}

/// Visits every instruction of a list and of the lists inside it, outer ones first.
pub fn visit<'a>(body: &'a [Instruction], see: &mut dyn FnMut(&'a Instruction)) {
    for instruction in body {
        see(instruction);
        let (body, branches) = instruction.act.parts();
        if !body.is_empty() {
            visit(body, see);
        }
        for branch in branches {
            visit(&branch.body, see);
        }
    }
}
