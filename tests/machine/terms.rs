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
