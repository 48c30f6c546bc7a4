//! Marked text and names in, filled text out. Every mark is visited once for each time its text is shown.

use super::decide::{decide, is_true};
use super::mark::{Act, Block, Kind, Mark, marks};
use super::scope::{Item, Scope, weight};
use super::{MAX_OUTPUT, Names};
use crate::builtins::Value;
use std::cell::Cell;
use std::fmt::Write as _;
use std::ops::Range;

/// How much may be looked up and visited: blocks in blocks multiply.
const MAX_WORK: usize = MAX_OUTPUT;

/// How many bytes more than a text the filled text is expected to have.
const VALUES: usize = 64;

/// Which single braces are holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::machine) enum Style {
    /// All that hold a name.
    Text,
    /// Those alone on their line: elsewhere in a finished document they are text.
    Slots,
}

/// Fills a text, and tells how many holes and blocks were filled.
pub(in crate::machine) fn fill(text: &str, names: &dyn Names, style: Style) -> (String, usize) {
    if memchr::memchr(b'{', text.as_bytes()).is_none() {
        return (text.to_owned(), 0);
    }
    let marks = marks(text);
    let work = Cell::new(0);
    let mut filler = Filler {
        text,
        marks: &marks,
        style,
        work: &work,
        // Room for the values, too: most are hardly longer than their names.
        out: String::with_capacity(text.len() + VALUES),
        filled: 0,
        written: 0,
        depth: 0,
    };
    filler.whole(&Scope::Outer(names, &work));
    (filler.out, filler.filled)
}

/// Reads a text that is one hole with nothing but white space around it; the value keeps its type.
pub(super) fn only(text: &str, names: &dyn Names) -> Option<Value> {
    let text = text.trim();
    if !text.starts_with('{') {
        return None;
    }
    let marks = marks(text);
    let [mark] = marks.as_slice() else { return None };
    let work = Cell::new(0);
    let scope = Scope::Outer(names, &work);
    let (value, end) = lookup(text, mark, &scope)?;
    (mark.start == 0 && end == text.len()).then_some(value)
}

/// Finds the value of a hole, and where what it replaces ends.
fn lookup(text: &str, mark: &Mark<'_>, scope: &Scope<'_>) -> Option<(Value, usize)> {
    match &mark.kind {
        Kind::Single(name) => {
            let rest = text.get(mark.end..).unwrap_or("");
            if let Some(key) = config_key(rest)
                && let Some(value) = scope.find(&format!("{name}:{key}"))
            {
                return Some((value, mark.end + 1 + key.len()));
            }
            Some((scope.find(name)?, mark.end))
        }
        Kind::Double(name) => Some((scope.find(name)?, mark.end)),
        Kind::Configured(key) => Some((scope.find(&format!("config_source:{key}"))?, mark.end)),
        Kind::Open(_) | Kind::Else(_) | Kind::Close(_) | Kind::Foreign | Kind::Left => None,
    }
}

/// Reads the key in `:key` right behind a hole.
fn config_key(rest: &str) -> Option<&str> {
    let rest = rest.strip_prefix(':')?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let length = rest.bytes().take_while(|byte| is_part(byte)).count();
    let key = rest.get(..length)?.trim_end_matches(['.', '-']);
    key.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        .then_some(key)
}

/// The text would grow too large, or take too long.
struct Full;

struct Filler<'a> {
    text: &'a str,
    marks: &'a [Mark<'a>],
    style: Style,
    work: &'a Cell<usize>,
    out: String,
    filled: usize,
    /// How many bytes were written that are not the text itself.
    written: usize,
    depth: usize,
}

/// A stretch of the text: its marks and its bytes.
#[derive(Clone)]
struct Stretch {
    from: usize,
    to: usize,
    start: usize,
    end: usize,
}

/// What becomes of a block.
enum Shown {
    /// Its marks stay, and what is between them is filled.
    Open,
    /// All of it stays.
    Kept,
    /// Nothing of it is shown.
    Nothing,
    /// A stretch of it is shown once.
    Once(Stretch),
    /// A stretch of it is shown for each of these values.
    Each(Stretch, Vec<(Option<String>, Value)>),
}

