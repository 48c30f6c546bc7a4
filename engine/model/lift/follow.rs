//! Sentences in, files to follow and skills to invoke out.

use super::sentence::{Kind, Sentence, Token};
use super::{Found, LiftKind, jump};
use crate::source::{near_byte, near_either, near_last};
use crate::syntax::WordList;

/// Words between a verb and the file it leads to.
static INTRODUCTIONS: WordList = WordList::new(&[
    "the",
    "this",
    "file",
    "files",
    "full",
    "entire",
    "complete",
    "step",
    "next",
    "workflow",
    "task",
    "appropriate",
    "in",
    "at",
    "from",
    "of",
    "instructions",
    "instruction",
    "steps",
    "directions",
    "procedure",
    "protocol",
    "process",
    "analysis",
    "systematic",
]);

/// Words of the orders that lead up to `follow`: `read fully and`.
static LEADING_UP: WordList = WordList::new(&[
    "and",
    "then",
    "fully",
    "entire",
    "full",
    "file",
    "the",
    "read",
    "load",
    "completely",
    "immediately",
    "it",
]);

/// A file or a variable named in a sentence.
struct Target<'a> {
    /// The path or the variable, without marks around it.
    text: &'a str,
    start: usize,
    end: usize,
    /// It is one hole and nothing else.
    hole: bool,
}

impl Target<'_> {
    fn kind(&self, sentence: &Sentence) -> LiftKind {
        LiftKind::Follow {
            target: self.text.to_owned(),
            target_span: sentence.span(self.start, self.end),
        }
    }

    /// Says whether it is a file of instructions.
    fn is_file(&self) -> bool {
        let path = &self.text[..near_byte(b'#', self.text.as_bytes()).unwrap_or(self.text.len())];
        [".md", ".xml", ".yaml", ".yml"]
            .iter()
            .any(|ending| path.ends_with(ending))
    }

    /// Says whether it can only be the next thing to do: a step file, or a variable that names one.
    fn is_step(&self) -> bool {
        if self.hole {
            let name = self.text.to_ascii_lowercase();
            return name.contains("step") && name.trim_end_matches('}').ends_with("file");
        }
        let name = near_last(b'/', self.text.as_bytes()).map_or(self.text, |slash| &self.text[slash + 1..]);
        self.is_file() && (name.starts_with("step-") || name.starts_with("step_"))
    }
}

/// Reads the target at `at`: a path, a hole, either in backticks, a snapshot or a link.
fn target<'a>(sentence: &Sentence<'a>, at: usize) -> Option<Target<'a>> {
    let token = sentence.get(at)?;
    let whole = sentence.slice(token);
    // Most words are neither a file nor a hole.
    near_either(b'.', b'{', whole.as_bytes())?;
    written(sentence, token, whole)
}

/// Reads the target that a token is.
#[inline(never)]
fn written<'a>(sentence: &Sentence<'a>, token: Token, whole: &str) -> Option<Target<'a>> {
    let (open, close) = match token.kind {
        Kind::Word | Kind::Hole => (0, 0),
        Kind::Code => {
            let ticks = whole.bytes().take_while(|byte| *byte == b'`').count();
            (ticks, ticks)
        }
        Kind::Quote => (1, 1),
        Kind::Snapshot => (2, 2),
        Kind::Link => (whole.find("](")? + 2, 1),
        Kind::Bracket
        | Kind::Comma
        | Kind::Semicolon
        | Kind::Colon
        | Kind::Open
        | Kind::Close
        | Kind::Equals
        | Kind::Dash
        | Kind::Arrow
        | Kind::Other => return None,
    };
    let mut start = token.start + open;
    let mut end = token.end.checked_sub(close)?;
    let mut text = sentence.between(start, end);
    if let Some(inside) = text.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]")) {
        (start, end, text) = (start + 2, end - 2, inside);
    }
    if let Some((mark, file)) = text.split_once(':')
        && (token.kind == Kind::Snapshot || mark.ends_with("snapshot"))
    {
        (start, text) = (end - file.len(), file);
    }
    // `{workflow.on_complete}` holds a setting, not a path.
    let hole = text.starts_with('{') && text.ends_with('}') && !text.contains(['/', '.']);
    let target = Target { text, start, end, hole };
    let spaced = text.contains(char::is_whitespace) && !hole;
    // A section of a file is cited, not followed.
    let is_cited = || {
        sentence
            .between(token.end, sentence.text.len())
            .trim_start()
            .starts_with('§')
    };
    (!spaced && (hole || target.is_file()) && !is_cited()).then_some(target)
}

/// Finds the target a verb leads to: right after it, or after words that only introduce it.
fn target_from<'a>(sentence: &Sentence<'a>, at: usize) -> Option<(usize, Target<'a>)> {
    for index in at..at + 8 {
        if let Some(found) = target(sentence, index) {
            return Some((index, found));
        }
        let introduces = sentence.is_in(index, &INTRODUCTIONS)
            || sentence.kind(index) == Some(Kind::Colon)
            || (sentence.kind(index) == Some(Kind::Open) && index > at);
        if !introduces {
            return None;
        }
    }
    None
}

/// Reads `read fully and follow: x.md`, `load, read entire file, then execute {nextStepFile}`, `by following x.md`.
pub(super) fn follow(sentence: &Sentence, at: usize) -> Option<Found> {
    let gerund = sentence.is(at, &["following"]);
    let ordered = if gerund {
        sentence.after(at, &["by"])
    } else {
        sentence.orders(at)
    };
    if !ordered {
        return None;
    }
    let (last, target) = target_from(sentence, at + 1)?;
    if sentence.negated(at) {
        return None;
    }
    Found::new(sentence, phrase_start(sentence, at), last, target.kind(sentence))
}

