//! What a person says about rules, out of the words of a command line.

use clap::{ArgMatches, FromArgMatches};

/// What the person said about rules, in the order they said it: the last word on a rule counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::cli) struct Verdicts(pub(in crate::cli) Vec<(Verdict, String)>);

/// What becomes of a rule's findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Verdict {
    /// They are errors.
    Deny,
    /// They are warnings.
    Warn,
    /// They are not there.
    Allow,
}

impl Verdict {
    const ALL: [(Verdict, &'static str, &'static str); 3] = [
        (
            Verdict::Deny,
            "deny",
            "Make the findings of a rule errors; `all` means every rule",
        ),
        (
            Verdict::Warn,
            "warn",
            "Make the findings of a rule warnings; `all` means every rule",
        ),
        (
            Verdict::Allow,
            "allow",
            "Drop the findings of a rule; `all` means every rule",
        ),
    ];
}

impl clap::Args for Verdicts {
    fn augment_args(command: clap::Command) -> clap::Command {
        let arg = |(_, name, help): (Verdict, &'static str, &'static str)| {
            clap::Arg::new(name)
                .long(name)
                .help(help)
                .value_name("RULE")
                .value_delimiter(',')
                .action(clap::ArgAction::Append)
        };
        command.args(Verdict::ALL.map(arg))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Verdicts {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut verdicts = Self::default();
        verdicts.update_from_arg_matches(matches)?;
        Ok(verdicts)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let mut said = Vec::new();
        for (verdict, name, _) in Verdict::ALL {
            let places = matches.indices_of(name).into_iter().flatten();
            let rules = matches.get_many::<String>(name).into_iter().flatten();
            said.extend(places.zip(rules.map(|rule| (verdict, rule.clone()))));
        }
        said.sort_by_key(|(place, _)| *place);
        self.0 = said.into_iter().map(|(_, verdict)| verdict).collect();
        Ok(())
    }
}
