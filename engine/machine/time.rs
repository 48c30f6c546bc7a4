//! Milliseconds since 1970 to what people write.

/// A moment, as people write it, in UTC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Moment {
    /// `2026-11-15`.
    pub(super) date: String,
    /// `06:16:05`.
    pub(super) time: String,
    /// `2026`.
    pub(super) year: String,
    /// `2026-11-15T06:16:05Z`.
    pub(super) stamp: String,
}

/// Splits a time into its parts.
pub(super) fn moment(at: i64) -> Moment {
    let seconds = at.div_euclid(1000);
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    let date = format!("{year:04}-{month:02}-{day:02}");
    let time = format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
    Moment {
        year: year.to_string(),
        stamp: format!("{date}T{time}Z"),
        date,
        time,
    }
}

/// Days since 1970 to year, month and day: years that begin in March have their leap day last.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::moment;

    #[test]
    fn a_moment_is_written_as_people_write_it() {
        assert_eq!(moment(0).stamp, "1970-01-01T00:00:00Z");
        assert_eq!(moment(951_782_400_000).stamp, "2000-02-29T00:00:00Z");
        assert_eq!(moment(1_794_723_365_123).stamp, "2026-11-15T06:16:05Z");
        assert_eq!(moment(-1).stamp, "1969-12-31T23:59:59Z");
    }
}
