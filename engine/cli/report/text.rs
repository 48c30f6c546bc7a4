//! Findings in, text for people out; the one door to miette.

use crate::cli::report::excerpt::{Excerpt, Mark};
use crate::cli::report::located::path;
use crate::cli::report::{Checked, Located, Look, Place, Report, Summary};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::project::side_by_side;
use crate::source::{Span, clean};
use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan,
    SpanContents, ThemeCharacters, ThemeStyles,
};
use std::cmp::Reverse;
use std::fmt;
use std::io::{self, Write};

/// How many findings the end of the report comes back to.
const WORST: usize = 3;
/// How many findings are drawn at once.
const DRAWN: usize = 256;
/// Columns that line numbers and bars take.
const MARGIN: usize = 12;
/// The least room a line of source is given.
const ROOM: usize = 40;

/// Prints findings with the lines they are about, and ends with where to start.
pub(super) struct Text {
    look: Look,
    room: usize,
    painters: [GraphicalReportHandler; 4],
    note: GraphicalReportHandler,
    /// How many findings each rule has of each severity.
    counts: Vec<(Code, Severity, usize)>,
    /// The worst ones, the very worst first.
    worst: Vec<Candidate>,
}

/// A finding the end of the report may come back to.
struct Candidate {
    located: Located,
    /// How many findings of the same rule came before it that are as bad.
    nth: usize,
}

impl Candidate {
    /// Says whether it is named before a later one.
    fn precedes(&self, severity: Severity, nth: usize) -> bool {
        (Reverse(self.located.severity), self.nth) <= (Reverse(severity), nth)
    }
}

impl Text {
    pub(super) fn new(look: Look) -> Self {
        Self {
            look,
            room: look.width.saturating_sub(MARGIN).max(ROOM),
            painters: [Severity::Hint, Severity::Info, Severity::Warning, Severity::Error]
                .map(|severity| painter(look, severity, severity.name())),
            note: painter(look, Severity::Info, "note"),
            counts: Vec::new(),
            worst: Vec::new(),
        }
    }

    fn painter(&self, severity: Severity) -> &GraphicalReportHandler {
        let [hint, info, warning, error] = &self.painters;
        match severity {
            Severity::Hint => hint,
            Severity::Info => info,
            Severity::Warning => warning,
            Severity::Error => error,
        }
    }

    /// Keeps a finding where it is one of the worst so far: of different rules, if there are enough.
    fn remember(&mut self, checked: &Checked<'_>, finding: &Diagnostic) {
        let (code, severity) = (finding.code, finding.severity);
        let nth = self.count(code, severity);
        let at = self.worst.partition_point(|known| known.precedes(severity, nth));
        if at < WORST {
            let located = Located::new(checked, finding);
            self.worst.insert(at, Candidate { located, nth });
            self.worst.truncate(WORST);
        }
    }

    /// Counts a finding of a rule; returns how many came before it.
    fn count(&mut self, code: Code, severity: Severity) -> usize {
        let mut counts = self.counts.iter_mut();
        match counts.find(|(known, as_bad, _)| (*known, *as_bad) == (code, severity)) {
            Some((_, _, count)) => {
                *count += 1;
                *count - 1
            }
            None => {
                self.counts.push((code, severity, 1));
                0
            }
        }
    }

    /// Draws one finding.
    fn drawn(&self, checked: &Checked<'_>, finding: &Diagnostic) -> io::Result<String> {
        let (here, elsewhere): (Vec<_>, Vec<_>) = finding
            .labels
            .iter()
            .partition(|label| label.span.source == finding.span.source);
        let title = format!("{}: {}", self.bold(finding.code.0), clean(&finding.message));
        let labels: Vec<(Span, &str)> = here.iter().map(|label| (label.span, label.text.as_str())).collect();
        let mut picture = Picture::new(title);
        picture.show(checked, finding.span, &labels, self.room);
        let mut notes: Vec<Picture> = elsewhere
            .iter()
            .map(|label| {
                let mut note = Picture::new(clean(&label.text));
                note.show(checked, label.span, &[], self.room);
                note
            })
            .collect();
        // What to do comes last, after everything that explains it.
        notes.last_mut().unwrap_or(&mut picture).help = help(finding);
        let mut drawn = String::new();
        picture.draw(self.painter(finding.severity), &mut drawn)?;
        for note in notes {
            note.draw(&self.note, &mut drawn)?;
        }
        drawn.push('\n');
        Ok(drawn)
    }

