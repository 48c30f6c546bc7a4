//! What the system does not open: said, never passed over.

use super::{bmad_in, folder_with};
use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt as _;

const ASTRAY: &str = "<workflow name=\"A\"><step n=\"1\" goal=\"g\"><goto step=\"9\"/></step></workflow>\n";

#[test]
fn what_is_in_a_closed_folder_is_not_said_to_be_missing() {
    let folder = folder_with(&[("m/a.xml", ASTRAY), ("m/secret/b.xml", ASTRAY)]);
    let secret = folder.path().join("m/secret");
    set_permissions(&secret, Permissions::from_mode(0o000)).unwrap();
    if std::fs::read_dir(&secret).is_ok() {
        println!("skipped: whoever may read everything, as root may, cannot be shown this");
        return;
    }
    let checked = bmad_in(folder.path(), &["lint", "m"]);
    assert!(
        checked.output.contains("the folder cannot be opened"),
        "{}",
        checked.output
    );
    let left_out = bmad_in(folder.path(), &["lint", "m", "--exclude", "secret"]);
    assert!(!left_out.output.contains("unreadable-file"), "{}", left_out.output);
    for command in ["lint", "graph", "explain"] {
        for path in ["m/secret", "m/secret/b.xml"] {
            let ended = bmad_in(folder.path(), &[command, path]);
            assert_eq!(ended.code, 1, "{command} {path}");
            let said = format!("error: `{path}` cannot be looked at: permission denied");
            assert!(ended.errors.starts_with(&said), "{}", ended.errors);
        }
    }
    set_permissions(&secret, Permissions::from_mode(0o700)).unwrap();
}
