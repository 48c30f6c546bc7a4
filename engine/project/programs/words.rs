//! A command line in, its simple commands and their words out, with quotes read as a shell reads them.

use std::iter::Peekable;
use std::str::Chars;

/// What stands in a word for a command inside it.
pub(super) const HELD: &str = "$()";
/// How many characters a sum in brackets may have.
const LONGEST_SUM: usize = 2000;
/// How many texts without an end are read as commands.
const MOST_ENDLESS: usize = 50;

/// One simple command.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Simple {
    /// Its words, without their quotes.
    pub(super) words: Vec<String>,
    /// The files that it reads from.
    pub(super) inputs: Vec<String>,
    /// Texts that it reads, which stand below it.
    pub(super) texts: Vec<String>,
    /// Commands inside its words.
    pub(super) inside: Vec<String>,
    /// Whether what it writes goes to the next command.
    pub(super) is_piped: bool,
}

/// Where the next word goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    Word,
    Input,
    Output,
}

/// Reads a command line.
pub(super) fn read(command: &str) -> Vec<Simple> {
    let mut reader = Reader {
        rest: command.chars().peekable(),
        word: None,
        goal: Goal::Word,
        now: Simple::default(),
        read: Vec::new(),
        below: Vec::new(),
        endless: 0,
    };
    while let Some(next) = reader.rest.next() {
        reader.take(next);
    }
    reader.end(false);
    reader.read
}

/// Returns the commands inside a text that a shell fills in before it is read.
fn inside(text: &str) -> Vec<String> {
    let quoted = format!("\"{}\"", text.replace('"', "\\\""));
    read(&quoted).into_iter().flat_map(|simple| simple.inside).collect()
}

struct Reader<'c> {
    rest: Peekable<Chars<'c>>,
    word: Option<String>,
    goal: Goal,
    now: Simple,
    read: Vec<Simple>,
    /// The texts that begin with the next line.
    below: Vec<Below>,
    /// How many texts had no end.
    endless: usize,
}

/// A text that stands below a command.
struct Below {
    /// The command that reads it, by position.
    reader: usize,
    /// The line that ends it.
    end: String,
    /// Whether tabs before its lines do not count.
    is_indented: bool,
    /// Whether commands inside it are run.
    is_open: bool,
}

