//! Values as no agent should write them, and every built-in answers all the same.

use super::{BUILTINS, Value, run};

/// Names that mean something.
const NAMES: &str = "id claim severity state place file section quote evidence history votes round findings agent status \
    finding holds because old new anchor path text shares changed refused blocked unanswered said command ok why report \
    reviewers fixes";

/// Values that do not; one between two bars.
const TEXTS: &str = "| |F-1|F-0|f-99999999999|high|BLOCKER|open|fixed|FIXED|BLOCKED|true|no|# A|A|It is fast.|../x|/etc/passwd\
    |C:\\x|a.md|a.md:1|[1, {|[[]]|\u{0}|ä\u{202e}ö|not no never without|99.9 % of 10,000 s|`|\"|...|…a…|un|''|FR-1|a::b_C()\
    |complete|{\"findings\": 7}|- - -|\u{feff}|<!-- ISSUES_END -->";

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap()
    }

    fn pick<'a>(&mut self, from: &'a str, between: char) -> &'a str {
        let all: Vec<&str> = from.split(between).map(str::trim_end).collect();
        all[self.roll(all.len())]
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.roll(if depth == 0 { 5 } else { 8 }) {
            0 => Value::Nothing,
            1 => Value::Bool(self.roll(2) == 0),
            2 => Value::Number([0.0, -1.0, 1e300, f64::NAN, f64::INFINITY, 0.5, 3.0][self.roll(7)]),
            3 | 4 => Value::from(self.pick(TEXTS, '|')),
            5 => Value::List((0..self.roll(4)).map(|_| self.value(depth - 1)).collect()),
            _ => {
                let count = self.roll(6);
                let entry = |dice: &mut Self| (dice.pick(NAMES, ' ').to_owned(), dice.value(depth - 1));
                Value::Map((0..count).map(|_| entry(self)).collect())
            }
        }
    }
}

#[test]
fn no_value_makes_a_builtin_panic_and_every_answer_can_be_written() {
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    for _ in 0..400 {
        for builtin in BUILTINS {
            let parameters = builtin.parameters.iter();
            let given: Vec<(&str, Value)> = parameters.map(|parameter| (parameter.name, dice.value(4))).collect();
            if let Ok(answer) = run(builtin.name, &given) {
                serde_json::to_string(&answer).unwrap();
            }
        }
    }
}

#[test]
fn findings_stay_findings_whatever_agents_say_about_them() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let content = Value::from("# A\n\nIt is fast.\n");
    let real = Value::of([("claim", Value::from("It is vague")), ("section", Value::from("A"))]);
    for _ in 0..150 {
        let found = (0..8).map(|_| dice.value(4)).chain([real.clone()]).collect();
        let given = [
            ("found", Value::List(found)),
            ("content", content.clone()),
            ("round", Value::Number(1.0)),
        ];
        let merged = run("merge-findings", &given).unwrap();
        let findings = merged.get("findings").unwrap().clone();
        let shares = run("assign-fixers", &[("findings", findings.clone())]).unwrap();
        let shared = shares.get("findings").unwrap().clone();
        let given = [
            ("findings", shared.clone()),
            ("fixes", dice.value(4)),
            ("before", dice.value(2)),
            ("after", dice.value(2)),
        ];
        let claims = run("check-fixes", &given).unwrap();
        let given = [("findings", shared), ("claims", claims), ("verdicts", dice.value(4))];
        let recorded = run("record-fixes", &given).unwrap();
        let id = |finding: &Value| finding.get("id").unwrap().to_string();
        let ids = |value: &Value| -> Vec<String> { value.items().iter().map(id).collect() };
        assert!(!ids(&findings).is_empty());
        assert_eq!(ids(recorded.get("findings").unwrap()), ids(&findings));
    }
}
