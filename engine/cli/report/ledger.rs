//! Checked projects in, what a person wants to see of them out, and the count of everything.

use crate::cli::Exit;
use crate::cli::report::{Checked, Report};
use crate::diagnostic::{Diagnostic, Severity};
use std::io::{self, Write};

/// How many findings there are of each severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Infos.
    pub infos: usize,
    /// Hints.
    pub hints: usize,
}

impl Counts {
    /// Counts one finding.
    pub fn add(&mut self, severity: Severity) {
        match severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Info => self.infos += 1,
            Severity::Hint => self.hints += 1,
        }
    }

    /// Returns how many there are together.
    pub fn total(&self) -> usize {
        self.errors + self.warnings + self.infos + self.hints
    }

    /// Returns what is here and not in `part`.
    pub fn without(&self, part: &Counts) -> Counts {
        Counts {
            errors: self.errors.saturating_sub(part.errors),
            warnings: self.warnings.saturating_sub(part.warnings),
            infos: self.infos.saturating_sub(part.infos),
            hints: self.hints.saturating_sub(part.hints),
        }
    }

    /// Returns what of it is of a severity or above.
    pub fn at_least(&self, level: Severity) -> Counts {
        let counts = [
            (Severity::Error, self.errors),
            (Severity::Warning, self.warnings),
            (Severity::Info, self.infos),
            (Severity::Hint, self.hints),
        ];
        let [errors, warnings, infos, hints] =
            counts.map(|(severity, count)| if severity >= level { count } else { 0 });
        Counts {
            errors,
            warnings,
            infos,
            hints,
        }
    }

    /// Returns the counts that are not zero, worst first, with their names.
    pub fn named(&self) -> Vec<String> {
        let rows = [
            (self.errors, "error"),
            (self.warnings, "warning"),
            (self.infos, "info"),
            (self.hints, "hint"),
        ];
        rows.into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, name)| plural(count, name))
            .collect()
    }
}

/// What a whole run found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// How many files were checked.
    pub files: usize,
    /// What was found.
    pub found: Counts,
    /// What was shown of it.
    pub shown: Counts,
    /// How many findings were repaired; they are not counted as found.
    pub fixed: usize,
    /// The least severity that was asked for.
    pub level: Severity,
}

impl Summary {
    /// Returns how the run ends: only errors and warnings fail.
    pub fn exit(&self) -> Exit {
        if self.found.errors + self.found.warnings > 0 {
            Exit::Findings
        } else {
            Exit::Clean
        }
    }

    /// Returns the summary as one line of text.
    pub fn line(&self) -> String {
        let wanted = self.found.at_least(self.level);
        let told = match (self.found.total(), wanted.total()) {
            (0, _) => "no findings".to_owned(),
            (_, 0) => "nothing to show".to_owned(),
            (_, _) => wanted.named().join(", "),
        };
        let mut line = format!("{told} in {}", plural(self.files, "file"));
        if self.fixed > 0 {
            line.push_str(&format!(", {} repaired", self.fixed));
        }
        let cut = wanted.without(&self.shown).total();
        let cut = (cut > 0).then(|| format!("{cut} of them"));
        let mut hidden: Vec<String> = cut.into_iter().collect();
        hidden.extend(self.found.without(&wanted).named());
        if let Some((last, rest)) = hidden.split_last() {
            let list = match rest {
                [] => last.clone(),
                rest => format!("{} and {last}", rest.join(", ")),
            };
            line.push_str(&format!(" ({list} not shown; {})", self.remedy()));
        }
        line
    }

    /// Says which option shows what was hidden.
    fn remedy(&self) -> String {
        let hidden = self.found.without(&self.shown);
        let rows = [
            (Severity::Hint, hidden.hints),
            (Severity::Info, hidden.infos),
            (Severity::Warning, hidden.warnings),
            (Severity::Error, hidden.errors),
        ];
        let some = || {
            rows.iter()
                .filter(|(_, count)| *count > 0)
                .map(|(severity, _)| *severity)
        };
        let is_cut = some().any(|severity| severity >= self.level);
        match (some().find(|severity| *severity < self.level), is_cut) {
            (Some(level), false) => format!("--level {} shows them", level.name()),
            (Some(level), true) => format!("a larger --max with --level {} shows them", level.name()),
            (None, _) => "a larger --max shows them".to_owned(),
        }
    }
}

/// Sorts, filters and counts findings on their way to a report.
pub struct Ledger {
    report: Box<dyn Report>,
    max: usize,
    begun: bool,
    summary: Summary,
}

