//! What stands around a document: templates, what agents remember, and packages that leave files out.

use super::{findings, part};
use std::path::Path;

/// Writes files and returns what is found in the last of them.
fn found(files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let place = folder.path().join(path);
        std::fs::create_dir_all(place.parent().unwrap_or(Path::new(""))).unwrap();
        std::fs::write(place, text).unwrap();
    }
    let (document, _) = files.last().unwrap();
    let found = findings(folder.path(), document);
    found.iter().map(|finding| part(finding, "message")).collect()
}

#[test]
fn a_template_and_a_memory_have_holes_and_an_empty_section() {
    let text = "# Idea\n\nBy [Your name].\n\n## Notes\n";
    assert_eq!(found(&[("docs/idea.md", text)]).len(), 2);
    for path in [
        ".github/ISSUE_TEMPLATE/idea.md",
        "docs/templates/idea.md",
        "agents/ann-sidecar/idea.md",
    ] {
        assert_eq!(found(&[(path, text)]), Vec::<String>::new(), "{path}");
    }
    assert_eq!(found(&[("docs/template-engine/idea.md", text)]).len(), 2);
}

const README: &str = "[a](CONTRIBUTING.md) [b](docs/b.md) [c](src/c.md)\n\n![d](banner.png)\n";
const PACKAGE: (&str, &str) = (
    "package.json",
    "{\"name\": \"x\", \"repository\": {\"url\": \"https://example.com\"}}",
);
const CODE: (&str, &str) = ("src/x.md", "x\n");

#[test]
fn what_a_published_package_may_have_left_out_is_not_called_dead() {
    let all = [
        "the link to CONTRIBUTING.md leads to no file",
        "the link to docs/b.md leads to no file",
        "the link to src/c.md leads to no file",
        "the image banner.png is not there",
    ];
    assert_eq!(found(&[CODE, ("README.md", README)]), all, "no package");
    assert_eq!(
        found(&[CODE, PACKAGE, ("README.md", README)]),
        [all[2]],
        "a published package"
    );
    let source = (".git/HEAD", "x\n");
    assert_eq!(
        found(&[CODE, PACKAGE, source, ("README.md", README)]),
        all,
        "its repository"
    );
    let private = ("package.json", "{\"name\": \"x\"}");
    assert_eq!(
        found(&[CODE, private, ("README.md", README)]),
        all,
        "a package without a repository"
    );
    assert_eq!(
        found(&[CODE, ("package.json", "{"), ("README.md", README)]),
        all,
        "no JSON"
    );
}
