//! Whether two texts of 100 kB are nine tenths alike, beside rapidfuzz with the same limit.

use super::run::SLACK;
use crate::rapidfuzz::{Chance, python};
use bmad::builtins::alike_from;
use std::process::Command;
use std::time::Instant;

/// How long a text is, in characters.
const LENGTH: usize = 100_000;

/// From how many percent on two texts are alike.
const LEAST: f64 = 90.0;

/// How many milliseconds one answer may take on a machine that does nothing else.
const AIM: f64 = 30.0;

/// How often each pair is compared. What the processor spent on it counts: who else uses the machine does not.
const TIMES: usize = 9;

/// Reads pairs of texts and prints for each what the quickest answer cost, in milliseconds, and what it was.
const SCRIPT: &str = "
import json, sys, time
from rapidfuzz import fuzz
for left, right in json.load(open(sys.argv[1], encoding='utf-8')):
    times = []
    for _ in range(int(sys.argv[2])):
        start = time.thread_time()
        answer = fuzz.ratio(left, right, score_cutoff=float(sys.argv[3]))
        times.append(time.thread_time() - start)
    print(min(times) * 1000, answer)
";

/// Makes a text like the ones people write: words of a language that nobody speaks, some of them much more often.
fn prose(chance: &mut Chance, words: &[String]) -> Vec<char> {
    let mut text = String::new();
    while text.len() < LENGTH {
        let frequent = chance.below(words.len()) + 1;
        text.push_str(&words[chance.below(frequent)]);
        text.push(' ');
    }
    text.chars().take(LENGTH).collect()
}

fn words(chance: &mut Chance) -> Vec<String> {
    let letters: Vec<char> = "eeeetttaaaooiinnsshhrrddluucmfwypvbgkjqz".chars().collect();
    let mut word = || {
        let length = 2 + chance.below(8);
        chance.text(length, &letters).into_iter().collect()
    };
    (0..3000).map(|_| word()).collect()
}

/// Pairs of texts, each with a name: from almost the same to nothing in common, and as close to the limit as can be.
fn pairs() -> Vec<(&'static str, String, String)> {
    let mut chance = Chance(0xbe9c);
    let words = words(&mut chance);
    let letters: Vec<char> = "etaoinshrdlu ".chars().collect();
    let text = prose(&mut chance, &words);
    let other = prose(&mut chance, &words);
    let edited = |chance: &mut Chance, share: usize| chance.edited(&text, LENGTH * share / 1000, &letters);
    let moved: Vec<char> = text[8000..].iter().chain(&text[..8000]).copied().collect();
    let replaced: Vec<char> = [&text[..45_000], &other[..9000], &text[54_000..]].concat();
    let one: Vec<char> = [&text[..50_000], &['!'], &text[50_001..]].concat();
    let second = [
        ("one letter", one),
        ("1 % of the letters", edited(&mut chance, 10)),
        ("5 % of the letters", edited(&mut chance, 50)),
        ("just alike enough", edited(&mut chance, 150)),
        ("just not alike enough", edited(&mut chance, 165)),
        ("30 % of the letters", edited(&mut chance, 300)),
        ("a part that moved", moved),
        ("a part that was replaced", replaced),
        ("another text", other),
    ];
    let first: String = text.iter().collect();
    second
        .into_iter()
        .map(|(name, second)| (name, first.clone(), second.into_iter().collect()))
        .collect()
}

#[test]
#[ignore = "a benchmark"]
fn bench_two_long_texts_are_compared_within_thirty_milliseconds() {
    let Some(python) = python() else { return };
    let pairs = pairs();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pairs.json");
    let texts: Vec<(&str, &str)> = pairs
        .iter()
        .map(|(_, left, right)| (left.as_str(), right.as_str()))
        .collect();
    std::fs::write(&file, serde_json::to_string(&texts).unwrap()).unwrap();
    let (times, least) = (TIMES.to_string(), LEAST.to_string());
    let printed = Command::new(python)
        .args(["-c", SCRIPT])
        .arg(&file)
        .args([&times, &least])
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&printed.stdout).into_owned();
    assert_eq!(printed.lines().count(), pairs.len(), "{printed}");

    let mut slow = Vec::new();
    for ((name, left, right), line) in pairs.iter().zip(printed.lines()) {
        let (theirs, said) = line.split_once(' ').unwrap();
        let (theirs, said): (f64, f64) = (theirs.parse().unwrap(), said.parse().unwrap());
        let (ours, found) = cost(left, right);
        assert!(
            (found.unwrap_or_default() - said).abs() < 1e-9,
            "{name}: {found:?} and {said}"
        );
        println!(
            "{name}: {ours:.2} ms, aim {AIM}, rapidfuzz {theirs:.2} ms: {:.1} times; {said:.1} %",
            theirs / ours
        );
        if ours > AIM * SLACK || ours > theirs * SLACK {
            slow.push(*name);
        }
    }
    assert!(slow.is_empty(), "too slow: {slow:?}");
}

/// Returns the milliseconds of an answer, and what it was: the quickest by the clock, or where that is less what the
/// processor spent on average.
fn cost(left: &str, right: &str) -> (f64, Option<f64>) {
    let mut best = f64::MAX;
    let mut found = None;
    let before = spent();
    for _ in 0..TIMES {
        let start = Instant::now();
        found = alike_from(left, right, LEAST);
        best = best.min(start.elapsed().as_secs_f64() * 1000.0);
    }
    // The processor's count is brought up to date every few milliseconds: it says nothing about what is short.
    let average = (spent() - before) / TIMES as f64;
    (if average > 2.0 { best.min(average) } else { best }, found)
}

/// Returns the milliseconds the processor spent on this thread so far; 0 where nobody counts them.
fn spent() -> f64 {
    let counted = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = counted
        .split_whitespace()
        .next()
        .and_then(|count| count.parse::<f64>().ok());
    nanoseconds.unwrap_or_default() / 1e6
}
