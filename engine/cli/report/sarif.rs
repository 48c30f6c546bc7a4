//! Findings in, a SARIF 2.1.0 log out; the one door to serde-sarif.
//!
//! Results are printed as they come: only the rules and the fingerprints of the current file are kept.

use crate::cli::report::excerpt::line_at;
use crate::cli::report::{Checked, Located, LocatedFix, Place, Report, RuleEntry, Summary};
use crate::diagnostic::{Code, Diagnostic, Severity};
use serde_sarif::sarif;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A finding that no rule of the linter made.
pub(in crate::cli) struct Noted<'a> {
    /// What kind it is.
    pub(in crate::cli) rule: &'a str,
    pub(in crate::cli) severity: Severity,
    pub(in crate::cli) message: String,
    pub(in crate::cli) path: &'a str,
    /// The line, where it is known.
    pub(in crate::cli) line: Option<usize>,
    /// What tells it from others, wherever it moves.
    pub(in crate::cli) fingerprint: String,
    /// Why it needs no more work, where it needs none.
    pub(in crate::cli) settled: Option<String>,
}

/// Returns a log of findings that no rule of the linter made; `failure` says why the log tells nothing, where it does.
pub(in crate::cli) fn log_of(findings: &[Noted<'_>], failure: Option<&str>) -> serde_json::Result<String> {
    let driver = sarif::ToolComponent::builder()
        .name("bmad")
        .version(env!("CARGO_PKG_VERSION"))
        .semantic_version(env!("CARGO_PKG_VERSION"))
        .build();
    let mut run = sarif::Run::builder()
        .tool(sarif::Tool::builder().driver(driver).build())
        .results(findings.iter().map(noted).collect::<Vec<_>>())
        .build();
    run.invocations = failure.map(|why| vec![failed(why)]);
    let log = sarif::Sarif::builder()
        .schema(SCHEMA)
        .version(sarif::Version::V2_1_0.to_string())
        .runs(vec![run])
        .build();
    serde_json::to_string_pretty(&log)
}

fn failed(why: &str) -> sarif::Invocation {
    let notification = sarif::Notification::builder().message(message(why)).build();
    sarif::Invocation::builder()
        .execution_successful(false)
        .tool_execution_notifications(vec![notification])
        .build()
}

fn noted(finding: &Noted<'_>) -> sarif::Result {
    let physical = sarif::PhysicalLocation::builder().artifact_location(artifact(finding.path));
    let line = finding.line.and_then(|line| i64::try_from(line).ok());
    let physical = match line {
        Some(line) => physical
            .region(sarif::Region::builder().start_line(line).build())
            .build(),
        None => physical.build(),
    };
    let mut result = sarif::Result::builder()
        .rule_id(finding.rule)
        .level(level(finding.severity))
        .message(message(&finding.message))
        .locations(vec![sarif::Location::builder().physical_location(physical).build()])
        .partial_fingerprints(BTreeMap::from([("finding/v1".to_owned(), finding.fingerprint.clone())]))
        .build();
    result.suppressions = finding.settled.as_ref().map(|why| {
        let suppression = sarif::Suppression::builder()
            .kind(serde_json::json!("external"))
            .justification(why.as_str());
        vec![suppression.build()]
    });
    result
}

/// Prints a log with one run.
pub(super) struct SarifLog {
    rules: Vec<RuleEntry>,
    indices: HashMap<Code, i64>,
    printed: usize,
    file: String,
    seen: HashMap<u64, u32>,
}

impl SarifLog {
    pub(super) fn new(rules: &[RuleEntry]) -> Self {
        let numbered = (0..).zip(rules);
        Self {
            rules: rules.to_vec(),
            indices: numbered.map(|(at, rule)| (rule.code, at)).collect(),
            printed: 0,
            file: String::new(),
            seen: HashMap::new(),
        }
    }

    fn result(&mut self, located: &Located, line: &str) -> sarif::Result {
        let mut result = sarif::Result::builder()
            .rule_id(located.code.0)
            .level(level(located.severity))
            .message(message(&text_of(located)))
            .locations(vec![location(&located.place)])
            .partial_fingerprints(BTreeMap::from([(
                "primaryLocationLineHash".to_owned(),
                self.fingerprint(located, line),
            )]))
            .build();
        result.rule_index = self.indices.get(&located.code).copied();
        if !located.labels.is_empty() {
            result.related_locations = Some((1..).zip(&located.labels).map(related).collect());
        }
        result.fixes = located.fix.as_ref().map(|it| vec![fix(it)]);
        result
    }

    /// Tells a finding from others in its file by its rule and line, wherever the line moves.
    fn fingerprint(&mut self, located: &Located, line: &str) -> String {
        if self.file != located.place.path {
            self.file.clone_from(&located.place.path);
            self.seen.clear();
        }
        let hash = fnv([located.code.0, line]);
        let count = self.seen.entry(hash).or_default();
        *count += 1;
        format!("{hash:016x}:{count}")
    }
}

impl Report for SarifLog {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let driver = sarif::ToolComponent::builder()
            .name("bmad")
            .version(env!("CARGO_PKG_VERSION"))
            .semantic_version(env!("CARGO_PKG_VERSION"))
            .rules(self.rules.iter().map(rule).collect::<Vec<_>>())
            .build();
        let tool = sarif::Tool::builder().driver(driver).build();
        let version = sarif::Version::V2_1_0;
        write!(
            out,
            "{{\"$schema\":\"{SCHEMA}\",\"version\":\"{version}\",\"runs\":[{{\"tool\":"
        )?;
        serde_json::to_writer(&mut *out, &tool).map_err(io::Error::from)?;
        let columns = sarif::ResultColumnKind::UnicodeCodePoints;
        write!(out, ",\"columnKind\":\"{columns}\",\"results\":[")
    }

    fn finding(&mut self, checked: &Checked<'_>, finding: &Diagnostic, out: &mut dyn Write) -> io::Result<()> {
        let separator = if self.printed == 0 { "\n" } else { ",\n" };
        self.printed += 1;
        out.write_all(separator.as_bytes())?;
        let line = checked
            .source(finding.span)
            .map_or("", |source| line_at(source, finding.span.start));
        let result = self.result(&Located::new(checked, finding), line);
        serde_json::to_writer(out, &result).map_err(io::Error::from)
    }

    fn finish(&mut self, _summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "]}}]}}")
    }
}

