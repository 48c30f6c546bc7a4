//! Names in, their values out: what a frame knows, its workflow's keys, the configuration, and the engine itself.

use super::code::Image;
use super::custom::told;
use super::escape::EscapeError;
use super::lane::Frame;
use super::options::Options;
use super::place;
use super::render::{self, Names};
use super::repeat::parts;
use super::time::moment;
use crate::builtins::Value;
use crate::model::{SYSTEM, Scope};
use crate::source::SourceId;
use crate::syntax::{Node, Value as Written, config_key};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// The deepest chain of names that refer to names.
const MAX_CHAIN: u32 = 16;

/// The mode of a run in which nothing is confirmed.
pub(super) const YOLO: &str = "yolo";

/// What every frame of a run knows.
#[derive(Debug, Clone, Default)]
pub(super) struct World {
    /// The configuration, by name.
    pub(super) config: BTreeMap<String, Value>,
    /// That of each workflow that is part of a module.
    pub(super) configs: BTreeMap<usize, Arc<BTreeMap<String, Value>>>,
    /// When the run began, once that is known.
    pub(super) began: i64,
    /// The last time that was asked for.
    pub(super) now: i64,
    /// Steps that began, by workflow and label.
    pub(super) reached: HashSet<(String, String)>,
}

impl World {
    /// Makes what is known before a run begins.
    pub(super) fn of(options: &Options) -> Self {
        Self {
            config: options.config.clone(),
            configs: options.configs.clone(),
            ..Self::default()
        }
    }
}

/// Why the value of a name is not the configuration's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Foreign {
    /// The run gave this name its value.
    Given(String),
    /// This name is a key of the workflow, or of a file of it.
    Key(String),
    /// The configuration does not have it.
    Unknown,
}

/// The names of one frame.
pub(super) struct Known<'a, 'p> {
    pub(super) image: &'p Image<'p>,
    pub(super) frame: &'a Frame<'p>,
    pub(super) world: &'a World,
    chain: Cell<u32>,
    given: Given<'a>,
    /// Whether an agent is told.
    telling: bool,
    /// Names that what is told gives a value itself, so that the one they have is not meant.
    held: &'a [&'p str],
    /// Whether what an agent gave for a text is left out.
    bare: bool,
    /// Whether a document is begun, whose slots wait for what is not known yet.
    pub(super) opens: bool,
}

/// How long a value may be that stands in the middle of a sentence, in bytes.
const MAX_INLINE: usize = 400;

/// What becomes of the values that the run gave names.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Given<'a> {
    /// They are as they are.
    #[default]
    Plain,
    /// They are parts of a path: those that may not be are marked, and noted here.
    Part(&'a RefCell<Vec<EscapeError>>),
    /// A plain word stands for each.
    Blank,
}

impl<'a, 'p> Known<'a, 'p> {
    pub(super) fn new(image: &'p Image<'p>, frame: &'a Frame<'p>, world: &'a World) -> Self {
        Self {
            image,
            frame,
            world,
            chain: Cell::new(0),
            given: Given::Plain,
            telling: false,
            held: &[],
            bare: false,
            opens: false,
        }
    }

    /// Says that a document is begun, whose slots wait for what is not known yet.
    pub(super) fn opening(self) -> Self {
        Self { opens: true, ..self }
    }

    /// Leaves out what an agent gave because a text leaves it open.
    pub(super) fn bare(self) -> Self {
        Self { bare: true, ..self }
    }

    /// Says that an agent is told what the names stand for.
    pub(super) fn telling(self) -> Self {
        Self { telling: true, ..self }
    }

