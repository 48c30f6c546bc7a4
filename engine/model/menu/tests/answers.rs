use super::{asked, body, menus, source};
use crate::model::menu::{MenuOption, unhandled, unoffered};

#[test]
fn a_branch_reaches_from_its_colon_over_its_deeper_lines() {
    let text = "- IF A: first\n  - then this\n\n  and that\n- IF B: second\n";
    let found = menus(text);
    assert_eq!(body(text, &found.handlers[0]), "first\n  - then this\n\n  and that");
    assert_eq!(body(text, &found.handlers[1]), "second");
}

#[test]
fn a_heading_branch_reaches_to_the_next_heading_of_its_rank() {
    let text = "#### If 'C' (Go on):\n\n- Save\n\n##### Note\n\nmore\n\n#### Other\n";
    assert_eq!(body(text, &menus(text).handlers[0]), "- Save\n\n##### Note\n\nmore");
}

#[test]
fn a_bold_branch_with_nothing_behind_it_takes_the_lines_below() {
    let text = "**IF U (Use it) or nothing was found:**\n- Load it\n- Note it\n\n**IF S:** skip\n";
    let found = menus(text);
    assert_eq!(body(text, &found.handlers[0]), "- Load it\n- Note it");
    assert_eq!(body(text, &found.handlers[1]), "skip");
}

#[test]
fn a_branch_may_name_several_keys() {
    let found = menus("- IF X OR Y: stop\n#### If 'K', 'T', or 'B' (Stay):\n\ntext\n- **IF 1 or 2:** go\n");
    let named: Vec<_> = found.handlers.iter().map(|handled| handled.keys.join(" ")).collect();
    assert_eq!(named, ["X Y", "K T B", "1 2"]);
}

#[test]
fn a_key_behind_an_arrow_or_a_colon_is_a_branch_where_it_was_offered() {
    let text = "Select:\n[A] Accept\n[E] Edit\n\n- **A**: take it\n- `[E]` → change it\n- **Z**: nothing\n";
    let found = menus(text);
    let named: Vec<_> = found.handlers.iter().map(|handled| handled.keys.join(" ")).collect();
    assert_eq!(named, ["A", "E"]);
}

#[test]
fn a_key_before_a_comma_or_alone_in_an_item_is_a_branch_where_it_was_offered() {
    let text = "Select:\n[A] Accept\n[E] Edit\n[Q] Quit\n\n- IF A, take it\n- When E (Edit), change it\n- Q: stop\n- If B, nothing\n- N: none\n";
    let found = menus(text);
    let named: Vec<_> = found.handlers.iter().map(|handled| handled.keys.join(" ")).collect();
    assert_eq!(named, ["A", "E", "Q"]);
    assert_eq!(body(text, &found.handlers[0]), "take it");
    assert_eq!(body(text, &found.handlers[1]), "change it");
}

#[test]
fn otherwise_right_below_the_branches_is_for_all_that_is_left() {
    let text = "Select:\n[A] Accept\n[E] Edit\n[Q] Quit\n\n- IF A: take it\n- OTHERWISE: ask again\n";
    let found = menus(text);
    assert_eq!(found.handlers[1].keys, ["E", "Q"]);
    assert!(found.handlers[1].any_other);
    assert_eq!(body(text, &found.handlers[1]), "ask again");
    assert_eq!(unhandled(&found), Vec::<&MenuOption>::new());
    let apart = "Select:\n[A] Accept\n[E] Edit\n\n- IF A: take it\n\nCount the pages.\n\n- Otherwise: none\n";
    assert_eq!(unhandled(&menus(apart)).len(), 1);
}

#[test]
fn a_branch_in_passing_is_a_handler_but_not_a_branch() {
    let found = menus("After the user selects [G] to go on, load `./step-02.md`.\n");
    assert_eq!(found.handlers[0].keys, ["G"]);
    assert!(!found.handlers[0].branches);
}

#[test]
fn two_sentences_of_one_line_are_two_handlers() {
    let text = "If the user chooses **Keep**, keep it. If they choose **Choose again**, start over.\n";
    let found = menus(text);
    assert_eq!(body(text, &found.handlers[0]), "keep it.");
    assert_eq!(found.handlers[1].keys, ["Choose again"]);
}

