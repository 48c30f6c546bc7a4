//! Text that is shown and written, and sections that are produced, saved and checked.

use super::effect::{Effect, Failure, FailureKind, How, Write};
use super::lane::{Kind, Saving, Stage};
use super::render::{self, Names as _};
use super::walk::{Flow, Walk};
use crate::builtins::Value;
use crate::model::{Produce, Words};
use crate::source::Span;
use crate::syntax::{HoleKind, decode, holes};

/// Names under which workflows say where their document is, in the order they are looked for.
const DOCUMENTS: &[&str] = &[
    "default_output_file",
    "output_file",
    "outputFile",
    "output-file",
    "default_output",
];

impl<'p> Walk<'_, 'p> {
    pub(super) fn show(&mut self, text: Span, file: Option<&'p Words>, template: Option<&'p Words>) -> Flow<'p> {
        if let Some(file) = file
            && let Some(flow) = self.missing(&file.text, "a path")
        {
            return flow;
        }
        if let Some(template) = template {
            let path = match self.path(&template.text) {
                Ok(path) => path,
                Err(failure) => return Flow::Fail(failure),
            };
            if let Some(text) = self.image.apart(&path) {
                return self.fill_template(&path, Some(text));
            }
            return Flow::Wait(Effect::Read { path: path.clone() }, Stage::Template(path));
        }
        let written = &*decode(self.image.slice(text));
        let filled = self.text(written);
        let alone = matches!(holes(written.trim(), text).as_slice(), [hole] if hole.span.len() == written.trim().len());
        let filled = if alone { filled } else { filled.trim().to_owned() };
        match file.filter(|_| alone).and_then(|file| self.own_place(written, file)) {
            Some(path) => self.write_whole(path, filled),
            None => self.put_out(filled, file),
        }
    }

    /// Returns where a document is that was read in a list, where its text goes back to it.
    fn own_place(&self, written: &str, file: &Words) -> Option<String> {
        let document = written.trim().trim_matches(['{', '}']).strip_suffix(".text")?;
        let own = self.bound(&format!("{document}.path"))?.to_string();
        // Quotes at the ends of a name that was read are its own.
        let own = self.place(&format!("./{own}")).ok()?;
        let path = self.target(&file.text).ok()?;
        (own == path).then_some(path)
    }

    fn put_out(&mut self, text: String, file: Option<&'p Words>) -> Flow<'p> {
        let Some(file) = file else {
            let text = text.trim_end_matches('\n').to_owned();
            return Flow::Wait(Effect::Show { text }, Stage::Passed);
        };
        let path = match self.target(&file.text) {
            Ok(path) => path,
            Err(failure) => return Flow::Fail(failure),
        };
        let text = if text.ends_with('\n') { text } else { text + "\n" };
        self.write_whole(path, text)
    }

    fn write_whole(&mut self, path: String, text: String) -> Flow<'p> {
        self.frame_mut().artefacts.insert(path.clone());
        let write = Write {
            path,
            how: How::Replace,
            text,
        };
        Flow::Wait(Effect::Write(Box::new(write)), Stage::Passed)
    }

    pub(super) fn fill_template(&mut self, path: &str, template: Option<&str>) -> Flow<'p> {
        let Some(template) = template else {
            return Flow::Fail(Failure {
                kind: FailureKind::Missing,
                message: format!("the template `{path}` is not there"),
            });
        };
        if let super::code::Op::Produce(..) = self.op() {
            return self.begin_document(template);
        }
        let names = self.known();
        let ours = path.ends_with(".j2") || template.contains("{%");
        let text = if ours {
            render::ours(template, &names, &names.names()).map_err(|error| Failure {
                kind: FailureKind::Malformed,
                message: format!("the template `{path}` cannot be rendered: {error}"),
            })
        } else {
            Ok(render::document(template, &names.opening()))
        };
        let file = match self.op() {
            super::code::Op::Show { file, .. } => *file,
            _ => None,
        };
        match text {
            Ok(text) => self.put_out(text, file),
            Err(failure) => Flow::Fail(failure),
        }
    }

    /// Returns where the document is, where its name is known and complete.
    pub(super) fn document_path(&self) -> Option<String> {
        let text = DOCUMENTS.iter().find_map(|name| self.document_named(name))?.ok()?;
        let open = holes(&text, Span::default());
        let whole = open
            .iter()
            .all(|hole| !matches!(hole.kind, HoleKind::Single | HoleKind::Double));
        let path = (whole && !text.is_empty()).then(|| self.place(&text).ok()).flatten();
        path.and_then(|path| self.writable(path).ok())
    }

    /// Produces sections: content, the document, the writes, the checkpoint; each call does what is next.
    pub(super) fn produce(&mut self, produce: &'p Produce, span: Span) -> Flow<'p> {
        let names: Vec<String> = produce.names.iter().map(|name| self.text(&name.text)).collect();
        if names.is_empty() {
            let place = self.image.place(span);
            return self.follow_by_agent_once(self.words(span), place);
        }
        if let Some(value) = &produce.value {
            let value = self.value(value.text.trim_matches(['"', '\'']));
            let text = value.to_string();
            if self.frame().saving.is_none() {
                self.bind(&names[0], value.clone());
                self.frame_mut().handed_back.insert(names[0].clone(), value);
            }
            self.frame_mut().sections.entry(names[0].clone()).or_insert(text);
        }
        let saving = self.frame_mut().saving.take().unwrap_or_default();
        if !saving.written {
            let lacking: Vec<String> = names
                .iter()
                .filter(|name| !self.frame().sections.contains_key(*name))
                .cloned()
                .collect();
            if !lacking.is_empty() {
                self.frame_mut().saving = Some(saving);
                return self.write_sections(&lacking, span);
            }
        }
        self.save(produce, names, saving)
    }

    fn save(&mut self, produce: &'p Produce, names: Vec<String>, mut saving: Saving) -> Flow<'p> {
        if saving.path.is_none() && !saving.written {
            match self.destination(produce) {
                Ok(path) => saving.path = path,
                Err(flow) => {
                    self.frame_mut().saving = Some(saving);
                    return *flow;
                }
            }
            if saving.path.is_none() {
                // Data that goes into no document is only handed back; there is nothing to look at.
                if produce.value.is_some() {
                    self.frame_mut().sections.retain(|name, _| !names.contains(name));
                    return Flow::Next;
                }
                saving.written = true;
            }
        }
        if let Some(path) = saving.path.clone().filter(|_| !saving.written) {
            if !saving.begun {
                saving.begun = true;
                let template = self.image.workflows[self.frame().workflow].template;
                self.frame_mut().saving = Some(saving);
                // A section may go to another file: that is not the document, and its template is none of it.
                if produce.file.is_some() && self.document_path().is_some_and(|own| own != path) {
                    self.frame_mut().artefacts.insert(path);
                    return Flow::Stay;
                }
                self.frame_mut().document = Some(path);
                return match template {
                    Some(template) => {
                        let text = self.image.library.source(template).text();
                        self.begin_document(text)
                    }
                    None => Flow::Stay,
                };
            }
            saving.written = true;
            saving.writes = names.iter().rev().map(|name| self.section(&path, name)).collect();
        }
        if let Some(write) = saving.writes.pop() {
            self.frame_mut().saving = Some(saving);
            return Flow::Wait(Effect::Write(Box::new(write)), Stage::Again);
        }
        self.checkpoint(names, saving)
    }

    fn section(&self, path: &str, name: &str) -> Write {
        Write {
            path: path.to_owned(),
            how: How::Section {
                name: name.to_owned(),
                previous: self.frame().saved.get(name).cloned(),
            },
            text: self.frame().sections.get(name).cloned().unwrap_or_default(),
        }
    }

    /// Returns where sections go; asks for what is missing in the name.
    fn destination(&mut self, produce: &'p Produce) -> Result<Option<String>, Box<Flow<'p>>> {
        let text = match &produce.file {
            Some(file) => Some(file.text.clone()),
            None => DOCUMENTS
                .iter()
                .find_map(|name| self.document_named(name))
                .transpose()
                .map_err(|failure| Box::new(Flow::Fail(failure)))?,
        };
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
            return Ok(None);
        };
        if let Some(flow) = self.missing(&text, "the path of the document") {
            return Err(Box::new(flow));
        }
        self.target(&text)
            .map(Some)
            .map_err(|failure| Box::new(Flow::Fail(failure)))
    }

    fn begin_document(&mut self, template: &str) -> Flow<'p> {
        let Some(path) = self.frame().document.clone() else {
            return Flow::Stay;
        };
        // A section that waits to be saved has a slot of its own; it is no value of the template.
        let known = self.known().opening();
        let names = |name: &str| known.value(name).filter(|_| !self.frame().sections.contains_key(name));
        let write = Write {
            path,
            how: How::Start,
            text: render::document(template, &names),
        };
        Flow::Wait(Effect::Write(Box::new(write)), Stage::Again)
    }

    /// After the sections are saved the handler of the task `workflow.xml` runs for each; what it changed is saved again.
    fn checkpoint(&mut self, names: Vec<String>, mut saving: Saving) -> Flow<'p> {
        for name in &names {
            if let Some(text) = self.frame_mut().sections.remove(name) {
                self.frame_mut().saved.insert(name.clone(), text);
            }
        }
        if let Some((name, before)) = saving.section.take()
            && let Some(path) = saving.path.clone()
        {
            let now = self.bound("section_content").unwrap_or_default().to_string();
            if now != before && !now.is_empty() {
                self.frame_mut().sections.insert(name.clone(), now);
                let write = self.section(&path, &name);
                self.frame_mut().saving = Some(saving);
                return Flow::Wait(Effect::Write(Box::new(write)), Stage::Again);
            }
        }
        let Some(name) = names.get(saving.handled) else {
            return Flow::Next;
        };
        saving.handled += 1;
        let content = self.frame().saved.get(name).cloned().unwrap_or_default();
        saving.section = Some((name.clone(), content.clone()));
        let path = saving.path.clone().unwrap_or_default();
        self.frame_mut().saving = Some(saving);
        self.run_handler(name, content, path)
    }

    fn run_handler(&mut self, section: &str, content: String, path: String) -> Flow<'p> {
        let part = self.handler.and_then(|at| {
            let pc = self.image.code(at).parts.get("2c")?;
            Some((at, *pc))
        });
        let Some((at, pc)) = part.filter(|_| self.frame().kind != Kind::Inside) else {
            return Flow::Stay;
        };
        let name = self.image.workflows[self.frame().workflow].name.clone();
        let given = [
            ("current_section", section.to_owned()),
            ("section_content", content),
            ("current_output_file", path),
            ("workflow_name", name),
        ];
        for (name, text) in given {
            self.frame_mut().variables.insert(name.to_owned(), Value::Text(text));
        }
        self.push_inside(at, pc);
        Flow::Stay
    }

    /// Prose where a name of a section is expected: the agent does what it says, once.
    fn follow_by_agent_once(&mut self, text: String, place: String) -> Flow<'p> {
        if self.frame_mut().saving.take().is_some() {
            return Flow::Next;
        }
        self.frame_mut().saving = Some(Saving::default());
        self.follow_by_agent(text, place)
    }
}