    /// Leaves the holes of names as they are written.
    pub(super) fn holding(self, held: &'a [&'p str]) -> Self {
        Self { held, ..self }
    }

    /// Says what becomes of the values that the run gave names.
    pub(super) fn with(self, given: Given<'a>) -> Self {
        Self { given, ..self }
    }

    /// Says whether a name means the mode of the run: it does in a task that runs workflows, and nowhere else.
    pub(super) fn is_mode(&self, name: &str) -> bool {
        name == "mode" && self.image.workflows[self.frame.workflow].is_core(self.image.library)
    }

    /// Returns the value of a name that a frame knows itself.
    fn own(&self, name: &str) -> Option<Value> {
        if self.is_mode(name) {
            return Some(Value::from(if self.frame.yolo { YOLO } else { "normal" }));
        }
        if self.bare && self.frame.filled.contains_key(name) {
            return None;
        }
        let value = self.frame.variables.get(name)?;
        Some(match self.given {
            Given::Part(errors) if !self.frame.variables.is_configured(name) => place::mark(name, value, errors),
            Given::Blank if !self.frame.variables.is_configured(name) => place::blank(value),
            Given::Plain | Given::Part(_) | Given::Blank => value.clone(),
        })
    }

    /// Returns the file that is read now.
    pub(super) fn file(&self) -> SourceId {
        let home = self.image.workflows[self.frame.scope].home;
        self.frame.step.map_or(home, |step| step.span.source)
    }

    /// Lists every name that may have a value.
    pub(super) fn names(&self) -> Vec<String> {
        let workflow = &self.image.workflows[self.frame.workflow];
        let variables = self.frame.variables.iter().map(|(name, _)| name.clone());
        let written = workflow.definitions.iter().map(|definition| definition.name.clone());
        // What is read from another module has no name of its own.
        let config = self.settings().keys().filter(|key| !key.contains(':')).cloned();
        let system = SYSTEM.iter().chain(&["now", "elapsed"]).map(|name| (*name).to_owned());
        let mut names: Vec<String> = variables.chain(written).chain(config).chain(system).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// A key of the workflow or of the file's own frontmatter; what steps assign counts only once they did.
    fn written(&self, name: &str) -> Option<Value> {
        let workflow = &self.image.workflows[self.frame.scope];
        let home = self.image.library.document(workflow.home);
        let matter = self.image.library.document(self.file()).parsed.frontmatter.as_ref();
        let own = matter
            .and_then(|matter| matter.data.as_ref())
            .and_then(|data| data.get(name));
        let data = home.parsed.data.as_ref();
        let node = own.or_else(|| {
            let data = data?;
            data.get(name).or_else(|| data.get("variables")?.get(name))
        });
        if let Some(node) = node {
            return Some(self.filled(node));
        }
        let fixed = &self.image.code(self.frame.workflow).fixed;
        fixed.get(name).map(|text| self.rendered(text))
    }

    fn filled(&self, node: &Node) -> Value {
        match &node.value {
            Written::Null => Value::Nothing,
            Written::Bool(truth) => Value::Bool(*truth),
            Written::Number(_) | Written::Text(_) => self.rendered(node.text().unwrap_or_default()),
            Written::List(items) => Value::List(items.iter().map(|item| self.filled(item)).collect()),
            Written::Map(pairs) => Value::Map(
                pairs
                    .iter()
                    .map(|pair| (pair.key.to_string(), self.filled(&pair.node)))
                    .collect(),
            ),
        }
    }

    fn rendered(&self, text: &str) -> Value {
        let depth = self.chain.get();
        if depth >= MAX_CHAIN {
            return Value::Text(text.to_owned());
        }
        self.chain.set(depth + 1);
        let value = match config_key(text) {
            Some(read) => self.configured(read, text),
            None => render::value(text, self),
        };
        self.chain.set(depth);
        value
    }

    /// `{config_source}:key/rest`: the key's value, and the rest of the text after it.
    fn configured(&self, (source, key): (&str, &str), text: &str) -> Value {
        let after = text.split_once(&format!(":{key}")).map_or("", |(_, after)| after);
        let of_another = self.config(&format!("{source}:{key}"));
        match of_another.or_else(|| self.config(key)) {
            Some(value) if after.is_empty() => value,
            Some(value) => Value::Text(format!("{value}{after}")),
            None => Value::Text(text.to_owned()),
        }
    }

    /// Returns what the users of the skill may change, as it is after their changes.
    fn customized(&self, name: &str) -> Option<Value> {
        let custom = &self.image.code(self.frame.scope).custom;
        let (_, value) = custom.iter().find(|(known, _)| known == name)?;
        Some(self.resolved(value))
    }

    fn config(&self, name: &str) -> Option<Value> {
        self.settings().get(name).map(|value| self.resolved(value))
    }

    /// Returns the configuration that the frame sees.
    fn settings(&self) -> &'a BTreeMap<String, Value> {
        let own = self.world.configs.get(&self.frame.configured_as);
        own.map_or(&self.world.config, |own| own)
    }

    /// Returns the key of the configuration that `config.key` or `config.module.key` names.
    fn key_of_config(&self, name: &str) -> Option<Value> {
        let path = name.strip_prefix("config.")?;
        let last = path.rsplit('.').next().unwrap_or(path);
        self.config(path).or_else(|| self.config(last))
    }

    /// Fills names in wherever a value of the configuration mentions them.
    fn resolved(&self, value: &Value) -> Value {
        match value {
            Value::Text(text) if text.contains('{') => self.rendered(text),
            Value::List(items) => Value::List(items.iter().map(|item| self.resolved(item)).collect()),
            Value::Map(entries) => {
                let each = |(name, value): &(String, Value)| (name.clone(), self.resolved(value));
                Value::Map(entries.iter().map(each).collect())
            }
            Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) => value.clone(),
        }
    }

    /// Returns the value of a name where it is the configuration's own, exactly as it stands there.
    pub(super) fn of_configuration(&self, name: &str) -> Result<Value, Foreign> {
        let dots = name.rmatch_indices('.').map(|(dot, _)| &name[..dot]);
        for part in std::iter::once(name).chain(dots) {
            let variables = &self.frame.variables;
            if let Some(value) = variables.get(part) {
                let field = |own: &str| (own == part).then(|| value.clone());
                return match variables.is_configured(part) {
                    true => render::find(name, &field).ok_or(Foreign::Unknown),
                    false => Err(Foreign::Given(part.to_owned())),
                };
            }
            if self.written(part).is_some() {
                return Err(Foreign::Key(part.to_owned()));
            }
        }
        let own = |part: &str| self.settings().get(part).cloned();
        render::find(name, &own).ok_or(Foreign::Unknown)
    }

    fn system(&self, name: &str) -> Option<Value> {
        let workflow = &self.image.workflows[self.frame.scope];
        let home = self.image.library.source(workflow.home).path();
        let text = match name {
            "project-root" | "project_root" | "project_path" => ".".to_owned(),
            "bmad_folder" | "_bmad" => "_bmad".to_owned(),
            "bmad-root" => "./_bmad".to_owned(),
            "installed_path" | "workflow_path" | "workflow-path" | "skill-root" | "skill_root" => {
                // A path below it must not begin with a slash.
                Some(self.image.in_project(&home.folder()))
                    .filter(|folder| !folder.is_empty())
                    .unwrap_or_else(|| ".".to_owned())
            }
            "skill-name" => home.folder().name().to_owned(),
            "module_path" | "module-root" => self.image.in_project(&self.image.library.module_of(home)?.folder),
            "workflow_name" => workflow.name.clone(),
            "default_output_file" => return None,
            "document" => self.frame.document.clone()?,
            _ => return self.clock(name),
        };
        Some(Value::Text(text))
    }

    fn clock(&self, name: &str) -> Option<Value> {
        // Most names that come here are no times at all, and a date takes longer to write than all else a lookup does.
        let began = || moment(self.world.began);
        let text = match name {
            "date" | "current_date" => began().date,
            "time" => began().time,
            "datetime" | "timestamp" => began().stamp,
            "year" => began().year,
            "now" => moment(self.world.now).stamp.replace(':', "-"),
            "elapsed" => return Some(Value::Number((self.world.now - self.world.began) as f64 / 1000.0)),
            _ => return None,
        };
        Some(Value::Text(text))
    }

    /// Says whether a value is too long to stand in a sentence: a turn is told the values of its names by themselves, too.
    fn is_long(&self, name: &str, value: &Value) -> bool {
        let is_much = |text: &str| text.len() > MAX_INLINE || text.contains('\n');
        let is_told = self.frame.variables.contains(name) && !self.image.code(self.frame.workflow).strict;
        is_told && is_much(&value.to_string())
    }
}

