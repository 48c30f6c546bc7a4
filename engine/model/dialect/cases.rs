//! Cases that nothing decides to a choice among them: by the answer where keys are offered, by judgement otherwise.

use super::tags::{add_instruction, body, words};
use crate::model::condition::{Condition, Test};
use crate::model::instruction::{Act, Branch, Instruction};
use crate::model::menu::{MenuOption, options, shows_again};
use crate::source::{Source, Span};
use crate::syntax::{Child, Element, Tag, WordList};

/// The most answers that one case names.
const MAX_KEYS: usize = 40;
/// How deep cases are nested that are judged one after the other.
const MAX_JUDGED: usize = 30;
/// How much of a case is read to say how it begins, and how many words that are.
const MAX_READ: usize = 1_000;
const MAX_WORDS: usize = 12;

/// Words of a case that leaves the choice.
static LEADING_ON: WordList = WordList::new(&[
    "proceed", "continue", "go", "move", "next", "done", "complete", "finish", "return", "exit", "end", "leave",
    "stop", "halt", "goto",
]);

/// Says whether an element is a case that nothing decides.
pub(super) fn is_open(element: &Element) -> bool {
    element.tag == Tag::Case && element.attribute("if").is_none()
}

/// Returns how many of these siblings are cases of one group, with the white space between them.
pub(super) fn reach(source: &Source, siblings: &[Child]) -> usize {
    let belongs = |child: &Child| match child {
        Child::Element(element) => is_open(element),
        Child::Text(span) => source.slice(*span).trim().is_empty(),
    };
    let last = siblings.iter().take_while(|child| belongs(child));
    let last = last.enumerate().filter(|(_, child)| matches!(child, Child::Element(_)));
    last.last().map_or(0, |(at, _)| at + 1)
}

/// Adds a group of cases to what was read before it: one of them is carried out.
pub(super) fn add(source: &Source, first: &Child, others: &[Child], read: &mut Vec<Instruction>) {
    let cases: Vec<Case<'_>> = [first].into_iter().chain(others).filter_map(Case::read).collect();
    let before = read.iter().rev().find(|each| !matches!(each.act, Act::Rule { .. }));
    let text = match before.map(|before| &before.act) {
        Some(Act::Do { text, .. } | Act::Show { text, .. }) => Some(*text),
        Some(Act::Ask(ask)) if cases.iter().any(|case| case.is_named_by(&ask.options)) => {
            return read.extend(answered(source, cases));
        }
        _ => None,
    };
    let mut offered = text.map(|text| options(source.slice(text), text)).unwrap_or_default();
    if let Some(text) = text {
        let keys = cases.iter().flat_map(|case| &case.keys);
        let lacking: Vec<&String> = keys.filter(|key| !offers(&offered, key)).collect();
        offered.extend(lacking.into_iter().filter_map(|key| listed(source, text, key)));
    }
    if cases.iter().any(|case| case.is_named_by(&offered)) {
        read.push(menu(source, cases, offered));
    } else {
        read.extend(judged(source, cases));
    }
}

/// A case, and the answers it names.
struct Case<'a> {
    element: &'a Element,
    keys: Vec<String>,
}

impl<'a> Case<'a> {
    fn read(child: &'a Child) -> Option<Self> {
        let Child::Element(element) = child else {
            return None;
        };
        let named = element.value("n").unwrap_or_default();
        let keys = named.split([',', '/', '|']).flat_map(keys).take(MAX_KEYS);
        Some(Self {
            element,
            keys: keys.collect(),
        })
    }

    fn is_named_by(&self, options: &[MenuOption]) -> bool {
        self.keys.iter().any(|key| offers(options, key))
    }

    /// Reads the case as a part of the step that is done where a test holds.
    fn guarded(&self, source: &Source, text: String, test: Test) -> Option<Instruction> {
        let mut read = Vec::with_capacity(1);
        add_instruction(source, self.element, &mut read);
        let span = words(self.element, "n").map_or(self.element.open, |label| label.span);
        let condition = Some(Box::new(Condition { span, text, test }));
        read.pop().map(|case| Instruction { condition, ..case })
    }

    /// Says in words that it applies: its name, and how it begins.
    fn words(&self, source: &Source) -> String {
        let named = self.element.value("n").or_else(|| self.element.value("name"));
        let mut is_tag = false;
        let plain = self.element.inner_text(source).1.chars().map(|at| {
            let was = is_tag;
            is_tag = at == '<' || is_tag && at != '>';
            if was || is_tag { ' ' } else { at }
        });
        let plain: String = plain.take(MAX_READ).collect();
        let all = plain.split_whitespace().count();
        let first: Vec<&str> = plain.split_whitespace().take(MAX_WORDS).collect();
        let more = if all > MAX_WORDS { " …" } else { "" };
        let case = format!("the case `{}` applies", named.unwrap_or_default());
        match first.is_empty() {
            true => case,
            false => format!("{case}: {}{more}", first.join(" ")),
        }
    }

    fn shows_again(&self, source: &Source) -> bool {
        shows_again(self.element.inner_text(source).1)
    }

    /// Says whether it goes on, or ends something, in so many words.
    fn leads_on(&self, source: &Source) -> bool {
        let mut words = self
            .element
            .inner_text(source)
            .1
            .split(|at: char| !at.is_alphanumeric());
        words.any(|word| LEADING_ON.has(word))
    }

