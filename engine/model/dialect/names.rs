//! What gives names a value: keys, frontmatter, assignments, sections, answers, results.

use crate::model::instruction::{Act, Instruction, SetFrom, Words, visit};
use crate::model::library::Document;
use crate::model::lift::{Lift, LiftKind};
use crate::model::names::is_system;
use crate::model::workflow::{DefinedBy, Definition, RepeatKind, Workflow};
use crate::source::{ByteSet, Source, Span, near_either, near_last};
use crate::syntax::{Node, Value};

/// Adds what the instructions of a workflow give a value to.
pub(super) fn add_assigned(workflow: &mut Workflow) {
    let mut found = Vec::new();
    for step in workflow.all_steps() {
        if let Some(repeat) = &step.repeat {
            each(&repeat.kind, repeat.span, &mut found);
        }
        visit(&step.body, &mut |instruction| assigned(instruction, &mut found));
    }
    workflow.definitions.append(&mut found);
}

/// Returns what lifted words give a value to.
fn lifted(lift: &Lift) -> Option<Definition> {
    match &lift.kind {
        LiftKind::Set {
            name,
            value,
            value_span,
        } => Some(Definition {
            value: Some(value.clone()),
            value_span: *value_span,
            ..plain(name, DefinedBy::Assignment, lift.span)
        }),
        LiftKind::Store { name } => Some(plain(name, DefinedBy::Assignment, lift.span)),
        LiftKind::Goto { .. }
        | LiftKind::Section { .. }
        | LiftKind::Halt { .. }
        | LiftKind::Exit
        | LiftKind::Return
        | LiftKind::Follow { .. }
        | LiftKind::Skill { .. }
        | LiftKind::Ask
        | LiftKind::Wait => None,
    }
}

fn assigned(instruction: &Instruction, found: &mut Vec<Definition>) {
    match &instruction.act {
        Act::Do { lifts, .. } => found.extend(lifts.iter().filter_map(lifted)),
        Act::Ask(ask) => named(ask.into.as_ref(), DefinedBy::Answer, found),
        Act::Menu(menu) => named(menu.into.as_ref(), DefinedBy::Answer, found),
        Act::Produce(produce) => {
            for name in &produce.names {
                named(Some(name), DefinedBy::Section, found);
            }
        }
        Act::Set { name, value, from } => found.push(Definition {
            value: (*from == SetFrom::Value || value.text.is_empty()).then(|| value.text.clone()),
            value_span: value.span,
            ..plain(&name.text, DefinedBy::Assignment, name.span)
        }),
        Act::Invoke(invoke) => named(invoke.into.as_ref(), DefinedBy::Result, found),
        Act::Dispatch(dispatch) => named(dispatch.into.as_ref(), DefinedBy::Result, found),
        Act::Run(run) => named(run.into.as_ref(), DefinedBy::Result, found),
        Act::Collect(collect) => {
            named(Some(&collect.into), DefinedBy::Result, found);
            named(collect.failed.as_ref(), DefinedBy::Result, found);
        }
        Act::Parallel(parallel) => {
            named(parallel.into.as_ref(), DefinedBy::Result, found);
            let item = parallel.each.iter().map(|(item, _)| item);
            found.extend(
                item.chain(&parallel.index)
                    .map(|name| plain(name, DefinedBy::Loop, instruction.span)),
            );
        }
        Act::Loop { repeat, index, .. } => {
            each(&repeat.kind, repeat.span, found);
            if let Some(index) = index {
                found.push(plain(index, DefinedBy::Loop, repeat.span));
            }
        }
        Act::Check { .. }
        | Act::Show { .. }
        | Act::Rule { .. }
        | Act::Elicit
        | Act::Goto { .. }
        | Act::Anchor { .. }
        | Act::Group { .. }
        | Act::Return { .. }
        | Act::Halt { .. } => {}
    }
}

fn each(kind: &RepeatKind, span: Span, found: &mut Vec<Definition>) {
    if let RepeatKind::Each { item, .. } = kind {
        found.push(plain(item, DefinedBy::Loop, span));
    }
}

fn named(words: Option<&Words>, by: DefinedBy, found: &mut Vec<Definition>) {
    if let Some(words) = words {
        found.push(plain(&words.text, by, words.span));
    }
}

