//! Labels and names in, the places they mean out: one rule for drawing and for running.

use crate::model::Origin;
use crate::source::{QuickMap, SourceId};

/// Where a jump wants to go.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Want {
    /// A step, by label; where tags and headings share one, the jump means its own kind.
    Label(Origin, String),
    /// A part of a step, by label.
    Part(String),
    /// An anchor, by name.
    Anchor(String),
    /// A step file of this workflow.
    File(SourceId),
}

/// Places that jumps may lead to.
#[derive(Debug)]
pub(crate) struct Targets<T>(QuickMap<Want, T>);

impl<T> Default for Targets<T> {
    fn default() -> Self {
        Self(QuickMap::default())
    }
}

impl<T: Copy> Targets<T> {
    /// Makes room for some more targets.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.0.reserve(more);
    }

    /// Makes a place a target of jumps; the first of a name wins.
    pub(crate) fn add(&mut self, want: Want, place: T) {
        self.0.entry(fold(want)).or_insert(place);
    }

    /// Finds the place that a jump means: its own kind of step first, then any other, then what only bears that name.
    pub(crate) fn find(&self, want: &Want) -> Option<T> {
        let exact = self.0.get(&fold(want.clone())).copied();
        let name = match want {
            Want::Label(_, name) | Want::Part(name) | Want::Anchor(name) => name,
            Want::File(_) => return exact,
        };
        let labels = [Origin::Tag, Origin::Heading, Origin::File, Origin::Prose];
        let others = labels.into_iter().map(|origin| Want::Label(origin, name.clone()));
        exact.or_else(|| {
            others
                .chain([Want::Part(name.clone()), Want::Anchor(name.clone())])
                .find_map(|other| self.0.get(&fold(other)).copied())
        })
    }
}

/// Makes one name of `Step 03`, `3` and `03`, and of `2A` and `2a`.
fn fold(want: Want) -> Want {
    match want {
        Want::Label(origin, label) => Want::Label(origin, folded(label)),
        Want::Part(label) => Want::Part(folded(label)),
        Want::Anchor(id) => Want::Anchor(folded(id)),
        Want::File(_) => want,
    }
}

fn folded(label: String) -> String {
    if is_plain(&label) { label } else { plain(&label) }
}

/// Says whether a label is surely written as all labels are: most are a number or a name of small letters.
fn is_plain(label: &str) -> bool {
    let is_low = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    !label.starts_with(['0', 's']) && label.bytes().all(is_low)
}

/// Writes a label the way all labels are written that a jump takes for the same.
pub(crate) fn plain(label: &str) -> String {
    if is_plain(label) {
        return label.to_owned();
    }
    let lower = label.trim().to_lowercase();
    let bare = lower
        .strip_prefix("step")
        .map_or(lower.as_str(), |rest| rest.trim_start_matches([' ', '-']));
    let short = bare.trim_start_matches('0');
    if short.starts_with(|c: char| c.is_ascii_digit()) {
        short.to_owned()
    } else {
        bare.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{folded, plain};

    #[test]
    fn a_label_is_written_one_way() {
        for (label, written) in [
            ("3", "3"),
            ("03", "3"),
            ("Step 03", "3"),
            ("step-2A", "2a"),
            ("2a", "2a"),
            ("E2", "e2"),
            ("e-2", "e-2"),
            ("start", "start"),
            ("steps", "s"),
            (" 1 ", "1"),
            ("0", "0"),
            ("00x", "00x"),
            ("É", "é"),
            ("", ""),
        ] {
            assert_eq!(plain(label), written, "{label}");
            assert_eq!(folded(label.to_owned()), written, "{label}");
        }
    }
}