    fn bold(&self, text: &str) -> String {
        if self.look.color {
            format!("\u{1b}[1m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}

impl Report for Text {
    fn begin(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn finding(&mut self, checked: &Checked<'_>, finding: &Diagnostic, out: &mut dyn Write) -> io::Result<()> {
        self.findings(checked, &[finding], out)
    }

    fn findings(&mut self, checked: &Checked<'_>, findings: &[&Diagnostic], out: &mut dyn Write) -> io::Result<()> {
        // Drawing takes longer than anything else that is done when all is checked.
        for some in findings.chunks(DRAWN) {
            for drawn in side_by_side(some, |finding| self.drawn(checked, finding)) {
                out.write_all(drawn?.as_bytes())?;
            }
            some.iter().for_each(|finding| self.remember(checked, finding));
        }
        Ok(())
    }

    fn finish(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.bold(&summary.line()))?;
        for (at, Candidate { located, .. }) in self.worst.iter().enumerate() {
            if at == 0 {
                writeln!(out, "\nStart here:")?;
            }
            let Place { path, start, .. } = &located.place;
            let message = clean(&located.message).replace('\n', " ");
            let path = clean(path);
            let (line, column) = (start.line, start.column);
            let code = located.code;
            writeln!(out, "  {path}:{line}:{column} {code}: {message}")?;
            writeln!(out, "    {}", self.bold(&remedy(located)))?;
        }
        Ok(())
    }
}

/// Returns what to do, and whether `--fix` does it.
fn help(finding: &Diagnostic) -> Option<String> {
    let fix = finding.fix.as_ref().filter(|fix| fix.safe);
    let offer = fix.map(|fix| format!("--fix can {}", clean(&fix.title)));
    let help = finding.help.as_deref().map(clean);
    match (help, offer) {
        (Some(help), Some(offer)) => Some(format!("{help}\n{offer}")),
        (help, offer) => help.or(offer),
    }
}

/// Returns the command that repairs a finding, or else the one that explains it.
fn remedy(located: &Located) -> String {
    if located.fix.as_ref().is_some_and(|fix| fix.safe) {
        format!("bmad lint --fix {}", shell_word(&located.place.path))
    } else {
        format!("bmad explain {}", located.code)
    }
}

/// Quotes a path so that a shell reads it as one word.
fn shell_word(path: &str) -> String {
    let dashed = if path.starts_with('-') { "./" } else { "" };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+=@%:,".contains(&byte);
    if path.bytes().all(plain) && !path.is_empty() {
        return format!("{dashed}{path}");
    }
    format!("'{dashed}{}'", path.replace('\'', r"'\''"))
}

fn painter(look: Look, severity: Severity, name: &str) -> GraphicalReportHandler {
    let mut characters = if look.unicode {
        ThemeCharacters::unicode()
    } else {
        ThemeCharacters::ascii()
    };
    let mut styles = if look.color {
        ThemeStyles::ansi()
    } else {
        ThemeStyles::none()
    };
    characters.error = name.to_owned();
    let style = match severity {
        Severity::Error => styles.error,
        Severity::Warning => styles.warning,
        Severity::Info => styles.advice,
        Severity::Hint => styles.linum,
    };
    styles.error = style;
    styles.highlights = vec![style];
    GraphicalReportHandler::new_themed(GraphicalTheme { characters, styles })
        .with_width(look.width.max(ROOM))
        .with_wrap_lines(look.wrap)
        .with_context_lines(0)
        .without_cause_chain()
        .with_urls(false)
}

/// One finding the way miette wants it. Its severity is in the painter, so miette sees errors only.
#[derive(Debug)]
struct Picture {
    title: String,
    help: Option<String>,
    window: Option<Window>,
    labels: Vec<LabeledSpan>,
}

impl Picture {
    fn new(title: String) -> Self {
        Self {
            title,
            help: None,
            window: None,
            labels: Vec::new(),
        }
    }

    fn draw(&self, painter: &GraphicalReportHandler, drawn: &mut String) -> io::Result<()> {
        painter.render_report(drawn, self).map_err(io::Error::other)
    }

    /// Adds the lines that a span and its labels are on.
    fn show(&mut self, checked: &Checked<'_>, span: Span, labels: &[(Span, &str)], room: usize) {
        let Some(source) = checked.source(span) else {
            return;
        };
        let spans: Vec<Span> = std::iter::once(span)
            .chain(labels.iter().map(|(span, _)| *span))
            .collect();
        let excerpt = Excerpt::new(source, &spans, room);
        let texts = std::iter::once(None).chain(labels.iter().map(|(_, text)| Some(clean(text))));
        for (at, (mark, text)) in excerpt.marks.iter().zip(texts).enumerate() {
            let place = (mark.start, mark.len);
            self.labels.push(if at == 0 {
                LabeledSpan::new_primary_with_span(text, place)
            } else {
                LabeledSpan::new_with_span(text, place)
            });
        }
        let path = clean(&path(checked, source));
        self.window = Some(Window { path, excerpt });
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.title)
    }
}

impl std::error::Error for Picture {}

impl miette::Diagnostic for Picture {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as _)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.window.as_ref().map(|window| window as _)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}

/// An excerpt that answers miette's questions without reading the source again.
#[derive(Debug)]
struct Window {
    path: String,
    excerpt: Excerpt,
}

impl SourceCode for Window {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        _lines_before: usize,
        _lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let rows = &self.excerpt.rows;
        let row_of = |at: usize| rows.partition_point(|row| row.end <= at);
        let last = span.offset() + span.len().saturating_sub(1);
        let rows = rows
            .get(row_of(span.offset())..=row_of(last))
            .ok_or(MietteError::OutOfBounds)?;
        // miette counts lines by itself, so it must never see a gap.
        let gapless = rows.windows(2).all(|pair| match pair {
            [one, next] => one.line + 1 == next.line,
            _ => true,
        });
        let (Some(first), Some(end), true) = (rows.first(), rows.last(), gapless) else {
            return Err(MietteError::OutOfBounds);
        };
        let starts_here = |mark: &&Mark| mark.start == span.offset();
        let column = self.excerpt.marks.iter().find(starts_here);
        let text = self
            .excerpt
            .text
            .get(first.start..end.end)
            .ok_or(MietteError::OutOfBounds)?;
        Ok(Box::new(MietteSpanContents::new_named(
            self.path.clone(),
            text.as_bytes(),
            (first.start, text.len()).into(),
            first.line as usize - 1,
            column.map_or(0, |mark| mark.column as usize - 1),
            rows.len(),
        )))
    }
}

#[cfg(test)]
mod tests;
