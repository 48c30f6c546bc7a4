//! The layout of engine-style XML: two spaces a level. Only white space at the ends of lines changes, and none that
//! somebody is told.

mod told;

use super::MAX_DEPTH;
use super::tag::Tag;
use told::Told;

#[cfg(test)]
mod tests;

/// Lays out well-formed XML anew. Laying out twice changes nothing more.
///
/// A line that starts with a tag moves to its depth, and prose of one line moves with the tag it stands in. Prose of several
/// lines stays where it is, since agents are told it with its indents, and so does text that is handed on as it is
/// written, such as what an `<output>` shows; line ends and a byte order mark stay, too.
pub fn tidy(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len());
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut survey = State::default();
    for line in &lines {
        survey.read(line.trim_end_matches(['\r', '\n']));
    }
    let fixed = survey.told.fixed();
    let mut state = State::default();
    for (at, line) in lines.iter().enumerate() {
        state.is_fixed = fixed.contains(&at);
        state.goes_on = fixed.contains(&(at + 1));
        state.line(line, &mut tidied);
    }
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    if !tidied.is_empty() && !tidied.ends_with('\n') {
        tidied.push_str(end);
    }
    while let Some(rest) = tidied
        .strip_suffix('\n')
        .map(|rest| rest.strip_suffix('\r').unwrap_or(rest))
        && rest.ends_with('\n')
    {
        tidied.truncate(rest.len());
    }
    tidied
}

/// What XML calls white space; other blanks are text.
const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

#[derive(Default)]
struct State {
    depth: usize,
    within: Within,
    /// By how much the line that opened the surrounding tag was moved.
    moved: Vec<isize>,
    last_move: isize,
    /// The quote that an attribute value was opened with and not closed yet.
    quote: Option<char>,
    /// Whether the tag that is being read hands its text on as written.
    keeps_text: bool,
    /// The depth inside the element whose text stays as it is.
    kept: Option<usize>,
    /// The tag that is being read, where it is a known one.
    tag: Option<Tag>,
    /// The texts that were read.
    told: Told,
    /// Whether the line is part of a text that somebody is told, with the white space before it.
    is_fixed: bool,
    /// Whether the next line is.
    goes_on: bool,
}

/// What a line break stands inside of.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Within {
    #[default]
    Content,
    Comment,
    CharacterData,
    Instruction,
    OpenTag,
}

impl State {
    /// Writes a line, with its line end, where it belongs.
    fn line(&mut self, line: &str, tidied: &mut String) {
        let (body, end) = match line.strip_suffix('\n') {
            Some(body) => match body.strip_suffix('\r') {
                Some(body) => (body, "\r\n"),
                None => (body, "\n"),
            },
            None => (line, ""),
        };
        let bare = body.trim_matches(BLANKS);
        if self.is_fixed || self.stays(bare) {
            tidied.push_str(body);
            if self.is_fixed && self.within == Within::Content {
                self.last_move = 0;
            }
        } else if !bare.is_empty() {
            self.place(body, bare, tidied);
        }
        tidied.push_str(end);
        self.read(body);
    }

    /// Says whether a line is part of a value, and white space in it with it.
    fn stays(&self, bare: &str) -> bool {
        if self.quote.is_some() {
            return true;
        }
        match self.within {
            Within::CharacterData | Within::Instruction => true,
            Within::Content => self
                .kept
                .is_some_and(|kept| self.depth.saturating_sub(leading_closes(bare)) >= kept),
            Within::Comment | Within::OpenTag => self.kept.is_some(),
        }
    }

