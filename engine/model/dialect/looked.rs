//! A path that a file names in, the file it leads to out. The same few are named again and again, and each is looked up once.

use crate::model::library::{Document, Library};
use crate::model::mention::Mention;
use crate::model::names::{Scope, is_settled};
use crate::model::resolve::{Place, Resolution};
use crate::model::role::Role;
use crate::model::workflow::Workflow;
use crate::source::{ProjectPath, QuickMap, SourceId, Span, near_any, near_either, near_last_either};
use crate::syntax::{HoleKind, each_hole};

/// The longest value that a name in braces is replaced by where it stands for a path.
const LONGEST: usize = 4096;

/// A file that names paths, and what they are seen from.
pub(super) struct Naming<'a, 's> {
    pub(super) library: &'a Library,
    document: &'a Document,
    place: Place<'s>,
    scope: Scope<'s>,
}

/// Where a path leads.
#[derive(Clone, Copy)]
struct Lead {
    file: SourceId,
    /// Whether it leads there whatever names in braces come to stand for.
    for_good: bool,
}

/// What the paths of files lead to.
#[derive(Default)]
pub(super) struct Looked<'a> {
    /// By the file and the words.
    leads: QuickMap<(SourceId, &'a str), Option<Lead>>,
    /// By the place, where that is for good.
    places: QuickMap<Span, SourceId>,
    /// Where files are named for workers, and those files.
    pub(super) workers: Vec<(Span, SourceId)>,
}

impl<'a: 's, 's> Naming<'a, 's> {
    /// Makes what the paths of a file are seen from that is part of a workflow.
    pub(super) fn new(
        library: &'a Library,
        workflow: &'s Workflow,
        home: &'s ProjectPath,
        document: &'a Document,
    ) -> Self {
        Self {
            library,
            document,
            place: Place {
                file: document.source.path(),
                home,
            },
            scope: Scope::new(library, Some(workflow), document.source.id()),
        }
    }

    /// Finds the file that a path leads to.
    pub(super) fn found(&self, text: &str) -> Option<SourceId> {
        self.lead(text).map(|lead| lead.file)
    }

    /// Says whether a text is one name in braces that surely stands for no step file: it has no value, or the last name of
    /// that is another one. Most are such, and need not be looked up.
    pub(super) fn leads_to_no_step(&self, text: &str) -> bool {
        let Some(name) = only_hole(text) else {
            return false;
        };
        let Some(value) = self.scope.value(name) else {
            return true;
        };
        let last = last_name(value);
        let is_end = |at: u8| at.is_ascii_alphanumeric();
        let is_whole =
            last.bytes().next_back().is_some_and(is_end) && near_either(b'{', b'}', last.as_bytes()).is_none();
        is_whole && !self.library.may_name_step(last)
    }

    fn lead(&self, text: &str) -> Option<Lead> {
        let (found, for_good) = self.library.resolve_for_good(text, self.place, &self.scope);
        match found {
            Resolution::Found(path) => self.library.at(&path).map(|document| Lead {
                file: document.source.id(),
                for_good,
            }),
            Resolution::Missing(_) => {
                below(self.library, text, self.place.home).map(|file| Lead { file, for_good: false })
            }
            Resolution::Dynamic | Resolution::Outside | Resolution::UnknownModule(_) | Resolution::Escapes => None,
        }
    }
}

impl<'a> Looked<'a> {
    /// Finds the file that a value of the frontmatter leads to.
    pub(super) fn value(&mut self, naming: &Naming<'a, '_>, value: &'a str) -> Option<SourceId> {
        let lead = naming.lead(value)?;
        if lead.for_good {
            self.leads.insert((naming.document.source.id(), value), Some(lead));
        }
        Some(lead.file)
    }

    /// Finds the file that a path leads to which the text names, and keeps in mind where it stands.
    pub(super) fn mention(&mut self, naming: &Naming<'a, '_>, mention: &'a Mention) -> Option<SourceId> {
        let lead = self.lead(naming, &mention.text)?;
        if lead.for_good {
            self.places.insert(mention.span, lead.file);
        }
        Some(lead.file)
    }

    /// Finds the file that a path leads to.
    pub(super) fn path(&mut self, naming: &Naming<'a, '_>, text: &'a str) -> Option<SourceId> {
        self.lead(naming, text).map(|lead| lead.file)
    }

