//! Edits and kills at random: a run ends with what its last version asks for, in its order.

use super::super::aftermath::process;
use super::super::{Ended, folder_with};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use tempfile::TempDir;

/// Notes its calls, and puts what the files hold into one of its own. It counts down to when it ends the engine; what it
/// leaves half done then it notes where it finds it again.
const TOOL: &str = r#"echo "$2" >> "$1/calls"
test -e "half-$2" && echo "$2" >> "$1/halves"
touch "half-$2"
cat a.txt b.txt > "$2.txt"
if test -e "$1/left"; then
  n=$(($(cat "$1/left") - 1)); echo $n > "$1/left"
  test $n -eq 0 && rm "$1/left" && kill -9 "$3" && exit 1
fi
rm "half-$2"
exit 0
"#;
const COMMAND: &str = "FOLDER=$1\nexec sh \"$1/tool.sh\" \"$1\" \"$2\" $PPID\n";
const AGENT: &str = r#"words=$(cat)
case "$words" in
  *"Write "*) what=$(printf '%s' "$words" | grep -o 'Write w[0-9]*' | head -1); sh "$1/tool.sh" "$1" "${what#Write }" $PPID ;;
  *) printf '%s' "$words" | grep -o 'Read r[0-9]*' | head -1 | cut -c6- >> "$1/calls" ;;
esac
echo '{"text":"ok"}'
"#;

/// The numbers of turns that only read in lanes begin here: a lane is known by its place.
const BESIDE: usize = 1000;
/// How many runs are edited.
const RUNS: u64 = 5;

/// Numbers that look random, and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }
}

/// Something that a workflow does.
#[derive(Debug, Clone, PartialEq)]
enum Act {
    Write(&'static str, usize),
    Command(usize),
    Turn(usize),
    Read(usize),
    Ask(usize),
    Show(usize),
    Lanes(Vec<Vec<Act>>),
}

impl Act {
    fn random(dice: &mut Dice, next: &mut usize) -> Self {
        *next += 1;
        match dice.below(9) {
            0 | 1 => Act::Write(["a", "b", "c"][dice.below(3)], *next),
            2 | 3 => Act::Command(*next),
            4 => Act::Turn(*next),
            5 => Act::Read(*next),
            6 => Act::Ask(*next),
            7 => Act::Show(*next),
            _ => Act::Lanes(
                (0..2)
                    .map(|lane| vec![Act::beside(lane, dice, next), Act::beside(lane, dice, next)])
                    .collect(),
            ),
        }
    }

    /// Something that lanes do beside each other without getting in each other's way.
    fn beside(lane: usize, dice: &mut Dice, next: &mut usize) -> Self {
        *next += 1;
        match dice.below(5) {
            // The tool reads it nowhere, and no other lane writes it.
            4 if lane == 0 => Act::Write("c", *next),
            0 => Act::Command(*next),
            1 => Act::Turn(*next),
            2 => Act::Read(BESIDE + *next),
            _ => Act::Ask(*next),
        }
    }

    fn tag(&self, folder: &str, text: &mut String) {
        let written = match self {
            Act::Write(file, n) => write!(text, "<output file=\"{{project-root}}/{file}.txt\">{file}{n}</output>"),
            Act::Command(n) => write!(text, "<run command=\"exec sh {folder}/command.sh {folder} c{n}\"/>"),
            Act::Turn(n) => write!(
                text,
                "<dispatch mode=\"fresh\" access=\"write\">Write w{n}. Answer with text.</dispatch>"
            ),
            Act::Read(n) => write!(
                text,
                "<dispatch mode=\"fresh\" access=\"read\">Read r{n}. Answer with text.</dispatch>"
            ),
            Act::Ask(n) => write!(text, "<ask response=\"q{n}\">Question {n}?</ask>"),
            Act::Show(n) => write!(text, "<output>{n}</output>"),
            Act::Lanes(lanes) => {
                text.push_str("<parallel for=\"lane in 1, 2\">");
                for (at, lane) in lanes.iter().enumerate() {
                    write!(text, "<check if=\"{{lane}} == {}\">", at + 1).unwrap();
                    lane.iter().for_each(|act| act.tag(folder, text));
                    text.push_str("</check>");
                }
                text.push_str("</parallel>");
                Ok(())
            }
        };
        written.unwrap();
    }

    /// Says whether it leaves the world as it is.
    fn is_idle(&self) -> bool {
        matches!(self, Act::Read(_) | Act::Ask(_) | Act::Show(_))
    }

