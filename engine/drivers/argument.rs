//! A command line as a person writes it in, its words out. No shell reads it: nothing is expanded.

/// Splits a command line at white space; quotes and backslashes keep words together as they do in a shell.
///
/// Answers nothing where a quote is not closed.
pub(super) fn words(line: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut rest = line.chars();
    while let Some(each) = rest.next() {
        match (quote, each) {
            (Some(open), each) if each == open => quote = None,
            (Some('"') | None, '\\') => word.get_or_insert_default().push(rest.next().unwrap_or('\\')),
            (None, '"' | '\'') => {
                quote = Some(each);
                word.get_or_insert_default();
            }
            (None, each) if each.is_whitespace() => found.extend(word.take()),
            (Some(_) | None, each) => word.get_or_insert_default().push(each),
        }
    }
    found.extend(word);
    quote.is_none().then_some(found)
}

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
    use super::{needs_shell, words};

    #[test]
    fn quotes_and_backslashes_keep_words_together() {
        let found = words(r#"  sh -c 'echo "$x" \n'  "a b\"c" d\ e '' "#).unwrap();
        assert_eq!(found, ["sh", "-c", r#"echo "$x" \n"#, "a b\"c", "d e", ""]);
    }

    #[test]
    fn a_quote_that_is_not_closed_is_no_command() {
        assert_eq!(words("sh -c 'echo"), None);
    }

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
