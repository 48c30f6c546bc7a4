//! One sentence of prose: its tokens, and what the words around a verb make of it.

use crate::source::Span;
use crate::syntax::WordList;

/// A piece of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    /// What it is.
    pub(super) kind: Kind,
    /// Its first byte in the text.
    pub(super) start: usize,
    /// The byte after its last one.
    pub(super) end: usize,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word, a number, a path.
    Word,
    /// `{x}` or `{{x}}`.
    Hole,
    /// Something in backticks.
    Code,
    /// Something in quotes.
    Quote,
    /// `[[file]]`.
    Snapshot,
    /// `[text](target)`.
    Link,
    /// `[key]`.
    Bracket,
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `:`
    Colon,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `=`
    Equals,
    /// A dash between words.
    Dash,
    /// `→`
    Arrow,
    /// Any other mark.
    Other,
}

/// One sentence.
#[derive(Debug, Default)]
pub(super) struct Sentence<'a> {
    /// The text it is in.
    pub(super) text: &'a str,
    /// Where that text stands.
    pub(super) place: Span,
    /// Its tokens.
    pub(super) tokens: Vec<Token>,
    /// Where words stand that control flow may hang on.
    pub(super) verbs: Vec<usize>,
    /// One of its tokens is a quote.
    pub(super) quoted: bool,
    /// It ends with a question mark.
    pub(super) question: bool,
    /// It stands behind `>`.
    pub(super) block_quote: bool,
    /// It is an item of a numbered list.
    pub(super) numbered: bool,
    /// It is the first of a paragraph or of a list item.
    pub(super) opens: bool,
}

/// Words a verb may follow and still be an order.
static LEADS: WordList = WordList::new(&[
    "and",
    "then",
    "also",
    "or",
    "please",
    "must",
    "should",
    "will",
    "may",
    "immediately",
    "now",
    "just",
    "always",
    "you",
    "next",
    "first",
    "finally",
    "only",
    "directly",
    "simply",
    "otherwise",
    "else",
    "fully",
    "automatically",
    "again",
]);

/// Words that deny what stands shortly after them.
static DENIALS: WordList = WordList::new(&[
    "not", "never", "don't", "doesn't", "cannot", "can't", "won't", "mustn't", "without", "avoid", "nor",
]);

/// Words that deny the clause they begin.
static STARTS: WordList = WordList::new(&["never", "don't", "cannot", "avoid", "forbidden", "without", "no"]);

/// Words that a clause begins with and that do not count.
static FILLERS: WordList = WordList::new(&["you", "and", "or", "but", "please", "it", "is"]);

/// Words that a clause begins after.
static BREAKS: WordList = WordList::new(&["then", "but", "otherwise", "else"]);

/// Words that open a condition.
pub(super) static OPENERS: WordList = WordList::new(&["if", "when", "unless"]);

/// Words behind which a condition is part of a question.
static ASKED: WordList = WordList::new(&["whether", "what", "how", "why", "where", "who", "about"]);

impl<'a> Sentence<'a> {
    /// Makes an empty sentence of `text`, which stands at `place`.
    pub(super) fn new(text: &'a str, place: Span) -> Self {
        Self {
            text,
            place,
            ..Self::default()
        }
    }

    /// Forgets everything but the text.
    pub(super) fn clear(&mut self) {
        self.tokens.clear();
        self.verbs.clear();
        self.quoted = false;
        self.question = false;
        self.block_quote = false;
        self.numbered = false;
        self.opens = false;
    }

    /// Returns a token.
    pub(super) fn get(&self, at: usize) -> Option<Token> {
        self.tokens.get(at).copied()
    }

