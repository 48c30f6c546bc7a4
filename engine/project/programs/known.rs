//! What is known of programs and of words of a shell, by name.

/// Shells: what they are given in quotes is a command.
pub(super) const SHELLS: &[&str] = &[".", "source", "sh", "bash", "dash", "zsh", "ksh", "fish", "busybox"];
/// Other programs that run the file they are given.
pub(super) const RUNNERS: &[&str] = &[
    "python",
    "python2",
    "python3",
    "pypy3",
    "node",
    "nodejs",
    "deno",
    "bun",
    "tsx",
    "ts-node",
    "ruby",
    "perl",
    "php",
    "lua",
    "Rscript",
    "osascript",
    "pwsh",
    "uv",
    "pipx",
    "npx",
];
/// Programs that run what a file after `-f` says.
pub(super) const FILED: &[&str] = &["awk", "gawk", "mawk", "nawk", "sed", "make", "gmake", "just"];
/// Programs that start the program behind them.
pub(super) const WRAPPERS: &[&str] = &[
    "env", "exec", "command", "builtin", "nohup", "time", "timeout", "sudo", "doas", "nice", "ionice", "setsid",
    "stdbuf", "xargs", "parallel", "watch", "flock", "strace", "find", "run", "su", "script", "unbuffer", "chronic",
];
/// Those of them that may be given a whole command in quotes behind other words.
pub(super) const SPOKEN: &[&str] = &["watch", "su", "script", "flock", "parallel"];
/// Words of a shell that a command may come behind.
pub(super) const KEYWORDS: &[&str] = &[
    "if", "then", "else", "elif", "while", "until", "do", "!", "{", "}", "fi", "done", "case", "in",
];
/// Flags of programs for scripts whose next word is no script, but may be a file that is run too.
pub(super) const VALUED: &[&str] = &[
    "-W",
    "-X",
    "-o",
    "-O",
    "-I",
    "-M",
    "-r",
    "--require",
    "--import",
    "--loader",
    "--rcfile",
    "--init-file",
    "-p",
];
/// Files that are read and never started, whatever their mode says.
pub(super) const DOCUMENTS: &[&str] = &[
    "md", "markdown", "txt", "json", "yaml", "yml", "toml", "xml", "html", "csv",
];
/// Flags behind which the folder stands that a program works in.
pub(super) const ELSEWHERE: &[&str] = &["-C", "--chdir", "--directory"];

/// Says whether a name is that of a program for scripts.
pub(super) fn starts_script(name: &str) -> bool {
    let unversioned = name.trim_end_matches(|each: char| each.is_ascii_digit() || each == '.');
    let is_known = |name: &str| !name.is_empty() && (SHELLS.contains(&name) || RUNNERS.contains(&name));
    is_known(name) || is_known(unversioned)
}
