//! Tokens in, a test out: joints, groups and negation around single tests.
//!
//! A text is first read as if all of it were decidable. Only when that fails may parts of it be prose, and then only
//! where each part can stand alone: `no ready or started story found` is one sentence, not two conditions.

use super::Test;
use super::atom;
use super::choice;
use super::token::{Joint, Kind, Token, Weight, tokens};
use crate::syntax::WordList;

/// Groups nested deeper than this are prose.
const DEEPEST: usize = 64;

/// Conditions longer than this are prose.
const LONGEST: usize = 4096;

/// Reads a whole condition.
pub(super) fn read(text: &str) -> Test {
    let whole = text;
    if whole.len() > LONGEST {
        return Test::Judged(whole.to_owned());
    }
    let text = whole.trim_end_matches([':', '?', '.']).trim();
    let tokens = tokens(text);
    let reader = Reader {
        text,
        code: tokens.iter().any(is_code),
    };
    let test = reader
        .otherwise(&tokens)
        .or_else(|| choice::bare(text, &tokens).map(Test::Chosen))
        .or_else(|| reader.mixed(&tokens, 0));
    test.unwrap_or_else(|| Test::Judged(whole.to_owned()))
}

fn is_code(token: &Token) -> bool {
    token.kind == Kind::Bang || (matches!(token.kind, Kind::Join(..)) && !token.text.starts_with(char::is_alphabetic))
}

struct Reader<'a> {
    text: &'a str,
    /// Written with `!`, `&&` or `||`, so that a bare word is a variable.
    code: bool,
}

impl Reader<'_> {
    fn otherwise(&self, tokens: &[Token]) -> Option<Test> {
        let (first, rest) = tokens.split_first()?;
        let alone = rest.is_empty() || group(rest).is_some();
        (alone && first.is_any(&["else", "otherwise"])).then_some(Test::Otherwise)
    }

    /// Reads tokens none of which is prose.
    fn pure(&self, tokens: &[Token], depth: usize) -> Option<Test> {
        if depth > DEEPEST {
            return None;
        }
        if let Some(test) = atom::read(self.text, tokens, self.code) {
            return Some(test);
        }
        if let Some(inner) = group(tokens) {
            return self.pure(inner, depth + 1);
        }
        for joint in [Joint::Or, Joint::And] {
            let parts = split(tokens, |kind| matches!(kind, Kind::Join(found, _) if found == joint))?;
            if parts.len() > 1 {
                let tests: Option<Vec<Test>> = parts.iter().map(|part| self.pure(part, depth + 1)).collect();
                return tests.map(|tests| join(joint, tests));
            }
        }
        let rest = negated(tokens)?;
        let inner = self.pure(rest, depth + 1)?;
        Some(Test::Not(Box::new(inner)))
    }

    /// Reads tokens some of which may be prose; nothing where all of them are.
    fn mixed(&self, tokens: &[Token], depth: usize) -> Option<Test> {
        if depth > DEEPEST {
            return None;
        }
        if let Some(test) = self.pure(tokens, depth) {
            return Some(test);
        }
        if let Some(inner) = group(tokens) {
            return self.mixed(inner, depth + 1);
        }
        // Most prose joins nothing.
        if !tokens.iter().any(|token| matches!(token.kind, Kind::Join(..))) {
            return None;
        }
        for weight in [Weight::Strong, Weight::Weak] {
            for joint in [Joint::Or, Joint::And] {
                let parts = split(tokens, |kind| kind == Kind::Join(joint, weight))?;
                if parts.len() > 1 {
                    return self.joined(&parts, joint, weight, depth);
                }
            }
        }
        None
    }

    fn joined(&self, parts: &[&[Token]], joint: Joint, weight: Weight, depth: usize) -> Option<Test> {
        let tests: Vec<Option<Test>> = parts.iter().map(|part| self.mixed(part, depth + 1)).collect();
        let anchored = tests
            .iter()
            .flatten()
            .any(|test| weight == Weight::Strong || !matches!(test, Test::Flag(_)));
        if !anchored {
            return None;
        }
        let tests: Option<Vec<Test>> = parts
            .iter()
            .zip(tests)
            .map(|(part, test)| match test {
                Some(test) => Some(test),
                None => self.prose(part, weight),
            })
            .collect();
        tests.map(|tests| join(joint, tests))
    }

    /// Takes a part as prose, if it can stand alone.
    fn prose(&self, part: &[Token], weight: Weight) -> Option<Test> {
        static LEANING: WordList = WordList::new(&[
            "is", "are", "was", "were", "has", "have", "had", "does", "do", "not", "cannot", "similar", "other",
            "such", "of", "in", "with", "by", "to", "for",
        ]);
        let (first, last) = (part.first()?, part.last()?);
        let words = part
            .iter()
            .filter(|token| matches!(token.kind, Kind::Word | Kind::Hole | Kind::Quoted))
            .count();
        let needed = match weight {
            Weight::Strong => 2,
            Weight::Weak => 3,
        };
        let wide = !self.text.is_ascii() && words >= 1;
        let stands = (words >= needed || wide) && !first.is_in(&LEANING);
        let text = self.text.get(first.start..last.end)?;
        stands.then(|| Test::Judged(text.to_owned()))
    }
}

/// Returns what is inside, where one pair of parentheses holds all of the tokens.
pub(super) fn group<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<&'t [Token<'a>]> {
    let [first, inner @ .., last] = tokens else {
        return None;
    };
    if first.kind != Kind::Open || last.kind != Kind::Close {
        return None;
    }
    let mut depth = 0usize;
    for token in inner {
        if token.kind == Kind::Open {
            depth += 1;
        } else if token.kind == Kind::Close {
            depth = depth.checked_sub(1)?;
        }
    }
    (depth == 0 && !inner.is_empty()).then_some(inner)
}

/// Splits tokens outside parentheses and lists; nothing where those do not match, and no parts where there is nothing
/// to split them at, as mostly.
fn split<'t, 'a>(tokens: &'t [Token<'a>], at: impl Fn(Kind) -> bool) -> Option<Vec<&'t [Token<'a>]>> {
    let mut parts = Vec::new();
    let mut depth = 0usize;
    let mut start = 0;
    for (index, token) in tokens.iter().enumerate() {
        if matches!(token.kind, Kind::Open | Kind::ListOpen) {
            depth += 1;
        } else if matches!(token.kind, Kind::Close | Kind::ListClose) {
            depth = depth.checked_sub(1)?;
        } else if depth == 0 && at(token.kind) {
            parts.push(tokens.get(start..index)?);
            start = index + 1;
        }
    }
    if !parts.is_empty() {
        parts.push(tokens.get(start..)?);
    }
    (depth == 0).then_some(parts)
}

fn negated<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<&'t [Token<'a>]> {
    let (first, rest) = tokens.split_first()?;
    (first.kind == Kind::Bang || first.is("not")).then_some(rest)
}

/// Joins tests; several answers either of which will do are one choice.
fn join(joint: Joint, tests: Vec<Test>) -> Test {
    if joint == Joint::And {
        return Test::All(tests);
    }
    let mut answers = Vec::new();
    for test in &tests {
        let Test::Chosen(keys) = test else {
            return Test::Any(tests);
        };
        choice::add(&mut answers, keys.iter().map(String::as_str));
    }
    Test::Chosen(answers)
}
