//! A stretch of Markdown to instructions: prose, and its menus with what their answers lead to.

use super::around::{answers, before_acting, is_for_any_other, says, with_marks, without};
use super::{between, confirm, further, item, onward, past, patterns, pointed, talk};
use crate::model::instruction::{Act, Branch, Instruction};
use crate::model::library::Document;
use crate::model::lift::{Lift, LiftKind, SECTION, noun_of};
use crate::model::menu::{self, Course, Handled, Menu, MenuOption};
use crate::model::workflow::Origin;
use crate::source::Span;
use crate::syntax::trim;
use memchr::memmem::Finder;
use std::sync::LazyLock;

/// How an answer names what it leads back to, whatever the case of its first letter.
static RETURN: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("eturn to "));

/// Reads a stretch of Markdown: prose, with its menus at their places. What an answer leads to is its menu's.
pub(super) fn instructions(document: &Document, span: Span, origin: Origin) -> Vec<Instruction> {
    let stretch = Stretch {
        document,
        origin,
        end: span.inner(span.len(), span.len()),
        is_answer: false,
    };
    let mut read = stretch.instructions(span);
    past::mark_end(document, &mut read, stretch.end);
    read
}

/// What a stretch of Markdown is part of.
#[derive(Clone, Copy)]
struct Stretch<'d> {
    document: &'d Document,
    origin: Origin,
    /// Where the step ends that it is part of.
    end: Span,
    /// Whether all of it is what an answer leads to.
    is_answer: bool,
}

/// What deals with an answer to a menu, and the section of the step that it points to.
type Answer<'d> = (&'d Handled, Option<Span>);

/// What deals with the answers to one menu.
struct Dealt<'d> {
    /// All of it, in order.
    pool: Vec<&'d Handled>,
    /// What deals with each option.
    answers: Vec<Option<Answer<'d>>>,
    /// Where the next menu begins, or else the end.
    until: u32,
}

impl<'d> Stretch<'d> {
    fn instructions(self, span: Span) -> Vec<Instruction> {
        let menus = self.document.menus();
        let source = &self.document.source;
        let within = |handler: &&Handled| span.contains(handler.span);
        let mut handlers: Vec<&Handled> = menus.handlers.iter().filter(within).collect();
        let is_own = |menu: &&Menu| span.contains(menu.span) && !self.is_answered(menu, &handlers);
        let shown: Vec<&Menu> = menus.menus.iter().filter(is_own).collect();
        if self.is_answer {
            let offers = |handler: &&Handled| {
                shown
                    .iter()
                    .any(|menu| menu.options.iter().any(|option| menu::handles(handler, option)))
            };
            handlers.retain(offers);
        }
        let mut read = Vec::with_capacity(2 * shown.len() + 1);
        let mut answers = answers(source, &shown, &handlers);
        let dealt = self.dealt(&shown, &handlers, span.end);
        self.without_sections(&dealt, &mut answers);
        let mut at = span.start;
        let until_menu = |at: u32, end: u32, read: &mut Vec<Instruction>| {
            let span = Span {
                start: at,
                end: end.max(at),
                ..span
            };
            for piece in without(span, &answers) {
                let is_rest = piece != span || !read.is_empty();
                let counts = |one: &Instruction| !is_rest || says(source.slice(one.span));
                read.extend(self.prose(piece, &handlers).filter(counts));
            }
        };
        for (menu, dealt) in shown.iter().zip(&dealt) {
            let place = with_marks(source, menu.span);
            until_menu(at, place.start, &mut read);
            let choice = self.choice(menu, dealt);
            read.extend(confirm::place(self.document, menu, &choice));
            read.push(choice);
            at = place.end.max(at);
        }
        until_menu(at, span.end, &mut read);
        if !self.is_answer {
            patterns::tell_first(self.document, &mut read);
            between::tell_first(self.document, &mut read, &answers);
        }
        read
    }

