//! Prose in, sentences of tokens out. Code blocks, headings and comments say nothing; quotes and code are one token.

use super::line::{Line, blanks, goes_on, line};
use super::measure::{braces, bracket, code, ends_plain, mark, opens_quote, plain_mark, plain_start, quote, tag, word};
use super::sentence::{Kind, Sentence, Token};
use super::verbs::is_verb;

/// The most tokens a sentence has: longer ones are cut, so that looking around in one stays cheap.
const LONGEST_SENTENCE: usize = 256;

/// How many tokens a sentence seldom has more of.
const USUAL_SENTENCE: usize = 32;

/// How far a quote may reach, in bytes.
const LONGEST_QUOTE: usize = 3000;
/// How far a quote in single marks may reach, in bytes.
const LONGEST_APOSTROPHE: usize = 120;

/// Reads prose sentence by sentence.
pub(super) struct Lexer<'a> {
    pub(super) text: &'a str,
    at: usize,
    line_start: bool,
    /// A paragraph or an item begins before the next token.
    block_start: bool,
    /// No straight quote closes before this byte, so that marks that open none are not searched again and again.
    unquoted: usize,
    /// The same for curly quotes.
    uncurled: usize,
    /// A paragraph or an item began that was passed over.
    passed: bool,
    /// The line here stands behind `>`.
    block_quote: bool,
    /// Sentences with verbs are counted, so that none is passed over.
    pub(super) counts: bool,
}

/// What a line begins with for the sentence before it.
enum Opened {
    /// The sentence ended before it.
    Ended,
    /// It is to be read on.
    Open,
    /// Nothing on it can matter, and it was passed over.
    Passed,
}

