//! Options whose names the workflow leaves open: the agent named them in what it said last.

use super::question::Choice;
use super::walk::Walk;
use crate::model::offered;

impl Walk<'_, '_> {
    /// Gives options that are called `[Method Name]` the names that the agent gave them.
    pub(super) fn named(&self, mut choices: Vec<Choice>) -> Vec<Choice> {
        name(&mut choices, self.lane.said.last().map_or("", String::as_str));
        choices
    }
}

/// Takes the names of options that are left open from a text that lists them by their keys; what it does not list has none.
fn name(choices: &mut [Choice], said: &str) {
    for choice in choices.iter_mut().filter(|choice| is_open(&choice.label)) {
        let listed = said.lines().filter_map(|line| offered(line.trim()));
        let mut options = listed.flat_map(|(_, options)| options);
        let own = options.find(|option| option.key == choice.key && !option.label.is_empty());
        choice.label = own
            .map(|option| option.label)
            .filter(|label| !is_open(label))
            .unwrap_or_default();
    }
}

/// Says whether a name is nothing but a place for one: `[Method Name]`.
fn is_open(label: &str) -> bool {
    let inside = label.trim().strip_prefix('[').and_then(|label| label.strip_suffix(']'));
    inside.is_some_and(|inside| inside.len() > 2 && !inside.contains(['[', ']']))
}

#[cfg(test)]
mod tests {
    use super::name;
    use crate::machine::question::Choice;

    #[test]
    fn an_option_without_a_name_gets_the_one_that_the_agent_gave_it() {
        let labels = ["[Method Name]", "[Method Name]", "Go on"];
        let mut choices: Vec<Choice> = ["1", "2", "x"]
            .iter()
            .zip(labels)
            .map(|(key, label)| Choice::plain(key, label))
            .collect();
        name(&mut choices, "Choose one:\n\n1. First Principles\nx. Leave\n");
        let named: Vec<&str> = choices.iter().map(|choice| choice.label.as_str()).collect();
        assert_eq!(named, ["First Principles", "", "Go on"]);
    }
}
