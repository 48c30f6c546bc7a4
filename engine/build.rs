//! What the linker is told beside what cargo tells it.

#[expect(
    clippy::disallowed_methods,
    reason = "cargo tells through the environment what is built"
)]
fn main() {
    println!("cargo::rerun-if-changed=engine/build.rs");
    println!("cargo::rerun-if-env-changed=BMAD_PIE");
    let says = |name: &str, value: &str| std::env::var(name).is_ok_and(|said| said.split(',').any(|it| it == value));
    // A program that may lie anywhere in memory is put in order for its place at every start: a sixth of the time that
    // `bmad --version` takes. Where the system lets a program have a place of its own, this one has one.
    // With `BMAD_PIE=1` it may lie anywhere all the same, as some systems want it of every program.
    let is_plain = !says("CARGO_CFG_TARGET_FEATURE", "crt-static") && !says("BMAD_PIE", "1");
    if is_plain && says("CARGO_CFG_TARGET_OS", "linux") && says("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
