//! Real files, broken at random: the whole engine answers, and never panics.

use crate::corpus::files;
use crate::memory::Memory;
use crate::packages;
use bmad::graph::{dot, mermaid};
use bmad::host::Workspace;
use bmad::lint::Settings;
use bmad::project::{check, load, sites};
use bmad::syntax::tidy;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[test]
#[ignore = "runs for BMAD_FUZZ_SECONDS, 60 unless told"]
fn fuzz_broken_files_never_stop_the_engine() {
    let Some(folder) = packages::fetched() else { return };
    let seconds = std::env::var("BMAD_FUZZ_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(60);
    let seed = std::env::var("BMAD_FUZZ_SEED")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(0x5eed_u64);
    let mut groups = groups(&folder);
    groups.extend(own());
    let mut random = Random(seed | 1);
    let start = Instant::now();
    let mut count = 0_u64;
    while start.elapsed() < Duration::from_secs(seconds) {
        let state = random.0;
        let group = &groups[random.below(groups.len())];
        let files: Vec<(String, String)> = group
            .iter()
            .map(|(path, text)| {
                (
                    path.clone(),
                    if random.below(3) > 0 {
                        mutated(text, &mut random)
                    } else {
                        text.clone()
                    },
                )
            })
            .collect();
        let outcome = std::panic::catch_unwind(|| exercise(files));
        assert!(
            outcome.is_ok(),
            "broken by BMAD_FUZZ_SEED={state} in the folder of {}",
            group[0].0
        );
        count += 1;
    }
    println!("fuzz: {count} broken projects in {seconds} s, none stopped the engine");
}

fn exercise(files: Vec<(String, String)>) {
    let texts: Vec<String> = files
        .iter()
        .filter(|(path, _)| path.ends_with(".xml"))
        .map(|(_, text)| text.clone())
        .collect();
    for text in texts {
        let once = tidy(&text);
        assert_eq!(tidy(&once), once, "the layout is not stable");
    }
    let host: Arc<dyn Workspace> = Arc::new(Memory::new(files));
    for site in sites(&*host, &[PathBuf::from("/project")]) {
        let loaded = load(&host, site);
        for finding in check(&loaded, &Settings::default()) {
            let source = loaded.library.source(finding.span.source);
            assert!(
                source.text().get(finding.span.range()).is_some(),
                "a span of {} is off",
                finding.code
            );
        }
        for graph in &loaded.program.graphs {
            assert!(!mermaid(graph).is_empty() && !dot(graph).is_empty());
        }
    }
}

/// The workflows in the engine's own tags, each a group of its own.
fn own() -> Vec<Vec<(String, String)>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = ["stdlib", "workflows"].map(|folder| groups(&root.join(folder)));
    let groups: Vec<Vec<(String, String)>> = found.into_iter().flatten().collect();
    assert!(groups.len() > 5, "{}", groups.len());
    groups
}

/// Groups the files of the corpus by workflow folder, small enough to be quick.
fn groups(folder: &Path) -> Vec<Vec<(String, String)>> {
    let mut found: std::collections::BTreeMap<PathBuf, Vec<(String, String)>> = std::collections::BTreeMap::new();
    for path in files(folder) {
        let read = matches!(
            path.extension().and_then(|name| name.to_str()),
            Some("md" | "xml" | "yaml" | "toml" | "csv")
        );
        let inside = path.strip_prefix(folder).unwrap();
        if !read || inside.components().any(|part| part.as_os_str() == "node_modules") {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        let parent = path.parent().unwrap();
        let above = if parent
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("step"))
        {
            parent.parent().unwrap()
        } else {
            parent
        };
        let name = path.strip_prefix(above).unwrap().display().to_string();
        found.entry(above.to_path_buf()).or_default().push((name, text));
    }
    found
        .into_values()
        .map(|mut group| {
            group.truncate(12);
            group
        })
        .collect()
}

/// What is put where it does not belong.
const PIECES: &[&str] = &[
    "<",
    ">",
    "</step>",
    "<check if=\"",
    "\"",
    "'",
    "`",
    "```",
    "---\n",
    "{",
    "}",
    "{{",
    "}}",
    "[",
    "]",
    "\n\n",
    "\t",
    "&amp;",
    "<!--",
    "-->",
    "<![CDATA[",
    "<step n=\"",
    "é",
    "🚀",
    "\u{feff}",
    "goto step ",
    "HALT",
    "- IF A: ",
    "[A] ",
    "*x",
    "&x ",
    "../",
    "\r\n",
    "#",
    ": ",
    "|",
];

/// Breaks a text in one to four places.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut broken = text.to_owned();
    for _ in 0..=random.below(4) {
        let at = boundary(&broken, random.below(broken.len() + 1));
        match random.below(6) {
            5 => broken = accented(&broken, random),
            0 => broken.insert_str(at, PIECES[random.below(PIECES.len())]),
            1 => {
                let end = boundary(&broken, (at + random.below(40)).min(broken.len()));
                broken.replace_range(at..end.max(at), "");
            }
            2 => broken.truncate(at),
            3 => {
                let end = boundary(&broken, (at + random.below(400)).min(broken.len())).max(at);
                let piece = broken[at..end].to_owned();
                let to = boundary(&broken, random.below(broken.len() + 1));
                broken.insert_str(to, &piece);
            }
            _ => {
                let end = boundary(&broken, (at + 1).min(broken.len())).max(at);
                broken.replace_range(at..end, PIECES[random.below(PIECES.len())]);
            }
        }
    }
    broken
}

/// Writes some letters as those of other languages, which take more bytes.
fn accented(text: &str, random: &mut Random) -> String {
    let one_in = 2 + random.below(30);
    let mut letter = |at: char| match at.to_ascii_lowercase() {
        found @ ('a' | 'e' | 'o' | 'u' | 's' | '.') if random.below(one_in) == 0 => match found {
            'a' => 'ä',
            'e' => 'é',
            'o' => 'ö',
            'u' => 'ü',
            's' => 'ß',
            _ => '。',
        },
        _ => at,
    };
    text.chars().map(&mut letter).collect()
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A small generator of numbers that look random and repeat from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}
