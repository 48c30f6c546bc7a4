//! What of a project is looked at, and what is known to be there.

use super::{bmad_in, folder_with};

/// A workflow with a jump to nowhere.
const ASTRAY: &str = "<workflow name=\"A\">\n<step n=\"1\" goal=\"g\"><goto step=\"9\"/></step>\n</workflow>\n";
/// A skill that does nothing wrong.
const SKILL: &str = "---\nname: s\ndescription: S\n---\n\nGo.\n";

/// Lints a folder; answers the exit code and the findings, one a line.
fn lint(files: &[(&str, &str)], folder: &str, args: &[&str]) -> (u8, String) {
    let project = folder_with(files);
    let mut all = vec!["lint", "--format", "github"];
    all.extend(args);
    let ended = bmad_in(&project.path().join(folder), &all);
    assert_eq!(ended.errors, "", "{files:?}");
    (ended.code, ended.output)
}

#[test]
fn the_installation_around_a_folder_is_checked_where_no_path_is_given() {
    let installed = ("_bmad/core/tasks/t.xml", ASTRAY);
    for files in [
        &[installed, ("src/deep/x.txt", "")][..],
        &[installed, ("src/deep/package.json", "{}")],
        &[
            ("own/_config/manifest.yaml", ""),
            ("own/core/tasks/t.xml", ASTRAY),
            ("src/deep/x.txt", ""),
        ],
        &[
            (".git/HEAD", ""),
            (".claude/skills/s/SKILL.md", SKILL),
            ("t.xml", ASTRAY),
            ("src/deep/x.txt", ""),
        ],
    ] {
        for folder in ["", "src", "src/deep"] {
            let (code, output) = lint(files, folder, &[]);
            assert!(
                code == 1 && output.contains("dead-goto"),
                "{folder} of {files:?}: {output}"
            );
        }
    }
    let inside = lint(&[installed], "_bmad/core/tasks", &[]);
    assert_eq!(inside.0, 1, "{}", inside.1);
}

#[test]
fn a_folder_that_is_given_is_checked_alone() {
    let files = [("_bmad/core/tasks/t.xml", ASTRAY), ("src/flow.xml", ASTRAY)];
    let (code, output) = lint(&files, "src", &["."]);
    assert!(code == 1 && !output.contains("_bmad"), "{output}");
}

#[test]
fn nobody_looks_out_of_a_repository() {
    let files = [
        ("_bmad/core/tasks/t.xml", ASTRAY),
        ("other/.git/HEAD", ""),
        ("other/x.txt", ""),
    ];
    let project = folder_with(&files);
    let ended = bmad_in(&project.path().join("other"), &["lint"]);
    assert_eq!((ended.code, ended.output.as_str()), (2, ""), "{}", ended.errors);
}

#[test]
fn an_empty_folder_of_git_is_no_repository() {
    let project = folder_with(&[("_bmad/core/tasks/t.xml", ASTRAY), ("other/x.txt", "")]);
    std::fs::create_dir(project.path().join("other/.git")).unwrap();
    let ended = bmad_in(&project.path().join("other"), &["lint"]);
    assert!(
        ended.code == 1 && ended.output.contains("dead-goto"),
        "{}",
        ended.errors
    );
}

