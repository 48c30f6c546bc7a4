//! A text with masks and the text that it was made of in, the text with its secrets out.
//!
//! A line that is the same in both has the same secrets. In a line that was changed a mask is the one secret of its kind,
//! or the one that stood behind the same words, or the one whose turn it is; where none of that tells, nobody guesses.

use super::Secrets;
use super::masker::Masker;
use crate::source::diff;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// What every mask begins with.
const OPEN: &str = "[masked: ";

/// A mask of which nobody knows what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unclear {
    /// The mask.
    pub mask: String,
}

impl fmt::Display for Unclear {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mask = &self.mask;
        write!(
            formatter,
            "several secrets are {mask} there, and which one belongs where is not known"
        )
    }
}

impl std::error::Error for Unclear {}

/// A place of a text that is masked, or was.
#[derive(Debug)]
struct Hidden<'t> {
    range: Range<usize>,
    mask: String,
    /// What the text holds there: a secret, or the mask itself.
    held: &'t str,
    /// The line of the masked text that it is in, from 0.
    line: usize,
    /// What stands before it in that line.
    before: String,
}

/// A text as it is shown, and what is hidden in it.
struct Shown<'t> {
    masked: String,
    hidden: Vec<Hidden<'t>>,
}

/// Where a line of a text comes from.
#[derive(Debug, Clone)]
enum Origin {
    /// It is this line.
    Same(usize),
    /// It stands in the place of these.
    Changed(Range<usize>),
}

impl Secrets {
    /// Puts the secrets of a text back into what was made of it. A mask that it has no secret for stays.
    pub fn unmasked<'t>(self: &Arc<Self>, text: &'t str, of: &str) -> Result<Cow<'t, str>, Unclear> {
        if !text.contains(OPEN) {
            return Ok(Cow::Borrowed(text));
        }
        let (old, new) = (self.shown(of), self.shown(text));
        let origins = origins(&old.masked, &new.masked);
        let mut whole = String::with_capacity(text.len());
        let mut at = 0;
        for (nth, hidden) in new.hidden.iter().enumerate() {
            whole.push_str(&text[at..hidden.range.start]);
            let is_alike = |other: &Hidden<'_>| other.mask == hidden.mask;
            whole.push_str(match old.hidden.iter().any(is_alike) {
                _ if hidden.held != hidden.mask => hidden.held,
                true => held(nth, &new.hidden, &old.hidden, &origins)?,
                // It is no secret any more: a variable that held it is not set now.
                false => unhidden(hidden, &new.masked, &old.masked, &origins).unwrap_or(hidden.held),
            });
            at = hidden.range.end;
        }
        whole.push_str(&text[at..]);
        Ok(Cow::Owned(whole))
    }

    fn shown<'t>(self: &Arc<Self>, text: &'t str) -> Shown<'t> {
        let mut places = Masker::new(Arc::clone(self)).places(text);
        for (at, _) in text.match_indices(OPEN) {
            let line = text[at..].split('\n').next().unwrap_or_default();
            let free = places.iter().all(|(range, _)| !range.contains(&at));
            if let Some(end) = line.find(']').filter(|_| free) {
                let name = &line[OPEN.len()..end];
                places.push((at..at + end + 1, name.to_owned()));
            }
        }
        places.sort_by_key(|(range, _)| range.start);
        let mut shown = Shown {
            masked: String::with_capacity(text.len()),
            hidden: Vec::new(),
        };
        let mut at = 0;
        for (range, name) in places {
            let (Some(between), Some(held)) = (text.get(at..range.start), text.get(range.clone())) else {
                continue;
            };
            shown.masked.push_str(between);
            let mask = format!("{OPEN}{name}]");
            let start = shown.masked.rfind('\n').map_or(0, |at| at + 1);
            shown.hidden.push(Hidden {
                line: shown.masked.matches('\n').count(),
                before: shown.masked[start..].to_owned(),
                held,
                mask: mask.clone(),
                range: range.clone(),
            });
            shown.masked.push_str(&mask);
            at = range.end;
        }
        shown.masked.push_str(&text[at..]);
        shown
    }
}

/// Says of every line of a text where it comes from.
fn origins(old: &str, new: &str) -> Vec<Origin> {
    let mut origins: Vec<Origin> = Vec::new();
    let mut from = 0;
    let count = new.lines().count();
    for piece in diff::between(old, new) {
        while origins.len() + 1 < piece.line {
            origins.push(Origin::Same(from));
            from += 1;
        }
        let replaced = from..from + piece.removed.len();
        from = replaced.end;
        origins.extend(piece.added.iter().map(|_| Origin::Changed(replaced.clone())));
    }
    while origins.len() < count {
        origins.push(Origin::Same(from));
        from += 1;
    }
    origins
}

