//! This process in, whether a terminal that hangs up ends it out.
//!
//! Whoever starts a program under `nohup` wants it to go on without its terminal.

/// Says whether this process was started to go on when its terminal is closed. It has to be asked before anybody listens
/// for the signal.
pub fn ignores_hangup() -> bool {
    ignored().is_some_and(|signals| has_hangup(&signals))
}

/// Says whether signals, as a number to the base of 16 whose last bit is the first of them, hold the one of a hangup.
fn has_hangup(signals: &str) -> bool {
    let last = signals.trim().chars().last();
    last.and_then(|digit| digit.to_digit(16))
        .is_some_and(|digit| digit & 1 == 1)
}

/// Returns the signals that this process ignores.
#[cfg(target_os = "linux")]
#[expect(clippy::disallowed_methods, reason = "the system tells about processes by files")]
fn ignored() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.map(str::to_owned)
}

/// Returns the signals that this process ignores.
#[cfg(all(unix, not(target_os = "linux")))]
#[expect(clippy::disallowed_methods, reason = "the system tells about processes by a program")]
fn ignored() -> Option<String> {
    let pid = std::process::id().to_string();
    let told = std::process::Command::new("ps")
        .args(["-o", "sigignore=", "-p", &pid])
        .output();
    String::from_utf8(told.ok()?.stdout).ok()
}

/// Without signals there are none to ignore.
#[cfg(not(unix))]
fn ignored() -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::has_hangup;

    #[test]
    fn the_first_signal_is_the_last_bit() {
        assert!(has_hangup("\t0000000000000001\n"));
        assert!(has_hangup("1003"));
        assert!(!has_hangup("0000000000001000"));
        assert!(!has_hangup("2"));
        assert!(!has_hangup(""));
    }
}
