//! A person in a real terminal: a run of six steps with menus, an interrupt and a resume, typed into tmux.

use crate::kill::has_tools;
use bmad::host::Line;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a text is waited for.
const PATIENCE: Duration = Duration::from_secs(20);

const PROGRAM: &str = env!("CARGO_BIN_EXE_bmad");
/// What stands below a question that waits for an answer.
const HINT: &str = "Ctrl-C to stop";

const WORKFLOW: &str = r#"<workflow name="Walk">
  <step n="1" goal="Name it">
    <ask response="name">What is the walk called?</ask>
  </step>
  <step n="2" goal="Choose the season">
    <menu name="season" text="Which season?" into="season">
      <option key="s" label="Spring"/>
      <option key="u" label="Summer"/>
      <option key="a" label="Autumn"/>
    </menu>
  </step>
  <step n="3" goal="Choose the length">
    <menu name="length" text="How long?" into="length">
      <option key="s" label="Short"/>
      <option key="m" label="Middling"/>
      <option key="l" label="Long"/>
    </menu>
  </step>
  <step n="4" goal="Look at the map">
    <menu name="map" text="Go on with this map?" into="map">
      <option key="h" label="Show a hint" again="true">
        <output>The hint: turn left at the mill.</output>
      </option>
      <option key="c" label="Continue"/>
    </menu>
  </step>
  <step n="5" goal="Say why">
    <ask response="reason">Why this walk?</ask>
    <output file="{project-root}/walk.md">{name}: {season}, {length}, {map}. {reason}</output>
  </step>
  <step n="6" goal="Agree">
    <menu name="agree" text="Is it right?" into="agree">
      <option key="y" label="Yes"/>
      <option key="n" label="No"/>
    </menu>
    <output>Agreed: {agree}.</output>
  </step>
</workflow>
"#;

/// A terminal with a shell in it.
struct Tmux {
    folder: TempDir,
    socket: String,
}

