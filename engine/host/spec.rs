//! The spec of an agent in, its parts out: read the same way by whoever makes the agent and whoever asks who it would be.

/// What a spec such as `claude-code:opus` or `command:my-agent -p` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spec<'a> {
    /// The kind of agent: what stands before the first `:`.
    pub name: &'a str,
    /// What stands after it.
    pub argument: &'a str,
}

impl<'a> Spec<'a> {
    /// Takes a spec apart.
    pub fn parse(text: &'a str) -> Self {
        let (name, argument) = text.split_once(':').unwrap_or((text, ""));
        Self {
            name: name.trim(),
            argument: argument.trim(),
        }
    }

    /// Returns the file and the inner spec of `record:FILE:AGENT`; the colon of a drive letter is part of the file.
    pub fn recorded(&self) -> Option<(&'a str, &'a str)> {
        let argument = self.argument;
        if self.name != "record" {
            return None;
        }
        let drive = argument.get(1..3).is_some_and(|after| matches!(after, ":\\" | ":/"));
        let from = if drive { 2 } else { 0 };
        let at = from + argument.get(from..)?.find(':')?;
        let (file, spec) = (argument.get(..at)?.trim(), argument.get(at + 1..)?.trim());
        (!file.is_empty() && !spec.is_empty()).then_some((file, spec))
    }

    /// Returns the spec of the agent that does the work: the one that is recorded, where one is.
    pub fn innermost(&self) -> Self {
        let mut spec = *self;
        while let Some((_, inner)) = spec.recorded() {
            spec = Self::parse(inner);
        }
        spec
    }

    /// Returns the name of the table that the argument of a program stands for, where there is one of that name.
    pub fn table(&self) -> Option<String> {
        match self.name {
            "command" => Some(self.argument.to_owned()),
            "acp" => <[String; 1]>::try_from(command_words(self.argument)?)
                .ok()
                .map(|[name]| name),
            _ => None,
        }
    }
}

/// Splits a command line at white space; quotes and backslashes keep words together as they do in a shell.
///
/// Answers nothing where a quote is not closed.
pub fn command_words(line: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut rest = line.chars();
    while let Some(each) = rest.next() {
        match (quote, each) {
            (Some(open), each) if each == open => quote = None,
            (Some('"') | None, '\\') => word.get_or_insert_default().push(rest.next().unwrap_or('\\')),
            (None, '"' | '\'') => {
                quote = Some(each);
                word.get_or_insert_default();
            }
            (None, each) if each.is_whitespace() => found.extend(word.take()),
            (Some(_) | None, each) => word.get_or_insert_default().push(each),
        }
    }
    found.extend(word);
    quote.is_none().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::{Spec, command_words};

    #[test]
    fn white_space_around_the_parts_is_not_a_part() {
        let spec = Spec::parse(" record : t : command : ./a.sh -x ");
        assert_eq!(spec.recorded(), Some(("t", "command : ./a.sh -x")));
        assert_eq!(spec.innermost(), Spec::parse("command:./a.sh -x"));
        assert_eq!(Spec::parse("record:C:/t:acp:a").innermost(), Spec::parse("acp:a"));
        assert_eq!(Spec::parse("command:a:b").recorded(), None);
    }

    #[test]
    fn a_table_is_found_as_it_is_looked_up() {
        let table = |spec: &str| Spec::parse(spec).table();
        assert_eq!(table("command: x:y ").as_deref(), Some("x:y"));
        assert_eq!(table("acp:'o'wn").as_deref(), Some("own"));
        assert_eq!(table("acp:own --flag"), None);
        assert_eq!(table("claude-code:own"), None);
    }

    #[test]
    fn quotes_and_backslashes_keep_words_together() {
        let found = command_words(r#"  sh -c 'echo "$x" \n'  "a b\"c" d\ e '' "#).unwrap();
        assert_eq!(found, ["sh", "-c", r#"echo "$x" \n"#, "a b\"c", "d e", ""]);
    }

    #[test]
    fn a_quote_that_is_not_closed_is_no_command() {
        assert_eq!(command_words("sh -c 'echo"), None);
    }
}
