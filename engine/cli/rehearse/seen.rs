//! Rehearsals in, what was seen in all of them out.

use super::stage::Played;
use crate::cli::launch::Project;
use crate::machine::{Asker, End, EndKind, Question};
use crate::model::STANDARD;
use crate::runner::Stopped;
use std::collections::{BTreeMap, BTreeSet};

/// What was seen.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) rehearsals: u64,
    /// How often each kind of end came.
    pub(super) ends: BTreeMap<&'static str, u64>,
    /// Why runs ended before they were completed: kind, reason and place, and the seeds.
    pub(super) reasons: BTreeMap<(&'static str, String, String), Vec<u64>>,
    pub(super) questions: Vec<Came>,
    /// Questions of agents: they are made up, and differ from agent to agent.
    pub(super) agents_asked: u64,
    /// Failures of the engine itself, each with its seed.
    pub(super) faults: Vec<(u64, String)>,
    reached: BTreeSet<(String, String)>,
}

/// A question that came.
#[derive(Debug)]
pub(super) struct Came {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) place: String,
    pub(super) times: u64,
    /// In how many rehearsals.
    pub(super) rehearsals: u64,
    /// How many other ids it had: its text depends on what was said before.
    ids: BTreeSet<String>,
    last: Option<u64>,
}

/// A step that no rehearsal came to.
#[derive(Debug)]
pub(super) struct Unreached {
    pub(super) workflow: String,
    pub(super) label: String,
    pub(super) goal: String,
    pub(super) place: String,
}

impl Came {
    /// Returns how many ids it had.
    pub(super) fn ids(&self) -> usize {
        self.ids.len()
    }
}

impl Seen {
    /// Adds a rehearsal.
    pub(super) fn add(&mut self, seed: u64, played: Played) {
        self.rehearsals += 1;
        self.reached.extend(played.tally.reached);
        for question in played.questions {
            match question.origin {
                Asker::Agent => self.agents_asked += 1,
                Asker::Workflow | Asker::Engine => self.asked(seed, &question),
            }
        }
        match played.stopped {
            Ok(Stopped::Ended(end)) => self.ended(seed, &end),
            Ok(Stopped::Waiting(open)) => {
                let ids: Vec<String> = open.into_iter().map(|question| question.id).collect();
                self.stopped(seed, "waiting", ids.join(", "), String::new());
            }
            // Agents of a rehearsal are never out of reach.
            Ok(Stopped::Interrupted | Stopped::Parked { .. }) => {}
            Err(why) => {
                *self.ends.entry("engine failure").or_default() += 1;
                self.faults.push((seed, why));
            }
        }
    }

    /// Returns what was stopped by a bound or by fuel.
    pub(super) fn limits(&self) -> impl Iterator<Item = (&str, &str, &[u64])> {
        let limits = self
            .reasons
            .iter()
            .filter(|((kind, ..), _)| *kind == EndKind::Limit.name());
        limits.map(|((_, reason, place), seeds)| (reason.as_str(), place.as_str(), seeds.as_slice()))
    }

    /// Finds the steps that no rehearsal came to: of the workflow, and of those of the project that it came to.
    pub(super) fn unreached(&self, project: &Project) -> Vec<Unreached> {
        let image = project.image();
        let mut found = Vec::new();
        for (at, workflow) in project.loaded.workflows.iter().enumerate() {
            let entered = self.reached.iter().any(|(name, _)| *name == workflow.name);
            let home = project.loaded.library.source(workflow.home).path().as_str();
            if at != project.at && (!entered || home.starts_with(STANDARD)) {
                continue;
            }
            for step in image.survey(at).steps {
                if !self.reached.contains(&(workflow.name.clone(), step.label.clone())) {
                    found.push(Unreached {
                        workflow: workflow.name.clone(),
                        label: step.label,
                        goal: step.goal,
                        place: step.place,
                    });
                }
            }
        }
        found
    }

    /// A question of the workflow is the same where it is written in the same place, whatever it was filled with.
    fn asked(&mut self, seed: u64, question: &Question) {
        let same = |came: &&mut Came| match (question.origin, question.place.as_str()) {
            (Asker::Workflow, place) if !place.is_empty() => came.place == place,
            (Asker::Workflow | Asker::Engine | Asker::Agent, _) => came.id == question.id,
        };
        if let Some(came) = self.questions.iter_mut().find(same) {
            came.times += 1;
            came.rehearsals += u64::from(came.last != Some(seed));
            came.last = Some(seed);
            came.ids.insert(question.id.clone());
            return;
        }
        self.questions.push(Came {
            id: question.id.clone(),
            text: question.text.clone(),
            place: match question.origin {
                Asker::Workflow => question.place.clone(),
                Asker::Engine | Asker::Agent => String::new(),
            },
            times: 1,
            rehearsals: 1,
            ids: BTreeSet::from([question.id.clone()]),
            last: Some(seed),
        });
    }

    fn ended(&mut self, seed: u64, end: &End) {
        match end.kind {
            EndKind::Completed => *self.ends.entry(end.kind.name()).or_default() += 1,
            EndKind::Halted | EndKind::Failed | EndKind::Limit => {
                self.stopped(seed, end.kind.name(), end.reason.clone(), end.place.clone());
            }
        }
    }

    fn stopped(&mut self, seed: u64, kind: &'static str, reason: String, place: String) {
        *self.ends.entry(kind).or_default() += 1;
        self.reasons.entry((kind, reason, place)).or_default().push(seed);
    }
}
