//! What a skill outside all modules sees: the configuration of its module, and what its users changed.

use super::{project_of, trace, willing};
use bmad::machine::{Effect, Issued, Options};

const SKILL: &str = ".claude/skills/k/SKILL.md";

/// Runs a skill with these words beside some files; returns what its agent is told.
fn told(words: &str, files: &[(&str, &str)]) -> String {
    let skill = format!("---\nname: k\ndescription: d\n---\n\n# K\n\n{words}\n");
    let all = [(SKILL, skill.as_str())].into_iter().chain(files.iter().copied());
    let loaded = project_of(all.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())));
    let mut told = Vec::new();
    let mut rest = willing(&[]);
    trace(&loaded, SKILL, Options::default(), &mut |issued: &Issued| {
        if let Effect::Dispatch(task) = &issued.effect {
            told.extend(task.instructions.iter().map(|order| order.text.clone()));
        }
        rest(issued)
    });
    told.join("\n").replace("# K\n\n", "")
}

const ONE: (&str, &str) = (
    "_bmad/one/config.yaml",
    "place: \"{project-root}/one\"\nonly: mine\ndeep: \"{place}/deep\"\n",
);
const TWO: (&str, &str) = ("_bmad/two/config.yaml", "place: \"{project-root}/two\"\n");
const CORE: (&str, &str) = ("_bmad/core/config.yaml", "user_name: Ann\n");

#[test]
fn the_list_of_skills_says_which_module_configures_one() {
    let list = (
        "_bmad/_config/skill-manifest.csv",
        "canonicalId,name,description,module,path\nk,k,\"It, too\",two,_bmad/two/k/SKILL.md\n",
    );
    assert_eq!(
        told("To {place} for {user_name}.", &[CORE, ONE, TWO, list]),
        "To ./two for Ann."
    );
}

#[test]
fn so_does_the_configuration_that_its_text_names() {
    let words = "Load `{project-root}/_bmad/one/config.yaml`, and write to {place}.";
    assert!(told(words, &[CORE, ONE, TWO]).ends_with("write to ./one."));
}

#[test]
fn a_key_of_only_one_module_is_known_and_one_of_two_is_not() {
    assert_eq!(told("{only} at {place}.", &[CORE, ONE, TWO]), "mine at {place}.");
    let layers = (
        "_bmad/config.toml",
        "[core]\nuser_name = \"Ann\"\n[modules.one]\nplace = \"here\"\n",
    );
    assert_eq!(
        told("{place}", &[("_bmad/_config/manifest.yaml", "a: 1\n"), layers]),
        "here"
    );
}

#[test]
fn lists_of_the_layers_are_joined_and_those_of_the_older_form_are_not() {
    let files = [
        ("_bmad/core/config.yaml", "people: [Ann]\nhome: ./a\n"),
        ("_bmad/config.toml", "[core]\npeople = [\"Ann\"]\nhome = \"./b\"\n"),
        ("_bmad/custom/config.toml", "[core]\npeople = [\"Bob\"]\n"),
        (
            "_bmad/custom/config.user.toml",
            "[core]\npeople = [\"Cay\"]\nhome = \"./c\"\n",
        ),
    ];
    assert_eq!(told("{people} in {home}", &files), "Ann, Bob, Cay in ./c");
}

#[test]
fn what_users_changed_is_put_over_what_stands_next_to_a_skill() {
    let own = "[workflow]\nfacts = [\"A, b.\"]\nsteps = []\ntemplate = \"own.md\"\nend = \"\"\n";
    let files = [
        CORE,
        (".claude/skills/k/customize.toml", own),
        (
            "_bmad/custom/k.toml",
            "[workflow]\ntemplate = \"{project-root}/team.md\"\nfacts = [\"C.\"]\n",
        ),
        ("_bmad/custom/k.user.toml", "[workflow]\nend = \"Bye\"\n"),
    ];
    let words = "{workflow.facts} | {workflow.steps} | {workflow.template} | {workflow.end} | {workflow.other}";
    assert_eq!(
        told(words, &files),
        "(1) A, b.; (2) C. | (none) | ./team.md | Bye | {workflow.other}"
    );
}

#[test]
fn what_a_renderer_would_put_in_is_known_without_one() {
    let words = "To {{.place}} for {{config.core.user_name}}, {{.gone}}, by `[[bmad-snapshot:parts/plan.md]]`.";
    assert_eq!(
        told(words, &[CORE, ONE]),
        "To ./one for Ann, {{.gone}}, by `.claude/skills/k/parts/plan.md`."
    );
    assert_eq!(
        told("Write [[bmad-snapshot: here.", &[]),
        "Write [[bmad-snapshot: here."
    );
}

#[test]
fn a_called_skill_sees_the_configuration_of_its_own_module_and_a_task_of_the_core_that_of_its_caller() {
    let list = (
        "_bmad/_config/skill-manifest.csv",
        "canonicalId,name,description,module,path\nk,k,d,one,_bmad/one/k/SKILL.md\nm,m,d,two,_bmad/two/m/SKILL.md\n",
    );
    let called = (
        ".claude/skills/m/SKILL.md",
        "---\nname: m\ndescription: d\n---\n\nCalled at {place}.\n",
    );
    let task = (
        "_bmad/core/tasks/t.xml",
        "<task id=\"t\" name=\"T\"><flow><step n=\"1\" title=\"A\"><action>Served at {place}.</action></step></flow></task>",
    );
    let words = "Begin at {place}.\n\nInvoke the `m` skill.\n\nRead fully and follow `{project-root}/_bmad/core/tasks/t.xml`.\n\nEnd at {place}.";
    let told = told(words, &[CORE, ONE, TWO, list, called, task]);
    let places: Vec<&str> = told.lines().filter(|line| line.contains(" at ")).collect();
    assert_eq!(
        places,
        [
            "Begin at ./one.",
            "Called at ./two.",
            "Served at ./one.",
            "End at ./one."
        ]
    );
}

