//! Prose in, sentences of tokens out. Code blocks, headings and comments say nothing; quotes and code are one token.

use super::sentence::{Kind, Sentence, Token};

/// The most tokens a sentence has: longer ones are cut, so that looking around in one stays cheap.
const LONGEST_SENTENCE: usize = 256;
/// How far a quote may reach, in bytes.
const LONGEST_QUOTE: usize = 3000;
/// How far code or a hole may reach, in bytes.
const LONGEST_CODE: usize = 400;

/// Reads prose sentence by sentence.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line_start: bool,
}

/// How a line begins.
enum Line {
    /// Nothing on it.
    Blank,
    /// A code block, with the end of its last line.
    Fence(usize),
    /// A heading, with the end of its line.
    Heading(usize),
    /// The start of a list item, a table row or a quotation: its mark ends here.
    Item(usize),
    /// More prose.
    Plain,
}

impl<'a> Lexer<'a> {
    /// Starts at the beginning of `text`.
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            line_start: true,
        }
    }

    /// Fills `sentence` with the next sentence; says whether there was one.
    pub(super) fn next(&mut self, sentence: &mut Sentence<'a>) -> bool {
        sentence.clear();
        while self.at < self.text.len() {
            if self.line_start && !self.open_line(sentence) {
                return true;
            }
            if self.at < self.text.len() && self.step(sentence) {
                return true;
            }
        }
        !sentence.tokens.is_empty()
    }

    /// Reads what stands at the start of a line; says whether the sentence goes on.
    fn open_line(&mut self, sentence: &mut Sentence<'a>) -> bool {
        let indent = self.rest().len() - self.rest().trim_start_matches([' ', '\t', '\r']).len();
        let at = self.at + indent;
        let line = line(self.text.get(at..).unwrap_or_default());
        let plain = matches!(line, Line::Plain);
        if !sentence.tokens.is_empty() && !(plain && continues(sentence, self.text, at)) {
            return false;
        }
        self.line_start = false;
        self.at = at;
        match line {
            Line::Blank | Line::Plain => {}
            Line::Fence(end) | Line::Heading(end) => self.at = at + end,
            Line::Item(end) => {
                let mark = self.text.get(at..at + end).unwrap_or_default();
                sentence.block_quote |= mark.starts_with('>');
                sentence.numbered = mark.starts_with(|first: char| first.is_ascii_digit());
                self.at = at + end;
                // A quotation may hold a list.
                self.line_start = mark.starts_with('>');
            }
        }
        true
    }

    /// Reads one token; says whether it ended the sentence.
    fn step(&mut self, sentence: &mut Sentence<'a>) -> bool {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return true;
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
        if first.is_whitespace() || matches!(first, '*' | '~') {
            self.at += width;
            return false;
        }
        if rest.starts_with("<!--") {
            self.at += rest.find("-->").map_or(rest.len(), |end| end + 3);
            return false;
        }
        if let Some(length) = tag(rest, sentence.tokens.is_empty()) {
            self.at += length;
            return !sentence.tokens.is_empty();
        }
        let (kind, length) = self.token(first);
        if let Some(kind) = kind {
            sentence.tokens.push(Token {
                kind,
                start: self.at,
                end: self.at + length,
            });
        }
        self.at += length;
        sentence.tokens.len() >= LONGEST_SENTENCE
    }

    fn token(&self, first: char) -> (Option<Kind>, usize) {
        let rest = self.rest();
        let enclosed = match first {
            '`' => code(rest).map(|length| (Kind::Code, length)),
            '"' | '“' | '\'' => {
                quote(self.text, self.at, first).map(|length| (Kind::Quote, length))
            }
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

    /// Says whether a mark ends the sentence: something else follows, and it is not an abbreviation.
    fn ends_sentence(&self, mark: char, sentence: &Sentence) -> bool {
        const SHORT: &[&str] = &["e.g", "i.e", "etc", "vs", "cf", "approx"];
        let after = self.rest().get(mark.len_utf8()..).unwrap_or_default();
        let open = after
            .chars()
            .next()
            .is_none_or(|next| next.is_whitespace() || "*_)]\"'”`.!?<".contains(next));
        let short = sentence.tokens.last().is_some_and(|token| {
            token.end == self.at
                && SHORT
                    .iter()
                    .any(|short| sentence.slice(*token).eq_ignore_ascii_case(short))
        });
        (open || !mark.is_ascii()) && !short
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }
}

/// Measures a tag; `<name>` amid a sentence is a word to fill in, not a tag.
fn tag(rest: &str, first: bool) -> Option<usize> {
    let window = rest.as_bytes().get(..rest.len().min(LONGEST_CODE))?;
    let name = window.strip_prefix(b"<")?;
    let end = memchr::memchr2(b'>', b'\n', window)?;
    let closes = name.starts_with(b"/");
    let opens = name.first().is_some_and(u8::is_ascii_lowercase)
        && (first || memchr::memmem::find(window.get(..end)?, b"=\"").is_some());
    ((closes || opens) && window.get(end) == Some(&b'>')).then_some(end + 1)
}

/// Says how the line at the start of `rest` begins.
fn line(rest: &str) -> Line {
    let bytes = rest.as_bytes();
    let line_end = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len());
    let spaced = |at: usize| matches!(bytes.get(at), Some(b' ' | b'\t'));
    match bytes.first() {
        None | Some(b'\n') => Line::Blank,
        Some(b'`') if rest.starts_with("```") => Line::Fence(fence(rest, "```")),
        Some(b'~') if rest.starts_with("~~~") => Line::Fence(fence(rest, "~~~")),
        Some(b'#') => {
            let level = bytes.iter().take_while(|byte| **byte == b'#').count();
            if spaced(level) {
                Line::Heading(line_end)
            } else {
                Line::Plain
            }
        }
        Some(b'-' | b'*' | b'+') if spaced(1) => Line::Item(2),
        Some(b'>') => Line::Item(1),
        Some(b'|') => Line::Item(1),
        Some(b'0'..=b'9') => {
            let digits = bytes
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            let marked = matches!(bytes.get(digits), Some(b'.' | b')')) && spaced(digits + 1);
            if marked {
                Line::Item(digits + 1)
            } else {
                Line::Plain
            }
        }
        Some(b'a'..=b'z') if bytes.get(1) == Some(&b')') && spaced(2) => Line::Item(2),
        Some(_) if rest.starts_with('•') => Line::Item('•'.len_utf8()),
        Some(_) => Line::Plain,
    }
}

