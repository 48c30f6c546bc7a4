//! What lint says to do about a finding.

use super::{bmad_in, folder_with};

/// Lints some files; answers what is said about them, one finding a line.
fn told(files: &[(&str, &str)]) -> String {
    let project = folder_with(files);
    bmad_in(project.path(), &["lint", "--format", "github", "."]).output
}

/// Says that a finding says something, and what is not said.
#[track_caller]
fn says(told: &str, said: &[&str], not: &[&str]) {
    for text in said {
        assert!(told.contains(text), "not said: {text}\n{told}");
    }
    for text in not {
        assert!(!told.contains(text), "said: {text}\n{told}");
    }
}

#[test]
fn a_misspelt_key_of_a_skill_is_told_with_the_one_that_is_meant() {
    let told = told(&[("s/SKILL.md", "---\nname: s\ndescripton: S\n---\n\nGo.\n")]);
    says(
        &told,
        &["the skill has no `description`", "did you mean the key `description`?"],
        &[],
    );
}

#[test]
fn a_skill_is_called_like_its_folder_where_that_is_a_name_for_one() {
    let skill = "---\nname: pear\ndescription: P\n---\n\nGo.\n";
    let repaired = |folder: &str| {
        let project = folder_with(&[(&format!("skills/{folder}/SKILL.md"), skill)]);
        let told = bmad_in(project.path(), &["lint", "--format", "json", "."]).output;
        assert!(told.contains("skill-name-mismatch"), "{told}");
        told.contains(&format!("call it `{folder}`"))
    };
    assert!(repaired("pear-tree"));
    assert!(!repaired("Pear-Tree") && !repaired("pear #tree"));
}

#[test]
fn instructions_that_nothing_names_are_told_with_the_key_that_is_missing() {
    let steps = (
        "w/instructions.md",
        "<workflow><step n=\"1\"><action>Go.</action></step></workflow>\n",
    );
    let flow = "name: w\ndescription: W\ninstalled_path: \"{project-root}/w\"\n";
    let unnamed = told(&[("w/workflow.yaml", flow), steps]);
    says(
        &unnamed,
        &["did you mean `instructions: \"{installed_path}/instructions.md\"`?"],
        &[],
    );
    let misspelt = format!("{flow}instruction: \"{{installed_path}}/instructions.md\"\n");
    let misspelt = told(&[("w/workflow.yaml", &misspelt), steps]);
    says(
        &misspelt,
        &["did you mean the key `instructions`?"],
        &["unused-variable"],
    );
}

#[test]
fn a_misspelt_root_is_told_with_the_one_that_is_meant() {
    let skill = "---\nname: s\ndescription: S\n---\n\nRead fully and follow: `{skil-root}/b.md`\n";
    says(
        &told(&[("s/SKILL.md", skill)]),
        &["did you mean `{skill-root}`?"],
        &["hint"],
    );
}

#[test]
fn a_step_that_is_its_own_next_one_is_told_with_the_file_that_follows() {
    let step = |next: &str| format!("---\nnextStepFile: './{next}'\n---\n\nGo. Then load {{nextStepFile}}\n");
    let (one, two) = (step("step-02-b.md"), step("step-02-b.md"));
    let flow = "---\nname: w\ndescription: W\n---\n\nRead fully and follow: `./steps/step-01-a.md`\n";
    let mut files = vec![
        ("workflow.md", flow),
        ("steps/step-01-a.md", &one),
        ("steps/step-02-b.md", &two),
    ];
    says(&told(&files), &["the next step is this step", "remove the key"], &[]);
    files.push(("steps/step-03-c.md", "Stop.\n"));
    says(
        &told(&files),
        &["step-02-b.md,line=2", "did you mean `./step-03-c.md`?"],
        &["step-01-a.md,"],
    );
}

#[test]
fn a_misspelt_module_is_told_with_the_own_one() {
    let flow = "---\nname: w\ndescription: W\n---\n\nLoad `{project-root}/_bmad/amce/config.yaml`.\n";
    let module = "code: acme\nname: Acme\nshelf:\n  default: shelf\n";
    says(
        &told(&[("module.yaml", module), ("flows/w/workflow.md", flow)]),
        &["did you mean `{project-root}/_bmad/acme/config.yaml`?"],
        &[],
    );
}

#[test]
fn a_jump_to_an_anchor_that_is_not_there_is_told_which_there_are() {
    let flow = |anchor: &str| {
        format!(
            "<workflow>\n<action>Look.</action>\n<step n=\"1\" goal=\"g\"><anchor id=\"refill\"/><action>Pour.</action>\n\
             <check if=\"empty\"><goto anchor=\"{anchor}\"/></check></step>\n</workflow>\n"
        )
    };
    let near = told(&[("w.xml", &flow("refil"))]);
    says(
        &near,
        &["did you mean `refill`? the only anchor is refill"],
        &["the only step"],
    );
    let far = told(&[("w.xml", &flow("elsewhere"))]);
    says(&far, &["the only anchor is refill"], &["did you mean"]);
    let step = flow("refill").replace("anchor=\"refill\"/><", "step=\"7\"/><");
    let step = told(&[("w.xml", &step)]);
    says(&step, &["the only step is 1"], &["start"]);
}

#[test]
fn a_misspelt_close_tag_is_told_where_it_stands() {
    let flow = |close: &str| {
        format!(
            "<workflow>\n<step n=\"1\" goal=\"g\">\n<check if=\"empty\">\n<action>Pour.</action>\n{close}\n\
             <action>Drink.</action>\n</step>\n</workflow>\n"
        )
    };
    says(
        &told(&[("w.xml", &flow("</chek>"))]),
        &["`</chek>` on line 5 looks like its end: write `</check>`"],
        &[],
    );
    says(
        &told(&[("w.xml", &flow("</cup>"))]),
        &["write `</check>` where its content ends"],
        &["looks like"],
    );
}

#[test]
fn a_wrong_installed_path_is_told_to_be_no_folder() {
    let flow = "name: w\ndescription: W\ninstalled_path: \"{project-root}/_bmad/m/v\"\n\
                instructions: \"{installed_path}/instructions.md\"\n";
    let told = told(&[
        ("_bmad/_config/manifest.yaml", "modules: []\n"),
        ("_bmad/m/config.yaml", "user_name: Ada\n"),
        ("_bmad/m/w/workflow.yaml", flow),
        (
            "_bmad/m/w/instructions.md",
            "<workflow><step n=\"1\"><action>Go.</action></step></workflow>\n",
        ),
    ]);
    says(
        &told,
        &["title=wrong-installed-path", "leads to no folder"],
        &["leads to no file"],
    );
}

#[test]
fn a_key_of_toml_without_a_value_is_told_so() {
    let skill = ("s/SKILL.md", "---\nname: s\ndescription: S\n---\n\nGo.\n");
    for text in ["[workflow]\non_complete = \n", "[workflow]\non_complete =  # later\n"] {
        says(
            &told(&[skill, ("s/customize.toml", text)]),
            &["`on_complete` has no value"],
            &[],
        );
    }
    let bare = told(&[skill, ("s/customize.toml", "[workflow]\non_complete = a b\n")]);
    says(&bare, &["bad-toml"], &["has no value"]);
}
