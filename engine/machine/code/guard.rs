//! What a sentence says to do in, what decides whether it is done out.

use super::compile::Compiler;
use super::left;
use super::statement::Statement;
use crate::graph::{is_maybe, is_one_case};
use crate::model::{Condition, Lift, LiftKind, Origin, is_otherwise, item};
use crate::source::Span;
use crate::syntax::{WordList, decode};

/// Words that begin another condition.
static IF: WordList = WordList::new(&["if", "when", "unless"]);

/// What decides whether a lift happens.
pub(super) enum Guard {
    /// Something that somebody judges.
    Judged(Statement),
    /// The words before it do not hold.
    Otherwise,
    /// Something the engine decides.
    Test(Box<Condition>),
    /// The person says so, and nobody else can: `when the human signals they're ready`.
    Said(Span),
    /// The person says the word that they are shown: `When you're ready, say next`.
    Awaited(Span),
    /// Somebody judges that the work is done, and until then the person goes on with it: `when you have enough`. What is
    /// judged, and what the person is shown.
    Due(Span, Span),
}

impl Guard {
    /// Returns what is put to the turn before.
    pub(super) fn statement(&self) -> Option<Statement> {
        match self {
            Guard::Judged(statement) => Some(*statement),
            Guard::Due(words, _) => Some(Statement::Words(*words)),
            Guard::Otherwise | Guard::Test(_) | Guard::Said(_) | Guard::Awaited(_) => None,
        }
    }

    /// Leaves to whoever judges what the person says, where something else asks them; then nobody waits for a word, too.
    pub(super) fn judged_if(self, asked: bool) -> Option<Self> {
        match self {
            Guard::Said(words) if asked => Some(Guard::Judged(Statement::Words(words))),
            Guard::Awaited(_) if asked => None,
            guard => Some(guard),
        }
    }

    /// Returns where its words stand.
    pub(super) fn place(&self) -> Option<Span> {
        match self {
            Guard::Judged(statement) => Some(statement.span()),
            Guard::Test(condition) => Some(condition.span),
            Guard::Said(words) | Guard::Due(words, _) => Some(*words),
            Guard::Otherwise | Guard::Awaited(_) => None,
        }
    }
}

