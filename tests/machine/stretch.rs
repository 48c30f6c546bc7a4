//! Much that is run without asking for anything.

use super::{project, returned, willing};
use bmad::machine::{Effect, Image, Machine, Options};

#[test]
fn a_long_stretch_is_run_in_parts_and_nothing_is_asked_for_before_its_end() {
    let loaded = project([(
        "flow.xml",
        r#"<workflow name="W"><step n="1" goal="a"><parallel for="i in a, b">
        <output>{i} begins</output>
        <loop max="20000" index="n" if="{i} == b"><set name="last" value="{n}"/></loop>
        <output>{i} ends</output></parallel></step></workflow>"#,
    )]);
    let image = Image::new(&loaded.library, &loaded.workflows, &loaded.program);
    let options = Options {
        fuel: 1_000_000,
        ..Options::default()
    };
    let at = (0..loaded.workflows.len()).find(|at| loaded.workflows[*at].name == "W");
    let mut machine = Machine::new(&image, at.unwrap(), options);
    let mut others = willing(&[]);
    let (mut issued, mut shown, mut parts) = (machine.advance(Vec::new()), Vec::new(), 0);
    while !issued.is_empty() {
        let outcomes = issued.drain(..).map(|issued| {
            shown.extend(match &issued.effect {
                Effect::Show { text, .. } => Some(text.clone()),
                _ => None,
            });
            returned(&issued, others(&issued).unwrap())
        });
        issued = machine.advance(outcomes.collect());
        while machine.is_busy() {
            assert!(issued.is_empty());
            parts += 1;
            issued = machine.advance(Vec::new());
        }
    }
    assert_eq!(shown, ["a begins", "b begins", "a ends", "b ends"]);
    assert!(parts > 0 && machine.end().is_some());
}
