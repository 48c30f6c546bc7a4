//! A small checked project that the tests of all reports print.

use crate::cli::report::{Checked, Ledger, Look, Report, RuleEntry};
use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Severity};
use crate::source::{ProjectPath, Source, SourceId};

pub(super) const PLAIN: Look = Look {
    color: false,
    unicode: false,
    wrap: false,
    width: 80,
};

pub(super) const RULES: &[RuleEntry] = &[
    RuleEntry {
        code: Code("dead-goto"),
        severity: Severity::Error,
        summary: "a goto that leads nowhere",
        page: "# dead-goto\nA goto names a step that is not there.\n",
    },
    RuleEntry {
        code: Code("unclosed-tag"),
        severity: Severity::Warning,
        summary: "a tag that is opened and never closed",
        page: "# unclosed-tag\n",
    },
];

const INSTRUCTIONS: &str = "<workflow>\n  <step n=\"1\">\n    <goto step=\"7\"/>\n  </step>\n</workflow>\n";
const NOTES: &str = "---\r\nname: größe\r\n---\r\n<action>do it\r\nnow\r\n";

fn sources() -> Vec<Source> {
    let source = |id: u32, path: &str, text: &str| Source::new(SourceId(id), ProjectPath::new(path).unwrap(), text);
    vec![
        source(0, "flow/instructions.xml", INSTRUCTIONS),
        source(1, "my notes, größe.md", NOTES),
    ]
}

fn findings(sources: &[Source]) -> Vec<Diagnostic> {
    let at = |source: &Source, needle: &str| {
        let start = source.text().find(needle).unwrap();
        source.span(start, start + needle.len())
    };
    let (flow, notes) = (&sources[0], &sources[1]);
    let end = notes.span(NOTES.len(), NOTES.len());
    vec![
        Diagnostic::new(
            Code("unclosed-tag"),
            Severity::Warning,
            at(notes, "<action>do it\r\nnow"),
            "`<action>` is never closed: 100% open",
        )
        .with_label(at(flow, "<step n=\"1\">"), "the step that reads it")
        .with_fix(Fix {
            title: "close the tag".to_owned(),
            edits: vec![Edit {
                span: end,
                text: "</action>".to_owned(),
            }],
            safe: true,
        }),
        Diagnostic::new(
            Code("dead-goto"),
            Severity::Error,
            at(flow, "step=\"7\""),
            "no step is labelled `7`",
        )
        .with_label(at(flow, "step n=\"1\""), "the only step")
        .with_help("name a step that is there, such as `1`"),
        Diagnostic::new(
            Code("judged-condition"),
            Severity::Hint,
            at(notes, "größe"),
            "an agent decides this",
        ),
    ]
}

/// Prints the sample with `report`, at the default level.
pub(super) fn print(report: Box<dyn Report>) -> String {
    let sources = sources();
    let findings = findings(&sources);
    print_all(report, &sources, &findings)
}

/// Prints a project without findings.
pub(super) fn print_nothing(report: Box<dyn Report>) -> String {
    print_all(report, &sources(), &[])
}

/// Prints one file with an error wherever `needle` is.
pub(super) fn print_text(report: Box<dyn Report>, text: &str, needle: &str) -> String {
    let source = Source::new(SourceId(0), ProjectPath::new("a.md").unwrap(), text);
    let findings: Vec<Diagnostic> = text
        .match_indices(needle)
        .map(|(start, _)| {
            let span = source.span(start, start + needle.len());
            Diagnostic::new(Code("dead-goto"), Severity::Error, span, "found")
        })
        .collect();
    print_all(report, &[source], &findings)
}

/// Prints one file with a finding of a rule on each line.
pub(super) fn print_rules(report: Box<dyn Report>, rules: &[(&'static str, Severity)]) -> String {
    let source = Source::new(
        SourceId(0),
        ProjectPath::new("a.md").unwrap(),
        "x\n".repeat(rules.len()),
    );
    let findings: Vec<Diagnostic> = (0..)
        .zip(rules)
        .map(|(line, (rule, severity))| {
            let span = source.span(2 * line, 2 * line + 1);
            Diagnostic::new(Code(rule), *severity, span, "found")
        })
        .collect();
    print_all(report, &[source], &findings)
}

fn print_all(report: Box<dyn Report>, sources: &[Source], findings: &[Diagnostic]) -> String {
    let mut out = Vec::new();
    let mut ledger = Ledger::new(report, Severity::Warning, None);
    let listed: Vec<&Source> = sources.iter().collect();
    let checked = Checked {
        sources: &listed,
        files: listed.len(),
        root: "./work",
        findings,
    };
    ledger.project(&checked, &mut out).unwrap();
    ledger.finish(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}
