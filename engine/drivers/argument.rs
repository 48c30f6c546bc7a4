//! A command line as a person writes it in, its words out. No shell reads it: nothing is expanded.

pub(super) use crate::host::command_words as words;

/// Says whether a command line needs a shell: pipes, several commands, redirection, expansion.
pub(super) fn needs_shell(line: &str) -> bool {
    let mut quote: Option<char> = None;
    for each in line.chars() {
        match (quote, each) {
            (Some(open), each) if each == open => quote = None,
            (Some('\''), _) => {}
            (Some(_), '$' | '`') => return true,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(each),
            (None, ';' | '|' | '&' | '<' | '>' | '$' | '`' | '(' | ')' | '*' | '?' | '~' | '#' | '\n') => return true,
            (None, _) => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::needs_shell;

    #[test]
    fn what_only_a_shell_understands_is_seen() {
        for line in [
            "a | b",
            "a; b",
            "a > b",
            "echo $HOME",
            "echo \"$HOME\"",
            "ls *.md",
            "a && b",
        ] {
            assert!(needs_shell(line), "{line}");
        }
        for line in ["cargo test --lib", "grep 'a|b' file", "echo \"a; b\""] {
            assert!(!needs_shell(line), "{line}");
        }
    }
}
