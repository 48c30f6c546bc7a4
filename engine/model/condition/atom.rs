//! Tokens of one part in, one test out: a comparison, a member of a list, an answer, an existence or a flag.

use super::token::{Joint, Kind, Token, is_name};
use super::{Operand, Operator, Test, choice, existence, grammar};
use crate::syntax::WordList;

/// Reads tokens that are one test; `code` says that a bare word is a variable.
pub(super) fn read(text: &str, tokens: &[Token], code: bool) -> Option<Test> {
    choice::read(text, tokens)
        .or_else(|| compare(text, tokens))
        .or_else(|| member(text, tokens))
        .or_else(|| existence::read(text, tokens))
        .or_else(|| flag(tokens, code))
}

/// Reads `x == y`, `x lt 3`, `x is true`; a note in parentheses after it says nothing new.
fn compare(text: &str, tokens: &[Token]) -> Option<Test> {
    let (left, rest) = tokens.split_first()?;
    let (operator, right, spoken) = operator(rest)?;
    let left_operand = left_side(left)?;
    let right = without_note(right);
    if let [only] = right {
        let right_operand = right_side(only, spoken)?;
        return Some(Test::Compare {
            left: left_operand,
            operator,
            right: right_operand,
        });
    }
    if let Some(values) = alternatives(right)
        && let Some(negated) = equality(operator)
    {
        return Some(Test::Member {
            name: left_operand,
            values,
            negated,
        });
    }
    let title = title(text, right)?;
    equality(operator)?;
    Some(Test::Compare {
        left: left_operand,
        operator,
        right: Operand::Word(title),
    })
}

/// Says whether an operator asks for the same value (`false`) or for another (`true`); nothing for the others.
pub(super) fn equality(operator: Operator) -> Option<bool> {
    match operator {
        Operator::Equal => Some(false),
        Operator::NotEqual => Some(true),
        Operator::Greater
        | Operator::GreaterOrEqual
        | Operator::Less
        | Operator::LessOrEqual
        | Operator::In
        | Operator::NotIn => None,
    }
}

/// How an operator was written: a spoken `is` may as well describe something.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spoken {
    /// `==`, `lt`, `equals`.
    Plainly,
    /// `is`, `is not`.
    Loosely,
}

/// Operators that are words; few tokens are one.
static SPOKEN: WordList = WordList::new(&["eq", "equals", "ne", "neq", "lt", "le", "lte", "gt", "ge", "gte"]);

/// Reads an operator and returns what is after it.
pub(super) fn operator<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<(Operator, &'t [Token<'a>], Spoken)> {
    const WORDS: [(&str, Operator); 10] = [
        ("eq", Operator::Equal),
        ("equals", Operator::Equal),
        ("ne", Operator::NotEqual),
        ("neq", Operator::NotEqual),
        ("lt", Operator::Less),
        ("le", Operator::LessOrEqual),
        ("lte", Operator::LessOrEqual),
        ("gt", Operator::Greater),
        ("ge", Operator::GreaterOrEqual),
        ("gte", Operator::GreaterOrEqual),
    ];
    let (first, rest) = tokens.split_first()?;
    if let Kind::Compare(operator) = first.kind {
        return Some((operator, rest, Spoken::Plainly));
    }
    if first.is_in(&SPOKEN)
        && let Some((_, operator)) = WORDS.iter().find(|(word, _)| first.is(word))
    {
        return Some((*operator, rest, Spoken::Plainly));
    }
    if first.is("isn't") {
        return Some((Operator::NotEqual, rest, Spoken::Loosely));
    }
    if !first.is("is") {
        return None;
    }
    match rest.split_first() {
        Some((second, rest)) if second.is("not") => Some((Operator::NotEqual, rest, Spoken::Loosely)),
        Some(_) => Some((Operator::Equal, rest, Spoken::Loosely)),
        None => None,
    }
}

/// Reads `x in [a, b]`, `x not in list`, `x is one of: a, b`, `x is neither a nor b`.
fn member(text: &str, tokens: &[Token]) -> Option<Test> {
    let (left, rest) = tokens.split_first()?;
    let Some((negated, list)) = membership(rest) else {
        return listed(text, left, rest);
    };
    let name = left_side(left)?;
    if let Some(test) = list_inside(list).and_then(|list| filled(&name, negated, list)) {
        return Some(test);
    }
    if let Some(values) = list_values(text, list) {
        return Some(Test::Member { name, values, negated });
    }
    let (holder, noun) = list.split_first()?;
    if noun.len() > 1 || !noun.iter().all(|noun| noun.is_any(&["list", "array", "set"])) {
        return None;
    }
    let right = list_name(holder)?;
    Some(Test::Compare {
        left: name,
        operator: if negated { Operator::NotIn } else { Operator::In },
        right,
    })
}

