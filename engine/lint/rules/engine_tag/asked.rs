//! The fields that the text of a dispatch asks for: none may have a name that a reply has already.

use crate::lint::Findings;
use crate::machine::{RESERVED, fields};
use crate::source::Source;
use crate::syntax::{Child, Element, Tag};

/// Finds the names in what an agent is to answer with that mean something else in a reply.
pub(super) fn check(source: &Source, element: &Element, findings: &mut Findings) {
    if element.tag != Tag::Dispatch {
        return;
    }
    let texts = element.children.iter().filter_map(|child| match child {
        Child::Text(span) => Some(*span),
        Child::Element(_) => None,
    });
    for span in texts {
        let text = source.slice(span);
        for name in fields(text).iter().filter(|name| RESERVED.contains(&name.as_str())) {
            let Some(at) = text.rfind(name.as_str()) else { continue };
            let place = span.inner(at, at + name.len());
            let message = match name.as_str() {
                "status" => "`status` of a reply says whether its agent failed; what the agent answers there is lost",
                "agent" => "`agent` of a reply says whose it is; what the agent answers there is lost",
                _ => "a reply has a part of this name for the engine; what the agent answers there is lost",
            };
            findings.add(place, message).help =
                Some("ask for it under another name, such as `verdict` or `paths`".to_owned());
        }
    }
}
