//! stub
use crate::source::Span;
/// stub
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lift { /// s
 pub span: Span, /// s
 pub kind: LiftKind }
/// s
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb { /// s
 Jump }
/// stub
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LiftKind {
 /// s
 Goto { /// s
  label: String, /// s
  label_span: Span, /// s
  verb: Verb },
 /// s
 Halt { /// s
  reason: String }, /// s
 Exit, /// s
 Return, 
 /// s
 Set { /// s
  name: String, /// s
  value: String, /// s
  value_span: Span }, 
 /// s
 Store { /// s
  name: String }, 
 /// s
 Follow { /// s
  target: String, /// s
  target_span: Span }, 
 /// s
 Skill { /// s
  name: String }, /// s
 Ask, /// s
 Wait }
/// s
pub fn lifts(_text: &str, _span: Span) -> Vec<Lift> { Vec::new() }
