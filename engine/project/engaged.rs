//! What `bmad.toml` says about agents in, everything of it out that starts a program or lets an agent do more: each with the
//! seal that somebody has to trust before it counts.

use super::agents::Staffed;
use super::programs::programs;
use crate::host::{AgentSettings, Permission, Spec, Workspace};
use crate::machine::{escape, sha256};
use std::path::Path;

/// Something about agents that a person has to agree to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Engaged {
    /// The setting, such as `agents.default` or `agents.claude-code`.
    pub key: String,
    /// Where it stands: `bmad.toml:3:11`.
    pub place: String,
    /// What it says, in lines.
    pub says: String,
    /// Which agents it is about.
    about: About,
    /// The command whose scripts are a part of what is trusted.
    command: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum About {
    /// The one of this spec.
    Spec(String),
    /// All that are called by this name.
    Name(String),
}

impl Engaged {
    /// Says whether the agent of a spec is what it is because of this.
    pub fn concerns(&self, spec: &str) -> bool {
        match &self.about {
            About::Spec(own) => own == spec,
            About::Name(name) => {
                let spec = Spec::parse(spec).innermost();
                spec.name == name || spec.table().is_some_and(|table| table == *name)
            }
        }
    }

    /// Says whether this is the table of a name.
    pub fn is_table(&self, name: &str) -> bool {
        matches!(&self.about, About::Name(own) if own == name)
    }

    /// Says whether a person who names this agent themselves has agreed to it by that.
    pub fn is_typed(&self, spec: &str) -> bool {
        matches!(&self.about, About::Spec(own) if own == spec)
    }

    /// Returns what is trusted: a hash of what is said and of the project's scripts that are started, as they are now.
    pub fn seal(&self, root: &Path, host: &dyn Workspace) -> String {
        let mut text = match &self.about {
            About::Spec(spec) => format!("agent\0{spec}\n"),
            About::Name(name) => format!("agents\0{name}\n{}\n", self.says),
        };
        for (name, hash) in programs(&self.command, root, host) {
            text.push_str(&format!("{name}\0{hash}\n"));
        }
        sha256(text.as_bytes())
    }
}

/// Lists what a person has to agree to in the settings of a project.
pub fn engaged(staffed: &Staffed) -> Vec<Engaged> {
    let tables = staffed.tables.iter().filter_map(|table| {
        let (_, set) = staffed.staff.agents.iter().find(|(name, _)| *name == table.agent)?;
        let says = said(set);
        (!says.is_empty()).then(|| Engaged {
            key: table.key.clone(),
            place: table.place.clone(),
            says: says.join("\n"),
            about: About::Name(table.agent.clone()),
            command: started(set),
        })
    });
    let mut found: Vec<Engaged> = tables.collect();
    for named in &staffed.named {
        let spec = Spec::parse(&named.agent);
        let command = spoken(&spec.innermost(), &found);
        if command.is_some() || spec.name == "record" {
            found.push(Engaged {
                key: named.key.clone(),
                place: named.place.clone(),
                says: named.agent.clone(),
                about: About::Spec(named.agent.clone()),
                command: command.unwrap_or_default().to_owned(),
            });
        }
    }
    found
}

/// Returns the command that is started because the name of an agent itself says so, and not a table.
fn spoken<'a>(spec: &Spec<'a>, tables: &[Engaged]) -> Option<&'a str> {
    let is_described = |name: &str| {
        tables
            .iter()
            .any(|table| table.is_table(name) && table.says.starts_with("program"))
    };
    let is_program = matches!(spec.name, "command" | "acp") && !spec.argument.is_empty();
    (is_program && !spec.table().is_some_and(|table| is_described(&table))).then_some(spec.argument)
}

/// Returns what a table says that starts a program, tells it something or lets it do more; the program goes first.
fn said(set: &AgentSettings) -> Vec<String> {
    let described = &set.described;
    let list = |name: &str, words: &[String]| (!words.is_empty()).then(|| format!("{name} = {words:?}"));
    let pairs: Vec<String> = set.set.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let parts = [
        set.program.as_ref().map(|program| format!("program = {program:?}")),
        list("arguments", &set.arguments),
        list("with-model", &described.with_model),
        list("with-session", &described.with_session),
        list("when-reading", &described.when_reading),
        list("pass", &set.pass),
        list("set", &pairs),
        (set.permission == Permission::All).then(|| "permission = \"all\"".to_owned()),
        list("allow", &set.allow),
    ];
    parts.into_iter().flatten().collect()
}