impl Ledger {
    /// Opens a ledger that shows findings of `level` and above, at most `max` of them.
    pub fn new(report: Box<dyn Report>, level: Severity, max: Option<usize>) -> Self {
        Self {
            report,
            max: max.unwrap_or(usize::MAX),
            begun: false,
            summary: Summary {
                files: 0,
                found: Counts::default(),
                shown: Counts::default(),
                fixed: 0,
                level,
            },
        }
    }

    /// Counts the findings of a project and prints those that are wanted, by file and place.
    pub fn project(&mut self, checked: &Checked<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.begin(out)?;
        self.summary.files += checked.files;
        let mut wanted = Vec::new();
        for finding in checked.findings {
            self.summary.found.add(finding.severity);
            if finding.severity >= self.summary.level {
                wanted.push(finding);
            }
        }
        wanted.sort_by_cached_key(|finding| order(checked, finding));
        wanted.truncate(self.max.saturating_sub(self.summary.shown.total()));
        for finding in &wanted {
            self.summary.shown.add(finding.severity);
        }
        self.report.findings(checked, &wanted, out)
    }

    /// Says whether no file was checked.
    pub fn is_empty(&self) -> bool {
        self.summary.files == 0
    }

    /// Notes that findings were repaired and are gone.
    pub fn repaired(&mut self, count: usize) {
        self.summary.fixed += count;
    }

    /// Prints the end of the report and returns what the run found.
    pub fn finish(mut self, out: &mut dyn Write) -> io::Result<Summary> {
        self.begin(out)?;
        self.report.finish(&self.summary, out)?;
        Ok(self.summary)
    }

    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if !self.begun {
            self.begun = true;
            self.report.begin(out)?;
        }
        Ok(())
    }
}

/// Returns what findings are sorted by: the order in which a person reads files.
fn order<'a>(checked: &Checked<'a>, finding: &Diagnostic) -> (&'a str, u32, &'static str, u32) {
    let path = checked.source(finding.span).map_or("", |source| source.path().as_str());
    let span = finding.span;
    (path, span.start, finding.code.0, span.end)
}

fn plural(count: usize, name: &str) -> String {
    match count {
        1 => format!("1 {name}"),
        count => format!("{count} {name}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, Summary};
    use crate::cli::Exit;
    use crate::diagnostic::Severity;

    fn summary(found: [usize; 4], shown: [usize; 4], level: Severity) -> Summary {
        let counts = |[errors, warnings, infos, hints]: [usize; 4]| Counts {
            errors,
            warnings,
            infos,
            hints,
        };
        Summary {
            files: 215,
            found: counts(found),
            shown: counts(shown),
            fixed: 0,
            level,
        }
    }

    #[test]
    fn the_line_says_what_is_hidden_and_how_to_see_it() {
        let summary = summary([3, 12, 39, 120], [3, 12, 0, 0], Severity::Warning);
        assert_eq!(
            summary.line(),
            "3 errors, 12 warnings in 215 files (39 infos and 120 hints not shown; --level hint shows them)"
        );
    }

    #[test]
    fn a_cut_list_names_the_option_that_cut_it() {
        let summary = summary([3, 1, 0, 0], [2, 0, 0, 0], Severity::Warning);
        assert_eq!(
            summary.line(),
            "3 errors, 1 warning in 215 files (2 of them not shown; a larger --max shows them)"
        );
    }

    #[test]
    fn a_list_that_two_options_cut_names_both() {
        let summary = summary([33, 20, 2, 9], [2, 0, 0, 0], Severity::Warning);
        assert_eq!(
            summary.line(),
            "33 errors, 20 warnings in 215 files (51 of them, 2 infos and 9 hints not shown; \
             a larger --max with --level hint shows them)"
        );
    }

    #[test]
    fn a_clean_run_says_so() {
        let clean = summary([0; 4], [0; 4], Severity::Warning);
        assert_eq!(clean.line(), "no findings in 215 files");
        let fixed = Summary { fixed: 2, ..clean };
        assert_eq!(fixed.line(), "no findings in 215 files, 2 repaired");
    }

    #[test]
    fn a_run_with_only_hints_says_where_they_are() {
        let summary = summary([0, 0, 0, 1], [0; 4], Severity::Warning);
        assert_eq!(
            summary.line(),
            "nothing to show in 215 files (1 hint not shown; --level hint shows them)"
        );
    }

    #[test]
    fn only_errors_and_warnings_fail_even_when_hidden() {
        assert_eq!(summary([0, 0, 5, 9], [0; 4], Severity::Hint).exit(), Exit::Clean);
        assert_eq!(summary([0, 1, 0, 0], [0; 4], Severity::Error).exit(), Exit::Findings);
    }
}
