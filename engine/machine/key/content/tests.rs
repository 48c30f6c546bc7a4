//! What the content of an effect is, and what is none of it.

use super::{Content, LONG};
use crate::machine::{Checkpoint, Digests, Effect, Task};
use serde::Serialize as _;

fn turn(prompt: &str, goal: &str) -> Effect {
    Effect::Dispatch(Box::new(Task {
        prompt: prompt.to_owned(),
        goal: goal.to_owned(),
        ..Task::default()
    }))
}

#[test]
fn every_kind_of_effect_has_content() {
    let claims = vec![crate::machine::Claim::File {
        path: "a".to_owned(),
        sha256: None,
        instruction: None,
    }];
    let write = crate::machine::Write {
        path: "a".to_owned(),
        how: crate::machine::How::Section {
            name: "b".to_owned(),
            previous: None,
        },
        text: "c".to_owned(),
    };
    let effects = [
        turn("a", "b"),
        Effect::Ask(Box::default()),
        Effect::Verify { claims },
        Effect::Write(Box::new(write)),
        Effect::Run {
            command: "make".to_owned(),
            timeout: 600,
        },
        Effect::Now,
    ];
    for effect in effects {
        assert!(
            effect
                .serialize(&mut Content::new(Digests::default(), &mut Vec::new()))
                .is_ok(),
            "{effect:?}"
        );
    }
}

fn digest(effect: &Effect) -> String {
    crate::machine::digest(effect, Digests::default()).to_string()
}

#[test]
fn where_one_text_ends_and_the_next_begins_is_part_of_the_content() {
    assert_ne!(digest(&turn("ab", "c")), digest(&turn("a", "bc")));
}

#[test]
fn a_text_counts_to_its_last_byte_however_long_it_is() {
    for length in [5000, LONG - 1, LONG, 5 * LONG] {
        let long = "x".repeat(length);
        assert_eq!(digest(&turn(&long, "")), digest(&turn(&long, "")));
        assert_ne!(digest(&turn(&long, "")), digest(&turn(&format!("{long}y"), "")));
        assert_ne!(
            digest(&turn(&format!("{long}z"), "")),
            digest(&turn(&format!("{long}y"), ""))
        );
        assert_ne!(digest(&turn(&long, "")), digest(&turn("", &long)));
    }
}

#[test]
fn on_which_line_something_stands_is_no_part_of_the_content() {
    let turn = |place: &str| {
        let order = crate::machine::Order {
            place: place.to_owned(),
            ..Default::default()
        };
        Effect::Dispatch(Box::new(Task {
            instructions: vec![order],
            ..Task::default()
        }))
    };
    let question = |place: &str| {
        Effect::Ask(Box::new(crate::machine::Question {
            place: place.to_owned(),
            ..Default::default()
        }))
    };
    let with = |effect: &Effect, form: u32| crate::machine::digest(effect, Digests::of(form));
    for make in [&turn as &dyn Fn(&str) -> Effect, &question] {
        let (one, other) = (make("a.xml:1"), make("a.xml:2"));
        assert_eq!(with(&one, 6), with(&other, 6));
        assert_ne!(with(&one, 5), with(&other, 5));
    }
}

/// The digests of the older form are those that a journal of that form has.
#[test]
fn the_digests_of_every_form_stay_what_they_are() {
    let checkpoint = Effect::Checkpoint(Box::new(Checkpoint {
        workflow: "Measured".to_owned(),
        step: Some("1".to_owned()),
        goal: "Work".to_owned(),
        depth: 0,
        callers: Vec::new(),
        unvalidated: Vec::new(),
        artefacts: Vec::new(),
        document: None,
        done: Default::default(),
    }));
    let all = [2, 4, 5, 6]
        .map(Digests::of)
        .map(|digests| [&Effect::Now, &checkpoint].map(|effect| crate::machine::digest(effect, digests).to_string()));
    assert_eq!(
        all,
        [
            ["cf4dd7b2bc5b4fa6139d363ffbb1963e", "2c2af60d58ffcea4f1d1aba52a80dc4f"],
            ["f9c37fcc7edb23d1211b9bbc6f6f7123", "35652911291070f93e5fe61455c70fbe"],
            ["378b815a43e94057b569a1fb7c828ada", "50c5ca95f0184d0579119610bce63b4a"],
            ["378b815a43e94057b569a1fb7c828ada", "50c5ca95f0184d0579119610bce63b4a"],
        ]
    );
}
