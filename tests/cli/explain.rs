//! What the program explains.

use super::{Run, bmad, bmad_in, folder_with};
use bmad::builtins::BUILTINS;
use bmad::lint::RULES;
use bmad::syntax::TAGS;

fn explained(files: &[(&str, &str)], topic: &str) -> String {
    let folder = folder_with(files);
    let ended = bmad_in(folder.path(), &["explain", topic]);
    assert_eq!((ended.code, ended.errors.as_str()), (0, ""), "{topic}");
    ended.output
}

#[test]
fn every_rule_tag_and_builtin_is_explained_by_its_page() {
    let rules = RULES.iter().map(|rule| rule.code.0);
    let tags = TAGS.iter().map(|row| row.name);
    for topic in rules.chain(tags).chain(BUILTINS.iter().map(|builtin| builtin.name)) {
        let ended = bmad(&["explain", topic]);
        assert_eq!((ended.code, ended.errors.as_str()), (0, ""), "{topic}");
        assert!(
            ended.output.starts_with(&format!("# {topic}\n")),
            "{topic}: {}",
            ended.output
        );
    }
}

#[test]
fn no_line_of_a_page_is_longer_than_the_width_but_examples() {
    let output = bmad(&["explain", "dispatch"]).output;
    let long = output
        .lines()
        .filter(|line| !line.starts_with("    ") && line.chars().count() > 100);
    assert_eq!(long.collect::<Vec<_>>(), Vec::<&str>::new());
    assert!(output.contains("\n  attribute  needed  what\n"), "{output}");
    assert!(output.contains("\n  agents/sceptic.md:\n    ---\n"), "{output}");
    assert!(!output.contains("```"), "{output}");
}

#[test]
fn headings_are_bold_where_there_is_colour() {
    let ended = Run::default().with("CLICOLOR_FORCE", "1").call(&["explain", "goto"]);
    assert!(
        ended.output.starts_with("\u{1b}[1m# goto\u{1b}[0m\n"),
        "{}",
        ended.output
    );
}

#[test]
fn a_tag_may_be_written_as_a_tag() {
    assert_eq!(bmad(&["explain", "<goto>"]), bmad(&["explain", "goto"]));
}

#[test]
fn rules_tags_and_builtins_are_listed_in_one_line_each() {
    for (topic, count) in [
        ("rules", RULES.len()),
        ("tags", TAGS.len()),
        ("builtins", BUILTINS.len()),
    ] {
        assert_eq!(bmad(&["explain", topic]).output.lines().count(), count, "{topic}");
    }
    let rules = bmad(&["explain", "rules"]).output;
    let line = rules.lines().find(|line| line.starts_with("dead-goto "));
    insta::assert_snapshot!(line.unwrap(), @"dead-goto                 error    a jump leads to a step or an anchor that does not exist");
}