/// Returns the command that a table makes, for its scripts to be found.
fn started(set: &AgentSettings) -> String {
    let words = set.program.iter().chain(&set.arguments);
    let quoted: Vec<String> = words.filter_map(|word| escape::shell(word).ok()).collect();
    quoted.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{Engaged, engaged};
    use crate::host::{Entry, ReadError, Resolved, Workspace};
    use crate::project::staff;
    use std::collections::BTreeMap;
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::Mutex;

    /// Files that are only here.
    #[derive(Default)]
    struct Memory(Mutex<BTreeMap<PathBuf, Vec<u8>>>);

    impl Workspace for Memory {
        fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
            self.0.lock().unwrap().get(path).cloned().ok_or(ReadError::Missing)
        }

        fn exists(&self, path: &Path) -> bool {
            self.read(path).is_ok()
        }

        fn is_executable(&self, _: &Path) -> bool {
            false
        }

        fn list(&self, _: &Path) -> Vec<Entry> {
            Vec::new()
        }

        fn resolve(&self, _: &Path) -> Option<Resolved> {
            None
        }

        fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
            self.0.lock().unwrap().insert(path.to_path_buf(), bytes.to_vec());
            Ok(())
        }

        fn remove(&self, _: &Path) -> io::Result<()> {
            Ok(())
        }
    }

    const ROOT: &str = "/p";

    fn read(toml: &str, host: &Memory) -> Vec<Engaged> {
        host.write(Path::new("/p/bmad.toml"), toml.as_bytes()).unwrap();
        engaged(&staff(host, Path::new(ROOT)).unwrap())
    }

    fn keys(toml: &str) -> Vec<String> {
        let found = read(toml, &Memory::default());
        found.into_iter().map(|it| it.key).collect()
    }

    #[test]
    fn what_starts_nothing_of_the_project_needs_nobody() {
        let toml = "[agents]\ndefault = \"claude-code:opus\"\nfallback = [\"codex\", \"script:a.yaml\", \"offline\"]\n\
            [agents.claude-code]\nmodel = \"opus\"\ndeny = [\"WebFetch\"]\npermission = \"edit\"\nsilence = 9\n\
            [models.codex]\nopus = \"big\"\n[limits.run]\ncalls = 3\n";
        assert_eq!(keys(toml), [""; 0]);
    }

    #[test]
    fn every_program_and_every_permission_needs_somebody() {
        for (toml, wanted) in [
            ("[agents]\ndefault = \"command:./a.sh\"\n", "agents.default"),
            ("[agents]\nfallback = [\"codex\", \"acp:./a.sh\"]\n", "agents.fallback"),
            (
                "[agents.tasks.review]\nagent = \"record:t:command:a\"\n",
                "agents.tasks.review.agent",
            ),
            ("[agents.claude-code]\nprogram = \"./a\"\n", "agents.claude-code"),
            ("[agents.claude-code]\narguments = [\"-x\"]\n", "agents.claude-code"),
            ("[agents.codex]\nset = {PATH = \".\"}\n", "agents.codex"),
            ("[agents.codex]\npass = [\"TOKEN\"]\n", "agents.codex"),
            ("[agents.codex]\npermission = \"all\"\n", "agents.codex"),
            ("[agents.codex]\nallow = [\"Bash(*)\"]\n", "agents.codex"),
        ] {
            assert_eq!(keys(toml), [wanted], "{toml}");
        }
    }

    #[test]
    fn a_table_speaks_for_the_name_that_leads_to_it() {
        let toml = "[agents]\ndefault = \"command:own\"\n[agents.own]\nprogram = \"./a.sh\"\n";
        let found = read(toml, &Memory::default());
        assert_eq!(found.len(), 1);
        assert!(found[0].concerns("command:own") && found[0].concerns("record:t:command:own"));
        assert!(!found[0].concerns("command:./own.sh") && !found[0].is_typed("command:own"));
    }

    #[test]
    fn a_script_that_changes_is_another_one() {
        let host = Memory::default();
        for toml in [
            "[agents]\ndefault = \"command:sh a.sh\"\n",
            "[agents.codex]\nprogram = \"./a.sh\"\n",
            "[agents.codex]\nprogram = \"sh\"\narguments = [\"a.sh\"]\n",
        ] {
            host.write(Path::new("/p/a.sh"), b"one").unwrap();
            let found = read(toml, &host).remove(0);
            let before = found.seal(Path::new(ROOT), &host);
            host.write(Path::new("/p/a.sh"), b"two").unwrap();
            assert_ne!(found.seal(Path::new(ROOT), &host), before, "{toml}");
        }
    }
}
