//! Who answers, in which order, and what is said about answers that do not fit.

use super::Chain;
use crate::host::{Human, Wait};
use crate::machine::{Answer, By, Choice, Question};
use crate::os::terminal::{Person, Said};
use crate::policy::{Answers, Policy};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// A person who says one thing after the other.
struct Scripted(Mutex<VecDeque<Said>>);

impl Person for Scripted {
    fn ask(&self, _question: Arc<Question>) -> Wait<'_, Said> {
        let said = self.0.lock().unwrap().pop_front().unwrap_or(Said::Nobody);
        Box::pin(std::future::ready(said))
    }
}

const YOLO: Policy = Policy {
    yolo: true,
    defaults: false,
    first: false,
};

fn go_on() -> Question {
    let choice = |key: &str, label: &str, forward| Choice {
        key: key.to_owned(),
        label: label.to_owned(),
        forward,
        ..Choice::default()
    };
    Question {
        id: "1-ab12".to_owned(),
        text: "Go on?".to_owned(),
        choices: vec![choice("a", "Ask more", false), choice("c", "Continue", true)],
        ..Question::default()
    }
}

fn name() -> Question {
    Question {
        id: "2-cd34".to_owned(),
        text: "Which name?".to_owned(),
        ..Question::default()
    }
}

/// A chain, and what it complained about.
fn chain(file: &str, policy: Policy, said: &[Said]) -> (Chain, Arc<Mutex<Vec<String>>>) {
    let answers = Answers::parse(file, "answers.yaml").unwrap();
    let complaints = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&complaints);
    let complain = Arc::new(move |text| heard.lock().unwrap().push(text));
    let person: Box<dyn Person> = Box::new(Scripted(Mutex::new(said.iter().cloned().collect())));
    (Chain::new(answers, policy, Some(person), complain), complaints)
}

fn ask(chain: &Chain, question: Question) -> Option<Answer> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(chain.ask(Arc::new(question)))
}

fn answer(text: &str, by: By) -> Option<Answer> {
    let text = text.to_owned();
    Some(Answer { text, by })
}

#[test]
fn the_file_answers_first_then_the_policy_then_the_person() {
    let said = [Said::Answer("a".to_owned())];
    let (all, _) = chain("1-ab12: [a]\n", YOLO, &said);
    assert_eq!(ask(&all, go_on()), answer("a", By::File));
    assert_eq!(ask(&all, go_on()), answer("c", By::Policy));
    let (person, _) = chain("", Policy::default(), &said);
    assert_eq!(ask(&person, go_on()), answer("a", By::Terminal));
    assert_eq!(ask(&person, go_on()), None);
}

#[test]
fn whoever_answers_the_same_is_recorded() {
    let sources = [
        chain("1-ab12: Continue\n", Policy::default(), &[]).0,
        chain("", YOLO, &[]).0,
        chain("", Policy::default(), &[Said::Answer("c".to_owned())]).0,
    ];
    let texts: Vec<String> = sources.iter().map(|chain| ask(chain, go_on()).unwrap().text).collect();
    assert_eq!(texts, ["c", "c", "c"]);
}

#[test]
fn without_a_person_nobody_answers() {
    let chain = Chain::new(Answers::default(), Policy::default(), None, Arc::new(|_| ()));
    assert_eq!(ask(&chain, name()), None);
    assert!(!chain.interrupted());
}

#[test]
fn an_answer_of_the_file_that_does_not_fit_is_named_and_asked_of_nobody_else() {
    let (chain, complaints) = chain("\n1-ab12: x\n", YOLO, &[Said::Answer("c".to_owned())]);
    assert_eq!(ask(&chain, go_on()), None);
    assert_eq!(
        *complaints.lock().unwrap(),
        [
            "answers.yaml:2: the answer to `1-ab12` does not fit: `x` is none of a, c; write `a` (Ask more) or `c` (Continue)"
        ]
    );
}

#[test]
fn a_file_that_is_used_up_leaves_the_rest_to_the_others() {
    let (chain, complaints) = chain(
        "2-cd34: [milk]\n",
        Policy::default(),
        &[Said::Answer("bread".to_owned())],
    );
    assert_eq!(ask(&chain, name()), answer("milk", By::File));
    assert_eq!(ask(&chain, name()), answer("bread", By::Terminal));
    assert!(complaints.lock().unwrap().is_empty());
}

#[test]
fn a_replayed_question_uses_its_place_in_the_file() {
    let (chain, _) = chain("2-cd34: [milk, bread]\n", Policy::default(), &[]);
    chain.replayed(&name());
    assert_eq!(ask(&chain, name()), answer("bread", By::File));
}

#[test]
fn a_person_who_stops_the_run_is_asked_nothing_more() {
    let said = [Said::Interrupted, Said::Answer("milk".to_owned())];
    let (chain, _) = chain("", Policy::default(), &said);
    assert_eq!(ask(&chain, name()), None);
    assert!(chain.interrupted());
    assert_eq!(ask(&chain, name()), None);
}

#[test]
fn a_person_who_is_not_there_does_not_stop_the_run() {
    let (chain, _) = chain("", Policy::default(), &[Said::Nobody]);
    assert_eq!(ask(&chain, name()), None);
    assert!(!chain.interrupted());
}

#[test]
fn open_questions_become_a_file_that_answers_them() {
    let (first, _) = chain("2-cd34: milk\n", Policy::default(), &[]);
    assert_eq!(ask(&first, name()), answer("milk", By::File));
    assert_eq!(ask(&first, name()), None);
    let filled = first.blank(&[name()]).trim_end().to_owned() + " bread\n";
    let (second, _) = chain(&filled, Policy::default(), &[]);
    second.replayed(&name());
    assert_eq!(ask(&second, name()), answer("bread", By::File));
    assert_eq!(second.unused(), []);
}

#[test]
fn keys_of_the_file_that_nothing_asked_for_are_listed() {
    let (chain, _) = chain("name: x\n", Policy::default(), &[]);
    assert_eq!(ask(&chain, name()), None);
    assert_eq!(chain.unused(), [("answers.yaml".to_owned(), 1, "name".to_owned())]);
}