    fn lead(&mut self, naming: &Naming<'a, '_>, text: &'a str) -> Option<Lead> {
        let file = naming.document.source.id();
        // A name in braces leads where its value does, which another one may have too.
        if let Some(value) = own_value(naming.document, text) {
            let known = self.leads.get(&(file, value)).copied().flatten();
            let lead = known.or_else(|| naming.lead(value)).filter(|lead| lead.for_good);
            if let Some(lead) = lead {
                if known.is_none() {
                    self.leads.insert((file, value), Some(lead));
                }
                return Some(lead);
            }
        }
        *self.leads.entry((file, text)).or_insert_with(|| naming.lead(text))
    }

    /// Forgets where paths lead that a name decides, which may have got its value since.
    pub(super) fn settle(&mut self) {
        let holds = |text: &str, lead: &Option<Lead>| !text.contains('{') || lead.is_some_and(|lead| lead.for_good);
        self.leads.retain(|(_, text), lead| holds(text, lead));
    }

    /// Returns where the paths of texts lead for good, by their places.
    pub(super) fn places(self) -> QuickMap<Span, SourceId> {
        self.places
    }
}

/// Returns the path that a text stands for which is one name in braces: what the frontmatter of the same file says, where
/// nothing in that stands for something else in turn.
fn own_value<'a>(document: &'a Document, text: &'a str) -> Option<&'a str> {
    let name = text.strip_prefix('{')?.strip_suffix('}')?;
    let data = document.parsed.frontmatter.as_ref()?.data.as_ref()?;
    let value = data.get(name)?.text()?;
    let is_plain = !value.is_empty()
        && value.len() <= LONGEST
        && near_any(b'{', b'}', b'\\', value.as_bytes()).is_none()
        && !value.starts_with("file:")
        && value.trim().len() == value.len();
    (is_plain && !is_settled(text) && only_hole(text).is_some()).then_some(value)
}

/// Returns the name of a text that is one name in braces.
fn only_hole(text: &str) -> Option<&str> {
    let name = text.strip_prefix('{')?.strip_suffix('}')?;
    let is_one = || matches!(each_hole(text).next(), Some((HoleKind::Single, hole, _)) if hole == name);
    (!name.contains('.') && is_one()).then_some(name)
}

/// Returns the last name of a path as it is written.
pub(super) fn last_name(path: &str) -> &str {
    near_last_either(b'/', b'\\', path.as_bytes()).map_or(path, |slash| &path[slash + 1..])
}

/// Finds the step file that a name without a folder means, where it leads nowhere and only one below is called so.
fn below(library: &Library, text: &str, home: &ProjectPath) -> Option<SourceId> {
    let name = text.strip_prefix("./").unwrap_or(text);
    if !name.ends_with(".md") || name.contains(['/', '{']) {
        return None;
    }
    let is_below = |document: &&Document| {
        let path = document.source.path();
        document.role == Role::StepFile && path.name() == name && path.is_in(home)
    };
    let mut named = library.documents().filter(is_below);
    let first = named.next()?;
    named.next().is_none().then(|| first.source.id())
}

#[cfg(test)]
mod tests {
    use super::{Looked, Naming, own_value};
    use crate::model::library::{Document, Library};
    use crate::model::role::Role;
    use crate::model::workflow::{Dialect, Workflow};
    use crate::source::{ProjectPath, QuickMap, Source, SourceId};
    use crate::syntax::{Format, parse};
    use std::sync::OnceLock;

    /// Values of a name, some of which lead to a file.
    const VALUES: &[&str] = &[
        "./step-02-go.md",
        "step-02-go.md",
        "steps/step-03-on.md",
        "steps/../step-02-go.md",
        "step-02-go.md,",
        "step-03-on.md",
        "../w/step-02-go.md",
        "../../x.md",
        "/step-02-go.md",
        "file:./step-02-go.md",
        " ./step-02-go.md",
        ".\\step-02-go.md",
        "./*.md",
        "./step-0{n}.md",
        "{project-root}/w/step-02-go.md",
        "{project-root}/{first}",
        "{skill-root}/step-02-go.md",
        "{installed_path}/step-02-go.md",
        "{config_source}:first",
        "{first}",
        "_bmad/core/tasks/x.md",
        "w",
        "",
        "x.md",
        "steps/04-go.md",
        "steps/04-go.md;",
        "steps/04-go.md ",
        "steps\\04-go.md",
        "steps/04-{n}.md",
    ];