fn rule(entry: &RuleEntry) -> sarif::ReportingDescriptor {
    let text = |text: &str| sarif::MultiformatMessageString::builder().text(text).build();
    let help = sarif::MultiformatMessageString::builder()
        .text(entry.page)
        .markdown(entry.page)
        .build();
    let configuration = sarif::ReportingConfiguration::builder()
        .level(level(entry.severity).to_string())
        .build();
    sarif::ReportingDescriptor::builder()
        .id(entry.code.0)
        .name(entry.code.0)
        .short_description(text(entry.summary))
        .help(help)
        .default_configuration(configuration)
        .build()
}

fn level(severity: Severity) -> sarif::ResultLevel {
    match severity {
        Severity::Error => sarif::ResultLevel::Error,
        Severity::Warning => sarif::ResultLevel::Warning,
        Severity::Info | Severity::Hint => sarif::ResultLevel::Note,
    }
}

fn text_of(located: &Located) -> String {
    match &located.help {
        Some(help) => format!("{}\nhelp: {help}", located.message),
        None => located.message.clone(),
    }
}

fn message(text: &str) -> sarif::Message {
    sarif::Message::builder().text(text).build()
}

fn location(place: &Place) -> sarif::Location {
    let physical = sarif::PhysicalLocation::builder()
        .artifact_location(artifact(&place.path))
        .region(region(place))
        .build();
    sarif::Location::builder().physical_location(physical).build()
}

fn related((id, (place, text)): (i64, &(Place, String))) -> sarif::Location {
    let mut location = location(place);
    location.id = Some(id);
    location.message = Some(message(text));
    location
}

fn artifact(path: &str) -> sarif::ArtifactLocation {
    sarif::ArtifactLocation::builder().uri(uri(path)).build()
}

fn region(place: &Place) -> sarif::Region {
    sarif::Region::builder()
        .start_line(i64::from(place.start.line))
        .start_column(i64::from(place.start.column))
        .end_line(i64::from(place.end.line))
        .end_column(i64::from(place.end.column))
        .build()
}

fn fix(fix: &LocatedFix) -> sarif::Fix {
    let mut changes: BTreeMap<&str, Vec<sarif::Replacement>> = BTreeMap::new();
    for (place, text) in &fix.edits {
        let content = sarif::ArtifactContent::builder().text(text.as_str()).build();
        let replacement = sarif::Replacement::builder()
            .deleted_region(region(place))
            .inserted_content(content)
            .build();
        changes.entry(&place.path).or_default().push(replacement);
    }
    let change = |(path, replacements): (&str, Vec<sarif::Replacement>)| {
        sarif::ArtifactChange::builder()
            .artifact_location(artifact(path))
            .replacements(replacements)
            .build()
    };
    sarif::Fix::builder()
        .description(message(&fix.title))
        .artifact_changes(changes.into_iter().map(change).collect::<Vec<_>>())
        .build()
}

