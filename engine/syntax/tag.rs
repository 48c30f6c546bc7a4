//! The closed table of tags. A name that is not in it is text.
//!
//! Order in the table is the order of the spec. One line here adds a tag; the compiler then asks for the rest.

/// Where a tag comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stratum {
    /// BMAD's own instruction tags; recognised anywhere.
    Dialect,
    /// The frame of task and agent files; recognised only below an open root, because these are common words.
    Frame,
    /// The engine's own tags; recognised only below an open root, and errors in them refuse to run.
    Engine,
}

/// What may stand between the open and the close tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Other tags, and prose between them.
    Block,
    /// Prose; tags inside are kept as children.
    Prose,
    /// Nothing.
    Empty,
}

/// One attribute that a tag takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttributeRow {
    /// Its name.
    pub name: &'static str,
    /// Whether the tag means nothing without it.
    pub required: bool,
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct TagRow {
    /// The tag.
    pub tag: Tag,
    /// Its name as written.
    pub name: &'static str,
    /// Where it comes from.
    pub stratum: Stratum,
    /// What it holds.
    pub content: Content,
    /// The attributes it takes.
    pub attributes: &'static [AttributeRow],
    /// What it means, in one line.
    pub summary: &'static str,
    /// Its page of the spec.
    pub page: &'static str,
}

macro_rules! attribute {
    ($name:literal) => {
        AttributeRow {
            name: $name,
            required: false,
        }
    };
    ($name:literal required) => {
        AttributeRow {
            name: $name,
            required: true,
        }
    };
}

macro_rules! tags {
    ($($tag:ident $name:literal $stratum:ident $content:ident [$($attribute:literal $(= $required:tt)?),*] $summary:literal)*) => {
        /// A tag of the table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Tag {
            $(#[doc = $summary] $tag,)*
        }

        /// Every tag, in the order of the spec.
        pub const TAGS: &[TagRow] = &[
            $(TagRow {
                tag: Tag::$tag,
                name: $name,
                stratum: Stratum::$stratum,
                content: Content::$content,
                attributes: &[$(attribute!($attribute $($required)?)),*],
                summary: $summary,
                page: include_str!(concat!("../../spec/tags/", $name, ".md")),
            },)*
        ];

        impl Tag {
            /// Finds a tag by its exact name.
            pub fn named(name: &str) -> Option<Tag> {
                match name {
                    $($name => Some(Tag::$tag),)*
                    _ => None,
                }
            }
        }
    };
}