impl<'p> Compiler<'p> {
    /// Returns what decides whether a lift happens; none where it always does.
    pub(super) fn guard(&self, lift: &'p Lift, text: Span, all: &[&'p Lift]) -> Option<Guard> {
        let Some(statement) = self.depends(lift, text, all) else {
            return self.awaited(lift, text);
        };
        let Statement::Words(words) = statement else {
            return Some(Guard::Judged(statement));
        };
        let said = self.library.slice(words);
        let before = all.iter().rev().find(|other| other.span.start < lift.span.start);
        if is_otherwise(said) {
            let answers = before.is_some_and(|before| self.answers(words, before, text));
            return Some(match answers {
                true => Guard::Otherwise,
                false => Guard::Judged(self.next(lift, text)),
            });
        }
        if let Some(question) = self.question_of(words) {
            return Some(Guard::Judged(Statement::Answer { words, question }));
        }
        let start = self.sentence(words, text).start.min(words.start);
        if self.is_for_the_person(lift, words, text) {
            return Some(Guard::Said(Span { start, ..words }));
        }
        if self.is_due(lift, words, text, all) {
            return Some(Guard::Due(words, Span { start, ..words }));
        }
        let decided = Condition::in_prose(&decode(said), words).filter(|test| self.may_decide(test));
        Some(decided.map_or(Guard::Judged(statement), |test| Guard::Test(Box::new(test))))
    }

    /// Says whether `otherwise` speaks of what a lift before it depends on. Behind other words of its line it speaks of
    /// those, and behind another condition of that: `Verify that it is clean. Otherwise HALT.`
    fn answers(&self, otherwise: Span, before: &Lift, text: Span) -> bool {
        let line = self.sentence(otherwise, text).start;
        let own = self.library.slice(Span {
            start: line.max(before.span.end.min(otherwise.start)),
            end: otherwise.start,
            ..otherwise
        });
        let own = item(own).unwrap_or(own);
        let opens = before.span.start >= line || !own.contains(char::is_alphanumeric);
        let between = self.library.slice(Span {
            start: before.span.end.min(otherwise.start),
            end: otherwise.start,
            ..otherwise
        });
        let is_parted = between.contains("\n#") || left::words(between).any(|word| IF.has(word));
        before.condition.is_some() && opens && !is_parted
    }

    /// Returns what is said of when a lift happens; none where it always does.
    fn depends(&self, lift: &'p Lift, text: Span, all: &[&'p Lift]) -> Option<Statement> {
        // What a handler ends with happens because its option was chosen; no other words decide about it.
        let origin = if self.branching { Origin::Tag } else { self.origin };
        let maybe = is_maybe(self.library, origin, lift, text);
        let is_case = !self.branching && self.is_for_labelled_case(lift.span, text);
        let decided = match &lift.kind {
            LiftKind::Set { .. } | LiftKind::Skill { .. } => lift.condition.is_none() && !is_case,
            LiftKind::Follow { target, target_span } => {
                let follows =
                    |other: &&&Lift| matches!(other.kind, LiftKind::Follow { .. }) && other.condition.is_none();
                let last = all.iter().rev().find(follows);
                let last = last.is_some_and(|last| std::ptr::eq(*last, lift));
                let is_mode = || is_among_others(target, all) && self.is_for_a_mode(lift.span, text);
                let is_one = || !self.branching && self.is_one_case(lift.span, text, all);
                // Where a menu leads on, what the prose before it says to follow is for a case that may not be there.
                let is_led = self.menu_leads && !self.branching;
                let is_one = || is_one() || self.is_row_of_cases(lift, all);
                let leaves = last && !is_case && !is_led && !self.is_amid_headings() && !is_mode() && !is_one();
                lift.condition.is_none() && (leaves || !self.is_own_step(target, *target_span))
            }
            LiftKind::Goto { .. }
            | LiftKind::Section { .. }
            | LiftKind::Halt { .. }
            | LiftKind::Exit
            | LiftKind::Return
            | LiftKind::Store { .. }
            | LiftKind::Ask
            | LiftKind::Wait => !maybe,
        };
        // A file that is only mentioned depends on the words around it.
        let told = lift.condition.filter(|condition| *condition != lift.span);
        let lead = self.introduced(lift.span, text);
        let case = || self.named_case(lift, text).zip(lead);
        let next = || (!decided).then(|| self.next(lift, text));
        let case = case().map(|(name, lead)| Statement::Case { lead, name });
        case.or(told.or(lead).map(Statement::Words)).or_else(next)
    }

    /// Says whether a file is followed once the person says that they are ready; where something else asks them, their
    /// answer to that is judged.
    fn is_for_the_person(&self, lift: &Lift, words: Span, text: Span) -> bool {
        let leads = !self.branching && !self.menu_leads && self.follows_own(lift);
        leads && self.is_moment(words, text) && is_signal(self.library.slice(words))
    }

    /// Says whether words say when something is to happen, not in which case.
    pub(super) fn is_moment(&self, words: Span, text: Span) -> bool {
        let line = self.sentence(words, text);
        let before = self.library.slice(Span {
            end: words.start.max(line.start),
            ..line
        });
        let opener = before.trim_end().rsplit(|at: char| !at.is_alphabetic()).next();
        opener.is_some_and(|word| word.eq_ignore_ascii_case("when") || word.eq_ignore_ascii_case("once"))
    }

    /// Says whether words stand in one item of several that go elsewhere, each for its own case.
    pub(super) fn is_one_case(&self, words: Span, text: Span, all: &[&Lift]) -> bool {
        let goes = |lift: &Lift| lift.kind.leaves() || self.follows_own(lift);
        is_one_case(self.library, words, all.iter().copied(), text, goes)
    }

    pub(super) fn follows_own(&self, lift: &Lift) -> bool {
        matches!(&lift.kind, LiftKind::Follow { target, target_span } if self.is_own_step(target, *target_span))
    }

    /// Says whether a file is followed once the work of a text is done, and nothing else leads on from there: until then
    /// the work goes on.
    fn is_due(&self, lift: &'p Lift, words: Span, text: Span, all: &[&'p Lift]) -> bool {
        let is_only = || {
            let leads = |other: &&&Lift| self.follows_own(other) || other.kind.leaves();
            // The rows of a table are settled before it.
            let leads = all.iter().filter(leads).filter(|other| !self.is_bare_row(other));
            leads.count() == 1
        };
        let is_last = !self.branching && !self.menu_leads && !self.is_amid_headings();
        is_last
            && self.is_moment(words, text)
            && is_done(self.library.slice(words))
            && self.follows_own(lift)
            && is_only()
    }
}

/// Says whether a lift happens whatever is the case, at once or when the person says so.
pub(super) fn is_sure(guard: &Option<Guard>) -> bool {
    matches!(guard, None | Some(Guard::Awaited(_)))
}

/// Says whether words say of the work or of the person when something is to happen.
pub(super) fn is_moment_of(words: &str) -> bool {
    is_done(words) || is_signal(words)
}

/// Says whether words say that enough was done: `you have enough …`, `the report is complete`.
fn is_done(words: &str) -> bool {
    const DONE: &[&str] = &[
        "enough",
        "complete",
        "completed",
        "done",
        "finished",
        "ready",
        "satisfied",
    ];
    left::words(words).any(|word| DONE.iter().any(|done| word.eq_ignore_ascii_case(done)))
}

/// Says whether another file is followed, too.
fn is_among_others(file: &str, all: &[&Lift]) -> bool {
    let mut followed = all.iter().filter_map(|lift| lift.kind.followed());
    followed.any(|(target, _)| target != file)
}

/// Says whether words say that the person signals something: `the user confirms …`, `the human is ready …`.
fn is_signal(words: &str) -> bool {
    const PERSON: &[&str] = &["user", "human", "person", "operator"];
    const SIGNALS: &[&str] = &[
        "signals",
        "says",
        "confirms",
        "approves",
        "indicates",
        "agrees",
        "ready",
    ];
    let mut words = left::words(words).map(str::to_ascii_lowercase);
    let subject = words.find(|word| word != "the" && word != "a");
    let verb = words.find(|word| !matches!(word.as_str(), "is" | "has" | "explicitly" | "clearly" | "name"));
    let is = |word: Option<String>, list: &[&str]| word.is_some_and(|word| list.contains(&word.as_str()));
    is(subject, PERSON) && is(verb, SIGNALS)
}