impl Names for Known<'_, '_> {
    fn is_given(&self, name: &str) -> bool {
        self.frame.variables.contains(name)
    }

    fn count(&self, name: &str, text: &str) -> Option<usize> {
        let is_list = self.image.code(self.frame.workflow).goes_over(name);
        is_list.then(|| parts(text).len())
    }

    fn told(&self, name: &str, value: &Value) -> Option<String> {
        let (base, _) = name.split_once('.')?;
        let is_custom = || {
            self.image
                .code(self.frame.scope)
                .custom
                .iter()
                .any(|(known, _)| known == base)
        };
        let is_it = self.telling && !self.frame.variables.contains(base) && is_custom();
        is_it.then(|| told(value))
    }

    /// An agent that is told what to do reads a name rather than nothing at all, which no words can be about.
    fn stays(&self, name: &str, value: &Value) -> bool {
        let is_nothing = || {
            let exact = self.image.code(self.frame.workflow).strict;
            value.is_empty() && !exact && self.told(name, value).is_none()
        };
        self.telling && (self.held.contains(&name) || is_nothing() || self.is_long(name, value))
    }

    fn value(&self, name: &str) -> Option<Value> {
        if let Some(value) = self.own(name) {
            return Some(value);
        }
        if self.chain.get() >= MAX_CHAIN {
            return None;
        }
        let name = name.strip_prefix("config_source:").unwrap_or(name);
        self.written(name)
            .filter(|value| !matches!(value, Value::Text(text) if is_itself(text, name)))
            .or_else(|| self.customized(name))
            .or_else(|| self.config(name))
            .or_else(|| self.system(name))
            .or_else(|| self.of_part(name))
            .or_else(|| self.not_given(name))
            .or_else(|| self.key_of_config(name))
            .or_else(|| self.not_bound(name))
    }
}

/// Says whether a value is only its own name again: `x: "{x}"`, or a key of a configuration that has none.
fn is_itself(text: &str, name: &str) -> bool {
    let inside = text.trim_start_matches('{').trim_end_matches('}');
    inside == name || config_key(text).is_some()
}

/// Returns the scope in which paths of a frame are resolved.
pub(super) fn scope<'p>(image: &'p Image<'p>, frame: &Frame<'p>, file: SourceId) -> Scope<'p> {
    Scope::new(image.library, Some(&image.workflows[frame.workflow]), file)
}