/// Makes a definition without a value; braces around the name are dropped.
fn plain(name: &str, by: DefinedBy, span: Span) -> Definition {
    Definition {
        name: name.trim_matches(['{', '}', '`', '"', '\'']).trim().to_owned(),
        by,
        span,
        value: None,
        value_span: span,
    }
}

/// Returns what the frontmatter of a file defines.
pub(super) fn frontmatter(document: &Document) -> Vec<Definition> {
    matter(document)
        .map(|data| keys(data, DefinedBy::Frontmatter, &document.source))
        .unwrap_or_default()
}

/// Returns the value that the frontmatter of a file gives the first name of what is next, and its place.
pub(super) fn next(document: &Document) -> Option<(String, Span)> {
    let pair = matter(document)?
        .pairs()
        .iter()
        .find(|pair| pair.key.starts_with("next"))?;
    Some((value(&pair.node)?, pair.node.inner(&document.source)))
}

/// Says whether the frontmatter of a file names just one thing that is next.
pub(super) fn has_one_next(document: &Document) -> bool {
    let pairs = matter(document).map_or(&[][..], |data| data.pairs());
    pairs.iter().filter(|pair| pair.key.starts_with("next")).count() == 1
}

fn matter(document: &Document) -> Option<&Node> {
    document.parsed.frontmatter.as_ref()?.data.as_ref()
}

/// Returns what the keys of a map define.
pub(super) fn keys(data: &Node, by: DefinedBy, source: &Source) -> Vec<Definition> {
    data.pairs()
        .iter()
        .map(|pair| Definition {
            name: pair.key.clone(),
            by,
            span: pair.key_span,
            value: value(&pair.node),
            value_span: pair.node.inner(source),
        })
        .collect()
}

fn value(node: &Node) -> Option<String> {
    node.text().map(str::to_owned).or_else(|| flag(&node.value))
}

fn flag(value: &Value) -> Option<String> {
    match value {
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Number(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => None,
    }
}

/// Adds the names that prose gives a value to in backticks: "`x` = …", "- `x`: …", "`x`, `y`" after "resolve", "bind `{x}`
/// to …". An item of a list that gives the value itself is a key: "- `x` = `value`".
pub(super) fn told(source: &Source, body: Span, found: &mut Vec<Definition>) {
    let text = source.slice(body);
    let mut at = 0;
    // Behind such a name the next one stands far away.
    while let Some(open) = memchr::memchr(b'`', &text.as_bytes()[at..]) {
        let start = at + open + 1;
        let Some(length) = near_either(b'`', b'\n', &text.as_bytes()[start..]) else {
            break;
        };
        let end = start + length;
        at = end + 1;
        let is_closed = text[end..].starts_with('`');
        let bound = || bound(text, start, end).filter(|_| is_closed);
        let (start, end) = bound().unwrap_or((start, end));
        let name = &text[start..end];
        if is_name(name) && is_closed {
            let span = body.inner(start, end);
            let mut definition = Definition {
                name: name.to_owned(),
                by: DefinedBy::Prose,
                span,
                value: None,
                value_span: span,
            };
            if let Some((from, to)) = given(text, start - 1, end + 1).filter(|_| !is_made(name)) {
                definition.value_span = body.inner(from, to);
                definition.value = Some(text[from..to].to_owned());
                disagree(&mut definition, found);
            }
            found.push(definition);
        }
    }
}

/// Finds a name in braces, between two backticks, that a sentence gives a value in words: "bind `{x}` to …", "`{x}` → …".
fn bound(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let inside = text[start..end].strip_prefix('{')?;
    inside.strip_suffix('}')?;
    let behind = text[end..].strip_prefix('`')?.trim_start_matches([' ', '*']);
    let before = text[..start - 1].trim_end_matches([' ', '*']);
    let verb = before.rsplit(|at: char| !at.is_alphanumeric()).next().unwrap_or("");
    let is_bound = behind.starts_with('→') || verb.eq_ignore_ascii_case("bind") && behind.starts_with("to ");
    is_bound.then_some((start + 1, end - 1))
}

/// Finds the value that an item of a list gives the name between two places: in backticks or quotes, with nothing but a
/// remark in parentheses behind it.
fn given(text: &str, open: usize, close: usize) -> Option<(usize, usize)> {
    // Behind most names stands something else.
    if !text[close..].trim_start().starts_with('=') {
        return None;
    }
    let line = near_last(b'\n', &text.as_bytes()[..open]).map_or(0, |at| at + 1);
    if !matches!(text[line..open].trim(), "-" | "*" | "+") {
        return None;
    }
    let rest = text[close..].split('\n').next().unwrap_or_default();
    let value = rest.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|quote| matches!(quote, '`' | '"'))?;
    let (inside, behind) = value[1..].split_once(quote)?;
    let behind = behind.trim_start();
    if !behind.is_empty() && !behind.starts_with('(') {
        return None;
    }
    let start = close + rest.len() - value.len() + 1 + inside.len() - inside.trim_start().len();
    let inside = inside.trim();
    match inside.strip_prefix('"').and_then(|inside| inside.strip_suffix('"')) {
        Some(bare) => Some((start + 1, start + 1 + bare.len())),
        None => Some((start, start + inside.len())),
    }
}

