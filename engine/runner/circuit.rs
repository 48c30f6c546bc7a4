//! How an agent fared in, whether it is asked now out: one that fails again and again is left alone for a while.

/// After how many failures in a row an agent is left alone.
const MOST: u32 = 3;
/// For how long at first, and at most, in milliseconds.
const FIRST: i64 = 60_000;
const LONGEST: i64 = 30 * 60_000;
/// When somebody who does not say when they can be asked again is asked again, in minutes.
const PROBES: [i64; 6] = [1, 2, 5, 10, 15, 30];

/// How an agent fares.
#[derive(Debug, Clone, Default)]
pub(super) struct Circuit {
    /// Failures in a row.
    failures: u32,
    /// How often it was left alone in a row.
    times: u32,
    open: Option<Open>,
}

/// An agent that is left alone.
#[derive(Debug, Clone)]
struct Open {
    until: i64,
    /// Whether the agent said so itself.
    stated: bool,
    why: Shut,
    /// Whether somebody is trying whether it works again.
    probing: bool,
}

/// Why an agent is left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shut {
    /// It failed several times in a row.
    Failures,
    /// It does not let the engine in.
    Locked,
    /// It has nothing left to spend.
    Empty,
    /// Its service takes no more for now.
    Busy,
}

impl Circuit {
    /// Says whether the agent may be asked now; when its time has come, one call finds out how it is.
    pub(super) fn admits(&mut self, now: i64) -> bool {
        match &mut self.open {
            None => true,
            Some(open) if open.probing || now < open.until => false,
            Some(open) => {
                open.probing = true;
                true
            }
        }
    }

    /// Hears that the agent works.
    pub(super) fn works(&mut self) {
        *self = Self::default();
    }

    /// Hears that the agent failed; answers whether it is left alone now.
    pub(super) fn failed(&mut self, now: i64) -> bool {
        self.failures += 1;
        if self.failures < MOST && self.open.is_none() {
            return false;
        }
        let time = (FIRST << self.times.min(5)).min(LONGEST);
        self.shut(now + time, false, Shut::Failures);
        true
    }

    /// Leaves the agent alone, until it says that it can be asked again.
    pub(super) fn trip(&mut self, now: i64, until: Option<i64>, why: Shut) {
        let probe = PROBES[(self.times as usize).min(PROBES.len() - 1)] * 60_000;
        let stated = until.filter(|until| *until > now);
        self.shut(stated.unwrap_or(now + probe), stated.is_some(), why);
    }

    /// Lets the next call find out how the agent is, once a moment was waited for; not where a later one was stated.
    pub(super) fn ripen(&mut self, waited: i64, now: i64) {
        if let Some(open) = self.open.as_mut().filter(|open| open.until <= waited) {
            open.until = open.until.min(now);
        }
    }

    /// Returns why the agent is left alone.
    pub(super) fn why(&self) -> Option<Shut> {
        self.open.as_ref().map(|open| open.why)
    }

    /// Returns until when the agent is left alone.
    pub(super) fn until(&self) -> Option<i64> {
        self.open.as_ref().map(|open| open.until)
    }

    /// Returns when the agent says that it can be asked again.
    pub(super) fn stated(&self) -> Option<i64> {
        let open = self.open.as_ref().filter(|open| open.stated);
        open.map(|open| open.until)
    }

    fn shut(&mut self, until: i64, stated: bool, why: Shut) {
        self.times += 1;
        self.open = Some(Open {
            until,
            stated,
            why,
            probing: false,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{Circuit, Shut};

    #[test]
    fn three_failures_in_a_row_open_it_and_two_do_not() {
        let mut circuit = Circuit::default();
        assert!(!circuit.failed(0) && !circuit.failed(0));
        circuit.works();
        assert!(!circuit.failed(0) && !circuit.failed(0));
        assert!(circuit.admits(0));
        assert!(circuit.failed(0));
        assert!(!circuit.admits(59_999));
    }

    #[test]
    fn one_call_finds_out_how_it_is_and_the_others_wait_for_that() {
        let mut circuit = Circuit::default();
        circuit.trip(0, Some(5_000), Shut::Busy);
        assert!(!circuit.admits(4_999));
        assert!(circuit.admits(5_000));
        assert!(!circuit.admits(5_001));
        circuit.works();
        assert!(circuit.admits(5_002) && circuit.admits(5_002));
    }

    #[test]
    fn it_stays_open_twice_as_long_each_time_and_half_an_hour_at_most() {
        let mut circuit = Circuit::default();
        let mut now = 0;
        let mut times = Vec::new();
        circuit.failed(now);
        circuit.failed(now);
        for _ in 0..7 {
            circuit.failed(now);
            let until = circuit.until().unwrap();
            times.push((until - now) / 60_000);
            now = until;
            assert!(circuit.admits(now));
        }
        assert_eq!(times, [1, 2, 4, 8, 16, 30, 30]);
    }

    #[test]
    fn who_does_not_say_when_is_probed_by_a_schedule() {
        let mut circuit = Circuit::default();
        let mut times = Vec::new();
        for _ in 0..8 {
            circuit.trip(0, None, Shut::Busy);
            times.push(circuit.until().unwrap() / 60_000);
        }
        assert_eq!(times, [1, 2, 5, 10, 15, 30, 30, 30]);
    }

    #[test]
    fn a_moment_that_is_over_is_no_moment() {
        let mut circuit = Circuit::default();
        circuit.trip(10_000, Some(9_000), Shut::Busy);
        assert_eq!((circuit.until(), circuit.stated()), (Some(70_000), None));
        circuit.trip(10_000, Some(11_000), Shut::Busy);
        assert_eq!(circuit.stated(), Some(11_000));
    }
}
