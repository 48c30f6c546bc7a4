//! Reports, rounds and states.

use crate::builtins::given::json;
use crate::builtins::{Value, run};
use serde_json::{Value as Json, json as j};

const TEXT: &str = "# Goals\n\nIt must be fast enough for daily use.\n\n# Retries\n\nA failed call is retried with a growing delay.\n\n- The first try is free.\n- Every other try costs 3.\n";

fn merge_with(given: Json) -> Json {
    let mut all = j!({"found": [], "content": TEXT, "round": 1});
    let Json::Object(given) = given else { panic!() };
    for (name, value) in given {
        all[name] = value;
    }
    let Json::Object(all) = all else { panic!() };
    let given: Vec<(&str, Value)> = all
        .iter()
        .map(|(name, value)| (name.as_str(), json(value.clone())))
        .collect();
    serde_json::to_value(run("merge-findings", &given).unwrap()).unwrap()
}

fn merge(found: Json) -> Json {
    merge_with(j!({"found": found}))
}

fn no_end(severity: &str) -> Json {
    j!({"severity": severity, "category": "gap", "claim": "The retry rule does not say when retrying ends",
        "place": {"file": "a.md", "section": "Retries", "quote": "A failed call is retried with a growing delay."}, "evidence": "read it"})
}

fn forever(severity: &str) -> Json {
    j!({"severity": severity, "category": "failure mode analysis", "claim": "There is no limit to how often a failed call is repeated",
        "place": {"section": "Retries", "quote": "retried with a growing delay"}, "evidence": "asked", "votes": {"high": 2, "low": 1}})
}

fn vague() -> Json {
    j!({"severity": "low", "category": "vague", "claim": "The word fast carries no number", "place": {"section": "Goals", "quote": "fast enough"}})
}

fn whys(merged: &Json) -> Vec<String> {
    let aside = merged["set_aside"].as_array().unwrap();
    aside
        .iter()
        .map(|entry| entry["why"].as_str().unwrap().to_owned())
        .collect()
}

fn states(merged: &Json) -> Vec<String> {
    let findings = merged["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|finding| {
            format!(
                "{} {}",
                finding["id"].as_str().unwrap(),
                finding["state"].as_str().unwrap()
            )
        })
        .collect()
}

#[test]
fn two_reviewers_who_say_the_same_make_one_finding() {
    let replies = j!([
        {"agent": "one", "status": "done", "findings": [no_end("medium")]},
        {"agent": "two", "status": "done", "findings": [forever("BLOCKER"), vague()]}
    ]);
    let merged = merge(replies);
    assert_eq!(states(&merged), ["F-1 open", "F-2 open"]);
    let first = &merged["findings"][0];
    assert_eq!(first["severity"], "critical");
    assert_eq!(first["reviewers"], j!(["two", "one"]));
    assert_eq!(first["votes"], j!({"high": 2, "low": 1}));
    assert_eq!(
        first["evidence"],
        j!([
            "two: asked",
            "one: \"The retry rule does not say when retrying ends\": read it"
        ])
    );
    assert_eq!(merged["agreement"], j!({"reviewer_count": 2, "aligned_count": 2}));
    assert_eq!(
        merged["text"],
        "- F-1 (critical): There is no limit to how often a failed call is repeated [Retries]\n- F-2 (low): The word fast carries no number [Goals]"
    );
}

#[test]
fn who_answered_first_decides_nothing() {
    let one = j!({"agent": "one", "status": "done", "findings": [no_end("high"), vague()]});
    let two = j!({"agent": "two", "status": "done", "findings": [vague(), forever("high")]});
    let both = merge(j!([one, two]));
    let turned = merge(j!([two, one]));
    assert_eq!(both, turned);
}