/// Measures a code block: to the end of the line that closes it, or to the end of the text.
fn fence(rest: &str, mark: &str) -> usize {
    let mut at = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |end| end + 1);
    while let Some(line) = rest.get(at..).filter(|tail| !tail.is_empty()) {
        let end = memchr::memchr(b'\n', line.as_bytes()).unwrap_or(line.len());
        let closes = line
            .get(..end)
            .is_some_and(|line| line.trim_start().starts_with(mark));
        at += end;
        if closes {
            return at;
        }
        at = (at + 1).min(rest.len());
    }
    rest.len()
}

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
    let mut line = text.get(at..).unwrap_or_default().chars();
    match (line.next(), line.next()) {
        (Some(first), second) if first.is_uppercase() => second.is_some_and(char::is_uppercase),
        (Some(first), _) => {
            first.is_alphabetic()
                || matches!(first, '(' | '`' | '"' | '\'' | '{' | '.')
                || first.is_ascii_digit()
        }
        (None, _) => false,
    }
}

fn mark(rest: &str, first: char) -> Option<(Kind, usize)> {
    let kind = match first {
        ',' | '，' | '、' => Kind::Comma,
        ';' | '；' => Kind::Semicolon,
        ':' | '：' => Kind::Colon,
        '(' | '（' => Kind::Open,
        ')' | '）' => Kind::Close,
        '→' | '⇒' | '➡' => Kind::Arrow,
        '—' | '–' => Kind::Dash,
        '|' => Kind::Semicolon,
        '=' if rest.starts_with("=>") => return Some((Kind::Arrow, 2)),
        '=' if rest.starts_with("==") => return Some((Kind::Other, 2)),
        '=' => Kind::Equals,
        '!' if rest.starts_with("!=") => return Some((Kind::Other, 2)),
        '-' if rest.starts_with("->") => return Some((Kind::Arrow, 2)),
        '-' if !rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit) => {
            let length = rest.bytes().take_while(|byte| *byte == b'-').count();
            return Some((Kind::Dash, length));
        }
        '<' | '>' | '+' => Kind::Other,
        _ => return None,
    };
    Some((kind, first.len_utf8()))
}

