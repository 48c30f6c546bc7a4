//! What a YAML file reads as, and what happens to one that is broken or hostile.

mod plain;

use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{Fault, FaultKind, Format, Node, Parsed, Value, parse};

/// Samples of our own, each read by a second parser too.
const SAMPLES: [&str; 28] = [
    "a: 1\nb: two\nc: 'three'\nd: \"fo\\\"ur\"\n",
    "# head\n---\n# more\nstatus:\n  epic-1: backlog # later\n  1-1-login: done\n",
    "list:\n- a\n- b: 1\n  c: 2\n-\n- - x\n  - y\n",
    "a: [1, -2.5, true, null, ~, 'x', {k: v, l: [m]}]\n",
    "text: |\n  one\n    two\n\n  three\nmore: >-\n  folded\n  line\n\n  next\nkeep: |+\n  x\n\nend: 1\n",
    "plain: several words\n  over two lines\nnext: x\n",
    "base: &b\n  k: v\n  l: [1, 2]\nuse: *b\nagain: [*b, *b]\n",
    "n: null\nt: !!str 5\ni: !!int '7'\ne:\nf: ''\n",
    "é: ü\n日本: [語, \"ß\"] # ö\nz: 'ж'\n",
    "path: \"{project-root}/x\"\nkey: '{config_source}:name'\nid: {a: b}\n",
    "when: 2025-01-02\ntime: 12:30\nversion: 1.2.3\nhex: 0x1F\noct: 0o17\nexp: 1e3\n",
    "? complex\n: value\n'quoted key': 1\n\"other\": 2\n",
    "a: \"line\\\n  joined\"\nb: \"tab\\tend\"\nc: 'it''s'\n",
    "- [a, [b, [c]]]\n- {a: {b: {c: d}}}\n",
    "a: b\r\nc: |\r\n  d\r\n  e\r\nf: 'g'\r\n",
    "",
    "# only a comment\n",
    "just words",
    "a: 'x\nb: 1\n",
    "a: b: c\n",
    "a: [1, 2\nb: 3\n",
    "é:\n  a: [\n    b,\n    {c: d}\n  ]\n  e: {\n  f: g\n  }\nh: 1\n",
    "a: [\r\nb c,\r\n\r\nd\r\n]\r\ne: |\r\n  ]\r\n",
    "a:\n  b: [\n    c\n  ]]\nd: 1\n",
    "- a: {\n}\n- b\n",
    "a: {x}/y\n",
    "a: *nobody\n",
    "a:\n\t- tab\n",
];

fn source(text: &str) -> Source {
    Source::new(SourceId(0), ProjectPath::root(), text)
}

fn read(text: &str) -> (Source, Parsed) {
    let source = source(text);
    let parsed = parse(&source, Format::Yaml);
    (source, parsed)
}

/// Returns the value at `path` with the text under its span.
fn written(text: &str, path: &str) -> String {
    let (source, parsed) = read(text);
    let mut node = parsed.data.as_ref().unwrap();
    for key in path.split('/') {
        node = match key.parse::<usize>() {
            Ok(number) => &node.items()[number],
            Err(_) => node.get(key).unwrap(),
        };
    }
    source.slice(node.span).to_owned()
}

fn kinds(faults: &[Fault]) -> Vec<FaultKind> {
    faults.iter().map(|fault| fault.kind).collect()
}

/// Turns what a second parser read into ours, without places.
fn plain(value: &serde_yaml::Value) -> Value {
    let node = |value| Node {
        value: plain(value),
        span: Default::default(),
    };
    match value {
        serde_yaml::Value::Null => Value::Null,
        serde_yaml::Value::Bool(truth) => Value::Bool(*truth),
        serde_yaml::Value::Number(number) => Value::Number(number.to_string()),
        serde_yaml::Value::String(text) => Value::Text(text.clone()),
        serde_yaml::Value::Sequence(items) => Value::List(items.iter().map(node).collect()),
        serde_yaml::Value::Mapping(pairs) => Value::Map(
            pairs
                .iter()
                .map(|(key, value)| crate::syntax::Pair {
                    key: key.as_str().unwrap().to_owned(),
                    key_span: Default::default(),
                    node: node(value),
                })
                .collect(),
        ),
        serde_yaml::Value::Tagged(tagged) => plain(&tagged.value),
    }
}

/// Removes places, and writes numbers the way the second parser does.
fn bare(node: &Node) -> Value {
    let inner = |node: &Node| Node {
        value: bare(node),
        span: Default::default(),
    };
    match &node.value {
        Value::Number(text) => Value::Number(serde_yaml::from_str::<serde_yaml::Number>(text).unwrap().to_string()),
        Value::List(items) => Value::List(items.iter().map(inner).collect()),
        Value::Map(pairs) => Value::Map(
            pairs
                .iter()
                .map(|pair| crate::syntax::Pair {
                    key: pair.key.clone(),
                    key_span: Default::default(),
                    node: inner(&pair.node),
                })
                .collect(),
        ),
        other => other.clone(),
    }
}

