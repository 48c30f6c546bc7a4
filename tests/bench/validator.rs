//! The 6.0.4 tree, beside BMAD's own validator on the same tree.

use super::run::clock;
use crate::packages;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How many references the validator finds in that tree; fewer means it did not do its work.
const REFERENCES: &str = "525";

/// How many times faster it must be before the benchmark fails; the aim is 20.
const FLOOR: f64 = 10.0;

#[test]
#[ignore = "a benchmark"]
fn bench_lint_is_many_times_faster_than_the_validator_of_references() {
    let Some(folder) = packages::fetched() else { return };
    let package = folder.join("bmad-method-6.0.4/package");
    if !install(&package) {
        return;
    }
    let printed = Command::new("node")
        .arg("tools/validate-file-refs.js")
        .current_dir(&package)
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&printed.stdout).into_owned();
    assert!(
        printed.contains(REFERENCES),
        "the validator did not do its work: {printed}"
    );
    let src = package.join("src");
    let mut lint = Command::new(env!("CARGO_BIN_EXE_bmad"));
    lint.arg("lint").arg(&src).current_dir(&package);
    let mut validator = Command::new("node");
    validator.arg("tools/validate-file-refs.js").current_dir(&package);
    // In turns, so that a machine that others use slows both.
    let rounds = (0..11).map(|_| (clock(&mut lint), clock(&mut validator)));
    let (mut ours, mut theirs): (Vec<Duration>, Vec<Duration>) = rounds.unzip();
    ours.sort();
    theirs.sort();
    let ratio = theirs[5].as_secs_f64() / ours[5].as_secs_f64();
    println!(
        "6.0.4: bmad lint {:.0?} ({:.0?}–{:.0?}), validate-file-refs.js {:.0?} ({:.0?}–{:.0?}): {ratio:.1} times",
        ours[5], ours[0], ours[10], theirs[5], theirs[0], theirs[10]
    );
    assert!(ratio >= FLOOR, "below the floor of {FLOOR}");
}

/// Installs what the validator needs; says so and gives up where there is no network.
fn install(package: &Path) -> bool {
    if package.join("node_modules/yaml").is_dir() && package.join("node_modules/csv-parse").is_dir() {
        return true;
    }
    let done = Command::new("npm")
        .args([
            "install",
            "--no-save",
            "--ignore-scripts",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--prefix",
            ".",
        ])
        .args(["yaml@2", "csv-parse@6"])
        .current_dir(package)
        .status()
        .is_ok_and(|status| status.success());
    if !done {
        println!("skipped: the validator's own packages could not be fetched");
        assert!(
            std::env::var_os("BMAD_REQUIRE_NETWORK").is_none(),
            "BMAD_REQUIRE_NETWORK is set"
        );
    }
    done
}