/// Measures code between backticks, inside one paragraph.
fn code(rest: &str) -> Option<usize> {
    let ticks = rest.bytes().take_while(|byte| *byte == b'`').count();
    let inside = rest.get(ticks..)?;
    let window = inside.as_bytes().get(..inside.len().min(LONGEST_CODE))?;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'`', window.get(at..)?) {
        let run = window
            .get(at + found..)?
            .iter()
            .take_while(|byte| **byte == b'`')
            .count();
        if run == ticks {
            return Some(ticks + at + found + ticks);
        }
        at += found + run;
    }
    None
}

/// Measures a quote: it opens after a gap and closes before one, so that an inch or an apostrophe is none.
fn quote(text: &str, at: usize, open: char) -> Option<usize> {
    let before = text.get(..at)?.chars().next_back();
    if before.is_some_and(|before| before.is_alphanumeric()) {
        return None;
    }
    let (close, longest) = match open {
        '“' => ('”', LONGEST_QUOTE),
        '\'' => ('\'', LONGEST_CODE),
        _ => (open, LONGEST_QUOTE),
    };
    let start = at + open.len_utf8();
    let mut end = text.len().min(start + longest);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let inside = text.get(start..end)?;
    if inside.starts_with(char::is_whitespace) {
        return None;
    }
    let mut candidates = inside.match_indices(close);
    candidates
        .find(|(found, _)| {
            let after = inside
                .get(found + close.len_utf8()..)
                .and_then(|tail| tail.chars().next());
            !after.is_some_and(char::is_alphanumeric)
        })
        .filter(|(found, _)| {
            open != '\''
                || !inside
                    .get(..*found)
                    .is_some_and(|quoted| quoted.contains('\n'))
        })
        .map(|(found, _)| open.len_utf8() + found + close.len_utf8())
}

/// Measures `[[snapshot]]`, `[text](target)` and `[key]`.
fn bracket(rest: &str) -> Option<(Kind, usize)> {
    let window = rest.as_bytes().get(..rest.len().min(LONGEST_CODE))?;
    let line = window.get(..memchr::memchr(b'\n', window).unwrap_or(window.len()))?;
    if line.starts_with(b"[[") {
        let end = memchr::memmem::find(line, b"]]")?;
        return Some((Kind::Snapshot, end + 2));
    }
    let end = memchr::memchr(b']', line)?;
    if line.get(end + 1) == Some(&b'(') {
        let close = memchr::memchr(b')', line.get(end + 1..)?)?;
        return Some((Kind::Link, end + 1 + close + 1));
    }
    Some((Kind::Bracket, end + 1))
}

/// Measures a word, a path, a number or a name with holes in it.
fn word(rest: &str) -> usize {
    let mut at = 0;
    let mut before = None;
    while let Some(tail) = rest.get(at..) {
        let mut next = tail.chars();
        let Some(first) = next.next() else {
            break;
        };
        if first == '{' {
            let Some(length) = braces(tail) else {
                break;
            };
            at += length;
            before = Some('}');
            continue;
        }
        let after = next.next();
        let joins = |after: Option<char>| {
            after.is_some_and(|after| {
                after.is_alphanumeric() || matches!(after, '_' | '{' | '.' | '/' | '*')
            })
        };
        let part = match first {
            '_' => true,
            '-' => joins(after) && after != Some('.'),
            '.' => joins(after) && after != Some('*'),
            '/' => before.is_some() || joins(after),
            '\\' => after == Some('_'),
            '\'' | '’' => {
                before.is_some_and(char::is_alphabetic) && after.is_some_and(char::is_alphabetic)
            }
            other => other.is_alphanumeric(),
        };
        if !part {
            break;
        }
        before = Some(first);
        at += first.len_utf8();
    }
    at
}

/// Measures `{…}` or `{{…}}` on one line.
fn braces(text: &str) -> Option<usize> {
    let window = text.as_bytes().get(..text.len().min(LONGEST_CODE))?;
    let open = window.iter().take_while(|byte| **byte == b'{').count();
    let inside = window.get(open..)?;
    let end = memchr::memchr3(b'{', b'}', b'\n', inside)?;
    let close = inside.get(end..end + open)?;
    close
        .iter()
        .all(|byte| *byte == b'}')
        .then_some(open + end + open)
}
