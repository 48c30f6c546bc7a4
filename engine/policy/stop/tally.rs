//! The text of an issue tracker in, how much of it is left to do out.

/// What is left to do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Issues that an agent can work on.
    pub open: u64,
    /// Issues that wait for a person.
    pub blocked: u64,
}

impl Tally {
    /// Says whether nothing is left, not even for a person.
    pub fn is_clear(self) -> bool {
        self.open == 0 && self.blocked == 0
    }
}

/// The marks, without what makes them comments: some programs show their agent `&lt;` where a hook wrote `<`.
const START: &str = "ISSUES_START";
const END: &str = "ISSUES_END";

/// Counts the issues of a tracker; none where the text is no tracker.
///
/// An issue is a heading between the marks, and its state the last word of it: `### F1 · high · open`. What is neither
/// done nor blocked is open, whatever it is called.
pub fn tally(tracker: &str) -> Option<Tally> {
    let (_, rest) = tracker.split_once(START)?;
    let (issues, _) = rest.split_once(END)?;
    let mut tally = Tally::default();
    for heading in issues.lines().filter_map(|line| line.strip_prefix("### ")) {
        let state = heading.rsplit('·').next().unwrap_or_default().trim();
        match state.to_ascii_lowercase().as_str() {
            "fixed" | "dismissed" | "deferred" => {}
            "blocked" => tally.blocked += 1,
            _ => tally.open += 1,
        }
    }
    Some(tally)
}
