//! An item for what the items above it leave over in, what those are for out: `- If it is there: …`, `- Otherwise: ask …`.

use super::{FAR, ORDERS, indent, is_answer, item, judged, opened};
use crate::model::condition::{Condition, Test};
use crate::source::Source;
use crate::syntax::WordList;

/// What begins an item for what is left over.
static REST: WordList = WordList::new(&["else", "otherwise"]);

/// Returns the condition that none of some others holds.
pub(super) fn neither(mut cases: Vec<Condition>) -> Condition {
    let texts: Vec<String> = cases.iter().map(|case| format!("not ({})", case.text)).collect();
    let span = cases[0].span.to(cases[cases.len() - 1].span);
    let test = match cases.len() {
        1 => cases.remove(0).test,
        _ => Test::Any(cases.into_iter().map(|case| case.test).collect()),
    };
    Condition {
        span,
        text: texts.join(" and "),
        test: Test::Not(Box::new(test)),
    }
}

/// Returns the condition that holds where both do.
pub(super) fn both(outer: Option<Condition>, inner: Condition) -> Condition {
    let Some(outer) = outer else { return inner };
    Condition {
        span: inner.span,
        text: format!("{} and {}", outer.text, inner.text),
        test: Test::All(vec![outer.test, inner.test]),
    }
}

/// Returns the condition of an item for what the items above it leave over.
pub(super) fn left_over(source: &Source, from: usize, line: &str) -> Option<Condition> {
    let text = source.text();
    let cases = above(text, from, line)?;
    // What is for the other answers to a question is no case of the text.
    let answers = ["yes", "no"];
    let is_given = |case: &str| is_answer(case) || answers.iter().any(|answer| case.eq_ignore_ascii_case(answer));
    if cases.iter().any(|case| is_given(case)) {
        return None;
    }
    let cases: Option<Vec<Condition>> = cases.into_iter().map(|case| judged(source, text, case)).collect();
    cases.map(neither)
}

/// Returns the cases of the items above one that begins with `Else` or `Otherwise`, the first of them first; none where the
/// item says more of when it is for (`Else if …`), or nothing above it says when that is for.
fn above<'t>(text: &'t str, from: usize, line: &str) -> Option<Vec<&'t str>> {
    let depth = bullet(line).filter(|said| is_rest(said)).map(|_| indent(line))?;
    let mut cases = Vec::new();
    for above in text[..from].lines().rev().take(FAR) {
        if above.trim().is_empty() || indent(above) > depth {
            continue;
        }
        let beside = bullet(above).filter(|_| indent(above) == depth);
        let Some(words) = beside.and_then(case) else { break };
        cases.push(words);
    }
    cases.reverse();
    (!cases.is_empty()).then_some(cases)
}

/// Returns an item without its mark, where that has no number: numbered items follow each other.
fn bullet(line: &str) -> Option<&str> {
    let is_bullet = line.trim_start().starts_with(['-', '*', '+']);
    item(line).filter(|_| is_bullet).map(unmarked)
}

fn unmarked(words: &str) -> &str {
    words.trim_start_matches(['*', '_', ' '])
}

/// Says whether an item is for whatever is left: nothing but words in parentheses stands before its colon or comma.
fn is_rest(said: &str) -> bool {
    let length = said.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (first, rest) = said.split_at(length);
    let rest = unmarked(rest);
    let behind = match rest.starts_with('(') {
        true => rest.split_once(')').map_or("", |(_, behind)| unmarked(behind)),
        false => rest,
    };
    let is_order = || behind.split_whitespace().next().is_some_and(|next| ORDERS.has(next));
    REST.has(first) && (behind.starts_with([':', ',', '→', '—']) || is_order())
}

/// Returns what an item is for: `If it is there: …`, `Else if it is old, …`.
fn case(said: &str) -> Option<&str> {
    let (first, rest) = said.split_once(' ')?;
    let said = if REST.has(first.trim_end_matches(',')) {
        rest
    } else {
        said
    };
    let words = opened(said)?;
    let words = &words[..end(words)?];
    let words = words.trim_matches(|at: char| at.is_whitespace() || matches!(at, '*' | '_'));
    (!words.is_empty()).then_some(words)
}

/// Finds where a condition ends: at the first colon or arrow outside of parentheses and code, else at the first comma.
fn end(words: &str) -> Option<usize> {
    let (mut depth, mut is_code, mut comma) = (0_usize, false, None);
    for (at, mark) in words.char_indices() {
        let ends = || {
            words[at + mark.len_utf8()..]
                .chars()
                .next()
                .is_none_or(|next| matches!(next, ' ' | '*' | '_'))
        };
        match mark {
            '`' => is_code = !is_code,
            _ if is_code => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ':' if depth == 0 && ends() => return Some(at),
            '→' if depth == 0 => return Some(at),
            ',' if depth == 0 && comma.is_none() => comma = Some(at),
            _ => {}
        }
    }
    comma
}

#[cfg(test)]
mod tests {
    use super::above;

    /// Returns the cases above the last line of a text.
    fn of(text: &str) -> Option<Vec<&str>> {
        let from = text.rfind('\n').map_or(0, |end| end + 1);
        above(text, from, &text[from..])
    }

    #[test]
    fn an_item_for_the_rest_is_for_none_of_the_cases_above_it() {
        for (text, cases) in [
            (
                "- If the request **says** none (e.g. \"no, never\"): set `x`: y.\n  - If it is old: keep it.\n\
                 - Else if `{a: b}` is set (from A, or B): go on.\n- Else (neither a nor b): ask:",
                vec![
                    "the request **says** none (e.g. \"no, never\")",
                    "`{a: b}` is set (from A, or B)",
                ],
            ),
            (
                "- When it is clear, go on.\n\n- **Otherwise:** ask:",
                vec!["it is clear"],
            ),
            ("* **If it is there:** take it\n* Otherwise, ask:", vec!["it is there"]),
            ("- Read.\n- If it is there → take it\n- Else: ask:", vec!["it is there"]),
            (
                "  - Unless it is clear: stop.\n  - Otherwise — ask:",
                vec!["Unless it is clear"],
            ),
            ("- If it is there: take it\n- Else ask which:", vec!["it is there"]),
        ] {
            assert_eq!(of(text), Some(cases), "{text}");
        }
    }

    #[test]
    fn an_item_that_says_when_it_is_for_or_follows_no_case_is_none() {
        for text in [
            "- If it is there: take it\n- Else if it is old: ask:",
            "- If it is there: take it\n- Ask otherwise:",
            "- If it is there: take it\n- Otherwise it is old: ask:",
            "- If it is there: take it\n- Read it.\n- Otherwise: ask:",
            "- If it is there: take it\n\nRead it.\n\n- Otherwise: ask:",
            "- If it is there take it\n- Otherwise: ask:",
            "1. If it is there: take it\n2. Otherwise: ask:",
            "- Otherwise: ask:",
            "Otherwise: ask:",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
