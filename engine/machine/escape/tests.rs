//! Values that try to be more than values, and what becomes of them.

use super::{
    EscapeError, MAX_BYTES, Refusal, frontmatter, path_part, project_path, shell, single, template, unescape_template,
    yaml_scalar,
};
use crate::builtins::Value as Known;
use crate::machine::render;
use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{Format, Node, Value, parse};

const NASTY: &[&str] = &[
    "",
    " ",
    "'",
    "''",
    "\"; rm -rf ~; echo \"",
    "'; rm -rf ~; echo '",
    "$(reboot)",
    "`reboot`",
    "${HOME} $HOME ~ * ?",
    "-rf",
    "--help",
    "a\nb",
    "a\r\nb\n",
    "\t",
    "\\",
    "\\'",
    "{{x}}",
    "{x}",
    "\\{x}",
    "---\nstatus: done",
    "...",
    "---",
    "a: b",
    "a #b",
    "#b",
    "a:",
    ": a",
    "- a",
    "? a",
    "!tag",
    "&anchor",
    "*alias",
    "%directive",
    "@at",
    "|",
    ">",
    "[1, 2]",
    "{a: b}",
    "yes",
    "No",
    "on",
    "null",
    "~",
    "true",
    "NaN",
    ".inf",
    "1",
    "0x1F",
    "1e3",
    "1_000",
    "12:30:45",
    "2025-01-01",
    "2025-01-01T10:00:00Z",
    "é ü 漢字 🦀",
    "\u{feff}a",
    "a\u{2028}b\u{85}c",
    "\u{7}\u{1b}[31m",
    "\u{fffe}\u{ffff}",
    "trailing ",
    " leading",
    "http://a.b/c?d=e&f#g",
    "<<",
    "=",
];

/// A generator of numbers that look random and are the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn text(&mut self) -> String {
        const PARTS: &[&str] = &[
            "\\", "{", "}", "{{", "}}", "x", "name", "'", "\"", "\n", "\r\n", " ", ":", "#", "-", "$", "`", "é", "🦀",
            ",", "[", "]", "0", ".", "/", "---", "\t", "\u{1}", "!", "%", "&", "*", "|", ">", "yes",
        ];
        let length = self.next() % 12;
        (0..length)
            .map(|_| PARTS[(self.next() % PARTS.len() as u64) as usize])
            .collect()
    }
}

fn random_texts() -> impl Iterator<Item = String> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    (0..4000).map(move |_| random.text())
}

fn yaml(text: &str) -> Node {
    let source = Source::new(SourceId(0), ProjectPath::root(), text);
    let parsed = parse(&source, Format::Yaml);
    assert!(parsed.faults.is_empty(), "{text:?}: {:?}", parsed.faults);
    parsed.data.unwrap()
}

#[test]
fn a_shell_value_is_one_quoted_word() {
    assert_eq!(shell("it's").unwrap(), r"'it'\''s'");
    assert_eq!(shell("").unwrap(), "''");
    assert_eq!(shell("\"; rm -rf ~; echo \"").unwrap(), "'\"; rm -rf ~; echo \"'");
}

#[test]
fn a_word_with_anything_outside_its_quotes_is_not_read() {
    for text in ["a", "'a' b", "'a", "'a'b", "'a'\\\"", "$(a)", "'a';"] {
        assert_eq!(super::word(text), None, "{text}");
    }
}

#[test]
fn a_value_that_is_too_long_is_refused_by_name_and_limit() {
    let long = "a".repeat(MAX_BYTES + 1);
    assert!(shell(&long[..MAX_BYTES]).is_ok());
    let message = |error: EscapeError| error.of("summary").to_string();
    assert_eq!(
        message(shell(&long).unwrap_err()),
        "`summary` has 10241 bytes, the most that may enter a shell is 10240; shorten it or put it into a file"
    );
    assert!(message(path_part(&long).unwrap_err()).contains("may enter a path is 10240"));
    assert!(message(frontmatter(&long).unwrap_err()).contains("may enter frontmatter is 10240"));
    assert!(message(project_path(&long).unwrap_err()).starts_with("`summary` has 10241 bytes"));
}