    /// Says whether a menu is offered only after an answer to another one: it stands in what that leads to.
    fn is_answered(self, menu: &Menu, handlers: &[&Handled]) -> bool {
        let menus = self.document.menus();
        let leads = |handler: &&&Handled| handler.body.contains(menu.span);
        let other = |handler: &Handled| menus.menu_of(handler).is_some_and(|other| !std::ptr::eq(other, menu));
        handlers.iter().filter(leads).any(|handler| other(handler))
    }

    /// Reads prose; what stands in a handler belongs to its menu.
    fn prose(self, span: Span, handlers: &[&Handled]) -> Option<Instruction> {
        let (span, text) = trim(&self.document.source, span);
        if text.is_empty() {
            return None;
        }
        let is_own = |lift: &Lift| !handlers.iter().any(|handler| handler.span.contains(lift.span));
        let found = self.document.lifts_in(span, |lift| self.counts(lift) && is_own(lift));
        Some(Instruction::prose(span, found))
    }

    fn choice(self, menu: &Menu, dealt: &Dealt<'d>) -> Instruction {
        let pool = &dealt.pool;
        let branch = |(option, answer): (&MenuOption, &Option<Answer<'d>>)| match answer {
            Some(answer) => self.branch(option, *answer, (menu, pool)),
            None => self.by_its_words(option, menu, dealt.until),
        };
        let mut branches: Vec<Branch> = menu.options.iter().zip(&dealt.answers).map(branch).collect();
        for (handler, option) in self.unlisted(menu, pool) {
            let section = self.section(menu, &option, handler);
            branches.push(self.branch(&option, (handler, section), (menu, pool)));
        }
        if let Some(other) = pool.iter().find(|handler| handler.any_other) {
            branches.push(Branch::new(None, self.handled(other), !self.is_answer));
        } else if menu.open {
            branches.push(Branch::new(None, Vec::new(), false));
        } else if !self.is_answer && talk::is_way_out(&menu.options) {
            talk::open(
                self.document,
                Span {
                    end: self.end.end,
                    ..self.document.body()
                },
                &mut branches,
            );
        }
        let condition = item::condition(&self.document.source, menu.span);
        let headed = || item::under_heading(self.document, menu.span, self.end.start).filter(|_| !self.is_answer);
        Instruction {
            condition: condition.or_else(headed).map(Box::new),
            ..Instruction::menu(branches, menu.stops, menu.span)
        }
    }