impl Filler<'_> {
    /// Fills the whole text. Where a hole or a block would make it too large, that one stays as written.
    fn whole(&mut self, scope: &Scope<'_>) {
        let (mut at, mut cursor) = (0, 0);
        while at < self.marks.len() {
            let (length, filled) = (self.out.len(), self.filled);
            match self.mark(at, cursor, scope) {
                Ok(next) => (at, cursor) = next,
                Err(Full) => {
                    self.out.truncate(length);
                    self.filled = filled;
                    self.depth = 0;
                    let last = self.last(at);
                    let end = self.marks[last].end;
                    self.out.push_str(slice(self.text, cursor, end));
                    (at, cursor) = (last + 1, end);
                }
            }
        }
        self.out.push_str(slice(self.text, cursor, self.text.len()));
    }

    fn stretch(&mut self, stretch: &Stretch, scope: &Scope<'_>) -> Result<(), Full> {
        let (mut at, mut cursor) = (stretch.from, stretch.start);
        while at < stretch.to {
            (at, cursor) = self.mark(at, cursor, scope)?;
        }
        self.write(slice(self.text, cursor, stretch.end))
    }

    /// Writes the text from `cursor` up to a mark, and what the mark gives; tells which mark and byte come next.
    fn mark(&mut self, at: usize, cursor: usize, scope: &Scope<'_>) -> Result<(usize, usize), Full> {
        self.work.set(self.work.get().saturating_add(1));
        let marks = self.marks;
        let mark = &marks[at];
        if let Kind::Open(block) = &mark.kind
            && let Some(close) = block.close
        {
            let shown = self.shown(at, block, close, scope);
            return self.show(shown, at..close, cursor, scope);
        }
        let skipped =
            self.style == Style::Slots && matches!(mark.kind, Kind::Single(_)) && lone(self.text, mark).is_none();
        let stays = |value: &Value| mark.kind.name().is_some_and(|name| scope.stays(name, value));
        match lookup(self.text, mark, scope) {
            Some((value, end)) if !skipped && !stays(&value) => {
                self.write(slice(self.text, cursor, mark.start))?;
                let told = mark.kind.name().and_then(|name| scope.told(name, &value));
                self.fill(&told.map_or(value, Value::Text))?;
                Ok((at + 1, end))
            }
            Some(_) | None => {
                self.write(slice(self.text, cursor, mark.end))?;
                Ok((at + 1, mark.end))
            }
        }
    }

    fn show(
        &mut self,
        shown: Shown,
        Range { start: at, end: close }: Range<usize>,
        cursor: usize,
        scope: &Scope<'_>,
    ) -> Result<(usize, usize), Full> {
        let until = match shown {
            Shown::Open => self.marks[at].end,
            Shown::Kept => self.marks[close].end,
            Shown::Nothing | Shown::Once(_) | Shown::Each(..) => self.edges(at).0.max(cursor),
        };
        self.write(slice(self.text, cursor, until))?;
        match shown {
            Shown::Open => return Ok((at + 1, until)),
            Shown::Kept => return Ok((close + 1, until)),
            Shown::Nothing => {}
            Shown::Once(stretch) => {
                self.depth += 1;
                self.stretch(&stretch, scope)?;
                self.depth -= 1;
            }
            Shown::Each(stretch, items) => self.each(&stretch, &items, scope)?,
        }
        self.filled += 1;
        Ok((close + 1, self.edges(close).1))
    }

    fn each(&mut self, stretch: &Stretch, items: &[(Option<String>, Value)], scope: &Scope<'_>) -> Result<(), Full> {
        self.depth += 1;
        for (index, (key, this)) in items.iter().enumerate() {
            self.work.set(self.work.get().saturating_add(weight(this)));
            let inner = Scope::Item(Item {
                around: scope,
                this,
                key: key.as_deref(),
                index,
                count: items.len(),
            });
            match self.fields(stretch, this, &inner) {
                Some((before, fields)) => {
                    self.stretch(&before, &inner)?;
                    self.fill(this)?;
                    self.write(slice(self.text, fields.end, stretch.end))?;
                }
                None => self.stretch(stretch, &inner)?,
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Returns what stands before the fields of an item, and where those stand, all on one line, where it has none: it is a
    /// text, which is shown instead.
    fn fields(&self, stretch: &Stretch, this: &Value, scope: &Scope<'_>) -> Option<(Stretch, Range<usize>)> {
        let is_text = matches!(this, Value::Text(text) if !text.trim().is_empty());
        let marks = self.marks.get(stretch.from..stretch.to).filter(|_| is_text)?;
        let is_open = |mark: &Mark<'_>| matches!(mark.kind, Kind::Double(name) if scope.find(name).is_none());
        let shows_it = |mark: &Mark<'_>| mark.kind.name().is_some_and(|name| name == "this" || name == ".");
        let first = marks.iter().position(is_open).filter(|_| !marks.iter().any(shows_it))?;
        let (open, last) = (marks.get(first..)?, marks.last()?);
        let start = open.first()?.start;
        let rest = slice(self.text, last.end, stretch.end);
        let end = stretch.end - rest.trim_start_matches([')', '"', '\'', '*']).len();
        let is_line = !slice(self.text, start, end).contains('\n');
        let before = Stretch {
            to: stretch.from + first,
            end: start,
            ..stretch.clone()
        };
        (is_line && open.iter().all(is_open)).then_some((before, start..end))
    }

    fn shown(&self, at: usize, block: &Block<'_>, close: usize, scope: &Scope<'_>) -> Shown {
        let first = block.branches.first().copied().unwrap_or(close);
        let body = self.between(at, first);
        let value = match block.act {
            Act::If | Act::Unless => return self.branch(at, block, close, scope),
            Act::Unknown => None,
            Act::Each | Act::With | Act::Section | Act::Inverted => scope.find(block.argument),
        };
        let Some(value) = value else { return Shown::Kept };
        let empty = !is_true(&value);
        if empty == (block.act != Act::Inverted) {
            return match block.branches.last() {
                Some(last) => Shown::Once(self.between(*last, close)),
                None => Shown::Nothing,
            };
        }
        match (block.act, value) {
            (Act::Each | Act::Section, Value::List(items)) => {
                Shown::Each(body, items.into_iter().map(|item| (None, item)).collect())
            }
            (Act::Each, Value::Map(entries)) => {
                Shown::Each(body, entries.into_iter().map(|(key, item)| (Some(key), item)).collect())
            }
            (Act::Inverted, _) => Shown::Once(body),
            (_, value) => Shown::Each(body, vec![(None, value)]),
        }
    }

    /// Finds the first branch whose condition holds. As soon as one is not known the whole block stays open.
    fn branch(&self, at: usize, block: &Block<'_>, close: usize, scope: &Scope<'_>) -> Shown {
        let mut start = at;
        let mut condition = Some(block.argument);
        let mut wanted = block.act == Act::If;
        for next in block.branches.iter().chain([&close]) {
            match condition.map_or(Some(wanted), |condition| decide(condition, scope)) {
                None => return Shown::Open,
                Some(truth) if truth == wanted => return Shown::Once(self.between(start, *next)),
                Some(_) => {}
            }
            wanted = true;
            start = *next;
            condition = match &self.marks[start].kind {
                Kind::Else(condition) => *condition,
                Kind::Single(_) | Kind::Double(_) | Kind::Configured(_) => None,
                Kind::Open(_) | Kind::Close(_) | Kind::Foreign | Kind::Left => None,
            };
        }
        Shown::Nothing
    }

    /// Returns what stands between two marks of a block.
    fn between(&self, from: usize, to: usize) -> Stretch {
        let start = self.edges(from).1;
        Stretch {
            from: from + 1,
            to,
            start,
            end: self.edges(to).0.max(start),
        }
    }

    /// Returns where the text before a mark of a block ends and where the text after it starts: a mark alone on its line
    /// takes the line with it, one written with `~` the white space on that side.
    fn edges(&self, at: usize) -> (usize, usize) {
        let mark = &self.marks[at];
        let (mut before, mut after) = lone(self.text, mark).unwrap_or((mark.start, mark.end));
        let written = slice(self.text, mark.start, mark.end);
        if written.starts_with("{{~") {
            before = slice(self.text, 0, mark.start).trim_end().len();
        }
        if written.ends_with("~}}") {
            let rest = slice(self.text, mark.end, self.text.len());
            after = mark.end + rest.len() - rest.trim_start().len();
        }
        (before, after)
    }

    /// Returns the last mark of what starts at a mark.
    fn last(&self, at: usize) -> usize {
        match &self.marks[at].kind {
            Kind::Open(block) => block.close.unwrap_or(at),
            Kind::Single(_) | Kind::Double(_) | Kind::Configured(_) => at,
            Kind::Else(_) | Kind::Close(_) | Kind::Foreign | Kind::Left => at,
        }
    }

    /// Writes a piece of the text itself, which counts only where it is repeated.
    fn write(&mut self, text: &str) -> Result<(), Full> {
        if self.depth > 0 {
            self.written += text.len();
        }
        if self.written > MAX_OUTPUT || self.work.get() > MAX_WORK {
            return Err(Full);
        }
        self.out.push_str(text);
        Ok(())
    }

    fn fill(&mut self, value: &Value) -> Result<(), Full> {
        let before = self.out.len();
        // A text takes whatever is written to it; one that grew too large is cut by whoever hears of it.
        write!(self.out, "{value}").map_err(|_| Full)?;
        self.written += self.out.len() - before;
        self.filled += 1;
        if self.written > MAX_OUTPUT {
            return Err(Full);
        }
        Ok(())
    }
}

/// Returns the line of a mark that stands alone on it, with its end.
fn lone(text: &str, mark: &Mark<'_>) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let before = bytes.get(..mark.start)?.iter().rev().take_while(is_blank).count();
    let start = mark.start - before;
    let rest = bytes.get(mark.end..)?;
    let end = mark.end + rest.iter().take_while(is_blank).count();
    let breaks = match bytes.get(end..)? {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        [] => 0,
        _ => return None,
    };
    let begins = start == 0 || bytes.get(start - 1) == Some(&b'\n');
    begins.then_some((start, end + breaks))
}

/// Returns the text between two bytes; the places of marks are always between characters.
fn slice(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or("")
}
