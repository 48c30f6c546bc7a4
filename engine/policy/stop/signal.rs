//! A message of an agent in, the signals in it out. The one place that knows how they are written.

/// What an agent says about the review it works on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signal {
    /// Everything is resolved: the promise, word for word.
    Complete,
    /// It needs a person; what for.
    Blocked(String),
    /// It ran out of time; why.
    Timeout(String),
}

/// The tags, each with what its text means.
const TAGS: [(&str, Meaning); 3] = [
    ("review-complete", Meaning::Complete),
    ("review-blocked", Meaning::Blocked),
    ("review-timeout", Meaning::Timeout),
];

#[derive(Debug, Clone, Copy)]
enum Meaning {
    Complete,
    Blocked,
    Timeout,
}

impl Signal {
    /// Returns the signals of a message, in their order.
    ///
    /// A tag counts when it is closed. What stands in `<review-complete>` has to be the promise exactly, but for white
    /// space; what stands in the others has to be more than marks, so that nobody's `…` is a reason.
    ///
    /// Some programs show their agent `&lt;` where a hook wrote `<`, so an agent may write it like that too.
    pub fn all(message: &str, promise: &str) -> Vec<Self> {
        let plain = |text: &str| text.replace("&lt;", "<").replace("&gt;", ">");
        let (message, promise) = (&plain(message), spaced(&plain(promise)));
        let mut found: Vec<(usize, Self)> = Vec::new();
        for (tag, meaning) in TAGS {
            found.extend(texts(message, tag).filter_map(|(at, text)| {
                let text = spaced(text);
                let says_something = text.chars().any(char::is_alphanumeric);
                let signal = match meaning {
                    Meaning::Complete => (text == promise).then_some(Self::Complete),
                    Meaning::Blocked => says_something.then_some(Self::Blocked(text)),
                    Meaning::Timeout => says_something.then_some(Self::Timeout(text)),
                };
                signal.map(|signal| (at, signal))
            }));
        }
        found.sort_by_key(|(at, _)| *at);
        found.into_iter().map(|(_, signal)| signal).collect()
    }
}

/// Returns what stands between each `<tag>` and the next `</tag>`, with the place where it starts.
///
/// Of several openings before one end only the last counts.
fn texts<'m>(message: &'m str, tag: &str) -> impl Iterator<Item = (usize, &'m str)> {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = message.get(from..)?;
            let end = rest.find(&close)?;
            let start = rest.get(..end)?.rfind(&open);
            let after = from + end + close.len();
            let text = start.and_then(|start| {
                let start = start + open.len();
                Some((from + start, rest.get(start..end)?))
            });
            from = after;
            if text.is_some() {
                return text;
            }
        }
    })
}

/// Returns a text without white space around it, and with one space for any inside it.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
