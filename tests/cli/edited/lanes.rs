//! Lanes of a workflow that is edited.

use super::{CONF, SHIP, calls, edit, exec, holds, place, resume, trust};

#[test]
fn lanes_know_that_what_came_before_them_changed() {
    let body = format!(
        "{CONF}<run command=\"TOOL seq\"/><parallel into=\"r\"><run command=\"TOOL one\"/><run command=\"TOOL two\"/></parallel>{SHIP}"
    );
    let place = place(&body);
    trust(&place);
    assert_eq!(exec(&place).code, 3);
    edit(&place, &body.replace("debug", "release"));
    let resumed = resume(&place, &[]);
    assert_eq!(resumed.code, 3, "{}", resumed.errors);
    for built in ["seq", "one", "two"] {
        assert_eq!(holds(&place, &format!("built-{built}.txt")), "release", "{built}");
    }
}

#[test]
fn what_follows_lanes_knows_that_one_of_them_changed() {
    let body = format!(
        "<parallel><output file=\"{{project-root}}/conf.txt\">debug</output><run command=\"TOOL beside\"/></parallel><run command=\"TOOL behind\"/>{SHIP}"
    );
    let place = place(&body);
    trust(&place);
    assert_eq!((exec(&place).code, calls(&place).as_str()), (3, "beside behind"));
    edit(&place, &body.replace("debug", "release"));
    let resumed = resume(&place, &[]);
    assert_eq!(resumed.code, 3, "{}", resumed.errors);
    assert_eq!(holds(&place, "built-behind.txt"), "release");
    // Lanes beside each other know nothing of each other.
    assert_eq!(calls(&place), "beside behind behind");
}

#[test]
fn what_the_run_wrote_again_is_not_written_over_when_another_lane_differs() {
    let file = |text: &str, more: &str| format!("<output file=\"{{project-root}}/x.md\"{more}>{text}</output>");
    let body = format!(
        "{}<parallel for=\"it in a, b, c, d\" into=\"r\"><run command=\"TOOL old\"/>{}</parallel>{SHIP}",
        file("one", ""),
        file("two", " if=\"{it} == a\"")
    );
    let place = place(&body);
    trust(&place);
    assert_eq!((exec(&place).code, holds(&place, "x.md").as_str()), (3, "two"));
    edit(&place, &body.replace("TOOL old", "TOOL new"));
    trust(&place);
    let resumed = resume(&place, &[]);
    assert_eq!(resumed.code, 3, "{}", resumed.errors);
    assert_eq!(holds(&place, "x.md"), "two");
}
