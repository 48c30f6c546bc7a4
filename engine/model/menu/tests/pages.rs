use super::{asked_keys, keys, menus};
use crate::model::menu::MenuStyle;

#[test]
fn one_line_can_show_a_whole_menu() {
    let found = menus("Display: \"**Select:** [D] Dig deeper [T] Talk it over [G] Go on (page 2 of 3)\"\n");
    assert_eq!(keys(&found.menus[0]), ["D", "T", "G"]);
    assert_eq!(found.menus[0].options[1].label, "Talk it over");
    assert_eq!(found.menus[0].style, MenuStyle::Bracketed);
}

#[test]
fn lines_with_keys_in_brackets_are_one_menu() {
    let text = "\"Would you like to:\n- [K] Keep the outline\n- **[R] Redo** - from scratch\n1. **[Q] Quit**\"\n";
    assert_eq!(keys(&menus(text).menus[0]), ["K", "R", "Q"]);
}

#[test]
fn a_key_may_be_the_first_letter_of_its_label() {
    let found = menus("What next?\n\n**[S]ave** - keep it\n**[D]rop** - lose it\n[X]Exit\n");
    let labels: Vec<_> = found.menus[0]
        .options
        .iter()
        .map(|option| option.label.as_str())
        .collect();
    assert_eq!(labels, ["Save", "Drop", "Exit"]);
}

#[test]
fn a_row_that_names_all_options_once_more_belongs_to_their_menu() {
    let text = "Hello. What next?\n\n**[S]ave** — Keep it\n**[D]rop** — Lose it\n\nPlease select: [S]ave / [D]rop\"\n";
    let found = menus(text);
    assert_eq!(found.menus.len(), 1);
    assert_eq!(keys(&found.menus[0]), ["S", "D"]);
    assert!(text[..found.menus[0].span.end as usize].ends_with("[S]ave / [D]rop"));
    for other in [
        "Please select: [S]ave / [R]epeat",
        "Is the page done? Select: [S]ave / [D]rop",
        "For the page, select: [S]ave / [D]rop",
        "Please select: [S]ave",
        "### Later\n\nPlease select: [S]ave / [D]rop",
    ] {
        let text = text.replace("Please select: [S]ave / [D]rop", other);
        assert_eq!(menus(&text).menus.len(), 2, "{other}");
    }
    let rows = "**Save the list?** [S] Save [D] Drop\n\nPlease select: [S] Save [D] Drop\n";
    assert_eq!(menus(rows).menus.len(), 2);
}

#[test]
fn keys_between_bars_are_one_menu() {
    let found = menus("HALT and ask human: `[O] Open — as it is` | `[C] Close`\n");
    assert_eq!(keys(&found.menus[0]), ["O", "C"]);
    assert_eq!(found.menus[0].options[0].label, "Open");
}

#[test]
fn a_lone_key_is_a_menu_where_words_of_choice_are_near() {
    assert_eq!(
        menus("**What would you like to do?**\n[G] Go on to page two\n")
            .menus
            .len(),
        1
    );
    assert_eq!(menus("The table is done.\n[G] Go on to page two\n").menus.len(), 0);
}

#[test]
fn a_lone_key_is_a_menu_where_a_handler_names_it() {
    let text = "The table is done.\n[G] Go on to page two\n\n#### If 'G' (Go on):\n\n- Load the next page\n";
    assert_eq!(menus(text).menus.len(), 1);
}

#[test]
fn a_word_in_brackets_below_an_option_is_an_option() {
    let text = "Take these?\n[G] Go on\n[Back] - pick others\n\n#### If [Back]:\n\n- Return to the list\n";
    let found = menus(text);
    assert_eq!(keys(&found.menus[0]), ["G", "Back"]);
    assert_eq!(found.handlers[0].keys, ["Back"]);
}

#[test]
fn rules_that_speak_of_a_key_are_not_a_menu() {
    let text = "- ⚠️ Present [C] continue option after the text\n✅ [C] continue option presented\n- found [X] gaps\n";
    assert_eq!(menus(text).menus.len(), 0);
}

#[test]
fn task_boxes_citations_and_samples_are_not_a_menu() {
    let text =
        "Choose wisely.\n\n- [x] Read\n- [ ] Sort\n\nSee [1](a.md) and [2].\n\n```yaml\nselect: '[A] Alpha'\n```\n";
    assert_eq!(menus(text).menus.len(), 0);
}

#[test]
fn a_fence_that_shows_a_handler_is_a_sample_of_a_file() {
    let text = "### Menu pattern\n\n```\nDisplay: [A] Alpha [B] Beta\n- IF A: go\n```\n";
    assert_eq!(menus(text).menus.len(), 0);
}

