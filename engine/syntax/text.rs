//! Text in, the holes in it out: `{x}`, `{{x}}`, handlebars marks. Text is read once; a value never becomes syntax.

use crate::source::{ByteSet, Span, near_any, near_byte};
use std::ops::Range;

/// What kind of hole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HoleKind {
    /// `{x}`: a variable.
    Single,
    /// `{{x}}`: a variable if anything defines it, otherwise something the agent fills in.
    Double,
    /// `{{#if x}}`, `{{else}}`, `{{/if}}`, `{{@index}}`: a handlebars mark.
    Block,
    /// `{{.x}}`: a key of the configuration, put in before anybody reads the text.
    Rendered,
}

/// A hole in text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hole<'a> {
    /// What kind.
    pub kind: HoleKind,
    /// The name inside the braces, trimmed; that of a rendered one without its dot.
    pub name: &'a str,
    /// The whole hole with its braces.
    pub span: Span,
}

/// Finds the holes of `text`, which stands at `span`.
///
/// `${x}`, `${{ x }}` and `\{x}` are none, and neither is anything in single braces that is not one name.
pub fn holes(text: &str, span: Span) -> Vec<Hole<'_>> {
    let whole = |(kind, name, place): (HoleKind, _, Range<usize>)| Hole {
        kind,
        name,
        span: span.inner(place.start, place.end),
    };
    each_hole(text).map(whole).collect()
}

/// Finds the holes of `text` one by one: their kind, their name and their place in it.
pub(crate) fn each_hole(text: &str) -> impl Iterator<Item = (HoleKind, &str, Range<usize>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let open = at + near_byte(b'{', text.as_bytes().get(at..)?)?;
            let (end, hole) = brace(text, open);
            at = end;
            if let Some((kind, name, start)) = hole {
                return Some((kind, name, start..end));
            }
        }
    })
}

/// Splits `{config_source}:key` at the start of a value into the variable and the key read from it.
pub fn config_key(text: &str) -> Option<(&str, &str)> {
    let [b'{', inside @ ..] = text.as_bytes() else {
        return None;
    };
    let name = length_while(inside, is_name_byte);
    let [b'}', b':', rest @ ..] = &inside[name..] else {
        return None;
    };
    let (variable, key) = (text.get(1..=name)?, name + 3);
    let key = text.get(key..key + length_while(rest, is_name_byte))?;
    (is_name(variable) && !key.is_empty()).then_some((variable, key))
}

/// What kind of hole, its name, and where it starts.
type Found<'a> = (HoleKind, &'a str, usize);

/// Reads what the brace at `open` starts; tells where reading goes on.
fn brace(text: &str, open: usize) -> (usize, Option<Found<'_>>) {
    let bytes = text.as_bytes();
    // Nearly all are one name in single braces, and nothing before them says otherwise.
    let marked = matches!(bytes[..open].last(), Some(b'\\' | b'$'));
    if !marked && let Some(found) = plain(text, open) {
        return found;
    }
    let run = length_while(bytes.get(open..).unwrap_or(&[]), |byte| byte == b'{');
    let inside = open + run;
    let before = bytes.get(..open).unwrap_or(&[]);
    if is_escaped(before) {
        return (inside, None);
    }
    if before.last() == Some(&b'$') {
        return (shell_end(bytes, inside, run).unwrap_or(inside), None);
    }
    let close = if run == 1 {
        single_end(text, inside)
    } else {
        double_end(bytes, inside)
    };
    let Some(close) = close else {
        return (inside, None);
    };
    let closing = match run {
        1 => 1,
        2 => 2,
        _ if bytes.get(close + 2) == Some(&b'}') => 3,
        _ => 2,
    };
    let end = close + closing;
    let name = text.get(inside..close).unwrap_or("");
    if run == 1 {
        return (end, Some((HoleKind::Single, name, open)));
    }
    let name = name.trim();
    if name.is_empty() {
        return (end, None);
    }
    let (kind, name) = classify(name);
    (end, Some((kind, name, inside - closing)))
}

