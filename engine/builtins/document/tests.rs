//! Places in texts.

use super::{Documents, Meant, heading_key, text_hash};
use crate::builtins::finding::Place;
use crate::builtins::given::json;
use serde_json::json as j;

const TEXT: &str = "---\ntitle: x\n---\n\nAn introduction.\n\n# 1. Goals\n\nIt must be fast\nenough.\n\n- first item\n- second item\n\n```\n# not a heading\n```\n\n## 1.1 Retries\n\nA call is retried.\n\n# Costs\n\nA call is paid. FR-3 says so.\n";

fn documents() -> Documents {
    Documents::read(&json(j!(TEXT)))
}

fn place(section: &str, quote: &str) -> Place {
    Place {
        file: String::new(),
        section: section.to_owned(),
        quote: quote.to_owned(),
    }
}

fn anchored(section: &str, quote: &str) -> Result<String, String> {
    let documents = documents();
    let spot = documents.spot(&place(section, quote))?;
    let text = documents.anchored(&spot).unwrap_or("the whole").trim().to_owned();
    Ok(format!("{}|{text}", documents.section_name(&spot)))
}

#[test]
fn a_quote_is_about_its_paragraph_or_item() {
    assert_eq!(
        anchored("Goals", "must be fast enough"),
        Ok("1. Goals|It must be fast\nenough.".to_owned())
    );
    assert_eq!(anchored("", "second item"), Ok("1. Goals|- second item".to_owned()));
    assert_eq!(anchored("", "An introduction"), Ok("|An introduction.".to_owned()));
}

#[test]
fn a_section_is_about_all_that_stands_in_it() {
    let retries = "1.1 Retries|## 1.1 Retries\n\nA call is retried.".to_owned();
    for name in [
        "Retries",
        "1.1 Retries",
        "## 1.1 Retries",
        "section 1.1 retries",
        "Goals > Retries",
        "Retries section",
    ] {
        assert_eq!(anchored(name, ""), Ok(retries.clone()), "{name}");
    }
    assert!(anchored("Goals", "").unwrap().contains("A call is retried."));
}

#[test]
fn a_quote_in_the_wrong_section_is_taken_where_it_stands() {
    assert_eq!(
        anchored("Nowhere", "A call is paid"),
        Ok("Costs|A call is paid. FR-3 says so.".to_owned())
    );
    assert_eq!(
        anchored("Costs", "A call is"),
        Ok("Costs|A call is paid. FR-3 says so.".to_owned())
    );
}

#[test]
fn what_is_not_there_is_said_to_be_not_there() {
    assert_eq!(
        anchored("Nowhere", ""),
        Err("no section of the text under review is called `Nowhere`".to_owned())
    );
    assert!(anchored("not a heading", "").is_err());
    assert_eq!(
        anchored("Goals", "must be slow"),
        Err("its quote is not in the text under review".to_owned())
    );
}

#[test]
fn an_identifier_in_the_text_is_a_place() {
    assert_eq!(
        anchored("FR-3", ""),
        Ok("Costs|A call is paid. FR-3 says so.".to_owned())
    );
    assert!(anchored("FR-30", "").is_err());
}

#[test]
fn code_has_names_and_no_headings() {
    let documents = Documents::read(&json(
        j!([{"path": "src/a.rs", "text": "# no heading\nfn load_all() {\n    parse()\n}\n"}]),
    ));
    let find = |section: &str| {
        documents.spot(&Place {
            file: "src/a.rs:2".to_owned(),
            ..place(section, "")
        })
    };
    assert!(find("load_all()").is_ok());
    assert!(find("load").is_err());
    assert!(find("no heading").is_ok());
}

#[test]
fn every_form_of_several_texts_is_read() {
    for form in [
        j!([{"path": "docs/a.md", "text": "x"}, {"path": "./docs/b.md", "text": "y"}]),
        j!({"docs/a.md": "x", "docs/b.md": "y"}),
        j!({"docs/a.md": {"text": "x"}, "docs/b.md": {"text": "y"}}),
    ] {
        let documents = Documents::read(&json(form));
        let files: Vec<(&str, &str)> = documents
            .files
            .iter()
            .map(|file| (file.path.as_str(), file.text.as_str()))
            .collect();
        assert_eq!(files, [("docs/a.md", "x"), ("docs/b.md", "y")]);
    }
    let one = Documents::read(&json(j!({"path": "a.md", "text": "x"})));
    assert_eq!((one.files.len(), one.is_one), (1, false));
}

#[test]
fn a_path_means_a_file_under_review_or_none() {
    let several = Documents::read(&json(j!({"docs/a.md": "x", "more/a.md": "y", "b.md": "z"})));
    assert_eq!(several.meant("docs/a.md:12"), Meant::File(0));
    assert_eq!(several.meant("./more/../docs/a.md"), Meant::File(0));
    assert_eq!(several.meant("`b.md`"), Meant::File(2));
    assert_eq!(several.meant("a.md"), Meant::Several);
    assert_eq!(several.meant("c.md"), Meant::Unknown);
    assert_eq!(several.meant(""), Meant::Unnamed);
    for outside in [
        "../a.md",
        "/etc/passwd",
        "C:\\a.md",
        "docs/../../a.md",
        "\\\\host\\a.md",
    ] {
        assert_eq!(several.meant(outside), Meant::Outside, "{outside}");
    }
}

#[test]
fn a_path_from_the_root_of_the_disk_means_the_file_it_ends_with() {
    let several = Documents::read(&json(j!({"docs/a.md": "x", "a.md": "y", "b.md": "z"})));
    assert_eq!(several.meant("/home/me/project/docs/a.md"), Meant::File(0));
    assert_eq!(several.meant("`/work/docs/a.md:3`"), Meant::File(0));
    assert_eq!(several.meant("C:\\project\\docs\\a.md"), Meant::File(0));
    for outside in [
        "/home/me/other/b.md",
        "/home/me/lib.md",
        "/home/me/../a.md",
        "/home/me/xb.md",
    ] {
        assert_eq!(several.meant(outside), Meant::Outside, "{outside}");
    }
}

#[test]
fn a_place_without_a_file_is_found_where_only_one_file_has_it() {
    let several = Documents::read(&json(j!({"a.md": "one two", "b.md": "two three"})));
    assert_eq!(several.spot(&place("", "one")).map(|spot| spot.file), Ok(0));
    assert!(several.spot(&place("", "two")).is_err());
    assert!(several.spot(&place("", "four")).is_err());
    assert!(several.spot(&place("", "")).is_err());
}

#[test]
fn no_text_and_odd_texts_have_no_places() {
    for value in [j!(null), j!(7), j!([]), j!([null, 7]), j!({}), j!([[["x"]]])] {
        let documents = Documents::read(&json(value.clone()));
        assert!(documents.spot(&place("Goals", "")).is_err(), "{value}");
    }
}

#[test]
fn wrapping_changes_no_hash_and_a_word_does() {
    assert_eq!(text_hash("a b\n  c"), text_hash(" a\nb c "));
    assert_ne!(text_hash("a b c"), text_hash("a b d"));
}

#[test]
fn a_heading_is_known_by_its_words() {
    assert_eq!(heading_key("### 3.2.1 The *Import* {#import}"), "the import");
    assert_eq!(heading_key("2024"), "2024");
    assert_eq!(heading_key("§ 4 Limits"), "limits");
}
