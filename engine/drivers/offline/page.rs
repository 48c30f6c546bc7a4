//! A document in, what checks look at out: its text without code and comments, its headings, its lines.

use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{Format, LineKind, Parsed, inline_code, parse};
use std::ops::Range;

/// A document.
#[derive(Debug)]
pub(super) struct Page {
    source: Source,
    pub(super) parsed: Parsed,
    /// The text with blanks where code, comments and frontmatter are; every byte stays at its place.
    pub(super) prose: String,
    /// The text with blanks where comments and frontmatter are.
    pub(super) visible: String,
    pub(super) headings: Vec<Head>,
    /// The number of the heading that each heading stands below.
    parents: Vec<Option<usize>>,
    /// Where paragraphs, items, rows and headings are: inline marks pair within each of them.
    pub(super) blocks: Vec<Range<usize>>,
}

/// A line of a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageLine<'p> {
    pub(super) kind: LineKind,
    /// How many columns of white space stand before its text.
    pub(super) indent: u16,
    pub(super) start: usize,
    /// Its text with blanks where code and comments are.
    pub(super) prose: &'p str,
    /// Its text with blanks where comments are.
    pub(super) visible: &'p str,
}

impl PageLine<'_> {
    /// Returns where the line ends, without its line break.
    pub(super) fn end(&self) -> usize {
        self.start + self.visible.len()
    }
}

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    /// 1 to 6.
    pub(super) level: u8,
    /// What it says.
    pub(super) text: String,
    /// The whole line.
    pub(super) range: Range<usize>,
    /// The index of the line.
    pub(super) line: usize,
}

impl Page {
    /// Reads a Markdown document.
    pub(super) fn new(text: &str) -> Self {
        let source = Source::new(SourceId(0), ProjectPath::root(), text);
        let parsed = parse(&source, Format::Markdown);
        let mut visible = Blanks(text.as_bytes().to_vec());
        visible.comments(&parsed);
        let mut prose = Blanks(visible.0.clone());
        prose.code(&parsed);
        let blocks = blocks(&parsed);
        prose.inline(text, &blocks);
        prose.html(text);
        let headings = parsed.markdown.headings.iter();
        let parents = parents(headings.clone().map(|heading| heading.level));
        let headings = headings.map(|heading| Head {
            level: heading.level,
            text: source.slice(heading.text).to_owned(),
            range: heading.span.range(),
            line: heading.line,
        });
        Self {
            headings: headings.collect(),
            prose: prose.text(),
            visible: visible.text(),
            parents,
            blocks,
            parsed,
            source,
        }
    }

    /// Returns every line.
    pub(super) fn lines(&self) -> impl DoubleEndedIterator<Item = PageLine<'_>> + ExactSizeIterator {
        self.parsed.markdown.lines.iter().map(|line| PageLine {
            kind: line.kind,
            indent: line.indent,
            start: line.range().start,
            prose: self.prose.get(line.range()).unwrap_or(""),
            visible: self.visible.get(line.range()).unwrap_or(""),
        })
    }

    /// Returns the number of the heading that a byte stands under, from 0.
    pub(super) fn section_number(&self, at: usize) -> Option<usize> {
        let after = self.headings.partition_point(|heading| heading.range.start <= at);
        after.checked_sub(1)
    }

    /// Returns the heading that another stands below in the outline.
    pub(super) fn parent(&self, number: usize) -> Option<usize> {
        *self.parents.get(number)?
    }

    /// Returns where the section of a heading ends: at the next heading that is not below it.
    pub(super) fn section_end(&self, number: usize) -> usize {
        let Some(heading) = self.headings.get(number) else {
            return self.text().len();
        };
        let after = self.headings.get(number + 1..).unwrap_or_default();
        let next = after.iter().find(|next| next.level <= heading.level);
        next.map_or(self.text().len(), |next| next.range.start)
    }

    /// Returns the whole text.
    pub(super) fn text(&self) -> &str {
        self.source.text()
    }

    /// Returns the number of the line that a byte is on, from 1.
    pub(super) fn line(&self, at: usize) -> u32 {
        self.source.position(u32::try_from(at).unwrap_or(u32::MAX)).line
    }

    /// Returns the line that a byte is on.
    pub(super) fn line_at(&self, at: usize) -> &str {
        let (start, end) = self.line_range(at);
        self.text()[start..end].trim()
    }

    /// Returns where the line that a byte is on starts and ends.
    pub(super) fn line_range(&self, at: usize) -> (usize, usize) {
        let text = self.text();
        let at = text.floor_char_boundary(at.min(text.len()));
        let start = text[..at].rfind('\n').map_or(0, |found| found + 1);
        let end = text[at..].find('\n').map_or(text.len(), |found| at + found);
        (start, end)
    }

    /// Returns where the words around a byte on its line start and end; a line without end is not read to its end.
    pub(super) fn near(&self, at: usize) -> (usize, usize) {
        const WIDTH: usize = 400;
        let text = self.text();
        let from = text.floor_char_boundary(at.saturating_sub(WIDTH));
        let to = text.floor_char_boundary((at + WIDTH).min(text.len()));
        let start = text[from..at].rfind('\n').map_or(from, |found| from + found + 1);
        let end = text[at..to].find('\n').map_or(to, |found| at + found);
        (start, end)
    }

    /// Returns the heading that a byte stands under.
    pub(super) fn section(&self, at: usize) -> Option<&Head> {
        self.headings.get(self.section_number(at)?)
    }
}

