//! The SARIF log against the schema of SARIF 2.1.0, which the crate that writes it carries.

use bmad::cli::report::{Checked, Format, Ledger, Look, RuleEntry, report};
use bmad::diagnostic::{Code, Diagnostic, Edit, Fix, Severity};
use bmad::source::{ProjectPath, Source, SourceId};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const RULES: &[RuleEntry] = &[RuleEntry {
    code: Code("dead-goto"),
    severity: Severity::Hint,
    summary: "a goto that leads nowhere",
    page: "# dead-goto\n",
}];
const LOOK: Look = Look {
    color: false,
    unicode: false,
    wrap: false,
    width: 80,
};

fn cargo(args: &[&str]) -> String {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// Finds the schema in the source of the crate, wherever cargo keeps it.
fn schema() -> Value {
    let version = cargo(&["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let known = ["metadata", "--format-version=1", "--offline", "--filter-platform", host];
    let metadata: Value = serde_json::from_str(&cargo(&known)).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|it| it["name"] == "serde-sarif").unwrap();
    let manifest = Path::new(package["manifest_path"].as_str().unwrap());
    let text = std::fs::read_to_string(manifest.with_file_name("src/schema.json")).unwrap();
    // A stray bracket of the first edition, which its errata removed.
    let text = text.replace(
        "^[a-zA-Z]{2}|^[a-zA-Z]{2}-[a-zA-Z]{2}]?$",
        "^[a-zA-Z]{2}(-[a-zA-Z]{2})?$",
    );
    serde_json::from_str(&text).unwrap()
}

fn log(roots: &[&str]) -> Value {
    let mut out = Vec::new();
    let mut ledger = Ledger::new(report(Format::Sarif, LOOK, RULES), Severity::Hint, None);
    for root in roots {
        let path = ProjectPath::new("größe & more/[a] 100%.xml").unwrap();
        let source = Source::new(SourceId(0), path, "<goto step=\"ü\"/>\r\n\tend");
        let findings = findings(&source);
        let checked = Checked {
            sources: &[&source],
            files: 1,
            root,
            findings: &findings,
        };
        ledger.project(&checked, &mut out).unwrap();
    }
    ledger.finish(&mut out).unwrap();
    serde_json::from_slice(&out).unwrap()
}

fn findings(source: &Source) -> Vec<Diagnostic> {
    let whole = source.span(0, source.text().len());
    let point = source.span(whole.len(), whole.len());
    let edits = vec![Edit {
        span: point,
        text: "\"\\\n".to_owned(),
    }];
    [Severity::Hint, Severity::Info, Severity::Warning, Severity::Error]
        .map(|severity| {
            Diagnostic::new(Code("dead-goto"), severity, whole, "no `step`\n\"quoted\" \u{1}")
                .with_label(point, "the end")
                .with_help("look again")
                .with_fix(Fix {
                    title: "close it".to_owned(),
                    edits: edits.clone(),
                    safe: true,
                })
        })
        .into_iter()
        .chain([Diagnostic::new(Code("unlisted"), Severity::Error, point, "plain")])
        .collect()
}

#[test]
fn the_log_validates_against_the_schema() {
    let schema = jsonschema::validator_for(&schema()).unwrap();
    for roots in [&[][..], &[""], &["../a b", "/abs", "./x", "c:d"]] {
        let log = log(roots);
        let errors: Vec<String> = schema.iter_errors(&log).map(|it| it.to_string()).collect();
        assert_eq!(errors, [] as [String; 0], "{log:#}");
        let results = log["runs"][0]["results"].as_array().unwrap();
        assert_eq!(results.len(), roots.len() * 5);
    }
}

#[test]
fn the_schema_refuses_a_log_that_is_wrong() {
    let schema = jsonschema::validator_for(&schema()).unwrap();
    let mut wrong = log(&[""]);
    wrong["runs"][0]["results"][0]["level"] = "loud".into();
    assert!(!schema.is_valid(&wrong));
    let mut wrong = log(&[""]);
    wrong["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0.into();
    assert!(!schema.is_valid(&wrong));
    let mut wrong = log(&[""]);
    wrong["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] = "a b".into();
    assert!(!schema.is_valid(&wrong));
}