    fn place(&mut self, body: &str, bare: &str, tidied: &mut String) {
        let text = body.trim_start_matches(BLANKS);
        let old = body.len() - text.len();
        let starts_tag = self.within == Within::Content && bare.starts_with('<') && !bare.starts_with("<![CDATA[");
        if starts_tag {
            let depth = self.depth.saturating_sub(leading_closes(bare)).min(MAX_DEPTH);
            self.last_move = 2 * depth as isize - old as isize;
            tidied.push_str(&" ".repeat(2 * depth));
            // The blanks after a tag are text only where more text of the same element follows.
            let is_whole = bare.ends_with('>') && !self.goes_on;
            tidied.push_str(if is_whole { bare } else { text });
            return;
        }
        let shift = match self.within {
            Within::OpenTag | Within::Comment => self.last_move,
            Within::Content | Within::CharacterData | Within::Instruction => self.moved.last().copied().unwrap_or(0),
        };
        match usize::try_from(shift) {
            Ok(more) => {
                tidied.push_str(&" ".repeat(more));
                tidied.push_str(body);
            }
            Err(_) => tidied.push_str(&body[old.min(shift.unsigned_abs())..]),
        }
    }

    /// Follows the tags of a line.
    fn read(&mut self, mut rest: &str) {
        self.told.begins(rest, self.within == Within::Content);
        while !rest.is_empty() {
            rest = match self.within {
                Within::Comment => self.until(rest, "-->"),
                Within::CharacterData => self.until(rest, "]]>"),
                Within::Instruction => self.until(rest, "?>"),
                Within::OpenTag => self.open_tag(rest),
                Within::Content => self.content(rest),
            };
        }
        self.told.ends();
    }

    fn until<'a>(&mut self, rest: &'a str, end: &str) -> &'a str {
        match rest.split_once(end) {
            Some((_, after)) => {
                self.within = Within::Content;
                after
            }
            None => "",
        }
    }

    fn content<'a>(&mut self, rest: &'a str) -> &'a str {
        let (text, tag) = rest
            .split_once('<')
            .map_or((rest, None), |(text, tag)| (text, Some(tag)));
        if !text.trim_matches(BLANKS).is_empty() {
            self.told.text();
        }
        let Some(tag) = tag else {
            return "";
        };
        let others = [
            ("!--", Within::Comment),
            ("![CDATA[", Within::CharacterData),
            ("?", Within::Instruction),
        ];
        for (mark, within) in others {
            if let Some(after) = tag.strip_prefix(mark) {
                self.within = within;
                if within == Within::CharacterData {
                    self.told.text();
                }
                return after;
            }
        }
        if tag.starts_with('/') {
            self.depth = self.depth.saturating_sub(1);
            self.moved.pop();
            self.told.closes();
            self.kept = self.kept.filter(|kept| self.depth >= *kept);
            return tag.split_once('>').map_or("", |(_, after)| after);
        }
        if tag.starts_with('!') {
            return tag.split_once('>').map_or("", |(_, after)| after);
        }
        let name = tag
            .split(|end: char| BLANKS.contains(&end) || matches!(end, '/' | '>'))
            .next();
        self.tag = name.and_then(Tag::named);
        self.keeps_text = self.tag.is_some_and(keeps_text);
        self.told.tag(self.tag);
        self.within = Within::OpenTag;
        tag
    }

    /// Reads on to the end of an open tag, past the quotes in it.
    fn open_tag<'a>(&mut self, rest: &'a str) -> &'a str {
        for (at, character) in rest.char_indices() {
            match (self.quote, character) {
                (Some(open), close) if close == open => self.quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => self.quote = Some(character),
                (None, '>') => {
                    self.within = Within::Content;
                    if !rest[..at].ends_with('/') {
                        self.open();
                    }
                    return &rest[at + 1..];
                }
                (None, _) => {}
            }
        }
        ""
    }

    fn open(&mut self) {
        self.depth += 1;
        self.moved.push(self.last_move);
        self.told.opens(self.tag);
        if self.keeps_text && self.kept.is_none() {
            self.kept = Some(self.depth);
        }
    }
}

/// Says whether what a tag holds is handed on as it is written.
fn keeps_text(tag: Tag) -> bool {
    matches!(tag, Tag::Output | Tag::Set | Tag::Param | Tag::Example | Tag::Prompt)
}

/// Counts the close tags a line begins with.
fn leading_closes(line: &str) -> usize {
    let mut rest = line;
    let mut count = 0;
    while rest.starts_with("</") {
        count += 1;
        rest = rest
            .split_once('>')
            .map_or("", |(_, after)| after.trim_start_matches(BLANKS));
    }
    count
}