    fn branch(&self, source: &Source, option: Option<MenuOption>, again: bool) -> Branch {
        let body = body(source, &self.element.children);
        Branch::new(option, body, again)
    }
}

fn offers(options: &[MenuOption], key: &str) -> bool {
    options.iter().any(|option| option.key.eq_ignore_ascii_case(key))
}

/// Finds the line of a text that begins with a key: `r. Reshuffle`, `2) Two`.
fn listed(source: &Source, text: Span, key: &str) -> Option<MenuOption> {
    let mut start = 0;
    for line in source.slice(text).split_inclusive('\n') {
        let label = line.trim_start().strip_prefix(key);
        let label = label.and_then(|rest| rest.strip_prefix(['.', ')']));
        if let Some(label) = label.filter(|label| label.starts_with(char::is_whitespace)) {
            return Some(MenuOption {
                key: key.to_owned(),
                label: label.trim().to_owned(),
                span: text.inner(start, start + line.trim_end().len()),
            });
        }
        start += line.len();
    }
    None
}

/// Reads `3` and `r` as themselves and `1-5` as five answers; words are no key.
fn keys(named: &str) -> Vec<String> {
    let named = named.trim();
    let range = named.split_once('-');
    let ends = range.and_then(|(from, to)| Some((from.trim().parse::<u8>().ok()?, to.trim().parse::<u8>().ok()?)));
    match ends {
        Some((from, to)) => (from..=to).take(MAX_KEYS).map(|key| key.to_string()).collect(),
        None if (1..=2).contains(&named.chars().count()) => vec![named.to_owned()],
        None => Vec::new(),
    }
}

/// The answer to the question before the cases says which one it is.
fn answered(source: &Source, cases: Vec<Case<'_>>) -> Vec<Instruction> {
    let (keyed, others): (Vec<Case<'_>>, Vec<Case<'_>>) = cases.into_iter().partition(|case| !case.keys.is_empty());
    let chosen = |case: &Case<'_>| {
        let keys = case.keys.iter().map(|key| key.to_lowercase()).collect();
        case.guarded(source, case.words(source), Test::Chosen(keys))
    };
    let mut read: Vec<Instruction> = keyed.iter().filter_map(chosen).collect();
    let whole = span(others.iter().map(|other| other.element.span));
    read.extend(otherwise(whole, judged(source, others)));
    read
}

/// The person is asked for one of the keys that the text before the cases offers.
fn menu(source: &Source, cases: Vec<Case<'_>>, mut offered: Vec<MenuOption>) -> Instruction {
    let span = span(offered.iter().map(|option| option.span));
    // Where one case comes back to the choice, each that a key names does, unless it leads on.
    let comes_back = cases.iter().any(|case| case.shows_again(source));
    let again = |case: &Case<'_>| case.shows_again(source) || comes_back && !case.leads_on(source);
    let (keyed, others): (Vec<Case<'_>>, Vec<Case<'_>>) = cases.into_iter().partition(|case| !case.keys.is_empty());
    let mut branches = Vec::with_capacity(offered.len() + 1);
    for case in &keyed {
        for key in &case.keys {
            let at = offered.iter().position(|option| option.key.eq_ignore_ascii_case(key));
            let option = at.map(|at| offered.remove(at)).unwrap_or(MenuOption {
                key: key.clone(),
                label: String::new(),
                span: case.element.open,
            });
            branches.push(case.branch(source, Some(option), again(case)));
        }
    }
    let unhandled = offered
        .into_iter()
        .map(|option| Branch::new(Some(option), Vec::new(), false));
    branches.extend(unhandled);
    if let Some(mut rest) = others
        .first()
        .map(|first| first.branch(source, None, first.shows_again(source)))
    {
        if others.len() > 1 {
            rest.again = others.iter().all(|other| other.shows_again(source));
            rest.body = judged(source, others);
        }
        branches.push(rest);
    }
    Instruction::menu(branches, true, span)
}

/// Somebody judges one case after the other; the first that applies is carried out.
fn judged(source: &Source, mut cases: Vec<Case<'_>>) -> Vec<Instruction> {
    let judged = |case: &Case<'_>| {
        // One part alone: such a condition is put to a judge, not to the turn before it.
        let text = case.words(source);
        case.guarded(source, text.clone(), Test::All(vec![Test::Judged(text)]))
    };
    // Of very many the last ones are judged each for itself.
    let last = cases.split_off(cases.len().min(MAX_JUDGED));
    let mut read: Vec<Instruction> = last.iter().filter_map(judged).collect();
    while let Some(case) = cases.pop() {
        let rest = std::mem::take(&mut read);
        let end = rest.last().map_or(case.element.span, |last: &Instruction| last.span);
        read.extend(judged(&case));
        read.extend(otherwise(case.element.span.to(end), rest));
    }
    read
}

fn otherwise(span: Span, body: Vec<Instruction>) -> Option<Instruction> {
    let is_empty = body.is_empty();
    let rest = Instruction {
        act: Act::Check { body },
        span,
        condition: Some(Box::new(Condition {
            span,
            text: "otherwise".to_owned(),
            test: Test::Otherwise,
        })),
    };
    (!is_empty).then_some(rest)
}

/// Returns the span from the first of these to the last.
fn span(mut parts: impl Iterator<Item = Span>) -> Span {
    let first = parts.next().unwrap_or_default();
    parts.fold(first, |whole, part| Span {
        start: whole.start.min(part.start),
        end: whole.end.max(part.end),
        ..whole
    })
}