#[test]
fn two_parsers_agree_on_every_sample() {
    for text in SAMPLES {
        let (_, parsed) = read(text);
        match serde_yaml::from_str::<serde_yaml::Value>(text) {
            Ok(value) => {
                assert!(parsed.faults.is_empty(), "{text}: {:?}", parsed.faults);
                assert_eq!(parsed.data.as_ref().map_or(Value::Null, bare), plain(&value), "{text}");
            }
            Err(error) => assert_eq!(kinds(&parsed.faults), [FaultKind::BadYaml], "{text}: {error}"),
        }
    }
}

#[test]
fn a_place_covers_the_value_and_nothing_else() {
    let text = "é: ü  # ö\nq: \"a ü\"   # x\ns: 'it''s' \nt: &x !!str 'y' # z\nl: [ 'a', b ]  # c\n";
    let places = ["é", "q", "s", "t", "l", "l/0", "l/1"].map(|path| written(text, path));
    assert_eq!(places, ["ü", "\"a ü\"", "'it''s'", "'y'", "[ 'a', b ]", "'a'", "b"]);
}

#[test]
fn brackets_may_close_where_their_key_stands() {
    let text = "é:\n  a: [\n    'b',\n    c\n  ]\n  d: 'e'\n";
    let (_, parsed) = read(text);
    assert!(parsed.faults.is_empty());
    let places = ["é/a/0", "é/a/1", "é/d"].map(|path| written(text, path));
    assert_eq!(places, ["'b'", "c", "'e'"]);
}

#[test]
fn a_block_text_stands_below_its_header() {
    let text = "a: |\n  | é |\n\n  end\n\nb: &x >-  # note\n\n   folded\n   text\nc: |\nd: |+\n\ne: 1\n";
    let places = ["a", "b", "c", "d", "e"].map(|path| written(text, path));
    assert_eq!(places, ["| é |\n\n  end", "folded\n   text", "", "", "1"]);
}

#[test]
fn a_map_or_list_reaches_from_its_first_to_its_last_value() {
    let text = "m:\n  a: 1\n  b: 'x'  # note\n\n# next\nl:\n- 1\n-   two\nn: &y\n  c: d\n";
    let places = ["m", "l", "n"].map(|path| written(text, path));
    assert_eq!(places, ["a: 1\n  b: 'x'", "- 1\n-   two", "c: d"]);
}

#[test]
fn a_missing_value_stands_behind_its_colon() {
    let (source, parsed) = read("a:\nb: 1\n");
    let data = parsed.data.unwrap();
    let nothing = data.get("a").unwrap();
    assert_eq!((nothing.span.start, source.slice(nothing.span)), (2, ""));
}

#[test]
fn places_stay_exact_far_into_a_long_file_of_wide_characters() {
    let text: String = (0..500)
        .map(|n| format!("a{n}: 'äöü'\nb{n}: \"значение\" # ☃\n"))
        .collect();
    let (source, parsed) = read(&text);
    assert!(parsed.faults.is_empty());
    for pair in parsed.data.unwrap().pairs() {
        assert_eq!(source.slice(pair.key_span), pair.key);
        assert_eq!(source.slice(pair.node.inner(&source)), pair.node.text().unwrap());
    }
}

#[test]
fn the_first_document_that_says_anything_counts() {
    let (_, parsed) = read("# only words\n---\n# none\n---\na: 1\n---\na: 2\n");
    assert_eq!(parsed.data.unwrap().get("a").unwrap().text(), Some("1"));
    let (_, parsed) = read("a: 1\n---\nb: [\n");
    assert_eq!(kinds(&parsed.faults), [FaultKind::BadYaml]);
    assert!(parsed.data.unwrap().get("a").is_some());
}

#[test]
fn what_was_read_before_an_error_is_kept() {
    let (source, parsed) = read("a: 1\nb:\n  c:\n  - 2\n  - d: 3\n    e: 'open\n");
    assert_eq!(kinds(&parsed.faults), [FaultKind::BadYaml]);
    assert_eq!(source.slice(parsed.faults[0].span), "'open");
    let data = parsed.data.unwrap();
    let list = data.get("b").unwrap().get("c").unwrap();
    assert_eq!(list.items()[1].get("d").unwrap().text(), Some("3"));
}

#[test]
fn an_error_names_its_key_and_says_what_to_write() {
    let reasons = [
        ("a: 'x'\nwho: @me\n", "`who`: a value cannot start with `@`; quote it"),
        ("a: b: c\n", "`a`: an unquoted value cannot hold `: `; quote it"),
        (
            "a: \"C:\\path\"\n",
            r"`a`: `\` starts an escape inside double quotes; write `\\`, or use single quotes",
        ),
        ("a:\n\t- b\n", "`a`: a tab in the indentation; use spaces"),
        (
            "a: 'x' y\n",
            "`a`: text after the closing `'`; inside single quotes an apostrophe is written `''`",
        ),
        (
            "a: \"x\nb: 1\n",
            "`a`: the closing `\"` is missing, or the next line of the text is not indented",
        ),
        (
            "a:\n  - {x}/y\n",
            "`a`: an unquoted `{` starts a map or list, and this one does not end with it; quote the value",
        ),
        ("a: [1, 2\nb: 3\n", "`b`: a `[` or `{` before this is not closed"),
        (
            "- a\nb: 1\n",
            "`b`: while parsing a block collection, did not find expected '-' indicator",
        ),
    ];
    for (text, reason) in reasons {
        assert_eq!(read(text).1.faults[0].detail, reason, "{text}");
    }
}

