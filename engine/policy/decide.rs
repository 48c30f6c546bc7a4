//! A question in, the choice that the rules of the run take out; nothing where a person has to decide.

use crate::machine::{Choice, Question};

/// What may be decided without a person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Policy {
    /// Takes the one choice that leads on.
    pub yolo: bool,
    /// Takes the choice that is marked as the default.
    pub defaults: bool,
    /// Takes the first choice that leads on, for a run that only tries a workflow out.
    pub first: bool,
}

impl Policy {
    /// Returns the key of the choice that is taken.
    ///
    /// Words that have to be typed and answers in free text are never made up.
    pub fn decide(&self, question: &Question) -> Option<String> {
        if question.confirm.is_some() {
            return None;
        }
        let forward = || only(&question.choices, |choice| choice.forward);
        let default = || only(&question.choices, |choice| choice.default);
        let taken = match (self.yolo, self.defaults) {
            (true, _) => forward().or_else(default),
            (false, true) => default(),
            (false, false) => None,
        };
        let first = || question.choices.iter().find(|choice| self.first && choice.forward);
        let taken = taken.or_else(first);
        taken.map(|choice| choice.key.clone())
    }
}

/// Returns the choice that is so; nothing where none is, or several are.
fn only(choices: &[Choice], is_so: impl Fn(&Choice) -> bool) -> Option<&Choice> {
    let mut found = choices.iter().filter(|choice| is_so(choice));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::Policy;
    use crate::machine::{Asker, Choice, Question};

    const YOLO: Policy = Policy {
        yolo: true,
        defaults: false,
        first: false,
    };
    const DEFAULTS: Policy = Policy {
        yolo: false,
        defaults: true,
        first: false,
    };

    /// Choices by key: `>` marks one that leads on, `*` the default.
    fn menu(keys: &[&str]) -> Question {
        let choice = |key: &&str| Choice {
            key: key.trim_matches(['>', '*']).to_owned(),
            forward: key.contains('>'),
            default: key.contains('*'),
            ..Choice::default()
        };
        Question {
            choices: keys.iter().map(choice).collect(),
            ..Question::default()
        }
    }

    fn decided(policy: Policy, keys: &[&str]) -> Option<String> {
        policy.decide(&menu(keys))
    }

    #[test]
    fn yolo_takes_the_one_choice_that_leads_on() {
        assert_eq!(decided(YOLO, &["a", "p", "c>"]).as_deref(), Some("c"));
    }

    #[test]
    fn yolo_takes_what_leads_on_before_the_default() {
        assert_eq!(decided(YOLO, &["a*", "c>"]).as_deref(), Some("c"));
    }

    #[test]
    fn yolo_leaves_several_ways_on_to_a_person() {
        assert_eq!(decided(YOLO, &["a>", "c>"]), None);
    }

    #[test]
    fn yolo_leaves_no_way_on_to_a_person() {
        assert_eq!(decided(YOLO, &["a", "x"]), None);
    }

    #[test]
    fn yolo_takes_the_default_among_several_ways_on() {
        assert_eq!(decided(YOLO, &["a>", "c>*"]).as_deref(), Some("c"));
        assert_eq!(decided(YOLO, &["a*", "x"]).as_deref(), Some("a"));
    }

    #[test]
    fn two_defaults_are_none() {
        assert_eq!(decided(YOLO, &["a>*", "c>*"]), None);
        assert_eq!(decided(DEFAULTS, &["a*", "c*"]), None);
    }

    #[test]
    fn defaults_take_the_default_and_nothing_else() {
        assert_eq!(decided(DEFAULTS, &["a*", "c>"]).as_deref(), Some("a"));
        assert_eq!(decided(DEFAULTS, &["a", "c>"]), None);
    }

    #[test]
    fn no_policy_decides_nothing() {
        assert_eq!(decided(Policy::default(), &["c>*"]), None);
    }

    #[test]
    fn words_that_have_to_be_typed_are_never_made_up() {
        let question = Question {
            confirm: Some("SKIP VALIDATION".to_owned()),
            ..menu(&["skip>*"])
        };
        assert_eq!(YOLO.decide(&question), None);
        assert_eq!(DEFAULTS.decide(&question), None);
    }

    #[test]
    fn free_text_is_never_made_up() {
        for origin in [Asker::Workflow, Asker::Agent, Asker::Engine] {
            let question = Question {
                origin,
                open: true,
                ..Question::default()
            };
            assert_eq!(YOLO.decide(&question), None);
        }
    }
}
