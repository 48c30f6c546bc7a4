//! Findings in, one JSON object out, for programs.
//!
//! ```text
//! { "version": 1,
//!   "findings": [ { "rule", "severity", "message", "path", "start": {"line", "column"}, "end": {…}, "help"?,
//!                   "labels": [ {"path", "start", "end", "text"} ],
//!                   "fix"?: {"title", "safe", "edits": [ {"path", "start", "end", "text"} ]} } ],
//!   "summary": { "files", "errors", "warnings", "infos", "hints", "shown", "fixed" } }
//! ```
//! Lines and columns count from one, columns in characters, ends exclusive. Keys may be added under the same
//! version; a change of what a key means is a new version. One finding stands on one line.

use crate::cli::report::{Checked, Located, LocatedFix, Place, Report, Summary};
use crate::diagnostic::Diagnostic;
use serde::Serialize;
use std::io::{self, Write};

const VERSION: u32 = 1;

/// Prints findings as they come: nothing is kept.
#[derive(Default)]
pub(super) struct Json {
    printed: usize,
}

impl Report for Json {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{{\"version\":{VERSION},\n\"findings\":[")
    }

    fn finding(&mut self, checked: &Checked<'_>, finding: &Diagnostic, out: &mut dyn Write) -> io::Result<()> {
        let separator = if self.printed == 0 { "\n" } else { ",\n" };
        self.printed += 1;
        out.write_all(separator.as_bytes())?;
        let located = Located::new(checked, finding);
        serde_json::to_writer(out, &JsonFinding::new(&located)).map_err(io::Error::from)
    }

    fn finish(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "],\n\"summary\":")?;
        let counts = JsonSummary {
            files: summary.files,
            errors: summary.found.errors,
            warnings: summary.found.warnings,
            infos: summary.found.infos,
            hints: summary.found.hints,
            shown: summary.shown.total(),
            fixed: summary.fixed,
        };
        serde_json::to_writer(&mut *out, &counts).map_err(io::Error::from)?;
        writeln!(out, "}}")
    }
}

#[derive(Serialize)]
struct JsonFinding<'a> {
    rule: &'a str,
    severity: &'a str,
    message: &'a str,
    #[serde(flatten)]
    place: JsonPlace<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    labels: Vec<JsonText<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<JsonFix<'a>>,
}

#[derive(Serialize)]
struct JsonPlace<'a> {
    path: &'a str,
    start: JsonPosition,
    end: JsonPosition,
}

#[derive(Serialize)]
struct JsonPosition {
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct JsonText<'a> {
    #[serde(flatten)]
    place: JsonPlace<'a>,
    text: &'a str,
}

#[derive(Serialize)]
struct JsonFix<'a> {
    title: &'a str,
    safe: bool,
    edits: Vec<JsonText<'a>>,
}

#[derive(Serialize)]
struct JsonSummary {
    files: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
    hints: usize,
    shown: usize,
    fixed: usize,
}

impl<'a> JsonFinding<'a> {
    fn new(located: &'a Located) -> Self {
        Self {
            rule: located.code.0,
            severity: located.severity.name(),
            message: &located.message,
            place: JsonPlace::new(&located.place),
            help: located.help.as_deref(),
            labels: located.labels.iter().map(JsonText::new).collect(),
            fix: located.fix.as_ref().map(JsonFix::new),
        }
    }
}

impl<'a> JsonPlace<'a> {
    fn new(place: &'a Place) -> Self {
        let position = |at: crate::source::Position| JsonPosition {
            line: at.line,
            column: at.column,
        };
        Self {
            path: &place.path,
            start: position(place.start),
            end: position(place.end),
        }
    }
}

impl<'a> JsonText<'a> {
    fn new((place, text): &'a (Place, String)) -> Self {
        Self {
            place: JsonPlace::new(place),
            text,
        }
    }
}

impl<'a> JsonFix<'a> {
    fn new(fix: &'a LocatedFix) -> Self {
        Self {
            title: &fix.title,
            safe: fix.safe,
            edits: fix.edits.iter().map(JsonText::new).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Json;
    use crate::cli::report::sample;

    #[test]
    fn findings_are_one_object() {
        insta::assert_snapshot!(sample::print(Box::new(Json::default())), @r#"
        {"version":1,
        "findings":[
        {"rule":"dead-goto","severity":"error","message":"no step is labelled `7`","path":"./work/flow/instructions.xml","start":{"line":3,"column":11},"end":{"line":3,"column":19},"help":"name a step that is there, such as `1`","labels":[{"path":"./work/flow/instructions.xml","start":{"line":2,"column":4},"end":{"line":2,"column":14},"text":"the only step"}]},
        {"rule":"unclosed-tag","severity":"warning","message":"`<action>` is never closed: 100% open","path":"./work/my notes, größe.md","start":{"line":4,"column":1},"end":{"line":5,"column":4},"labels":[{"path":"./work/flow/instructions.xml","start":{"line":2,"column":3},"end":{"line":2,"column":15},"text":"the step that reads it"}],"fix":{"title":"close the tag","safe":true,"edits":[{"path":"./work/my notes, größe.md","start":{"line":6,"column":1},"end":{"line":6,"column":1},"text":"</action>"}]}}],
        "summary":{"files":2,"errors":1,"warnings":1,"infos":0,"hints":1,"shown":2,"fixed":0}}
        "#);
    }

    #[test]
    fn what_is_printed_is_json_with_and_without_findings() {
        for printed in [
            sample::print(Box::new(Json::default())),
            sample::print_nothing(Box::new(Json::default())),
        ] {
            let value: serde_json::Value = serde_json::from_str(&printed).unwrap();
            let findings = value["findings"].as_array().unwrap().len();
            assert_eq!(value["summary"]["shown"], findings);
        }
    }
}
