//! Runs that are removed.

use super::place::Place;

#[test]
fn a_run_that_is_over_goes_with_all_that_was_kept_for_it() {
    let place = Place::with_run();
    let ended = place.call(&["runs", "--remove", "last"]);
    assert_eq!((ended.code, ended.errors.as_str()), (0, ""));
    assert_eq!(
        ended.output,
        "removed 20261115-061605-0000  completed  flow/workflow.yaml\n"
    );
    assert!(!place.run().exists());
    assert!(place.read("docs/page.md").is_some());
    let again = place.call(&["runs", "--remove", "20261115-061605-0000"]);
    assert_eq!(again.code, 2, "{}", again.errors);
}

#[test]
fn a_run_that_could_go_on_stays_unless_it_is_forced() {
    let place = Place::with(&[(
        "w.xml",
        "<workflow name=\"W\"><step n=\"1\" goal=\"a\"><ask>Which?</ask></step></workflow>",
    )]);
    assert_eq!(place.exec("w.xml", "script:--ack").code, 3);
    let ended = place.call(&["runs", "--remove", "last"]);
    assert_eq!((ended.code, ended.output.as_str()), (2, ""));
    insta::assert_snapshot!(ended.errors, @r"
    error: run 20261115-061605-0000 is waiting, and nothing was removed
      hint: `bmad resume 20261115-061605-0000` goes on with it
      hint: `bmad runs --remove 20261115-061605-0000 --force` removes it all the same
    ");
    assert_eq!(
        place.call(&["runs", "--remove-older", "0"]).output,
        "nothing to remove\n"
    );
    assert!(place.run().exists());
    let forced = place.call(&["runs", "--remove-older", "0", "--force", "--json"]);
    assert_eq!(
        forced.output,
        "{\"removed\":\"20261115-061605-0000\",\"state\":\"waiting\"}\n"
    );
    assert!(!place.run().exists());
    assert_eq!(place.call(&["runs", "--force"]).code, 2);
}

#[test]
fn a_run_is_old_once_it_ended_so_many_days_ago() {
    let place = Place::with_run();
    let kept = place.call(&["runs", "--remove-older", "40000"]);
    assert_eq!((kept.code, kept.output.as_str()), (0, "nothing to remove\n"));
    assert!(place.run().exists());
}

#[test]
fn reviews_are_told_apart_by_what_they_review_and_how_they_ended() {
    let place = Place::with(&[
        ("a.md", "# A\n\nSee [b](gone.md).\n"),
        ("b.md", "# B\n\nAll is well.\n"),
        ("bmad.toml", "[review_loop]\nchecks = [\"true\"]\n"),
    ]);
    assert_eq!(place.call(&["review", "a.md", "--non-interactive"]).code, 1);
    assert_eq!(place.call(&["review", "b.md", "--non-interactive"]).code, 0);
    let listed = place.call(&["runs"]).output;
    let told: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(_, told)| told)
        .collect();
    assert_eq!(
        told,
        [
            "completed    review of a.md: user-stop",
            "completed    review of b.md: complete"
        ]
    );
    let json = place.call(&["runs", "--json"]).output;
    assert!(
        json.contains("\"outcome\":\"complete\"") && json.contains("\"section\":\"b.md\""),
        "{json}"
    );
    let trusted = place.call(&["trust", "bmad.toml", "--list"]).output;
    assert!(
        trusted.contains("(of review-loop.xml of the standard library, not trusted)"),
        "{trusted}"
    );
}

#[test]
fn a_run_that_was_rolled_back_is_listed_as_that() {
    let place = Place::with_run();
    assert_eq!(place.call(&["rollback", "last", "--to", "1", "--yes"]).code, 0);
    let listed = place.call(&["runs"]).output;
    assert!(listed.contains("  rolled back  flow/workflow.yaml"), "{listed}");
}
