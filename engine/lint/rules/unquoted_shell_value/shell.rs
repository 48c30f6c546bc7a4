//! A script in, the holes in it that no quotes hold out.

use crate::syntax::Hole;

/// What the shell is inside of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// A command; `$(…)`, `(…)` and backticks begin one anew.
    Command,
    /// Single quotes.
    Single,
    /// Double quotes.
    Double,
    /// Backticks.
    Backtick,
    /// `$((…))`.
    Sum,
}

/// Keeps the holes that stand outside quotes, comments, sums and here-documents.
pub(super) fn bare<'a, 't>(text: &str, start: u32, found: &'a [Hole<'t>]) -> Vec<&'a Hole<'t>> {
    let mut shell = Shell {
        text,
        at: 0,
        modes: vec![Mode::Command],
        document: None,
    };
    let mut kept = Vec::new();
    for hole in found {
        let at = (hole.span.start - start) as usize;
        shell.run_to(at);
        if shell.at > at {
            continue;
        }
        let before = at.checked_sub(1).and_then(|at| text.as_bytes().get(at));
        let escaped = text.get(..at).is_some_and(|before| before.ends_with("\\\""));
        let marked = escaped || before.is_some_and(|byte| b"@%#^$\\".contains(byte));
        if !marked && matches!(shell.mode(), Mode::Command | Mode::Backtick) {
            kept.push(hole);
        }
        shell.at = at + hole.span.len();
    }
    kept
}

/// A shell that reads a script up to a place.
struct Shell<'a> {
    text: &'a str,
    at: usize,
    modes: Vec<Mode>,
    /// The mark that ends the here-document which begins on the next line.
    document: Option<&'a str>,
}

impl<'a> Shell<'a> {
    fn mode(&self) -> Mode {
        self.modes.last().copied().unwrap_or(Mode::Command)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Reads up to `end`, or past it where it lies in a comment or a here-document.
    fn run_to(&mut self, end: usize) {
        let bytes = self.text.as_bytes();
        while self.at < end {
            let Some(byte) = bytes.get(self.at).copied() else {
                return;
            };
            let previous = self
                .at
                .checked_sub(1)
                .and_then(|at| bytes.get(at))
                .copied()
                .unwrap_or(b'\n');
            self.at += 1;
            if byte == b'\n' && self.document.is_some() {
                self.skip_document();
                continue;
            }
            match self.mode() {
                Mode::Single if byte == b'\'' => self.close(),
                Mode::Single => {}
                Mode::Double => self.quoted(byte),
                Mode::Sum if byte == b')' && previous == b')' => self.close(),
                Mode::Sum => {}
                Mode::Command | Mode::Backtick => self.command(byte, previous),
            }
        }
    }

    fn quoted(&mut self, byte: u8) {
        match byte {
            b'\\' => self.at += 1,
            b'"' => self.close(),
            b'$' => self.dollar(),
            b'`' => self.modes.push(Mode::Backtick),
            _ => {}
        }
    }

    fn command(&mut self, byte: u8, previous: u8) {
        match byte {
            b'\\' => self.at += 1,
            b'\'' => self.modes.push(Mode::Single),
            b'"' => self.modes.push(Mode::Double),
            b'$' => self.dollar(),
            b'(' => self.modes.push(Mode::Command),
            b')' if self.mode() == Mode::Command => self.close(),
            b'`' if self.mode() == Mode::Backtick => self.close(),
            b'`' => self.modes.push(Mode::Backtick),
            b'#' if previous.is_ascii_whitespace() || previous == b';' => {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            }
            b'<' if self.rest().starts_with("<<") => self.at += 2,
            b'<' if self.rest().starts_with('<') => self.announce(),
            _ => {}
        }
    }

    fn dollar(&mut self) {
        if self.rest().starts_with("((") {
            self.at += 2;
            self.modes.push(Mode::Sum);
        } else if self.rest().starts_with('(') {
            self.at += 1;
            self.modes.push(Mode::Command);
        }
    }

    /// Leaves the innermost mode; the outermost stays.
    fn close(&mut self) {
        if self.modes.len() > 1 {
            self.modes.pop();
        }
    }

    /// Reads the mark after `<<`.
    fn announce(&mut self) {
        self.at += 1;
        let rest = self
            .rest()
            .trim_start_matches('-')
            .trim_start_matches([' ', '\t', '\'', '"', '\\']);
        let length = rest
            .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
            .unwrap_or(rest.len());
        self.document = rest.get(..length).filter(|mark| !mark.is_empty());
        self.at = self.text.len() - rest.len() + length;
        if self.rest().starts_with(['\'', '"']) {
            self.at += 1;
        }
    }

    /// Goes on after the here-document, or to the end where it has none.
    fn skip_document(&mut self) {
        let Some(mark) = self.document.take() else {
            return;
        };
        for line in self.rest().split_inclusive('\n') {
            self.at += line.len();
            if line.trim_matches(|letter: char| letter == '>' || letter.is_whitespace()) == mark {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::bare;
    use crate::source::{SourceId, Span};
    use crate::syntax::holes;

    fn names(script: &str) -> Vec<String> {
        let found = holes(script, Span::new(SourceId(0), 0, script.len()));
        bare(script, 0, &found)
            .into_iter()
            .map(|hole| hole.name.to_owned())
            .collect()
    }

    #[test]
    fn quotes_comments_and_sums_keep_a_value_together() {
        assert_eq!(names("cp \"{a}\" '{b}' {c} # {d}\necho $(({e} + 1)) {f}"), ["c", "f"]);
    }

    #[test]
    fn a_command_inside_quotes_begins_anew() {
        assert_eq!(names("x=\"$(run \"{a}\" {b})\" && echo \"{c}\" {d}"), ["b", "d"]);
        assert_eq!(names("x=\"`run {a}`\" y=\"{b}\""), ["a"]);
    }

    #[test]
    fn quotes_reach_over_lines() {
        assert_eq!(names("sh -c '\n  echo {a}\n' {b}"), ["b"]);
        assert_eq!(names("sh -c 'run \"'\"{a}\"'\" x' {b}"), ["b"]);
    }

    #[test]
    fn the_text_of_a_here_document_is_no_command() {
        assert_eq!(names("cat > x <<'EOF'\n{a} it's\nEOF\nrm {b}"), ["b"]);
        assert_eq!(names("cat <<-END | grep {a}\n{b}\n\tEND\nrm {c}"), ["a", "c"]);
        assert_eq!(names("grep x <<< {a}\nrm {b}"), ["a", "b"]);
        assert_eq!(names("cat <<EOF\n{a}"), [""; 0]);
    }

    #[test]
    fn braces_that_belong_to_another_tool_are_no_values() {
        assert_eq!(
            names("git log HEAD@{upstream} --format=%{refname} x^{tree} ${HOME} \\\"{b}\\\" {a}"),
            ["a"]
        );
    }

    #[test]
    fn anything_can_be_read_as_a_script() {
        for script in [
            "'",
            "\"",
            "$(",
            "`",
            "<<",
            "<<'",
            "<<-\n{a}",
            "))){a}",
            "\\",
            "é<<é\n{a}",
            "#",
            "$((",
        ] {
            names(script);
        }
    }
}
