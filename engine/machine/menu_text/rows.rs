//! Text in, its last lines out, each with whether it stands in code, a quotation, a table or a checklist.

/// How many lines from the end a menu has to reach into.
const WINDOW: usize = 20;
/// How many lines from the end it may begin.
const REACH: usize = 100;

/// The last lines of a text.
pub(super) struct Rows<'a> {
    pub(super) rows: Vec<Row<'a>>,
    /// The first row of the last lines that count; what is above only completes a menu.
    pub(super) window: usize,
    /// How many lines stand above the first row.
    above: usize,
}

/// One line.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) text: &'a str,
    /// Whether what it says is not said to the person: code, a quotation, a table, a checklist, a footnote.
    pub(super) guarded: bool,
}

impl<'a> Rows<'a> {
    /// Reads the last lines. A fence that was opened long before still counts.
    pub(super) fn read(text: &'a str) -> Self {
        let text = text.trim_end_matches(|at: char| at.is_whitespace() || at == '"' || at == '”');
        let from = memchr::memrchr_iter(b'\n', text.as_bytes())
            .nth(REACH - 1)
            .map_or(0, |at| at + 1);
        let mut fence = None;
        for line in text[..from].lines() {
            step(&mut fence, line);
        }
        let read = |line: &'a str| {
            let inside = fence.is_some();
            step(&mut fence, line);
            Row {
                text: line.trim_end(),
                guarded: inside || fence.is_some() || is_aside(line),
            }
        };
        let rows: Vec<Row<'a>> = text[from..].lines().map(read).collect();
        let window = rows.len().saturating_sub(WINDOW);
        let above = text[..from].lines().count();
        Self { rows, window, above }
    }

    /// Returns which line of the text a row is, from 0.
    pub(super) fn line(&self, row: usize) -> usize {
        self.above + row
    }
}

impl Row<'_> {
    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Says whether the line only separates.
    pub(super) fn is_rule(&self) -> bool {
        let text = self.text.trim();
        text.chars().count() > 2 && text.chars().all(|at| "-=*_─━═".contains(at))
    }

    pub(super) fn is_heading(&self) -> bool {
        self.text.trim_start().starts_with('#')
    }
}

/// An open fence: its mark and how long it is.
type Fence = Option<(char, usize)>;

fn step(fence: &mut Fence, line: &str) {
    let text = line.trim_start();
    let Some(mark) = text.chars().next().filter(|mark| matches!(mark, '`' | '~')) else {
        return;
    };
    let length = text.len() - text.trim_start_matches(mark).len();
    let rest = &text[length..];
    match *fence {
        Some((open, least)) if open == mark && length >= least && rest.trim().is_empty() => *fence = None,
        None if length >= 3 && !(mark == '`' && rest.contains('`')) => *fence = Some((mark, length)),
        Some(_) | None => {}
    }
}

fn is_aside(line: &str) -> bool {
    let text = line.trim_start();
    let quoted = text.starts_with('>');
    let table = text.starts_with('|') && text.trim_end().ends_with('|');
    let unmarked = text
        .trim_start_matches(|at: char| at.is_ascii_digit())
        .trim_start_matches(['-', '*', '+', '.', ')'])
        .trim_start();
    let boxed = ["[ ]", "[x]", "[X]", "[-]", "[~]"]
        .iter()
        .any(|mark| unmarked.starts_with(mark));
    let ticked = boxed && unmarked.len() < text.len() || text.starts_with("[ ]");
    let footnote = text.starts_with("[^") || is_definition(text);
    quoted || table || ticked || footnote
}

/// Reads `[1]: https://…`.
fn is_definition(text: &str) -> bool {
    let inside = text.strip_prefix('[').and_then(|rest| rest.split_once("]:"));
    inside.is_some_and(|(name, _)| !name.contains(']'))
}
