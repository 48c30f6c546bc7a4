//! The words that control flow hangs on, found by their first eight letters in one look.

/// The words.
const VERBS: &[&str] = &[
    "step",
    "stage",
    "phase",
    "section",
    "halt",
    "stop",
    "exit",
    "end",
    "terminate",
    "return",
    "proceed",
    "continue",
    "jump",
    "move",
    "go",
    "route",
    "done",
    "complete",
    "set",
    "store",
    "save",
    "record",
    "capture",
    "remember",
    "follow",
    "following",
    "execute",
    "load",
    "read",
    "invoke",
    "run",
    "call",
    "ask",
    "prompt",
    "wait",
    "await",
    "waiting",
    "pause",
];

/// How many bits of a product choose a slot.
const BITS: u32 = 8;

/// What the keys of the words are multiplied with, so that each has a slot of its own.
const FACTOR: u64 = factor();

/// The keys of the words, each in its slot.
static SLOTS: [u64; 1 << BITS] = slots(FACTOR).0;

/// Says whether a word may be one that control flow hangs on, by its key; only longer ones than eight letters are in doubt.
#[inline]
pub(super) fn is_verb(key: u64) -> bool {
    key != 0 && SLOTS[slot(key, FACTOR)] == key
}

/// What a word must have around it for control flow to hang on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// Nothing that is known here.
    Nothing,
    /// A file or a variable in the same sentence.
    Target,
    /// A word before it that leads to a step.
    Lead,
    /// A word before it that speaks of every other case.
    Otherwise,
    /// The name of a variable.
    Name,
    /// The workflow that is left.
    Left,
    /// The same, or a file, or that it is written in capital letters.
    Exit,
    /// What is invoked or run.
    Invoked,
    /// What is returned to, or a file.
    Caller,
}