#[test]
fn a_nul_byte_enters_nothing() {
    assert_eq!(shell("a\0b").unwrap_err().refusal, Refusal::Nul);
    assert_eq!(path_part("a\0b").unwrap_err().refusal, Refusal::Nul);
    assert_eq!(project_path("a\0b").unwrap_err().refusal, Refusal::Nul);
    assert_eq!(
        frontmatter("a\0b").unwrap_err().to_string(),
        "the value holds a NUL byte, which may not enter frontmatter; take it out"
    );
}

#[test]
fn backslashes_are_escaped_before_braces() {
    assert_eq!(template(r"a\{b}"), r"a\\\{b\}");
    assert_eq!(unescape_template(r"a\\\{b\} \n \"), r"a\{b} \n \");
}

#[test]
fn what_is_escaped_reads_back_the_same() {
    for value in NASTY.iter().map(|text| (*text).to_owned()).chain(random_texts()) {
        assert_eq!(unescape_template(&template(&value)), value, "{value:?}");
    }
}

#[test]
fn an_escaped_value_has_no_holes() {
    let all = |_: &str| Some(Known::from("filled"));
    for value in NASTY.iter().map(|text| (*text).to_owned()).chain(random_texts()) {
        let escaped = template(&value);
        assert_eq!(render::text(&escaped, &all), escaped, "{value:?}");
    }
}

#[test]
fn a_part_of_a_path_may_name_folders_below() {
    for value in ["a", "a/b.md", "é 1", ".hidden", "...", "a..b", "", "-x", "{x}", "ab:c"] {
        assert_eq!(path_part(value).as_deref(), Ok(value));
    }
}

#[test]
fn a_part_of_a_path_never_leads_elsewhere() {
    let refusal = |value: &str| path_part(value).unwrap_err().refusal;
    for value in ["..", "../a", "a/..", "a/../b", "a\\..\\b", "a/.. /b"] {
        assert_eq!(refusal(value), Refusal::Upwards, "{value}");
    }
    for value in ["/etc/passwd", "\\\\server\\share", "C:\\a", "c:/a", "c:"] {
        assert_eq!(refusal(value), Refusal::Absolute, "{value}");
    }
    assert_eq!(refusal("a\nb"), Refusal::Control('\n'));
    assert_eq!(
        path_part("a\u{7}").unwrap_err().of("slug").to_string(),
        "`slug` holds the control character U+0007, which may not enter a path; take it out"
    );
}

#[test]
fn a_path_stays_in_the_project() {
    assert_eq!(project_path("a/./b/../c.md").unwrap().as_str(), "a/c.md");
    for text in ["../a", "a/../../b", "/a", "C:/a"] {
        assert_eq!(project_path(text).unwrap_err().refusal, Refusal::Outside, "{text}");
    }
}

#[test]
fn plain_words_and_paths_are_not_quoted() {
    for value in [
        "in-progress",
        "docs/prd.md",
        "step-01-init.md",
        "Ada Lovelace",
        "a (b)",
        "https://a.b/c",
    ] {
        assert_eq!(yaml_scalar(value), value);
    }
}

#[test]
fn a_scalar_reads_back_as_the_same_text_with_two_readers() {
    for value in NASTY.iter().map(|text| (*text).to_owned()).chain(random_texts()) {
        let document = format!("before: 1\nkey: {}\nafter: 2\n", yaml_scalar(&value));
        let node = yaml(&document);
        assert_eq!(node.pairs().len(), 3, "{document}");
        assert_eq!(node.get("key").unwrap().value, Value::Text(value.clone()), "{document}");
        let other: serde_yaml::Value = serde_yaml::from_str(&document).unwrap();
        assert_eq!(other["key"].as_str(), Some(value.as_str()), "{document}");
    }
}

#[test]
fn a_scalar_keeps_its_text_inside_a_list_in_brackets() {
    for value in NASTY.iter().map(|text| (*text).to_owned()).chain(random_texts()) {
        let node = yaml(&format!("key: [{}, 2]\n", yaml_scalar(&value)));
        let items = node.get("key").unwrap().items().to_vec();
        assert_eq!(items.len(), 2, "{value:?}");
        assert_eq!(items[0].value, Value::Text(value));
    }
}

#[test]
fn single_quotes_keep_their_text_or_refuse_it() {
    for value in NASTY.iter().map(|text| (*text).to_owned()).chain(random_texts()) {
        if let Some(quoted) = single(&value) {
            assert_eq!(
                yaml(&format!("key: {quoted}\n")).get("key").unwrap().value,
                Value::Text(value)
            );
        }
    }
    assert_eq!(single("a\nb"), None);
}