#[test]
fn a_repeated_key_points_at_both_places() {
    let many: String = (0..20).map(|n| format!("k{n}: 1\n")).collect();
    for text in ["x:\n  a: 1\n  b: 2\n  a: 3\n".to_owned(), format!("a: 1\n{many}a: 3\n")] {
        let (source, parsed) = read(&text);
        assert_eq!(kinds(&parsed.faults), [FaultKind::DuplicateKey]);
        let fault = &parsed.faults[0];
        assert_eq!((fault.detail.as_str(), source.slice(fault.span)), ("a", "a"));
        assert!(fault.related.unwrap().start < fault.span.start);
    }
}

#[test]
fn comments_to_the_engine_are_kept_and_others_are_not() {
    let text = "# bmad: allow(a)\n# other\nx: 1 # bmad: allow(b)\ny: |\n  # bmad: no\nz: 'q # bmad: no'\nw#bmad: 1\n";
    let (source, parsed) = read(text);
    let comments: Vec<&str> = parsed.comments.iter().map(|span| source.slice(*span)).collect();
    assert_eq!(comments, [" bmad: allow(a)", " bmad: allow(b)"]);
}

#[test]
fn an_alias_inside_its_own_anchor_is_refused() {
    let (_, parsed) = read("a: &x [1, *x]\n");
    assert_eq!(parsed.faults[0].detail, "`*x` stands inside what it names");
}

#[test]
fn aliases_that_unfold_without_end_are_stopped() {
    let mut text = "a: &a [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (name, before) in ('b'..='i').zip('a'..) {
        text += &format!("{name}: &{name} [{}]\n", vec![format!("*{before}"); 10].join(", "));
    }
    let (_, parsed) = read(&text);
    assert_eq!(kinds(&parsed.faults), [FaultKind::AliasBomb]);
    assert!(parsed.data.unwrap().get("b").is_some());
}

#[test]
fn aliases_cannot_stack_depth_past_the_cap() {
    let nest = |inside: &str| "[".repeat(200) + inside + &"]".repeat(200);
    let (_, parsed) = read(&format!("a: &a {}\nb: {}\n", nest("1"), nest("*a")));
    assert_eq!(kinds(&parsed.faults), [FaultKind::NestedTooDeep]);
}

#[test]
fn deep_nesting_is_stopped() {
    let sequences = "[".repeat(100_000);
    let hyphens = "- ".repeat(100_000);
    let maps = "{a: ".repeat(100_000);
    let keys = "? ".repeat(100_000);
    for text in [sequences, hyphens, maps, keys] {
        assert_eq!(kinds(&read(&text).1.faults), [FaultKind::NestedTooDeep]);
    }
}

#[test]
fn more_values_than_the_cap_are_not_kept() {
    for text in [
        "- a\n".repeat(300_000),
        format!("[{}", "a,".repeat(300_000)),
        format!("a: [{}", "*b ".repeat(300_000)),
    ] {
        let (_, parsed) = read(&text);
        assert!(matches!(
            kinds(&parsed.faults)[..],
            [FaultKind::FileTooLarge | FaultKind::BadYaml]
        ));
    }
}

#[test]
fn no_change_to_a_sample_makes_it_panic_or_misplace_a_value() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let pieces: Vec<char> = "{}[]:,-?#&*!|>'\"%@`~<= \t\n\r\\é☃ax0.".chars().collect();
    for round in 0..6_000 {
        let mut text: Vec<char> = SAMPLES[round % SAMPLES.len()].chars().collect();
        for _ in 0..=next(4) {
            let at = next(text.len() + 1);
            match next(3) {
                0 => text.insert(at, pieces[next(pieces.len())]),
                1 if at < text.len() => drop(text.remove(at)),
                _ => text.truncate(at.max(1)),
            }
        }
        let text: String = text.into_iter().collect();
        let (source, parsed) = read(&text);
        let mut open: Vec<&Node> = parsed.data.iter().collect();
        while let Some(node) = open.pop() {
            assert!(source.text().get(node.span.range()).is_some(), "{text:?} {node:?}");
            if let Value::Number(number) = &node.value {
                assert!(source.slice(node.span).contains(number.as_str()), "{text:?} {node:?}");
            }
            open.extend(node.items());
            open.extend(node.pairs().iter().map(|pair| &pair.node));
        }
        assert!(
            parsed
                .faults
                .iter()
                .all(|fault| source.text().get(fault.span.range()).is_some()),
            "{text:?}"
        );
    }
}
