//! What a person set about an agent: plain values.

/// How one agent is called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentSettings {
    /// The program, where it is not the usual one.
    pub program: Option<String>,
    /// Arguments that are added to every call.
    pub arguments: Vec<String>,
    /// Names of variables of the person's environment that it gets beside those it needs.
    pub pass: Vec<String>,
    /// Variables that it gets with these values.
    pub set: Vec<(String, String)>,
    /// The model, where none is asked for.
    pub model: Option<String>,
    /// Names of models, and what this agent calls them.
    pub models: Vec<(String, String)>,
    /// What it may do beside reading.
    pub permission: Permission,
    /// Tools and commands it may use beside that, as it writes them.
    pub allow: Vec<String>,
    /// Tools and commands it may not use.
    pub deny: Vec<String>,
    /// The most seconds without a sign of life.
    pub silence: Option<u32>,
    /// The most seconds it may stay after it told its result.
    pub linger: Option<u32>,
    /// How a program that nobody knows is called and understood.
    pub described: Described,
}

/// How a program that nobody knows is called and understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Described {
    /// What is added where a model is asked for; `{model}` stands for it.
    pub with_model: Vec<String>,
    /// What is added where a conversation goes on; `{session}` stands for it.
    pub with_session: Vec<String>,
    /// What is added where the turn may change nothing.
    pub when_reading: Vec<String>,
    /// Where in the JSON that it writes something is: what, and the keys that lead there, with dots between them.
    pub find: Vec<(String, String)>,
}

impl Described {
    /// Returns the keys that lead to something.
    pub fn path(&self, what: &str) -> Option<Vec<&str>> {
        let found = self.find.iter().find(|(name, _)| name == what);
        found.map(|(_, keys)| keys.split('.').collect())
    }
}

impl AgentSettings {
    /// Returns what this agent calls a model.
    pub fn model<'s>(&'s self, asked: Option<&'s str>) -> Option<&'s str> {
        let name = asked.or(self.model.as_deref())?;
        let mapped = self.models.iter().find(|(own, _)| own == name);
        Some(mapped.map_or(name, |(_, theirs)| theirs))
    }
}

/// What an agent may do in a turn that may change files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Permission {
    /// Change files of the project; commands only where it confines them itself or they are allowed by name.
    #[default]
    Edit,
    /// Everything.
    All,
}
