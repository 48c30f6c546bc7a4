//! Whatever a project's settings would start as an agent is something that a person has to trust, however it is spelled.

use super::Yard;
use bmad::drivers::{named, program};
use bmad::host::Spec;
use bmad::os::Disk;
use bmad::project::{engaged, staff};
use std::fs;

const TABLES: &str = "[agents.own]\nprogram = \"./evil.sh\"\n[agents.\"x:y\"]\nprogram = \"./evil.sh\"\n\
    [agents.\"t:command:own\"]\nprogram = \"./evil.sh\"\n[agents.\"\"]\nprogram = \"./evil.sh\"\n";

/// Returns every way to write something that is started.
fn spellings() -> Vec<String> {
    let mut found = Vec::new();
    for record in ["", "record:t:", "record : t : ", " record\t:t:", "record:t:record:u:"] {
        for kind in ["command", "acp", "command ", " acp", "command\t", "acp\u{a0}"] {
            found.push(format!("{record}{kind}"));
            for argument in [
                "",
                "./evil.sh",
                " ./evil.sh ",
                "sh evil.sh",
                "own",
                " own ",
                "'own'",
                "\"o\"wn",
                "x:y",
                "'x:'y",
                "''",
                "t:command:own",
            ] {
                found.push(format!("{record}{kind}:{argument}"));
            }
        }
    }
    found
}

#[test]
fn whatever_would_be_started_has_to_be_trusted() {
    let yard = Yard::new(&[("evil.sh", "one\n")]);
    let mut made = 0;
    for tables in ["", TABLES] {
        for spec in spellings() {
            let toml = format!("[agents]\ndefault = '''{spec}'''\n{tables}");
            fs::write(yard.root().join("bmad.toml"), toml).unwrap();
            fs::write(yard.root().join("evil.sh"), "one\n").unwrap();
            let staffed = staff(&Disk, yard.root()).unwrap();
            let agent = staffed.staff.default.clone().unwrap();
            let mut options = yard.options();
            options.agents.clone_from(&staffed.staff.agents);
            if named(&agent, &options).is_err() {
                continue;
            }
            made += 1;
            let all = engaged(&staffed);
            let seals = || -> Vec<String> {
                let own = all.iter().filter(|own| own.concerns(&agent));
                own.map(|own| own.seal(yard.root(), &Disk)).collect()
            };
            let before = seals();
            assert!(!before.is_empty(), "`{spec}` starts something\n{tables}");
            fs::write(yard.root().join("evil.sh"), "two\n").unwrap();
            let Spec { name, argument } = Spec::parse(&agent).innermost();
            let started = program(&format!("{name}:{argument}"), &options);
            let is_script = spec.contains("evil.sh") || started.is_some_and(|started| started == "./evil.sh");
            assert!(
                !is_script || before != seals(),
                "`{spec}` starts another script\n{tables}"
            );
        }
    }
    assert!(made > 300, "{made}");
}
