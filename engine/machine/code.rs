//! A workflow to code: a flat list of operations with explicit targets, one effect each at most.
//!
//! The graph says what can follow what; the code says who decides. Both come from the same model and find the targets of
//! jumps by the same rule.

mod above;
mod acting;
mod around;
mod branch;
mod chain;
mod compile;
mod derived;
mod first;
mod fixed;
mod found;
mod further;
mod guard;
mod hollow;
mod keyed;
mod left;
mod listed;
mod prose;
mod questions;
mod reads;
mod ready;
mod region;
mod rounds;
mod shown;
mod statement;
mod test;
mod unled;

pub(super) use hollow::NONE;
pub(super) use statement::{Statement, without_mark};

use crate::builtins::Value;
use crate::graph::Program;
use crate::model::{
    Ask, Condition, Dispatch, Invoke, Library, Menu, Param, Produce, Repeat, Run, STANDARD, SetFrom, Step, Test, Words,
    Workflow,
};
use crate::source::{ProjectPath, Span};
use std::collections::HashMap;
use std::path::Path;
use std::sync::OnceLock;

/// A place in code.
pub(super) type Pc = usize;

/// Everything that machines run: a project's workflows, compiled when they are first entered.
#[derive(Debug)]
pub struct Image<'p> {
    pub(super) library: &'p Library,
    pub(super) workflows: &'p [Workflow],
    pub(super) program: &'p Program,
    /// Where the library is, as seen from the project that the run works on: empty, or a folder with a slash, which is
    /// an absolute path where the library is no part of the project.
    prefix: String,
    codes: Vec<OnceLock<Code<'p>>>,
}

impl<'p> Image<'p> {
    /// Makes an image of a project.
    pub fn new(library: &'p Library, workflows: &'p [Workflow], program: &'p Program) -> Self {
        Self {
            library,
            workflows,
            program,
            prefix: String::new(),
            codes: workflows.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// Says where the library is, as seen from the project that the run works on.
    #[must_use]
    pub fn below(mut self, folder: &str) -> Self {
        self.prefix = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        self
    }

    /// Returns the folders of the project that BMAD is installed in.
    pub fn installations(&self) -> Vec<String> {
        let roots = self.library.roots.iter();
        roots.map(|root| self.in_project(root)).collect()
    }

    /// Returns where a file or folder of the library is in the project.
    pub(super) fn in_project(&self, path: &ProjectPath) -> String {
        if path.as_str().starts_with(STANDARD) {
            return path.as_str().to_owned();
        }
        format!("{}{}", self.prefix, path.as_str())
            .trim_end_matches('/')
            .to_owned()
    }

    /// Returns the text of a file that is no part of the project: of the standard library, which no disk has, or of a
    /// workflow that is kept elsewhere.
    pub(super) fn apart(&self, path: &str) -> Option<&'p str> {
        let elsewhere = path
            .strip_prefix(&self.prefix)
            .filter(|_| Path::new(&self.prefix).is_absolute());
        let path = ProjectPath::new(elsewhere.unwrap_or(path))
            .filter(|path| elsewhere.is_some() || path.as_str().starts_with(STANDARD))?;
        self.library.at(&path).map(|document| document.source.text())
    }

    /// Returns the code of a workflow, by position.
    pub(super) fn code(&self, at: usize) -> &Code<'p> {
        self.codes[at].get_or_init(|| compile::compile(self.library, &self.workflows[at]))
    }

    /// Finds the workflow whose part `2c` runs after every section: the project's own where it is written in tags that
    /// leave nothing to guess, otherwise the one of the standard library.
    pub(super) fn handler(&self) -> Option<usize> {
        let home = |at: usize| self.library.source(self.workflows[at].home).path();
        let able = |at: &usize| {
            let code = self.code(*at);
            code.strict && code.parts.contains_key("2c")
        };
        self.cores()
            .filter(able)
            .min_by_key(|at| home(*at).as_str().starts_with(STANDARD))
    }

    /// Finds the protocol of a workflow, or of a task that runs workflows: whose it is, and where it begins.
    pub(super) fn protocol(&self, own: usize, handler: Option<usize>, name: &str) -> Option<(usize, Pc)> {
        let mut places = [own].into_iter().chain(handler).chain(self.cores());
        places.find_map(|at| Some((at, *self.code(at).protocols.get(name)?)))
    }

