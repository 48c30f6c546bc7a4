//! Loops: the items they go over, another pass, and the way out.

use super::code::{Code, Op, Pc};
use super::end::EndKind;
use super::lane::Pass;
use super::walk::{Flow, Walk};
use crate::builtins::Value;
use crate::model::{Repeat, RepeatKind};
use crate::source::Span;
use std::sync::Arc;

/// The most passes of a loop whose bound only prose decides.
const PROSE_BOUND: u64 = 10;

impl<'p> Walk<'_, 'p> {
    pub(super) fn begin(&mut self, slot: usize, repeat: &'p Repeat) -> Flow<'p> {
        if let RepeatKind::Each { list, .. } = &repeat.kind
            && repeat.is_exact
        {
            self.note_undefined(list, repeat.span);
        }
        let (items, configured) = match &repeat.kind {
            RepeatKind::Each { list, .. } => match self.items(list, repeat.is_exact) {
                // A loop with a bound is the engine's own, whose items are names or stand there.
                (None, _) if repeat.bound.is_some() => (self.written_out(list), false),
                items => items,
            },
            RepeatKind::Times(times) => {
                let times = self.value(times).number().unwrap_or(1.0).clamp(0.0, 1e6);
                let numbers = (1..=times as u64).map(|at| Value::Number(at as f64));
                (Some(numbers.collect()), false)
            }
            RepeatKind::While(_) | RepeatKind::Until(_) | RepeatKind::Bounded => (None, false),
        };
        self.frame_mut().loops[slot] = Pass {
            count: 0,
            items: items.map(Arc::new),
            configured,
        };
        Flow::Next
    }

    /// Returns the items of a list, none where nobody knows them, and whether they are the configuration's own.
    ///
    /// Where a list is exact, one that nobody made is empty.
    pub(super) fn items(&self, list: &str, is_exact: bool) -> (Option<Vec<Value>>, bool) {
        let name = list.trim().trim_matches(['{', '}']);
        if let Ok(Value::List(items)) = self.known().of_configuration(name) {
            return (Some(items), true);
        }
        let items = match self.bound(name) {
            Some(Value::List(items)) => Some(items),
            Some(Value::Map(entries)) => Some(entries.into_iter().map(entry).collect()),
            Some(Value::Nothing) => Some(Vec::new()),
            Some(Value::Text(text)) => Some(parts(&text)),
            Some(value @ (Value::Bool(_) | Value::Number(_))) => Some(vec![value]),
            None if is_exact => Some(self.written_out(list).unwrap_or_default()),
            None => None,
        };
        (items, false)
    }

    /// Says what is missing where a list is a bare word that nothing defines: somebody may have meant the word itself.
    pub(super) fn note_undefined(&mut self, list: &str, span: Span) {
        let list = list.trim();
        let definitions = &self.image.workflows[self.frame().workflow].definitions;
        let is_defined = || definitions.iter().any(|definition| definition.name == list);
        let is_word = !list.is_empty() && !list.contains([' ', ',', '{', '[']);
        if !is_word || self.bound(list).is_some() || is_defined() {
            return;
        }
        let place = self.image.place(span);
        let gap = format!("the items of `{list}`, which nothing defines; `[{list}]` is the word itself ({place})");
        if !self.tally.gaps.contains(&gap) {
            self.tally.gaps.push(gap);
        }
    }

    /// Returns the items of a list that is written out, as in `a, b, {c}`, with those of a list among them; nothing where
    /// it is a name.
    fn written_out(&self, list: &str) -> Option<Vec<Value>> {
        let items = unbracketed(list)
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty());
        let each = |item: &str| match self.value(item) {
            Value::List(items) => items,
            value => vec![value],
        };
        let is_list = list.contains(',') || unbracketed(list).len() < list.len();
        is_list.then(|| items.flat_map(each).collect())
    }

    /// Begins another pass, or leaves the loop.
    pub(super) fn pass(&mut self, slot: usize, repeat: &'p Repeat, index: Option<&'p str>, exit: Pc) -> Flow<'p> {
        let pass = &self.frame().loops[slot];
        let bound = match repeat.bound.as_deref().map(|bound| self.most(bound)).transpose() {
            Ok(bound) => bound,
            Err(reason) => return Flow::Over(self.end(EndKind::Failed, reason, Some(repeat.span))),
        };
        let over = match (&pass.items, bound) {
            (Some(items), bound) => {
                pass.count as usize >= items.len() || bound.is_some_and(|bound| pass.count >= bound)
            }
            (None, Some(bound)) => pass.count >= bound,
            (None, None) if pass.count >= PROSE_BOUND => {
                let reason = format!("a loop that only prose ends went round {PROSE_BOUND} times");
                return Flow::Over(self.end(EndKind::Limit, reason, Some(repeat.span)));
            }
            (None, None) => false,
        };
        if over {
            return Flow::To(exit);
        }
        if let (RepeatKind::Each { item, list }, None) = (&repeat.kind, &pass.items) {
            return self.another(item, list, repeat, exit);
        }
        self.begin_pass(slot, repeat, index);
        Flow::Next
    }

    /// Begins the first pass of each loop that a jump leads into; answers what is next where a loop has none.
    pub(super) fn enter_loops(&mut self, begins: &[Pc]) -> Option<Flow<'p>> {
        for begin in begins {
            let ops = &self.image.code(self.frame().workflow).ops;
            let (Some(Op::Begin(_, repeat)), Some(Op::Next { slot, index, exit, .. })) =
                (ops.get(*begin), ops.get(begin + 1))
            else {
                continue;
            };
            self.begin(*slot, repeat);
            let is_told = matches!(repeat.kind, RepeatKind::Each { .. }) && self.frame().loops[*slot].items.is_none();
            if is_told {
                self.begin_pass(*slot, repeat, *index);
                continue;
            }
            match self.pass(*slot, repeat, *index, *exit) {
                Flow::Next => {}
                flow => return Some(flow),
            }
        }
        None
    }

    /// Returns the most passes that a bound allows.
    fn most(&self, bound: &str) -> Result<u64, String> {
        let value = self.value(bound);
        let number = value.number().filter(|number| *number >= 0.0);
        number.map(|number| number as u64).ok_or_else(|| {
            let means = if value.to_string() == bound {
                ""
            } else {
                &format!(", which is `{value}`")
            };
            format!("the `max` of a loop is `{bound}`{means}: it has to be a number, 0 or more")
        })
    }

    fn begin_pass(&mut self, slot: usize, repeat: &'p Repeat, index: Option<&'p str>) {
        let pass = &mut self.frame_mut().loops[slot];
        pass.count += 1;
        let (count, configured) = (pass.count, pass.configured);
        let item = pass
            .items
            .as_ref()
            .and_then(|items| items.get(count as usize - 1).cloned());
        if let RepeatKind::Each { item: name, .. } = &repeat.kind {
            let variables = &mut self.frame_mut().variables;
            match item {
                Some(item) if configured => variables.configure(name, item),
                Some(item) => variables.give(name, item),
                // Nobody but the agent knows it; what it was in the pass before, it is no longer.
                None => variables.forget(name),
            }
        }
        if let Some(index) = index {
            let variables = &mut self.frame_mut().variables;
            variables.give(index, Value::Number(count as f64));
        }
    }

    /// A list that only prose names: somebody says whether there is another item.
    fn another(&mut self, item: &'p str, list: &'p str, repeat: &'p Repeat, exit: Pc) -> Flow<'p> {
        if !self.lane.asked_another {
            self.lane.asked_another = true;
            let text = format!("there is another `{item}` of `{list}` that was not dealt with yet");
            let flow = self.judge(text, repeat.span);
            return match flow {
                Flow::Next => Flow::Stay,
                Flow::Wait(effect, stage) => {
                    self.lane.stays = true;
                    Flow::Wait(effect, stage)
                }
                flow => flow,
            };
        }
        self.lane.asked_another = false;
        if !self.lane.flag {
            return Flow::To(exit);
        }
        if let Op::Next { slot, index, .. } = self.op() {
            self.begin_pass(*slot, repeat, *index);
        }
        Flow::Next
    }
}