#[test]
fn a_plain_fence_may_show_a_menu() {
    let text = "### Menu\n\n```\n**What would you like to change?**\n[S] Size\n[C] Colour\n```\n\n- IF S: ask for it\n";
    assert_eq!(keys(&menus(text).menus[0]), ["S", "C"]);
}

#[test]
fn text_inside_tags_is_left_to_the_tag_reader() {
    assert_eq!(menus("<ask>Which?\n[a] One\n[b] Two</ask>\n").menus.len(), 0);
}

#[test]
fn a_numbered_list_below_a_question_is_a_menu() {
    let found =
        menus("> **How would you like to go on?**\n> 1. **All at once** — now\n> 2. **One by one**\n\n**HALT**\n");
    assert_eq!(found.menus[0].style, MenuStyle::Numbered);
    assert_eq!(found.menus[0].options[1].label, "One by one");
}

#[test]
fn a_numbered_list_may_begin_with_nought() {
    let found =
        menus("> **How would you like to go on?**\n> 0. **All** — now\n> 1. **Some**\n> 2. **None**\n\n**HALT**\n");
    assert_eq!(found.menus.iter().map(keys).collect::<Vec<_>>(), [["0", "1", "2"]]);
    let asked = asked_keys("How do we go on?\n\n0. All\n1. Some\n2. None\n");
    assert_eq!(asked, ["0", "1", "2"]);
}

#[test]
fn numbered_instructions_are_not_a_menu() {
    assert_eq!(
        menus("**Rules:**\n\n1. Read the file\n2. Write the page\n\n**Types:**\n")
            .menus
            .len(),
        0
    );
}

#[test]
fn bold_bullets_below_a_choice_are_a_menu() {
    let text = "HALT and give the user a choice:\n\n- The listed pages, by name.\n- **Take it** — as it is.\n- **Leave it** — go back.\n\n- If the user chooses **Take it**: save.\n";
    let found = menus(text);
    assert_eq!(found.menus[0].style, MenuStyle::Labelled);
    assert_eq!(keys(&found.menus[0]), ["Take it", "Leave it"]);
    assert!(found.menus[0].open);
    assert!(!menus(&text.replace("- The listed pages, by name.\n", "")).menus[0].open);
    assert_eq!(found.handlers[0].keys, ["Take it"]);
}

#[test]
fn an_item_that_begins_with_or_offers_any_other_answer() {
    let text = "HALT and give the user a choice:\n\n- **Take** it\n- **Leave** it\n- Or say what else to do.\n";
    assert!(menus(text).menus[0].open);
    assert!(!menus(&text.replace("Or say what else to do", "If they take it, wrap it")).menus[0].open);
}

#[test]
fn a_yes_or_no_question_is_a_menu_with_its_branches() {
    let text = "- Ask: \"Take these changes? (y/n)\"\n- If yes: update the page\n- If no: keep the page\n";
    let found = menus(text);
    assert_eq!(found.menus[0].style, MenuStyle::Slashed);
    assert_eq!(found.handlers[1].keys, ["no"]);
}

#[test]
fn words_between_slashes_in_a_template_are_not_a_menu() {
    assert_eq!(
        menus("- Complete: [Yes/No]\n- Level? (low/medium/high)\n").menus.len(),
        0
    );
}

#[test]
fn a_key_of_another_page_that_a_shown_sentence_speaks_of_is_no_option() {
    for text in [
        "**If it is done**, display: \"Done. Use **[V] View** to look at it or **[E] Edit** to change it.\" Then halt.\n",
        "If there is none, display: \"Please use [N] New first.\"\n",
        "Display: \"You can **[N] New** to start again.\"\n",
    ] {
        assert!(menus(text).menus.is_empty(), "{text}");
    }
    let found = menus("Display: \"Read it, and when you are ready to [C] Continue, say so.\"\n");
    assert_eq!(keys(&found.menus[0]), ["C"]);
}

#[test]
fn one_key_in_a_sentence_that_asks_is_one_answer_of_many() {
    for text in [
        "- Ask user for the folder (`[y]` to use the default, else enter a new path)\n",
        "Any drafts? → List them and HALT. Ask user which to take (or `[N]` for none).\n",
    ] {
        assert_eq!(menus(text).menus, [], "{text}");
    }
    let found = menus("Ask which draft to take (or `[N]` for a new one).\n\n- IF N: Begin.\n");
    assert_eq!(keys(&found.menus[0]), ["N"]);
    assert!(found.menus[0].open);
}