#[test]
fn where_there_is_nothing_to_check_nobody_is_told_that_all_is_well() {
    let folder = folder_with(&[("src/x.txt", "")]);
    let told = |args: &[&str]| {
        let ended = bmad_in(folder.path(), args);
        assert_eq!(ended.code, 2, "{}", ended.output);
        ended.errors
    };
    insta::assert_snapshot!(told(&["lint"]), @r"
    error: there is nothing to check around this folder
      hint: name the folder of a BMAD installation, of a module or of a skill: `bmad lint PATH`
    ");
    insta::assert_snapshot!(told(&["lint", "src"]), @r"
    error: there is nothing to check in `src`
      hint: name the folder of a BMAD installation, of a module or of a skill: `bmad lint PATH`
    ");
    assert_eq!(told(&["lint", "--format", "json"]), told(&["lint"]));
    let left_out = bmad_in(folder.path(), &["lint", "--exclude", "src/*"]);
    assert_eq!(left_out.code, 0, "{}", left_out.errors);
}

#[test]
fn what_is_told_of_a_missing_file_is_what_is_there() {
    let told = |files: &[(&str, &str)]| {
        let text = "---\nname: x\ndescription: X\n---\n\nRead `./letters/workflow.md` and follow it.\n";
        let skill = ("k/SKILL.md", text);
        let project = folder_with(&[&[skill], files].concat());
        bmad_in(project.path(), &["lint", "--format", "json", "."]).output
    };
    let flow = "---\nname: f\ndescription: F\n---\n\nGo.\n";
    let gone = told(&[("m/soup/workflow.md", flow)]);
    assert!(gone.contains("the folder `k/letters` is not there"), "{gone}");
    let there = told(&[("k/letters/x.md", "x\n"), ("m/soup/workflow.md", flow)]);
    assert!(there.contains("the folder holds no file of that name"), "{there}");
    let alike = told(&[("m/soup/workflow.md", flow), ("m/letter/workflow.md", flow)]);
    assert!(alike.contains("did you mean `m/letter/workflow.md`?"), "{alike}");
}

#[test]
fn a_jump_that_sounds_like_two_steps_is_told_of_both() {
    let text = "<workflow name=\"W\">\n<step n=\"1\" goal=\"Pack\"><goto step=\"2\" if=\"{done} == 'yes'\">Completion</goto></step>\n<step n=\"2\" goal=\"Write\"><action>Write.</action></step>\n<step n=\"3\" goal=\"Complete it\"><action>End.</action></step>\n<step n=\"4\" goal=\"Tell of completion\"><action>Tell.</action></step>\n</workflow>\n";
    let project = folder_with(&[("workflow.xml", text)]);
    let told = bmad_in(project.path(), &["lint", "--format", "json", "."]).output;
    let both = "did you mean step `3`, `Complete it`, or step `4`, `Tell of completion`?";
    assert!(told.contains(both), "{told}");
}

#[test]
fn what_was_repaired_is_told_file_by_file() {
    let flow = "<workflow name=\"A\">\n<step n=\"1\" goal=\"g\"><action>Set budget = \"40\"</action><action>Exit workflow</action></step>\n</workflow>\n";
    let folder = folder_with(&[("b.xml", flow), ("a/c.xml", flow)]);
    let ended = bmad_in(folder.path(), &["lint", "--fix", "."]);
    insta::assert_snapshot!(ended.output, @r#"
    a/c.xml: 2 repaired
      a/c.xml:2:30 liftable-prose: write `<set name="budget" value="40"/>`
      a/c.xml:2:64 liftable-prose: write `<return/>`
    b.xml: 2 repaired
      b.xml:2:30 liftable-prose: write `<set name="budget" value="40"/>`
      b.xml:2:64 liftable-prose: write `<return/>`
    no findings in 2 files, 4 repaired
    "#);
}

#[test]
fn a_workflow_in_xml_is_one_whatever_its_neighbours_are() {
    let task = "<?xml version=\"1.0\"?>\n<!-- a task -->\n<task id=\"t\" name=\"T\"><flow><step n=\"1\"><goto step=\"9\"/></step></flow></task>\n";
    for files in [
        &[("m/flow.xml", ASTRAY)][..],
        &[("m/flow.xml", ASTRAY), ("m/s/SKILL.md", SKILL)],
        &[("m/flow.xml", ASTRAY), ("m/w/workflow.xml", "<workflow name=\"B\"/>\n")],
        &[("m/deep/down/t.xml", task), ("m/s/SKILL.md", SKILL)],
    ] {
        let (code, output) = lint(files, "", &["m"]);
        assert!(code == 1 && output.contains("dead-goto"), "{files:?}: {output}");
    }
}

#[test]
fn other_documents_beside_a_skill_are_left_alone() {
    let foreign = "<project><task><step n=\"1\"><goto step=\"9\"/></step></task></project>\n";
    let files = [
        ("m/s/SKILL.md", SKILL),
        ("m/build.xml", foreign),
        (
            "m/docs/x.md",
            "<workflow>\n<step n=\"1\"><goto step=\"9\"/></step>\n</workflow>\n",
        ),
    ];
    assert_eq!(lint(&files, "", &["m"]).0, 0);
}

#[test]
fn numbered_pages_are_steps_only_where_a_workflow_is_declared_above_them() {
    let page = "# Intro\n\nLoad `./missing.md`.\n";
    let next = "---\nnextStepFile: './two.md'\n---\n\nLoad `./missing.md`.\n";
    let tutorial = [
        ("m/s/SKILL.md", SKILL),
        ("m/docs/first-steps/01-intro.md", page),
        ("m/docs/steps/01-intro.md", page),
        ("m/docs/tour/one.md", next),
    ];
    let (code, output) = lint(&tutorial, "", &["m"]);
    assert_eq!(code, 0, "{output}");
    for (path, text) in [("m/s/steps/01-intro.md", page), ("m/s/references/one.md", next)] {
        let (code, output) = lint(&[("m/s/SKILL.md", SKILL), (path, text)], "", &["m"]);
        assert!(code == 1 && output.contains("broken-reference"), "{path}: {output}");
    }
}

#[test]
fn a_file_that_nobody_looked_into_is_there_all_the_same() {
    let skill = |path: &str| format!("---\nname: x\ndescription: X\n---\n\nRead `./{path}` and follow it.\n");
    for (path, beside) in [
        ("scripts/USAGE.md", "scripts/package.json"),
        ("sub/USAGE.md", "sub/.claude/skills/s/SKILL.md"),
        ("fixtures/USAGE.md", "x.txt"),
        ("target/USAGE.md", "x.txt"),
        ("venv/USAGE.md", "x.txt"),
        (".venv/USAGE.md", "x.txt"),
        ("node_modules/a/USAGE.md", "x.txt"),
        ("__pycache__/USAGE.md", "x.txt"),
    ] {
        let text = skill(path);
        let there = [
            ("k/SKILL.md", text.as_str()),
            ("k/x.txt", ""),
            (&format!("k/{path}"), "x\n"),
        ];
        let beside = (&*format!("k/{beside}"), SKILL);
        let with = lint(&[&there[..], &[beside]].concat(), "", &["k"]);
        assert_eq!(with.0, 0, "{path}: {}", with.1);
        let without = lint(&[&there[..2], &[beside]].concat(), "", &["k"]);
        // What is hidden belongs to a tool of the person, and may be absent.
        let found = without.0 == 1 && without.1.contains("broken-reference");
        assert_eq!(found, !path.starts_with('.'), "{path}");
    }
}

#[test]
#[cfg(unix)]
fn a_link_leads_to_a_file_only_inside_of_the_project() {
    use std::os::unix::fs::symlink;
    let text = "---\nname: x\ndescription: X\n---\n\nRead `./linked/USAGE.md` and follow it.\n";
    let project = folder_with(&[
        ("k/SKILL.md", text),
        ("k/real/USAGE.md", "x\n"),
        ("out/USAGE.md", "x\n"),
    ]);
    let link = project.path().join("k/linked");
    symlink("real", &link).unwrap();
    let inside = bmad_in(project.path(), &["lint", "k"]);
    assert_eq!(inside.code, 0, "{}", inside.output);
    std::fs::remove_file(&link).unwrap();
    symlink("../out", &link).unwrap();
    let outside = bmad_in(project.path(), &["lint", "k"]);
    assert!(
        outside.code == 1 && outside.output.contains("broken-reference"),
        "{}",
        outside.output
    );
}

#[test]
fn a_path_that_is_not_there_is_told_with_what_the_command_takes() {
    let folder = folder_with(&[]);
    let errors = |args: &[&str]| bmad_in(folder.path(), args).errors;
    insta::assert_snapshot!(errors(&["lint", "nope"]), @r"
    error: `nope` is not there
      hint: give a file or a folder that exists
      hint: `bmad lint` alone looks around the current folder
    ");
    let needed = errors(&["fmt", "nope"]);
    insta::assert_snapshot!(needed, @r"
    error: `nope` is not there
      hint: give a file or a folder that exists
    ");
    assert_eq!(errors(&["graph", "nope"]), needed);
}

#[test]
fn what_is_no_level_of_a_rule_is_told_as_it_is_written() {
    let told = |text: &str| {
        let (code, output) = lint(
            &[("bmad.toml", text), ("flow.xml", "<workflow name=\"A\"/>\n")],
            "",
            &["."],
        );
        assert_eq!(code, 1, "{text}");
        output
    };
    let table = told("[lint.dead-goto]\nlevel = \"allow\"\n");
    assert!(table.contains("`dead-goto` is a table here"), "{table}");
    let truth = told("[lint]\ndead-goto = true\n");
    assert!(truth.contains("`true` is no level of a rule"), "{truth}");
}

#[test]
fn modules_make_an_installation_also_without_a_core() {
    let folder = folder_with(&[
        ("_bmad/sea/config.yaml", "user_name: Ann\n"),
        (
            "_bmad/sea/agents/pilot.md",
            "---\nname: pilot\ndescription: x\n---\n\nSteer.\n",
        ),
        ("_bmad/air/config.yaml", "user_name: Bo\n"),
        (
            "_bmad/air/agents/pilot.md",
            "---\nname: pilot\ndescription: x\n---\n\nFly.\n",
        ),
        (
            "_bmad/sea/workflows/go/workflow.xml",
            "<workflow name=\"Go\"><step n=\"1\" goal=\"Go\"><dispatch agent=\"pilot\">Go.</dispatch>\
             <dispatch agent=\"sea:pilot\">Go, {user_name}.</dispatch></step></workflow>\n",
        ),
    ]);
    let linted = bmad_in(folder.path(), &["lint"]);
    assert_eq!(linted.code, 1);
    assert!(
        linted.output.contains("2 modules have an agent called `pilot`"),
        "{}",
        linted.output
    );
    assert!(linted.output.contains("1 error in 5 files"), "{}", linted.output);
    let run = ["exec", "_bmad/sea/workflows/go/workflow.xml", "--agent", "script:--ack"];
    let ran = bmad_in(folder.path(), &run);
    assert!(
        ran.errors.contains("2 modules have an agent called `pilot`"),
        "{}",
        ran.errors
    );
}

/// A workflow whose steps are numbered the wrong way round.
const TURNED: &str = "<workflow name=\"A\">\n<step n=\"2\" goal=\"g\"><output>x</output></step>\n<step n=\"1\" goal=\"h\"><output>y</output></step>\n</workflow>\n";
/// Settings that let them be.
const LENIENT: (&str, &str) = ("bmad.toml", "[lint]\nstep-order = \"allow\"\n");

#[test]
fn the_settings_of_a_project_count_for_a_part_of_it() {
    let flow = ("flows/workflow.xml", TURNED);
    for path in ["flows", "flows/workflow.xml"] {
        assert_eq!(
            lint(&[LENIENT, flow], "", &[path]),
            (0, "no findings in 1 file\n".to_owned()),
            "{path}"
        );
    }
    let repository = [LENIENT, flow, (".git/HEAD", "")];
    assert_eq!(
        lint(&repository, "flows", &["."]),
        (0, "no findings in 1 file\n".to_owned())
    );
}

#[test]
fn settings_above_the_folder_of_a_person_count_only_in_their_repository() {
    let (code, output) = lint(&[LENIENT, ("flows/workflow.xml", TURNED)], "flows", &["."]);
    assert!(code == 1 && output.contains("step-order"), "{output}");
    let other = [LENIENT, ("flows/workflow.xml", TURNED), ("flows/.git/HEAD", "")];
    let (code, output) = lint(&other, "flows", &["."]);
    assert!(code == 1 && output.contains("step-order"), "{output}");
}

#[test]
fn of_two_settings_the_nearer_ones_win() {
    let strict = ("flows/bmad.toml", "[lint]\nstep-order = \"error\"\n");
    let (code, output) = lint(&[LENIENT, strict, ("flows/workflow.xml", TURNED)], "", &["flows"]);
    assert!(code == 1 && output.contains("::error"), "{output}");
}

#[test]
fn a_file_is_checked_together_with_those_that_it_calls() {
    let caller = "<workflow name=\"A\">\n<step n=\"1\" goal=\"g\"><call path=\"./tasks/t.xml\"><param name=\"wrong\" value=\"1\"/></call></step>\n</workflow>\n";
    let task = "<task name=\"T\">\n<inputs><input name=\"need\" required=\"true\"/></inputs>\n<flow><step n=\"1\" title=\"s\"><output>{need}</output></step></flow>\n</task>\n";
    let files = [("flows/a.xml", caller), ("flows/tasks/t.xml", task)];
    for path in ["flows/a.xml", "flows"] {
        let (code, output) = lint(&files, "", &[path]);
        let found = output.matches("param-mismatch").count();
        assert!(code == 1 && found == 2, "{path}: {output}");
    }
    let astray = [("flows/a.xml", caller), ("flows/tasks/t.xml", ASTRAY)];
    let (code, output) = lint(&astray, "", &["flows/a.xml"]);
    assert!(code == 0 && output.starts_with("no findings"), "{output}");
}

#[test]
fn the_command_of_a_hook_is_no_reference() {
    let flow = "---\nname: f\ndescription: F\nhooks:\n  before-step:\n    - command: ./pre.sh\n---\n\n# F\n\nGo.\n";
    let files = [("flow/workflow.md", flow), ("pre.sh", "")];
    let (code, output) = lint(&files, "", &["flow"]);
    assert!(code == 0 && !output.contains("broken-reference"), "{output}");
}

#[test]
fn what_is_named_twice_is_checked_once() {
    let files = [("flows/a.xml", ASTRAY), ("flows/b.xml", TURNED)];
    for paths in [
        &["flows/a.xml", "flows"][..],
        &["flows", "flows"],
        &["flows", "flows/a.xml"],
        &["flows/a.xml", "flows/b.xml", "flows/a.xml"],
    ] {
        let (code, output) = lint(&files, "", paths);
        let found = |rule: &str| output.matches(rule).count();
        assert!(
            code == 1 && found("::error") == 1 && found("::warning") == 1,
            "{paths:?}: {output}"
        );
    }
    let (_, output) = lint(&files, "", &["flows/a.xml"]);
    assert!(!output.contains("::warning"), "{output}");
}
