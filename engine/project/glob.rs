//! Patterns of paths: `*` within a name, `**` across folders, `?` for one character.

/// Says whether a path matches a pattern; a pattern without a slash matches any part of the path.
pub(super) fn matches(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
    if !pattern.contains('/') {
        return path.split('/').any(|part| fits(pattern.as_bytes(), part.as_bytes()));
    }
    let below = format!("{pattern}/**");
    fits(pattern.as_bytes(), path.as_bytes()) || fits(below.as_bytes(), path.as_bytes())
}

/// Matches bytes against a pattern, going back to the last star when a try fails.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut seen) = (0, 0);
    let mut star: Option<(usize, usize, bool)> = None;
    while seen < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                let deep = pattern.get(at + 1) == Some(&b'*');
                let mut next = at + if deep { 2 } else { 1 };
                if deep && pattern.get(next) == Some(&b'/') {
                    next += 1;
                }
                star = Some((next, seen, deep));
                at = next;
            }
            Some(b'?') if text[seen] != b'/' => {
                at += 1;
                seen += 1;
            }
            Some(byte) if *byte == text[seen] => {
                at += 1;
                seen += 1;
            }
            Some(_) | None => match star {
                Some((next, from, deep)) if deep || text[from] != b'/' => {
                    star = Some((next, from + 1, deep));
                    at = next;
                    seen = from + 1;
                }
                Some(_) | None => return false,
            },
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stays_within_a_name_and_two_cross_folders() {
        assert!(matches("docs/*.md", "docs/a.md"));
        assert!(!matches("docs/*.md", "docs/a/b.md"));
        assert!(matches("docs/**/*.md", "docs/a/b.md"));
        assert!(matches("docs/**", "docs/a/b.md"));
        assert!(matches("docs/a", "docs/a/b.md"));
    }

    #[test]
    fn a_name_alone_matches_anywhere() {
        assert!(matches("drafts", "a/drafts/b.md"));
        assert!(matches("*.csv", "a/b.csv"));
        assert!(!matches("*.csv", "a/b.md"));
    }
}
