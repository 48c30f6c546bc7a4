//! A seed in, what looks like chance out: the same for the same seed, so that a run can be told again.

use crate::builtins::{self, LONGEST_WAIT};
use crate::source::{content_hash, hex};
use std::time::Duration;

/// Returns a name for a conversation, in the form of a random UUID.
pub(super) fn uuid(seed: &str) -> String {
    let hash = hex(&content_hash(seed.as_bytes()));
    let variant = match hash.as_bytes()[16] % 4 {
        0 => '8',
        1 => '9',
        2 => 'a',
        _ => 'b',
    };
    format!(
        "{}-{}-4{}-{variant}{}-{}",
        &hash[..8],
        &hash[8..12],
        &hash[13..16],
        &hash[17..20],
        &hash[20..32]
    )
}

/// Returns how long to wait after so many failures: twice as long after each, a minute at most, and up to a quarter
/// more, so that lanes that failed together do not come back together.
pub(super) fn backoff(failures: u32, seed: &str) -> Duration {
    let wait = Duration::from_secs(builtins::backoff(failures, LONGEST_WAIT));
    wait + part(wait / 4, seed)
}

/// Returns a part of a time.
pub(super) fn part(of: Duration, seed: &str) -> Duration {
    let [high, low, ..] = content_hash(seed.as_bytes());
    of * u32::from(u16::from_be_bytes([high, low])) / 0x1_0000
}

#[cfg(test)]
mod tests {
    use super::{backoff, uuid};
    use std::collections::HashSet;

    #[test]
    fn a_name_has_the_form_of_a_random_uuid_and_is_the_same_for_the_same_seed() {
        for seed in ["a", "b", "c", "d", "e", "f"] {
            let name = uuid(seed);
            let parts: Vec<usize> = name.split('-').map(str::len).collect();
            assert_eq!(parts, [8, 4, 4, 4, 12], "{name}");
            assert_eq!(&name[14..15], "4", "{name}");
            assert!(matches!(&name[19..20], "8" | "9" | "a" | "b"), "{name}");
            assert_eq!(name, uuid(seed));
        }
        assert_ne!(uuid("a"), uuid("b"));
    }

    #[test]
    fn the_wait_doubles_up_to_a_minute_and_differs_by_a_quarter_at_most() {
        for (failures, seconds) in [(1, 2), (2, 4), (3, 8), (5, 32), (6, 60), (40, 60), (400, 60)] {
            let wait = backoff(failures, "seed").as_millis();
            assert!((seconds * 1000..=seconds * 1250).contains(&wait), "{failures} {wait}");
        }
        let waits: HashSet<_> = (0..20).map(|lane| backoff(3, &format!("lane {lane}"))).collect();
        assert!(waits.len() > 15, "{waits:?}");
    }
}
