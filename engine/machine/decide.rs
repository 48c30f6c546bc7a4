//! Conditions: what the engine knows, what it looks up, and what somebody else has to judge.

use super::code::{Op, Pc, Statement};
use super::compare::{compare, equal, same};
use super::effect::{Effect, Outcome};
use super::key::Digests;
use super::known::YOLO;
use super::lane::Stage;
use super::question::{Asker, Choice, Question};
use super::render;
use super::task::{Access, Mode, Task};
use super::walk::{Flow, Walk};
use crate::builtins::Value;
use crate::model::{
    Act, Condition, DefinedBy, Definition, Operand, Operator, Presence, Test, is_answer, speaks_of, visit,
};
use crate::source::Span;
use crate::syntax::{Hole, holes};

/// How long somebody may take to judge.
const JUDGE_SECONDS: u32 = 60;
/// How much of the line that a condition stands in whoever judges is told.
const MAX_LINE: usize = 2000;
/// How many variables whoever judges is told.
const MAX_TOLD: usize = 40;

impl<'p> Walk<'_, 'p> {
    /// Leaves in the flag whether one part of a condition holds. Where the engine cannot say, somebody is asked about the
    /// whole condition in its own words, and the answer is the end of it.
    pub(super) fn test(&mut self, test: &'p Test, whole: &'p Condition, end: Pc) -> Flow<'p> {
        let decided = match test {
            Test::Compare { left, operator, right } => self.compare(left, *operator, right),
            Test::Member { name, values, negated } => self.operand(name).map(|value| {
                let is_one = |one: &String| equal(&value, &Value::Text(one.clone()));
                values.iter().any(is_one) != *negated
            }),
            Test::Flag(name) => self.variable(name).map(|value| is_true(&value)),
            Test::Chosen(keys) => self.given_answer(whole).map_or_else(
                || self.chose(keys),
                |given| Some(keys.iter().any(|key| same(key, &given))),
            ),
            Test::Exists { what, target, present } => match self.exists((what, *target), *present, whole) {
                Some(flow) => return flow,
                None => None,
            },
            Test::Judged(text) => return self.judge(text.clone(), whole.span),
            Test::Otherwise => Some(true),
            Test::Not(_) | Test::All(_) | Test::Any(_) => None,
        };
        match decided {
            Some(holds) => {
                self.lane.flag = holds;
                Flow::Next
            }
            None => match self.judge(whole.text.clone(), whole.span) {
                Flow::Next => Flow::To(end),
                flow => flow,
            },
        }
    }

    fn compare(&self, left: &Operand, operator: Operator, right: &Operand) -> Option<bool> {
        Some(compare(&self.operand(left)?, operator, &self.operand(right)?))
    }

    fn operand(&self, operand: &Operand) -> Option<Value> {
        match operand {
            Operand::Variable(name) => self.variable(name),
            Operand::Word(word) => {
                // A word that a tag binds only later means itself until then.
                let bound = self
                    .bound(word)
                    .filter(|value| *value != Value::Nothing || self.is_given(word));
                Some(bound.unwrap_or_else(|| Value::Text(word.clone())))
            }
            Operand::Text(text) => Some(Value::Text(self.text(text))),
            Operand::Number(number) => Some(Value::Number(*number)),
            Operand::Truth(truth) => Some(Value::Bool(*truth)),
        }
    }

    /// Returns the value of a name. Where tags leave nothing to guess, a name nobody bound is nothing, and a flag that only
    /// the workflow itself sets is not set before it does; in other prose somebody has to say.
    fn variable(&self, name: &str) -> Option<Value> {
        let strict = self.image.code(self.frame().workflow).strict;
        let unset = || match strict {
            true => Some(Value::Nothing),
            false => self.is_flag(name).then_some(Value::Bool(false)),
        };
        self.bound(name).or_else(unset)
    }

    /// Says whether all that gives a name a value are orders of the workflow that set it to true or to false.
    fn is_flag(&self, name: &str) -> bool {
        let workflow = &self.image.workflows[self.frame().workflow];
        let is_truth = |value: &str| matches!(value.trim_matches(['"', '\'', '`']), "true" | "false");
        let mut all = workflow.definitions.iter().filter(|each| each.name == name).peekable();
        let sets = |each: &Definition| each.by == DefinedBy::Assignment && each.value.as_deref().is_some_and(is_truth);
        all.peek().is_some() && all.all(sets)
    }

    /// Returns the value of the one variable of a condition that is called like an answer: `{choice} == 'a'` speaks of
    /// `choice` where the run bound it, and of the last answer otherwise.
    fn given_answer(&self, whole: &Condition) -> Option<String> {
        let named = |hole: &Hole| is_answer(hole.name) && self.is_given(hole.name);
        let mut found = holes(&whole.text, whole.span).into_iter().filter(named);
        let name = found.next()?.name;
        let alone = found.all(|other| other.name == name);
        self.bound(name).filter(|_| alone).map(|value| value.to_string())
    }

    fn chose(&self, keys: &[String]) -> Option<bool> {
        let answer = self.frame().answer.as_ref()?.to_lowercase();
        let mut parts = answer.split('\n');
        let given = parts.next().unwrap_or_default();
        let label = parts.next().unwrap_or_default();
        let meant = |key: &String| {
            let first = label.split_whitespace().next().unwrap_or_default();
            key == given || key == label || (key.len() > 2 && (key == first || label.starts_with(key.as_str())))
        };
        Some(
            keys.iter()
                .any(|key| meant(key) || (key == "enter" && given.is_empty())),
        )
    }

    /// Looks whether something is there; answers nothing where only somebody else can know where to look.
    fn exists(&mut self, what: (&str, Presence), present: bool, whole: &Condition) -> Option<Flow<'p>> {
        let (what, target) = what;
        let (is_path, path) = match target {
            Presence::File => (true, self.path(self.full_path(what, whole)?)),
            Presence::Variable | Presence::Named => match self.bound(what) {
                Some(value) if !value.is_empty() => {
                    let text = value.to_string();
                    let is_path = looks_like_path(&text) && target == Presence::Variable;
                    let path = match self.is_given(what) {
                        true => self.place(&text),
                        false => self.near(&text),
                    };
                    (is_path, path)
                }
                None if self.is_only_told(what) || matches!(self.op(), Op::Decide(_)) => return None,
                None if self.is_part_of_text(what, whole) => return None,
                Some(_) | None => {
                    self.lane.flag = !present;
                    return Some(Flow::Next);
                }
            },
        };
        match path {
            Ok(path) if is_path && is_open(&path) => None,
            Ok(path) if is_path => Some(Flow::Wait(Effect::Look { path }, Stage::Seen(present))),
            Ok(_) | Err(_) => {
                self.lane.flag = is_path != present;
                Some(Flow::Next)
            }
        }
    }

    /// Returns the path that the name of a file stands for: the one that ends with it in the words of the step before the
    /// condition, where there is one. Answers nothing where that path is a pattern, or holds a name without a value.
    fn full_path<'t>(&self, name: &'t str, whole: &Condition) -> Option<&'t str>
    where
        'p: 't,
    {
        let span = whole.span;
        if !self.options.whole || name.contains(['/', '{']) {
            return Some(name);
        }
        let step = self.frame().step.map(|step| step.span);
        let step = step.filter(|step| step.source == span.source && step.start <= span.start);
        let before = Span {
            start: step.map_or(span.start, |step| step.start),
            end: span.start,
            ..span
        };
        let Some(path) = path_ending_with(self.image.slice(before), name) else {
            return Some(name);
        };
        let is_open = |hole: &Hole| self.bound(hole.name).is_none_or(|value| value.is_empty());
        let is_one = !path.contains(['*', '?']) && !holes(path, before).iter().any(is_open);
        is_one.then_some(path)
    }

    /// Says whether prose alone speaks of a name, so that an agent may know what the engine was never told.
    fn is_only_told(&self, name: &str) -> bool {
        let definitions = &self.image.workflows[self.frame().workflow].definitions;
        let mut named = definitions
            .iter()
            .filter(|definition| definition.name == name)
            .peekable();
        named.peek().is_some() && named.all(|definition| definition.by == DefinedBy::Prose)
    }

    /// Says whether a condition names, without braces, what nothing defines and an order of the workflow speaks of: a part of
    /// a text that an agent read, as in `Verify that the development_status section has an entry`.
    fn is_part_of_text(&self, name: &str, whole: &Condition) -> bool {
        let workflow = &self.image.workflows[self.frame().workflow];
        let is_bare = !holes(&whole.text, whole.span).iter().any(|hole| hole.name == name);
        let is_exact = self.image.code(self.frame().workflow).strict;
        if is_exact || !self.options.whole || !is_bare || workflow.definition(name).is_some() {
            return false;
        }
        let mut is_told = false;
        for step in &workflow.steps {
            visit(&step.body, &mut |one| {
                is_told |= matches!(one.act, Act::Do { text, .. } if speaks_of(self.image.slice(text), name));
            });
        }
        is_told
    }

    /// Puts words to whoever judges; the turn before may have judged them already.
    pub(super) fn judge(&mut self, text: String, span: Span) -> Flow<'p> {
        // What a turn judged it judged by its words, whatever their names stand for since. Several orders of its text may
        // depend on the same words; a loop asks anew.
        let judged = match self.op() {
            Op::Judge(_) => self.lane.judged.get(&text).copied(),
            _ => self.lane.judged.remove(&text),
        };
        if let Some(holds) = judged {
            self.lane.flag = holds;
            self.tally.judgements += 1;
            return Flow::Next;
        }
        let before = self.lane.stale.remove(&text).filter(|_| self.options.whole);
        let text = render::text(&text, &self.known().telling());
        let mut variables = Vec::new();
        if let Some(answer) = &self.frame().answer {
            variables.push(("the last answer".to_owned(), answer.replace('\n', " ")));
        }
        let bound = self.frame().variables.iter().take(MAX_TOLD);
        let mut bound: Vec<(String, String)> = bound
            .map(|(name, value)| (name.clone(), short(&value.to_string())))
            .collect();
        if !self.options.whole && !self.is_given("mode") {
            // Whoever judged in a run of before was told its mode.
            let mode = if self.frame().yolo { YOLO } else { "normal" };
            let at = bound.partition_point(|(name, _)| name.as_str() < "mode");
            bound.insert(at, ("mode".to_owned(), mode.to_owned()));
            bound.truncate(MAX_TOLD);
        }
        variables.extend(bound);
        variables.extend(self.written_in(span));
        if self.options.whole && !self.lane.report.is_empty() {
            variables.push(("what was done last".to_owned(), self.lane.report.clone()));
        }
        if let Some(held) = before {
            let said = if held { "it holds" } else { "it does not hold" };
            variables.push(("judged before that was done".to_owned(), said.to_owned()));
        }
        let task = Task {
            conditions: vec![text.clone()],
            variables,
            rules: Vec::new(),
            params: self.judged_at(span),
            mode: Mode::Fresh,
            access: Access::Read,
            timeout: Some(JUDGE_SECONDS),
            ..self.task()
        };
        Flow::Wait(Effect::Judge(Box::new(task)), Stage::Judged(text))
    }

    /// Returns the line that words of prose stand in: by themselves they may not say what they speak of, `none matches`.
    fn written_in(&self, span: Span) -> Option<(String, String)> {
        let is_part = matches!(self.op(), Op::Judge(Statement::Words(_))) && self.options.whole;
        let line = render::text(self.image.lines(span), &self.known().telling());
        let line: String = line.chars().take(MAX_LINE).collect();
        is_part.then(|| ("where the condition is written".to_owned(), line))
    }

    /// Returns where a condition stands, which is part of its turn in older journals alone.
    fn judged_at(&self, span: Span) -> Vec<(String, Value)> {
        match self.options.digests {
            Digests::Placeless => Vec::new(),
            Digests::Sha256 | Digests::Blake3 | Digests::Xxh3 => {
                vec![("place".to_owned(), Value::Text(self.image.place(span)))]
            }
        }
    }

    /// Takes a judgement; what nobody could judge the person decides.
    pub(super) fn judged(&mut self, text: &str, outcome: Outcome) -> Flow<'p> {
        if let Outcome::Replied(envelope) = &outcome
            && let Some(judgement) = envelope.judgements.first()
        {
            self.tally.judgements += 1;
            self.lane.flag = judgement.holds;
            return self.after_judging();
        }
        let question = Question {
            choices: vec![Choice::onward("y", "Yes"), Choice::onward("n", "No")],
            open: false,
            origin: Asker::Engine,
            ..self.question(&format!("Does this hold? {text}"))
        };
        Flow::Wait(Effect::Ask(Box::new(question)), Stage::JudgedByPerson)
    }

    /// Goes on after a judgement: a loop that asked for it looks at it itself, and one of a whole condition ends it.
    pub(super) fn after_judging(&mut self) -> Flow<'p> {
        match self.op() {
            _ if std::mem::take(&mut self.lane.stays) => Flow::Stay,
            Op::Test(Test::Judged(_), ..) => Flow::Next,
            Op::Test(_, _, end) => Flow::To(*end),
            _ => Flow::Next,
        }
    }
}

