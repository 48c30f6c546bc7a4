use super::{Text, shell_word};
use crate::cli::report::{Checked, Look, Report, Summary, sample};
use crate::diagnostic::{Diagnostic, Severity};
use std::io::{self, Write};

#[test]
fn findings_are_drawn_plain_where_nobody_has_a_terminal() {
    insta::assert_snapshot!(sample::print(Box::new(Text::new(sample::PLAIN))), @r#"
      error dead-goto: no step is labelled `7`
       ,-[./work/flow/instructions.xml:3:11]
     2 |   <step n="1">
       :    ^^^^^|^^^^
       :         `-- the only step
     3 |     <goto step="7"/>
       :           ^^^^^^^^
       `----
      help: name a step that is there, such as `1`

      warning unclosed-tag: `<action>` is never closed: 100% open
       ,-[./work/my notes, größe.md:4:1]
     4 | <action>do it
       : ^^^^^^^^^^^^^
       `----
      note the step that reads it
       ,-[./work/flow/instructions.xml:2:3]
     2 |   <step n="1">
       :   ^^^^^^^^^^^^
       `----
      help: --fix can close the tag

    1 error, 1 warning in 2 files (1 hint not shown; --level hint shows them)

    Start here:
      ./work/flow/instructions.xml:3:11 dead-goto: no step is labelled `7`
        bmad explain dead-goto
      ./work/my notes, größe.md:4:1 unclosed-tag: `<action>` is never closed: 100% open
        bmad lint --fix './work/my notes, größe.md'
    "#);
}

#[test]
fn findings_are_drawn_with_lines_and_colours_on_a_terminal() {
    let look = Look {
        color: true,
        unicode: true,
        wrap: true,
        width: 60,
    };
    let printed = sample::print(Box::new(Text::new(look)));
    insta::assert_snapshot!(printed.replace('\u{1b}', "^"), @r#"
      ^[31merror^[0m ^[1mdead-goto^[0m: no step is labelled `7`
       ╭─[^[36;1;4m./work/flow/instructions.xml:3:11^[0m]
     ^[2m2^[0m │   <step n="1">
       · ^[31m   ─────┬────^[0m
       ·         ^[31m╰── ^[31mthe only step^[0m^[0m
     ^[2m3^[0m │     <goto step="7"/>
       · ^[31m          ────────^[0m
       ╰────
    ^[36m  help: ^[0mname a step that is there, such as `1`

      ^[33mwarning^[0m ^[1munclosed-tag^[0m: `<action>` is never closed: 100%
      ^[33m│^[0m open
       ╭─[^[36;1;4m./work/my notes, größe.md:4:1^[0m]
     ^[2m4^[0m │ <action>do it
       · ^[33m─────────────^[0m
       ╰────
      ^[36mnote^[0m the step that reads it
       ╭─[^[36;1;4m./work/flow/instructions.xml:2:3^[0m]
     ^[2m2^[0m │   <step n="1">
       · ^[36m  ────────────^[0m
       ╰────
    ^[36m  help: ^[0m--fix can close the tag

    ^[1m1 error, 1 warning in 2 files (1 hint not shown; --level hint shows them)^[0m

    Start here:
      ./work/flow/instructions.xml:3:11 dead-goto: no step is labelled `7`
        ^[1mbmad explain dead-goto^[0m
      ./work/my notes, größe.md:4:1 unclosed-tag: `<action>` is never closed: 100% open
        ^[1mbmad lint --fix './work/my notes, größe.md'^[0m
    "#);
}

#[test]
fn a_project_without_findings_takes_one_line() {
    let printed = sample::print_nothing(Box::new(Text::new(sample::PLAIN)));
    insta::assert_snapshot!(printed, @"no findings in 2 files");
}

#[test]
fn a_long_line_is_cut_to_the_width() {
    let text = format!("{}goto{}", "a ".repeat(300), " b".repeat(300));
    let printed = sample::print_text(Box::new(Text::new(sample::PLAIN)), &text, "goto");
    let widest = printed.lines().map(str::len).max().unwrap();
    assert!(widest <= 80, "{printed}");
}

#[test]
fn a_thousand_findings_in_ten_megabytes_print_only_what_they_are_about() {
    let line = format!("{}goto\n", "a".repeat(10_000));
    let text = line.repeat(1000);
    let printed = sample::print_text(Box::new(Text::new(sample::PLAIN)), &text, "goto");
    assert!(printed.len() < 1000 * 400, "{}", printed.len());
    assert_eq!(printed.matches("dead-goto: found\n").count(), 1003);
}

#[test]
fn columns_deep_in_a_line_of_ten_megabytes_are_right() {
    let text = format!("{}goto", "a".repeat(10_000)).repeat(1000);
    let printed = sample::print_text(Box::new(Text::new(sample::PLAIN)), &text, "goto");
    assert!(printed.contains("a.md:1:10003997"));
}

/// Draws findings one after the other.
struct OneByOne(Text);

impl Report for OneByOne {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.0.begin(out)
    }

    fn finding(&mut self, checked: &Checked<'_>, finding: &Diagnostic, out: &mut dyn Write) -> io::Result<()> {
        self.0.finding(checked, finding, out)
    }

    fn finish(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        self.0.finish(summary, out)
    }
}

#[test]
fn findings_drawn_side_by_side_are_those_drawn_one_by_one() {
    let text: String = (0..600).map(|at| format!("line {at}: goto\n")).collect();
    let text_of = |report| sample::print_text(report, &text, "goto");
    let one_by_one = text_of(Box::new(OneByOne(Text::new(sample::PLAIN))));
    assert_eq!(text_of(Box::new(Text::new(sample::PLAIN))), one_by_one);
    let one_by_one = sample::print(Box::new(OneByOne(Text::new(sample::PLAIN))));
    assert_eq!(sample::print(Box::new(Text::new(sample::PLAIN))), one_by_one);
}

#[test]
fn the_end_names_the_worst_of_different_rules_first() {
    let printed = sample::print(Box::new(Text::new(sample::PLAIN)));
    let end = printed.split_once("Start here:").unwrap().1;
    let rules: Vec<&str> = ["dead-goto:", "unclosed-tag:"]
        .into_iter()
        .filter(|rule| end.contains(rule))
        .collect();
    assert_eq!(rules.len(), 2);
    assert!(end.find(rules[0]) < end.find(rules[1]), "{end}");
}

#[test]
fn the_end_names_errors_before_warnings_and_other_rules_before_more_of_one() {
    let rules = [
        ("a", Severity::Warning),
        ("a", Severity::Warning),
        ("a", Severity::Warning),
        ("a", Severity::Warning),
        ("b", Severity::Warning),
        ("c", Severity::Error),
    ];
    let named = |count: usize| {
        let printed = sample::print_rules(Box::new(Text::new(sample::PLAIN)), &rules[..count]);
        let end = printed.split_once("Start here:").unwrap().1.to_owned();
        let lines = end.lines().filter_map(|line| line.trim().strip_prefix("./work/a.md:"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(named(4), ["1:1 a: found", "2:1 a: found", "3:1 a: found"]);
    assert_eq!(named(5), ["1:1 a: found", "5:1 b: found", "2:1 a: found"]);
    assert_eq!(named(6), ["6:1 c: found", "1:1 a: found", "5:1 b: found"]);
}

#[test]
fn paths_in_commands_are_one_word() {
    assert_eq!(shell_word("a/b-c.md"), "a/b-c.md");
    assert_eq!(shell_word("my notes.md"), "'my notes.md'");
    assert_eq!(shell_word("it's"), r"'it'\''s'");
    assert_eq!(shell_word("-x"), "./-x");
}
