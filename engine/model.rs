//! Trees in, workflows out: what the text means, whichever front end it was written for.

mod agent;
mod command;
mod condition;
mod dialect;
mod folder;
mod hook;
mod instruction;
mod library;
mod lift;
mod links;
mod mention;
mod menu;
mod module;
mod named;
mod names;
mod resolve;
mod role;
mod told;
mod workflow;

pub use agent::{Agent, AgentItem, agent, agent_names};
pub(crate) use command::only_name;
pub use command::{Command, CommandText, Refusal, Way, commands};
pub(crate) use condition::is_answer;
pub use condition::{Condition, Decider, Existing as Presence, Operand, Operator, Test, is_otherwise};
pub use dialect::{DECLARING, workflow};
pub(crate) use dialect::{indent, is_heading_of_rules, item};
pub use hook::{Hook, HookEvent, Hooks, WrongHook, hooks};
pub use instruction::{
    Act, Ask, Branch, Collect, Dispatch, Instruction, Invoke, Invoked, Menu, Parallel, Param, Produce, Run, SetFrom,
    Target, Words, question_next, visit,
};
pub use library::{AgentName, Around, Document, Documents, Existing, Library};
pub use lift::{Lift, LiftKind, Verb, lifts, says_nothing};
pub use mention::{Mention, MentionRole, MentionStyle};
pub(crate) use mention::{is_packed, loads};
pub use menu::{Handled, Menu as WrittenMenu, MenuOption, MenuStyle, Menus, offered, unhandled, unoffered};
pub use module::{ConfigKey, Module};
pub use names::{
    CORE, CORE_KEYS, REQUEST, SETTINGS, STANDARD, STANDARD_INPUTS, STANDARD_PROTOCOLS, SYSTEM, Scope, TOOL_FOLDERS,
    is_system,
};
pub use resolve::{Place, Resolution};
pub use role::{Role, classify, classify_alone, holds_steps, step_label};
pub use told::Wanted;
pub(crate) use told::speaks_of;
pub use workflow::{
    DefinedBy, Definition, Dialect, Input, InputKind, Origin, Protocol, Repeat, RepeatKind, Step, Term, Workflow,
};