    /// Texts that may stand for such a value.
    const TEXTS: &[&str] = &[
        "{first}",
        "{second}",
        "{a..b}",
        "{a b}",
        "{project-root}",
        "{{first}}",
        "first",
    ];

    fn library(value: &str) -> Library {
        let quoted = format!("'{}'", value.replace('\'', "''"));
        let names = ["first", "a..b", "a b", "project-root"].map(|name| format!("{name}: {quoted}\n"));
        let home = format!(
            "---\n{}second: '{{first}}'\n---\n# Go\n\nRead `{{first}}`, then `{{second}}`.\n",
            names.concat()
        );
        let files = [
            ("w/workflow.md", home.as_str()),
            ("w/step-02-go.md", "# Go\n"),
            ("w/steps/step-03-on.md", "# On\n"),
            ("w/steps/04-go.md", "# Go on\n"),
        ];
        let documents = (0..).zip(files).map(|(id, (path, text))| {
            let source = Source::new(SourceId(id), ProjectPath::new(path).unwrap(), text.to_owned());
            let parsed = parse(&source, Format::Markdown);
            Box::new(Document::new(source, parsed))
        });
        Library::new(documents.collect(), Vec::new(), Box::new(|path| path == "w"))
    }

    fn workflow() -> Workflow {
        Workflow {
            name: String::new(),
            dialect: Dialect::Steps,
            home: SourceId(0),
            files: vec![SourceId(0)],
            steps: Vec::new(),
            protocols: Vec::new(),
            definitions: Vec::new(),
            rules: Vec::new(),
            halts: Vec::new(),
            terms: Vec::new(),
            template: None,
            inputs: Vec::new(),
            firsts: OnceLock::new(),
            valued: None,
            leads: QuickMap::default(),
            workers: Vec::new(),
        }
    }

    #[test]
    fn no_name_of_a_step_file_is_passed_over() {
        let workflow = workflow();
        let (mut led, mut passed) = (0, 0);
        for value in VALUES {
            let library = library(value);
            let document = library.document(SourceId(0));
            let home = document.source.path().folder();
            let naming = Naming::new(&library, &workflow, &home, document);
            for text in TEXTS.iter().chain(VALUES) {
                let found = naming.found(text).map(|file| library.document(file).role);
                let is_passed = naming.leads_to_no_step(text);
                assert!(!is_passed || found != Some(Role::StepFile), "{value}: {text}");
                led += usize::from(found == Some(Role::StepFile));
                passed += usize::from(is_passed);
            }
        }
        assert!(led > 100 && passed > 10, "{led} {passed}");
    }

    #[test]
    fn a_name_leads_where_its_value_does() {
        let workflow = workflow();
        let mut led = 0;
        for value in VALUES {
            let library = library(value);
            let document = library.document(SourceId(0));
            let home = document.source.path().folder();
            let naming = Naming::new(&library, &workflow, &home, document);
            let mut looked = Looked::default();
            // Whatever was looked up before, and in which order, each leads where it leads alone.
            for text in VALUES.iter().chain(TEXTS).chain(VALUES).copied() {
                let expected = naming.found(text);
                assert_eq!(looked.value(&naming, text), expected, "{value}: {text}");
                assert_eq!(looked.path(&naming, text), expected, "{value}: {text}");
            }
            looked.settle();
            let mut anew = Looked::default();
            for text in TEXTS.iter().chain(VALUES).copied() {
                assert_eq!(looked.path(&naming, text), naming.found(text), "{value}: {text}");
                assert_eq!(anew.path(&naming, text), naming.found(text), "{value}: {text}");
                if let Some(own) = own_value(document, text) {
                    let alone = naming.library.resolve(text, naming.place, &naming.scope);
                    let own = naming.library.resolve(own, naming.place, &naming.scope);
                    assert_eq!(alone, own, "{value}: {text}");
                    led += 1;
                }
            }
        }
        assert!(led > 10, "{led}");
    }
}
