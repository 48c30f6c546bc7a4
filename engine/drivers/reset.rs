//! Words and numbers about waiting in, the moment when an agent can be asked again out.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Zoned};

/// When an agent says that it can be asked again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reset {
    /// At a moment, in milliseconds since 1970.
    At(i64),
    /// After this many milliseconds.
    In(i64),
    /// The next time the clock shows this, in a zone or where the person is.
    Clock { time: Time, zone: Option<String> },
    /// On a day, at a time; without a year it is the next such day.
    Day {
        year: Option<i16>,
        month: i8,
        day: i8,
        time: Time,
        zone: Option<String>,
    },
}

/// Numbers of seconds since 1970 lie between these: 2001 and 2100.
const EPOCH: std::ops::Range<i64> = 1_000_000_000..4_102_444_800;
/// Nobody is sent away for longer than this many milliseconds: 32 days.
const LONGEST: i64 = 32 * 24 * 3600 * 1000;

impl Reset {
    /// Returns the moment in milliseconds since 1970; none where it makes no sense.
    pub(super) fn moment(&self, now: i64) -> Option<i64> {
        let at = match self {
            Reset::At(at) => *at,
            Reset::In(time) => now.checked_add(*time)?,
            Reset::Clock { time, zone } => next(*time, zone.as_deref(), now)?,
            Reset::Day {
                year,
                month,
                day,
                time,
                zone,
            } => {
                let zone = place(zone.as_deref())?;
                let today = Timestamp::from_millisecond(now).ok()?.to_zoned(zone.clone());
                let on = |year: i16| {
                    Date::new(year, *month, *day)
                        .ok()?
                        .to_datetime(*time)
                        .to_zoned(zone.clone())
                        .ok()
                };
                let this = on(year.unwrap_or(today.year()))?;
                let at = match year.is_none() && this < today {
                    true => on(today.year() + 1)?,
                    false => this,
                };
                at.timestamp().as_millisecond()
            }
        };
        (at > now - LONGEST && at < now + LONGEST).then_some(at)
    }

    /// Reads a header such as `retry-after`: seconds, or a date.
    pub(super) fn in_header(value: &str) -> Option<Reset> {
        let value = value.trim();
        if let Ok(seconds) = value.parse::<f64>() {
            return Some(Reset::In(millis(seconds)));
        }
        date(value).or_else(|| {
            jiff::fmt::rfc2822::parse(value)
                .ok()
                .map(|at| Reset::At(at.timestamp().as_millisecond()))
        })
    }

    /// Finds a moment in a message.
    pub(super) fn in_words(message: &str) -> Option<Reset> {
        let numbers = epoch(message).or_else(|| stamp(message)).or_else(|| delay(message));
        numbers.or_else(|| said(message))
    }
}

/// Returns the next moment at which the clock of a zone shows a time.
fn next(time: Time, zone: Option<&str>, now: i64) -> Option<i64> {
    let zone = place(zone)?;
    let now = Timestamp::from_millisecond(now).ok()?.to_zoned(zone.clone());
    let on = |day: &Zoned| day.date().to_datetime(time).to_zoned(zone.clone()).ok();
    let today = on(&now)?;
    let at = match today > now {
        true => today,
        false => on(&now.checked_add(1.day()).ok()?)?,
    };
    Some(at.timestamp().as_millisecond())
}

/// Returns a zone by its name, or the one where the person is.
fn place(zone: Option<&str>) -> Option<TimeZone> {
    match zone {
        Some(name) => TimeZone::get(name).ok(),
        None => Some(TimeZone::system()),
    }
}

/// `usage limit reached|1763200000`.
fn epoch(message: &str) -> Option<Reset> {
    let (_, after) = message.rsplit_once('|')?;
    let digits: String = after.trim().chars().take_while(char::is_ascii_digit).collect();
    let seconds: i64 = digits.parse().ok()?;
    EPOCH.contains(&seconds).then_some(Reset::At(seconds * 1000))
}

/// `2026-11-15T03:00:00Z` anywhere.
fn stamp(message: &str) -> Option<Reset> {
    message
        .split(|each: char| each.is_whitespace() || "\"'(),".contains(each))
        .find_map(date)
}

fn date(word: &str) -> Option<Reset> {
    let word = word.trim_end_matches(['.', ';']);
    let at: Timestamp = word.contains('T').then(|| word.parse().ok())??;
    Some(Reset::At(at.as_millisecond()))
}

