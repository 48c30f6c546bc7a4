//! Values read from YAML and TOML, each with its place.

use crate::source::{Source, Span};

/// The most values that are kept of one file.
pub(super) const MAX_VALUES: usize = 200_000;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// Where the value stands; for quoted text the place inside the quotes is `Node::inner`.
    pub span: Span,
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A number, as written.
    Number(String),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A map, in the order it is written.
    Map(Vec<Pair>),
}

/// One entry of a map.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub node: Node,
}

impl Node {
    /// Finds the value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.pairs().iter().find(|pair| pair.key == key).map(|pair| &pair.node)
    }

    /// Returns the entries of a map; nothing for anything else.
    pub fn pairs(&self) -> &[Pair] {
        match &self.value {
            Value::Map(pairs) => pairs,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => &[],
        }
    }

    /// Returns the items of a list; nothing for anything else.
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_) => &[],
        }
    }

    /// Returns the text of a text or number.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) | Value::Number(text) => Some(text),
            Value::Null | Value::Bool(_) | Value::List(_) | Value::Map(_) => None,
        }
    }
    /// Returns where the text itself stands: inside its quotes where it has them, as `span` otherwise.
    pub fn inner(&self, source: &Source) -> Span {
        let Value::Text(text) = &self.value else {
            return self.span;
        };
        let written = source.slice(self.span);
        if !written.starts_with(['"', '\'']) {
            return self.span;
        }
        let length = if is_plainly_quoted(written, text) {
            1
        } else {
            quote_length(written, text)
        };
        self.span.inner(length, written.len() - length)
    }
}

/// Says whether a text stands between two quotes as it is, as most do.
fn is_plainly_quoted(written: &str, text: &str) -> bool {
    match written.as_bytes() {
        [quote, inside @ .., last] => quote == last && inside == text.as_bytes() && inside.first() != Some(quote),
        _ => false,
    }
}

/// Returns how long the quotes are that a text is written in; none where the quote it starts with is its own.
fn quote_length(written: &str, text: &str) -> usize {
    // Text that stands on lines of its own may start with a quote without being quoted by it.
    let first = written.lines().next().unwrap_or("").trim_end();
    if first.len() > 1 && text.trim_start().starts_with(first) {
        return 0;
    }
    let quotes = ["\"\"\"", "'''", "\"", "'"];
    let quote = quotes.into_iter().find(|quote| {
        let closed = written.starts_with(quote) && written.ends_with(quote);
        // In YAML three quotes are one quote and a doubled one, which the text then starts with.
        let doubled = quote.len() > 1 && quote.starts_with(text.get(..1).unwrap_or(" "));
        closed && !doubled && written.len() >= 2 * quote.len()
    });
    quote.map_or(0, str::len)
}

#[cfg(test)]
mod tests {
    use super::{is_plainly_quoted, quote_length};
    use crate::source::{Dice, ProjectPath, Source, SourceId};
    use crate::syntax::{Format, parse};

    fn inner(format: Format, text: &str) -> String {
        let source = Source::new(SourceId(0), ProjectPath::root(), text);
        let parsed = parse(&source, format);
        let node = parsed.data.as_ref().and_then(|data| data.get("a")).unwrap();
        source.slice(node.inner(&source)).to_owned()
    }

    #[test]
    fn inside_the_quotes_is_the_text() {
        assert_eq!(inner(Format::Yaml, "a: '{x}/it''s'  # why\n"), "{x}/it''s");
        assert_eq!(inner(Format::Yaml, "a: \"{x}\"\n"), "{x}");
        assert_eq!(inner(Format::Toml, "a = '''{x}'''\n"), "{x}");
    }

    #[test]
    fn a_plain_text_is_its_own_inside() {
        assert_eq!(inner(Format::Yaml, "a: it's {x}\n"), "it's {x}");
    }

    #[test]
    fn a_block_that_starts_and_ends_with_a_quote_is_not_quoted() {
        assert_eq!(inner(Format::Yaml, "a: |\n  \"x\" and \"y\"\n"), "\"x\" and \"y\"");
    }

    #[test]
    fn an_empty_quoted_text_has_an_empty_inside() {
        assert_eq!(inner(Format::Yaml, "a: ''\n"), "");
        assert_eq!(inner(Format::Toml, "a = \"\"\"\"\"\"\n"), "");
    }

    #[test]
    fn doubled_quotes_are_part_of_the_text() {
        assert_eq!(inner(Format::Yaml, "a: ''''''\n"), "''''");
    }

    #[test]
    fn a_text_that_is_plainly_quoted_stands_in_one_quote() {
        let (mut dice, mut plain) = (Dice(13), 0);
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..dice.roll(6) {
                text.push_str(dice.pick(&["\"", "'", "a", " ", "{x}"]));
            }
            let quote = dice.pick(&["\"", "'"]);
            let written = format!("{quote}{text}{quote}");
            if is_plainly_quoted(&written, &text) {
                assert_eq!(quote_length(&written, &text), 1, "{written}");
                plain += 1;
            }
        }
        assert!(plain > 1_000, "{plain}");
    }
}