    /// Lists the calls that change something, those of lanes in no order.
    fn calls(&self, all: &mut Vec<BTreeSet<String>>) {
        match self {
            Act::Command(n) => all.push(BTreeSet::from([format!("c{n}")])),
            Act::Turn(n) => all.push(BTreeSet::from([format!("w{n}")])),
            Act::Lanes(lanes) => {
                let mut inside = Vec::new();
                lanes.iter().flatten().for_each(|act| act.calls(&mut inside));
                all.push(inside.into_iter().flatten().collect());
            }
            Act::Write(..) | Act::Read(_) | Act::Ask(_) | Act::Show(_) => {}
        }
    }
}

/// Edits a workflow, and says whether the world is to be changed otherwise.
fn edit(acts: &mut Vec<Act>, dice: &mut Dice, next: &mut usize) -> bool {
    let at = dice.below(acts.len());
    match dice.below(4) {
        0 => acts[at] = Act::random(dice, next),
        1 => {
            acts.insert(at, Act::random(dice, next));
            return !acts[at].is_idle();
        }
        2 if acts.len() > 3 => drop(acts.remove(at)),
        _ => {
            let other = dice.below(acts.len());
            acts.swap(at, other);
        }
    }
    true
}

fn place(acts: &[Act]) -> TempDir {
    let place = folder_with(&[
        ("tool.sh", TOOL),
        ("command.sh", COMMAND),
        ("agent.sh", AGENT),
        ("calls", ""),
    ]);
    fs::create_dir(place.path().join("project")).unwrap();
    put(&place, acts, false);
    place
}

fn put(place: &TempDir, acts: &[Act], answered: bool) {
    let folder = place.path().display().to_string();
    let mut text = "<workflow name=\"R\"><step n=\"1\" goal=\"Go\">".to_owned();
    let begin = [Act::Write("a", 0), Act::Write("b", 0)];
    begin.iter().chain(acts).for_each(|act| act.tag(&folder, &mut text));
    text.push_str("<ask response=\"end\">End?</ask></step></workflow>\n");
    fs::write(place.path().join("project/workflow.xml"), text).unwrap();
    let mut answers: String = (0..200).map(|n| format!("q{n}: yes\n")).collect();
    if answered {
        answers.push_str("end: yes\n");
    }
    fs::write(place.path().join("project/answers.yaml"), answers).unwrap();
    assert_eq!(process(place, &["trust", "workflow.xml", "--yes"]).code, 0);
}

fn go(place: &TempDir, command: &[&str]) -> Ended {
    let rest = ["--non-interactive", "--answers", "answers.yaml", "--fuel", "100000"];
    process(place, &[command, &rest].concat())
}

fn exec(place: &TempDir) -> Ended {
    let folder = place.path().display();
    let agent = format!("command:sh {folder}/agent.sh {folder}");
    go(place, &["exec", "workflow.xml", "--agent", &agent])
}

fn calls(place: &TempDir) -> Vec<String> {
    let calls = fs::read_to_string(place.path().join("calls")).unwrap();
    calls.lines().map(str::to_owned).collect()
}

/// Says what is not as the last version asks for.
fn wrong(place: &TempDir, acts: &[Act], kills: usize) -> Option<String> {
    let fresh = self::place(acts);
    put(&fresh, acts, true);
    let ended = exec(&fresh);
    assert_eq!(ended.code, 0, "{}", ended.errors);
    for entry in fs::read_dir(fresh.path().join("project")).unwrap() {
        let name = entry.unwrap().file_name();
        if name.to_string_lossy().ends_with(".txt") {
            let read = |place: &TempDir| fs::read_to_string(place.path().join("project").join(&name)).ok();
            let (wanted, found) = (read(&fresh), read(place));
            if wanted != found {
                return Some(format!("{name:?} holds {found:?} in place of {wanted:?}"));
            }
        }
    }
    let calls = calls(place);
    let mut wanted = Vec::new();
    acts.iter().for_each(|act| act.calls(&mut wanted));
    let last = |call: &String| calls.iter().rposition(|it| it == call);
    let mut before = None;
    for together in wanted {
        let places: BTreeSet<Option<usize>> = together.iter().map(last).collect();
        if places.contains(&None) || places.first().is_some_and(|first| *first < before) {
            return Some(format!("{together:?} is not behind what comes before it: {calls:?}"));
        }
        before = places.last().copied().flatten().or(before).map_or(before, Some);
    }
    let reads = calls.iter().filter(|call| call.starts_with('r') && call.len() < 5);
    let read: BTreeSet<&String> = reads.collect();
    let twice = read
        .into_iter()
        .find(|one| calls.iter().filter(|it| it == one).count() > 1 + kills);
    twice.map(|call| format!("{call} was paid too often: {calls:?}"))
}

#[test]
fn a_run_ends_with_what_its_last_version_asks_for() {
    for seed in 1..=RUNS {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut next = 0;
        let mut acts: Vec<Act> = (0..6).map(|_| Act::random(&mut dice, &mut next)).collect();
        let place = place(&acts);
        let mut told = vec![format!("{acts:?}")];
        let mut kills = 0;
        assert_eq!(exec(&place).code, 3, "seed {seed}");
        for _ in 0..4 {
            let mut is_as_before = kills == 1 && told.last().is_some_and(|last| last.starts_with("137"));
            if dice.below(4) > 0 {
                is_as_before &= !edit(&mut acts, &mut dice, &mut next);
                put(&place, &acts, false);
                told.push(format!("{acts:?}"));
            }
            if dice.below(2) == 0 {
                fs::write(place.path().join("left"), (1 + dice.below(3)).to_string()).unwrap();
            }
            let resumed = go(&place, &["resume", "--anyway"]);
            kills += usize::from(resumed.code == 137);
            told.push(format!("{} {:?}", resumed.code, calls(&place)));
            assert!(matches!(resumed.code, 3 | 137), "seed {seed}: {}", resumed.errors);
            fs::remove_file(place.path().join("left")).unwrap_or_default();
            let half_done = fs::read_to_string(place.path().join("halves")).unwrap_or_default();
            assert!(
                !is_as_before || half_done.is_empty(),
                "seed {seed}: {half_done}\n{}",
                told.join("\n")
            );
        }
        put(&place, &acts, true);
        let ended = go(&place, &["resume", "--anyway"]);
        assert_eq!(ended.code, 0, "seed {seed}: {}", ended.errors);
        let why = wrong(&place, &acts, kills);
        assert_eq!(why, None, "seed {seed}:\n{}", told.join("\n"));
        let before = calls(&place);
        assert_eq!(go(&place, &["resume", "--anyway"]).code, 0);
        assert_eq!(calls(&place), before, "seed {seed}: what was over is done again");
        let verified = process(&place, &["verify"]);
        assert_eq!(
            verified.code,
            0,
            "seed {seed}: {}\n{}",
            verified.output,
            told.join("\n")
        );
    }
}