/// `"retryDelay": "32s"` anywhere, with quotes escaped or not.
fn delay(message: &str) -> Option<Reset> {
    let lower = message.to_lowercase();
    let (_, after) = lower.split_once("retrydelay")?;
    length(after.trim_start_matches(['\\', '"', ':', ' '])).map(Reset::In)
}

/// `try again in 1m30s`, `retry after 20 seconds`, `resets at 3pm (Europe/Berlin)`.
fn said(message: &str) -> Option<Reset> {
    let lower = message.to_lowercase();
    for mark in [
        "try again in ",
        "retry in ",
        "retry after ",
        "retrying in ",
        "resets in ",
        "reset in ",
        "wait ",
    ] {
        if let Some(at) = lower.find(mark)
            && let Some(time) = length(&lower[at + mark.len()..])
        {
            return Some(Reset::In(time));
        }
    }
    for mark in [
        "try again at ",
        "resets at ",
        "reset at ",
        "resets ",
        "available at ",
        "available again at ",
    ] {
        let Some(at) = lower.find(mark) else { continue };
        let rest = &lower[at + mark.len()..];
        let zone = zone(message);
        let told = clock(rest).map(|time| Reset::Clock {
            time,
            zone: zone.clone(),
        });
        if let Some(told) = told.or_else(|| dated(rest, zone)) {
            return Some(told);
        }
    }
    None
}

/// Reads a day and a time: `nov 20th, 2026 1:23 am`, `nov 20 at 3pm`.
fn dated(text: &str, zone: Option<String>) -> Option<Reset> {
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let (name, rest) = text.trim_start().split_once(' ')?;
    let month = (1..).zip(MONTHS).find(|(_, month)| name.starts_with(month))?.0;
    let (day, rest) = rest.trim_start().split_once(' ')?;
    let day = day.trim_end_matches(|each: char| !each.is_ascii_digit()).parse().ok()?;
    let (first, after) = rest.trim_start().split_once(' ').unwrap_or((rest, ""));
    let year = first.trim_end_matches(',').parse().ok().filter(|year| *year > 2000);
    let rest = if year.is_some() { after } else { rest };
    let rest = rest.trim_start();
    let time = clock(rest.strip_prefix("at ").unwrap_or(rest))?;
    Some(Reset::Day {
        year,
        month,
        day,
        time,
        zone,
    })
}

/// Reads a length of time: `1h 30m`, `90 seconds`, `2.5s`; the first words that are none end it.
fn length(text: &str) -> Option<i64> {
    let mut sum = 0.0;
    let mut rest = text.trim_start();
    let mut any = false;
    while let Some(end) = rest.find(|each: char| !each.is_ascii_digit() && each != '.') {
        let Ok(count) = rest[..end].trim_end_matches('.').parse::<f64>() else {
            break;
        };
        let unit = rest[end..].trim_start();
        let word: String = unit.chars().take_while(|each| each.is_ascii_alphabetic()).collect();
        let Some(seconds) = seconds_of(&word) else { break };
        sum += count * seconds;
        any = true;
        rest = unit[word.len()..].trim_start_matches([' ', ',']);
        rest = rest.strip_prefix("and ").unwrap_or(rest);
    }
    any.then(|| millis(sum))
}

fn seconds_of(unit: &str) -> Option<f64> {
    match unit {
        "ms" | "millisecond" | "milliseconds" => Some(0.001),
        "s" | "sec" | "secs" | "second" | "seconds" => Some(1.0),
        "m" | "min" | "mins" | "minute" | "minutes" => Some(60.0),
        "h" | "hr" | "hrs" | "hour" | "hours" => Some(3600.0),
        "d" | "day" | "days" => Some(86400.0),
        _ => None,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a float that is too large becomes the largest number"
)]
fn millis(seconds: f64) -> i64 {
    (seconds * 1000.0).ceil() as i64
}

/// Reads a time of day: `1:23 am`, `3pm`, `15:30`.
fn clock(text: &str) -> Option<Time> {
    let text = text.trim_start();
    let end = text
        .find(|each: char| !each.is_ascii_digit() && each != ':')
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let (hour, minute) = digits.split_once(':').unwrap_or((digits, ""));
    let rest = rest.trim_start();
    let half = ["am", "a.m.", "pm", "p.m."]
        .iter()
        .find(|half| rest.starts_with(**half));
    if half.is_none() && minute.is_empty() {
        return None;
    }
    let hour: i8 = hour.parse().ok()?;
    let minute: i8 = if minute.is_empty() { 0 } else { minute.parse().ok()? };
    let hour = match half {
        None => hour,
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(half) if half.starts_with('a') => hour % 12,
        Some(_) => hour % 12 + 12,
    };
    Time::new(hour, minute, 0, 0).ok()
}

