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
