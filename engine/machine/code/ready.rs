//! What the person is shown in, the word out that they say to go on, and the wait for it.

use super::compile::Compiler;
use super::guard::Guard;
use super::left::words;
use super::{Op, Pc};
use crate::model::{Condition, Lift, Origin, Test, item};
use crate::source::Span;

/// What the answer is called that leads on.
pub(super) const GO_ON: &str = "Go on";

/// What a person says who is ready.
const READY: &[&str] = &[
    "1", "yes", "y", "ok", "ready", "go on", "continue", "c", "next", "approve", "approved",
];

/// Verbs of words that tell the person what to say.
const SAYING: &[&str] = &["say", "type", "reply", "answer", "enter"];

/// What nobody says to go on.
const LEAVING: &[&str] = &["quit", "exit", "stop", "leave", "cancel", "abort", "end", "no"];

/// Verbs of an order to show something to the person.
const SHOWING: &[&str] = &["show", "display", "present", "tell", "say", "output"];

/// Words of an order whose text goes elsewhere.
const WRITING: &[&str] = &[
    "write", "create", "save", "send", "append", "add", "insert", "commit", "file", "files", "mail", "mails", "email",
    "emails", "template", "document", "letter",
];

/// Words that open a section for a case.
const CASE: &[&str] = &["if", "when", "should", "unless"];

/// Marks around a word that the person is to say.
const MARKS: &[char] = &['*', '_', '"', '\'', '`', '“', '”', '‘', '’'];

impl<'p> Compiler<'p> {
    /// Waits until the person says to go on; with anything else that they say the turn before is taken once more.
    pub(super) fn ready(&mut self, shown: Span, turn: Option<Pc>) {
        self.emit(Op::Pause(shown, GO_ON));
        let Some(turn) = turn else { return };
        let text = self.library.slice(shown).to_owned();
        let own = text
            .lines()
            .find_map(word_to_say)
            .filter(|word| !READY.contains(&word.as_str()));
        let keys = READY.iter().map(|&word| word.to_owned()).chain(own);
        let test = Test::Chosen(keys.collect());
        self.emit(Op::Decide(Box::new(Condition {
            span: shown,
            text,
            test,
        })));
        self.emit(Op::Unless(turn));
    }

    /// Returns the wait before a step file that is followed whatever is the case, where the text shows the person what to
    /// say when they are ready for it.
    pub(super) fn awaited(&self, lift: &Lift, text: Span) -> Option<Guard> {
        let before = Span {
            end: lift.span.start.clamp(text.start, text.end),
            ..text
        };
        let leads = self.origin != Origin::Tag && !self.branching && !self.menu_leads && self.follows_own(lift);
        let shown = leads.then(|| self.told_to_say(before)).flatten();
        shown
            .filter(|shown| self.is_last_before(*shown, before))
            .map(Guard::Awaited)
    }

    /// Waits behind a part of a file that another part follows, where it ends with such words.
    pub(super) fn ready_behind(&mut self, text: Span, turn: Pc) {
        let leads = self.origin == Origin::Heading && !self.branching && self.is_amid_headings();
        let Some(shown) = leads.then(|| self.told_to_say(text)).flatten() else {
            return;
        };
        let behind = self.library.slice(Span {
            start: shown.end,
            ..text
        });
        if !behind.contains(char::is_alphanumeric) {
            self.ready(shown, Some(turn));
        }
    }

    /// Returns the last words of a text that show the person what to say to go on: a line between fences or behind `>` says
    /// it, or the paragraph there offers it.
    fn told_to_say(&self, text: Span) -> Option<Span> {
        let shown = self.library.slice(text);
        let markdown = &self.library.document(text.source).parsed.markdown;
        let mut end = shown.len();
        for line in shown.split_inclusive('\n').rev() {
            end -= line.len();
            let bare = line.trim_start_matches(['>', ' ', '\t']).trim_end();
            let start = end + line.len() - line.trim_start_matches(['>', ' ', '\t']).len();
            let place = text.inner(start, start + bare.len());
            let is_shown = || markdown.is_fenced(place.start) || line.trim_start().starts_with('>');
            let offers = offers_to_go_on(bare);
            if (offers || word_to_say(bare).is_some())
                && is_shown()
                && self.is_for_person(place, text)
                && !self.is_for_a_case(self.shown_from(place, text), text)
            {
                let place = if offers { self.paragraph(place, text) } else { place };
                return Some(place);
            }
        }
        None
    }

