//! Pictures of workflows.

use super::{bmad_in, folder_with};
use quick_xml::events::Event;

const PICNIC: &str = r#"<workflow name="Picnic">
  <step n="1" goal="Choose a place">
    <ask response="place">Where to?</ask>
    <menu name="weather" text="Is it dry?">
      <option key="y" label="Yes"/>
      <option key="n" label="No">
        <goto step="1"/>
      </option>
    </menu>
  </step>
  <step n="2" goal="Pack" if="{place} != 'garden'">
    <loop name="bags" for="bag in {bags}" max="9">
      <action>Pack {bag} &amp; "close" it.</action>
    </loop>
    <template-output>list</template-output>
    <call builtin="slug" into="name">
      <param name="text" value="{place}"/>
    </call>
  </step>
</workflow>
"#;

fn picture(files: &[(&str, &str)], args: &[&str]) -> String {
    let folder = folder_with(files);
    let ended = bmad_in(folder.path(), args);
    assert_eq!((ended.code, ended.errors.as_str()), (0, ""), "{args:?}");
    ended.output
}

/// Returns the text that a picture shows, in the order it is drawn; panics where it is not XML.
fn shown(svg: &str) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_str(svg);
    let mut texts = Vec::new();
    let mut inside = None;
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) if tag.name().into_inner() == "text" => inside = Some(String::new()),
            Event::End(tag) if tag.name().into_inner() == "text" => texts.extend(inside.take()),
            Event::Text(text) => {
                if let Some(inside) = &mut inside {
                    inside.push_str(&text);
                }
            }
            Event::GeneralRef(name) => {
                if let Some(inside) = &mut inside {
                    inside.push_str(&format!("&{};", &*name));
                }
            }
            Event::Eof => return texts,
            _ => {}
        }
    }
}