#[test]
fn conditions_that_name_no_key_are_not_handlers() {
    let text = "- If a page exists, read it\n- IF PATH A was used: stop\n- If NO: go\n- If 3 failures occur: stop\n- If `status` is empty but text exists: go\n- When user selects pages:\n";
    assert_eq!(menus(text).handlers, []);
}

#[test]
fn showing_the_menu_again_is_seen() {
    let found = menus(
        "- IF A: run it, and when finished redisplay the menu\n- IF B: keep it, then return to A/B menu\n- IF C: stop\n",
    );
    let again: Vec<_> = found.handlers.iter().map(|handled| handled.redisplays).collect();
    assert_eq!(again, [true, true, false]);
}

#[test]
fn every_other_answer_is_seen() {
    let found =
        menus("- IF Any other comments or queries: help, then redisplay\n- Any other reply is direction: follow it\n");
    assert!(found.handlers.iter().all(|handled| handled.any_other));
    assert_eq!(found.handlers.len(), 2);
}

#[test]
fn an_option_nobody_deals_with_is_unhandled() {
    let found = menus("Would you like to:\n- [C] Skip it\n- [D] Do it anyway\n\n- IF C: save\n");
    let missing: Vec<_> = unhandled(&found).iter().map(|option| option.key.as_str()).collect();
    assert_eq!(missing, ["D"]);
}

#[test]
fn options_are_handled_by_key_by_label_or_by_words_of_the_label() {
    let text = "Select:\n[A] Accept\n[E] Edit the text\n[N] Start New Page\n[R] Redo\n\n- IF 'a': go\n- **Edit**: go\n- **New Page**: go\n\nStay until the user selects 'R'.\n";
    assert_eq!(unhandled(&menus(text)), Vec::<&MenuOption>::new());
}

#[test]
fn a_menu_nothing_deals_with_is_left_to_prose() {
    assert_eq!(
        unhandled(&menus("Select:\n[A] Accept\n[E] Edit\n\nAct on the answer.\n")).len(),
        0
    );
}

#[test]
fn a_branch_without_an_option_is_unoffered() {
    let text = "Select: [A] Accept [E] Edit\n\n- IF A: go\n- IF E: go\n- IF I: include\n";
    let found = menus(text);
    let missing: Vec<_> = unoffered(&found, &source(text)).iter().map(|(_, key)| *key).collect();
    assert_eq!(missing, ["I"]);
}

#[test]
fn a_branch_for_a_key_that_a_list_explains_is_not_unoffered() {
    for list in ["- **Y** — Keep it", "  - Y) Keep it", "* y - Keep it"] {
        let text = format!("Please indicate:\n{list}\n\n- IF Y: keep\n\nSelect: [A] Accept [E] Edit\n\n- IF A: go\n");
        assert_eq!(unoffered(&menus(&text), &source(&text)).len(), 0, "{list}");
    }
}

#[test]
fn branches_for_a_menu_of_another_file_are_not_unoffered() {
    let text = "Select: [A] Accept\n- IF A: go\n\nDisplay the options from `{prompts}`.\n\n- IF S: go\n";
    assert_eq!(unoffered(&menus(text), &source(text)).len(), 0);
    let text = "- IF S: go\n- IF U: go\n";
    assert_eq!(unoffered(&menus(text), &source(text)).len(), 0);
}

#[test]
fn a_handler_belongs_to_the_nearest_menu_before_it() {
    let text = "Select: [A] One [B] Two\n\n- IF A: go\n\nSelect: [A] Three [C] Four\n\n- IF A: go\n";
    let found = menus(text);
    let spans: Vec<_> = found
        .handlers
        .iter()
        .map(|handled| found.menu_of(handled).unwrap().span)
        .collect();
    assert_eq!(spans, [found.menus[0].span, found.menus[1].span]);
}

#[test]
fn a_menu_stops_where_the_text_waits() {
    assert!(menus("Select: [A] One [B] Two\n\nHALT and wait.\n").menus[0].stops);
    assert!(!menus("Select: [A] One [B] Two\n\nThen go on.\n").menus[0].stops);
}