#[test]
fn a_topic_that_does_not_exist_is_a_usage_error_with_a_suggestion() {
    let ended = bmad(&["explain", "dead-gto"]);
    assert_eq!((ended.code, ended.output.as_str()), (2, ""));
    insta::assert_snapshot!(ended.errors, @r"
    error: `dead-gto` is no rule, tag, built-in or file
      hint: did you mean `dead-goto`?
    ");
    insta::assert_snapshot!(bmad(&["explain", "nothing-like-it"]).errors, @r"
    error: `nothing-like-it` is no rule, tag, built-in or file
      hint: `bmad explain rules`, `bmad explain tags` and `bmad explain builtins` list them
    ");
}

const BAKERY: &str = r#"<task id="bake" name="Bake">
  <inputs>
    <input name="guests" required="true" desc="how many come"/>
  </inputs>
  <critical>Never open the oven early.</critical>
  <flow>
    <step n="1" goal="Choose" optional="true">
      <ask response="cake">Which cake? [a] Apple [b] Bread</ask>
      <check if="{cake} == 'b'">
        <action>Set sweet = false</action>
        <action>Skip to step 4 when the flour is out.</action>
      </check>
      <check if="user chooses a">
        <action>Store the number of eggs as {{eggs}}</action>
      </check>
      <action if="the kitchen smells odd">HALT: "air the room"</action>
      <check if="recipe.md exists">
        <output>Found a recipe.</output>
      </check>
    </step>
    <step n="2" goal="Bake" if="{guests} > 0" repeat="until-golden">
      <menu name="heat" text="Hot?" into="heat">
        <option key="h" label="Hot"/>
        <option key="w" label="Wait" again="true">
          <goto step="1">Choose</goto>
        </option>
      </menu>
      <parallel into="opinions">
        <dispatch agent="taster">Taste it.</dispatch>
        <call path="{project-root}/_bmad/core/tasks/party-mode.xml"/>
      </parallel>
      <collect from="opinions" into="marks" failed="silent"/>
      <loop name="rounds" max="3" index="round">
        <invoke-task path="./missing.xml"/>
        <call builtin="slug" into="file">
          <param name="text" value="{cake}"/>
        </call>
      </loop>
      <template-output file="{project-root}/cakes.md">cake, notes</template-output>
      <return value="{cake}"/>
    </step>
  </flow>
</task>
"#;

#[test]
fn a_file_is_told_with_every_lifted_sentence_and_who_decides_each_condition() {
    insta::assert_snapshot!(explained(&[("bake.xml", BAKERY)], "bake.xml"), @r#"
    workflow `Bake`, read as xml
    2 steps

    files
      bake.xml (declares it)

    names
      guests    input       bake.xml:3
      cake      answer      bake.xml:8
      sweet     assignment  bake.xml:10  = false
      eggs      assignment  bake.xml:14
      heat      answer      bake.xml:22
      opinions  result      bake.xml:28
      marks     result      bake.xml:32
      silent    result      bake.xml:32
      round     loop        bake.xml:33
      file      result      bake.xml:35
      cake      section     bake.xml:39
      notes     section     bake.xml:39

    rules
      bake.xml:5  Never open the oven early.

    step 1: Choose
      from a tag at bake.xml:7, optional
      bake.xml:8   ask into {cake}: Which cake? [a] Apple [b] Bread
      bake.xml:8     answer [a] Apple
      bake.xml:8     answer [b] Bread
      bake.xml:9   if {cake} == 'b' (engine: expression)
      bake.xml:10    do: Set sweet = false
      bake.xml:10      lifted "Set sweet = false": sets {sweet} to "false"
      bake.xml:11    do: Skip to step 4 when the flour is out.
      bake.xml:11      lifted "Skip to step 4" when "the flour is out" (agent: judged): goes to step 4, which is not there: running asks where to
      bake.xml:13  if user chooses a (engine: answer)
      bake.xml:14    do: Store the number of eggs as {{eggs}}
      bake.xml:14      lifted "Store the number of eggs as {{eggs}}": keeps it in {eggs}
      bake.xml:16  if the kitchen smells odd (agent: judged)
      bake.xml:16    do: HALT: "air the room"
      bake.xml:16      lifted `HALT: "air the room"`: stops the run: air the room
      bake.xml:17  if recipe.md exists (engine: existence)
      bake.xml:18    show: Found a recipe.

    step 2: Bake
      from a tag at bake.xml:21
      bake.xml:21  only if {guests} > 0 (engine: expression)
      bake.xml:21  repeats until golden (agent: judged)
      bake.xml:22  menu into {heat}
      bake.xml:23    [h] Hot: goes on
      bake.xml:24    [w] Wait, then the menu again
      bake.xml:25      go to step 1 ("Choose")
      bake.xml:28  at the same time into {opinions}
      bake.xml:29    dispatch to `taster`: Taste it.
      bake.xml:30    call `{project-root}/_bmad/core/tasks/party-mode.xml`: is tasks/party-mode.xml of the standard library
      bake.xml:32  collect {opinions} into {marks}, failed ones in {silent}
      bake.xml:33  repeat at most 3 times, counted in {round}
      bake.xml:34    call `./missing.xml`: not resolved: missing.xml is not there
      bake.xml:35    call built-in `slug` into {file}: turns text into a name that is safe in a path
      bake.xml:36      with text = "{cake}"
      bake.xml:39  produce and save `cake`, `notes` in {project-root}/cakes.md
      bake.xml:40  return "{cake}"
    "#);
}

#[test]
fn a_skill_of_prose_says_so() {
    let skill = "---\nname: haiku\ndescription: Writes one\n---\n\n# Haiku\n\nWrite a haiku. Read fully and follow: `./moods.md`\n";
    insta::assert_snapshot!(explained(&[("haiku/SKILL.md", skill), ("haiku/moods.md", "# Moods\n")], "haiku/SKILL.md"), @r#"
    workflow `haiku`, read as skill
    this skill is prose: one step

    files
      SKILL.md (declares it)

    names
      name         frontmatter  SKILL.md:2  = haiku
      description  frontmatter  SKILL.md:3  = Writes one

    step 1: Haiku
      from prose at SKILL.md:6
      SKILL.md:6  do: # Haiku Write a haiku. Read fully and follow: `./moods.md`
      SKILL.md:8    lifted "Read fully and follow: `./moods.md`": follows `./moods.md`: is moods.md
    "#);
}

#[test]
fn of_a_step_file_only_its_own_steps_are_told() {
    let files = [
        (
            "walk/workflow.md",
            "---\nname: walk\n---\n\nRead fully and follow: `./steps/step-01-shoes.md`\n",
        ),
        (
            "walk/steps/step-01-shoes.md",
            "---\nnextStepFile: './step-02-go.md'\n---\n\n# Step 1: Shoes\n\nDisplay: \"[C] Continue [H] Home\"\n\nHALT and wait for the answer.\n\n- IF C: Read fully and follow: `{nextStepFile}`\n- IF H: Exit workflow\n",
        ),
        ("walk/steps/step-02-go.md", "# Step 2: Go\n\nGo.\n"),
    ];
    insta::assert_snapshot!(explained(&files, "walk/steps/step-01-shoes.md"), @r#"
    steps/step-01-shoes.md: part of workflow `walk`, read as step files
    3 steps

    files
      workflow.md (declares it)
      steps/step-01-shoes.md (holds steps)
      steps/step-02-go.md (holds steps)

    step 1: Shoes
      from a file at steps/step-01-shoes.md:5
      step-01-shoes.md:5   do: # Step 1: Shoes Display:
      step-01-shoes.md:7   menu
      step-01-shoes.md:7     [C] Continue
      step-01-shoes.md:11      do: Read fully and follow: `{nextStepFile}`
      step-01-shoes.md:11        lifted "Read fully and follow: `{nextStepFile}`": follows `{nextStepFile}`: is steps/step-02-go.md
      step-01-shoes.md:7     [H] Home
      step-01-shoes.md:12      do: Exit workflow
      step-01-shoes.md:12        lifted "Exit workflow": leaves the workflow
    "#);
}

#[test]
fn an_agent_is_told_with_what_its_menu_leads_to() {
    let agent = "agent:\n  menu:\n    - trigger: bake\n      exec: './bake.xml'\n    - trigger: eat\n      workflow: './eat.yaml'\n    - trigger: nap\n      action: '#nap'\n";
    insta::assert_snapshot!(explained(&[("cook.agent.yaml", agent), ("bake.xml", BAKERY)], "cook.agent.yaml"), @r"
    cook.agent.yaml: declares an agent
    agent `cook`
      cook.agent.yaml:3  menu `bake`
      cook.agent.yaml:4    leads to `./bake.xml`: is bake.xml
      cook.agent.yaml:5  menu `eat`
      cook.agent.yaml:6    leads to `./eat.yaml`: not resolved: eat.yaml is not there
      cook.agent.yaml:7  menu `nap`
      cook.agent.yaml:8    leads to prompt `nap`
    ");
}

#[test]
fn a_module_is_told_with_its_keys_and_another_file_with_its_part() {
    let module = "code: kitchen\nname: Kitchen\noven:\n  prompt: Which oven?\n  default: gas\n";
    insta::assert_snapshot!(explained(&[("module.yaml", module)], "module.yaml"), @r"
    module.yaml: declares a module
    module `kitchen`
      oven  = gas
    ");
    insta::assert_snapshot!(explained(&[("notes.md", "# Notes\n")], "notes.md"), @"notes.md: no part of a workflow");
}

#[test]
fn control_characters_of_a_file_do_not_reach_the_terminal() {
    let text =
        "<task><flow><step n=\"1\" goal=\"\u{1b}[31mred\"><action>\u{1b}]0;title\u{7}</action></step></flow></task>";
    let output = explained(&[("a.xml", text)], "a.xml");
    assert!(!output.contains(['\u{1b}', '\u{7}']), "{output:?}");
}

#[test]
fn a_step_of_a_workflow_that_has_a_name_of_its_own_belongs_to_it() {
    let folder = folder_with(&[
        (
            "walk/workflow-walk.md",
            "---\nname: walk\ndescription: Go for a walk\n---\n\n# Walk\n\nRead fully and follow: `./steps/step-01-shoes.md`\n",
        ),
        ("walk/steps/step-01-shoes.md", "# Step 1: Shoes\n\nPut on shoes.\n"),
    ]);
    let ended = bmad_in(folder.path(), &["explain", "walk/steps/step-01-shoes.md"]);
    let first = ended.output.lines().next().unwrap_or_default();
    assert!(
        first.ends_with("part of workflow `walk`, read as step files"),
        "{first}"
    );
}

#[test]
fn a_skill_that_an_agent_tool_keeps_finds_those_beside_it() {
    let folder = folder_with(&[
        (
            ".claude/skills/one/SKILL.md",
            "---\nname: one\ndescription: One\n---\n\nInvoke the `other-one` skill.\n",
        ),
        (
            ".claude/skills/other-one/SKILL.md",
            "---\nname: other-one\ndescription: Other\n---\n\nCount.\n",
        ),
    ]);
    for topic in [".claude/skills/one/SKILL.md", ".claude/skills/one"] {
        let ended = bmad_in(folder.path(), &["explain", topic]);
        assert!(ended.output.ends_with("is other-one/SKILL.md\n"), "{}", ended.output);
    }
}
