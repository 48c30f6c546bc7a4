//! A list of options in, the question that stands above it out; and what an answer means by a list.

use super::code::Op;
use super::question::Question;
use super::walk::Walk;
use crate::model::{Ask, Menu, item};

impl Walk<'_, '_> {
    /// Returns an answer with what the list right before its question calls it, and the question.
    pub(super) fn with_listed(&self, question: &Question, settled: &str) -> String {
        let listed = match self.op() {
            Op::Ask(ask) if self.options.whole => ask.listed.as_slice(),
            _ => &[],
        };
        let named = listed.iter().find(|option| option.key.eq_ignore_ascii_case(settled));
        let asked = question.text.replace('\n', " ");
        match named.filter(|option| !option.label.is_empty()) {
            Some(option) => format!("{settled}\n{}\n(it was asked: {asked})", self.text(&option.label)),
            None => settled.to_owned(),
        }
    }
}

/// Says whether words stand between the options of a question: it is a sentence, and no list.
pub(super) fn is_parted(text: &str, ask: &Ask) -> bool {
    let place = |at: u32| at.saturating_sub(ask.text.start) as usize;
    let mut pairs = ask.options.windows(2);
    pairs.any(|pair| {
        let between = text.get(place(pair[0].span.end)..place(pair[1].span.start));
        let mut words = between
            .unwrap_or_default()
            .split(|at: char| !at.is_alphanumeric())
            .filter(|word| !word.is_empty());
        words.any(|word| !matches!(word, "or" | "and"))
    })
}

/// Returns the text of a question without the options it lists in brackets: they are shown by themselves.
pub(super) fn before_options(question: &Question) -> String {
    let marks = question.choices.iter().map(|choice| format!("[{}]", choice.key));
    let first = marks.filter_map(|mark| question.text.find(&mark)).min();
    let before = first.map(|at| question.text[..at].trim_end());
    let says = |text: &&str| text.chars().any(char::is_alphanumeric);
    before.filter(says).unwrap_or(&question.text).to_owned()
}

/// Returns what a person reads above a list of options: the question that the list answers, and the list itself where it
/// says more than the options are called. `above` is the text before the list, `list` its lines.
pub(super) fn listed(above: &str, list: &str, menu: &Menu) -> Option<String> {
    let options: Vec<_> = menu
        .branches
        .iter()
        .filter_map(|branch| branch.option.as_ref())
        .collect();
    let in_brackets = options.iter().any(|option| list.contains(&format!("[{}]", option.key)));
    let first = list.lines().next().map(unquoted)?;
    if in_brackets || item(first).is_none() {
        return None;
    }
    let lead = above.lines().rev().map(unquoted).find(|line| !line.is_empty())?;
    let question = question(lead)?;
    let called: usize = options
        .iter()
        .map(|option| letters(&option.label).max(letters(&option.key)))
        .sum();
    let lines: Vec<String> = list.lines().map(|line| plain(unquoted(line))).collect();
    let said: usize = lines.iter().map(|line| letters(item(line).unwrap_or(line))).sum();
    Some(match said > called {
        true => format!("{question}\n{}", lines.join("\n")),
        false => question,
    })
}

/// Returns what a line with options in it asks: what stands before them, or all of it where the only key is one answer of
/// many.
pub(super) fn of_line(line: &str, menu: &Menu) -> String {
    match is_short_answer(menu) {
        true => lead_in(line),
        false => lead_in(before_keys(line)),
    }
}

/// Says whether the only key of a menu is one answer of many, so that the words around it are the question.
fn is_short_answer(menu: &Menu) -> bool {
    matches!(menu.branches.as_slice(), [one, other] if one.option.is_some() && other.option.is_none())
        && menu.branches.iter().all(|branch| !branch.again)
}

/// Returns what a line says before the first key in brackets, or nothing where it begins with a key as code.
fn before_keys(line: &str) -> &str {
    let is_code = item(unquoted(line)).is_some_and(|said| said.starts_with('`'));
    line.split('[').next().filter(|_| !is_code).unwrap_or_default()
}

/// Returns what a line of prose asks: `Display: "**Select:** …` says `Select:`, and `3. Ask: "Keep it?` asks `Keep it?`.
fn lead_in(line: &str) -> String {
    let before = ["Display:", "display:", "Show:", "Present:", "Ask:", "-", "*"]
        .iter()
        .fold(item(line).unwrap_or(line).trim(), |rest, order| {
            rest.strip_prefix(order).unwrap_or(rest).trim_start()
        });
    let plain: String = before
        .chars()
        .filter(|each| !matches!(each, '*' | '"' | '`' | '“' | '”'))
        .collect();
    let plain = plain.trim();
    if plain.chars().any(char::is_alphanumeric) {
        plain.to_owned()
    } else {
        "What next?".to_owned()
    }
}

/// Returns the question in a line, or all of it where it only leads to what stands below.
fn question(line: &str) -> Option<String> {
    let line = plain(item(line).unwrap_or(line));
    if line.starts_with('#') {
        return None;
    }
    let Some(end) = line.rfind('?') else {
        return line.ends_with(':').then_some(line);
    };
    let asked = &line[..=end];
    let before = &asked[..asked.trim_end_matches('?').len()];
    let mut starts = before.rmatch_indices([':', '.', '!', '?']).map(|(at, _)| at + 1);
    // A sentence begins with a capital; what stands behind a colon need not.
    let begins = |start: &usize| {
        let rest = &before[*start..];
        let is_parted = rest.starts_with(' ');
        is_parted && (before[..*start].ends_with(':') || rest.trim_start().starts_with(char::is_uppercase))
    };
    let start = starts.find(begins).unwrap_or_default();
    Some(asked[start..].trim().to_owned())
}

/// Returns a line without the marks of a quotation and the space around it.
fn unquoted(line: &str) -> &str {
    line.trim().trim_start_matches(['>', ' '])
}

/// Returns words without the marks that stress or quote them.
fn plain(words: &str) -> String {
    let is_mark = |at: &char| matches!(at, '*' | '"' | '`' | '“' | '”');
    words
        .chars()
        .filter(|at| !is_mark(at))
        .collect::<String>()
        .trim()
        .to_owned()
}

fn letters(words: &str) -> usize {
    words.chars().filter(|at| at.is_alphanumeric()).count()
}

#[cfg(test)]
mod tests {
    use super::{lead_in, question};

    #[test]
    fn a_question_is_told_without_the_order_to_ask_it() {
        for (line, asked) in [
            (
                "2. HALT. Ask the user: **What do you want?** Present these options:",
                "What do you want?",
            ),
            (
                "**How should the `<P>` findings be handled?**",
                "How should the <P> findings be handled?",
            ),
            (
                "Is it ready, e.g. for a review? Choose:",
                "Is it ready, e.g. for a review?",
            ),
            (
                "Present the user with these options:",
                "Present the user with these options:",
            ),
        ] {
            assert_eq!(question(line).as_deref(), Some(asked), "{line}");
        }
        assert_eq!(question("## What next?"), None);
        assert_eq!(question("All is done."), None);
    }

    #[test]
    fn a_line_is_told_without_its_number_and_the_order_to_show_it() {
        for (line, asked) in [
            ("3. Ask: \"Keep it? ", "Keep it?"),
            ("- Display: **Select:**", "Select:"),
            ("Ask them: ", "Ask them:"),
            ("3 ways to go:", "3 ways to go:"),
        ] {
            assert_eq!(lead_in(line), asked, "{line}");
        }
    }
}