#[test]
fn if_yes_answers_the_question_of_the_item_around_it_or_of_its_own_section() {
    let menu = "Ask: \"Take it? [Y] Yes / [N] No\".\n\n";
    for other in [
        "- Otherwise, ask: **Is there a plan?**\n  - If yes: load it.\n  - If no: go on.\n",
        "## Plan\n\nIs there a plan?\n\n- If yes: load it.\n- If no: go on.\n",
    ] {
        assert!(menus(&format!("{menu}{other}")).handlers.is_empty(), "{other}");
    }
    for own in [
        "- If yes: load it.\n- If no: go on.\n",
        "What do you say?\n\n- If yes: load it.\n- If no: go on.\n",
        "- Wait for the answer\n  - If yes: load it.\n  - If no: go on.\n",
    ] {
        assert_eq!(menus(&format!("{menu}{own}")).handlers.len(), 2, "{own}");
    }
}

#[test]
fn what_stands_behind_the_quotation_around_a_menu_is_no_part_of_it() {
    let text = "Ask: \"Take it? [Y] Yes / [N] No, another\". If taken, load it.\n";
    let found = menus(text);
    assert_eq!(&text[found.menus[0].options[1].span.range()], "[N] No, another");
}

#[test]
fn any_text_is_read_without_a_panic() {
    let pieces = [
        "[",
        "A]",
        "é",
        "**",
        "- ",
        "IF ",
        "\n",
        "(y/",
        "n)",
        "“",
        "1. ",
        "`",
        ":",
        "→",
        "#### If '",
        "’",
        "🙂",
    ];
    let mut seed = 7_u64;
    for _ in 0..4000 {
        let mut text = String::new();
        for _ in 0..24 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(seed >> 33) as usize % pieces.len()]);
        }
        let found = menus(&text);
        unhandled(&found);
        unoffered(&found, &source(&text));
        for option in asked(&text) {
            assert!(option.0.len() < text.len());
        }
    }
}

#[test]
fn a_comparison_is_no_answer() {
    let text = "Choose:\n\n**[C]reate** — Start\n**[V]alidate** — Review\n\n**IF mode == create:**\nLoad it.\n";
    assert!(menus(text).handlers.is_empty());
    let named = menus(&text.replace("IF mode == create", "If create"));
    assert_eq!(named.handlers.len(), 1);
}

#[test]
fn a_heading_with_the_key_of_an_option_is_its_branch() {
    let menu = "```\n[A] ALL — Delete all of it\n[X] ABORT — Do nothing\n```\n\n";
    let option =
        format!("{menu}#### Option [A] — Delete it\n\n- Delete\n\n#### Option [X] — Leave\n\n- Stop\n\n### 3. On\n");
    let keyed = format!("{menu}#### [A] Delete all\n\n- Delete\n\n#### [X] Abort\n\n- Stop\n\n### 3. On\n");
    for text in [option, keyed] {
        let found = menus(&text);
        let named: Vec<_> = found.handlers.iter().map(|handled| handled.keys.join(" ")).collect();
        assert_eq!(named, ["A", "X"], "{text}");
        assert_eq!(body(&text, &found.handlers[0]), "- Delete");
        assert_eq!(body(&text, &found.handlers[1]), "- Stop");
        assert_eq!(unhandled(&found), Vec::<&MenuOption>::new());
    }
}

#[test]
fn a_heading_with_a_key_is_no_branch_where_another_deals_with_the_key_or_it_is_called_something_else() {
    let menu = "Select:\n[R] Review\n[N] No\n\n";
    let handled = format!("{menu}- IF R: See below\n- IF N: Go\n\n#### [R] Review\n\ntext\n");
    let other = format!("{menu}### [N] Name of the finding\n\ntext\n\n### [Z] Zebra\n\ntext\n");
    let before = format!("#### [R] Review\n\ntext\n\n{menu}");
    for (text, count) in [(handled, 2), (other, 0), (before, 0)] {
        assert_eq!(menus(&text).handlers.len(), count, "{text}");
    }
    let nested = "Select:\n[S] Some\n[R] Resume\n\n#### Option [S] — Some\n\nSelect:\n[R] Remove\n[K] Keep\n\n- IF R: Remove it\n- IF K: Keep it\n\n#### Option [R] — Resume\n\nGo on.\n";
    let found = menus(nested);
    assert_eq!(body(nested, found.handlers.last().unwrap()), "Go on.");
}