impl<'a> Lexer<'a> {
    /// Starts at the beginning of `text`.
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            line_start: true,
            block_start: true,
            unquoted: 0,
            uncurled: 0,
            passed: false,
            block_quote: false,
            counts: false,
        }
    }

    /// Does the same, and passes over no sentence with a verb, whatever it may say.
    pub(super) fn counting(text: &'a str) -> Self {
        let counts = true;
        Self {
            counts,
            ..Self::new(text)
        }
    }

    /// Says whether a paragraph or an item began that was passed over since this was last asked.
    pub(super) fn has_passed(&mut self) -> bool {
        std::mem::take(&mut self.passed)
    }

    /// Fills `sentence` with the next sentence; says whether there was one.
    pub(super) fn next(&mut self, sentence: &mut Sentence<'a>) -> bool {
        sentence.clear();
        sentence.block_quote = self.block_quote && !self.line_start;
        while self.at < self.text.len() {
            if self.line_start {
                // Every other line is empty.
                if self.text.as_bytes()[self.at] == b'\n' {
                    if !sentence.tokens.is_empty() {
                        return true;
                    }
                    self.block_start = true;
                    self.at += 1;
                    continue;
                }
                match self.open_line(sentence) {
                    Opened::Ended => return true,
                    Opened::Passed => continue,
                    Opened::Open => {}
                }
            }
            if self.at < self.text.len() && self.step(sentence) {
                return true;
            }
        }
        !sentence.tokens.is_empty()
    }

    /// Reads what stands at the start of a line.
    fn open_line(&mut self, sentence: &mut Sentence<'a>) -> Opened {
        // Behind the mark of a quotation this is asked again for the same line.
        self.block_quote = self.block_quote && !self.text[..self.at].ends_with('\n');
        let at = self.at + blanks(&self.text.as_bytes()[self.at..]);
        let line = line(&self.text.as_bytes()[at..]);
        let plain = matches!(line, Line::Plain);
        if sentence.tokens.is_empty() {
            if self.pass(&line, at) {
                sentence.clear();
                return Opened::Passed;
            }
            // Many texts have nothing to read; all that others have is read into the same room.
            sentence.tokens.reserve(USUAL_SENTENCE);
        } else if !plain || !continues(sentence, self.text, at) {
            return Opened::Ended;
        }
        self.line_start = false;
        self.at = at;
        match line {
            Line::Plain => {}
            Line::Blank => self.block_start = true,
            Line::Fence(end) | Line::Heading(end) => {
                self.at = at + end;
                self.block_start = true;
            }
            Line::Item(end) => {
                let mark = self.text.as_bytes()[at];
                self.block_start = true;
                self.block_quote |= mark == b'>';
                sentence.block_quote |= mark == b'>';
                sentence.numbered = mark.is_ascii_digit();
                self.at = at + end;
                // A quotation may hold a list.
                self.line_start = mark == b'>';
            }
        }
        Opened::Open
    }

    /// Passes over the line at `at`, where it says nothing.
    fn pass(&mut self, line: &Line, at: usize) -> bool {
        #[cfg(test)]
        if super::quiet::READS_ALL.get() {
            return false;
        }
        let (from, opens) = match line {
            Line::Plain => (at, self.block_start),
            Line::Item(end) if self.text.as_bytes()[at] != b'>' => (at + end, true),
            Line::Item(_) | Line::Blank | Line::Fence(_) | Line::Heading(_) => return false,
        };
        let searched = (self.unquoted, self.uncurled);
        let Some(end) = self.quiet_line(from, opens) else {
            // What was searched from a later mark says nothing of the earlier ones, which are now read again.
            (self.unquoted, self.uncurled) = searched;
            return false;
        };
        self.at = end;
        self.line_start = true;
        self.passed |= opens;
        self.block_start = false;
        true
    }

    /// Reads one token; says whether it ended the sentence.
    fn step(&mut self, sentence: &mut Sentence<'a>) -> bool {
        match self.text.as_bytes().get(self.at) {
            // Behind the mark of a quotation every piece may begin a list.
            Some(byte) if self.line_start && CLASSES[usize::from(*byte)] == Class::Gap => {
                self.at += 1;
                return false;
            }
            Some(byte) if self.line_start && byte.is_ascii_alphanumeric() => {
                return self.push_word(sentence);
            }
            Some(_) | None => {}
        }
        if !self.line_start {
            let is_full = self.plain_tokens(sentence);
            if is_full || self.line_start {
                return is_full;
            }
        }
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return false;
        };
        let width = first.len_utf8();
        match first {
            '\n' => {
                self.at += 1;
                self.line_start = true;
                return false;
            }
            '.' | '!' | '?' | '。' | '？' | '！' if self.ends_sentence(first, sentence) => {
                self.at += width;
                sentence.question = matches!(first, '?' | '？');
                return !sentence.tokens.is_empty();
            }
            _ => {}
        }
        if first.is_whitespace() {
            self.at += width;
            return false;
        }
        if first == '<' {
            if rest.starts_with("<!--") {
                self.at += rest.find("-->").map_or(rest.len(), |end| end + 3);
                return false;
            }
            if let Some(length) = tag(rest, sentence.tokens.is_empty()) {
                self.at += length;
                return !sentence.tokens.is_empty();
            }
        }
        let (kind, length) = self.token(first);
        match kind {
            Some(kind) => {
                sentence.quoted |= kind == Kind::Quote;
                self.push(sentence, kind, length)
            }
            None => {
                self.at += length;
                false
            }
        }
    }

    /// Reads the words, marks and gaps that stand next, as long as they are plain, as nearly all text is, and the end of
    /// the line; says whether the sentence is too long to go on.
    fn plain_tokens(&mut self, sentence: &mut Sentence<'a>) -> bool {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            let class = CLASSES[usize::from(*byte)];
            let is_full = if class == Class::Plain {
                self.push_word(sentence)
            } else if class == Class::Gap {
                self.at += 1;
                continue;
            } else if let Some(kind) = plain_mark(*byte) {
                self.push(sentence, kind, 1)
            } else {
                self.line_start = *byte == b'\n';
                self.at += usize::from(self.line_start);
                return false;
            };
            // Nearly always one space follows.
            self.at += usize::from(bytes.get(self.at) == Some(&b' '));
            if is_full {
                return true;
            }
        }
        false
    }

    /// Adds the word that begins with the letter or digit here; says whether that makes the sentence too long to go on.
    #[inline(always)]
    fn push_word(&mut self, sentence: &mut Sentence<'a>) -> bool {
        let bytes = &self.text.as_bytes()[self.at..];
        let (plain, key) = plain_start(bytes);
        let length = if ends_plain(bytes, plain) {
            plain
        } else {
            word(self.rest())
        };
        if is_verb(key) && length == plain {
            sentence.verbs.push(sentence.tokens.len());
        }
        self.push(sentence, Kind::Word, length)
    }

    /// Adds a token to the sentence; says whether that makes it too long to go on.
    #[inline(always)]
    fn push(&mut self, sentence: &mut Sentence<'a>, kind: Kind, length: usize) -> bool {
        if self.block_start {
            self.block_start = false;
            sentence.opens = true;
        }
        let (start, end) = (self.at, self.at + length);
        sentence.tokens.push(Token { kind, start, end });
        self.at = end;
        sentence.tokens.len() >= LONGEST_SENTENCE
    }

    fn token(&mut self, first: char) -> (Option<Kind>, usize) {
        let rest = self.rest();
        let enclosed = match first {
            '`' => code(rest).map(|length| (Kind::Code, length)),
            '"' | '“' | '\'' => self.quote(self.at, first).map(|length| (Kind::Quote, length)),
            '[' => bracket(rest),
            _ => None,
        };
        if let Some((kind, length)) = enclosed {
            return (Some(kind), length);
        }
        if let Some((kind, length)) = mark(rest, first) {
            return (Some(kind), length);
        }
        let length = word(rest);
        if length == 0 {
            return (None, first.len_utf8());
        }
        let hole = first == '{' && braces(rest) == Some(length);
        (Some(if hole { Kind::Hole } else { Kind::Word }), length)
    }

    /// Measures the quote that opens at `at`, if it closes.
    pub(super) fn quote(&mut self, at: usize, open: char) -> Option<usize> {
        let text = self.text;
        if open == '\'' {
            return opens_quote(text, at, open).then(|| quote(text, at, open, LONGEST_APOSTROPHE))?;
        }
        let searched = if open == '“' {
            &mut self.uncurled
        } else {
            &mut self.unquoted
        };
        if at < *searched || !opens_quote(text, at, open) {
            return None;
        }
        let length = quote(text, at, open, LONGEST_QUOTE);
        if length.is_none() {
            *searched = at + LONGEST_QUOTE;
        }
        length
    }

    /// Says whether a mark ends the sentence: something else follows, and it is not an abbreviation.
    fn ends_sentence(&self, mark: char, sentence: &Sentence) -> bool {
        const SHORT: &[&str] = &["e.g", "i.e", "etc", "vs", "cf", "approx"];
        let after = self.rest().get(mark.len_utf8()..).unwrap_or_default();
        let open = match after.as_bytes().first() {
            None | Some(b' ' | b'\t'..=b'\r') => true,
            Some(b'*' | b'_' | b')' | b']' | b'"' | b'\'' | b'`' | b'.' | b'!' | b'?' | b'<') => true,
            Some(next) if next.is_ascii() => false,
            Some(_) => after.starts_with(|next: char| next.is_whitespace() || next == '”'),
        };
        let is_short = |token: &Token| {
            let word = sentence.slice(*token);
            token.end == self.at && SHORT.iter().any(|short| word.eq_ignore_ascii_case(short))
        };
        (open || !mark.is_ascii()) && !sentence.tokens.last().is_some_and(is_short)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }
}

/// What a byte at the start of a token makes of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// It only stands between words.
    Gap,
    /// A word begins.
    Plain,
    /// Anything else.
    Other,
}

static CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut at = 0;
    while at < 256 {
        classes[at] = match at as u8 {
            b' ' | b'\t' | b'\r' | b'*' | b'~' => Class::Gap,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => Class::Plain,
            _ => Class::Other,
        };
        at += 1;
    }
    classes
};

/// Says whether a new line goes on with the sentence: prose is wrapped, but `Set a = 1` and `Set b = 2` are two.
fn continues(sentence: &Sentence, text: &str, at: usize) -> bool {
    let Some(last) = sentence.tokens.last() else {
        return true;
    };
    if last.kind == Kind::Comma {
        return true;
    }
    if last.kind == Kind::Colon {
        return false;
    }
    goes_on(text, at)
}
