//! Every agent that has a stand-in, through the lab: whatever goes wrong with a program is told for what it is.

use bmad::drivers::lab::{certify, knows, scenarios};
use bmad::drivers::{DRIVERS, Options};
use bmad::os::Disk;
use bmad::os::clock::SystemClock;
use std::sync::Arc;

#[test]
#[ignore = "ten minutes: every scenario of the lab with every agent"]
fn certify_every_agent_that_has_a_stand_in() {
    assert!(scenarios().len() >= 40, "{}", scenarios().len());
    let agents: Vec<&'static str> = DRIVERS
        .iter()
        .map(|kind| kind.name)
        .filter(|name| knows(name))
        .collect();
    assert!(knows("acp"), "one speaks the protocol");
    // Everybody with a command line has one.
    let speaks = |name: &str| {
        let kind = DRIVERS.iter().find(|kind| kind.name == name);
        kind.and_then(|kind| kind.card)
            .is_some_and(|card| !card.program.is_empty())
    };
    let mute: Vec<&str> = DRIVERS
        .iter()
        .map(|kind| kind.name)
        .filter(|name| speaks(name) && !knows(name))
        .collect();
    assert_eq!(mute, [""; 0], "they have no stand-in");
    let mut wrong = Vec::new();
    for agent in agents {
        let folder = tempfile::tempdir().unwrap();
        let mut options = Options::new(Arc::new(Disk), folder.path());
        options.environment = vec![("PATH".to_owned(), std::env::var("PATH").unwrap())];
        options.clock = Some(Arc::new(SystemClock));
        let report = certify(agent, "", &options, folder.path()).unwrap();
        let left_out = report.findings.iter().filter(|finding| finding.left_out).count();
        println!(
            "{agent}: {} played, {left_out} left out",
            report.findings.len() - left_out
        );
        assert!(report.findings.len() - left_out >= 39, "{agent}");
        for finding in report.findings {
            wrong.extend(finding.wrong.map(|why| format!("{agent}, {}: {why}", finding.scenario)));
        }
    }
    assert_eq!(wrong, [""; 0]);
}
