//! One node or line of text in, the SVG that draws it out.

use crate::graph::NodeKind;
use std::fmt::Write as _;

/// How wide a line of a label may be, in columns.
const COLUMNS: usize = 26;
/// The width of a column and the height of a line, in pixels.
const COLUMN: f64 = 7.3;
const LINE: f64 = 17.0;
/// What a shape takes around its text. Not a whole number: the layout never puts two points on the same spot.
const MARGIN: (f64, f64) = (36.13, 20.37);
/// How far the slanted sides of a shape lean.
const LEAN: f64 = 10.0;

/// A node as it is drawn.
#[derive(Debug)]
pub(super) struct Cell {
    pub(super) kind: NodeKind,
    pub(super) lines: Vec<String>,
    pub(super) title: String,
}

/// A rectangle that a shape fills: its corner and its size.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Cell {
    /// Makes a cell of a node and of what it says.
    pub(super) fn new(kind: NodeKind, label: &str) -> Self {
        Self {
            kind,
            lines: wrapped(label),
            title: label.to_owned(),
        }
    }

    /// Returns the width and height the cell needs.
    pub(super) fn size(&self) -> (f64, f64) {
        let widest = self.lines.iter().map(|line| columns(line)).max().unwrap_or(0).max(4);
        let (side, above) = MARGIN;
        (
            widest as f64 * COLUMN + side,
            self.lines.len().max(1) as f64 * LINE + above,
        )
    }

    /// Draws the cell into a frame.
    pub(super) fn draw(&self, frame: Frame, svg: &mut String) {
        let (class, outline) = (class(self.kind), outline(self.kind, frame));
        writeln!(
            svg,
            "<g class=\"{class}\"><title>{}</title>{outline}",
            escaped(&self.title)
        )
        .unwrap_or_default();
        let middle = frame.x + frame.width / 2.0;
        let first = frame.y + frame.height / 2.0 - (self.lines.len() as f64 - 1.0) * LINE / 2.0;
        for (at, line) in self.lines.iter().enumerate() {
            text(middle, first + at as f64 * LINE, line, svg);
        }
        svg.push_str("</g>\n");
    }
}

/// Draws a line of text around a point.
pub(super) fn text(x: f64, y: f64, line: &str, svg: &mut String) {
    // Not every viewer knows other baselines than the one letters stand on.
    let y = y + 4.0;
    writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(line)).unwrap_or_default();
}

fn class(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Start | NodeKind::End => "terminal",
        NodeKind::Step => "step",
        NodeKind::Decide | NodeKind::Loop => "decide",
        NodeKind::Ask | NodeKind::Menu => "ask",
        NodeKind::Call | NodeKind::Dispatch | NodeKind::Run => "call",
        NodeKind::Save => "save",
        NodeKind::Halt | NodeKind::Exit => "halt",
        NodeKind::Turn
        | NodeKind::Show
        | NodeKind::Set
        | NodeKind::Parallel
        | NodeKind::Join
        | NodeKind::Anchor
        | NodeKind::Jump => "turn",
    }
}

/// Draws the outline of a kind of node. Every outline nearly fills its frame: that is where lines end.
fn outline(kind: NodeKind, frame: Frame) -> String {
    let Frame { x, y, width, height } = frame;
    let (right, bottom, middle) = (x + width, y + height, y + height / 2.0);
    match kind {
        NodeKind::Start | NodeKind::End => frame.rounded(height / 2.0),
        NodeKind::Step => frame.rounded(3.0),
        NodeKind::Decide | NodeKind::Loop => {
            let (inner, outer) = (x + LEAN, right - LEAN);
            polygon(&[
                (inner, y),
                (outer, y),
                (right, middle),
                (outer, bottom),
                (inner, bottom),
                (x, middle),
            ])
        }
        NodeKind::Ask | NodeKind::Menu => polygon(&[(x + LEAN, y), (right, y), (right - LEAN, bottom), (x, bottom)]),
        NodeKind::Call | NodeKind::Dispatch | NodeKind::Run => {
            let bar = |at: f64| format!("<path d=\"M {at:.1} {y:.1} V {bottom:.1}\"/>");
            format!("{}{}{}", frame.rounded(0.0), bar(x + 6.0), bar(right - 6.0))
        }
        NodeKind::Save => {
            let rim = format!("<path d=\"M {x:.1} {:.1} H {right:.1}\"/>", y + 5.0);
            format!("{}{rim}", frame.rounded(5.0))
        }
        NodeKind::Halt | NodeKind::Exit => {
            format!("{}{}", frame.rounded(12.0), frame.inset(3.0).rounded(9.0))
        }
        NodeKind::Turn
        | NodeKind::Show
        | NodeKind::Set
        | NodeKind::Parallel
        | NodeKind::Join
        | NodeKind::Anchor
        | NodeKind::Jump => frame.rounded(6.0),
    }
}

impl Frame {
    fn rounded(self, radius: f64) -> String {
        let Frame { x, y, width, height } = self;
        format!("<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{radius:.1}\"/>")
    }

    fn inset(self, by: f64) -> Frame {
        Frame {
            x: self.x + by,
            y: self.y + by,
            width: self.width - 2.0 * by,
            height: self.height - 2.0 * by,
        }
    }
}

fn polygon(points: &[(f64, f64)]) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    format!("<polygon points=\"{}\"/>", points.join(" "))
}

/// Breaks a label into lines between words; a word longer than a line is cut.
fn wrapped(label: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in label.split_whitespace() {
        if !line.is_empty() && columns(&line) + 1 + columns(word) > COLUMNS {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        for character in word.chars() {
            if columns(&line) >= COLUMNS {
                lines.push(std::mem::take(&mut line));
            }
            line.push(character);
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// Counts the columns that text takes: letters of the East and pictures take two.
fn columns(text: &str) -> usize {
    text.chars()
        .map(|character| {
            if character >= '\u{1100}' && !('\u{2010}'..='\u{2027}').contains(&character) {
                2
            } else {
                1
            }
        })
        .sum()
}

/// Makes text safe inside XML; characters that XML cannot hold are shown as replaced.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            control if control < ' ' && !matches!(control, '\t' | '\n' | '\r') => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, columns, escaped, wrapped};

    #[test]
    fn text_that_means_something_in_xml_is_escaped() {
        assert_eq!(
            escaped("a < b && \"c\" > 'd'"),
            "a &lt; b &amp;&amp; &quot;c&quot; &gt; 'd'"
        );
        assert_eq!(escaped("\u{7}\u{1b}[0m 🎉"), "\u{fffd}\u{fffd}[0m 🎉");
    }

    #[test]
    fn labels_break_between_words_and_inside_words_that_are_too_long() {
        assert_eq!(wrapped("one two"), ["one two"]);
        assert_eq!(wrapped(""), [""]);
        let long = format!("go to {} now", "x".repeat(60));
        let lines = wrapped(&long);
        assert!(lines.iter().all(|line| columns(line) <= COLUMNS), "{lines:?}");
        assert_eq!(lines.concat().replace(' ', ""), long.replace(' ', ""));
    }

    #[test]
    fn pictures_take_two_columns() {
        assert_eq!(
            (columns("ab"), columns("🎉"), columns("…"), columns("決定")),
            (2, 2, 1, 4)
        );
    }
}
