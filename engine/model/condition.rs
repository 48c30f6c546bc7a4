//! The text of a condition in, who decides it and how out.
//!
//! Four deciders: an expression over names, the answer to a question, the existence of something, or judgement.
//! Nothing is rejected: what is not one of the first three is prose, in any language, and is judged.

mod atom;
mod choice;
mod existence;
mod grammar;
mod suggestion;
mod token;

#[cfg(test)]
mod tests;

pub(crate) use choice::is_answer;

use crate::source::Span;
use crate::syntax::decode;

/// A condition, who decides it, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// Where it stands.
    pub span: Span,
    /// As written, without the white space around it.
    pub text: String,
    /// What it tests.
    pub test: Test,
}

/// What a condition tests.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// Two values are compared.
    Compare {
        /// The value before the operator.
        left: Operand,
        /// How they are compared.
        operator: Operator,
        /// The value after the operator.
        right: Operand,
    },
    /// A value is one of a list.
    Member {
        /// The value.
        name: Operand,
        /// The list.
        values: Vec<String>,
        /// Whether it must not be in the list.
        negated: bool,
    },
    /// A variable is true.
    Flag(String),
    /// The last answer is one of these keys or labels, in lower case; `enter` is the empty answer.
    Chosen(Vec<String>),
    /// Something is there, or has a value.
    Exists {
        /// The name of a variable, or a path that may hold `{x}`.
        what: String,
        /// What kind of thing it is.
        target: Existing,
        /// Whether it must be there.
        present: bool,
    },
    /// Prose: somebody has to judge it.
    Judged(String),
    /// Whatever the conditions before it left over.
    Otherwise,
    /// The opposite.
    Not(Box<Test>),
    /// All of them hold.
    All(Vec<Test>),
    /// At least one of them holds.
    Any(Vec<Test>),
}

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// The value of a variable, written `x`, `{x}` or `{{x}}`.
    Variable(String),
    /// A bare word after an operator: itself, unless a variable is known by that name.
    Word(String),
    /// Quoted text.
    Text(String),
    /// A number.
    Number(f64),
    /// `true` or `false`.
    Truth(bool),
}

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// The same.
    Equal,
    /// Not the same.
    NotEqual,
    /// The left one is greater.
    Greater,
    /// The left one is not less.
    GreaterOrEqual,
    /// The left one is less.
    Less,
    /// The left one is not greater.
    LessOrEqual,
    /// The left one is in the list the right one holds.
    In,
    /// The left one is not in the list the right one holds.
    NotIn,
}

/// What kind of thing exists or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// A variable in braces, of which `exists` and the like are said: it has a value, or the file it names is there.
    Variable,
    /// A file or folder.
    File,
    /// A value, whatever it looks like: `{x} is provided`, or an input written without braces, such as
    /// `style_guide provided`.
    Named,
}

/// Who decides a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decider {
    /// The engine, from values it holds.
    Expression,
    /// The engine, from the last answer.
    Choice,
    /// The engine, by looking.
    Existence,
    /// An agent or a person.
    Judged,
}

/// Says whether words of prose mean the opposite of those before them.
pub fn is_otherwise(words: &str) -> bool {
    let words = words.trim().trim_end_matches([',', ':']);
    let opposites = ["otherwise", "else", "if not"];
    opposites.iter().any(|other| words.eq_ignore_ascii_case(other))
}

impl Condition {
    /// Takes words that only somebody could judge for an answer, where they are the label of just one of several options.
    pub(super) fn by_label(&mut self, labels: &[&str]) {
        let Test::Judged(text) = &self.test else { return };
        let Some(words) = choice::chosen_words(text) else {
            return;
        };
        let words = words.to_lowercase();
        let labels = labels.iter().map(|label| label.to_lowercase());
        let meant: Vec<String> = labels.filter(|label| label.starts_with(&words)).collect();
        if meant == [words.as_str()] {
            self.test = Test::Chosen(meant);
        }
    }

    /// Reads the text of a condition that stands at `span`.
    pub fn parse(text: &str, span: Span) -> Condition {
        let text = text.trim();
        let compared = match text {
            "true" => "1 == 1",
            "false" => "1 == 0",
            _ => text,
        };
        Condition {
            span,
            text: text.to_owned(),
            test: grammar::read(compared),
        }
    }

