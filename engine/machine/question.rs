//! Questions to the person, and their answers.

use serde::{Deserialize, Serialize};

/// A question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Question {
    /// The label of the step and a hash of the normalised text: the same question has the same id in every run.
    pub id: String,
    /// The name an author gave it, where there is one; an answers file may use it too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What is asked.
    pub text: String,
    /// The answers it offers; none means free text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
    /// Whether an answer that fits no choice is taken as it is.
    pub open: bool,
    /// The exact words that have to be typed, where nothing else will do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm: Option<String>,
    /// Who asks, and so what a policy may do about it.
    pub origin: Asker,
    /// The workflow.
    pub workflow: String,
    /// The label of the step.
    pub step: String,
    /// Where it is written: `path:line`; empty for a question of the engine.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The lanes it is asked in, the innermost last: no part of what finds it in the journal, which knows its lane.
    #[serde(skip)]
    pub branches: Vec<Branch>,
}

/// A lane that parted from another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Branch {
    /// Its name.
    pub lane: String,
    /// Its place among those that parted with it, from 0.
    pub at: usize,
    /// How many parted.
    pub of: usize,
    /// Whether they do the same, each for an item of a list.
    pub each: bool,
    /// The item, on one line.
    pub item: String,
}

impl Branch {
    /// The most characters that are shown of an item.
    const MOST: usize = 60;

    /// Gives a lane the item that it is for.
    pub(super) fn is_for(&mut self, item: &str) {
        let words: Vec<&str> = item.split_whitespace().collect();
        self.item = words.join(" ").chars().take(Self::MOST).collect();
        self.each = true;
    }

    /// Says which lane it is, and for what.
    pub fn words(&self) -> String {
        let lane = format!("lane {} of {}", self.at + 1, self.of);
        match self.item.as_str() {
            "" => lane,
            item => format!("{lane}: {item}"),
        }
    }
}

/// One answer that a question offers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choice {
    /// What is typed.
    pub key: String,
    /// What it is called.
    pub label: String,
    /// Other answers that mean it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Whether it leads on, and not back to the same question or out of the run.
    pub forward: bool,
    /// Whether it is taken where nobody chooses and the policy allows it.
    pub default: bool,
}

/// Who asks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Asker {
    /// The workflow.
    #[default]
    Workflow,
    /// An agent that needs to know something.
    Agent,
    /// The engine, where the workflow leaves something undecided.
    Engine,
}

/// An answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// What was answered; for a choice its key.
    pub text: String,
    /// Who answered. The machine never looks at it.
    pub by: By,
}

/// Who answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// A person at the terminal.
    #[default]
    Terminal,
    /// The answers file.
    File,
    /// The policy of the run: yolo, or defaults.
    Policy,
    /// A rehearsal.
    Rehearsal,
}

impl Choice {
    /// Makes a choice that does not lead on.
    pub fn plain(key: &str, label: &str) -> Self {
        Self {
            key: key.to_owned(),
            label: label.to_owned(),
            ..Self::default()
        }
    }

    /// Makes a choice that leads on.
    pub(super) fn onward(key: &str, label: &str) -> Self {
        Self {
            forward: true,
            ..Self::plain(key, label)
        }
    }

    /// Says whether an answer means this choice: its key, an alias, its label, or the first word of its label.
    pub fn is_meant_by(&self, answer: &str) -> bool {
        let answer = answer
            .trim()
            .trim_matches(['[', ']', '(', ')'])
            .trim_end_matches(['.', ')']);
        let same = |other: &str| is_same(other, answer);
        if answer.is_empty() {
            return false;
        }
        same(&self.key) || self.aliases.iter().any(|alias| same(alias)) || same(&self.label)
    }
}

impl Question {
    /// Returns what names it in an answers file: its id, and the lane where it is asked in one.
    pub fn key(&self) -> String {
        let (id, lane) = (&self.id, self.branches.last());
        lane.map_or_else(
            || id.clone(),
            |lane| format!("{id}@{}", lane.lane.strip_prefix("0.").unwrap_or(&lane.lane)),
        )
    }

    /// Says in which lane it is asked, and for what; nothing outside of lanes.
    pub fn lane(&self) -> Option<String> {
        let words: Vec<String> = self.branches.iter().map(Branch::words).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// Finds the choice that an answer means: by key first, then by what it is called, then by its place.
    pub fn choice(&self, answer: &str) -> Option<usize> {
        let key = |choice: &Choice| is_same(&choice.key, answer);
        self.choices
            .iter()
            .position(key)
            .or_else(|| self.choices.iter().position(|choice| choice.is_meant_by(answer)))
            .or_else(|| self.by_first_word(answer))
            .or_else(|| self.by_place(answer))
    }

    /// A number counts the choices where no key or label has one: those of a list without keys.
    fn by_place(&self, answer: &str) -> Option<usize> {
        let has_digit = |text: &str| text.contains(|at: char| at.is_ascii_digit());
        let is_plain = |choice: &Choice| choice.key.chars().count() > 2 && !has_digit(&choice.key);
        let listed = self.choices.len() > 1 && !self.open && self.choices.iter().all(is_plain);
        let place: usize = answer.trim().trim_end_matches(['.', ')']).parse().ok()?;
        let at = place.checked_sub(1)?;
        (listed && at < self.choices.len()).then_some(at)
    }

    /// A word that begins the label of one choice only.
    fn by_first_word(&self, answer: &str) -> Option<usize> {
        let answer = answer.trim();
        let first = |choice: &Choice| choice.label.split_whitespace().next().unwrap_or("").to_owned();
        let mut meant =
            (0..self.choices.len()).filter(|at| !answer.is_empty() && is_same(&first(&self.choices[*at]), answer));
        let found = meant.next()?;
        meant.next().is_none().then_some(found)
    }

    /// Returns the answer as it is recorded, or why it will not do.
    pub fn settle(&self, answer: &str) -> Result<String, String> {
        if let Some(exact) = &self.confirm {
            return if answer.trim() == exact {
                Ok(exact.clone())
            } else {
                Err(format!("type exactly `{exact}`, or leave it"))
            };
        }
        if let Some(at) = self.choice(answer) {
            return Ok(self.choices[at].key.clone());
        }
        if self.choices.is_empty() || self.open {
            return Ok(answer.trim().to_owned());
        }
        let keys: Vec<&str> = self.choices.iter().map(|choice| choice.key.as_str()).collect();
        Err(format!("`{}` is none of {}", answer.trim(), keys.join(", ")))
    }
}

/// Says whether two words are the same in whatever case, and in whatever language.
fn is_same(one: &str, other: &str) -> bool {
    one.trim().to_lowercase() == other.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::{Choice, Question};

    fn of(keys: &[&str]) -> Question {
        Question {
            choices: keys.iter().map(|key| Choice::plain(key, key)).collect(),
            ..Question::default()
        }
    }

    #[test]
    fn a_number_counts_the_choices_of_a_list_without_keys() {
        assert_eq!(of(&["Staged changes", "Branch"]).settle("2."), Ok("Branch".to_owned()));
        for (keys, answer) in [
            (["Staged changes", "Branch"], "3"),
            (["Staged changes", "Branch"], "0"),
            (["Last 3 commits", "Branch"], "2"),
            (["S", "B"], "1"),
        ] {
            assert!(of(&keys).settle(answer).is_err(), "{keys:?} {answer}");
        }
    }
}
