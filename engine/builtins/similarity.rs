//! Two texts in, how alike they are out: the share of characters that both have in the same order.
//!
//! Alike is twice the longest common subsequence over both lengths, in percent and counted in code points; it is what
//! others call the normalised Indel similarity. Whoever only wants to know whether two texts are alike enough says from
//! how many percent on: everything that cannot lead there is left out, so that most answers cost little.

mod band;
mod pattern;

use band::longest;
use pattern::Pattern;

/// Characters that two texts may miss in the first attempt.
const FIRST_ATTEMPT: usize = 256;

/// How many times as many they may miss in the next attempt, at least and at most.
const MORE: (usize, usize) = (2, 16);

/// How many bytes are compared at once.
const CHUNK: usize = 64;

/// Returns how alike two texts are, in percent; two empty ones are the same.
pub fn alike(left: &str, right: &str) -> f64 {
    alike_from(left, right, 0.0).unwrap_or_default()
}

/// Returns how alike two texts are, in percent, where that is `least` or more.
pub fn alike_from(left: &str, right: &str, least: f64) -> Option<f64> {
    let (left, right, around) = without_ends(left, right);
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let both = left.len() + right.len() + 2 * around;
    let wanted = least_common(both, least)?.saturating_sub(around);
    let inside = common(&left, &right, wanted)?;
    Some(percent(inside + around, both))
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
    if left.len().min(right.len()) < wanted {
        return None;
    }
    if left.is_empty() || right.is_empty() {
        return Some(0);
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
        match longest(&pattern, &rows, target) {
            Ok(found) => return Some(found),
            Err(_) if target == wanted => return None,
            Err(passed) => {
                // What was missed so far is missed again in each part as long; a little more leaves room for chance.
                let likely = misses * rows.len() / passed.max(1) * 5 / 4;
                misses = likely.clamp(misses * MORE.0, misses * MORE.1);
            }
        }
    }
}

/// Takes away what both begin and end with; answers what is left and how many characters were taken from each.
fn without_ends<'a>(left: &'a str, right: &'a str) -> (&'a str, &'a str, usize) {
    let (bytes, others) = (left.as_bytes(), right.as_bytes());
    let whole = CHUNK * same(bytes.chunks_exact(CHUNK).zip(others.chunks_exact(CHUNK)));
    let mut before = whole + same(bytes[whole..].iter().zip(&others[whole..]));
    while !left.is_char_boundary(before) {
        before -= 1;
    }
    let (start, left, right) = (&left[..before], &left[before..], &right[before..]);
    let (bytes, others) = (left.as_bytes(), right.as_bytes());
    let whole = CHUNK * same(bytes.rchunks_exact(CHUNK).zip(others.rchunks_exact(CHUNK)));
    let rest = (&bytes[..bytes.len() - whole], &others[..others.len() - whole]);
    let mut after = whole + same(rest.0.iter().rev().zip(rest.1.iter().rev()));
    while !left.is_char_boundary(left.len() - after) {
        after -= 1;
    }
    let (left, end) = left.split_at(left.len() - after);
    let taken = start.chars().count() + end.chars().count();
    (left, &right[..right.len() - after], taken)
}

fn same<T: PartialEq>(pairs: impl Iterator<Item = (T, T)>) -> usize {
    pairs.take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests;
