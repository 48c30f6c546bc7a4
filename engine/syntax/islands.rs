//! Tags in Markdown, and in XML that is not XML: the tolerant scanner.

use super::Parsed;
use crate::source::Source;

pub(super) fn read(_source: &Source, _parsed: &mut Parsed) {}
