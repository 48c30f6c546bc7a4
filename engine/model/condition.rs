//! stub
use crate::source::Span;
/// stub
#[derive(Debug, Clone, PartialEq)]
pub struct Condition { /// s
 pub span: Span, /// s
 pub text: String, /// s
 pub test: Test }
/// stub
#[derive(Debug, Clone, PartialEq)]
pub enum Test { /// s
 Judged(String), /// s
 Otherwise }
/// stub
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decider { /// s
 Expression, /// s
 Choice, /// s
 Existence, /// s
 Judged }
impl Condition {
 /// s
 pub fn parse(text: &str, span: Span) -> Condition { Condition { span, text: text.into(), test: Test::Judged(text.into()) } }
 /// s
 pub fn from_check_text(text: &str, span: Span) -> Condition { Self::parse(text, span) }
 /// s
 pub fn decider(&self) -> Decider { Decider::Judged }
 /// s
 pub fn names(&self) -> Vec<&str> { Vec::new() }
 /// s
 pub fn suggestion(&self) -> Option<String> { None }
}