/// Reads one name in single or double braces at `open`, with nothing around the name and nothing before the braces that
/// says otherwise.
fn plain(text: &str, open: usize) -> Option<(usize, Option<Found<'_>>)> {
    let bytes = text.as_bytes();
    if bytes.get(open + 1) != Some(&b'{') {
        let close = single_end(text, open + 1)?;
        return Some((close + 1, Some((HoleKind::Single, &text[open + 1..close], open))));
    }
    let close = single_end(text, open + 2)?;
    if bytes.get(close + 1) != Some(&b'}') {
        return None;
    }
    let name = &text[open + 2..close];
    let kind = match name {
        "else" | "this" => HoleKind::Block,
        _ if name.starts_with("this.") => HoleKind::Block,
        _ => HoleKind::Double,
    };
    Some((close + 2, Some((kind, name, open))))
}

/// Says whether the backslashes at the end of `before` escape what follows them.
fn is_escaped(before: &[u8]) -> bool {
    let slashes = before.iter().rev().take_while(|byte| **byte == b'\\').count();
    slashes % 2 == 1
}

/// Finds the end of `${x}` or `${{ x }}`.
fn shell_end(bytes: &[u8], inside: usize, run: usize) -> Option<usize> {
    if run > 1 {
        return Some(double_end(bytes, inside)? + 2);
    }
    let rest = bytes.get(inside..)?;
    let stop = near_any(b'{', b'}', b'\n', rest)?;
    (rest.get(stop) == Some(&b'}')).then_some(inside + stop + 1)
}

/// Finds the `}` right behind one name.
fn single_end(text: &str, inside: usize) -> Option<usize> {
    let rest = text.as_bytes().get(inside..)?;
    let begins = rest.first().is_some_and(|first| begins_name(*first));
    let length = if begins { length_while(rest, is_name_byte) } else { 0 };
    (length > 0 && rest.get(length) == Some(&b'}')).then_some(inside + length)
}

/// Finds the `}}` that closes what starts at `inside`: before the next `{{` and before a blank line.
fn double_end(bytes: &[u8], inside: usize) -> Option<usize> {
    let mut at = inside;
    let mut nested = false;
    loop {
        at += near_any(b'{', b'}', b'\n', bytes.get(at..)?)?;
        let here = bytes.get(at);
        let doubled = bytes.get(at + 1) == here;
        match here {
            Some(b'{') if doubled => return None,
            Some(b'{') => nested = true,
            // In `{{a_{n}}}` the first brace closes the inner name.
            Some(b'}') if nested => nested = false,
            Some(b'}') if doubled => return Some(at),
            Some(b'\n') if is_blank_line(bytes.get(at + 1..)?) => return None,
            _ => {}
        }
        at += 1;
    }
}

fn is_blank_line(rest: &[u8]) -> bool {
    let blanks = length_while(rest, |byte| matches!(byte, b' ' | b'\t' | b'\r'));
    matches!(rest.get(blanks), None | Some(b'\n'))
}

fn classify(inside: &str) -> (HoleKind, &str) {
    let bare = inside.trim_matches('~').trim();
    let first = bare.split([' ', '\t', '\n']).next().unwrap_or("");
    let is_word = matches!(first, "else" | "this") || first.starts_with("this.") || (first == "if" && bare != first);
    if is_word || bare.starts_with(['#', '/', '^', '@', '>', '!']) {
        return (HoleKind::Block, inside);
    }
    match inside.strip_prefix('.') {
        Some(name) if is_name(name) => (HoleKind::Rendered, name),
        _ => (HoleKind::Double, inside),
    }
}

/// Says whether a text can be the name of a variable: in braces it is read as one.
pub(crate) fn is_name(text: &str) -> bool {
    let starts = text.bytes().next().is_some_and(begins_name);
    starts && text.bytes().all(is_name_byte)
}

#[inline]
fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

#[inline]
fn is_name_byte(byte: u8) -> bool {
    NAME_BYTES.has(byte)
}

/// The bytes of names: nearly every hole is read by them.
static NAME_BYTES: ByteSet = ByteSet::of(b"_.-").and_alphanumeric();