/// Finds the name of a zone: `(Europe/Berlin)`, `UTC`.
fn zone(message: &str) -> Option<String> {
    let words = message.split(|each: char| !(each.is_ascii_alphanumeric() || "/_+-".contains(each)));
    let named = |word: &&str| *word == "UTC" || *word == "GMT" || (word.contains('/') && TimeZone::get(word).is_ok());
    words.into_iter().find(named).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::Reset;

    /// 2026-11-15 12:00:00 UTC.
    const NOW: i64 = 1_794_744_000_000;
    const HOUR: i64 = 3_600_000;

    fn after(message: &str) -> Option<i64> {
        Reset::in_words(message)?.moment(NOW).map(|at| at - NOW)
    }

    #[test]
    fn lengths_of_time_are_read_in_all_their_forms() {
        for (message, millis) in [
            ("Please try again in 20s.", 20_000),
            ("rate limited, retry after 90 seconds", 90_000),
            ("try again in 1h30m", 90 * 60_000),
            ("try again in 1 hour and 5 minutes", 65 * 60_000),
            ("Please try again in 6m0.5s.", 360_500),
            ("retry in 250ms", 250),
        ] {
            assert_eq!(after(message), Some(millis), "{message}");
        }
    }

    #[test]
    fn a_time_of_day_is_the_next_one_in_its_zone() {
        for (message, millis) in [
            ("resets at 3pm (UTC)", 3 * HOUR),
            ("resets at 11am (UTC)", 23 * HOUR),
            ("limit reached, resets 2:30pm (Europe/Berlin)", HOUR + HOUR / 2),
            ("try again at 12:00 AM UTC", 12 * HOUR),
            ("resets at 15:30 UTC", 3 * HOUR + HOUR / 2),
        ] {
            assert_eq!(after(message), Some(millis), "{message}");
        }
    }

    #[test]
    fn a_day_and_a_time_are_read_with_and_without_a_year() {
        for (message, millis) in [
            ("try again at Nov 16th, 2026 1:30 PM UTC.", 25 * HOUR + HOUR / 2),
            ("weekly limit, resets Nov 17 at 3pm (UTC)", 51 * HOUR),
            ("resets Nov 15, 2pm (Europe/Berlin)", HOUR),
            ("resets Dec 1 at 12:00 UTC", 16 * 24 * HOUR),
        ] {
            assert_eq!(after(message), Some(millis), "{message}");
        }
        assert_eq!(after("resets Nov 14 at 3pm (UTC)"), None, "that day is a year away");
    }

    #[test]
    fn a_delay_inside_an_error_of_a_service_is_read() {
        let plain = r#"{"@type":"RetryInfo","retryDelay":"32.5s"}"#;
        assert_eq!(after(plain), Some(32_500));
        assert_eq!(after(r#"{\"retryDelay\": \"7s\"}"#), Some(7_000));
        assert_eq!(after(r#"{"retryDelay":{}}"#), None);
    }

    #[test]
    fn moments_are_read_as_numbers_and_as_dates() {
        assert_eq!(after("Claude AI usage limit reached|1794747600"), Some(HOUR));
        assert_eq!(after("reset at 2026-11-15T14:00:00Z."), Some(2 * HOUR));
        let header = |value| {
            Reset::in_header(value)
                .and_then(|reset| reset.moment(NOW))
                .map(|at| at - NOW)
        };
        assert_eq!(header("30"), Some(30_000));
        assert_eq!(header("Sun, 15 Nov 2026 13:00:00 GMT"), Some(HOUR));
    }

    #[test]
    fn what_says_no_time_is_no_time() {
        for message in [
            "rate limit reached for 5 requests",
            "you have 3 tries left",
            "resets soon",
            "a|b|99",
            "try again in a while",
            "resets at 25pm",
        ] {
            assert_eq!(after(message), None, "{message}");
        }
    }

    #[test]
    fn a_year_away_is_no_time_either() {
        assert_eq!(after("try again in 400 days"), None);
    }
}