pub(super) fn is_true(value: &Value) -> bool {
    match value {
        Value::Bool(truth) => *truth,
        Value::Text(text) => !matches!(
            text.trim().to_lowercase().as_str(),
            "" | "false" | "no" | "0" | "n" | "off"
        ),
        Value::Number(number) => *number != 0.0,
        Value::Nothing | Value::List(_) | Value::Map(_) => !value.is_empty(),
    }
}

fn looks_like_path(text: &str) -> bool {
    let name = text.rsplit('/').next().unwrap_or(text);
    let dotted = name.rsplit_once('.').is_some_and(|(stem, end)| {
        let is_ending = end.starts_with(char::is_alphabetic) && end.chars().all(char::is_alphanumeric);
        !stem.is_empty() && (1..=5).contains(&end.len()) && is_ending
    });
    !text.contains(char::is_whitespace) && (text.contains('/') || dotted)
}

/// Returns the last path of a text that has more to it than the name that it ends with.
fn path_ending_with<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let is_part = |at: char| at.is_alphanumeric() || "_-./\\{}*?~:<>$".contains(at);
    let longer = |(at, _): (usize, &str)| {
        let end = at + name.len();
        let start = text[..at]
            .rfind(|each| !is_part(each))
            .map_or(0, |last| last + text[last..].chars().next().map_or(1, char::len_utf8));
        let path = &text[start..end];
        let goes_on = text[end..].starts_with(|next: char| next.is_alphanumeric() || "_-/".contains(next));
        let is_longer = text[start..at].ends_with('/') && !path.contains("://");
        (is_longer && !goes_on).then_some(path)
    };
    text.rmatch_indices(name).find_map(longer)
}

/// Says whether a path leaves something open: a name without a value, or which file of several.
fn is_open(path: &str) -> bool {
    path.contains('*') || !holes(path, Span::default()).is_empty()
}

/// How much of a variable a judge is told.
fn short(text: &str) -> String {
    text.chars().take(500).collect()
}

#[cfg(test)]
mod tests {
    use super::path_ending_with;

    #[test]
    fn the_name_of_a_file_stands_for_the_last_path_that_ends_with_it() {
        let found = |text| path_ending_with(text, "index.md");
        assert_eq!(found("Look at `{docs}/index.md` first."), Some("{docs}/index.md"));
        assert_eq!(found("a/index.md, then b/index.md: both"), Some("b/index.md"));
        assert_eq!(found("See **/index.md"), Some("**/index.md"));
        for other in [
            "index.md",
            "an old-index.md",
            "a/my-index.md",
            "a/index.md5",
            "see https://x.org/index.md",
        ] {
            assert_eq!(found(other), None, "{other}");
        }
    }
}
