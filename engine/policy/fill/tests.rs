use super::{Unfilled, fill, is_open};
use crate::machine::Question;
use crate::policy::{Answers, blank};

fn filled(text: &str, id: &str, answer: &str) -> Result<String, Unfilled> {
    fill(text, "answers.yaml", id, answer)
}

fn question(id: &str) -> Question {
    Question {
        id: id.to_owned(),
        text: "Next word?".to_owned(),
        ..Question::default()
    }
}

#[test]
fn an_answer_stands_behind_its_id_and_nothing_else_changes() {
    let text = "# What?\n1-ab: \n# Go?\n2-cd: \n";
    let after = "# What?\n1-ab: \n# Go?\n2-cd: \"y: es\"\n";
    assert_eq!(filled(text, "2-cd", "y: es").as_deref(), Ok(after));
}

#[test]
fn an_id_that_is_not_there_is_not_made_up() {
    assert_eq!(filled("1-ab: \n", "3-xx", "y"), Err(Unfilled::Unknown));
    assert_eq!(filled("1-ab: \n", "1-a", "y"), Err(Unfilled::Unknown));
}

#[test]
fn an_answer_fills_the_next_open_place_of_a_list() {
    let text =
        "# Word?\n1-ab:\n  - # answered before, leave it empty\n  - # the first\n  # and then\n  - \n\n# Go?\n2-cd: \n";
    let first = filled(text, "1-ab", "alpha").unwrap();
    let second = filled(&first, "1-ab", "beta").unwrap();
    insta::assert_snapshot!(second, @r"
    # Word?
    1-ab:
      - # answered before, leave it empty
      - alpha # the first
      # and then
      - beta

    # Go?
    2-cd:
    ");
    assert_eq!(filled(&second, "1-ab", "gamma"), Err(Unfilled::Full));
}

#[test]
fn an_answer_to_the_only_open_place_can_be_given_anew() {
    let text = "1-ab:\n  - # answered before, leave it empty\n  - |\n    two\n    lines\n2-cd: |\n  - no\n  - list\n3-ef: old\n";
    let text = filled(text, "1-ab", "alpha").unwrap();
    let text = filled(&text, "2-cd", "beta").unwrap();
    let text = filled(&text, "3-ef", "gamma").unwrap();
    let after = "1-ab:\n  - # answered before, leave it empty\n  - alpha\n2-cd: beta\n3-ef: gamma\n";
    assert_eq!(text, after);
}

#[test]
fn a_place_that_a_person_filled_is_left_alone() {
    let text = "1-ab:\n- |\n  by hand\n- \n-\n";
    let after = "1-ab:\n- |\n  by hand\n- alpha\n-\n";
    assert_eq!(filled(text, "1-ab", "alpha").as_deref(), Ok(after));
}

#[test]
fn what_cannot_be_filled_line_by_line_is_left_to_the_person() {
    for text in ["1-ab: [~, b]\n", "{\"1-ab\": null}\n", "? 1-ab\n: x\n"] {
        assert_eq!(filled(text, "1-ab", "alpha"), Err(Unfilled::Strange), "{text}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named_with_its_line() {
    let Err(Unfilled::Broken(error)) = filled("1-ab: x\n  - # y\n  - \n", "1-ab", "alpha") else {
        panic!("it was filled");
    };
    assert_eq!(error.path, "answers.yaml");
}

#[test]
fn ids_and_answers_of_any_kind_are_read_back() {
    for id in ["-1-ab", "a: b #c-ab", "schritt \"ü\"-ab", "~", "true", "[x]", "- a"] {
        for answer in [
            "",
            "- x",
            "# x",
            "yes",
            "~",
            "two\nlines",
            "\"",
            "a, b",
            "  - ",
            "1-ab: x",
        ] {
            let open = blank(&[question(id), question(id)]);
            let text = filled(&filled(&open, id, answer).unwrap(), id, "last").unwrap();
            let mut answers = Answers::parse(&text, "answers.yaml").unwrap();
            let mut next = || answers.take(&question(id)).map(|given| given.text);
            assert_eq!(
                [next(), next()],
                [Some(answer.to_owned()), Some("last".to_owned())],
                "{text}"
            );
        }
    }
}

#[test]
fn a_question_is_open_while_a_place_of_it_has_no_answer() {
    let open = [
        "1-ab: \n",
        "1-ab: # Word?\n2-cd: x\n",
        "\"1-ab\":\n  - # answered before, leave it empty\n  - \n",
        "1-ab:\n  - x\n  - \n",
    ];
    for text in open {
        assert!(is_open(text, "1-ab"), "{text}");
    }
    let answered = [
        "1-ab: x\n",
        "1-ab: |\n  x\n",
        "1-ab:\n  x\n",
        "1-ab:\n  - # answered before, leave it empty\n  - x\n2-cd: \n",
        "2-cd: \n",
    ];
    for text in answered {
        assert!(!is_open(text, "1-ab"), "{text}");
    }
}