    /// Says whether the line above what is shown orders to show it to the person. What stands behind `>` needs no such order,
    /// unless it is written elsewhere.
    fn is_for_person(&self, line: Span, text: Span) -> bool {
        let is_fenced = self.library.document(line.source).parsed.markdown.is_fenced(line.start);
        let above = self.library.slice(Span {
            end: self.shown_from(line, text).start.max(text.start),
            ..text
        });
        let order = above.trim_end().rsplit('\n').next().unwrap_or_default();
        !is_written(order) && (!is_fenced || is_shown(order))
    }

    /// Says whether nothing stands between what is shown and the order to follow a file, at the end of `before`, but
    /// sections for a case.
    fn is_last_before(&self, shown: Span, before: Span) -> bool {
        let rest = self.library.slice(Span {
            start: shown.end.clamp(before.start, before.end),
            ..before
        });
        let fences = &self.library.document(shown.source).parsed.markdown.fences;
        let fence = fences.iter().find(|fence| fence.span.contains(shown));
        let inside = fence.map_or(0, |fence| fence.span.end.saturating_sub(shown.end) as usize);
        let behind = rest.get(inside.min(rest.len())..).unwrap_or_default();
        let is_shown = |line: &str| {
            [">", "```", "~~~"]
                .iter()
                .any(|mark| line.trim_start().starts_with(mark))
        };
        let (_, below) = behind.split_once('\n').unwrap_or_default();
        let left: usize = below
            .split_inclusive('\n')
            .take_while(|line| is_shown(line))
            .map(str::len)
            .sum();
        only_cases(&below[left..])
    }

    /// Returns where what is shown begins that a line is part of: the mark above it, or the first line behind `>`.
    fn shown_from(&self, line: Span, text: Span) -> Span {
        let fences = &self.library.document(line.source).parsed.markdown.fences;
        let after = fences.partition_point(|fence| fence.span.start <= line.start);
        let fence = after.checked_sub(1).map(|at| fences[at].span);
        let above = self.library.slice(Span {
            end: line.start,
            ..text
        });
        let quoted = above.rsplit('\n').take_while(|line| line.trim_start().starts_with('>'));
        let length = quoted.map(|line| line.len() + 1).sum::<usize>().saturating_sub(1);
        let start = text.start as usize + above.len() - length;
        let inside = fence.filter(|fence| fence.contains(line));
        inside.unwrap_or(Span::new(text.source, start, line.end as usize))
    }

    /// Returns the lines around a line that no blank one parts from it, without the marks of a fence.
    fn paragraph(&self, line: Span, text: Span) -> Span {
        let whole = self.library.slice(text);
        let at = (line.start - text.start) as usize;
        let is_one = |line: &&str| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with("```") && !line.starts_with("~~~")
        };
        let own = whole[..at].rfind('\n').map_or(0, |end| end + 1);
        let above = whole[..own].split_inclusive('\n').rev().take_while(is_one);
        let start = own - above.map(str::len).sum::<usize>();
        let below = whole[own..].split_inclusive('\n').take_while(is_one);
        let end = own + below.map(str::len).sum::<usize>();
        text.inner(start, start + whole[start..end].trim_end().len())
    }
}

/// Returns the word that a line tells the person to say once they are ready: `When you're ready, say **next**`, `Say next
/// when ready`.
fn word_to_say(line: &str) -> Option<String> {
    let mut sentences = line.split(['.', '!', '?', ';']);
    sentences.find_map(|sentence| {
        let is_ready = words(sentence).any(|word| word.eq_ignore_ascii_case("ready"));
        if !is_ready {
            return None;
        }
        let said: Vec<&str> = sentence.split_whitespace().collect();
        let is = |at: usize, list: &[&str]| {
            let word = said[at].trim_matches(|mark: char| !mark.is_alphanumeric());
            list.iter().any(|one| word.eq_ignore_ascii_case(one))
        };
        let opens =
            |at: usize| at == 0 || said[at - 1].ends_with([',', ':', '>', '—']) || is(at - 1, &["just", "please"]);
        let verb = (0..said.len()).find(|at| is(*at, SAYING) && opens(*at))?;
        let word = said.get(verb + 1)?;
        let bare = word
            .trim_matches(|mark: char| !mark.is_alphanumeric())
            .to_ascii_lowercase();
        let is_marked = word.starts_with(MARKS) && word.trim_end_matches([',', ':']).ends_with(MARKS);
        let is_word = is_marked && !bare.is_empty() && !LEAVING.contains(&bare.as_str());
        (is_word || READY.contains(&bare.as_str())).then_some(bare)
    })
}