impl Tmux {
    fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let tmux = Self {
            socket: folder.path().join("tmux").display().to_string(),
            folder,
        };
        std::fs::create_dir_all(tmux.project()).unwrap();
        std::fs::write(tmux.project().join("workflow.xml"), WORKFLOW).unwrap();
        let shell = "env -i PATH=\"$PATH\" HOME=/nowhere LANG=C.UTF-8 TERM=\"$TERM\" PS1='> ' sh";
        tmux.call(&["-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "60", shell]);
        tmux.enter(&format!("cd {}", tmux.project().display()));
        tmux
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn call(&self, words: &[&str]) -> String {
        let output = Command::new("tmux").args(["-S", &self.socket]).args(words).output();
        let output = output.unwrap();
        assert!(
            output.status.success(),
            "{words:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    /// Presses keys by their names.
    fn press(&self, keys: &[&str]) {
        self.call(&[&["send-keys"], keys].concat());
    }

    /// Types a text and Enter.
    fn enter(&self, text: &str) {
        self.call(&["send-keys", "-l", text]);
        self.press(&["Enter"]);
    }

    fn screen(&self) -> String {
        self.call(&["capture-pane", "-p"])
    }

    /// Waits until the screen holds a text so many times.
    fn wait_for(&self, text: &str, times: usize) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if screen.matches(text).count() >= times {
                return screen;
            }
            assert!(
                start.elapsed() < PATIENCE,
                "`{text}` is not there {times} times:\n{screen}"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        // A server that is gone already needs no end.
        let ended = Command::new("tmux").args(["-S", &self.socket, "kill-server"]).output();
        assert!(ended.is_ok());
    }
}

#[test]
fn a_person_walks_through_six_steps_stops_in_the_middle_and_goes_on() {
    if !has_tools(&["tmux"]) {
        return;
    }
    let tmux = Tmux::open();
    tmux.enter(&format!("{PROGRAM} exec workflow.xml --state-dir ../state"));
    first_half(&tmux);
    tmux.press(&["C-c"]);
    tmux.wait_for("stopped; everything so far is kept", 1);
    tmux.wait_for("bmad resume ", 1);
    tmux.enter("echo code=$?");
    tmux.wait_for("code=130", 1);
    assert!(!tmux.project().join("walk.md").exists());

    tmux.enter(&format!("clear; {PROGRAM} resume --state-dir ../state"));
    second_half(&tmux);
    assert_eq!(
        std::fs::read_to_string(tmux.project().join("walk.md")).unwrap(),
        "The old mill: a, m, c. Because of the view: \"wide\", {free}.\n"
    );
    assert_eq!(ends(&tmux), ["interrupted", "completed"]);
}

fn first_half(tmux: &Tmux) {
    tmux.wait_for("What is the walk called?", 1);
    tmux.wait_for(HINT, 1);
    tmux.enter("The old mill");

    // By its key, after a look at where the run stands.
    tmux.wait_for("[a] Autumn", 1);
    tmux.press(&["?"]);
    tmux.wait_for("Choose the season", 2);
    tmux.press(&["a"]);
    tmux.wait_for("› [a] Autumn", 1);
    tmux.press(&["Enter"]);

    // By arrows.
    tmux.wait_for("[m] Middling", 1);
    tmux.press(&["Down"]);
    tmux.wait_for("› [s] Short", 1);
    tmux.press(&["Down"]);
    tmux.wait_for("› [m] Middling", 1);
    tmux.press(&["Enter"]);

    // An option that shows the menu again.
    tmux.wait_for("Go on with this map?", 1);
    tmux.wait_for("[c] Continue", 1);
    tmux.enter("h");
    tmux.wait_for("The hint: turn left at the mill.", 1);
    tmux.wait_for("Go on with this map?", 2);
    tmux.wait_for("[c] Continue", 1);
}

fn second_half(tmux: &Tmux) {
    tmux.wait_for("[c] Continue", 1);
    let screen = tmux.screen();
    assert!(
        !screen.contains("Which season?") && !screen.contains("The hint"),
        "{screen}"
    );
    tmux.enter("c");
    tmux.wait_for("Why this walk?", 1);
    tmux.wait_for(HINT, 1);
    tmux.enter("Because of the view: \"wide\", {free}.");
    tmux.wait_for("Is it right?", 1);
    tmux.wait_for("[y] Yes", 1);
    tmux.enter("y");
    tmux.wait_for("Agreed: y.", 1);
    tmux.wait_for("completed: 6 steps", 1);
}

/// Returns how the run stopped each time, in its journal.
fn ends(tmux: &Tmux) -> Vec<String> {
    let projects = tmux.folder.path().join("state/projects");
    let first = |folder: PathBuf| std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    let journal = first(first(projects).join("runs")).join("journal.jsonl");
    let lines = bmad::os::journal::read(&journal)
        .unwrap()
        .map(|kept| kept.unwrap().line);
    let how = |line| match line {
        Line::Stopped { how, .. } => Some(how),
        _ => None,
    };
    lines.filter_map(how).collect()
}

#[test]
fn while_an_agent_works_the_last_line_says_for_how_long() {
    if !has_tools(&["tmux"]) {
        return;
    }
    let tmux = Tmux::open();
    let workflow = r#"<workflow name="Slow"><step n="1" goal="Wait">
      <dispatch mode="fresh" access="read" into="r">Say when.</dispatch><output>It said {r.text}.</output>
    </step></workflow>"#;
    std::fs::write(tmux.project().join("slow.xml"), workflow).unwrap();
    // It is done when somebody says so, outside of the project: a turn that only reads leaves it as it is.
    let agent = "cat > /dev/null\nwhile [ ! -e ../when ]; do sleep 0.05; done\necho '{\"text\": \"now\"}'\n";
    std::fs::write(tmux.project().join("agent.sh"), agent).unwrap();
    tmux.enter(&format!(
        "clear; {PROGRAM} exec slow.xml --state-dir ../state --agent 'command:sh agent.sh'"
    ));
    tmux.wait_for("agent at work · 2 s · 0 turns done", 1);
    std::fs::write(tmux.project().join("../when"), "").unwrap();
    tmux.wait_for("It said now.", 1);
    let screen = tmux.wait_for("completed: 1 step, 1 turn", 1);
    assert!(!screen.contains("at work"), "{screen}");
}
