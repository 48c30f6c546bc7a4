//! A judged condition in, the expression that would do out, where its words are plainly one.

use super::atom::{self, Spoken};
use super::token::{Kind, Token, tokens};
use super::{Decider, Existing, Operand, Operator, Test, existence};
use crate::syntax::WordList;
use std::fmt;

/// Prose longer than this is no plain expression.
const LONGEST: usize = 400;

/// Writes the test with every judged part turned into an expression; nothing where a part cannot be.
pub(super) fn suggest(test: &Test) -> Option<String> {
    if test.decider() != Decider::Judged {
        return None;
    }
    decided(test).map(|test| test.to_string())
}

fn decided(test: &Test) -> Option<Test> {
    match test {
        Test::Judged(prose) => expression(prose),
        Test::Not(inner) => Some(Test::Not(Box::new(decided(inner)?))),
        Test::All(parts) => parts.iter().map(decided).collect::<Option<_>>().map(Test::All),
        Test::Any(parts) => parts.iter().map(decided).collect::<Option<_>>().map(Test::Any),
        Test::Compare { .. }
        | Test::Member { .. }
        | Test::Flag(_)
        | Test::Chosen(_)
        | Test::Exists { .. }
        | Test::Otherwise => Some(test.clone()),
    }
}

/// Reads prose whose only fault is a name in several words.
fn expression(prose: &str) -> Option<Test> {
    if prose.len() > LONGEST {
        return None;
    }
    let tokens = tokens(prose);
    let (absent, tokens) = match tokens.as_slice() {
        [no, rest @ ..] if no.is("no") => (true, rest),
        all => (false, all),
    };
    let length = tokens.iter().take_while(|token| is_noun(token)).count();
    let (words, rest) = tokens.split_at_checked(length)?;
    let name = name(words)?;
    let found = existing(words, rest).map(|present| Test::Exists {
        what: name.clone(),
        target: Existing::Variable,
        present: present != absent,
    });
    if absent {
        return found;
    }
    found
        .or_else(|| comparison(&name, rest))
        .or_else(|| enumeration(&name, prose, rest))
}

fn comparison(name: &str, tokens: &[Token]) -> Option<Test> {
    let (operator, right, spoken) = atom::operator(tokens)?;
    let [right] = right else {
        return None;
    };
    // `is done` describes, `is in-progress` names a value.
    let value = spoken == Spoken::Plainly || right.kind != Kind::Word || right.text.contains(['-', '_']);
    let spoken = if value { Spoken::Plainly } else { spoken };
    Some(Test::Compare {
        left: Operand::Variable(name.to_owned()),
        operator,
        right: atom::right_side(right, spoken)?,
    })
}

fn enumeration(name: &str, prose: &str, tokens: &[Token]) -> Option<Test> {
    let (negated, values) = atom::enumeration(prose, tokens)?;
    Some(Test::Member {
        name: Operand::Variable(name.to_owned()),
        values,
        negated,
    })
}

/// Reads `status file not found`: whether a thing that a variable could hold the path of is there.
fn existing(words: &[Token], tokens: &[Token]) -> Option<bool> {
    static PATHS: WordList = WordList::new(&["file", "document", "folder", "directory", "report"]);
    let holds_path = words.len() > 1 && words.last()?.is_in(&PATHS);
    existence::predicate(tokens).filter(|_| holds_path)
}

/// Says whether a token can be a word of a name.
fn is_noun(token: &Token) -> bool {
    static NOT_NOUNS: WordList = WordList::new(&[
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "does",
        "do",
        "did",
        "isn't",
        "not",
        "no",
        "any",
        "all",
        "each",
        "every",
        "if",
        "already",
        "still",
        "yet",
        "exists",
        "exist",
        "found",
        "provided",
        "missing",
        "available",
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "lte",
        "gte",
        "equals",
        "in",
        "of",
        "with",
        "for",
        "to",
        "user",
    ]);
    let letters = || token.text.chars().all(|next| next.is_alphanumeric() || next == '_');
    let starts = || token.text.starts_with(char::is_alphabetic);
    token.kind == Kind::Word && !token.is_in(&NOT_NOUNS) && starts() && letters()
}

fn name(words: &[Token]) -> Option<String> {
    let words = match words {
        [the, rest @ ..] if the.is_any(&["the", "a", "an", "this"]) => rest,
        words => words,
    };
    let name = words
        .iter()
        .map(|word| word.text.to_lowercase())
        .collect::<Vec<_>>()
        .join("_");
    (1..=4).contains(&words.len()).then_some(name)
}

impl fmt::Display for Test {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Test::Compare { left, operator, right } => write!(out, "{left} {operator} {right}"),
            Test::Member { name, values, negated } => {
                write!(out, "{name} {} [", if *negated { "not in" } else { "in" })?;
                list(out, values.iter().map(|value| quote(value)), ", ")?;
                out.write_str("]")
            }
            Test::Flag(name) => write!(out, "{{{name}}}"),
            Test::Chosen(keys) => match keys.as_slice() {
                [only] => write!(out, "choice == {}", quote(only)),
                several => {
                    out.write_str("choice in [")?;
                    list(out, several.iter().map(|key| quote(key)), ", ")?;
                    out.write_str("]")
                }
            },
            Test::Exists { what, target, present } => {
                let verb = if *present { "exists" } else { "does not exist" };
                match target {
                    Existing::Variable | Existing::Named => write!(out, "{{{what}}} {verb}"),
                    Existing::File if what.starts_with('{') && what.ends_with('}') => {
                        write!(out, "{what} file {verb}")
                    }
                    Existing::File => write!(out, "{what} {verb}"),
                }
            }
            Test::Judged(prose) => out.write_str(prose),
            Test::Otherwise => out.write_str("else"),
            Test::Not(inner) => write!(out, "!({inner})"),
            Test::All(parts) => list(out, parts.iter().map(grouped), " AND "),
            Test::Any(parts) => list(out, parts.iter().map(grouped), " OR "),
        }
    }
}

fn list(out: &mut fmt::Formatter<'_>, items: impl Iterator<Item = String>, between: &str) -> fmt::Result {
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.write_str(between)?;
        }
        out.write_str(&item)?;
    }
    Ok(())
}

fn grouped(test: &Test) -> String {
    if matches!(test, Test::All(_) | Test::Any(_)) {
        format!("({test})")
    } else {
        test.to_string()
    }
}

fn quote(value: &str) -> String {
    if value.contains('\'') {
        format!("\"{value}\"")
    } else {
        format!("'{value}'")
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Variable(name) => write!(out, "{{{name}}}"),
            Operand::Word(value) | Operand::Text(value) => out.write_str(&quote(value)),
            Operand::Number(value) => write!(out, "{value}"),
            Operand::Truth(value) => write!(out, "{value}"),
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Operator::Equal => "==",
            Operator::NotEqual => "!=",
            Operator::Greater => ">",
            Operator::GreaterOrEqual => ">=",
            Operator::Less => "<",
            Operator::LessOrEqual => "<=",
            Operator::In => "in",
            Operator::NotIn => "not in",
        })
    }
}