    /// Returns what deals with the answers to a menu: what stands between it and the next one, else what is about it, or
    /// about what another menu offers, too.
    fn pool(self, menu: &Menu, handlers: &[&'d Handled], until: u32) -> Vec<&'d Handled> {
        let is_near = |handler: &&&Handled| handler.span.start >= menu.span.start && handler.span.start < until;
        let near: Vec<&Handled> = handlers.iter().filter(is_near).copied().collect();
        if !near.is_empty() {
            return near;
        }
        let menus = self.document.menus();
        let is_about = |handler: &&&Handled| match menus.menu_of(handler) {
            Some(other) => std::ptr::eq(other, menu) || menu::shares(handler, menu, other),
            None => handler.any_other && is_for_any_other(self.document, handler, menu),
        };
        handlers.iter().filter(is_about).copied().collect()
    }

    /// Returns what deals with a key that no menu of the file offers, and an option for it: `[1-7] Start` is read as none.
    fn unlisted(self, menu: &Menu, pool: &[&'d Handled]) -> Vec<(&'d Handled, MenuOption)> {
        let is_listed = |handler: &Handled| menu.options.iter().any(|option| menu::handles(handler, option));
        if pool.iter().all(|handler| !handler.branches || is_listed(handler)) {
            return Vec::new();
        }
        let menus = self.document.menus();
        let unoffered = menu::unoffered(menus, &self.document.source).into_iter();
        let own = unoffered.filter(|(handler, _)| pool.iter().any(|own| std::ptr::eq(*own, *handler)));
        let option = |(handler, key): (&'d Handled, &str)| {
            let option = MenuOption {
                key: key.to_owned(),
                label: String::new(),
                span: handler.span,
            };
            (handler, option)
        };
        own.map(option).collect()
    }

    /// Reads an option that nothing deals with: where its own words lead, else on.
    fn by_its_words(self, option: &MenuOption, menu: &Menu, until: u32) -> Branch {
        let source = &self.document.source;
        let course = |option: &MenuOption| menu::course(option, source);
        let is_way_on = |other: &MenuOption| course(other).is_none();
        let Some((course, place)) = course(option).filter(|_| menu.options.iter().any(is_way_on)) else {
            return Branch::new(Some(option.clone()), Vec::new(), false);
        };
        let words = if place.is_empty() { option.span } else { place };
        let told = Instruction::prose(words, Vec::new());
        let (body, again) = match course {
            Course::Past => (
                vec![past::leading(self.document, self.origin, option.span, self.end)],
                false,
            ),
            Course::Back => (vec![told], !self.is_answer),
            Course::Out { told: is_told } => {
                let mut body: Vec<Instruction> = self
                    .prose(before_acting(source, with_marks(source, menu.span), until), &[])
                    .into_iter()
                    .collect();
                body.extend(is_told.then_some(told));
                body.push(Instruction::leave(option.span));
                (body, false)
            }
        };
        Branch {
            past: course == Course::Past,
            ..Branch::new(Some(option.clone()), body, again)
        }
    }

    /// Finds what deals with the answers to each of several menus, the last of which belongs to what ends at `end`.
    fn dealt(self, shown: &[&Menu], handlers: &[&'d Handled], end: u32) -> Vec<Dealt<'d>> {
        let ends = shown.iter().skip(1).map(|next| next.span.start).chain([end]);
        let dealt = |(menu, until): (&&Menu, u32)| {
            let pool = self.pool(menu, handlers, until);
            let answer = |option: &MenuOption| {
                let handler = *pool.iter().find(|handler| menu::deals_with(handler, option, menu))?;
                Some((handler, self.section(menu, option, handler)))
            };
            Dealt {
                answers: menu.options.iter().map(answer).collect(),
                pool,
                until,
            }
        };
        shown.iter().zip(ends).map(dealt).collect()
    }

    /// Adds the sections that answers point to: they are told with the answer, and not again behind the menu. One that
    /// another answer comes by stays there.
    fn without_sections(self, dealt: &[Dealt<'d>], answers: &mut Vec<Span>) {
        let before = answers.len();
        for Dealt {
            answers: told, pool, ..
        } in dealt
        {
            let own = |(handler, section): &Answer<'d>| section.filter(|section| !self.stays(*section, handler, pool));
            answers.extend(told.iter().flatten().filter_map(own));
        }
        if answers.len() > before {
            answers.sort_by_key(|place| place.start);
        }
    }

    /// Returns the section of the step that an answer points to.
    fn section(self, menu: &Menu, option: &MenuOption, handler: &Handled) -> Option<Span> {
        if self.is_answer {
            return None;
        }
        pointed::section(self.document, menu, (option, handler), self.end.start)
    }

    /// Says whether an answer other than the one that points to a section comes by it.
    fn stays(self, section: Span, handler: &Handled, pool: &[&Handled]) -> bool {
        let comes_by =
            |other: &&Handled| !std::ptr::eq(*other, handler) && pointed::comes_by(self.document, section, other);
        pool.iter().any(comes_by)
    }

    fn branch(self, option: &MenuOption, answer: Answer<'_>, (menu, pool): (&Menu, &[&Handled])) -> Branch {
        let (handler, section) = answer;
        let confirmed = confirm::asked(self.document, handler).filter(|_| !self.is_answer);
        let mut body = match &confirmed {
            Some(asked) => self.prose(asked.before, &[]).into_iter().collect(),
            None => self.handled(handler),
        };
        let question = confirmed.map(|asked| asked.question(self.document, menu, |word| self.handled(word)));
        let returns = || handler.redisplays || self.returns(option, handler);
        let is_asked = question.is_some();
        body.extend(question);
        let is_back = |span| pointed::leads_back(self.document, (menu.span, span), option, self.end.start);
        let redisplays = !is_asked && (returns() || section.is_some_and(is_back));
        // Who goes on behind the menu is told there what stays there.
        let told = section.filter(|section| redisplays || !self.stays(*section, handler, pool));
        body.extend(told.and_then(|span| self.prose(span, &[])));
        let more =
            further::leading(self.document, (menu, option), handler, pool).filter(|_| !is_asked && section.is_none());
        body.extend(more.into_iter().flat_map(|more| self.handled(more)));
        let redisplays = redisplays || more.is_some_and(|more| more.redisplays);
        if self.origin == Origin::File
            && !redisplays
            && let Some(next) = onward::next_step(self.document, handler)
        {
            onward::lead(&mut body, next);
        }
        if self.leaves(option, handler, &body) {
            body.push(Instruction::leave(handler.span));
        }
        Branch {
            onward: handler.goes_on && told.is_none(),
            ..Branch::new(Some(option.clone()), body, redisplays && !self.is_answer)
        }
    }

    /// Says whether an answer leads back to the section that its menu stands in: `Apply it, then return to CHECKPOINT.`
    fn returns(self, option: &MenuOption, handler: &Handled) -> bool {
        let source = &self.document.source;
        let said = source.slice(handler.body);
        // Few answers say it at all.
        if RETURN.find(said.as_bytes()).is_none() {
            return false;
        }
        let mut above = self.document.parsed.markdown.headings.iter().rev();
        let Some(heading) = above.find(|heading| heading.span.start < option.span.start) else {
            return false;
        };
        let name = source.slice(heading.span).trim_matches(['#', ' ', ':']);
        let names = |said: &str| {
            said.get(..name.len())
                .is_some_and(|said| said.eq_ignore_ascii_case(name))
        };
        let mut returns = RETURN.find_iter(said.as_bytes());
        !name.is_empty() && returns.any(|at| names(&said[at + RETURN.needle().len()..]))
    }

    /// Says whether an answer leaves the workflow, without an order that says so in full: `[X] Exit`, `… and exit`.
    fn leaves(self, option: &MenuOption, handler: &Handled, body: &[Instruction]) -> bool {
        let leads = |one: &Instruction| match &one.act {
            Act::Do { lifts, .. } => lifts
                .iter()
                .any(|lift| lift.kind.leaves() || matches!(lift.kind, LiftKind::Follow { .. })),
            Act::Menu(_) => true,
            _ => false,
        };
        let said = self.document.source.slice(handler.body);
        let cancels = || !self.is_answer && menu::cancels(&option.label, said) && !self.names_another(option, said);
        let exits = || menu::exits(&option.label, said) || cancels();
        !handler.redisplays && !handler.goes_on && exits() && !body.iter().any(leads)
    }

    /// Says whether what is said of an answer names another option of its menu: what `Edit cancelled` calls off is no more
    /// than that.
    fn names_another(self, option: &MenuOption, said: &str) -> bool {
        let has = |menu: &&Menu| menu.options.iter().any(|one| one.span == option.span);
        let menu = self.document.menus().menus.iter().find(has);
        let mut others = menu.into_iter().flat_map(|menu| &menu.options);
        others.any(|other| {
            let verb = other.label.split(|at: char| !at.is_alphanumeric()).next();
            let is_said =
                |verb: &str| verb.len() > 2 && crate::syntax::says(&said.to_lowercase(), &verb.to_lowercase());
            other.span != option.span && verb.is_some_and(is_said)
        })
    }

    /// Reads what an answer leads to; a menu in it is offered then.
    fn handled(self, handler: &Handled) -> Vec<Instruction> {
        let menus = &self.document.menus().menus;
        if menus.iter().any(|menu| handler.body.contains(menu.span)) {
            let stretch = Self {
                is_answer: true,
                ..self
            };
            return stretch.instructions(handler.body);
        }
        self.prose(handler.body, &[]).into_iter().collect()
    }

    /// In a file that is one step, "step 3" means a section of it, not a step of the workflow.
    fn counts(self, lift: &Lift) -> bool {
        let LiftKind::Goto { label_span, .. } = &lift.kind else {
            return true;
        };
        let said = Span {
            end: label_span.start,
            ..lift.span
        };
        let noun = noun_of(self.document.source.slice(said));
        self.origin == Origin::Heading && !noun.eq_ignore_ascii_case(SECTION)
    }
}
