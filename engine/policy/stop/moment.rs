//! A moment as people and this engine write it in, milliseconds since 1970 out.

/// The milliseconds of an hour.
const HOUR: i64 = 3_600_000;

/// Reads `2026-11-15T06:16:05Z`: with a fraction, an offset or neither, and with `-` in the time as file names have it.
pub fn milliseconds(text: &str) -> Option<i64> {
    let (date, rest) = text.trim().split_once(['T', ' '])?;
    let (year, month, day) = triple(date, '-')?;
    let (time, offset) = split_offset(rest)?;
    let (whole, fraction) = time.split_once('.').unwrap_or((time, ""));
    let separator = if whole.contains(':') { ':' } else { '-' };
    let (hour, minute, second) = triple(whole, separator)?;
    let is_date = (1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    let is_time = hour < 24 && minute < 60 && second <= 60;
    if !is_date || !is_time {
        return None;
    }
    let thousandths = match fraction {
        "" => 0,
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{digits}00").get(..3)?.parse::<i64>().ok()?
        }
        _ => return None,
    };
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
    Some(seconds * 1000 + thousandths - offset)
}

/// Splits `06:16:05+01:00` into the time and how far its clock is ahead, in milliseconds.
fn split_offset(text: &str) -> Option<(&str, i64)> {
    if let Some(time) = text.strip_suffix(['Z', 'z']) {
        return Some((time, 0));
    }
    // The time takes eight characters, so a `-` in it is no offset.
    let sign = text.get(8..).and_then(|rest| rest.find(['+', '-']));
    let Some(at) = sign.map(|at| at + 8) else {
        return Some((text, 0));
    };
    let (time, offset) = text.split_at_checked(at)?;
    let (hours, minutes) = offset.get(1..)?.split_once(':')?;
    let ahead = number(hours)? * HOUR + number(minutes)? * HOUR / 60;
    Some((time, if offset.starts_with('-') { -ahead } else { ahead }))
}

fn triple(text: &str, separator: char) -> Option<(i64, i64, i64)> {
    let mut parts = text.split(separator).map(number);
    let three = (parts.next()??, parts.next()??, parts.next()??);
    parts.next().is_none().then_some(three)
}

/// Reads up to four digits.
fn number(text: &str) -> Option<i64> {
    let is_number = (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

/// Returns the days from 1970 to a date; years are counted from March, so that the leap day is the last of its year.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::milliseconds;

    #[test]
    fn a_moment_is_read_however_it_is_written() {
        for text in [
            "2026-11-15T06:16:05Z",
            "2026-11-15T06-16-05Z",
            "2026-11-15 06:16:05",
            "2026-11-15T07:16:05+01:00",
            "2026-11-15T01:46:05-04:30",
        ] {
            assert_eq!(milliseconds(text), Some(1_794_723_365_000), "{text}");
        }
        assert_eq!(milliseconds("2026-11-15T06:16:05.1234Z"), Some(1_794_723_365_123));
        assert_eq!(milliseconds("2000-02-29T00:00:00Z"), Some(951_782_400_000));
        assert_eq!(milliseconds("1970-01-01T00:00:00Z"), Some(0));
    }

    #[test]
    fn what_is_no_moment_is_none() {
        for text in [
            "",
            "yesterday",
            "2026-11-15",
            "2026-13-15T06:16:05Z",
            "2026-11-15T25:16:05Z",
            "2026-11-15T06:16Z",
            "2026-11-15T06:16:05.x",
            "2026-11-15T06:16:05+é",
            "99999-11-15T06:16:05Z",
            "２０２６-11-15T06:16:05Z",
        ] {
            assert_eq!(milliseconds(text), None, "{text}");
        }
    }
}