/// Says whether a name has its value from the engine whatever a file says.
fn is_made(name: &str) -> bool {
    is_system(name) && name != "default_output_file"
}

/// Takes the values off a name that prose gives different ones: they are cases, and none of them is its value.
fn disagree(definition: &mut Definition, found: &mut [Definition]) {
    // What has lost its value still says where it stands.
    let is_given = |other: &Definition| other.by == DefinedBy::Prose && other.value_span != other.span;
    let named = |other: &&mut Definition| other.name == definition.name && is_given(other);
    let value = definition.value.clone();
    for other in found.iter_mut().filter(named).filter(|other| other.value != value) {
        other.value = None;
        definition.value = None;
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.len() < 60 && text.bytes().all(|byte| NAME.has(byte))
}

/// The bytes of names.
static NAME: ByteSet = ByteSet::of(b"_-").and_alphanumeric();

#[cfg(test)]
mod tests {
    use super::told;
    use crate::source::{ProjectPath, Source, SourceId};

    /// Lists the names that a text defines, with their values.
    fn values(text: &str) -> Vec<String> {
        let source = Source::new(SourceId(0), ProjectPath::new("a.md").unwrap(), text);
        let mut found = Vec::new();
        told(&source, source.span(0, text.len()), &mut found);
        let valued = found.into_iter().filter_map(|each| Some((each.name, each.value?)));
        valued.map(|(name, value)| format!("{name}={value}")).collect()
    }

    #[test]
    fn an_item_of_a_list_gives_a_name_its_value() {
        let text = "- `a` = `{out}/a.md`\n  * `b` = \"\" (asked for)\n+ `c` = `` (found where empty)\n- `d`=`\"\"`\n- `e` = ` x `";
        assert_eq!(values(text), ["a={out}/a.md", "b=", "c=", "d=", "e=x"]);
        assert_eq!(values("- `default_output_file` = `a.md`"), ["default_output_file=a.md"]);
    }

    #[test]
    fn a_name_in_braces_is_given_a_value_where_it_is_bound() {
        let names = |text: &str| {
            let source = Source::new(SourceId(0), ProjectPath::new("a.md").unwrap(), text);
            let mut found = Vec::new();
            told(&source, source.span(0, text.len()), &mut found);
            found.into_iter().map(|each| each.name).collect::<Vec<_>>()
        };
        assert_eq!(
            names("Bind `{a}` to the folder. - `{b}` → the run's, **`{c}`** → x"),
            ["a", "b", "c"]
        );
        for text in [
            "Read `{a}` to the end",
            "`{a}`",
            "bind `{a}`",
            "`{a` → b",
            "to `{a}/b` → c",
        ] {
            assert_eq!(names(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn words_conditions_and_cases_give_none() {
        for text in [
            "If `a` = `x`",
            "- If `a` = `x`, go on",
            "- `a` = `x`: go on",
            "- `a` = `x` or `y`",
            "- `a` = the value of step 1",
            "- `a`: `x`",
            "- `a` = `x",
            "- `installed_path` = `x`",
            "- `a` = `x`\n- `a` = `y`\n- `a` = `z`",
        ] {
            assert_eq!(values(text), [""; 0], "{text}");
        }
    }
}
