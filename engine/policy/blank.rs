//! Open questions in, an answers file to fill out.

use super::answers::{Answers, Waiting};
use super::fill::block;
use crate::machine::Question;
use crate::machine::escape::yaml_scalar;
use std::fmt::Write as _;

const HEAD: &str = "\
# Answers. Write each one after its colon: the key of an option, or text.
# What is left empty stays open. Text of several lines starts with | and stands below it, indented.
";

/// What stands in a place of a list that the run has an answer for.
pub(super) const KNOWN: &str = "# answered before, leave it empty";

/// Writes an answers file for questions that were not asked before.
pub fn blank(open: &[Question]) -> String {
    Answers::default().blank(open)
}

impl Answers {
    /// Writes an answers file for open questions; a question that was answered before keeps its places in the list.
    ///
    /// The questions that are open now have been counted by `take`.
    pub fn blank(&self, open: &[Question]) -> String {
        let mut text = HEAD.to_owned();
        for (at, question) in open.iter().enumerate() {
            let key = question.key();
            if open[..at].iter().any(|other| other.key() == key) {
                continue;
            }
            let times = open.iter().filter(|other| other.key() == key).count();
            let before = self.asked(question).saturating_sub(times);
            text.push('\n');
            describe(&mut text, question);
            entry(&mut text, &key, before, times);
        }
        text
    }
}

/// What stands above answers that wait for their question.
const AHEAD: &str = "\n# Answered before it was asked\n";

impl Answers {
    /// Writes an answers file that takes the place of another. Answers there that wait for their question are kept, as
    /// they are written where that can be read.
    pub fn renewed(&self, path: &str, text: &str, open: &[Question]) -> String {
        let blank = self.blank(open);
        let is_open = |key: &str| open.iter().any(|question| question.key() == key);
        let waiting: Vec<Waiting<'_>> = self.waiting(path).filter(|each| !is_open(each.key)).collect();
        if waiting.is_empty() {
            return blank;
        }
        let lines: Vec<&str> = text.lines().collect();
        let has_own_lines = waiting.windows(2).all(|pair| pair[0].line < pair[1].line);
        let as_written = has_own_lines.then(|| waiting.iter().map(|each| block(&lines, each.line)).collect());
        let as_written = as_written.map(|blocks: String| format!("{blank}{AHEAD}{blocks}"));
        as_written
            .filter(|whole| keeps(whole, path, &waiting))
            .unwrap_or_else(|| {
                let entries: String = waiting.iter().map(answered).collect();
                format!("{blank}{AHEAD}{entries}")
            })
    }
}

