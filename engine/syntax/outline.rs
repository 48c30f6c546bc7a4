//! Trees in, short text out, for tests: `step n=1 { action { "words" } }`.

use super::{Child, FaultKind, Format, Parsed, parse};
use crate::source::{ProjectPath, Source, SourceId, Span};

/// Makes a source of text alone.
pub(super) fn source(text: &str) -> Source {
    Source::new(SourceId(0), ProjectPath::root(), text)
}

/// Reads Markdown and writes its tree down.
pub(super) fn markdown(text: &str) -> String {
    let source = source(text);
    outline(&source, &parse(&source, Format::Markdown).tree)
}

/// Reads XML and writes its tree down.
pub(super) fn xml(text: &str) -> String {
    let source = source(text);
    outline(&source, &parse(&source, Format::Xml).tree)
}

/// Reads text and writes its faults down: kind, detail, the text under the span and related place.
pub(super) fn faults(text: &str, format: Format) -> Vec<String> {
    let source = source(text);
    let describe = |fault: &super::Fault| {
        let related = fault.related.map_or(String::new(), |span| match source.slice(span) {
            "" => format!(" until byte {}", span.start),
            close => format!(" until {close}"),
        });
        format!("{:?} {}{related}", fault.kind, source.slice(fault.span))
    };
    parse(&source, format).faults.iter().map(describe).collect()
}

/// Writes a tree down; text that is only white space is left out.
pub(super) fn outline(source: &Source, children: &[Child]) -> String {
    let mut parts = Vec::new();
    for child in children {
        match child {
            Child::Text(span) => {
                let text = source.slice(*span).trim();
                if !text.is_empty() {
                    parts.push(format!("{text:?}"));
                }
            }
            Child::Element(element) => {
                let mut part = element.tag.name().to_owned();
                for attribute in &element.attributes {
                    part.push_str(&format!(" {}={}", attribute.name, attribute.value));
                }
                let inside = outline(source, &element.children);
                if !inside.is_empty() {
                    part.push_str(&format!(" {{ {inside} }}"));
                }
                parts.push(part);
            }
        }
    }
    parts.join(" ")
}

/// Fails unless every byte is in the tree exactly once, or is one that is left out.
pub(super) fn assert_whole(source: &Source, parsed: &Parsed) {
    let mut pieces = Vec::new();
    collect(&parsed.tree, &mut pieces);
    pieces.extend(parsed.comments.iter().map(|span| (span.start - 4, span.end + 3)));
    let dropped = |kind| matches!(kind, FaultKind::StrayClose | FaultKind::EntityDefinition);
    let faults = parsed.faults.iter().filter(|fault| dropped(fault.kind));
    pieces.extend(faults.map(|fault| (fault.span.start, fault.span.end)));
    pieces.sort_unstable();
    pieces.push((source.text().len() as u32, u32::MAX));
    let mut at = 0;
    for (start, end) in pieces {
        assert!(at <= start, "byte {start} is in the tree twice: {:?}", source.text());
        let gap = &source.text()[at as usize..start as usize];
        let left_out = ["<?", "<![CDATA[", "]]>", "\u{feff}"];
        let is_left_out = gap.is_empty() || left_out.iter().any(|mark| gap.starts_with(mark));
        assert!(is_left_out, "{gap:?} is not in the tree of {:?}", source.text());
        at = end;
    }
}

fn collect(children: &[Child], pieces: &mut Vec<(u32, u32)>) {
    for child in children {
        let own = |span: Span| (span.start, span.end);
        match child {
            Child::Text(span) => {
                assert!(!span.is_empty(), "an empty text");
                pieces.push(own(*span));
            }
            Child::Element(element) => {
                pieces.push(own(element.open));
                pieces.extend(element.close.map(own));
                let inside = element.inside();
                let is_inside = element.children.iter().all(|child| inside.contains(child.span()));
                assert!(is_inside, "a child outside of `{}`", element.tag.name());
                collect(&element.children, pieces);
            }
        }
    }
}
