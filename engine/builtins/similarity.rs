//! Two texts in, how alike they are out: the share of characters that both have in the same order.
//!
//! Alike is twice the longest common subsequence over both lengths, in percent and counted in code points; it is what
//! others call the normalised Indel similarity. Whoever only wants to know whether two texts are alike enough says from
//! how many percent on: everything that cannot lead there is left out, so that most answers cost little.

mod band;
mod pattern;

use band::longest;
use pattern::Pattern;

/// Characters that two texts may miss in the first attempt; each further one allows four times as many.
const FIRST_ATTEMPT: usize = 256;

/// Returns how alike two texts are, in percent; two empty ones are the same.
pub fn alike(left: &str, right: &str) -> f64 {
    alike_from(left, right, 0.0).unwrap_or_default()
}

/// Returns how alike two texts are, in percent, where that is `least` or more.
pub fn alike_from(left: &str, right: &str, least: f64) -> Option<f64> {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let both = left.len() + right.len();
    let wanted = least_common(both, least)?;
    common(&left, &right, wanted).map(|common| percent(common, both))
}

fn percent(common: usize, both: usize) -> f64 {
    match both {
        0 => 100.0,
        _ => 200.0 * common as f64 / both as f64,
    }
}

/// Returns how many characters have to be common for so many percent; nothing where not even the same text has them.
fn least_common(both: usize, least: f64) -> Option<usize> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not below 0 and not above the length of a text"
    )]
    let guess = (least.clamp(0.0, 100.0) / 200.0 * both as f64) as usize;
    // The guess is off by one at most, whichever way its fraction was rounded.
    let near = guess.saturating_sub(1)..=guess + 2;
    let wanted = near.into_iter().find(|common| percent(*common, both) >= least)?;
    (wanted * 2 <= both).then_some(wanted)
}

/// Returns the length of the longest common subsequence, where that is `wanted` or more.
fn common(left: &[char], right: &[char], wanted: usize) -> Option<usize> {
    let (left, right, around) = without_ends(left, right);
    let wanted = wanted.saturating_sub(around);
    if left.len().min(right.len()) < wanted {
        return None;
    }
    if left.is_empty() || right.is_empty() {
        return Some(around);
    }
    let pattern = Pattern::of(left);
    let rows = pattern.rows(right);
    let most = pattern.most_common(&rows);
    if most < wanted {
        return None;
    }
    let both = left.len() + right.len();
    let mut misses = FIRST_ATTEMPT.max((both - 2 * most) * 2);
    loop {
        let target = wanted.max(both.saturating_sub(misses).div_ceil(2));
        let found = longest(&pattern, &rows, target);
        if found.is_some() || target == wanted {
            return found.map(|found| found + around);
        }
        misses *= 4;
    }
}

/// Takes away what both begin and end with; answers what is left and how much was taken.
fn without_ends<'a>(left: &'a [char], right: &'a [char]) -> (&'a [char], &'a [char], usize) {
    let before = left.iter().zip(right).take_while(|(one, other)| one == other).count();
    let (left, right) = (&left[before..], &right[before..]);
    let backwards = left.iter().rev().zip(right.iter().rev());
    let after = backwards.take_while(|(one, other)| one == other).count();
    (
        &left[..left.len() - after],
        &right[..right.len() - after],
        before + after,
    )
}

#[cfg(test)]
mod tests;
