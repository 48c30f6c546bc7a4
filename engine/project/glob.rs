//! Patterns of paths: `*` within a name, `**` across folders, `?` for one character.

/// Says whether a path matches a pattern; a pattern without a slash matches any part of the path.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
    if !pattern.contains('/') {
        return path.split('/').any(|part| fits(pattern.as_bytes(), part.as_bytes()));
    }
    let below = format!("{pattern}/**");
    fits(pattern.as_bytes(), path.as_bytes()) || fits(below.as_bytes(), path.as_bytes())
}

/// Says whether the whole of a path fits a pattern.
pub fn fits_path(pattern: &str, path: &str) -> bool {
    fits(pattern.trim_start_matches("./").as_bytes(), path.as_bytes())
}

/// One piece of a pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// This byte.
    Byte(u8),
    /// Any byte but a slash.
    One,
    /// Any bytes but slashes.
    Star,
    /// Any bytes.
    Deep,
}

fn pieces(pattern: &[u8]) -> Vec<Piece> {
    let mut read = Vec::new();
    let mut at = 0;
    while let Some(byte) = pattern.get(at) {
        let deep = pattern[at..].starts_with(b"**");
        at += if deep { 2 } else { 1 };
        read.push(match byte {
            b'*' if deep => Piece::Deep,
            b'*' => Piece::Star,
            b'?' => Piece::One,
            byte => Piece::Byte(*byte),
        });
        if deep && pattern.get(at) == Some(&b'/') {
            at += 1;
        }
    }
    read
}

/// Matches text against a pattern, keeping every place of the pattern that the text so far can have led to.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let pieces = pieces(pattern);
    let mut reached = vec![false; pieces.len() + 1];
    reached[0] = true;
    pass_stars(&pieces, &mut reached);
    for byte in text {
        let mut next = vec![false; pieces.len() + 1];
        for (at, piece) in pieces.iter().enumerate().filter(|(at, _)| reached[*at]) {
            match piece {
                Piece::Byte(wanted) => next[at + 1] |= wanted == byte,
                Piece::One => next[at + 1] |= *byte != b'/',
                Piece::Star => next[at] |= *byte != b'/',
                Piece::Deep => next[at] = true,
            }
        }
        pass_stars(&pieces, &mut next);
        reached = next;
    }
    reached[pieces.len()]
}

/// A star may stand for nothing.
fn pass_stars(pieces: &[Piece], reached: &mut [bool]) {
    for (at, piece) in pieces.iter().enumerate() {
        if reached[at] && matches!(piece, Piece::Star | Piece::Deep) {
            reached[at + 1] = true;
        }
    }
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