impl Reader<'_> {
    fn take(&mut self, next: char) {
        match next {
            '#' if self.word.is_none() => while self.rest.next_if(|next| *next != '\n').is_some() {},
            '\n' => {
                self.end(false);
                self.take_texts();
            }
            '(' if self.is_sum() => {}
            ';' | '(' | ')' => self.end(false),
            ' ' | '\t' | '\r' => self.end_word(),
            '&' if self.rest.peek() == Some(&'>') => self.end_word(),
            '|' | '&' => {
                let is_doubled = self.rest.next_if_eq(&next).is_some();
                // `|&` hands messages on as well.
                self.rest.next_if(|more| next == '|' && *more == '&');
                self.end(next == '|' && !is_doubled);
            }
            '<' | '>' => self.redirect(next),
            '\'' => {
                let text = self.until('\'');
                self.add(&text);
            }
            '"' => self.double(),
            '`' | '$' if self.is_held(next) => {}
            '\\' => match self.rest.next() {
                Some('\n') | None => {}
                Some(next) => self.add(next.encode_utf8(&mut [0; 4])),
            },
            next => self.add(next.encode_utf8(&mut [0; 4])),
        }
    }

    fn add(&mut self, text: &str) {
        self.word.get_or_insert_default().push_str(text);
    }

    /// Keeps a command that stands inside a word; what it writes nobody knows.
    fn hold(&mut self, inside: String) {
        self.add(HELD);
        self.now.inside.push(inside);
    }

    /// Keeps the command that a mark begins inside a word; says whether it does.
    fn is_held(&mut self, mark: char) -> bool {
        let inside = match mark {
            '`' => self.until('`'),
            '$' if self.rest.next_if_eq(&'(').is_some() => self.balanced(),
            _ => return false,
        };
        self.hold(inside);
        true
    }

    /// Takes a sum in two brackets, in which `<<` is no text below; says whether there is one. To some shells it is a
    /// command.
    fn is_sum(&mut self) -> bool {
        let mut ahead = self.rest.clone();
        if ahead.next_if_eq(&'(').is_none() {
            return false;
        }
        let (mut depth, mut sum) = (1_usize, String::new());
        for next in ahead.by_ref().take(LONGEST_SUM) {
            match next {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            sum.push(next);
        }
        if depth > 0 || ahead.next_if_eq(&')').is_none() {
            return false;
        }
        self.rest = ahead;
        self.end(false);
        self.now.inside.push(sum.replace("<<", " "));
        self.end(false);
        true
    }

    fn until(&mut self, end: char) -> String {
        let mut text = String::new();
        while let Some(next) = self.rest.next().filter(|next| *next != end) {
            text.push(next);
        }
        text
    }

    fn double(&mut self) {
        self.add("");
        while let Some(next) = self.rest.next().filter(|next| *next != '"') {
            match next {
                '\\' => {
                    let escaped = self.rest.next().unwrap_or('\\');
                    self.add(escaped.encode_utf8(&mut [0; 4]));
                }
                '`' | '$' if self.is_held(next) => {}
                next => self.add(next.encode_utf8(&mut [0; 4])),
            }
        }
    }

    /// Returns what stands up to the bracket that closes; quotes hide brackets.
    fn balanced(&mut self) -> String {
        let (mut text, mut depth, mut quote) = (String::new(), 1, None);
        for next in self.rest.by_ref() {
            match (quote, next) {
                (None, '(') => depth += 1,
                (None, ')') => depth -= 1,
                (None, '\'' | '"') => quote = Some(next),
                (Some(open), next) if open == next => quote = None,
                (None | Some(_), _) => {}
            }
            if depth == 0 {
                break;
            }
            text.push(next);
        }
        text
    }

    fn redirect(&mut self, first: char) {
        // A number before it is no word: it says what is redirected.
        self.word.take_if(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        self.end_word();
        // A command in the place of a file.
        if self.rest.next_if_eq(&'(').is_some() {
            let inside = self.balanced();
            return self.hold(inside);
        }
        if first == '<' && self.rest.peek() == Some(&'<') {
            self.rest.next();
            if self.rest.next_if_eq(&'<').is_none() {
                return self.expect_text();
            }
        }
        let mut is_read = first == '<';
        while let Some(next) = self.rest.next_if(|next| "<>&|".contains(*next)) {
            is_read &= next == '<' || next == '>';
        }
        self.goal = if is_read { Goal::Input } else { Goal::Output };
    }

    /// Reads the word that ends a text which begins with the next line.
    fn expect_text(&mut self) {
        let is_indented = self.rest.next_if_eq(&'-').is_some();
        while self.rest.next_if(|next| matches!(next, ' ' | '\t')).is_some() {}
        let (mut end, mut is_open) = (String::new(), true);
        while let Some(next) = self
            .rest
            .next_if(|next| !next.is_whitespace() && !";|&<>()".contains(*next))
        {
            match next {
                '\'' | '"' => {
                    end.push_str(&self.until(next));
                    is_open = false;
                }
                '\\' => is_open = false,
                next => end.push(next),
            }
        }
        self.below.push(Below {
            reader: self.read.len(),
            end,
            is_indented,
            is_open,
        });
        // Also a command without words reads it.
        self.now.texts.push(String::new());
    }

    /// Takes the texts that begin here.
    fn take_texts(&mut self) {
        for Below {
            reader,
            end,
            is_indented,
            is_open,
        } in std::mem::take(&mut self.below)
        {
            let (mut text, mut is_ended) = (String::new(), false);
            let start = self.rest.clone();
            while self.rest.peek().is_some() {
                let line = self.until('\n');
                let seen = if is_indented {
                    line.trim_start_matches('\t')
                } else {
                    &line
                };
                if seen == end {
                    is_ended = true;
                    break;
                }
                text.push_str(seen);
                text.push('\n');
            }
            // What has no end may have been no text at all.
            if !is_ended && self.endless < MOST_ENDLESS {
                self.endless += 1;
                self.rest = start;
            }
            let Some(simple) = self.read.get_mut(reader) else {
                continue;
            };
            if is_open {
                simple.inside.extend(inside(&text));
            }
            simple.texts.push(text);
        }
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match self.goal {
            Goal::Word => self.now.words.push(word),
            Goal::Input => self.now.inputs.push(word),
            Goal::Output => {}
        }
        self.goal = Goal::Word;
    }

    fn end(&mut self, is_piped: bool) {
        self.end_word();
        self.goal = Goal::Word;
        let mut simple = std::mem::take(&mut self.now);
        simple.is_piped = is_piped;
        if simple != Simple::default() {
            self.read.push(simple);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    fn words(command: &str) -> Vec<Vec<String>> {
        read(command).into_iter().map(|simple| simple.words).collect()
    }

    #[test]
    fn quotes_hide_what_would_end_a_command() {
        assert_eq!(words("grep -qE '(5|6)' a.md"), [["grep", "-qE", "(5|6)", "a.md"]]);
        assert_eq!(words("a \"b; c\" d\\;e && f"), [vec!["a", "b; c", "d;e"], vec!["f"]]);
        assert_eq!(
            words("\"$PWD\"/x.sh {} 2>&1 >out | b &"),
            [vec!["$PWD/x.sh", "{}"], vec!["b"]]
        );
    }

    #[test]
    fn commands_inside_words_and_files_that_are_read_are_kept() {
        let read = read("a \"$(b 'c)' (d))\" `e` < f.sh 3<g");
        assert_eq!(read[0].inside, ["b 'c)' (d)", "e"]);
        assert_eq!(read[0].inputs, ["f.sh", "g"]);
        assert_eq!(read[0].words, ["a", "$()", "$()"]);
    }

    #[test]
    fn a_comment_ends_with_its_line() {
        assert_eq!(words("# don't\na b#c # \"d\ne"), [vec!["a", "b#c"], vec!["e"]]);
    }

    #[test]
    fn a_command_in_the_place_of_a_file_is_kept() {
        let read = read("a <(b c) < <(d)");
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].inside, ["b c", "d"]);
        assert_eq!(read[0].words, ["a", "$()"]);
        assert_eq!(read[0].inputs, ["$()"]);
    }
}