/// Writes a path as a URI: relative ones stay relative, absolute ones get a scheme.
fn uri(path: &str) -> String {
    let path = if cfg!(windows) {
        path.replace('\\', "/")
    } else {
        path.to_owned()
    };
    let (scheme, path) = match path.strip_prefix("./") {
        Some(rest) => ("", rest),
        None if path.starts_with('/') => ("file://", path.as_str()),
        None if cfg!(windows) && path.get(1..2) == Some(":") => ("file:///", path.as_str()),
        None => ("", path.as_str()),
    };
    let mut uri = scheme.to_owned();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

/// Hashes text the same way in every version of the program (FNV-1a).
fn fnv(parts: [&str; 2]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in parts.iter().flat_map(|part| part.bytes().chain([0])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::{SarifLog, uri};
    use crate::cli::report::sample;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("./a b/ü,c.md"), "a%20b/%C3%BC%2Cc.md");
        assert_eq!(uri("/x/a:b.md"), "file:///x/a%3Ab.md");
        assert_eq!(uri("../x#y?.md"), "../x%23y%3F.md");
    }

    #[test]
    fn findings_are_results_of_one_run() {
        let printed = sample::print(Box::new(SarifLog::new(sample::RULES)));
        insta::assert_snapshot!(printed, @r##"
        {"$schema":"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{"name":"bmad","rules":[{"defaultConfiguration":{"level":"error"},"help":{"markdown":"# dead-goto\nA goto names a step that is not there.\n","text":"# dead-goto\nA goto names a step that is not there.\n"},"id":"dead-goto","name":"dead-goto","shortDescription":{"text":"a goto that leads nowhere"}},{"defaultConfiguration":{"level":"warning"},"help":{"markdown":"# unclosed-tag\n","text":"# unclosed-tag\n"},"id":"unclosed-tag","name":"unclosed-tag","shortDescription":{"text":"a tag that is opened and never closed"}}],"semanticVersion":"0.1.0","version":"0.1.0"}},"columnKind":"unicodeCodePoints","results":[
        {"level":"error","locations":[{"physicalLocation":{"artifactLocation":{"uri":"work/flow/instructions.xml"},"region":{"endColumn":19,"endLine":3,"startColumn":11,"startLine":3}}}],"message":{"text":"no step is labelled `7`\nhelp: name a step that is there, such as `1`"},"partialFingerprints":{"primaryLocationLineHash":"7ddac65cb7a734d9:1"},"relatedLocations":[{"id":1,"message":{"text":"the only step"},"physicalLocation":{"artifactLocation":{"uri":"work/flow/instructions.xml"},"region":{"endColumn":14,"endLine":2,"startColumn":4,"startLine":2}}}],"ruleId":"dead-goto","ruleIndex":0},
        {"fixes":[{"artifactChanges":[{"artifactLocation":{"uri":"work/my%20notes%2C%20gr%C3%B6%C3%9Fe.md"},"replacements":[{"deletedRegion":{"endColumn":1,"endLine":6,"startColumn":1,"startLine":6},"insertedContent":{"text":"</action>"}}]}],"description":{"text":"close the tag"}}],"level":"warning","locations":[{"physicalLocation":{"artifactLocation":{"uri":"work/my%20notes%2C%20gr%C3%B6%C3%9Fe.md"},"region":{"endColumn":4,"endLine":5,"startColumn":1,"startLine":4}}}],"message":{"text":"`<action>` is never closed: 100% open"},"partialFingerprints":{"primaryLocationLineHash":"82a40ff78c76b8d3:1"},"relatedLocations":[{"id":1,"message":{"text":"the step that reads it"},"physicalLocation":{"artifactLocation":{"uri":"work/flow/instructions.xml"},"region":{"endColumn":15,"endLine":2,"startColumn":3,"startLine":2}}}],"ruleId":"unclosed-tag","ruleIndex":1}]}]}
        "##);
    }

    #[test]
    fn the_same_finding_keeps_its_fingerprint_when_lines_move() {
        let fingerprints = |text: &str| -> Vec<String> {
            let printed = sample::print_text(Box::new(SarifLog::new(&[])), text, "goto");
            let log: serde_json::Value = serde_json::from_str(&printed).unwrap();
            let results = log["runs"][0]["results"].as_array().unwrap();
            results
                .iter()
                .map(|result| result["partialFingerprints"]["primaryLocationLineHash"].to_string())
                .collect()
        };
        let before = fingerprints("goto 1\ngoto 2\ngoto 1\n");
        let after = fingerprints("new\n\n  goto 1\ngoto 2\ngoto 1\n");
        assert_eq!(before, after);
        assert_ne!(before[0], before[2]);
    }
}