#[test]
fn agreement_is_the_most_that_say_the_same() {
    let reply = |agent: &str, findings: Json| j!({"agent": agent, "status": "done", "findings": findings});
    let agreement = |replies: Json| merge(replies)["agreement"].clone();
    let nothing = agreement(j!([reply("a", j!([])), reply("b", j!([])), reply("c", j!([]))]));
    assert_eq!(nothing, j!({"reviewer_count": 3, "aligned_count": 3}));
    let split = agreement(j!([
        reply("a", j!([vague()])),
        reply("b", j!([no_end("low")])),
        reply("c", j!([]))
    ]));
    assert_eq!(split, j!({"reviewer_count": 3, "aligned_count": 1}));
    let failed = agreement(j!([reply("a", j!([])), {"agent": "b", "status": "failed"}]));
    assert_eq!(failed, j!({"reviewer_count": 1, "aligned_count": 1}));
    assert_eq!(
        agreement(j!([vague(), forever("low")])),
        j!({"reviewer_count": 1, "aligned_count": 1})
    );
    assert_eq!(agreement(j!([])), j!({"reviewer_count": 0, "aligned_count": 0}));
}

#[test]
fn a_report_whose_place_is_not_there_is_set_aside_with_the_reason() {
    let at = |place: Json| j!({"claim": "c", "place": place});
    let merged = merge(j!([
        at(j!({"section": "Nowhere"})), at(j!({"quote": "never written"})), at(j!({"file": "../a.md", "section": "Goals"})),
        at(j!({"file": "/etc/passwd", "section": "Goals"})), {"severity": "high"}, {"claim": "c", "severity": "purple"}, "text", 7, null
    ]));
    assert_eq!(states(&merged), Vec::<String>::new());
    insta::assert_debug_snapshot!(whys(&merged), @r#"
    [
        "it makes no claim",
        "its severity `purple` is none of critical, high, medium, low",
        "a finding is a map with a claim; this is text",
        "a finding is a map with a claim; this is a number",
        "a finding is a map with a claim; this is nothing",
        "its quote is not in the text under review",
        "no section of the text under review is called `Nowhere`",
        "the path `../a.md` leads out of the project",
        "the path `/etc/passwd` leads out of the project",
    ]
    "#);
}

#[test]
fn what_matters_and_has_no_place_is_told_for_the_round_that_reported_it() {
    let at = |severity: &str| j!({"claim": severity, "severity": severity, "place": {"quote": "never written"}});
    let found = j!([at("low"), at("critical"), at("purple"), "text", null]);
    let merged = merge(found.clone());
    insta::assert_debug_snapshot!(merged["unplaced"], @r#"
    Array [
        String("purple (its severity `purple` is none of critical, high, medium, low)"),
        String("text (a finding is a map with a claim; this is text)"),
        String("critical (its quote is not in the text under review)"),
    ]
    "#);
    let all = merge_with(j!({"found": found, "material": "low", "round": 1}));
    assert_eq!(all["unplaced"][1], "low (its quote is not in the text under review)");
    let later = merge_with(j!({"set_aside": merged["set_aside"], "round": 2}));
    assert_eq!(later["unplaced"], j!([]));
}

#[test]
fn nothing_of_a_report_that_is_set_aside_is_lost() {
    let report =
        j!({"claim": "c", "place": {"quote": "never written"}, "evidence": "e", "colour": "red", "reviewer": "one"});
    let merged = merge(j!([report]));
    assert_eq!(merged["set_aside"][0]["report"], report);
    assert_eq!(merged["set_aside"][0]["reviewer"], "one");
    let later = merge_with(j!({"set_aside": merged["set_aside"], "round": 2}));
    assert_eq!(later["set_aside"], merged["set_aside"]);
}

#[test]
fn a_wrong_section_around_a_right_quote_is_put_right() {
    let merged = merge(j!([{"claim": "c", "place": {"section": "Nowhere", "quote": "fast   enough\nfor daily"}}]));
    assert_eq!(merged["findings"][0]["place"]["section"], "Goals");
}

#[test]
fn a_known_finding_keeps_its_identifier_however_it_is_worded_and_wherever_it_moved() {
    let known = merge(j!([no_end("high"), vague()]));
    let moved = format!("# Preface\n\nMore.\n\n{TEXT}");
    let again = merge_with(j!({"found": [forever("low")], "known": known["findings"], "content": moved, "round": 2}));
    assert_eq!(states(&again), ["F-1 open", "F-2 open"]);
    assert_eq!(again["new"], j!([]));
    assert_eq!(again["findings"][0]["severity"], "high");
}

fn with_state(state: &str) -> Json {
    let mut known = merge(j!([no_end("high")]))["findings"].clone();
    known[0]["state"] = j!(state);
    known
}

#[test]
fn a_fixed_finding_that_comes_back_is_regressed_and_the_second_time_oscillating() {
    let once = merge_with(j!({"found": [no_end("high")], "known": with_state("fixed"), "round": 2}));
    assert_eq!(
        (states(&once), &once["oscillating"]),
        (vec!["F-1 regressed".to_owned()], &j!([]))
    );
    let mut fixed_again = once["findings"].clone();
    fixed_again[0]["state"] = j!("fixed");
    let twice = merge_with(j!({"found": [no_end("high")], "known": fixed_again, "round": 3}));
    assert_eq!(states(&twice), ["F-1 regressed"]);
    assert_eq!(twice["oscillating"][0]["id"], "F-1");
}

#[test]
fn a_fixed_finding_is_known_again_after_its_text_was_rewritten() {
    let rewritten = TEXT.replace(
        "A failed call is retried with a growing delay.",
        "Calls that fail are tried four more times.",
    );
    let report = j!({"claim": "The retry rule does not say when retrying ends",
        "place": {"section": "Retries", "quote": "Calls that fail are tried four more times."}});
    let again = merge_with(j!({"found": [report], "known": with_state("fixed"), "content": rewritten, "round": 2}));
    assert_eq!(states(&again), ["F-1 regressed"]);
}

#[test]
fn a_dismissed_finding_stays_dismissed_unless_its_text_changed() {
    let same = merge_with(j!({"found": [no_end("high")], "known": with_state("dismissed"), "round": 2}));
    assert_eq!(states(&same), ["F-1 dismissed"]);
    assert_eq!(
        whys(&same),
        ["F-1 is dismissed (reported) and its place has not changed"]
    );
    let elsewhere = TEXT.replace("daily", "weekly");
    let still =
        merge_with(j!({"found": [no_end("high")], "known": with_state("dismissed"), "content": elsewhere, "round": 2}));
    assert_eq!(states(&still), ["F-1 dismissed"]);
    let changed = TEXT.replace("growing delay.", "growing delay. Nobody is told.");
    let open =
        merge_with(j!({"found": [no_end("high")], "known": with_state("dismissed"), "content": changed, "round": 2}));
    assert_eq!(states(&open), ["F-1 open"]);
}

#[test]
fn deferred_and_blocked_ones_stay_what_they_are() {
    for state in ["deferred", "blocked", "in-progress", "regressed"] {
        let again = merge_with(j!({"found": [no_end("high")], "known": with_state(state), "round": 2}));
        assert_eq!(states(&again), [format!("F-1 {state}")]);
    }
}

#[test]
fn identifiers_go_on_after_the_last_one() {
    let known = j!([{"id": "F-7", "claim": "gone", "place": {"section": "Goals"}}]);
    let merged = merge_with(j!({"found": [no_end("low"), vague()], "known": known, "round": 2}));
    assert_eq!(states(&merged), ["F-7 open", "F-8 open", "F-9 open"]);
}

#[test]
fn several_files_are_reviewed_at_once() {
    let content = j!([{"path": "docs/a.md", "text": TEXT}, {"path": "docs/b.md", "text": TEXT}]);
    let at = |file: &str| {
        let mut report = no_end("high");
        report["place"]["file"] = j!(file);
        report
    };
    let merged = merge_with(j!({"found": [at("docs/a.md"), at("b.md"), at("docs/c.md"), at("")], "content": content}));
    let files: Vec<&str> = merged["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["place"]["file"].as_str().unwrap())
        .collect();
    assert_eq!(files, ["docs/a.md", "docs/b.md"]);
    assert_eq!(
        whys(&merged),
        [
            "it names no file, and several are under review",
            "the file `docs/c.md` is not under review"
        ]
    );
}

#[test]
fn a_finding_without_a_place_is_about_the_text_as_a_whole() {
    let merged = merge(
        j!([{"severity": "low", "claim": "The title is long"}, {"severity": "low", "claim": "The title is too long"}]),
    );
    assert_eq!(states(&merged), ["F-1 open"]);
    assert_eq!(merged["findings"][0]["anchor"], "");
}

#[test]
fn no_value_is_too_odd() {
    for odd in [
        j!(null),
        j!(7),
        j!("x"),
        j!(true),
        j!([[[[7]]]]),
        j!({"findings": {"findings": 7}}),
        j!([{"claim": {"claim": []}}]),
    ] {
        for name in ["found", "known", "content", "set_aside"] {
            merge_with(j!({"found": [no_end("low")], name: odd}));
        }
    }
}

#[test]
fn ten_thousand_reports_are_all_accounted_for() {
    let one = |at: usize| match at % 4 {
        0 => {
            j!({"claim": format!("Claim {at} about the retry limit"), "place": {"section": "Retries", "quote": "A failed call"}})
        }
        1 => j!({"claim": format!("The word number {at} is vague"), "place": {"section": "Goals"}}),
        2 => j!({"claim": "c", "place": {"quote": format!("never written {at}")}}),
        _ => j!(at),
    };
    let found: Vec<Json> = (0..10_000).map(one).collect();
    let merged = merge(j!([{"agent": "a", "status": "done", "findings": found}]));
    let count = |name: &str| merged[name].as_array().unwrap().len();
    assert_eq!((count("findings"), count("set_aside")), (5_000, 5_000));
}

#[test]
fn the_same_reports_in_any_order_give_the_same_list() {
    let quotes = [
        "It must be fast enough for daily use.",
        "A failed call is retried with a growing delay.",
        "The first try is free.",
        "costs 3",
    ];
    let claims = [
        "The limit is missing",
        "No limit is given",
        "It is vague",
        "What it means is unclear",
        "The delay has no upper bound",
        "It contradicts the 5 seconds of the overview",
        "The price has no source",
        "Nobody is named who pays",
    ];
    let severities = ["low", "high", "medium", "critical"];
    let mut reports: Vec<Json> = Vec::new();
    for (at, claim) in claims.iter().cycle().take(64).enumerate() {
        let quote = quotes[(at * 7 + at / 8) % 4];
        reports.push(j!({"claim": claim, "severity": severities[at % 3], "reviewer": format!("r{}", at % 5), "place": {"quote": quote}}));
    }
    let first = merge(j!(reports));
    for turn in 1..12 {
        let by = [5, 7, 11, 13][turn % 4];
        let turned: Vec<Json> = (0..64).map(|at| reports[(at * by + turn) % 64].clone()).collect();
        assert_eq!(merge(j!(turned)), first, "{turn}");
    }
}

#[test]
fn line_numbers_and_moved_paragraphs_change_nothing() {
    let offline = |line: u32| {
        j!({"check": "placeholder", "category": "placeholder", "severity": "medium", "file": "a.md", "line": line,
        "quote": "The first try is free.", "message": "a placeholder is left", "claim": "a placeholder is left", "anchor": "abc",
        "place": {"file": "a.md", "section": "Retries", "quote": "The first try is free."}})
    };
    let merged = merge(j!([offline(9), offline(12)]));
    assert_eq!(states(&merged), ["F-1 open"]);
    let again = merge_with(
        j!({"found": [offline(40)], "known": merged["findings"], "content": format!("More.\n\n{TEXT}"), "round": 2}),
    );
    assert_eq!((states(&again), &again["new"]), (vec!["F-1 open".to_owned()], &j!([])));
}
