//! Sections that say what a word means: they are told where the word is said, and done nowhere else.

use super::{project, trace, willing};
use bmad::machine::{Effect, Options};

const WORKFLOW: &str = "---
name: w
description: d
---

# W

Make a page.

## HALT

To HALT with a status:

1. Write the status to `result.md`.
2. Then stop the workflow.

### At the end

If there is more, say so.

## Begin

Read fully and follow: `./step-01-a.md`
";

#[test]
fn what_a_word_means_is_told_where_it_is_said() {
    let loaded = project([
        ("workflow.md", WORKFLOW),
        (
            "step-01-a.md",
            "# Step 1: A\n\nIf it is gone, HALT with status `gone`.\n\nRead fully and follow `./step-02-b.md`\n",
        ),
        ("step-02-b.md", "# Step 2: B\n\nWrite it.\n"),
    ]);
    let mut rules: Vec<String> = Vec::new();
    let mut rest = willing(&[]);
    let shown = trace(&loaded, "workflow.md", Options::default(), &mut |issued| {
        if let Effect::Dispatch(task) = &issued.effect {
            rules.push(task.rules.join(" "));
        }
        rest(issued)
    });
    assert!(!shown.contains("result.md") && !shown.contains("stop"), "{shown}");
    assert!(shown.ends_with("Write it.\ncompleted"), "{shown}");
    let [first, halts, last] = rules.as_slice() else {
        panic!("{shown}");
    };
    assert!(
        halts.starts_with("## HALT") && halts.ends_with("If there is more, say so."),
        "{halts}"
    );
    assert_eq!((first.as_str(), last.as_str()), ("", ""));
}

#[test]
fn a_section_that_nobody_speaks_of_is_work() {
    for text in [
        "# Release\n\n## Build\n\nTo BUILD the release:\n\n1. Compile it.\n\n## Tell\n\nTell the team.\n",
        "# Release\n\n## BUILD\n\nTo BUILD the release:\n\n1. Compile it.\n\n## Tell\n\nTell the team.\n",
        "# BUILD\n\nTo BUILD the release:\n\n## One\n\nCompile it.\n\n# BUILD again\n",
        "# R\n\n## 1. Plan\n\nPlan it.\n\n## 2. BUILD\n\nTo BUILD it, do this:\n\n- Compile it.\n\n## 3. Tell\n\nSay BUILD.\n",
    ] {
        let page = format!("---\nname: w\ndescription: d\n---\n\n{text}");
        let loaded = project([("workflow.md", page.as_str())]);
        let shown = trace(&loaded, "workflow.md", Options::default(), &mut willing(&[]));
        assert!(shown.contains("Compile it."), "{text}: {shown}");
    }
}