#[test]
fn nothing_is_done_for_each_entry_of_an_empty_list() {
    let words = "### Step 1: First

Execute each of these steps in order (`_None._` means skip):

{workflow.steps}

### Step 2: Then

Execute each entry in `{workflow.steps}` in order before proceeding.

### Step 3: Facts

These are facts (`_None._` means none):

{workflow.steps}

All steps are complete. Read one step fully, then follow the next.

### Step 4: Work

Hold {workflow.steps} (`_None._` means none). Write it.";
    let with = |steps: &str| {
        let own = format!("[workflow]\nsteps = {steps}\n");
        told(words, &[CORE, (".claude/skills/k/customize.toml", &own)])
    };
    let work = "### Step 4: Work\n\nHold _None._ (`_None._` means none). Write it.";
    assert_eq!(with("[]"), work);
    let filled = with("[\"Look.\"]");
    assert_eq!(filled.matches("Look.").count(), 4, "{filled}");
    assert_eq!(filled.matches("### Step").count(), 4, "{filled}");
}

#[test]
fn work_beside_an_empty_list_is_done() {
    let words = "### Step 1: First

Execute each entry in `{workflow.steps}` in order.

Then load all the files in order and run each one fully.

### Step 2: Then

Include each of the facts in {workflow.steps} and write a summary.";
    let told = told(
        words,
        &[CORE, (".claude/skills/k/customize.toml", "[workflow]\nsteps = []\n")],
    );
    assert!(
        told.contains("Then load all the files") && told.contains("write a summary"),
        "{told}"
    );
    assert!(!told.contains("Execute each entry"), "{told}");
}

/// What a workflow of module `two` says that reads the configuration of module `one`, too.
fn written_to(head: &str, out: &str) -> String {
    let yaml = format!("name: w\n{head}instructions: \"./i.xml\"\ndefault_output_file: \"{out}\"\n");
    let steps = "<workflow><step n=\"1\" goal=\"g\"><template-output file=\"{default_output_file}\">a</template-output></step></workflow>";
    let files = [
        CORE,
        ONE,
        TWO,
        ("_bmad/two/w/workflow.yaml", yaml.as_str()),
        ("_bmad/two/w/i.xml", steps),
    ];
    let loaded = project_of(files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())));
    let mut seen = Vec::new();
    let mut rest = willing(&["seven"]);
    trace(
        &loaded,
        "_bmad/two/w/workflow.yaml",
        Options::default(),
        &mut |issued: &Issued| {
            match &issued.effect {
                Effect::Write(write) => seen.push(write.path.clone()),
                Effect::Ask(question) if question.text.contains("has no value") => seen.push(question.text.clone()),
                _ => {}
            }
            rest(issued)
        },
    );
    seen.dedup();
    seen.join(" | ")
}

#[test]
fn a_workflow_reads_the_configuration_of_another_module_that_it_names() {
    let other = "other: \"{project-root}/_bmad/one/config.yaml\"\n";
    let place = format!("{other}place: \"{{other}}:place\"\n");
    assert_eq!(written_to(&place, "{place}/a.md"), "one/a.md");
    assert_eq!(written_to(other, "{place}/a.md"), "two/a.md");
    let gone = "config_source: \"{project-root}/_bmad/gone/config.yaml\"\n";
    assert_eq!(written_to(gone, "{place}/a.md"), "two/a.md");
    let source = "config_source: \"{project-root}/_bmad/one/config.yaml\"\n";
    assert_eq!(written_to(source, "{place}/a.md"), "one/a.md");
    assert_eq!(
        written_to(
            "config_source: \"{project-root}/_bmad/two/config.yaml\"\n",
            "{place}/a.md"
        ),
        "two/a.md"
    );
}

#[test]
fn a_name_for_the_configuration_of_its_own_module_reads_that() {
    let both =
        "config_source: \"{project-root}/_bmad/one/config.yaml\"\nown: \"{project-root}/_bmad/two/config.yaml\"\n";
    let place = format!("{both}place: \"{{own}}:place\"\n");
    assert_eq!(written_to(&place, "{place}/a.md"), "two/a.md");
    assert_eq!(written_to(both, "{place}/a.md"), "one/a.md");
}

#[test]
fn what_another_configuration_says_of_its_own_names_is_meant_there() {
    let other = "other: \"{project-root}/_bmad/one/config.yaml\"\ndeep: \"{other}:deep\"\n";
    assert_eq!(written_to(other, "{deep}/a.md"), "one/deep/a.md");
}

#[test]
fn a_path_in_which_a_name_has_no_value_is_never_written_to() {
    let asked = "`story` has no value and is needed for the path of the document. What is it?";
    assert_eq!(
        written_to("", "{place}/{{story}}.md"),
        format!("{asked} | two/seven.md")
    );
}
