//! The tracker of the standard library reads back as the findings it was made of, whatever they say.

use super::ours;
use crate::builtins::{Tracker, Unread, Value, read_tracker, run};

const TEMPLATE: &str = include_str!("../../../../stdlib/templates/issue-tracker.md");

/// What a hostile or a careless reviewer may write.
const PIECES: &[&str] = &[
    "<!-- ISSUES_END -->",
    "<!-- ISSUES_START -->",
    "<!-- FIXES_START -->",
    "ISSUES_END",
    "\n",
    "\r\n",
    "\u{2028}",
    "### F-9 · critical · open",
    "## Fix log",
    "- Category: x",
    "| Total | 0 |",
    "{{ tracker.total }}",
    "{% endfor %}",
    "{% raw %}",
    "{# x #}",
    "```",
    "~~~",
    "-->",
    "<script>alert(1)</script>",
    "\\",
    "\\_",
    "`",
    "*",
    " · ",
    "·",
    "\t",
    "\u{0}",
    "\u{1b}[31m",
    "\u{202e}",
    "[x]: y",
    "1. ",
    "> ",
    "---",
    "===",
    "a",
    "Wörter",
    "要件",
    "😀",
    "The retry rule says nothing.",
    " ",
];

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }

    fn text(&mut self, least: usize) -> Value {
        let count = least + self.roll(8);
        Value::Text((0..count).map(|_| PIECES[self.roll(PIECES.len())]).collect())
    }

    fn finding(&mut self, at: usize) -> Value {
        const SEVERITIES: &[&str] = &["critical", "high", "medium", "low"];
        const STATES: &[&str] = &[
            "open",
            "in-progress",
            "regressed",
            "blocked",
            "fixed",
            "dismissed",
            "deferred",
        ];
        let place = super::map(&[
            ("file", self.text(0)),
            ("section", self.text(0)),
            ("quote", self.text(0)),
        ]);
        let fix = super::map(&[
            ("round", Value::Number(1.0)),
            ("state", Value::from("open")),
            ("status", self.text(1)),
            ("description", self.text(0)),
            ("verification", self.text(0)),
        ]);
        super::map(&[
            ("id", Value::Text(format!("F-{at}"))),
            ("severity", Value::from(SEVERITIES[self.roll(4)])),
            ("state", Value::from(STATES[self.roll(7)])),
            // A claim says something: one of white space alone is none.
            ("claim", Value::Text(format!("{}x{}", self.text(0), self.text(0)))),
            ("category", self.text(0)),
            ("place", place),
            ("evidence", Value::List(vec![self.text(0), self.text(0)])),
            ("suggestion", self.text(0)),
            ("reviewers", Value::List(vec![self.text(0)])),
            ("history", Value::List(vec![fix])),
        ])
    }
}

fn rendered(findings: Vec<Value>, aside: Vec<Value>) -> String {
    let given = [("findings", Value::List(findings)), ("set_aside", Value::List(aside))];
    let tracker = run("tracker", &given).unwrap();
    let confidence = super::map(&[("score", Value::Number(90.0))]);
    let names = |name: &str| match name {
        "tracker" => Some(tracker.clone()),
        "confidence" => Some(confidence.clone()),
        _ => None,
    };
    ours(TEMPLATE, &names, &["tracker", "confidence"].map(String::from)).unwrap()
}

fn field(finding: &Value, name: &str) -> String {
    finding.get(name).map(Value::to_string).unwrap_or_default()
}

#[test]
fn a_tracker_reads_back_as_the_findings_it_was_made_of_whatever_they_say() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for _ in 0..300 {
        let count = dice.roll(6);
        let findings: Vec<Value> = (1..=count).map(|at| dice.finding(at)).collect();
        let aside = vec![
            super::map(&[("claim", dice.text(0)), ("why", dice.text(0))]),
            dice.text(0),
        ];
        let text = rendered(findings.clone(), aside);
        let tracker = read_tracker(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let wanted: Vec<[String; 3]> = findings
            .iter()
            .map(|finding| ["id", "severity", "state"].map(|name| field(finding, name)))
            .collect();
        let read: Vec<[String; 3]> = tracker
            .findings
            .iter()
            .map(|listed| {
                [
                    listed.id.to_string(),
                    listed.severity.to_string(),
                    listed.state.to_string(),
                ]
            })
            .collect();
        assert_eq!(read, wanted, "{text}");
        let is_open =
            |finding: &&Value| ["open", "in-progress", "regressed"].contains(&field(finding, "state").as_str());
        assert_eq!(tracker.pending(), findings.iter().filter(is_open).count());
        let letters = |text: &str| {
            text.chars()
                .filter(|letter| letter.is_alphanumeric())
                .collect::<String>()
        };
        for (listed, finding) in tracker.findings.iter().zip(&findings) {
            assert_eq!(letters(&listed.claim), letters(&field(finding, "claim")), "{text}");
        }
    }
}

#[test]
fn an_empty_tracker_has_nothing_pending() {
    let tracker = read_tracker(&rendered(Vec::new(), Vec::new())).unwrap();
    assert_eq!(tracker, Tracker { findings: Vec::new() });
    assert_eq!((tracker.pending(), tracker.blocked()), (0, 0));
}

#[test]
fn a_tracker_that_was_cut_off_is_no_tracker() {
    let finding = super::map(&[("claim", Value::from("c"))]);
    let text = rendered(vec![finding], Vec::new());
    let (before, _) = text.split_once("<!-- ISSUES_END -->").unwrap();
    assert_eq!(read_tracker(before), Err(Unread::NoMarks));
    assert_eq!(read_tracker(&text.replace('\n', "\r\n")).unwrap().pending(), 1);
}
