//! A question that offers keys in, whether its workflow goes by these keys alone out.
//!
//! Where it does, an answer that fits none of them would run no branch. Where it does not, free words may be just what
//! the question is for, and nobody should have to type a key instead.

use super::{Image, Op, Pc};
use crate::model::{Ask, Condition, MenuOption, Operand, Operator, Test};
use crate::syntax::holes;

/// How a question says that other words than its keys are welcome.
const INVITES: &[&str] = &[
    "or tell",
    "or type",
    "or describe",
    "or enter",
    "or say",
    "or write",
    "or give",
    "your own",
    "something else",
    "anything else",
    "feedback",
    "specify",
];

/// What a test says about an answer.
enum Says {
    /// Which of the keys it is.
    Keys(Vec<String>),
    /// Something that keys do not answer.
    Other,
    /// Nothing.
    Nothing,
}

impl Image<'_> {
    /// Says whether the rest of the step only asks which of its keys a question was answered with.
    pub(in crate::machine) fn goes_by_keys(&self, workflow: usize, at: Pc, ask: &Ask) -> bool {
        let text = self.slice(ask.text).to_lowercase();
        if ask.options.len() < 2 || INVITES.iter().any(|words| text.contains(words)) {
            return false;
        }
        let mut tested = vec![false; ask.options.len()];
        let mut guarded = at;
        let mut told = false;
        for (at, op) in self.code(workflow).ops.iter().enumerate().skip(at + 1) {
            match op {
                Op::Enter(_) | Op::Leave(_) | Op::Exit | Op::End => break,
                Op::Ask(_) | Op::Menu(..) if ask.into.is_none() => break,
                Op::Test(test, whole, _) => match says(test, whole, ask) {
                    Says::Keys(words) => words.iter().for_each(|word| note(word, ask, &mut tested)),
                    Says::Other => return false,
                    Says::Nothing => {}
                },
                // The opposite of a key, or whatever is left over: any words will do.
                Op::Not | Op::WhenMarked(..) | Op::Judge(_) | Op::Decide(_) => return false,
                op if self.shows(op, ask) => return false,
                Op::Unless(to) => guarded = guarded.max(*to),
                // The agent is told the answer, whatever it is.
                Op::Turn(_) => told |= at >= guarded,
                _ => {}
            }
        }
        let is_tested = |tested: &bool| *tested;
        tested.iter().any(is_tested) && (!told || tested.iter().all(is_tested))
    }

    /// Says whether an operation makes use of an answer as text.
    fn shows(&self, op: &Op<'_>, ask: &Ask) -> bool {
        let texts: Vec<&str> = match op {
            Op::Turn(turn) => turn.orders.iter().map(|order| self.slice(*order)).collect(),
            Op::Show { text, .. } => vec![self.slice(*text)],
            Op::Set(_, value, _) => vec![&value.text],
            Op::SetProse(_, value, _) => vec![value],
            Op::Invoke(invoke, _) => invoke.params.iter().map(|param| param.value.text.as_str()).collect(),
            Op::Dispatch(dispatch) => {
                let params = dispatch.params.iter().map(|param| param.value.text.as_str());
                params.chain([self.slice(dispatch.text)]).collect()
            }
            Op::Return(value, params) => {
                let params = params.iter().map(|param| param.value.text.as_str());
                params.chain(value.map(|value| value.text.as_str())).collect()
            }
            _ => Vec::new(),
        };
        texts.iter().any(|text| names(text, ask))
    }
}

fn says(test: &Test, whole: &Condition, ask: &Ask) -> Says {
    let is_it = |operand: &Operand| match (operand, &ask.into) {
        (Operand::Variable(name) | Operand::Word(name), Some(into)) => *name == into.text,
        _ => false,
    };
    let keys = |words: &[String], is_key: fn(&MenuOption, &str) -> bool| {
        let is_known = |word: &String| ask.options.iter().any(|option| is_key(option, word));
        match words.iter().all(is_known) {
            true => Says::Keys(words.to_vec()),
            false => Says::Other,
        }
    };
    match test {
        Test::Compare { left, operator, right } if is_it(left) => match (operator, right) {
            (Operator::Equal, Operand::Text(word) | Operand::Word(word)) => keys(std::slice::from_ref(word), has_key),
            (Operator::Equal, Operand::Number(number)) => keys(&[number.to_string()], has_key),
            _ => Says::Other,
        },
        Test::Member { name, values, negated } if is_it(name) => match negated {
            true => Says::Other,
            false => keys(values, has_key),
        },
        Test::Chosen(words) if names(&whole.text, ask) => keys(words, has_key),
        // Nothing is named: the last answer is meant, by its key or by what it is called.
        Test::Chosen(words) if holes(&whole.text, whole.span).is_empty() => keys(words, MenuOption::is_meant_by),
        Test::Chosen(_) => Says::Nothing,
        Test::Judged(_) => Says::Other,
        _ if names(&whole.text, ask) => Says::Other,
        _ => Says::Nothing,
    }
}

/// Notes the option that a word of a test means.
fn note(word: &str, ask: &Ask, tested: &mut [bool]) {
    for (option, tested) in ask.options.iter().zip(tested) {
        *tested |= option.is_meant_by(word);
    }
}

/// Says whether a text has a hole for the answer.
fn names(text: &str, ask: &Ask) -> bool {
    let Some(into) = &ask.into else { return false };
    holes(text, into.span).iter().any(|hole| hole.name == into.text)
}

/// Says whether an option has a word as its key.
fn has_key(option: &MenuOption, word: &str) -> bool {
    option.key.to_lowercase() == word.trim().to_lowercase()
}
