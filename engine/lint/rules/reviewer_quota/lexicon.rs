//! The words that quotas are made of.

use crate::syntax::{Phrases, WordList};

/// What only a review finds.
static FOUND: WordList = WordList::new(&[
    "issue",
    "issues",
    "finding",
    "findings",
    "defect",
    "defects",
    "bug",
    "bugs",
    "flaw",
    "flaws",
    "weakness",
    "weaknesses",
    "vulnerability",
    "vulnerabilities",
]);
/// What others look for too; it counts where a review is spoken of.
static FOUND_IN_REVIEWS: WordList = WordList::new(&[
    "problem",
    "problems",
    "concern",
    "concerns",
    "gap",
    "gaps",
    "error",
    "errors",
    "improvement",
    "improvements",
    "shortcoming",
    "shortcomings",
    "objection",
    "objections",
]);
/// Words that order a search, or its result.
pub(super) const VERBS: &[&str] = &[
    "find",
    "finds",
    "identify",
    "identifies",
    "report",
    "reports",
    "list",
    "lists",
    "produce",
    "produces",
    "surface",
    "surfaces",
    "discover",
    "discovers",
    "raise",
    "raises",
    "uncover",
    "uncovers",
    "spot",
    "flag",
    "detect",
    "return",
    "returns",
    "deliver",
    "name",
    "note",
    "document",
    "require",
    "requires",
    "expect",
    "expects",
    "demand",
    "demands",
    "need",
    "needs",
    "until",
];
/// Words that order something else.
pub(super) const TELLS: &[&str] = &[
    "describe",
    "explain",
    "record",
    "write",
    "capture",
    "collect",
    "compare",
    "discuss",
    "mention",
    "show",
    "ask",
    "summarize",
    "analyze",
    "assess",
    "review",
    "map",
];
/// The ones that mean the search itself.
pub(super) const SEARCHES: &[&str] = &[
    "find",
    "finds",
    "finding",
    "identify",
    "identifies",
    "discover",
    "discovers",
    "uncover",
    "uncovers",
];
/// Words that end a review.
pub(super) const ENDINGS: &[&str] = &[
    "approve", "accept", "pass", "finish", "end", "stop", "return", "complete", "close", "submit", "conclude", "sign",
    "report", "leave",
];
/// Words that make a clause depend on something.
pub(super) const CONDITIONS: &[&str] = &["if", "when", "whenever", "once", "unless", "where"];
/// Words that deny a clause or only show it.
pub(super) const DENIALS: &[&str] = &[
    "not", "never", "don't", "don’t", "cannot", "can't", "avoid", "without", "instead", "rather", "example", "e.g",
    "such", "like",
];
/// Words that a number and what it counts do not have between them.
pub(super) const JOINTS: &[&str] = &[
    "of", "in", "for", "per", "that", "with", "to", "who", "which", "must", "on", "from", "by", "than", "find",
    "report", "or", "the", "a", "is", "are", "each", "if",
];
/// What makes a number a wish.
pub(super) const SOFTENERS: &[&str] = &[
    "if any",
    "if possible",
    "if they exist",
    "if there are",
    "if present",
    "where they exist",
    "or none",
    "or \"none",
    "none found",
    "or explicit",
];
/// What sends a reviewer back.
pub(super) static AGAIN: Phrases = Phrases::new(&[
    "re-check",
    "recheck",
    "re-analy",
    "reanaly",
    "re-exam",
    "reexam",
    "re-review",
    "look again",
    "look harder",
    "look closer",
    "dig deeper",
    "keep looking",
    "keep thinking",
    "keep searching",
    "search again",
    "review again",
    "analyze again",
    "looking hard enough",
    "another pass",
]);
/// What lets a reviewer out all the same.
pub(super) const EXITS: &[&str] = &[
    "or ask",
    "or request",
    "or explain",
    "or justify",
    "or confirm",
    "guidance",
    "once",
    "one more",
    "then accept",
    "then report",
    "then say",
];

/// What every demand has in its sentence, or behind it what sends a reviewer back: the beginnings of words for a bound, for
/// a search, for what must be and for what may not be.
static DEMANDS: Phrases = Phrases::new(&[
    "min",
    "≥",
    "least",
    "fewer",
    "less",
    "find",
    "identif",
    "discover",
    "uncover",
    "never",
    "not",
    "n't",
    "n’t",
    "unacceptable",
    "forbidden",
    "prohibited",
    "disallowed",
    "must",
]);

/// Says whether a sentence has what every demand has, or the text behind it. Most have not.
pub(super) fn may_demand(sentence: &str, with_rest: &str) -> bool {
    // What is found orders no search.
    let is_search = |rest: &[u8]| !rest.get(..8).is_some_and(|word| word.eq_ignore_ascii_case(b"findings"));
    DEMANDS.any_in(sentence, is_search) || AGAIN.is_in(with_rest)
}

/// What says that an empty result is one.
pub(super) const ACCEPTED: &[&str] = &["valid outcome", "valid result", "report a clean"];

/// Says whether a word is what a review finds; some only where a review is spoken of.
pub(super) fn is_found(word: &[u8], reviews: bool) -> bool {
    FOUND.has_bytes(word) || reviews && FOUND_IN_REVIEWS.has_bytes(word)
}

/// The words that say how much, and the one that orders a search.
pub(super) static AMOUNTS: WordList = WordList::new(&[
    "zero", "no", "without", "find", "n", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    "ten", "twelve", "fifteen", "twenty",
]);
/// Those of them that are no numbers: they stand nearer.
pub(super) static NEARER: WordList = WordList::new(&["zero", "no", "without", "find"]);
/// What stands before the word that orders a search, where the search must end with something.
pub(super) static DUTIES: WordList = WordList::new(&["must", "always", "still"]);

/// Says whether a word is a number that something must reach; a share in percent is none.
pub(super) fn is_number(word: &str) -> bool {
    const NUMBERS: &[&str] = &[
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "fifteen", "twenty",
    ];
    let word = word.trim_start_matches('≥').trim_end_matches('+');
    let digits = word.starts_with(|first: char| first.is_ascii_digit())
        && word
            .chars()
            .all(|letter| letter.is_ascii_digit() || letter == '-' || letter == '–');
    let positive = word.trim_start_matches('0').len() == word.len();
    digits && positive
        || word == "N"
        || word.starts_with('{') && word.ends_with('}')
        || NUMBERS.iter().any(|number| number.eq_ignore_ascii_case(word))
}