tags! {
    Workflow "workflow" Dialect Block ["name", "id"] "the root of a workflow's instructions"
    Task "task" Dialect Block ["id", "name", "internal", "standalone", "description"] "the root of a task file"
    Tool "tool" Dialect Block ["id", "name", "internal", "standalone", "description"] "the root of a tool file, the older name of a task"
    Flow "flow" Frame Block [] "the steps of a task"
    Objective "objective" Frame Prose [] "what a task is for"
    Llm "llm" Frame Block ["critical", "final"] "rules for whoever does the work"
    Mandate "mandate" Dialect Prose [] "a rule that holds for the whole file or step"
    Rule "rule" Frame Prose ["n"] "a numbered rule"
    Inputs "inputs" Frame Block [] "what a caller hands over"
    Input "input" Frame Prose ["name", "desc", "kind", "required", "default"] "one thing a caller hands over"
    HaltConditions "halt-conditions" Frame Block ["critical"] "when to stop"
    ConditionTag "condition" Frame Prose [] "one reason to stop"
    Protocols "protocols" Frame Block ["desc"] "reusable pieces of a task"
    Protocol "protocol" Frame Block ["name" = required, "desc"] "a reusable piece, invoked by name"
    Step "step" Dialect Block ["n", "goal", "title", "if", "tag", "optional", "repeat", "for-each", "elicit", "critical", "id", "max"] "one step; document order runs"
    Substep "substep" Dialect Block ["n", "title", "goal", "if"] "a part of a step"
    Phase "phase" Frame Prose ["n", "name"] "a part of a task's step"
    Case "case" Frame Block ["n", "name", "if"] "one case of a task's step"
    Item "i" Frame Prose ["critical"] "one line of instructions in a task file"
    Action "action" Dialect Prose ["if"] "something to do"
    Check "check" Dialect Block ["if"] "a condition and what it guards"
    If "if" Frame Block ["response", "selection", "tag", "condition"] "a branch on the answer of the ask around it"
    Ask "ask" Dialect Prose ["if", "response", "optional", "for_each"] "a question to the person"
    Output "output" Dialect Prose ["if", "file", "template"] "text shown to the person, or written to a file"
    Critical "critical" Dialect Prose [] "a rule that must not be broken"
    Note "note" Dialect Prose [] "a remark for whoever does the work"
    Example "example" Dialect Prose [] "sample text, never executed"
    TemplateOutput "template-output" Dialect Prose ["section", "name", "id", "file", "if"] "a section to produce, save and check"
    ElicitRequired "elicit-required" Dialect Empty [] "elicitation must be offered here"
    Goto "goto" Dialect Prose ["step", "anchor", "if"] "a jump to a step or an anchor"
    Anchor "anchor" Dialect Empty ["id" = required] "a place a goto can name"
    InvokeWorkflow "invoke-workflow" Dialect Prose ["path", "data", "techniques", "input", "into", "timeout", "if"] "runs another workflow"
    InvokeTask "invoke-task" Dialect Prose ["path", "halt", "into", "timeout", "if"] "runs a task"
    InvokeProtocol "invoke-protocol" Dialect Empty ["name" = required, "if"] "runs a protocol of the engine or of this file"
    Param "param" Dialect Prose ["name", "value"] "one value handed to a call"
    ForEach "for-each" Dialect Block [] "repeats its children for every item of a list"
    Iterate "iterate" Dialect Prose ["for", "over", "as", "item", "index", "if"] "repeats its children, or its siblings where it is words alone"
    Repeat "repeat" Dialect Block ["for-each", "until", "max"] "repeats its children"
    Loop "loop" Dialect Block ["name", "max", "while", "until", "for", "over", "as", "index", "if"] "repeats its children, bounded"
    Agent "agent" Dialect Block ["id", "name", "title", "icon", "capabilities"] "the root of a compiled agent"
    Activation "activation" Frame Block ["critical"] "what an agent does when it starts"
    Persona "persona" Frame Prose [] "who an agent is"
    MenuItem "item" Frame Prose ["cmd", "exec", "workflow", "action", "data", "tmpl", "type", "validate-workflow"] "one entry of an agent's menu"
    Prompt "prompt" Frame Prose ["id"] "a named prompt of an agent"
    Menu "menu" Frame Block ["name", "text", "into", "if"] "a choice the engine shows and takes"
    Choice "option" Engine Block ["key" = required, "label" = required, "aliases", "again", "default", "if"] "one entry of a menu and what it does"
    Set "set" Engine Prose ["name" = required, "value", "file", "glob", "if"] "binds a name to a value, to the text of a file or to a list of paths"
    Dispatch "dispatch" Engine Block ["agent", "agents", "into", "mode", "access", "model", "timeout", "max", "if"] "hands a turn to one agent or to several at once"
    Collect "collect" Engine Empty ["from" = required, "into" = required, "field", "failed", "if"] "gathers one field of several replies into a list"
    Call "call" Engine Block ["builtin", "path", "skill", "into", "timeout", "if"] "calls a built-in, a task, a workflow or a skill"
    Run "run" Engine Empty ["command" = required, "timeout", "into", "if"] "runs a command of the project that somebody trusts"
    Parallel "parallel" Engine Block ["max", "into", "for", "index", "if"] "runs its children, or its body for every item, at the same time"
    Return "return" Engine Block ["value", "if"] "ends this workflow with a value"
    Halt "halt" Engine Prose ["reason", "if"] "stops the run and says why"
}

impl Tag {
    /// Returns the tag's row of the table.
    pub fn row(self) -> &'static TagRow {
        &TAGS[self as usize]
    }

    /// Returns the tag's name as written.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Says whether the tag is a root below which frame and engine tags are recognised.
    pub fn is_root(self) -> bool {
        matches!(self, Tag::Workflow | Tag::Task | Tag::Tool | Tag::Agent)
    }

    /// Says whether the tag is one of the engine's own.
    pub fn is_engine(self) -> bool {
        self.row().stratum == Stratum::Engine
    }
}

#[cfg(test)]
mod tests {
    use super::{TAGS, Tag};

    #[test]
    fn every_tag_finds_its_own_row() {
        for row in TAGS {
            assert_eq!(row.tag.name(), row.name);
            assert_eq!(Tag::named(row.name), Some(row.tag));
        }
    }

    #[test]
    fn every_page_names_its_tag_and_lists_its_attributes_in_order() {
        for row in TAGS {
            assert!(row.page.starts_with(&format!("# {}\n\n", row.name)), "{}", row.name);
            let listed: Vec<(&str, bool)> = row
                .page
                .lines()
                .filter_map(|line| {
                    let (name, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
                    Some((name, rest.starts_with("yes | ")))
                })
                .collect();
            let taken: Vec<(&str, bool)> = row
                .attributes
                .iter()
                .map(|attribute| (attribute.name, attribute.required))
                .collect();
            assert_eq!(listed, taken, "{}", row.name);
        }
    }

    #[test]
    fn every_page_uses_its_tag_in_an_example() {
        for row in TAGS {
            let examples = row.page.split_once("\n## Examples\n").map(|(_, rest)| rest);
            let open = format!("<{}", row.name);
            assert!(examples.is_some_and(|text| text.contains(&open)), "{}", row.name);
        }
    }
}