    /// Lists the tasks that run workflows.
    fn cores(&self) -> impl Iterator<Item = usize> {
        let is_core = |at: &usize| self.workflows[*at].is_core(self.library);
        (0..self.workflows.len()).filter(is_core)
    }

    /// Returns the text under a span.
    pub(super) fn slice(&self, span: Span) -> &'p str {
        self.library.slice(span)
    }

    /// Returns the whole lines that a span stands in.
    pub(super) fn lines(&self, span: Span) -> &'p str {
        let text = self.library.source(span.source).text();
        let start = text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let end = text[span.end as usize..]
            .find('\n')
            .map_or(text.len(), |at| span.end as usize + at);
        text[start..end].trim()
    }

    /// Returns what stands above the lines of a span.
    pub(super) fn above(&self, span: Span) -> &'p str {
        let before = &self.library.source(span.source).text()[..span.start as usize];
        before.rfind('\n').map_or("", |end| &before[..end])
    }

    /// Returns where a span begins, as a person writes it: `path:line`.
    pub(super) fn place(&self, span: Span) -> String {
        let source = self.library.source(span.source);
        format!(
            "{}:{}",
            self.in_project(source.path()),
            source.position(span.start).line
        )
    }
}

/// The code of one workflow.
#[derive(Debug)]
pub(super) struct Code<'p> {
    pub(super) ops: Vec<Op<'p>>,
    /// Whether it is written in tags that leave nothing to guess, so that a name nobody bound is nothing.
    pub(super) strict: bool,
    /// Whether its steps are files, which are all that counts as done.
    pub(super) by_files: bool,
    /// How many marks, and how many loops, a frame keeps.
    pub(super) marks: usize,
    pub(super) loops: usize,
    /// Where each step begins, by label, anchor or file.
    pub(super) targets: crate::graph::Targets<Pc>,
    /// Where each protocol begins.
    pub(super) protocols: HashMap<String, Pc>,
    /// Where the parts of steps begin that can be run on their own.
    pub(super) parts: HashMap<String, Pc>,
    /// Where each step begins, in document order.
    pub(super) steps: Vec<Pc>,
    /// What jumps do not cross like anything else.
    pub(super) regions: region::Regions<'p>,
    /// What the workflow's keys and frontmatter define, by name.
    pub(super) fixed: HashMap<&'p str, &'p str>,
    /// What its users may change, by name.
    pub(super) custom: Vec<(String, Value)>,
}