/// Reads `is one of: a, b` and `is neither a nor b` behind a variable.
fn listed(text: &str, left: &Token, rest: &[Token]) -> Option<Test> {
    let (negated, list) = enumerated(rest)?;
    if left.kind != Kind::Hole && !is_compound_name(left.text) {
        return None;
    }
    let name = left_side(left)?;
    if let Some(test) = filled(&name, negated, list) {
        return Some(test);
    }
    let values = values(text, list)?;
    Some(Test::Member { name, values, negated })
}

/// Reads `in`, `not in`, `is in`, `is not in`.
fn membership<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<(bool, &'t [Token<'a>])> {
    let mut rest = tokens;
    let mut negated = false;
    if let Some((first, after)) = rest.split_first()
        && first.is("is")
    {
        rest = after;
    }
    if let Some((first, after)) = rest.split_first()
        && first.is("not")
    {
        negated = true;
        rest = after;
    }
    let (first, after) = rest.split_first()?;
    first.is("in").then_some((negated, after))
}

fn list_name(token: &Token) -> Option<Operand> {
    let names = token.kind == Kind::Hole || (token.kind == Kind::Word && is_compound_name(token.text));
    names.then(|| Operand::Variable(token.text.to_owned()))
}

/// Returns what stands in `[a, b]` or `(a, b)`.
fn list_inside<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<&'t [Token<'a>]> {
    let [first, inner @ .., last] = tokens else {
        return None;
    };
    let square = first.kind == Kind::ListOpen && last.kind == Kind::ListClose;
    let round = first.kind == Kind::Open && last.kind == Kind::Close;
    (square || round).then_some(inner)
}

/// Reads `[a, b]` or `(a, b)`, dropping notes in parentheses after a value.
fn list_values(text: &str, tokens: &[Token]) -> Option<Vec<String>> {
    values(text, list_inside(tokens)?)
}

/// Reads a list with names in braces in it, `[{a}, b]`: each stands for its value.
fn filled(name: &Operand, negated: bool, list: &[Token]) -> Option<Test> {
    let parts = || {
        let parts = list.split(|token| separates(token)).map(without_note);
        parts.filter(|part| !part.is_empty())
    };
    if !parts().any(|part| matches!(part, [one] if one.kind == Kind::Hole)) {
        return None;
    }
    let one = |part: &[Token]| match part {
        [one] if one.kind == Kind::Hole => Some(Operand::Variable(one.text.to_owned())),
        [one] if matches!(one.kind, Kind::Word | Kind::Quoted) => Some(Operand::Text(one.text.to_owned())),
        _ => None,
    };
    let same = |right: Operand| Test::Compare {
        left: name.clone(),
        operator: Operator::Equal,
        right,
    };
    let tests: Option<Vec<Test>> = parts().map(|part| one(part).map(same)).collect();
    let any = Test::Any(tests?);
    Some(if negated { Test::Not(Box::new(any)) } else { any })
}

/// Reads `is one of: a, b, or c`, `is not one of …` and `is neither a nor b`.
pub(super) fn enumeration(text: &str, tokens: &[Token]) -> Option<(bool, Vec<String>)> {
    let (negated, list) = enumerated(tokens)?;
    Some((negated, values(text, list)?))
}

/// Returns what stands behind `is one of`, `is not one of` or `is neither`.
fn enumerated<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<(bool, &'t [Token<'a>])> {
    let (first, mut rest) = tokens.split_first()?;
    if !first.is("is") {
        return None;
    }
    let mut negated = false;
    if let Some((second, after)) = rest.split_first()
        && second.is("not")
    {
        negated = true;
        rest = after;
    }
    match rest {
        [one, of, list @ ..] if one.is_any(&["one", "any"]) && of.is("of") => {
            let list = match list {
                [open, inner @ .., close] if open.kind == Kind::ListOpen && close.kind == Kind::ListClose => inner,
                list => list,
            };
            Some((negated, list))
        }
        [neither, list @ ..] if neither.is("neither") => Some((!negated, list)),
        _ => None,
    }
}

