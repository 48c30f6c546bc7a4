//! The layout of engine-style XML: two spaces a level. Only white space at the ends of lines changes.

/// Lays out XML anew; text keeps its place relative to the tag it stands in. Laying out twice changes nothing more.
pub fn tidy(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len());
    let mut state = State::default();
    for line in text.lines() {
        state.line(line, &mut tidied);
    }
    while tidied.ends_with("\n\n") {
        tidied.pop();
    }
    tidied
}

#[derive(Default)]
struct State {
    depth: usize,
    within: Within,
    /// By how much the line that opened the surrounding tag was moved.
    moved: Vec<isize>,
    last_move: isize,
    /// The quote that an attribute value was opened with and not closed yet.
    quote: Option<u8>,
}

/// What a line break stands inside of.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Within {
    #[default]
    Content,
    Comment,
    CharacterData,
    OpenTag,
}

impl State {
    fn line(&mut self, line: &str, tidied: &mut String) {
        let bare = line.trim();
        if self.quote.is_some() || self.within == Within::CharacterData {
            tidied.push_str(line);
            tidied.push('\n');
            self.read(line);
            return;
        }
        if bare.is_empty() {
            tidied.push('\n');
            return;
        }
        let old = line.len() - line.trim_start().len();
        let starts_tag = self.within == Within::Content && bare.starts_with('<') && !bare.starts_with("<![CDATA[");
        let new = if starts_tag {
            2 * self.depth.saturating_sub(leading_closes(bare))
        } else {
            let shift = self.surrounding_move();
            (old as isize + shift).max(0) as usize
        };
        if starts_tag {
            self.last_move = new as isize - old as isize;
        }
        let kept = if starts_tag { bare } else { line.trim_start().trim_end_matches('\r') };
        tidied.push_str(&" ".repeat(new));
        tidied.push_str(kept);
        tidied.push('\n');
        self.read(bare);
    }

    fn surrounding_move(&self) -> isize {
        match self.within {
            Within::OpenTag | Within::Comment => self.last_move,
            Within::Content | Within::CharacterData => self.moved.last().copied().unwrap_or(0),
        }
    }

    /// Follows the tags of a line.
    fn read(&mut self, mut rest: &str) {
        while !rest.is_empty() {
            rest = match self.within {
                Within::Comment => self.until(rest, "-->"),
                Within::CharacterData => self.until(rest, "]]>"),
                Within::OpenTag => self.open_tag(rest),
                Within::Content => self.content(rest),
            };
        }
    }

    fn until<'a>(&mut self, rest: &'a str, end: &str) -> &'a str {
        match rest.find(end) {
            Some(at) => {
                self.within = Within::Content;
                &rest[at + end.len()..]
            }
            None => "",
        }
    }

    fn content<'a>(&mut self, rest: &'a str) -> &'a str {
        let Some(at) = rest.find('<') else {
            return "";
        };
        let tag = &rest[at..];
        if let Some(after) = tag.strip_prefix("<!--") {
            self.within = Within::Comment;
            return after;
        }
        if let Some(after) = tag.strip_prefix("<![CDATA[") {
            self.within = Within::CharacterData;
            return after;
        }
        if tag.starts_with("</") {
            self.depth = self.depth.saturating_sub(1);
            self.moved.pop();
            return tag.find('>').map_or("", |end| &tag[end + 1..]);
        }
        if tag.starts_with("<?") || tag.starts_with("<!") {
            return tag.find('>').map_or("", |end| &tag[end + 1..]);
        }
        self.within = Within::OpenTag;
        &tag[1..]
    }

    /// Reads on to the end of an open tag, past the quotes in it.
    fn open_tag<'a>(&mut self, rest: &'a str) -> &'a str {
        for (at, byte) in rest.bytes().enumerate() {
            match (self.quote, byte) {
                (Some(open), byte) if byte == open => self.quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => self.quote = Some(byte),
                (None, b'>') => {
                    self.within = Within::Content;
                    if !rest[..at].ends_with('/') {
                        self.depth += 1;
                        self.moved.push(self.last_move);
                    }
                    return &rest[at + 1..];
                }
                (None, _) => {}
            }
        }
        ""
    }
}

/// Counts the close tags a line begins with.
fn leading_closes(line: &str) -> usize {
    let mut rest = line;
    let mut count = 0;
    while rest.starts_with("</") {
        count += 1;
        rest = rest.find('>').map_or("", |end| rest[end + 1..].trim_start());
    }
    count
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn tags_move_to_their_depth_and_text_moves_with_them() {
        let text = "<workflow>\n<step n=\"1\">\n    <output>\n      - one\n        - two\n    </output>\n</step>\n</workflow>\n";
        let expected = "<workflow>\n  <step n=\"1\">\n    <output>\n      - one\n        - two\n    </output>\n  </step>\n</workflow>\n";
        assert_eq!(tidy(text), expected);
        assert_eq!(tidy(expected), expected);
    }

    #[test]
    fn what_stands_in_quotes_or_character_data_stays() {
        let text = "<task>\n<check if=\"a\n  > b\">\n<![CDATA[\n x\n]]>\n</check>\n</task>\n";
        let expected = "<task>\n  <check if=\"a\n  > b\">\n  <![CDATA[\n x\n]]>\n  </check>\n</task>\n";
        assert_eq!(tidy(text), expected);
        assert_eq!(tidy(expected), expected);
    }

    #[test]
    fn laying_out_twice_changes_nothing_more() {
        let text = "<task>\n      <!-- a\n  b -->\n   <check\n if=\"a > b\">x\n   y</check></task>\n\n\n";
        let once = tidy(text);
        assert_eq!(tidy(&once), once);
    }
}
