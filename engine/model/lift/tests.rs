//! What prose says, by example.

mod assign;
mod case;
mod follow;
mod jump;
mod passed;
mod stop;
mod text;

use super::{Lift, LiftKind, lifts, says_nothing};
use crate::source::{Dice, SourceId, Span};

const OFFSET: usize = 1000;

fn read(text: &str) -> Vec<Lift> {
    lifts(text, Span::new(SourceId(2), OFFSET, OFFSET + text.len()))
}

/// Makes a text of some pieces.
fn random(dice: &mut Dice, pieces: &[&str]) -> String {
    let mut text = String::new();
    for _ in 0..=dice.roll(24) {
        text.push_str(dice.pick(pieces));
        text.push_str(if dice.roll(5) > 0 { " " } else { "" });
    }
    text
}

fn slice(text: &str, span: Span) -> &str {
    &text[span.start as usize - OFFSET..span.end as usize - OFFSET]
}

/// Says in short what was lifted, and checks that every place holds what it should.
fn said(text: &str) -> Vec<String> {
    let short = |lift: &Lift| match &lift.kind {
        LiftKind::Goto { label, label_span, .. } => {
            assert_eq!(slice(text, *label_span), label);
            format!("goto {label}")
        }
        LiftKind::Section { label, .. } => format!("section {label}"),
        LiftKind::Halt { reason } => format!("halt {reason}").trim_end().to_owned(),
        LiftKind::Exit => "exit".into(),
        LiftKind::Return => "return".into(),
        LiftKind::Set {
            name,
            value,
            value_span,
        } => {
            let written = slice(text, *value_span);
            let is_nothing = value.is_empty() && says_nothing(written);
            assert!(written == value || is_nothing, "{written}");
            format!("set {name} = {value}")
        }
        LiftKind::Store { name } => format!("store {name}"),
        LiftKind::Follow { target, target_span } => {
            assert_eq!(slice(text, *target_span), target);
            format!("follow {target}")
        }
        LiftKind::Skill { name } => format!("skill {name}"),
        LiftKind::Ask => "ask".into(),
        LiftKind::Wait => "wait".into(),
    };
    read(text).iter().map(short).collect()
}

fn words(text: &str) -> Vec<&str> {
    read(text).iter().map(|lift| slice(text, lift.span)).collect()
}

fn conditions(text: &str) -> Vec<Option<&str>> {
    read(text)
        .iter()
        .map(|lift| lift.condition.map(|span| slice(text, span)))
        .collect()
}

fn nothing_in(texts: &[&str]) {
    for text in texts {
        assert!(read(text).is_empty(), "`{text}` says {:?}", said(text));
    }
}