impl Need {
    /// Returns the bit that stands for it.
    pub(super) const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// Says what a word needs, by its key.
pub(super) fn need(found: u64) -> Need {
    const NOUNS: [u64; 4] = [key("step"), key("stage"), key("phase"), key("section")];
    const DONE: [u64; 2] = [key("done"), key("complete")];
    const LEADING: [u64; 11] = [
        key("read"),
        key("load"),
        key("follow"),
        key("following"),
        key("execute"),
        key("proceed"),
        key("continue"),
        key("jump"),
        key("move"),
        key("go"),
        key("route"),
    ];
    const NAMING: [u64; 6] = [
        key("set"),
        key("store"),
        key("save"),
        key("record"),
        key("capture"),
        key("remember"),
    ];
    const INVOKING: [u64; 3] = [key("invoke"), key("run"), key("call")];
    const ENDING: [u64; 2] = [key("end"), key("terminate")];
    match found {
        _ if DONE.contains(&found) => Need::Otherwise,
        _ if NOUNS.contains(&found) => Need::Lead,
        _ if LEADING.contains(&found) => Need::Target,
        _ if NAMING.contains(&found) => Need::Name,
        _ if INVOKING.contains(&found) => Need::Invoked,
        _ if ENDING.contains(&found) => Need::Left,
        _ if found == const { key("exit") } => Need::Exit,
        _ if found == const { key("return") } => Need::Caller,
        _ => Need::Nothing,
    }
}

/// Says whether a word may lead to `step` right after it, by its key: `go to the`.
pub(super) fn leads_to_step(found: u64) -> bool {
    const LEADS: [u64; 10] = [
        key("goto"),
        key("the"),
        key("beginning"),
        key("start"),
        key("top"),
        key("of"),
        key("main"),
        key("with"),
        key("at"),
        key("to"),
    ];
    LEADS.contains(&found)
}

/// Says whether a word speaks of every other case, by its key.
pub(super) fn is_otherwise(found: u64) -> bool {
    found == const { key("otherwise") } || found == const { key("else") }
}

/// How many bits of a product choose a place among starts.
const START_BITS: u32 = 12;

/// The starts of words that matter or may open a condition, some others among them: a bit for each fourth byte that may
/// stand behind three, eight of those bytes under one.
static STARTS: [u8; 1 << START_BITS] = starts();

/// Says whether a word may be one that control flow hangs on, or may open a condition, by the four bytes that begin with it:
/// few others do.
#[inline(always)]
pub(super) fn may_matter(four: u32) -> bool {
    STARTS[start(four)] & fourth((four >> 24) as u8) != 0
}

/// Returns the bit of a fourth byte; the two cases of a letter have one.
#[inline(always)]
const fn fourth(byte: u8) -> u8 {
    1 << (byte % 8)
}

/// Returns the place of the first three of four bytes among starts; the two cases of a letter are one.
#[inline(always)]
const fn start(four: u32) -> usize {
    ((four & 0x001f_1f1f).wrapping_mul(0x9e37_79b1) >> (u32::BITS - START_BITS)) as usize
}

const fn starts() -> [u8; 1 << START_BITS] {
    let mut starts = [0; 1 << START_BITS];
    let mut at = 0;
    while at < VERBS.len() {
        let word = VERBS[at].as_bytes();
        if word.len() > 2 {
            // Behind a whole word anything may follow.
            let may_follow = if word.len() > 3 { fourth(word[3]) } else { u8::MAX };
            starts[start(u32::from_le_bytes([word[0], word[1], word[2], 0]))] |= may_follow;
        }
        at += 1;
    }
    // Behind two letters anything may follow. What may open a condition is told by its first two letters and its length.
    let short = [b"go", b"if", b"wh", b"un"];
    at = 0;
    while at < short.len() * 32 {
        let [first, second] = *short[at / 32];
        starts[start(u32::from_le_bytes([first, second, at as u8 % 32, 0]))] = u8::MAX;
        at += 1;
    }
    starts
}

#[inline]
const fn slot(key: u64, factor: u64) -> usize {
    (key.wrapping_mul(factor) >> (u64::BITS - BITS)) as usize
}

/// Packs the first eight letters of a word.
const fn key(word: &str) -> u64 {
    let bytes = word.as_bytes();
    let mut eight = [0; 8];
    let mut at = 0;
    while at < bytes.len() && at < 8 {
        eight[at] = bytes[at];
        at += 1;
    }
    u64::from_le_bytes(eight)
}

/// Puts every key into its slot; says whether none was taken by another.
const fn slots(factor: u64) -> ([u64; 1 << BITS], bool) {
    let mut slots = [0; 1 << BITS];
    let mut at = 0;
    while at < VERBS.len() {
        let key = key(VERBS[at]);
        let slot = slot(key, factor);
        if slots[slot] != 0 && slots[slot] != key {
            return (slots, false);
        }
        slots[slot] = key;
        at += 1;
    }
    (slots, true)
}

/// Finds a factor that gives each key a slot of its own.
const fn factor() -> u64 {
    let mut factor: u64 = 0x9e37_79b9_7f4a_7c15;
    while !slots(factor).1 {
        factor = factor.wrapping_mul(0xd129_0b8c_3f5a_6d35).wrapping_add(2) | 1;
    }
    factor
}

#[cfg(test)]
mod tests {
    use super::super::measure::plain_start;
    use super::super::sentence::OPENERS;
    use super::{VERBS, is_verb, may_matter};

    #[test]
    fn no_word_is_missed_by_its_start() {
        let matters = |word: &[u8]| {
            word.first_chunk()
                .is_some_and(|four| may_matter(u32::from_le_bytes(*four)))
        };
        let mut words: Vec<Vec<u8>> = VERBS.iter().map(|verb| verb.as_bytes().to_vec()).collect();
        for first in 0..=u8::MAX {
            for second in 0..=u8::MAX {
                for length in 2..9 {
                    let word = [&[first, second][..], &b"xxxxxxx"[..length - 2]].concat();
                    words.extend(Some(word).filter(|word| OPENERS.may_have(word)));
                }
            }
        }
        for word in words {
            for end in (0..=u8::MAX).map(|end| [end; 4]) {
                assert!(matters(&[&word[..], &end].concat()), "{word:?}");
                assert!(matters(&[&word.to_ascii_uppercase()[..], &end].concat()), "{word:?}");
            }
        }
        for other in ["the same", "project", "steal"] {
            assert!(!matters(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn every_verb_is_found_and_no_other_word() {
        for verb in VERBS {
            assert!(is_verb(plain_start(verb.as_bytes()).1), "{verb}");
            assert!(is_verb(plain_start(verb.to_uppercase().as_bytes()).1), "{verb}");
        }
        for other in ["", "g", "goo", "steps", "hal", "a", "remembe", "9"] {
            assert!(!is_verb(plain_start(other.as_bytes()).1), "{other}");
        }
    }
}
