//! How alike two texts are, beside rapidfuzz, which defines it: pinned, fetched once, kept under `target/`.

use crate::packages::{run, skip_named};
use bmad::builtins::{alike, alike_from};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSION: &str = "3.14.6";

/// How many pairs of texts are compared; half of them are long.
const PAIRS: usize = 10_000;

/// How long a long text is at least, in characters.
const LONG: usize = 1_000;

/// Reads pairs of texts and prints what rapidfuzz says of each: without and with a limit.
const SCRIPT: &str = "
import json, sys
from rapidfuzz import fuzz
for line in open(sys.argv[1], encoding='utf-8'):
    left, right, least = json.loads(line)
    print(repr(fuzz.ratio(left, right)), repr(fuzz.ratio(left, right, score_cutoff=least)))
";

/// Returns a Python that has rapidfuzz; none when it cannot be had, which is said.
pub(crate) fn python() -> Option<PathBuf> {
    let name = format!("rapidfuzz-{VERSION}");
    match installed(&name) {
        Ok(python) => Some(python),
        Err(reason) => {
            skip_named(&name, &reason);
            None
        }
    }
}

fn installed(name: &str) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/python");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    // Runs beside each other want the same Python: the first makes it.
    let lock = File::create(folder.join(".lock")).map_err(|error| error.to_string())?;
    lock.lock().map_err(|error| error.to_string())?;
    let home = folder.join(name);
    let python = home.join("bin/python");
    let whole = home.join(".whole");
    if !whole.exists() {
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&home))?;
        run(Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:"])
            .arg(format!("rapidfuzz=={VERSION}")))?;
        File::create(whole).map_err(|error| error.to_string())?;
    }
    Ok(python)
}

/// A row of numbers that looks like chance and is the same every time.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }

    /// Makes a text of so many of some letters.
    pub(crate) fn text(&mut self, length: usize, letters: &[char]) -> Vec<char> {
        (0..length).map(|_| letters[self.below(letters.len())]).collect()
    }

    /// Makes so many changes to a text, spread over it: a letter is replaced, taken out or put in.
    pub(crate) fn edited(&mut self, text: &[char], edits: usize, letters: &[char]) -> Vec<char> {
        let mut marks = vec![0_u32; text.len()];
        for _ in 0..edits {
            marks[self.below(text.len())] += 1;
        }
        let mut edited = Vec::with_capacity(text.len() + edits);
        for (letter, marks) in text.iter().zip(marks) {
            edited.push(*letter);
            for _ in 0..marks {
                match self.below(3) {
                    0 => drop(edited.pop()),
                    1 => edited.push(letters[self.below(letters.len())]),
                    _ => {
                        edited.pop();
                        edited.push(letters[self.below(letters.len())]);
                    }
                }
            }
        }
        edited
    }
}

/// Makes two texts: one after the other with changes, or two that have nothing to do with each other.
fn pair(chance: &mut Chance, at: usize, alphabets: &[Vec<char>]) -> (String, String, f64) {
    let letters = &alphabets[chance.below(alphabets.len())];
    let length = match at.is_multiple_of(2) {
        true => LONG + 1 + chance.below(1500),
        false => chance.below(300),
    };
    let left = chance.text(length, letters);
    let right = match chance.below(4) {
        0 => {
            let other = length / 2 + chance.below(length + 2);
            chance.text(other, letters)
        }
        _ if length == 0 => Vec::new(),
        kind => {
            let most = [1, length / 20, length / 5, length][kind];
            let edits = chance.below(most + 1);
            chance.edited(&left, edits, letters)
        }
    };
    let least = [50.0, 80.0, 90.0, 99.0][chance.below(4)];
    (left.into_iter().collect(), right.into_iter().collect(), least)
}

#[test]
#[ignore = "needs rapidfuzz, which is fetched"]
fn rapidfuzz_says_the_same_of_ten_thousand_pairs() {
    let Some(python) = python() else { return };
    let alphabets: Vec<Vec<char>> = vec![
        "ab".chars().collect(),
        "etaoin shrdlu\n.".chars().collect(),
        (' '..='~').collect(),
        "äöüßéè日本語🦀🙂 ab".chars().collect(),
        ('\u{4e00}'..'\u{5e00}').collect(),
        ('\u{1f600}'..'\u{1f650}').collect(),
    ];
    let mut chance = Chance(0x5eed);
    let pairs: Vec<(String, String, f64)> = (0..PAIRS).map(|at| pair(&mut chance, at, &alphabets)).collect();
    let long = |text: &str| text.chars().count() > LONG;
    let count = pairs.iter().filter(|(left, ..)| long(left)).count();
    assert!(count >= PAIRS / 2, "only {count} are long");

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pairs.jsonl");
    let mut lines = String::new();
    for pair in &pairs {
        writeln!(lines, "{}", serde_json::to_string(pair).unwrap()).unwrap();
    }
    fs::write(&file, lines).unwrap();
    let said = run(Command::new(python).args(["-c", SCRIPT]).arg(&file)).unwrap();
    let said: Vec<(f64, f64)> = said
        .lines()
        .map(|line| {
            let (all, limited) = line.split_once(' ').unwrap();
            (all.parse().unwrap(), limited.parse().unwrap())
        })
        .collect();
    assert_eq!(said.len(), PAIRS);

    let mut alike_enough = 0;
    for ((left, right, least), (all, limited)) in pairs.iter().zip(said) {
        let ours = alike(left, right);
        assert!((ours - all).abs() < 1e-9, "{ours} and {all}: {left:?} and {right:?}");
        let enough = alike_from(left, right, *least);
        let from = format!("{enough:?} and {limited} from {least}: {left:?} and {right:?}");
        assert!((enough.unwrap_or_default() - limited).abs() < 1e-9, "{from}");
        alike_enough += usize::from(enough.is_some());
    }
    println!("{PAIRS} pairs, {count} of them long, {alike_enough} alike enough");
    assert!((PAIRS / 5..PAIRS * 4 / 5).contains(&alike_enough), "{alike_enough}");
}
