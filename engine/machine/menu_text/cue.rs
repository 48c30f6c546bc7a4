//! A line in, whether it asks the person to choose out.

/// How clearly a line asks for a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cue {
    /// Not at all.
    None,
    /// It is a question.
    Weak,
    /// It asks the person to choose.
    Strong,
}

/// Words that a sentence starts with which tells somebody to choose.
const COMMANDS: &[&str] = &[
    "select", "choose", "pick", "enter", "type", "press", "reply", "respond", "answer",
];
/// Words of a question, or of a line with a colon, that hands something to the person.
const OFFERS: &[&str] = &[
    "you", "your", "we", "i", "which", "option", "options", "choice", "choices", "ready", "proceed", "continue",
    "approve", "accept", "confirm", "next", "sure", "ok", "okay",
];
/// How questions start that the writer answers at once.
const RHETORICAL: &[&str] = &[
    "why",
    "how does",
    "how did",
    "how come",
    "how to",
    "how many",
    "how much",
    "what is",
    "what was",
    "what are",
    "what were",
    "what did",
    "what does",
    "what happened",
    "what went",
    "what changed",
    "what we",
    "what i",
    "where did",
    "who is",
    "so why",
    "steps to",
    "so what",
    "q",
];
/// Words before something that is shown, not offered.
const EXAMPLES: &[&str] = &[
    "example",
    "examples",
    "sample",
    "template",
    "output",
    "legend",
    "references",
    "sources",
    "footnotes",
    "citations",
    "bibliography",
    "mockup",
    "wireframe",
    "interface",
    "screen",
    "dialog",
    "dialogue",
    "documentation",
];
/// Phrases before something that is shown, not offered.
const SHOWN: &[&str] = &[
    "looks like",
    "look like",
    " shows:",
    " displays:",
    " prints:",
    " renders:",
    "for instance",
    "e.g.",
    "the user sees",
    "users see",
];

/// The length of a line that tells more than it asks.
const LONG: usize = 160;

/// Says how clearly a line asks for a choice.
pub(super) fn of(line: &str) -> Cue {
    let line = plain(line);
    let (question, colon) = (is_question(&line), line.ends_with([':', '：']));
    let command = words(&line).find(|word| *word != "please");
    let command = command.is_some_and(|word| COMMANDS.contains(&word));
    let tells = command && (colon || line.contains('[') || line.contains('(') || names_a_key(&line));
    if RHETORICAL.iter().any(|start| begins(&line, start)) {
        return Cue::None;
    }
    if tells || asks_for_one(&line) {
        return Cue::Strong;
    }
    let offers = words(&line).any(|word| OFFERS.contains(&word));
    match (question, colon) {
        (true, _) if offers => Cue::Strong,
        (true, _) => Cue::Weak,
        (false, true) if names_options(&line) => Cue::Strong,
        (false, true | false) => Cue::None,
    }
}

fn names_options(line: &str) -> bool {
    let named = words(line).any(|word| matches!(word, "option" | "options" | "choice" | "choices"));
    (named && !line.contains('`')) || line.contains("would you like")
}

/// Says whether a line ends with a question mark, but for what stands in parentheses after it.
fn is_question(line: &str) -> bool {
    let line = match line.rsplit_once('(') {
        Some((before, inside)) if inside.trim_end_matches('.').ends_with(')') || inside.is_empty() => before,
        Some(_) | None => line,
    };
    line.trim_end_matches(|at: char| at.is_whitespace() || "*_\"'`”[".contains(at))
        .ends_with(['?', '？'])
}

/// Says whether a line hands over a choice in so many words.
pub(super) fn hands_over(line: &str) -> bool {
    let line = plain(line);
    let which = line.contains("which") && is_question(&line);
    which
        || has_any(
            &line,
            &[
                "choose one",
                "choose from",
                "select one",
                "pick one",
                "these options",
                "choose an option",
            ],
        )
}

/// Says whether a line below a list asks for one of its items.
pub(super) fn asks_for_one(line: &str) -> bool {
    let line = plain(line);
    let choosing = has_any(
        &line,
        &[
            "which", "choose", "select", "prefer", "pick", "number", "letter", "option",
        ],
    );
    let asks = line.contains(['?', '？']) && choosing && line.len() < LONG;
    asks || has_any(
        &line,
        &[
            "your choice",
            "your selection",
            "choice:",
            "selection:",
            "enter 1",
            "enter a number",
            "enter the number",
            "type a number",
            "reply with",
            "respond with",
            "select option",
            "select an option",
            "choose an option",
            "choose one",
            "pick one",
        ],
    )
}

/// Says whether a line shows something instead of offering it: `Example:`, `The screen shows:`.
pub(super) fn shows_an_example(line: &str) -> bool {
    let line = plain(line);
    let named = words(&line).any(|word| EXAMPLES.contains(&word));
    let head = line.ends_with(':') || words(&line).count() < 3 || line.starts_with("for example");
    (named && head && of(&line) != Cue::Strong) || has_any(&line, SHOWN)
}

fn names_a_key(line: &str) -> bool {
    has_any(
        line,
        &[
            "to continue",
            "to proceed",
            "a number",
            "a letter",
            "one of",
            "1-",
            "1–",
            "an option",
        ],
    )
}

fn begins(line: &str, start: &str) -> bool {
    let rest = line.strip_prefix(start);
    rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

fn has_any(line: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| line.contains(part))
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|at: char| !at.is_alphanumeric() && at != '\'')
        .filter(|word| !word.is_empty())
}

/// Returns a line in lower case without marks at both ends.
fn plain(line: &str) -> String {
    let mark = |at: char| at.is_whitespace() || "*_\"'`“”>#→👉➡".contains(at);
    let line = line.trim_matches(mark);
    line.strip_prefix("- ")
        .unwrap_or(line)
        .trim_matches(mark)
        .to_lowercase()
}
