//! TOML with the place of every value. The only door to the TOML parser.

use super::Parsed;
use crate::source::Source;

pub(super) fn read(_source: &Source, _parsed: &mut Parsed) {}