impl Code<'_> {
    /// Says whether a loop or lanes go over a name.
    pub(super) fn goes_over(&self, name: &str) -> bool {
        let is_it = |list: &str| list.trim().trim_matches(['{', '}']) == name;
        self.ops.iter().any(|op| match op {
            Op::Begin(_, repeat) => matches!(&repeat.kind, RepeatKind::Each { list, .. } if is_it(list)),
            Op::Fork(fork) => fork.each.is_some_and(|(_, list)| is_it(&list.text)),
            _ => false,
        })
    }
}

fn entry((name, value): (String, Value)) -> Value {
    Value::Map(vec![("key".to_owned(), Value::Text(name)), ("value".to_owned(), value)])
}

/// Reads text that stands for a list: as JSON, or one item a line, or items between commas.
pub(super) fn parts(text: &str) -> Vec<Value> {
    match data(text) {
        Some(Value::List(items)) => return items,
        Some(Value::Map(entries)) => return entries.into_iter().map(entry).collect(),
        _ => {}
    }
    let separator = if text.contains('\n') { '\n' } else { ',' };
    let item = |part: &str| unmarked(part.trim()).to_owned();
    let items = unbracketed(text)
        .split(separator)
        .map(item)
        .filter(|part| !part.is_empty());
    items.map(Value::Text).collect()
}

/// Reads text that is a list or a map of JSON.
fn data(text: &str) -> Option<Value> {
    let text = text.trim();
    let is_data = text.starts_with('[') && text.ends_with(']') || text.starts_with('{') && text.ends_with('}');
    is_data.then(|| serde_json::from_str(text).ok())?
}

/// Takes the mark of a list off an item: a sign, or the dash of an option, is part of it.
fn unmarked(item: &str) -> &str {
    let bare = ["- ", "* "].into_iter().find_map(|mark| item.strip_prefix(mark));
    match bare.unwrap_or(item).trim() {
        "-" | "*" => "",
        item => item,
    }
}

/// Takes the brackets off a list that is written in them.
fn unbracketed(list: &str) -> &str {
    let inside = list.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    inside.filter(|inside| !inside.contains(['[', ']'])).unwrap_or(list)
}
