//! Tags in order in, which close belongs to which open out.

use super::{Fate, Kind, Token};
use crate::source::{Source, Span};
use crate::syntax::MAX_DEPTH;
use crate::syntax::fault::{Fault, FaultKind};
use crate::syntax::tag::{Content, Stratum, TAGS, Tag};

/// The most faults that one file is told about; whoever has more has one problem, not thousands.
const MAX_FAULTS: usize = 1000;

/// A tag that is open.
struct Open {
    token: usize,
    tag: Tag,
    /// A tag of the same name right inside this one that may be a mention and took a close tag.
    mention: Option<usize>,
}

/// Decides the fate of every token.
pub(super) struct Matcher<'t> {
    source: &'t Source,
    tokens: &'t mut [Token],
    is_rooted: bool,
    faults: Vec<Fault>,
    /// The open tags, outermost first.
    stack: Vec<Open>,
    /// How many of each tag are in `stack`.
    open: [usize; TAGS.len()],
    /// How many roots are in `stack`.
    roots: usize,
    /// How many of each tag were too deep; their closes are text too.
    ignored: [usize; TAGS.len()],
    is_ignoring: bool,
    is_too_deep: bool,
    /// Where a part whose tags must close inside it has started.
    base: usize,
}

impl<'t> Matcher<'t> {
    pub(super) fn new(source: &'t Source, tokens: &'t mut [Token], is_rooted: bool) -> Self {
        Self {
            source,
            tokens,
            is_rooted,
            faults: Vec::new(),
            stack: Vec::new(),
            open: [0; TAGS.len()],
            roots: 0,
            ignored: [0; TAGS.len()],
            is_ignoring: false,
            is_too_deep: false,
            base: 0,
        }
    }

    /// Matches every tag; returns what is wrong with them.
    ///
    /// A root that turns out to be a mention must not have made tags of the words after it, so
    /// such a root is struck and everything is matched once more.
    pub(super) fn run(mut self) -> Vec<Fault> {
        self.pass();
        if self.strike_mentioned_roots() {
            self.faults.clear();
            self.is_too_deep = false;
            self.pass();
        }
        self.faults
    }

    fn pass(&mut self) {
        for index in 0..self.tokens.len() {
            match self.tokens[index].kind {
                Kind::Open(tag) => self.open(index, tag),
                Kind::SelfClosed(tag) => self.tokens[index].fate = self.fate_of(tag),
                Kind::Close(tag) => self.close(index, tag),
                Kind::Gap => {}
                Kind::Enter => self.base = self.stack.len(),
                Kind::Leave => {
                    let at = self.span(index);
                    self.abandon(self.base, at);
                    self.base = 0;
                }
            }
        }
        let end = self.source.text().len();
        self.abandon(0, self.source.span(end, end));
    }

    fn strike_mentioned_roots(&mut self) -> bool {
        let mut is_struck = false;
        for token in self.tokens.iter_mut() {
            if let Kind::Open(tag) = token.kind
                && tag.is_root()
                && token.fate == Fate::Text
            {
                is_struck = true;
                token.fate = Fate::Struck;
            }
        }
        is_struck
    }

    fn open(&mut self, index: usize, tag: Tag) {
        if self.tokens[index].fate == Fate::Struck {
            return;
        }
        self.tokens[index].fate = self.fate_of(tag);
        if self.tokens[index].fate == Fate::Text {
            return;
        }
        if self.stack.len() == MAX_DEPTH {
            self.ignore(index, tag);
            return;
        }
        self.stack.push(Open {
            token: index,
            tag,
            mention: None,
        });
        self.open[tag as usize] += 1;
        self.roots += usize::from(tag.is_root());
    }

    /// Makes text of a tag that is too deep; only the first is a fault.
    fn ignore(&mut self, index: usize, tag: Tag) {
        self.tokens[index].fate = Fate::Text;
        self.ignored[tag as usize] += 1;
        self.is_ignoring = true;
        if !self.is_too_deep {
            self.is_too_deep = true;
            self.fault(FaultKind::NestedTooDeep, index, tag, None);
        }
    }

    fn close(&mut self, index: usize, tag: Tag) {
        if self.ignored[tag as usize] > 0 {
            self.ignored[tag as usize] -= 1;
            self.tokens[index].fate = Fate::Text;
            return;
        }
        if self.open[tag as usize] == 0 {
            self.tokens[index].fate = self.fate_of(tag);
            if self.tokens[index].fate == Fate::Kept {
                self.tokens[index].fate = Fate::Dropped;
                self.fault(FaultKind::StrayClose, index, tag, None);
            }
            return;
        }
        self.tokens[index].fate = Fate::Kept;
        let at = self.span(index);
        while let Some(open) = self.pop() {
            if open.tag == tag {
                self.tokens[open.token].fate = Fate::Kept;
                // Who mentions a tag in a sentence gives it no attributes.
                if !self.tokens[open.token].has_attributes && self.is_in_sentence(open.token) {
                    self.pass_down(tag, open.token);
                }
                return;
            }
            self.give_up(&open, at);
        }
    }