/// Reads values between commas, `or` and `nor`, each of them one word or one quoted text.
fn values(text: &str, tokens: &[Token]) -> Option<Vec<String>> {
    let mut values = Vec::new();
    for part in tokens.split(|token| separates(token)) {
        match without_note(part) {
            [] if !values.is_empty() => {}
            [one] if matches!(one.kind, Kind::Word | Kind::Quoted | Kind::Hole) => values.push(one.text.to_owned()),
            several => values.push(title(text, several)?),
        }
    }
    (!values.is_empty()).then_some(values)
}

fn separates(token: &Token) -> bool {
    matches!(token.kind, Kind::Comma | Kind::Join(Joint::Or, _)) || token.is("nor")
}

/// Reads `'a' or 'b'` and `1 or 2`: values of one kind, so that `'a' or similar` stays prose.
fn alternatives(tokens: &[Token]) -> Option<Vec<String>> {
    let mut values = Vec::new();
    let mut quoted = None;
    for part in tokens.split(|token| separates(token)) {
        let [only] = part else {
            return None;
        };
        let is_quoted = only.kind == Kind::Quoted;
        if !is_quoted && number(only).is_none() || quoted.is_some_and(|before| before != is_quoted) {
            return None;
        }
        quoted = Some(is_quoted);
        values.push(only.text.to_owned());
    }
    Some(values)
}

/// Reads several words that are all capitalised, as names of things are.
fn title(text: &str, tokens: &[Token]) -> Option<String> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    let capitals = tokens.iter().all(|token| {
        token.kind == Kind::Word
            && token
                .text
                .starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit())
    });
    let named = first.text.starts_with(char::is_uppercase);
    (capitals && named).then(|| text.get(first.start..last.end).unwrap_or_default().to_owned())
}

/// Drops a note in parentheses at the end.
fn without_note<'t, 'a>(tokens: &'t [Token<'a>]) -> &'t [Token<'a>] {
    let open = tokens.iter().position(|token| token.kind == Kind::Open);
    match open {
        Some(at) if at > 0 && tokens.get(at..).and_then(grammar::group).is_some() => tokens.get(..at).unwrap_or(tokens),
        _ => tokens,
    }
}

/// Reads the value before an operator: a bare word names a variable.
fn left_side(token: &Token) -> Option<Operand> {
    operand(token).or_else(|| {
        let names = token.kind == Kind::Word && is_name(token.text);
        number(token).or_else(|| names.then(|| Operand::Variable(token.text.to_owned())))
    })
}

/// Reads the value after an operator; after `is` a plain word may be an adjective, so only a value will do.
pub(super) fn right_side(token: &Token, spoken: Spoken) -> Option<Operand> {
    let bare = token.kind == Kind::Word
        && is_value(token.text)
        && (spoken == Spoken::Plainly || token.text.starts_with(char::is_uppercase));
    operand(token)
        .or_else(|| literal(token))
        .or_else(|| bare.then(|| Operand::Word(token.text.to_owned())))
}

fn operand(token: &Token) -> Option<Operand> {
    if token.kind == Kind::Hole {
        return Some(Operand::Variable(token.text.to_owned()));
    }
    (token.kind == Kind::Quoted).then(|| Operand::Text(token.text.to_owned()))
}

fn literal(token: &Token) -> Option<Operand> {
    if token.is("true") {
        return Some(Operand::Truth(true));
    }
    if token.is("false") {
        return Some(Operand::Truth(false));
    }
    number(token)
}

fn number(token: &Token) -> Option<Operand> {
    let digits = token
        .text
        .starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '.'));
    let value = digits.then(|| token.text.parse().ok())??;
    (token.kind == Kind::Word).then_some(Operand::Number(value))
}

fn is_value(text: &str) -> bool {
    text.chars()
        .all(|next| next.is_alphanumeric() || matches!(next, '_' | '-' | '.' | '/' | ':' | '+' | '#' | '@' | '%' | '*'))
}

/// Reads a variable used as a truth value: in braces, `snake_case`, `camelCase`, or any name in code.
fn flag(tokens: &[Token], code: bool) -> Option<Test> {
    let [only] = tokens else {
        return None;
    };
    let names = only.kind == Kind::Hole
        || (only.kind == Kind::Word && is_name(only.text) && (is_compound_name(only.text) || code));
    names.then(|| Test::Flag(only.text.to_owned()))
}

/// Says whether a bare word can only be a variable: `snake_case` or `camelCase`.
pub(super) fn is_compound_name(text: &str) -> bool {
    let head = text.bytes().take_while(u8::is_ascii_lowercase).count();
    let camel = head >= 2 && text.as_bytes().get(head).is_some_and(u8::is_ascii_uppercase);
    is_name(text) && !text.contains('.') && (text.trim_matches('_').contains('_') || camel)
}
