//! A text in, its sections and blocks out.

use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{Format, LineKind, parse};
use std::ops::Range;

/// How a text is divided.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    pub(crate) sections: Vec<Section>,
    /// Paragraphs, items, rows and headings, in their order.
    pub(crate) blocks: Vec<Range<usize>>,
    is_prose: bool,
}

/// A heading and what stands under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) name: String,
    key: String,
    /// From its heading to the next heading.
    pub(crate) own: Range<usize>,
    /// From its heading to the next heading that is not below it.
    pub(crate) whole: Range<usize>,
}

impl Outline {
    pub(super) fn read(path: &str, text: &str) -> Self {
        let path = ProjectPath::new(path).unwrap_or_else(ProjectPath::root);
        let is_prose =
            matches!(Format::of(path.name()), Some(Format::Markdown)) || matches!(path.extension(), "" | "txt");
        let source = Source::new(SourceId(0), path, text);
        let markdown = parse(&source, Format::Markdown).markdown;
        let mut outline = Self {
            is_prose,
            ..Self::default()
        };
        for line in &markdown.lines {
            outline.line(line.range(), line.kind);
        }
        if !is_prose {
            return outline;
        }
        for (at, heading) in markdown.headings.iter().enumerate() {
            let start = heading.span.range().start;
            let later = markdown.headings.get(at + 1..).unwrap_or_default();
            let ends =
                |heading: Option<&crate::syntax::Heading>| heading.map_or(text.len(), |next| next.span.range().start);
            let name = source.slice(heading.text).trim().to_owned();
            outline.sections.push(Section {
                key: heading_key(&name),
                name,
                own: start..ends(later.first()),
                whole: start..ends(later.iter().find(|next| next.level <= heading.level)),
            });
        }
        outline
    }

    fn line(&mut self, range: Range<usize>, kind: LineKind) {
        let starts = match kind {
            LineKind::Heading(_) | LineKind::Item | LineKind::Table | LineKind::FenceMark => true,
            LineKind::Blank => {
                self.blocks.push(range.end..range.end);
                return;
            }
            LineKind::Text | LineKind::Quote | LineKind::Code | LineKind::Frontmatter => false,
        };
        match self.blocks.last_mut() {
            Some(block) if block.start == block.end => *block = range,
            Some(block) if !starts => block.end = range.end,
            Some(_) | None => self.blocks.push(range),
        }
        if matches!(kind, LineKind::Heading(_)) {
            let end = self.blocks.last().map_or(0, |block| block.end);
            self.blocks.push(end..end);
        }
    }

    /// Returns the deepest section that a byte stands in.
    pub(crate) fn around(&self, at: usize) -> Option<usize> {
        let after = self.sections.partition_point(|section| section.own.start <= at);
        after.checked_sub(1)
    }

    /// Returns the blocks that a range touches.
    pub(crate) fn touched(&self, range: &Range<usize>) -> impl Iterator<Item = &Range<usize>> {
        let first = self.blocks.partition_point(|block| block.end <= range.start);
        let after = self.blocks.get(first..).unwrap_or_default();
        let touched = after.iter().take_while(|block| block.start < range.end);
        touched.filter(|block| block.start < block.end)
    }

    /// Returns the blocks that a range touches, as one range.
    pub(crate) fn block(&self, range: &Range<usize>) -> Range<usize> {
        let mut touched = self.touched(range);
        match (touched.next(), touched.last()) {
            (Some(first), Some(last)) => first.start..last.end,
            (Some(only), None) => only.clone(),
            (None, _) => range.clone(),
        }
    }

    /// Returns the sections that a name means: those that are called so, or the only one that begins so.
    pub(crate) fn named(&self, name: &str) -> Vec<usize> {
        let steps = name
            .split(['>', '→', '»'])
            .map(heading_key)
            .filter(|key| !key.is_empty());
        let keys: Vec<String> = std::iter::once(heading_key(name)).chain(steps.rev()).collect();
        for key in keys.iter().filter(|key| !key.is_empty()) {
            let equal: Vec<usize> = self.matching(|known| known == key);
            if !equal.is_empty() {
                return equal;
            }
        }
        let begins = |long: &str, short: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with(' '));
        for key in keys.iter().filter(|key| key.len() > 2) {
            let near = self.matching(|known| begins(known, key) || (known.len() > 2 && begins(key, known)));
            if near.len() == 1 {
                return near;
            }
        }
        Vec::new()
    }

    fn matching(&self, wanted: impl Fn(&str) -> bool) -> Vec<usize> {
        let found = self
            .sections
            .iter()
            .enumerate()
            .filter(|(_, section)| wanted(&section.key));
        found.map(|(at, _)| at).collect()
    }

    /// Says whether headings divide this text; code has names instead.
    pub(crate) fn is_prose(&self) -> bool {
        self.is_prose
    }
}

/// Returns what makes a heading itself: its words without numbers in front, marks and the word section.
pub(crate) fn heading_key(name: &str) -> String {
    let name = name.split_once("{#").map_or(name, |(before, _)| before);
    let name = name.trim_start_matches(['#', '§', ' ', '*', '`', '"']);
    let lower = name.to_lowercase();
    let lower = ["section ", "chapter "]
        .iter()
        .find_map(|word| lower.strip_prefix(word))
        .unwrap_or(&lower);
    let lower = lower.strip_suffix(" section").unwrap_or(lower);
    let words: Vec<&str> = lower
        .split(|mark: char| !mark.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let is_number = |word: &&&str| word.chars().all(|digit| digit.is_ascii_digit());
    let numbers = words.iter().take_while(is_number).count();
    // A heading that is only a number is called by it.
    let from = if numbers == words.len() { 0 } else { numbers };
    words.get(from..).unwrap_or_default().join(" ")
}
