//! Findings in, workflow commands out that GitHub turns into annotations.

use crate::cli::report::{Checked, Located, Report, Summary};
use crate::diagnostic::{Diagnostic, Severity};
use std::io::{self, Write};

/// Prints one workflow command a finding.
pub(super) struct Github;

impl Report for Github {
    fn begin(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn finding(&mut self, checked: &Checked<'_>, finding: &Diagnostic, out: &mut dyn Write) -> io::Result<()> {
        let located = Located::new(checked, finding);
        let place = &located.place;
        let path = place.path.strip_prefix("./").unwrap_or(&place.path);
        write!(
            out,
            "::{} file={},line={}",
            command(located.severity),
            property(path),
            place.start.line
        )?;
        // GitHub refuses columns on a range of several lines.
        if place.start.line == place.end.line {
            let (start, end) = (place.start.column, place.end.column);
            write!(out, ",col={start},endLine={},endColumn={end}", place.end.line)?;
        } else {
            write!(out, ",endLine={}", place.end.line)?;
        }
        let message = match &located.help {
            Some(help) => format!("{}\nhelp: {help}", located.message),
            None => located.message,
        };
        writeln!(out, ",title={}::{}", property(located.code.0), escape(&message))
    }

    fn finish(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", summary.line())
    }
}

fn command(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "notice",
    }
}

fn escape(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escape(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::Github;
    use crate::cli::report::sample;

    #[test]
    fn findings_are_workflow_commands() {
        insta::assert_snapshot!(sample::print(Box::new(Github)), @r"
        ::error file=work/flow/instructions.xml,line=3,col=11,endLine=3,endColumn=19,title=dead-goto::no step is labelled `7`%0Ahelp: name a step that is there, such as `1`
        ::warning file=work/my notes%2C größe.md,line=4,endLine=5,title=unclosed-tag::`<action>` is never closed: 100%25 open
        1 error, 1 warning in 2 files (1 hint not shown; --level hint shows them)
        ");
    }
}