/// One operation.
#[derive(Debug)]
pub(super) enum Op<'p> {
    /// A step begins.
    Enter(&'p Step),
    /// A place in a step that jumps from outside of it lead to.
    Inside(&'p Step),
    /// A step is done.
    Leave(&'p Step),
    /// Whether an optional step is done.
    Optional(&'p Step),
    /// Prose for the agent.
    Turn(Turn<'p>),
    /// Names that the text at a place leaves to the agent, right before it is put to the person.
    Fill(Vec<&'p str>, Span),
    /// Part of a condition is decided; where it goes on once all of it is.
    Test(&'p Test, &'p Condition, Pc),
    /// Words of prose decide.
    Judge(Statement),
    /// What prose says can be decided.
    Decide(Box<Condition>),
    /// The flag is turned around.
    Not,
    /// Go on elsewhere.
    Jump(Pc),
    /// Go on elsewhere where the flag is not set.
    Unless(Pc),
    /// Go on elsewhere where the flag is set.
    When(Pc),
    /// Remember a flag, or that there is none.
    Mark(usize, bool),
    /// Go on elsewhere where a mark is set.
    WhenMarked(usize, Pc),
    /// The person is asked.
    Ask(&'p Ask),
    /// A choice is shown; where its branches lead.
    Menu(&'p Menu, Span, Places),
    /// Elicitation is offered.
    Elicit(Span),
    /// Stop until the person says something; what the one answer is called that is offered.
    Pause(Span, &'static str),
    /// Text is shown or written.
    Show {
        /// The text.
        text: Span,
        /// The file it goes to.
        file: Option<&'p Words>,
        /// The template it comes from.
        template: Option<&'p Words>,
    },
    /// Sections are produced and saved.
    Produce(&'p Produce, Span),
    /// A name gets a value.
    Set(&'p Words, &'p Words, SetFrom),
    /// A name gets a value that prose gives it, once the names in single braces have one that the work itself gives.
    SetProse(&'p str, &'p str, Vec<&'p str>),
    /// Replies are gathered.
    Collect {
        /// The replies.
        from: &'p Words,
        /// The field.
        field: Option<&'p Words>,
        /// Where the list goes.
        into: &'p Words,
        /// Where the names of failed agents go.
        failed: Option<&'p Words>,
    },
    /// Another workflow, task, skill, protocol or built-in.
    Invoke(&'p Invoke, Span),
    /// Prose says to follow a file, and with what words, where they say more.
    Follow(&'p str, Span, Option<Span>),
    /// Prose says to invoke a skill, and with what words, where they say more.
    Skill(&'p str, Span, Option<Span>),
    /// A loop begins.
    Begin(usize, &'p Repeat),
    /// Another pass of a loop, or its exit.
    Next {
        /// Which loop.
        slot: usize,
        /// How it repeats.
        repeat: &'p Repeat,
        /// The name the count gets.
        index: Option<&'p str>,
        /// Where it is left to.
        exit: Pc,
    },
    /// A turn is handed to agents.
    Dispatch(&'p Dispatch),
    /// A command of the project is run.
    Run(&'p Run),
    /// Lanes part.
    Fork(Fork<'p>),
    /// A lane, a protocol or a part ends.
    End,
    /// The workflow is left with a value.
    Return(Option<&'p Words>, &'p [Param]),
    /// The workflow is left.
    Exit,
    /// Somebody comes to the end of what stands before the step files; the first words that would have led to one.
    Unled(Span),
    /// The run stops.
    Halt(&'p str, Span),
    /// A jump, and where it is written.
    Goto(Pc, Span),
    /// A jump that leads nowhere, or whose target only the run knows.
    Lost(&'p str, Span),
}

/// Prose for the agent.
#[derive(Debug, Default)]
pub(super) struct Turn<'p> {
    /// The instructions, in order.
    pub(super) orders: Vec<Span>,
    /// Names that the words say to store something in.
    pub(super) stores: Vec<&'p str>,
    /// Names that the words give a value, whoever does it and on whatever it depends.
    pub(super) gives: Vec<&'p str>,
    /// Names that the text right after it leaves to the agent.
    pub(super) shows: Vec<&'p str>,
    /// Questions in it that are the person's to answer.
    pub(super) asks: Vec<Span>,
    /// Conditions that are put to this turn.
    pub(super) conditions: Vec<Statement>,
    /// Words that decide about what follows the first thing behind it, put to it as well.
    pub(super) further: Vec<&'p str>,
    /// Sections that are wanted right after it.
    pub(super) sections: Vec<&'p Words>,
}

/// Where the branches of a menu lead.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// One place for each branch.
    pub(super) branches: Vec<Place>,
    /// Where it goes on behind the menu.
    pub(super) exit: Pc,
}

/// Where a branch of a menu leads.
#[derive(Debug)]
pub(super) struct Place {
    /// Where it begins.
    pub(super) start: Pc,
    /// Whether the menu is shown again after it.
    pub(super) again: bool,
    /// The mark that says whether it is offered, where that depends on something.
    pub(super) offered: Option<usize>,
}

/// Lanes that part and meet.
#[derive(Debug)]
pub(super) struct Fork<'p> {
    /// Where each lane begins, with the mark that says whether it runs; with `each`, the one body of all.
    pub(super) lanes: Vec<(Pc, Option<usize>)>,
    /// One lane for each item: the name of the item and the list.
    pub(super) each: Option<&'p (String, Words)>,
    /// The name the number of the lane gets.
    pub(super) index: Option<&'p str>,
    /// The most lanes at the same time.
    pub(super) max: Option<&'p Words>,
    /// Where the results go.
    pub(super) into: Option<&'p Words>,
    /// Where it goes on.
    pub(super) join: Pc,
}
