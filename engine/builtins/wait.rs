//! Failures in a row in, how long to wait before the next call out.

/// The longest wait, in seconds.
pub const LONGEST_WAIT: u64 = 60;

/// Returns the seconds to wait after so many failures in a row: twice as many after each, and never more than `most`.
pub fn backoff(failures: u32, most: u64) -> u64 {
    1_u64.checked_shl(failures).map_or(most, |seconds| seconds.min(most))
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_WAIT, backoff};

    #[test]
    fn the_first_failure_waits_two_seconds_and_the_second_four() {
        assert_eq!(backoff(1, LONGEST_WAIT), 2);
        assert_eq!(backoff(2, LONGEST_WAIT), 4);
    }

    #[test]
    fn the_wait_doubles_with_each_failure() {
        assert_eq!(backoff(3, LONGEST_WAIT), 8);
        assert_eq!(backoff(4, LONGEST_WAIT), 16);
        assert_eq!(backoff(5, LONGEST_WAIT), 32);
    }

    #[test]
    fn the_wait_is_never_longer_than_a_minute() {
        assert_eq!(backoff(6, LONGEST_WAIT), 60);
        assert_eq!(backoff(10, LONGEST_WAIT), 60);
        assert_eq!(backoff(63, LONGEST_WAIT), 60);
        assert_eq!(backoff(64, LONGEST_WAIT), 60);
        assert_eq!(backoff(100, LONGEST_WAIT), 60);
        assert_eq!(backoff(u32::MAX, LONGEST_WAIT), 60);
    }

    #[test]
    fn a_longest_wait_of_ones_own_binds_too() {
        assert_eq!(backoff(10, 30), 30);
        assert_eq!(backoff(3, 30), 8);
    }
}
