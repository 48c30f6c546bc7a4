//! The time, from the system or made up, and the same as a person reads it.

use crate::host::Clock;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the door to the clock")]
    fn now(&self) -> i64 {
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_millis()).unwrap_or(i64::MAX),
            // A machine that was never told the time may stand before 1970.
            Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |distance| -distance),
        }
    }
}

/// A clock that goes on by the same step each time it is read.
#[derive(Debug)]
pub struct FixedClock {
    next: AtomicI64,
    step: i64,
}

impl FixedClock {
    /// Makes a clock that first reads `start`; both are milliseconds.
    pub fn new(start: i64, step: i64) -> Self {
        Self {
            next: AtomicI64::new(start),
            step,
        }
    }
}

impl Clock for FixedClock {
    fn now(&self) -> i64 {
        self.next.fetch_add(self.step, Ordering::Relaxed)
    }
}

/// A moment in the calendar, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// The year.
    pub year: i64,
    /// The month, from 1.
    pub month: u8,
    /// The day, from 1.
    pub day: u8,
    /// The hour.
    pub hour: u8,
    /// The minute.
    pub minute: u8,
    /// The second.
    pub second: u8,
    /// The millisecond.
    pub millisecond: u16,
}

impl Moment {
    /// Returns the moment that is `at` milliseconds after the beginning of 1970.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "each part is a remainder that fits"
    )]
    pub fn at(at: i64) -> Self {
        const DAY: i64 = 24 * 60 * 60 * 1000;
        let (days, rest) = (at.div_euclid(DAY), at.rem_euclid(DAY));
        // The calendar repeats every 400 years of 146,097 days; years are counted from March, so that the leap day is
        // the last of its year.
        let shifted = days + 719_468;
        let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * day_of_year + 2) / 153;
        let month = if from_march < 10 {
            from_march + 3
        } else {
            from_march - 9
        };
        Self {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month: month as u8,
            day: (day_of_year - (153 * from_march + 2) / 5 + 1) as u8,
            hour: (rest / 3_600_000) as u8,
            minute: (rest / 60_000 % 60) as u8,
            second: (rest / 1000 % 60) as u8,
            millisecond: (rest % 1000) as u16,
        }
    }

    /// Returns it as a person reads it: `2026-11-15 06:16:05 UTC`.
    pub fn text(&self) -> String {
        format!(
            "{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC",
            self.year, self.month, self.day, self.hour, self.minute, self.second
        )
    }

    /// Returns it as programs write it: `2026-11-15T06:16:05Z`.
    pub fn stamp(&self) -> String {
        format!(
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
            self.year, self.month, self.day, self.hour, self.minute, self.second
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{FixedClock, Moment, SystemClock};
    use crate::host::Clock;

    #[test]
    fn a_fixed_clock_goes_on_by_its_step() {
        let clock = FixedClock::new(1000, 5);
        assert_eq!([clock.now(), clock.now(), clock.now()], [1000, 1005, 1010]);
    }

    #[test]
    fn the_clock_of_the_machine_stands_after_this_was_written() {
        assert!(SystemClock.now() > 1_700_000_000_000);
    }

    #[test]
    fn a_moment_is_the_one_of_the_calendar() {
        for (at, text) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_400_000, "2000-02-29 00:00:00 UTC"),
            (951_868_800_000, "2000-03-01 00:00:00 UTC"),
            (1_794_723_365_123, "2026-11-15 06:16:05 UTC"),
            (4_107_542_399_999, "2100-02-28 23:59:59 UTC"),
            (4_107_542_400_000, "2100-03-01 00:00:00 UTC"),
            (-1, "1969-12-31 23:59:59 UTC"),
        ] {
            assert_eq!(Moment::at(at).text(), text, "{at}");
            let stamp = text.replace(" UTC", "Z").replace(' ', "T");
            assert_eq!(Moment::at(at).stamp(), stamp, "{at}");
        }
    }

    #[test]
    fn any_number_is_a_moment() {
        for at in [i64::MIN, i64::MAX, -62_167_219_200_001] {
            assert!((1..=12).contains(&Moment::at(at).month), "{at}");
        }
    }
}
