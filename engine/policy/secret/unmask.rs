//! A text with masks and the text that it was made of in, the text with its secrets out.
//!
//! A line that is the same in both has the same secrets. In a line that was changed a mask is the one secret of its kind,
//! or the one that stood behind the same words, or the one whose turn it is; where none of that tells, nobody guesses.

mod held;
mod lost;
mod number;

use super::Secrets;
use super::masker::Masker;
use crate::source::diff;
use held::Held;
use lost::Lost;
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
    /// What the text holds there: a secret, or the mask itself.
    held: &'t str,
    /// The line of the masked text that it is in, from 0.
    line: usize,
    /// Where that line begins in the masked text.
    start: usize,
    /// Where the mask is in the masked text.
    mask: Range<usize>,
}

/// A text as it is shown, and what is hidden in it, in order.
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
        let held = Held::new(&old, &new, &origins);
        let mut lost = Lost::new(&old, &new, &origins);
        let mut whole = String::with_capacity(text.len());
        let mut at = 0;
        for (nth, hidden) in new.hidden.iter().enumerate() {
            whole.push_str(&text[at..hidden.range.start]);
            whole.push_str(match held.is_known(nth) {
                _ if hidden.held != new.mask(hidden) => hidden.held,
                true => held.of(nth)?,
                // It is no secret any more: a variable that held it is not set now.
                false => lost.of(nth).unwrap_or(hidden.held),
            });
            at = hidden.range.end;
        }
        whole.push_str(&text[at..]);
        Ok(Cow::Owned(whole))
    }

    fn shown<'t>(self: &Arc<Self>, text: &'t str) -> Shown<'t> {
        let secrets = Masker::new(Arc::clone(self)).places(text);
        let written = written(text, &secrets);
        let secrets = secrets.into_iter().map(|(range, name)| (range, Cow::Owned(name)));
        let mut places: Vec<(Range<usize>, Cow<'t, str>)> = secrets.chain(written).collect();
        places.sort_by_key(|(range, _)| range.start);
        let mut masked = String::with_capacity(text.len());
        let mut hidden = Vec::with_capacity(places.len());
        let (mut at, mut line, mut start) = (0, 0, 0);
        for (range, name) in places {
            let (Some(between), Some(held)) = (text.get(at..range.start), text.get(range.clone())) else {
                continue;
            };
            masked.push_str(between);
            if let Some(last) = between.rfind('\n') {
                line += between.matches('\n').count();
                start = masked.len() - between.len() + last + 1;
            }
            let begin = masked.len();
            masked.extend([OPEN, &name, "]"]);
            hidden.push(Hidden {
                mask: begin..masked.len(),
                held,
                line,
                start,
                range: range.clone(),
            });
            if let Some(last) = name.rfind('\n') {
                line += name.matches('\n').count();
                start = begin + OPEN.len() + last + 1;
            }
            at = range.end;
        }
        masked.push_str(&text[at..]);
        Shown { masked, hidden }
    }
}

impl Shown<'_> {
    /// Returns the mask that is shown in a place.
    fn mask(&self, hidden: &Hidden<'_>) -> &str {
        &self.masked[hidden.mask.clone()]
    }

    /// Returns which one is the first of a line, or of a later one.
    fn first_of(&self, line: usize) -> usize {
        self.hidden.partition_point(|other| other.line < line)
    }
}

/// Finds the masks that stand in a text, but not those in a secret or in one another.
fn written<'t>(text: &'t str, secrets: &[(Range<usize>, String)]) -> Vec<(Range<usize>, Cow<'t, str>)> {
    let mut found: Vec<(Range<usize>, Cow<'t, str>)> = Vec::new();
    let (mut passed, mut stop, mut end) = (0, 0, 0);
    for (at, _) in text.match_indices(OPEN) {
        let over = secrets[passed..].iter().take_while(|(range, _)| range.end <= at);
        passed += over.count();
        let in_secret = secrets.get(passed).is_some_and(|(range, _)| range.contains(&at));
        if stop <= at {
            let found = memchr::memchr2(b']', b'\n', &text.as_bytes()[at..]);
            stop = found.map_or(text.len(), |found| at + found);
        }
        if at >= end && !in_secret && text[stop..].starts_with(']') {
            end = stop + 1;
            found.push((at..end, Cow::Borrowed(&text[at + OPEN.len()..stop])));
        }
    }
    found
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