    /// Reads words of prose that the engine can decide: values are compared, or a value is there or not, and one of them
    /// is a name in braces. The marks of Markdown around words say nothing: `` `{x}` is **not** set ``.
    pub fn in_prose(words: &str, span: Span) -> Option<Condition> {
        let mut condition = Condition::parse(words, span);
        if words.contains("`{") || words.contains("**") {
            condition.test = grammar::read(&words.trim().replace("**", "").replace("`{", "{").replace("}`", "}"));
        }
        let decides = matches!(
            condition.test,
            Test::Compare { .. }
                | Test::Member { .. }
                | Test::Exists {
                    target: Existing::Named,
                    ..
                }
        );
        (decides && words.contains('{')).then_some(condition)
    }

    /// Reads a check written as text: `If user chooses X:`, `When X → …`, `Otherwise:`.
    pub fn from_check_text(text: &str, span: Span) -> Condition {
        let text = &*decode(text);
        let (start, end) = check_words(text);
        let words = text.get(start..end).unwrap_or(text);
        let span = if text.len() == span.len() {
            span.inner(start, end)
        } else {
            span
        };
        Condition::parse(words, span)
    }

    /// Says who decides it.
    pub fn decider(&self) -> Decider {
        self.test.decider()
    }

    /// Returns the variables it reads, in order and without repetition.
    pub fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        let mut open = vec![&self.test];
        while let Some(test) = open.pop() {
            match test {
                Test::Compare { left, right, .. } => {
                    names.extend([left, right].into_iter().filter_map(Operand::variable))
                }
                Test::Member { name, .. } => names.extend(name.variable()),
                Test::Flag(name) => names.push(name),
                Test::Exists { what, target, .. } => match target {
                    Existing::Variable | Existing::Named => names.push(what),
                    Existing::File => names.extend(token::hole_names(what)),
                },
                Test::Judged(prose) => names.extend(token::hole_names(prose)),
                Test::Chosen(_) | Test::Otherwise => {}
                Test::Not(inner) => open.push(inner),
                Test::All(parts) | Test::Any(parts) => open.extend(parts.iter().rev()),
            }
        }
        let mut seen = std::collections::HashSet::new();
        names.retain(|name| seen.insert(*name));
        names
    }

    /// Returns the expression that would do, for a condition that is judged only because of how it is written.
    pub fn suggestion(&self) -> Option<String> {
        suggestion::suggest(&self.test)
    }
}

impl Test {
    /// Says who decides it: a compound of several kinds is an expression, and judged as soon as a part is.
    pub fn decider(&self) -> Decider {
        match self {
            Test::Compare { .. } | Test::Member { .. } | Test::Flag(_) | Test::Otherwise => Decider::Expression,
            Test::Chosen(_) => Decider::Choice,
            Test::Exists { .. } => Decider::Existence,
            Test::Judged(_) => Decider::Judged,
            Test::Not(inner) => inner.decider(),
            Test::All(parts) | Test::Any(parts) => parts
                .iter()
                .map(Test::decider)
                .reduce(Decider::join)
                .unwrap_or(Decider::Expression),
        }
    }
}

impl Decider {
    fn join(self, other: Decider) -> Decider {
        if self == Decider::Judged || other == Decider::Judged {
            Decider::Judged
        } else if self == other {
            self
        } else {
            Decider::Expression
        }
    }
}

impl Operand {
    fn variable(&self) -> Option<&str> {
        match self {
            Operand::Variable(name) => Some(name),
            Operand::Word(_) | Operand::Text(_) | Operand::Number(_) | Operand::Truth(_) => None,
        }
    }
}

/// Finds the condition in the words of a check: after `If` or `When`, before a colon at the end or an arrow.
fn check_words(text: &str) -> (usize, usize) {
    let mut end = ["→", "->", "=>"]
        .iter()
        .filter_map(|arrow| text.find(arrow))
        .min()
        .unwrap_or(text.len());
    end = text[..end]
        .trim_end()
        .trim_end_matches([':', '：', '.'])
        .trim_end()
        .len();
    let mut start = end - text[..end].trim_start().len();
    for lead in ["else if ", "otherwise if ", "if ", "when ", "check if "] {
        if let Some(head) = text[start..end].get(..lead.len())
            && head.eq_ignore_ascii_case(lead)
        {
            start += lead.len();
            start += text[start..end].len() - text[start..end].trim_start().len();
            break;
        }
    }
    (start, end)
}