/// Says whether one of these words is in a line.
fn has(line: &str, list: &[&str]) -> bool {
    words(line).any(|word| list.iter().any(|one| word.eq_ignore_ascii_case(one)))
}

/// Says whether a line orders to show what stands below it, or says what a message ends with.
fn is_shown(order: &str) -> bool {
    let said: Vec<String> = words(order).map(str::to_ascii_lowercase).collect();
    let said: Vec<&str> = said.iter().map(String::as_str).collect();
    let ends = matches!(
        said.as_slice(),
        [
            "end" | "close" | "finish",
            "the" | "your",
            "message" | "reply" | "response",
            "with"
        ]
    );
    ends || has(order, SHOWING)
}

/// Says whether a line orders to write what stands below it somewhere: it says so, or names a file.
fn is_written(order: &str) -> bool {
    let mut codes = order.split('`').skip(1).step_by(2);
    has(order, WRITING) || codes.any(|code| code.contains(['.', '/']))
}

/// Says whether a text holds nothing but sections for a case and the beginning of its last line.
fn only_cases(text: &str) -> bool {
    let last = text.rfind('\n').map_or(0, |end| end + 1);
    let mut is_case = false;
    for line in text[..last].lines().filter(|line| !line.trim().is_empty()) {
        match line.starts_with('#') {
            true => is_case = false,
            false => {
                is_case |= words(line).next().is_some_and(|word| has(word, CASE));
                if !is_case {
                    return false;
                }
            }
        }
    }
    !is_case
}

/// Says whether a line offers a word in quotes to go on with: `- **"next"** — I'll show the rest`.
fn offers_to_go_on(line: &str) -> bool {
    let said = item(line);
    let label = said.and_then(|said| said.strip_prefix("**\"")?.split_once("\"**"));
    label.is_some_and(|(word, _)| READY.contains(&word.to_ascii_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::{is_shown, is_written, offers_to_go_on, only_cases, word_to_say};

    #[test]
    fn a_person_who_is_ready_is_told_what_to_say() {
        for (line, word) in [
            ("When you're ready, say **next** and I'll show the rest.", "next"),
            ("Take your time. Say next when ready.", "next"),
            ("Once you are ready, just type `ship`.", "ship"),
            ("> Ready? Fine. Reply \"go\" when you are ready", "go"),
        ] {
            assert_eq!(word_to_say(line).as_deref(), Some(word), "{line}");
        }
        for line in [
            "When you're ready to make a call, just say so.",
            "I'll say **next** when I am done.",
            "Say **cheese**.",
            "Say hello when ready.",
            "You may say **next** at any time you are ready.",
            "When ready, say what you think of it.",
            "Type `quit` when you are ready to leave.",
        ] {
            assert_eq!(word_to_say(line), None, "{line}");
        }
    }

    #[test]
    fn a_word_in_quotes_is_offered_to_go_on_with() {
        assert!(offers_to_go_on("- **\"next\"** — I'll show how it works"));
        for line in [
            "- **\"dig into [area]\"** — closer",
            "- **Next** — on",
            "**\"next\"**",
            "- \"next\" — on",
        ] {
            assert!(!offers_to_go_on(line), "{line}");
        }
    }

    #[test]
    fn what_is_written_elsewhere_is_shown_to_nobody() {
        for order in ["Show the person:", "End the message with:", "Then say this:"] {
            assert!(is_shown(order) && !is_written(order), "{order}");
        }
        assert!(!is_shown("End the commit message with:"));
        for order in ["Write `mail.md`:", "Send this and say:", "Show `notes/a.md` as:"] {
            assert!(is_written(order), "{order}");
        }
    }

    #[test]
    fn only_sections_for_a_case_stand_between_what_is_shown_and_the_order() {
        for text in [
            "",
            "\n## Next\n\nDefault: ",
            "\n## Early\n\nIf they are done, say so:\n\n- More.\n\n## Next\n\nThen ",
        ] {
            assert!(only_cases(text), "{text}");
        }
        for text in [
            "\nWrite it down.\n\n## Next\n\nThen ",
            "\n## More\n\nDo the work.\n\n## Next\n\n",
            "\n## Early\n\nIf they are done, say so.\n\nThen ",
        ] {
            assert!(!only_cases(text), "{text}");
        }
    }
}
