//! An instruction in, its sentences as words, quotes and blocks out.

/// One piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A word, without the marks around it.
    Word(&'t str),
    /// What stands between double quotes: meant word by word.
    Quoted(&'t str),
    /// What stands between backticks: a path, a command, or the name of something.
    Code(&'t str),
    /// What stands in a fence.
    Block(&'t str),
}

impl<'t> Token<'t> {
    /// Returns the text of the piece.
    pub(super) fn text(&self) -> &'t str {
        match self {
            Token::Word(text) | Token::Quoted(text) | Token::Code(text) | Token::Block(text) => text,
        }
    }

    /// Says whether the piece is one of some words, which blanks separate.
    pub(super) fn is_any(&self, words: &str) -> bool {
        match self {
            Token::Word(text) => words.split_whitespace().any(|word| word.eq_ignore_ascii_case(text)),
            Token::Quoted(_) | Token::Code(_) | Token::Block(_) => false,
        }
    }

    /// Says whether the piece looks like the path of a file, a folder or a pattern of paths.
    pub(super) fn is_path(&self) -> bool {
        let text = match self {
            Token::Word(text) | Token::Quoted(text) | Token::Code(text) => *text,
            Token::Block(_) => return false,
        };
        let plain = |each: char| each.is_alphanumeric() || "/\\._-*?+@{}[]".contains(each) || each == ' ';
        let spaced = matches!(self, Token::Word(_)) || !text.contains("  ");
        !text.is_empty() && spaced && text.chars().all(plain) && (text.contains(['/', '\\']) || has_extension(text))
    }
}

fn has_extension(text: &str) -> bool {
    let Some((stem, extension)) = text.rsplit_once('.') else {
        return false;
    };
    let short = (1..=8).contains(&extension.len());
    short
        && !stem.is_empty()
        && extension.chars().all(char::is_alphanumeric)
        && !extension.chars().all(|each| each.is_ascii_digit())
}

/// Cuts an instruction into sentences; a block belongs to the sentence before it.
pub(super) fn sentences(text: &str) -> Vec<Vec<Token<'_>>> {
    let mut found: Vec<Vec<Token<'_>>> = vec![Vec::new()];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (token, length, ends) = piece(rest, first);
        if let Some(token) = token {
            let is_block = matches!(token, Token::Block(_));
            // A block goes on with the sentence that announced it.
            if is_block && found.len() > 1 && found.last().is_some_and(Vec::is_empty) {
                found.pop();
            }
            if let Some(last) = found.last_mut() {
                last.push(token);
            }
        }
        if ends && found.last().is_some_and(|last| !last.is_empty()) {
            found.push(Vec::new());
        }
        rest = &rest[length..];
    }
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// Reads the next piece: what it is, how long it is, and whether a sentence ends with it.
fn piece(rest: &str, first: char) -> (Option<Token<'_>>, usize, bool) {
    if rest.starts_with("```") {
        return block(rest);
    }
    if let '`' | '"' = first
        && let Some(length) = rest[1..].find(first)
        && !rest[1..=length].contains('\n')
    {
        let inside = &rest[1..=length];
        let token = if first == '`' {
            Token::Code(inside)
        } else {
            Token::Quoted(inside)
        };
        return (Some(token), length + 2, false);
    }
    if first == '\n' {
        let ends = !rest.trim_start().starts_with("```");
        return (None, 1, ends);
    }
    if first.is_whitespace() || matches!(first, '`' | '"') {
        return (None, first.len_utf8(), false);
    }
    let length = rest
        .find(|each: char| each.is_whitespace() || matches!(each, '`' | '"'))
        .unwrap_or(rest.len());
    let word = &rest[..length];
    let ends = word.ends_with(['.', ';', '!', '?']);
    // A star at one side is part of a pattern; at both sides it makes a word bold.
    let word = word.trim_matches([',', ';', ':', '!', '?', '(', ')', '\'']);
    let word = word.strip_suffix('.').unwrap_or(word);
    let bare = ["**", "__", "*", "_"]
        .iter()
        .find_map(|mark| word.strip_prefix(mark)?.strip_suffix(mark))
        .unwrap_or(word);
    let bare = bare.strip_suffix(['.', ':']).unwrap_or(bare);
    ((!bare.is_empty()).then_some(Token::Word(bare)), length, ends)
}

fn block(rest: &str) -> (Option<Token<'_>>, usize, bool) {
    let marks = rest.len() - rest.trim_start_matches('`').len();
    let fence = &rest[..marks];
    let Some(head) = rest.find('\n').map(|at| at + 1) else {
        return (None, rest.len(), true);
    };
    let close = rest[head..].find(&format!("\n{fence}")).map(|at| head + at + 1);
    let close = close.or_else(|| rest[head..].starts_with(fence).then_some(head));
    match close {
        Some(close) => (Some(Token::Block(&rest[head..close])), close + marks, true),
        None => (None, rest.len(), true),
    }
}

#[cfg(test)]
mod tests {
    use super::{Token, sentences};

    #[test]
    fn words_quotes_and_blocks_are_told_apart() {
        let found = sentences("Write `a b` to **docs/x.md**. Then stop:\n```\none\ntwo\n```");
        assert_eq!(
            found,
            [
                vec![
                    Token::Word("Write"),
                    Token::Code("a b"),
                    Token::Word("to"),
                    Token::Word("docs/x.md"),
                ],
                vec![Token::Word("Then"), Token::Word("stop"), Token::Block("one\ntwo\n")],
            ]
        );
    }

    #[test]
    fn the_dots_of_a_file_name_end_nothing() {
        assert_eq!(sentences("Read a.b.md, then c.md.").len(), 1);
    }

    #[test]
    fn paths_and_patterns_are_told_from_words() {
        for path in ["a.md", "docs/", "docs/**/*.md", "./x", ".github/x.yml", "v1.2.txt"] {
            assert!(Token::Word(path).is_path(), "{path}");
        }
        for word in ["docs", "1.2", "and/or?!", "", "Hello."] {
            assert!(!Token::Quoted(word).is_path(), "{word}");
        }
    }
}