#[test]
fn a_workflow_is_drawn_for_markdown() {
    insta::assert_snapshot!(picture(&[("workflow.xml", PICNIC)], &["graph", "workflow.xml"]), @r#"
    flowchart TD
      n0(["start"])
      n1(["end"])
      n2[["1: Choose a place"]]
      n3{{"ask: Where to?"}}
      n4{{"menu: [y] Yes [n] No"}}
      n5["goto 1"]
      n6[["2: Pack (if {place} != 'garden')"]]
      n7{"loop: each bag in {bags}"}
      n8["do: Pack {bag} & #quot;close#quot; it."]
      n9[("save: list")]
      n10[/"call: slug"/]
      n0 --> n2
      n2 --> n3
      n3 --> n4
      n4 -->|"n"| n5
      n4 -->|"y"| n6
      n5 -->|goto| n2
      n6 -->|else| n1
      n6 -->|then| n7
      n7 -->|then| n8
      n7 -->|else| n9
      n8 -.->|again| n7
      n9 -->|call| n10
      n10 -->|return| n1
    "#);
}

#[test]
fn a_workflow_is_drawn_for_graphviz() {
    insta::assert_snapshot!(picture(&[("workflow.xml", PICNIC)], &["graph", "workflow.xml", "--format", "dot"]), @r#"
    digraph workflow {
      node [fontname="sans-serif"];
      n0 [shape=oval, label="start"];
      n1 [shape=oval, label="end"];
      n2 [shape=box3d, label="1: Choose a place"];
      n3 [shape=hexagon, label="ask: Where to?"];
      n4 [shape=hexagon, label="menu: [y] Yes [n] No"];
      n5 [shape=box, label="goto 1"];
      n6 [shape=box3d, label="2: Pack (if {place} != 'garden')"];
      n7 [shape=diamond, label="loop: each bag in {bags}"];
      n8 [shape=box, label="do: Pack {bag} & \"close\" it."];
      n9 [shape=cylinder, label="save: list"];
      n10 [shape=parallelogram, label="call: slug"];
      n0 -> n2 [label=""];
      n2 -> n3 [label=""];
      n3 -> n4 [label=""];
      n4 -> n5 [label="n"];
      n4 -> n6 [label="y"];
      n5 -> n2 [label="goto"];
      n6 -> n1 [label="else"];
      n6 -> n7 [label="then"];
      n7 -> n8 [label="then"];
      n7 -> n9 [label="else"];
      n8 -> n7 [label="again", style=dashed];
      n9 -> n10 [label="call"];
      n10 -> n1 [label="return"];
    }
    "#);
}

#[test]
fn a_call_on_a_condition_has_a_way_past_it() {
    let files = [
        (
            "skills/shop/SKILL.md",
            "---\nname: shop\ndescription: Shops.\n---\n\nGreet them.\n\nIf it rains, follow `references/rain.md`.\n\nOpen the door.\n",
        ),
        ("skills/shop/references/rain.md", "# Rain\n\nFetch a mat.\n"),
    ];
    insta::assert_snapshot!(picture(&files, &["graph", "skills/shop"]), @r#"
    flowchart TD
      n0(["start"])
      n1(["end"])
      n2[["1: SKILL"]]
      n3["do: Greet them. If it rains, follow #96;references/rai…"]
      n4[/"call: references/rain.md"/]
      n0 --> n2
      n2 --> n3
      n3 --> n1
      n3 -->|call| n4
      n4 -->|return| n1
    "#);
}

#[test]
fn a_return_to_a_question_leads_there_and_an_action_that_only_jumps_is_one_box() {
    let text = "<workflow name=\"Mend\">\n<step n=\"1\" goal=\"Choose\">\n<ask>What now?\n1. Mend it\n2. Show it\nChoose [1] or [2]:</ask>\n<check if=\"user chooses 2\"><action>Show it</action><action>Return to mend decision</action></check>\n</step>\n<step n=\"2\" goal=\"Mend\">\n<action>Mend it.</action>\n<action if=\"all is mended\"><goto step=\"1\">Choose</goto></action>\n</step>\n</workflow>\n";
    insta::assert_snapshot!(picture(&[("mend.xml", text)], &["graph", "mend.xml"]), @r#"
    flowchart TD
      n0(["start"])
      n1(["end"])
      n2[["1: Choose"]]
      n3["at: question at mend.xml:3"]
      n4{{"ask: What now? 1. Mend it 2. Show it Choose [1] or […"}}
      n5{"if: user chooses 2"}
      n6["do: Show it"]
      n7["goto question at mend.xml:3"]
      n8[["2: Mend"]]
      n9["do: Mend it."]
      n10{"if: all is mended"}
      n11["goto 1"]
      n0 --> n2
      n2 --> n3
      n3 --> n4
      n4 --> n5
      n5 -->|"then"| n6
      n5 -->|else| n8
      n6 --> n7
      n7 -->|goto| n2
      n8 --> n9
      n9 --> n10
      n10 -->|else| n1
      n10 -->|then| n11
      n11 -->|goto| n2
    "#);
}

#[test]
fn a_picture_shows_every_node_and_every_reason() {
    let svg = picture(
        &[("workflow.xml", PICNIC)],
        &["graph", "workflow.xml", "--format", "svg"],
    );
    insta::assert_snapshot!(shown(&svg).join("\n"), @r"
    goto
    n
    y
    then
    else
    then
    again
    else
    call
    return
    start
    1: Choose a place
    ask: Where to?
    menu: [y] Yes [n] No
    goto 1
    2: Pack (if {place} !=
    'garden')
    loop: each bag in {bags}
    do: Pack {bag} &amp; &quot;close&quot;
    it.
    save: list
    call: slug
    end
    ");
}

#[test]
fn a_choice_is_drawn_with_its_key_and_choices_of_one_place_as_one() {
    let text = r#"<workflow name="Tea">
  <step n="1" goal="Choose">
    <menu name="tea" text="Which tea?">
      <option key="g" label="Green"/>
      <option key="&quot;b|" label="Black"/>
      <option key="n" label="None"><halt reason="thirsty"/></option>
      <option key="?" label="Explain" again="true"/>
    </menu>
  </step>
</workflow>
"#;
    let files = [("workflow.xml", text)];
    let arrows = |format: &str| {
        let drawn = picture(&files, &["graph", "workflow.xml", "--format", format]);
        let of_menu = drawn.lines().filter(|line| line.starts_with("  n3 -"));
        of_menu.map(str::trim).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(arrows("mermaid"), @r##"
    n3 -->|"g / #quot;b|"| n1
    n3 -.->|again| n3
    n3 -->|"n"| n4
    "##);
    insta::assert_snapshot!(arrows("dot"), @r#"
    n3 -> n1 [label="g / \"b|"];
    n3 -> n3 [label="again", style=dashed];
    n3 -> n4 [label="n"];
    "#);
    let svg = picture(&files, &["graph", "workflow.xml", "--format", "svg"]);
    assert!(shown(&svg).contains(&"g / &quot;b|".to_owned()), "{svg}");
}

#[test]
fn what_xml_cannot_hold_is_escaped_or_replaced() {
    let text = "<workflow>\n<step n=\"1\" goal=\"a &lt; b &amp;&amp; &quot;c&quot; 🎉 and 决定 twice\">\n<action>ring \u{7} and \u{1b}[1m</action>\n</step>\n</workflow>\n";
    let svg = picture(&[("workflow.xml", text)], &["graph", "workflow.xml", "--format", "svg"]);
    assert_eq!(
        shown(&svg)[1..],
        [
            "1: a &lt; b &amp;&amp; &quot;c&quot; 🎉 and",
            "决定 twice",
            "do: ring \u{fffd} and \u{fffd}[1m",
            "end"
        ]
    );
}

#[test]
fn a_step_file_means_its_workflow_and_a_folder_the_workflow_in_it() {
    let folder = folder_with(&[
        (
            "trip/workflow.md",
            "---\nname: trip\n---\n\nRead fully and follow: `./steps/step-01-pack.md`\n",
        ),
        ("trip/steps/step-01-pack.md", "# Step 1: Pack\n\nPack the bags.\n"),
    ]);
    let home = bmad_in(folder.path(), &["graph", "trip/workflow.md"]);
    assert!(home.output.contains("1: Pack"), "{}", home.output);
    assert_eq!(bmad_in(folder.path(), &["graph", "trip/steps/step-01-pack.md"]), home);
    assert_eq!(bmad_in(folder.path(), &["graph", "trip"]), home);
}

#[test]
fn of_several_workflows_the_first_is_drawn_and_named() {
    let one = "<task><flow><step n=\"1\"><action>One.</action></step></flow></task>";
    let folder = folder_with(&[("tasks/b.xml", one), ("tasks/a.xml", one)]);
    let ended = bmad_in(folder.path(), &["graph", "tasks"]);
    assert_eq!(ended.code, 0);
    insta::assert_snapshot!(ended.errors, @"note: `tasks` means 2 workflows; this is `a.xml`");
}

#[test]
fn a_file_without_a_workflow_is_a_usage_error() {
    let folder = folder_with(&[("notes.md", "# Notes\n")]);
    let ended = bmad_in(folder.path(), &["graph", "notes.md"]);
    assert_eq!((ended.code, ended.output.as_str()), (2, ""));
    insta::assert_snapshot!(ended.errors, @r"
    error: `notes.md` is part of no workflow
      hint: give a workflow.yaml, a workflow.md, a SKILL.md, an XML file with `<workflow>` or `<task>`, or a folder with one
      hint: `bmad explain notes.md` says what the engine makes of it
    ");
}

/// Writes a workflow of so many steps, each with branches and jumps that `next` chooses.
fn tangle(steps: usize, mut next: impl FnMut(usize) -> usize) -> String {
    let mut text = String::from("<workflow name=\"tangle\">\n");
    for step in 1..=steps {
        text.push_str(&format!("<step n=\"{step}\">\n"));
        for _ in 0..next(5) {
            let to = next(steps) + 1;
            text.push_str(&match next(6) {
                0 => format!("<goto step=\"{to}\"/>\n"),
                1 => format!("<goto step=\"{to}\" if=\"{{x}} == {to}\"/>\n"),
                2 => "<check if=\"{x} == 1\"><check if=\"{y} == 2\"><action>a</action></check></check>\n".to_owned(),
                3 => "<menu name=\"m\" text=\"?\"><option key=\"a\" label=\"A\" again=\"true\"/><option key=\"b\" label=\"B\"><halt reason=\"b\"/></option></menu>\n".to_owned(),
                4 => "<loop max=\"3\"><loop max=\"2\"><action>again</action></loop></loop>\n".to_owned(),
                _ => format!("<call path=\"./{to}.xml\"/>\n"),
            });
        }
        text.push_str("</step>\n");
    }
    text.push_str("</workflow>\n");
    text
}

#[test]
fn no_graph_is_too_tangled_to_draw() {
    let mut state = 7_u64;
    for steps in [1, 2, 3, 5, 8, 13, 21, 34] {
        let next = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let text = tangle(steps, next);
        let svg = picture(
            &[("workflow.xml", &text)],
            &["graph", "workflow.xml", "--format", "svg"],
        );
        assert!(shown(&svg).len() > steps, "{text}");
    }
}

#[test]
fn a_long_chain_of_branches_is_drawn_at_once() {
    let branches =
        "<check if=\"{x} == 1\"><action>a</action></check><check if=\"{x} == 2\"><action>b</action></check>\n"
            .repeat(25);
    let text = format!("<workflow><step n=\"1\">\n{branches}</step></workflow>");
    let svg = picture(
        &[("workflow.xml", &text)],
        &["graph", "workflow.xml", "--format", "svg"],
    );
    assert_eq!(shown(&svg).iter().filter(|text| *text == "then").count(), 50);
}

#[test]
fn a_large_workflow_is_drawn_by_its_steps_and_calls() {
    let actions = "<output>one</output><ask>two?</ask>".repeat(100);
    let text = format!(
        "<workflow><step n=\"1\" goal=\"Long\">{actions}</step><step n=\"2\" goal=\"Short\"><call path=\"./a.xml\"/></step></workflow>"
    );
    let svg = picture(
        &[("workflow.xml", &text)],
        &["graph", "workflow.xml", "--format", "svg"],
    );
    assert!(
        svg.contains("<!-- too large to draw whole: only steps and calls are shown -->"),
        "{svg}"
    );
    assert_eq!(shown(&svg), ["start", "1: Long", "2: Short", "call: ./a.xml", "end"]);
}

#[test]
fn a_workflow_of_a_thousand_steps_shows_the_first_and_says_how_many_more() {
    let steps: String = (1..=1000)
        .map(|step| format!("<step n=\"{step}\"><action>a</action></step>\n"))
        .collect();
    let text = format!("<workflow>{steps}</workflow>");
    let svg = picture(
        &[("workflow.xml", &text)],
        &["graph", "workflow.xml", "--format", "svg"],
    );
    let texts = shown(&svg);
    assert_eq!(texts[..3], ["start", "1", "2"]);
    let last = texts.last().unwrap();
    assert!(last.ends_with(" more, end"), "{last}");
}