    /// Gives up every open tag above `depth`, which ends at `at`.
    fn abandon(&mut self, depth: usize, at: Span) {
        while self.stack.len() > depth
            && let Some(open) = self.pop()
        {
            self.give_up(&open, at);
        }
    }

    /// Decides what an open tag is that nothing closes: a mention where it stands in prose,
    /// otherwise a fault, unless a mention inside it took its close tag.
    fn give_up(&mut self, open: &Open, at: Span) {
        if self.is_in_sentence(open.token) {
            self.tokens[open.token].fate = Fate::Text;
            if let Some(mention) = open.mention {
                self.pass_down(open.tag, mention);
            }
            return;
        }
        if let Some(mention) = open.mention {
            self.tokens[mention].fate = Fate::Text;
            self.tokens[open.token].fate = Fate::Kept;
            return;
        }
        self.tokens[open.token].fate = Fate::Unclosed;
        let own = self.span(open.token);
        let at = match open.tag.row().content {
            Content::Block | Content::Prose => at,
            Content::Empty => own.inner(own.len(), own.len()),
        };
        self.fault(FaultKind::UnclosedTag, open.token, open.tag, Some(at));
    }

    /// Tells the innermost open tag, if it has the same name, that its close tag may have been taken.
    fn pass_down(&mut self, tag: Tag, mention: usize) {
        if let Some(outer) = self.stack.last_mut().filter(|outer| outer.tag == tag) {
            outer.mention = Some(mention);
        }
    }

    /// Says whether an open tag stands in a sentence: after other words, before words that go on in
    /// lower case, as in "`<ask>` tags are …", in a path, or as the whole item of a list.
    fn is_in_sentence(&self, index: usize) -> bool {
        let token = &self.tokens[index];
        if token.in_prose || token.has_attributes {
            return token.in_prose;
        }
        let after = self.source.text().get(token.end as usize..).unwrap_or("");
        // Behind most tags a line ends or a text begins.
        if after.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric) {
            return false;
        }
        let words = after.trim_start_matches([' ', '\t']);
        let goes_on = words.len() < after.len() && words.starts_with(char::is_lowercase);
        let is_alone = words.is_empty() || words.starts_with(['\r', '\n']);
        goes_on || is_glued(after) || is_alone && self.is_item(token.start as usize)
    }

    /// Says whether nothing but the mark of a list item stands before `at` on its line.
    fn is_item(&self, at: usize) -> bool {
        let text = self.source.text();
        let near = text.floor_char_boundary(at.saturating_sub(16));
        let before = text.get(near..at).unwrap_or("");
        let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
        line.trim_start()
            .starts_with(['-', '*', '+', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
    }

    fn pop(&mut self) -> Option<Open> {
        let open = self.stack.pop()?;
        self.base = self.base.min(self.stack.len());
        self.open[open.tag as usize] -= 1;
        self.roots -= usize::from(open.tag.is_root());
        if self.is_ignoring {
            self.ignored = [0; TAGS.len()];
            self.is_ignoring = false;
        }
        Some(open)
    }

    /// Common words are tags only below a root.
    fn fate_of(&self, tag: Tag) -> Fate {
        match tag.row().stratum {
            Stratum::Dialect => Fate::Kept,
            Stratum::Frame | Stratum::Engine if self.is_rooted || self.roots > 0 => Fate::Kept,
            Stratum::Frame | Stratum::Engine => Fate::Text,
        }
    }

    fn span(&self, index: usize) -> Span {
        let token = &self.tokens[index];
        self.source.span(token.start as usize, token.end as usize)
    }

    fn fault(&mut self, kind: FaultKind, index: usize, tag: Tag, related: Option<Span>) {
        if self.faults.len() == MAX_FAULTS {
            return;
        }
        self.faults.push(Fault {
            kind,
            span: self.span(index),
            detail: tag.name().to_owned(),
            related,
        });
    }
}

/// Says whether text goes on right behind a tag the way a path or a sentence does: `<agent>/notes.md`, `<ask>, <goto>`.
fn is_glued(after: &str) -> bool {
    after.starts_with(['/', '.', ',', ';', ':', ')', ']', '|', '_', '='])
        || after
            .strip_prefix('-')
            .is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
}
