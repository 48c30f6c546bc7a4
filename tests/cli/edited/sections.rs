//! Sections of a document whose workflow is edited: a text that is written again takes the place of the old one.

use crate::cli::aftermath::process;
use crate::cli::{Ended, folder_with};
use std::fs;
use tempfile::TempDir;

const WORKFLOW: &str = "name: note
description: Writes a note
installed_path: \".\"
instructions: \"{installed_path}/instructions.xml\"
template: \"{installed_path}/template.md\"
default_output_file: \"{project-root}/note.md\"
";
const FLOW: &str = r#"<workflow>
  <step n="1" goal="Begin">
    <action>Compose matter now.</action>
    <template-output>matter</template-output>
    <action>Compose more now.</action>
    <template-output>more</template-output>
    <ask response="q">Go?</ask>
  </step>
</workflow>
"#;
/// Counts its calls in its texts. Where a file `killed` is there it ends the engine in the middle.
const AGENT: &str = r#"what=$(grep -o 'Compose [a-z]*' | head -1)
echo >> "$1/calls"
test -e "$1/killed" && rm "$1/killed" && kill -9 $PPID && exit 1
n=$(wc -l < "$1/calls")
printf '{"instructions":[{"n":1,"status":"done","evidence":[]}],"sections":{"%s":"Text %d."}}' "${what#Compose }" $n
"#;

fn place() -> TempDir {
    let place = folder_with(&[
        ("agent.sh", AGENT),
        ("project/workflow.yaml", WORKFLOW),
        ("project/template.md", "Of {{matter}} here.\n\n{{more}}\n\n## End\n"),
    ]);
    edit(&place, FLOW);
    let folder = place.path().display();
    let agent = format!("command:sh {folder}/agent.sh {folder}");
    let begun = [
        "exec",
        "workflow.yaml",
        "--non-interactive",
        "--yolo",
        "--agent",
        &agent,
    ];
    assert_eq!(process(&place, &begun).code, 3);
    assert_eq!(note(&place), "Of Text 1. here.\n\nText 2.\n\n## End\n");
    place
}

fn edit(place: &TempDir, flow: &str) {
    fs::write(place.path().join("project/instructions.xml"), flow).unwrap();
}

fn resume(place: &TempDir) -> Ended {
    process(place, &["resume", "--non-interactive"])
}

fn note(place: &TempDir) -> String {
    fs::read_to_string(place.path().join("project/note.md")).unwrap()
}

#[test]
fn a_section_that_is_written_again_takes_the_place_of_the_old_text() {
    let place = place();
    edit(&place, &FLOW.replace("more now", "more then"));
    assert_eq!(resume(&place).code, 3);
    assert_eq!(note(&place), "Of Text 1. here.\n\nText 3.\n\n## End\n");
    // What was left behind first is not there any more.
    edit(&place, &FLOW.replace("matter now", "matter then"));
    assert_eq!(resume(&place).code, 3);
    assert_eq!(note(&place), "Of Text 4. here.\n\nText 5.\n\n## End\n");
    edit(&place, FLOW);
    assert_eq!(resume(&place).code, 3);
    assert_eq!(note(&place), "Of Text 6. here.\n\nText 7.\n\n## End\n");
    assert_eq!(process(&place, &["verify"]).code, 0);
}

#[test]
fn a_section_takes_the_place_of_the_old_text_in_a_later_process_too() {
    let place = place();
    edit(&place, &FLOW.replace("matter now", "matter then"));
    fs::write(place.path().join("killed"), "").unwrap();
    assert_eq!(resume(&place).code, 137);
    assert_eq!(note(&place), "Of Text 1. here.\n\nText 2.\n\n## End\n");
    assert_eq!(resume(&place).code, 3);
    assert_eq!(note(&place), "Of Text 4. here.\n\nText 5.\n\n## End\n");
}

#[test]
fn what_a_person_wrote_into_a_section_stays() {
    let place = place();
    let own = note(&place).replace("Text 2.", "My own text.");
    fs::write(place.path().join("project/note.md"), own).unwrap();
    edit(&place, &FLOW.replace("more now", "more then"));
    assert_eq!(resume(&place).code, 3);
    assert_eq!(note(&place), "Of Text 1. here.\n\nMy own text.\n\n## End\n\nText 3.\n");
}

#[test]
fn the_same_words_within_a_line_are_not_the_section_where_a_person_changed_the_document() {
    let place = place();
    let own = "Of Text 1. here.\n\nSee Text 2.\n\nMy own text.\n\n## End\n";
    fs::write(place.path().join("project/note.md"), own).unwrap();
    edit(&place, &FLOW.replace("more now", "more then"));
    assert_eq!(resume(&place).code, 3);
    assert_eq!(note(&place), format!("{own}\nText 3.\n"));
    // Nor are they in a later process.
    let own = note(&place).replace("\nText 3.\n", "\nIt is Text 3.\n");
    fs::write(place.path().join("project/note.md"), &own).unwrap();
    edit(&place, FLOW);
    assert_eq!(resume(&place).code, 3);
    assert_eq!(note(&place), format!("{own}\nText 4.\n"));
}
