//! What happened in lanes in, the items that the lanes are for out.

use super::account::Account;
use crate::machine::{Branch, Inline};
use serde::Serialize;
use std::collections::HashMap;

/// A lane that something happened in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Told {
    /// Its name, as the ids of questions have it.
    id: String,
    /// The item that it is for, on one line.
    #[serde(skip_serializing_if = "String::is_empty")]
    item: String,
    /// Which lane it is, and for what, with those around it.
    #[serde(skip)]
    pub(super) words: String,
}

impl Account {
    /// Says whether anything happened in lanes.
    pub(super) fn has_lanes(&self) -> bool {
        let mut happened = self.steps.iter().flat_map(|step| &step.events);
        happened.any(|happened| is_parted(&happened.within)) || self.steps.iter().any(|step| is_parted(&step.within))
    }

    /// Names the lanes that a replay of the run came by.
    pub(super) fn tell_lanes(&mut self, lanes: &[(Inline, Branch)]) {
        let known: HashMap<&str, &Branch> = lanes.iter().map(|(lane, branch)| (lane.as_str(), branch)).collect();
        for step in &mut self.steps {
            step.lane = told(step.within.as_str(), &known);
            for happened in &mut step.events {
                happened.lane = told(happened.within.as_str(), &known);
            }
        }
    }
}

/// Says whether a lane parted from another one.
fn is_parted(lane: &Inline) -> bool {
    lane.as_str().contains('.')
}

/// Returns what is told of a lane; nothing where it, or one around it, is not known.
fn told(lane: &str, known: &HashMap<&str, &Branch>) -> Option<Told> {
    let own = known.get(lane)?;
    // The main line, and for every fork its number and that of the lane.
    let ends = lane.match_indices('.').map(|(at, _)| at).chain([lane.len()]);
    let around: Option<Vec<&&Branch>> = ends.skip(2).step_by(2).map(|end| known.get(&lane[..end])).collect();
    let words: Vec<String> = around?.into_iter().map(|branch| branch.words()).collect();
    Some(Told {
        id: own.lane.strip_prefix("0.").unwrap_or(&own.lane).to_owned(),
        item: own.item.clone(),
        words: words.join(", "),
    })
}

#[cfg(test)]
mod tests {
    use super::told;
    use crate::machine::Branch;
    use std::collections::HashMap;

    #[test]
    fn a_lane_is_told_with_those_around_it() {
        let branch = |lane: &str, at, item: &str| Branch {
            lane: lane.to_owned(),
            at,
            of: 2,
            each: true,
            item: item.to_owned(),
        };
        let lanes = [branch("0.1.2", 1, "api"), branch("0.1.2.3.1", 0, "docs")];
        let known: HashMap<&str, &Branch> = ["0.1.8aaf", "0.1.8aaf.3.1"].into_iter().zip(&lanes).collect();
        let words = |lane| told(lane, &known).map(|told| (told.id, told.words));
        let both = |id: &str, words: &str| Some((id.to_owned(), words.to_owned()));
        assert_eq!(words("0.1.8aaf"), both("1.2", "lane 2 of 2: api"));
        assert_eq!(
            words("0.1.8aaf.3.1"),
            both("1.2.3.1", "lane 2 of 2: api, lane 1 of 2: docs")
        );
        assert_eq!(words("0"), None);
        assert_eq!(words("0.1.1"), None);
    }
}
