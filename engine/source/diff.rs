//! Two texts in, the lines that differ out.

/// The most cells of the table by which two texts are compared; above it everything between the parts that are the same
/// counts as changed.
const MOST: usize = 4_000_000;

/// Lines in one place that were replaced.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    /// The line it begins at in the new text, from 1.
    pub(crate) line: usize,
    /// The lines that were there.
    pub(crate) removed: Vec<&'a str>,
    /// The lines that are there now.
    pub(crate) added: Vec<&'a str>,
}

/// Compares two texts line by line.
pub(crate) fn between<'a>(before: &'a str, after: &'a str) -> Vec<Piece<'a>> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let head = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let tail = old[head..]
        .iter()
        .rev()
        .zip(new[head..].iter().rev())
        .take_while(|(one, other)| one == other)
        .count();
    let (middle_old, middle_new) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    if middle_old.len().saturating_mul(middle_new.len()) > MOST {
        return vec![Piece {
            line: head + 1,
            removed: middle_old.to_vec(),
            added: middle_new.to_vec(),
        }];
    }
    pieces(middle_old, middle_new, head)
}

/// Walks the longest common sequence of lines; what is not in it is a piece.
fn pieces<'a>(old: &[&'a str], new: &[&'a str], head: usize) -> Vec<Piece<'a>> {
    let common = common(old, new);
    let width = new.len() + 1;
    let (mut at, mut to) = (0, 0);
    let mut found: Vec<Piece<'a>> = Vec::new();
    let mut open = false;
    while at < old.len() || to < new.len() {
        if at < old.len() && to < new.len() && old[at] == new[to] {
            (at, to, open) = (at + 1, to + 1, false);
            continue;
        }
        if !open {
            found.push(Piece {
                line: head + to + 1,
                removed: Vec::new(),
                added: Vec::new(),
            });
            open = true;
        }
        let Some(piece) = found.last_mut() else { break };
        let removes = to == new.len() || at < old.len() && common[(at + 1) * width + to] >= common[at * width + to + 1];
        if removes {
            piece.removed.push(old[at]);
            at += 1;
        } else {
            piece.added.push(new[to]);
            to += 1;
        }
    }
    found
}

/// Returns how long the common sequence is from each pair of lines on.
fn common(old: &[&str], new: &[&str]) -> Vec<u32> {
    let width = new.len() + 1;
    let mut table = vec![0u32; (old.len() + 1) * width];
    for at in (0..old.len()).rev() {
        for to in (0..new.len()).rev() {
            table[at * width + to] = if old[at] == new[to] {
                table[(at + 1) * width + to + 1] + 1
            } else {
                table[(at + 1) * width + to].max(table[at * width + to + 1])
            };
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{Piece, between};

    #[test]
    fn equal_texts_have_no_pieces() {
        assert_eq!(between("a\nb\n", "a\nb\n"), []);
        assert_eq!(between("", ""), []);
    }

    #[test]
    fn changes_in_two_places_are_two_pieces() {
        let pieces = between("a\nb\nc\nd\ne\n", "a\nB\nc\nd\nnew\ne\n");
        let one = Piece {
            line: 2,
            removed: vec!["b"],
            added: vec!["B"],
        };
        let other = Piece {
            line: 5,
            removed: Vec::new(),
            added: vec!["new"],
        };
        assert_eq!(pieces, [one, other]);
    }

    #[test]
    fn a_text_that_became_another_is_one_piece() {
        let pieces = between("a\n", "b\nc\n");
        assert_eq!(
            (pieces.len(), pieces[0].removed.len(), pieces[0].added.len()),
            (1, 1, 2)
        );
    }
}