/// Returns for each heading the one it stands below.
fn parents(levels: impl Iterator<Item = u8>) -> Vec<Option<usize>> {
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut found = Vec::new();
    for (number, level) in levels.enumerate() {
        open.retain(|(above, _)| *above < level);
        found.push(open.last().map(|(_, above)| *above));
        open.push((level, number));
    }
    found
}

/// Returns where paragraphs, items, rows and headings are.
fn blocks(parsed: &Parsed) -> Vec<Range<usize>> {
    let mut open: Option<Range<usize>> = None;
    let mut found = Vec::new();
    for line in &parsed.markdown.lines {
        let range = line.range();
        match line.kind {
            LineKind::Text | LineKind::Quote => match &mut open {
                Some(open) => open.end = range.end,
                None => open = Some(range),
            },
            LineKind::Item => found.extend(open.replace(range)),
            LineKind::Heading(_) | LineKind::Table => {
                found.extend(open.take());
                found.push(range);
            }
            LineKind::Blank | LineKind::Frontmatter | LineKind::FenceMark | LineKind::Code => found.extend(open.take()),
        }
    }
    found.extend(open);
    found
}

/// Text in which parts are blanked.
struct Blanks(Vec<u8>);

impl Blanks {
    fn cut(&mut self, range: Range<usize>) {
        let end = range.end.min(self.0.len());
        for byte in self.0.get_mut(range.start.min(end)..end).unwrap_or_default() {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }

    fn text(self) -> String {
        // Whole characters are blanked, so this is always text; if it were not, nothing would be found in it.
        String::from_utf8(self.0).unwrap_or_default()
    }

    fn comments(&mut self, parsed: &Parsed) {
        for comment in &parsed.comments {
            let range = comment.range();
            self.cut(range.start.saturating_sub("<!--".len())..range.end + "-->".len());
        }
        let lines = parsed.markdown.lines.iter();
        for line in lines.filter(|line| line.kind == LineKind::Frontmatter) {
            self.cut(line.range());
        }
    }

    fn code(&mut self, parsed: &Parsed) {
        for fence in &parsed.markdown.fences {
            self.cut(fence.span.range());
        }
        let mut in_list = false;
        let mut may_be_code = true;
        for line in &parsed.markdown.lines {
            let is_deep = line.indent >= 4 && !in_list;
            match line.kind {
                LineKind::Frontmatter | LineKind::FenceMark | LineKind::Code => self.cut(line.range()),
                LineKind::Blank => may_be_code = true,
                LineKind::Item if !is_deep => {
                    in_list = true;
                    may_be_code = false;
                }
                LineKind::Item | LineKind::Text | LineKind::Table | LineKind::Quote | LineKind::Heading(_) => {
                    in_list &= line.indent > 0;
                    if is_deep && may_be_code {
                        self.cut(line.range());
                    } else {
                        may_be_code = false;
                    }
                }
            }
        }
    }

    /// Blanks inline code.
    fn inline(&mut self, text: &str, blocks: &[Range<usize>]) {
        for block in blocks {
            for code in inline_code(text.get(block.clone()).unwrap_or("")) {
                self.cut(block.start + code.start..block.start + code.end);
            }
        }
    }

    /// Blanks what `<pre>` and `<code>` hold.
    fn html(&mut self, text: &str) {
        for (open, close) in [
            ("<pre", "</pre>"),
            ("<code", "</code>"),
            ("<script", "</script>"),
            ("<style", "</style>"),
        ] {
            let mut at = 0;
            while let Some(start) = text[at..].find(open).map(|found| at + found) {
                let Some(length) = text[start..].find(close) else { break };
                at = start + length + close.len();
                self.cut(start..at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Page;

    fn prose(text: &str) -> String {
        let page = Page::new(text);
        page.prose.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn code_of_every_kind_is_blanked() {
        let text = "---\na: b\n---\none `x` two\n\n```\nx\n```\n\n    x\n\n<pre>x\nx</pre> <code>x</code> three ``x ` x`` four\n";
        assert_eq!(prose(text), "one two three four");
    }

    #[test]
    fn inline_code_over_two_lines_is_blanked() {
        assert_eq!(prose("one `x\nx` two"), "one two");
        assert_eq!(prose("- one ` x\n- two ` x"), "- one ` x - two ` x");
    }

    #[test]
    fn comments_are_blanked() {
        assert_eq!(prose("one <!-- x\nx --> two"), "one two");
    }

    #[test]
    fn text_below_an_item_is_no_code() {
        assert_eq!(prose("- one\n\n    two\n"), "- one two");
    }

    #[test]
    fn every_byte_stays_at_its_place() {
        let text = "é `ü` 三\n<!-- ñ -->\nend";
        assert_eq!(Page::new(text).prose.len(), text.len());
        assert_eq!(Page::new(text).prose.find("end"), text.find("end"));
    }
}
