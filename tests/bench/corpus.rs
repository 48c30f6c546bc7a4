//! The pooled corpus, repeated: throughput, growth and memory.

use super::run::{Run, SLACK, bmad, milliseconds, several};
use crate::corpus::files;
use crate::packages::{self, PACKAGES};
use std::path::{Path, PathBuf};

/// Megabytes a second, on two cores with nothing else to do.
const AIM: f64 = 40.0;

#[test]
#[ignore = "a benchmark"]
fn bench_the_pooled_corpus_grows_evenly_and_fast() {
    let Some(folder) = packages::fetched() else { return };
    let pool = tempfile::tempdir_in(folder.parent().unwrap()).unwrap();
    let once = copy(&folder, pool.path(), 0);
    let copies = (100_000_000 / once + 1).max(10) as usize;
    for number in 1..copies {
        copy(&folder, pool.path(), number);
    }
    let bytes = once * copies as u64;
    let few = pool.path().join("0");
    let (one, ..) = several(7, || lint(&few));
    let (all, best, worst) = several(5, || lint(pool.path()));
    let speed = bytes as f64 / 1e6 / all.time.as_secs_f64();
    let growth = all.time.as_secs_f64() / one.time.as_secs_f64() / copies as f64;
    println!(
        "corpus: {} copies, {:.0} MB in {:.0} ms ({:.0}–{:.0}): {speed:.0} MB/s; {copies} times the files cost {:.1} times the time; peak {} MB",
        copies,
        bytes as f64 / 1e6,
        milliseconds(all),
        milliseconds(best),
        milliseconds(worst),
        growth * copies as f64,
        all.peak_kilobytes / 1024
    );
    assert!(speed >= AIM / SLACK);
    assert!(growth <= 1.1 * SLACK.sqrt());
    assert!(all.peak_kilobytes <= 200 * 1024);
}

fn lint(folder: &Path) -> Run {
    bmad(&["lint", folder.to_str().unwrap()], folder)
}

/// Copies what the linter reads of every package; returns how many bytes that is.
fn copy(from: &Path, to: &Path, number: usize) -> u64 {
    let mut bytes = 0;
    for package in PACKAGES {
        let root = from.join(package.name()).join("package");
        for path in files(&root) {
            let inside = path.strip_prefix(&root).unwrap();
            let read = matches!(
                path.extension().and_then(|name| name.to_str()),
                Some("md" | "xml" | "yaml" | "yml" | "toml" | "csv")
            );
            let package_file = inside == Path::new("package.json");
            let skipped = inside.components().any(|part| {
                ["node_modules", "fixtures", "docs", "website", "test"]
                    .contains(&part.as_os_str().to_str().unwrap_or(""))
            });
            if !(read || package_file) || skipped {
                continue;
            }
            let target: PathBuf = to.join(number.to_string()).join(package.name()).join(inside);
            std::fs::create_dir_all(target.parent().unwrap()).unwrap();
            std::fs::copy(&path, &target).unwrap();
            bytes += std::fs::metadata(&path).unwrap().len();
        }
    }
    bytes
}
