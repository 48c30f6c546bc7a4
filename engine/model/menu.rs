//! stub
use crate::source::{Source, Span};
use crate::syntax::Markdown;
/// s
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Menu { /// s
 pub span: Span, /// s
 pub options: Vec<MenuOption>, /// s
 pub style: MenuStyle, /// s
 pub stops: bool }
/// s
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MenuOption { /// s
 pub key: String, /// s
 pub label: String, /// s
 pub span: Span }
/// s
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MenuStyle { /// s
 Bracketed, /// s
 Numbered, /// s
 Slashed, /// s
 Labelled }
/// s
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handled { /// s
 pub keys: Vec<String>, /// s
 pub span: Span, /// s
 pub body: Span, /// s
 pub redisplays: bool, /// s
 pub any_other: bool }
/// s
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Menus { /// s
 pub menus: Vec<Menu>, /// s
 pub handlers: Vec<Handled> }
/// s
pub fn options(_text: &str, _span: Span) -> Vec<MenuOption> { Vec::new() }
/// s
pub fn read(_source: &Source, _markdown: &Markdown) -> Menus { Menus::default() }
/// s
pub fn handles(_h: &Handled, _o: &MenuOption) -> bool { false }
