//! s
use crate::source::Span;
/// s
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row { /// s
 pub cells: Vec<Cell> }
/// s
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell { /// s
 pub text: String, /// s
 pub span: Span }