/// Says whether a file can be read and gives these answers.
fn keeps(text: &str, path: &str, waiting: &[Waiting<'_>]) -> bool {
    let Ok(read) = Answers::parse(text, path) else {
        return false;
    };
    let same = read.waiting(path).map(|each| (each.key, each.given));
    same.eq(waiting.iter().map(|each| (each.key, each.given.clone())))
}

/// Writes a key with its answers.
fn answered(waiting: &Waiting<'_>) -> String {
    let key = key(waiting.key);
    match waiting.given.as_slice() {
        [Some(only)] => format!("{key}: {}\n", yaml_scalar(only)),
        several => {
            let item = |given: &Option<&str>| format!("  - {}\n", given.map(yaml_scalar).unwrap_or_default());
            format!("{key}:\n{}", several.iter().map(item).collect::<String>())
        }
    }
}

/// Writes a question as a comment.
fn describe(text: &mut String, question: &Question) {
    for line in question.text.trim().lines() {
        comment(text, "# ", line);
    }
    let mut place = match question.step.as_str() {
        "" => question.workflow.clone(),
        step => format!("step {step} of {}", question.workflow),
    };
    if !question.place.is_empty() {
        let separator = if place.is_empty() { "" } else { ", " };
        place = format!("{place}{separator}{}", question.place);
    }
    comment(text, "#   ", &place);
    if let Some(lane) = question.lane() {
        comment(text, "#   ", &lane);
    }
    if let Some(name) = &question.name {
        comment(text, "#   its name: ", name);
    }
    for choice in &question.choices {
        let mark = if choice.default { "  (default)" } else { "" };
        comment(text, "#   ", &format!("{}: {}{mark}", choice.key, choice.label));
    }
    if let Some(exact) = &question.confirm {
        comment(text, "#   exactly these words: ", exact);
    } else if question.open && !question.choices.is_empty() {
        comment(text, "#   ", "or anything else, in your own words");
    }
}

/// Writes one line of comment. What would end the line, or cannot be seen, becomes a blank.
fn comment(text: &mut String, mark: &str, words: &str) {
    let hidden = |at: char| at.is_control() || matches!(at, '\u{2028}' | '\u{2029}' | '\u{feff}');
    let words: String = words.chars().map(|at| if hidden(at) { ' ' } else { at }).collect();
    text.push_str(format!("{mark}{words}").trim_end());
    text.push('\n');
}

fn key(id: &str) -> String {
    let plain = |at: char| at.is_ascii_alphanumeric() || matches!(at, '_' | '-' | '.' | '@');
    let starts = |at: char| at.is_ascii_alphanumeric() || at == '_';
    match id.starts_with(starts) && id.chars().all(plain) {
        true => id.to_owned(),
        false => serde_json::Value::from(id).to_string(),
    }
}

fn entry(text: &mut String, id: &str, before: usize, times: usize) {
    let key = key(id);
    // Writing into a text cannot fail.
    let written = if before == 0 && times == 1 {
        writeln!(text, "{key}: ")
    } else {
        let known = format!("  - {KNOWN}\n").repeat(before);
        writeln!(text, "{key}:\n{known}{}", "  - \n".repeat(times).trim_end_matches('\n'))
    };
    debug_assert!(written.is_ok());
}

#[cfg(test)]
mod tests {
    use super::blank;
    use crate::machine::{Choice, Question};
    use crate::policy::Answers;

    fn free(id: &str) -> Question {
        Question {
            id: id.to_owned(),
            text: "What shall I remember?".to_owned(),
            workflow: "reminder".to_owned(),
            step: "1".to_owned(),
            place: "workflow.xml:3".to_owned(),
            ..Question::default()
        }
    }

    fn menu(id: &str) -> Question {
        let choice = |key: &str, label: &str, default| Choice {
            key: key.to_owned(),
            label: label.to_owned(),
            default,
            ..Choice::default()
        };
        Question {
            text: "When?\nToday is Friday.".to_owned(),
            name: Some("when".to_owned()),
            choices: vec![choice("t", "Today", false), choice("l", "Later: not now", true)],
            ..free(id)
        }
    }

    fn texts(answers: &mut Answers, question: &Question, times: usize) -> Vec<Option<String>> {
        let mut taken = || answers.take(question).map(|given| given.text);
        (0..times).map(|_| taken()).collect()
    }

    #[test]
    fn a_blank_file_says_what_is_asked_where_and_what_may_be_said() {
        insta::assert_snapshot!(blank(&[free("1-ab12"), menu("1-cd34")]), @r"
        # Answers. Write each one after its colon: the key of an option, or text.
        # What is left empty stays open. Text of several lines starts with | and stands below it, indented.

        # What shall I remember?
        #   step 1 of reminder, workflow.xml:3
        1-ab12: 

        # When?
        # Today is Friday.
        #   step 1 of reminder, workflow.xml:3
        #   its name: when
        #   t: Today
        #   l: Later: not now  (default)
        1-cd34:
        ");
    }

    #[test]
    fn a_blank_file_that_is_filled_answers() {
        let filled = blank(&[free("1-ab12"), menu("1-cd34")])
            .replace("1-ab12: ", "1-ab12: |\n  milk\n  and bread")
            .replace("1-cd34: ", "1-cd34: t");
        let mut answers = Answers::parse(&filled, "answers.yaml").unwrap();
        assert_eq!(
            texts(&mut answers, &free("1-ab12"), 1),
            [Some("milk\nand bread\n".to_owned())]
        );
        assert_eq!(texts(&mut answers, &menu("1-cd34"), 1), [Some("t".to_owned())]);
    }

    #[test]
    fn a_blank_file_that_is_half_filled_answers_half() {
        let filled = blank(&[free("1-ab12"), menu("1-cd34")]).replace("1-cd34: ", "1-cd34: t");
        let mut answers = Answers::parse(&filled, "answers.yaml").unwrap();
        assert_eq!(texts(&mut answers, &free("1-ab12"), 1), [None]);
        assert_eq!(texts(&mut answers, &menu("1-cd34"), 1), [Some("t".to_owned())]);
    }

    #[test]
    fn ids_of_any_kind_survive_the_file() {
        for id in [
            "-1-ab",
            "0.5-ab",
            "FINAL-ab",
            "a: b #c-ab",
            "schritt \"ü\"-ab",
            "~",
            "true",
            "[x]",
            "- a",
        ] {
            let filled = blank(&[free(id)]).trim_end().to_owned() + " milk\n";
            let mut answers = Answers::parse(&filled, "answers.yaml").unwrap();
            assert_eq!(texts(&mut answers, &free(id), 1), [Some("milk".to_owned())], "{id}");
        }
    }

    #[test]
    fn text_of_a_question_cannot_break_out_of_its_comment() {
        let question = Question {
            text: "one\r\ntwo\rx: y\u{2028}z: w\u{85}v: u\u{0}\u{1b}[31m".to_owned(),
            ..free("1-ab12")
        };
        let answers = Answers::parse(&blank(&[question]), "answers.yaml").unwrap();
        let unused: Vec<_> = answers.unused().iter().map(|each| (each.key, each.line)).collect();
        assert_eq!(unused, [("1-ab12", 7)]);
    }

    #[test]
    fn a_question_that_was_answered_before_keeps_its_places() {
        let mut before = Answers::parse("1-ab12: [milk, bread]\n", "answers.yaml").unwrap();
        assert_eq!(texts(&mut before, &free("1-ab12"), 3)[2], None);
        let filled = before.blank(&[free("1-ab12")]).trim_end().to_owned() + " eggs\n";
        let mut resumed = Answers::parse(&filled, "answers.yaml").unwrap();
        resumed.skip(&free("1-ab12"));
        resumed.skip(&free("1-ab12"));
        assert_eq!(
            texts(&mut resumed, &free("1-ab12"), 2),
            [Some("eggs".to_owned()), None],
            "{filled}"
        );
    }

    #[test]
    fn a_question_that_is_open_twice_has_two_places() {
        let open = blank(&[free("1-ab12"), free("1-ab12")]);
        let filled = open.replacen("  - \n", "  - milk\n", 1);
        let mut answers = Answers::parse(&filled, "answers.yaml").unwrap();
        assert_eq!(
            texts(&mut answers, &free("1-ab12"), 2),
            [Some("milk".to_owned()), None],
            "{filled}"
        );
    }

    #[test]
    fn answers_that_wait_are_kept_however_they_are_written() {
        for text in [
            r#"{"1-ab12": "one", "s t": "three: \u00e4\n", "n": ["7", null, "true"]}"#,
            "{\"1-ab12\": \"one\",\n \"s t\": \"three: ä\\n\",\n \"n\": [7, null, true]}\n",
            "# b\n1-ab12: one\n\"s t\": |\n  three: ä\nn: [\n7, null,\ntrue]\n",
        ] {
            let mut answers = Answers::parse(text, "answers.yaml").unwrap();
            assert_eq!(texts(&mut answers, &free("1-ab12"), 1), [Some("one".to_owned())]);
            let open = [free("1-cd34")];
            assert_eq!(answers.take(&open[0]), None);
            let whole = answers.renewed("answers.yaml", text, &open);
            let mut read = Answers::parse(&whole, "answers.yaml").unwrap();
            assert!(whole.contains("\n1-cd34: \n"), "{whole}");
            assert_eq!(
                texts(&mut read, &free("s t"), 1),
                [Some("three: ä\n".to_owned())],
                "{whole}"
            );
            let list = [Some("7".to_owned()), None, Some("true".to_owned())];
            assert_eq!(texts(&mut read, &free("n"), 3), list, "{whole}");
        }
    }

    #[test]
    fn words_that_have_to_be_typed_are_shown() {
        let question = Question {
            confirm: Some("SKIP VALIDATION".to_owned()),
            ..free("1-ab12")
        };
        assert!(blank(&[question]).contains("#   exactly these words: SKIP VALIDATION\n"));
    }
}