/// Walks back over `read fully and`, `load, read entire file, then`.
fn phrase_start(sentence: &Sentence, at: usize) -> usize {
    let mut start = at;
    let mut index = at;
    while let Some(before) = index.checked_sub(1) {
        if !sentence.is_in(before, &LEADING_UP) && sentence.kind(before) != Some(Kind::Comma) {
            break;
        }
        if sentence.is(before, &["read", "load"]) {
            start = before;
        }
        index = before;
    }
    start
}

/// Reads `load x.md and follow it`, `read x.md fully and follow it`, and `load ./step-02.md`.
pub(super) fn load(sentence: &Sentence, at: usize) -> Option<Found> {
    if !sentence.orders(at) {
        return None;
    }
    let (last, target) = target_from(sentence, sentence.skip(at + 1, &["and", "read", "fully", "apply"]))?;
    if sentence.negated(at) {
        return None;
    }
    let last = named_again(sentence, last);
    let obeys = (last + 1..last + 8)
        .take_while(|index| !matches!(sentence.kind(*index), None | Some(Kind::Semicolon | Kind::Open)))
        .any(|index| {
            sentence.is(index, &["follow", "execute"])
                && sentence.after(index, &["and", "then", "fully"])
                && !leads(sentence, index)
        });
    let step = sentence.is(at, &["load"]) && target.is_step();
    if !obeys && !step {
        return None;
    }
    Found::new(sentence, at, last, target.kind(sentence))
}

/// Walks over the path that a variable stands for, in parentheses behind it: `{firstStep} (./step-01.md)`.
fn named_again(sentence: &Sentence, at: usize) -> usize {
    let opens = sentence.kind(at + 1) == Some(Kind::Open) && sentence.kind(at + 3) == Some(Kind::Close);
    let is_path = opens && target(sentence, at + 2).is_some_and(|path| !path.hole);
    let is_hole = is_path && target(sentence, at).is_some_and(|name| name.hole);
    if is_hole { at + 3 } else { at }
}

/// Says whether the verb at `at` has a target of its own.
fn leads(sentence: &Sentence, at: usize) -> bool {
    target_from(sentence, at + 1).is_some()
}

/// Reads `EARLY EXIT → ./step-04.md`.
pub(super) fn early_exit(sentence: &Sentence, at: usize) -> Option<Found> {
    if !sentence.after(at, &["early"]) || sentence.negated(at) {
        return None;
    }
    let arrow = sentence.kind(at + 1) == Some(Kind::Arrow) || sentence.is(at + 1, &["to"]);
    let target = target(sentence, at + 2).filter(|_| arrow)?;
    let first = at.checked_sub(1)?;
    Found::new(sentence, first, at + 2, target.kind(sentence))
}

/// Reads `proceed to step-02-plan.md`, `return to ./step-01-init.md`.
pub(super) fn moved(sentence: &Sentence, at: usize) -> Option<Found> {
    let last = (at + 2..at + 6).find(|index| target(sentence, *index).is_some())?;
    let (first, _) = jump::verb_before(sentence, last)?;
    let target = target(sentence, last)?;
    let refused = sentence.question || sentence.negated(at) || jump::is_option(sentence, at);
    if first != at || refused || (target.hole && !target.is_step()) {
        return None;
    }
    Found::new(sentence, at, last, target.kind(sentence))
}

/// Reads `return to the selection in step-01-init.md`.
pub(super) fn returned(sentence: &Sentence, at: usize) -> Option<Found> {
    let to = sentence.skip(at + 1, &["back"]);
    if !sentence.is(to, &["to"]) || !sentence.orders(at) || sentence.question {
        return None;
    }
    let last = (to + 2..to + 8).find(|index| target(sentence, *index).is_some())?;
    let is_part =
        sentence.after(last, &["in", "of", "from"]) && (to + 1..last).all(|index| sentence.word(index).is_some());
    let target = target(sentence, last).filter(|target| is_part && target.is_step())?;
    if sentence.negated(at) || jump::is_option(sentence, at) {
        return None;
    }
    Found::new(sentence, at, last, target.kind(sentence))
}

/// Reads `invoke the workflow {path}/workflow.yaml`.
pub(super) fn invoke(sentence: &Sentence, at: usize) -> Option<Found> {
    if !sentence.is(at, &["invoke", "run"]) || !sentence.orders(at) || sentence.negated(at) {
        return None;
    }
    let named = (at + 1..at + 5).find(|index| sentence.is(*index, &["workflow", "task"]))?;
    let after = if sentence.kind(named + 1) == Some(Kind::Colon) {
        named + 2
    } else {
        named + 1
    };
    let target = target(sentence, after)?;
    Found::new(sentence, at, after, target.kind(sentence))
}

/// Reads ``invoke the `bmad-x` skill``, ``invoke the skill `bmad-x` ``.
pub(super) fn skill(sentence: &Sentence, at: usize) -> Option<Found> {
    if !sentence.orders(at) || sentence.negated(at) {
        return None;
    }
    let mut name = sentence.skip(at + 1, &["the", "via", "a"]);
    let mut last = name + 1;
    if sentence.is(name, &["skill"]) {
        last = name + 1;
        name += 1;
    } else if !sentence.is(last, &["skill"]) {
        return None;
    }
    let token = sentence.get(name)?;
    let text = sentence.slice(token).trim_matches('`');
    let named = !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':'));
    let marked = token.kind == Kind::Code || (token.kind == Kind::Word && text.contains('-'));
    if !named || !marked {
        return None;
    }
    let kind = LiftKind::Skill { name: text.to_owned() };
    Found::new(sentence, at, last, kind)
}