/// Returns what a mask stands for.
fn held<'o>(nth: usize, new: &[Hidden<'_>], old: &[Hidden<'o>], origins: &[Origin]) -> Result<&'o str, Unclear> {
    let hidden = &new[nth];
    let origin = origins.get(hidden.line).cloned().unwrap_or(Origin::Changed(0..0));
    let in_line = |other: &&Hidden<'_>| other.line == hidden.line && other.range.start < hidden.range.start;
    if let Origin::Same(line) = origin {
        let before = new.iter().filter(in_line).count();
        let same = old.iter().filter(|other| other.line == line).nth(before);
        return same.map(|same| same.held).ok_or_else(|| unclear(hidden));
    }
    let Origin::Changed(place) = origin else {
        return Err(unclear(hidden));
    };
    let alike: Vec<&Hidden<'o>> = old.iter().filter(|other| other.mask == hidden.mask).collect();
    let behind = |other: &&&Hidden<'o>| other.before == hidden.before;
    if let Some(found) = one(alike.iter().copied()) {
        return Ok(found);
    }
    if let Some(found) = one(alike.iter().filter(behind).copied()) {
        return Ok(found);
    }
    let here: Vec<&&Hidden<'o>> = alike.iter().filter(|other| place.contains(&other.line)).collect();
    let is_here = |line: usize| matches!(origins.get(line), Some(Origin::Changed(other)) if *other == place);
    let wanted: Vec<usize> = (0..new.len())
        .filter(|at| new[*at].mask == hidden.mask && is_here(new[*at].line))
        .collect();
    let turn = wanted.iter().position(|at| *at == nth);
    let found = turn
        .filter(|_| wanted.len() == here.len())
        .and_then(|turn| here.get(turn));
    found.map(|found| found.held).ok_or_else(|| unclear(hidden))
}

/// Returns what stands in the place of a mask, where one line is the same but for it.
fn unhidden<'o>(hidden: &Hidden<'_>, new: &str, old: &'o str, origins: &[Origin]) -> Option<&'o str> {
    let Some(Origin::Changed(place)) = origins.get(hidden.line) else {
        return None;
    };
    let line = new.lines().nth(hidden.line)?;
    let (before, after) = (
        hidden.before.as_str(),
        line.get(hidden.before.len() + hidden.mask.len()..)?,
    );
    if before.trim().is_empty() && after.trim().is_empty() {
        return None;
    }
    let within = |line: &'o str| line.strip_prefix(before)?.strip_suffix(after);
    let mut found = old.lines().skip(place.start).take(place.len()).filter_map(within);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Returns what all of these hold.
fn one<'o: 'h, 'h>(mut all: impl Iterator<Item = &'h Hidden<'o>>) -> Option<&'o str> {
    let first = all.next()?.held;
    all.all(|other| other.held == first).then_some(first)
}

fn unclear(hidden: &Hidden<'_>) -> Unclear {
    let mask = hidden.mask.clone();
    Unclear { mask }
}

#[cfg(test)]
mod tests {
    use super::Secrets;

    /// Written in halves, so that no scanner takes this file for a leak.
    fn token(letter: char) -> String {
        let body: String = "1B2C3D4E5".chars().cycle().take(35).collect();
        format!("ghp_{letter}{body}")
    }

    /// Changes a text as somebody does who sees only its masks, and puts the secrets back.
    fn changed(text: &str, change: impl Fn(&str) -> String) -> Option<String> {
        let secrets = Secrets::common();
        let masked = secrets.masked(text).into_owned();
        assert!(!masked.contains("ghp_"), "{masked}");
        let unmasked = secrets.unmasked(&change(&masked), text).ok()?.into_owned();
        Some(unmasked)
    }

    #[test]
    fn a_change_elsewhere_leaves_every_secret_where_it_is() {
        let key = concat!(
            "-----BEGIN PRIV",
            "ATE KEY-----\nMIIE\nAA==\n-----END PRIV",
            "ATE KEY-----"
        );
        let text = format!("a {} b {}\nteh\n{key}\n", token('a'), token('b'));
        let fixed = changed(&text, |masked| masked.replace("teh", "the\nother"));
        assert_eq!(fixed, Some(text.replace("teh", "the\nother")));
    }

    #[test]
    fn a_line_that_changes_keeps_its_own_secret() {
        let text = format!("A={} teh\nB={}\nC={}\n", token('a'), token('b'), token('c'));
        let fixed = changed(&text, |masked| masked.replace("teh", "the"));
        assert_eq!(fixed, Some(text.replace("teh", "the")));
        let gone = changed(&text, |masked| masked.split_once('\n').unwrap().1.to_owned());
        assert_eq!(gone, Some(text.split_once('\n').unwrap().1.to_owned()));
        let moved = |text: &str| {
            let (first, rest) = text.split_once('\n').unwrap();
            format!("{rest}{first}\n")
        };
        assert_eq!(changed(&text, moved), Some(moved(&text)));
    }

    #[test]
    fn the_words_of_a_mask_that_stood_in_the_text_are_no_secret() {
        let text = format!("[masked: GitHub token]\nT={}\n", token('a'));
        assert_eq!(
            changed(&text, |masked| format!("{masked}more\n")),
            Some(format!("{text}more\n"))
        );
    }

    #[test]
    fn a_mask_that_the_text_has_no_secret_for_stays() {
        let secrets = Secrets::common();
        let shown = "T=[masked: Stripe key]\n";
        assert_eq!(secrets.unmasked(shown, &token('a')).unwrap(), shown);
    }

    #[test]
    fn a_value_that_is_secret_no_longer_stays_where_it_is() {
        let secrets = Secrets::new([("DEPLOY_TOKEN", "value-of-the-variable")]);
        let text = "export T=value-of-the-variable\nteh\n";
        let masked = secrets.masked(text).replace("teh", "the");
        assert!(masked.contains("[masked: DEPLOY_TOKEN]"), "{masked}");
        let later = Secrets::common().unmasked(&masked, text).unwrap().into_owned();
        assert_eq!(later, text.replace("teh", "the"));
    }

    #[test]
    fn nobody_guesses_which_secret_is_meant() {
        let text = format!("A={}\nB={}\n", token('a'), token('b'));
        assert_eq!(
            changed(&text, |_| "one of them: [masked: GitHub token]\n".to_owned()),
            None
        );
    }
}