    /// Returns what kind of token stands at `at`.
    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.get(at).map(|token| token.kind)
    }

    /// Returns the text of a token.
    pub(super) fn slice(&self, token: Token) -> &'a str {
        self.text.get(token.start..token.end).unwrap_or_default()
    }

    /// Returns the place of the text from one byte to another.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        self.place.inner(start, end)
    }

    /// Returns the text from one byte to another.
    pub(super) fn between(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Returns the word at `at`; nothing where another kind of token stands.
    pub(super) fn word(&self, at: usize) -> Option<&'a str> {
        let token = self.get(at).filter(|token| token.kind == Kind::Word)?;
        Some(self.slice(token))
    }

    /// Returns the bytes of the word at `at`; nothing where another kind of token stands.
    #[inline]
    fn bytes(&self, at: usize) -> Option<&'a [u8]> {
        let token = self.tokens.get(at).filter(|token| token.kind == Kind::Word)?;
        self.text.as_bytes().get(token.start..token.end)
    }

    /// Says whether one of these words stands at `at`, in any case.
    #[inline]
    pub(super) fn is(&self, at: usize, words: &[&str]) -> bool {
        let found = self.bytes(at).unwrap_or_default();
        words.iter().any(|word| found.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// Says whether a word of the list stands at `at`.
    #[inline]
    pub(super) fn is_in(&self, at: usize, list: &WordList) -> bool {
        self.bytes(at).is_some_and(|found| list.has_bytes(found))
    }

    /// Says whether one of these words stands before `at`, in any case.
    pub(super) fn after(&self, at: usize, words: &[&str]) -> bool {
        at.checked_sub(1).is_some_and(|before| self.is(before, words))
    }

    /// Returns the first place from `at` on where none of these words stands.
    pub(super) fn skip(&self, at: usize, words: &[&str]) -> usize {
        let mut at = at;
        while self.is(at, words) {
            at += 1;
        }
        at
    }

    /// Returns the quotes that hold `word`.
    pub(super) fn quotes(&self, word: &str) -> impl Iterator<Item = Token> {
        let holds = move |token: &&Token| {
            token.kind == Kind::Quote
                && self.text.as_bytes().get(token.start) == Some(&b'"')
                && self.slice(**token).contains(word)
        };
        let tokens = if self.quoted { &self.tokens[..] } else { &[] };
        tokens.iter().filter(holds).copied()
    }

    /// Returns the byte where the last token ends.
    pub(super) fn end(&self) -> usize {
        self.tokens.last().map_or(0, |token| token.end)
    }

    /// Returns where the clause that holds `at` begins.
    pub(super) fn clause(&self, at: usize) -> usize {
        let end = (0..at).rev().find(|index| self.breaks(*index));
        end.map_or(0, |index| index + 1)
    }

    /// Says whether a clause begins at `at`.
    pub(super) fn opens_clause(&self, at: usize) -> bool {
        at.checked_sub(1).is_none_or(|before| self.breaks(before))
    }

    /// Says whether the token at `at` ends a clause.
    fn breaks(&self, at: usize) -> bool {
        matches!(
            self.kind(at),
            Some(
                Kind::Comma
                    | Kind::Semicolon
                    | Kind::Colon
                    | Kind::Open
                    | Kind::Close
                    | Kind::Dash
                    | Kind::Arrow
                    | Kind::Quote
                    | Kind::Bracket
            )
        ) || self.is_in(at, &BREAKS)
    }

    /// Says whether the verb at `at` is an order, not told of somebody.
    pub(super) fn orders(&self, at: usize) -> bool {
        self.opens_clause(at) || at.checked_sub(1).is_some_and(|before| self.is_in(before, &LEADS))
    }

    /// Says whether what stands at `at` is forbidden or denied.
    pub(super) fn negated(&self, at: usize) -> bool {
        let clause = self.clause(at);
        let near = (at.saturating_sub(3).max(clause)..at).any(|index| self.is_in(index, &DENIALS));
        let first = (clause..at).find(|index| !self.is_in(*index, &FILLERS));
        let starts = first.is_some_and(|first| {
            self.is_in(first, &STARTS)
                || (self.is(first, &["do", "does", "must", "should", "may", "can", "will"])
                    && self.is(first + 1, &["not"]))
        });
        near || starts
    }

    /// Returns the bytes of the condition under which the words from `first` to `last` hold.
    pub(super) fn condition(&self, first: usize, last: usize) -> Option<(usize, usize)> {
        self.condition_after(last).or_else(|| self.condition_before(first))
    }

    fn condition_after(&self, last: usize) -> Option<(usize, usize)> {
        let at = self.skip(last + 1, &["only", "immediately"]);
        let start = self.condition_start(at)?;
        Some((start, self.end()))
    }

    /// Returns the bytes of a condition in the clause that goes on at `topic`: `ask which to take when there are two`.
    /// Behind `whether`, `what` or `how` it is part of what is asked.
    pub(super) fn condition_behind(&self, topic: usize) -> Option<(usize, usize)> {
        let goes_on = |at: &usize| !self.breaks(*at);
        let clause = || (topic..self.tokens.len()).take_while(goes_on);
        let opener = clause().find(|at| self.is_in(*at, &OPENERS) || self.is_in(*at, &ASKED))?;
        let start = self.condition_start(opener).filter(|_| opener > topic)?;
        let end = self.get(clause().last()?)?.end;
        (end > start).then_some((start, end))
    }

    /// Returns the bytes of `unless …` behind a place, to the end of the sentence.
    pub(super) fn exception(&self, from: usize) -> Option<(usize, usize)> {
        let unless = (from..self.tokens.len()).find(|at| self.is(*at, &["unless"]))?;
        Some((self.get(unless)?.start, self.end()))
    }

    /// Returns where a condition begins that `if`, `when` or `unless` at `at` opens; `unless` is part of it.
    fn condition_start(&self, at: usize) -> Option<usize> {
        let opener = self.bytes(at).filter(|word| OPENERS.has_bytes(word))?;
        let is_part = opener.eq_ignore_ascii_case(b"unless");
        self.get(at + usize::from(!is_part)).map(|token| token.start)
    }

    /// Returns the bytes of a condition that the sentence opens with, and the mark that ends it: `If C, …`, `IF C: …`.
    pub(super) fn opening_condition(&self) -> Option<((usize, usize), Kind)> {
        let start = self.condition_start(0)?;
        let stop = self.condition_end(1, self.tokens.len());
        let end = self.get(stop.checked_sub(1)?)?.end;
        let closes = self.kind(stop)?;
        (end > start).then_some(((start, end), closes))
    }

    /// Returns the bytes of a condition that stands before `first`.
    pub(super) fn condition_before(&self, first: usize) -> Option<(usize, usize)> {
        const ASKED: &[&str] = &[
            "ask",
            "check",
            "verify",
            "determine",
            "see",
            "know",
            "confirm",
            "decide",
            "as",
            "even",
        ];
        let clause = self.clause(first);
        let comma = |at: &usize| self.kind(*at) == Some(Kind::Comma);
        if let Some(before) = clause.checked_sub(1)
            && let before = before - usize::from(before > 0 && comma(&before))
            && self.is(before, &["otherwise", "else"])
        {
            return self.get(before).map(|token| (token.start, token.end));
        }
        if let Some(at) = self.opener(first, ASKED) {
            let start = self.condition_start(at)?;
            let stop = self.condition_end(at + 1, first);
            let end = self.get(stop.checked_sub(1)?)?;
            return (end.end > start).then_some((start, end.end));
        }
        let arrow = (0..first).find(|at| self.kind(*at) == Some(Kind::Arrow))?;
        let end = self.get(arrow.checked_sub(1)?)?;
        Some((self.get(0)?.start, end.end))
    }

    /// Finds the last `if`, `when` or `unless` before `first`, not inside parentheses that are closed by then.
    fn opener(&self, first: usize, asked: &[&str]) -> Option<usize> {
        let mut depth = 0usize;
        for at in (0..first).rev() {
            let kind = self.kind(at);
            if kind == Some(Kind::Close) {
                depth += 1;
            } else if kind == Some(Kind::Open) {
                depth = depth.saturating_sub(1);
            } else if depth == 0 && self.is_in(at, &OPENERS) && !self.after(at, asked) {
                return Some(at);
            }
        }
        None
    }

    /// Finds the comma, colon, arrow or `then` that ends a condition, outside parentheses.
    fn condition_end(&self, from: usize, first: usize) -> usize {
        let mut depth = 0usize;
        for at in from..first {
            let kind = self.kind(at);
            let breaks =
                matches!(kind, Some(Kind::Comma | Kind::Colon | Kind::Arrow | Kind::Dash)) || self.is(at, &["then"]);
            if kind == Some(Kind::Open) {
                depth += 1;
            } else if kind == Some(Kind::Close) {
                depth = depth.saturating_sub(1);
            } else if breaks && depth == 0 && !self.lists(at, first) {
                return at;
            }
        }
        first
    }

    /// Says whether a comma parts conditions of a list that `and` or `or` ends and a colon or an arrow closes: `If a, b, and
    /// c: …`.
    fn lists(&self, comma: usize, first: usize) -> bool {
        let is = |at: usize, kind: Kind| self.kind(at) == Some(kind);
        let ends = |at: &usize| is(*at, Kind::Colon) || is(*at, Kind::Arrow) || self.is(*at, &["then"]);
        let end = (comma..first).find(ends).filter(|end| !self.is(*end, &["then"]));
        let Some(end) = end.filter(|_| is(comma, Kind::Comma)) else {
            return false;
        };
        let last = (comma..end).rev().find(|at| is(*at, Kind::Comma));
        let is_order =
            |last: usize| is(end, Kind::Arrow) && (self.is(last + 1, &["and"]) || self.verbs.contains(&(last + 2)));
        last.is_some_and(|last| self.is(last + 1, &["and", "or"]) && !is_order(last))
    }
}