#[inline]
fn length_while(bytes: &[u8], holds: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| !holds(*byte)).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::{HoleKind, config_key, holes};
    use crate::source::{SourceId, Span};

    fn named(text: &str) -> Vec<(HoleKind, String)> {
        let found = holes(text, Span::new(SourceId(0), 0, text.len()));
        found
            .into_iter()
            .map(|hole| (hole.kind, hole.name.to_owned()))
            .collect()
    }

    fn of(kind: HoleKind, text: &str) -> Vec<String> {
        let found = named(text);
        assert!(found.iter().all(|(other, _)| *other == kind), "{found:?}");
        found.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn one_name_in_braces_is_a_variable() {
        let text = "{project-root}/{workflow.path}/x_{n}, {_a}{B}";
        assert_eq!(
            of(HoleKind::Single, text),
            ["project-root", "workflow.path", "n", "_a", "B"]
        );
    }

    #[test]
    fn anything_else_in_single_braces_is_text() {
        for text in [
            "{a, b}",
            "{\"a\": 1}",
            "{ x }",
            "{1}",
            "{}",
            "{a\nb}",
            "{@x}",
            "{a",
            "a}",
            "{x y}",
            "{é}",
            "}{",
        ] {
            assert_eq!(named(text), [], "{text}");
        }
    }

    #[test]
    fn a_variable_inside_other_braces_is_found() {
        assert_eq!(of(HoleKind::Single, "{\"a\": {x}}"), ["x"]);
    }

    #[test]
    fn double_braces_hold_a_name_words_or_a_choice() {
        let text = "{{a}} {{ b.c }} {{a free text hole}} {{x|y|z}} {{two\nlines}} {{{raw}}}";
        let names = ["a", "b.c", "a free text hole", "x|y|z", "two\nlines", "raw"];
        assert_eq!(of(HoleKind::Double, text), names);
    }

    #[test]
    fn double_braces_may_hold_a_variable() {
        assert_eq!(
            of(HoleKind::Double, "{{epic_{n}}} {{see {x} there}}"),
            ["epic_{n}", "see {x} there"]
        );
    }

    #[test]
    fn double_braces_end_before_a_blank_line() {
        assert_eq!(named("{{a\n \r\nb}}"), []);
        assert_eq!(of(HoleKind::Double, "{{open {{b}}"), ["b"]);
        assert_eq!(named("{{}} {{ }} {{a} }"), []);
    }

    #[test]
    fn handlebars_marks_are_blocks() {
        let text = "{{#if a == \"b\"}}{{else}}{{/if}}{{^x}}{{@index + 1}}{{this}}{{this.y}}{{if n > 0}}{{else if m}}{{~/each~}}";
        assert_eq!(of(HoleKind::Block, text).len(), 10);
        assert_eq!(of(HoleKind::Double, "{{if_any}} {{elsewhere}} {{thisone}}").len(), 3);
    }

    #[test]
    fn a_dot_before_the_name_is_rendered_early() {
        assert_eq!(of(HoleKind::Rendered, "{{.name}} {{ .a-b }}"), ["name", "a-b"]);
        assert_eq!(of(HoleKind::Double, "{{...}}"), ["..."]);
    }

    #[test]
    fn shell_and_action_expressions_are_text() {
        let text = "${x} ${{ secrets.KEY }} ${a:-b} ${{ format('{0}', x) }} $ {y}";
        assert_eq!(of(HoleKind::Single, text), ["y"]);
        assert_eq!(of(HoleKind::Single, "${open {y}"), ["y"]);
    }

    #[test]
    fn a_backslash_makes_a_brace_text() {
        assert_eq!(named(r"\{x} \{{y}}"), []);
        assert_eq!(of(HoleKind::Single, r"\\{x}"), ["x"]);
    }

    #[test]
    fn a_hole_knows_its_bytes() {
        let text = "é {{{a}}} {{{b}} {c}";
        let base = Span::new(SourceId(7), 100, 100 + text.len());
        let places: Vec<&str> = holes(text, base)
            .iter()
            .map(|hole| &text[hole.span.start as usize - 100..hole.span.end as usize - 100])
            .collect();
        assert_eq!(places, ["{{{a}}}", "{{b}}", "{c}"]);
    }

    #[test]
    fn braces_without_end_are_read_once() {
        for text in ["{{ ", "{", "${", "{{ { ", "{a", "${{ ", "\\{", "{{a}", "}{{\n"] {
            assert!(holes(&text.repeat(200_000), Span::default()).len() <= 200_000);
        }
    }

    #[test]
    fn a_config_key_is_split_from_its_source() {
        assert_eq!(
            config_key("{config_source}:user_name"),
            Some(("config_source", "user_name"))
        );
        assert_eq!(
            config_key("{config_source}:output_folder/a"),
            Some(("config_source", "output_folder"))
        );
    }

    #[test]
    fn other_values_have_no_config_key() {
        for text in [
            "x",
            "{config_source}",
            "{config_source}:",
            "{config_source}: a",
            "{{a}}:b",
            "a {b}:c",
            "{a b}:c",
        ] {
            assert_eq!(config_key(text), None, "{text}");
        }
    }
}
