//! Texts that end with a menu, and texts that only look like it.

use super::{Detected, FalseAlarms, detect};

/// Texts that end with a menu, with its keys.
const MENUS: &[(&str, &str)] = &[
    (
        "a p c",
        "The goals are written.\n\n**Select:** [A] Advanced Elicitation [P] Party Mode [C] Continue to Domain (Step 5 of 13)",
    ),
    (
        "A P C",
        "---\nPlease select your next action:\n[A] Look deeper\n[P] Hear other voices\n[C] Go on\n---\n",
    ),
    (
        "A P C",
        "I put the section together.\n\n**[A] Advanced Elicitation** - Get other views on the plan\n**[P] Party Mode** - Talk to the team\n**[C] Continue to Edit** - Go on with the plan",
    ),
    (
        "R C O X",
        "**What would you like to do?**\n[R] Resume from where we stopped\n[C] Continue with the next step\n[O] See what remains\n[X] Start over (what is written is lost)\n\"",
    ),
    (
        "1 2 3 4",
        "**Ready to look at the ways?**\n[1] Choose techniques yourself\n[2] Take what I recommend\n[3] Roll the dice\n[4] Go from broad to narrow\n\nWhich one appeals to you most? (Enter 1-4)",
    ),
    (
        "K T A B C",
        "**What would you like to do next?**\n\n[K] **Keep exploring** - We are getting warm!\n[T] **Try another way** - A fresh view\n[A] **Go deeper** - Develop one idea\n[B] **Take a break** - Come back later\n[C] **Move on** - When all is said\n\n**Default recommendation:** I suggest to keep exploring.",
    ),
    (
        "C Back",
        "**Confirm these choices?**\n[C] Continue - Begin the session\n[Back] - Change the selection",
    ),
    (
        "1 2 3 r a x",
        "Choose a number (1-3), [r] to Reshuffle, [a] List All, or [x] to Proceed:\n\n1. Six hats\n2. Five whys\n3. Premortem\nr. Reshuffle the list\na. List all methods\nx. Proceed",
    ),
    (
        "y n",
        "The story is reviewed and two findings are fixed.\n\nCommit the changes? (y/n)",
    ),
    ("Y n", "All checks passed. Continue with deployment? [Y/n]"),
    ("yes no", "I found an older draft. Overwrite it? (yes/no)"),
    (
        "y n edit",
        "Here is the summary.\n\nDoes it say what you mean? (y/n/edit)",
    ),
    (
        "1 2 3",
        "I see three ways to store the sessions. Which one do you prefer?\n\n1. In memory, gone after a restart\n2. In a file\n3. In the database",
    ),
    (
        "1 2",
        "How would you like to handle the findings?\n1) Walk through them one by one\n2) Fix all that are real",
    ),
    (
        "1 2 3",
        "1. Web\n2. Mobile\n3. Both\n\nPlease reply with the number of the platform.",
    ),
    (
        "a b c",
        "Which plan shall we follow?\n\na) Small steps\nb) One large rewrite\nc) Neither",
    ),
    (
        "W F S",
        "Twelve findings, four of them real.\n\nHow would you like to proceed?\n\n- [W] Walk through - look at each\n- [F] Fix automatically - only the real ones\n- [S] Skip - accept them as they are",
    ),
    ("s e q", "Saved to `spec.md`. [s]how it, [e]dit it, or [q]uit?"),
    (
        "A R D",
        "**Next Steps:**\n\n[A] Ask for a critique\n[R] Refine once more\n[D] Done - leave the workflow\n\n---\n",
    ),
    (
        "1 2 3",
        "Was möchtest du als Nächstes tun?\n\n[1] Den Entwurf ansehen\n[2] Den Entwurf ändern\n[3] Weitermachen",
    ),
    ("A C", "设计已完成。\n\n[A] 深入讨论\n[C] 继续"),
    ("C E", "The document is complete.\n\n[C] Continue\n[E] Exit"),
    (
        "1 2 3",
        "**Which category interests you?**\n\n**[1] Structured thinking** (6 ways)\n\n- Frameworks for thorough work\n- Includes: hats, maps\n\n**[2] Wild thinking** (5 ways)\n\n- Ideas nobody expects\n\n**[3] Deep analysis** (5 ways)\n\n- Roots and causes",
    ),
    (
        "Approve Edit",
        "The letter is ready. Please choose one of these options:\n\n- **Approve** — it is sent as it is\n- **Edit** — you change it first",
    ),
    (
        "Y V N",
        "I checked the plan.\n\n[Y] Yes, go on  [V] View the plan again  [N] No, stop here\n\nYour choice:",
    ),
];

/// Texts that look like menus and are none.
const OTHERS: &[&str] = &[
    "The user interface shows:\n> Select an option:\n> [A] Add item\n> [B] Remove item\n(This is documentation.)",
    "The menu of the app is built like this:\n\n```\n[A] Add\n[R] Remove\n[Q] Quit\n```",
    "~~~text\nChoose one:\n1. First\n2. Second\n~~~",
    "```\nSelect:\n[A] Add\n[C] Continue",
    "Tasks:\n- [ ] write the tests\n- [x] fix the parser\n- [ ] update the page\n\nWhich of them matter? All.",
    "1. [ ] write the tests\n2. [x] fix the parser",
    "| key | meaning |\n|---|---|\n| [A] | Add |\n| [C] | Continue |",
    "I read both papers [1] and [2], and they agree on the method.",
    "References:\n[1] Lamport, Time and Clocks\n[2] Gray, Notes on Databases",
    "The limit is documented.\n\n[1] Lamport, Time and Clocks\n[2] Gray, Notes on Databases",
    "See the pages.\n\n[1]: https://example.org/a\n[2]: https://example.org/b",
    "Read [the guide](guide.md) and [the page](page.md) before you go on.",
    "[A](a.md) is the first part.\n[B](b.md) is the second part.",
    "I did the following:\n1. Added the parser\n2. Fixed the tests\n3. Updated the page",
    "Next I will:\n\n1. run the tests\n2. write the release notes\n\nAnything else?",
    "Why did the build fail?\n1. The disk was full\n2. The cache was stale",
    "I have some questions for you:\n1. What is the budget?\n2. Who will use it?\n3. When is it due?",
    "Steps to choose a database:\n1. List what you store\n2. Measure how often it changes\n3. Compare",
    "Example:\n[A] Approve\n[R] Reject",
    "Sample output:\n\n[Y] Yes\n[N] No",
    "The function takes access flags (read/write) and returns the number of bytes.",
    "Legend:\n[P] passed\n[F] failed",
    "We found [X] items in [Y] folders.",
    "[I] server started\n[I] listening\n[W] slow request\n[I] stopped",
    "Press [C] when the light is green.",
    "The story says: as a user I select an option from the list so that my order is kept.",
    "The array is `[1, 2, 3]` and `x[1]` is 2, `x[2]` is 3.",
];

fn found(text: &str) -> Option<Detected> {
    detect(text, &FalseAlarms::default())
}

fn keys(text: &str) -> String {
    let options = found(text).map(|menu| menu.options).unwrap_or_default();
    let keys: Vec<&str> = options.iter().map(|option| option.key.as_str()).collect();
    keys.join(" ")
}

#[test]
fn menus_are_found_with_their_keys() {
    let mut wrong = Vec::new();
    for (expected, text) in MENUS {
        let read = keys(text);
        if !read.eq_ignore_ascii_case(expected) {
            wrong.push(format!("{expected:?} read as {read:?} in:\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn what_only_looks_like_a_menu_is_left_alone() {
    let taken: Vec<_> = OTHERS.iter().filter_map(|text| Some((text, found(text)?))).collect();
    assert!(taken.is_empty(), "{} taken\n{taken:#?}", taken.len());
}

#[test]
fn a_perfect_menu_has_all_points() {
    assert_eq!(found("Please select:\n[A] Ask\n[C] Continue").unwrap().score, 100);
}

/// A menu with so many lines of prose below it.
fn with_tail(lines: usize) -> String {
    let tail = "The rest is said in the document.\n".repeat(lines);
    format!("What would you like to do?\n[A] Ask\n[C] Continue\n\n{tail}")
}

#[test]
fn a_menu_loses_points_with_every_line_below_it() {
    let score = |lines| found(&with_tail(lines)).map(|menu| menu.score);
    assert_eq!([1, 3, 7, 8].map(score), [Some(100), Some(90), Some(80), Some(70)]);
}

#[test]
fn a_menu_above_the_last_twenty_lines_is_not_seen() {
    assert!(found(&with_tail(16)).is_some());
    assert_eq!(found(&with_tail(20)), None);
}

#[test]
fn a_menu_that_reaches_into_the_last_lines_is_read_from_its_beginning() {
    let option = |at: usize| format!("[{at}] Way {at}\n\nIt takes a while.\nIt is worth it.\n\n");
    let options: String = (1..=7).map(option).collect();
    assert_eq!(keys(&format!("{options}Which way do you choose?")), "1 2 3 4 5 6 7");
}

#[test]
fn numbers_that_do_not_start_with_one_are_no_menu() {
    assert_eq!(keys("Which one do you choose?\n[3] Three\n[4] Four"), "");
}

#[test]
fn seventy_points_are_enough_and_sixty_five_are_not() {
    let text = with_tail(8);
    let mut memory = FalseAlarms::default();
    let menu = detect(&text, &memory).unwrap();
    assert_eq!(menu.score, 70);
    memory.alarm(&menu.signature);
    assert_eq!(detect(&text, &memory), None);
}

#[test]
fn code_near_a_menu_costs_ten_points() {
    let text = "```\ncargo test\n```\n\nWhat would you like to do?\n[A] Ask\n[C] Continue";
    assert_eq!(found(text).unwrap().score, 90);
}

#[test]
fn a_fence_that_opened_long_before_hides_a_menu() {
    let code = "line\n".repeat(40);
    let menu = "Select:\n[A] Ask\n[C] Continue\n";
    assert_eq!(found(&format!("```\n{code}{menu}")), None);
    assert!(found(&format!("```\n{code}```\n{menu}")).is_some());
}

#[test]
fn a_false_alarm_costs_five_points_the_next_time() {
    let mut memory = FalseAlarms::default();
    let menu = found("Please select:\n[A] Ask 3 people\n[C] Continue").unwrap();
    memory.alarm(&menu.signature);
    memory.alarm(&menu.signature);
    let again = detect("please  select:\n[a] Ask 12 people\n[c] continue", &memory).unwrap();
    assert_eq!(again.score, 90);
    let other = detect("Please select:\n[A] Add\n[C] Continue", &memory).unwrap();
    assert_eq!(other.score, 100);
}

#[test]
fn ten_menus_that_were_right_forgive_one_alarm() {
    let mut memory = FalseAlarms::default();
    memory.alarm("a");
    memory.alarm("a");
    for menu in ["1", "2", "3", "4", "5", "6", "7", "8", "9"] {
        memory.confirm(menu);
        memory.confirm(menu);
    }
    assert_eq!(memory.cost("a"), 10);
    memory.confirm("10");
    assert_eq!(memory.cost("a"), 5);
}

#[test]
fn the_question_is_the_line_that_asks() {
    let asked = |text: &str| found(text).unwrap().question;
    assert_eq!(asked("Done.\n\n**What now?**\n\n[A] Ask\n[C] Continue"), "What now?");
    assert_eq!(asked("Done.\n**Select:** [A] Ask [C] Continue"), "Select:");
    assert_eq!(
        asked("[A] Ask\n[C] Continue\n\nWhich one do you want?"),
        "Which one do you want?"
    );
    assert_eq!(asked("Done.\n\n[A] Ask\n[C] Continue"), "Choose one");
}

#[test]
fn options_know_their_names_and_which_leads_on() {
    let menu = found("Select:\n[A] **Ask again** - one more time\n[C] Continue (default)").unwrap();
    let told: Vec<_> = menu
        .options
        .iter()
        .map(|it| (&*it.label, it.forward, it.default))
        .collect();
    assert_eq!(told, [("Ask again", false, false), ("Continue (default)", true, true)]);
}

#[test]
fn the_capital_of_a_short_question_is_its_default() {
    let defaults = |text: &str| -> Vec<bool> { found(text).unwrap().options.iter().map(|it| it.default).collect() };
    assert_eq!(defaults("Continue? [Y/n]"), [true, false]);
    assert_eq!(defaults("Continue? [y/N]"), [false, true]);
    assert_eq!(defaults("Continue? [y/n]"), [false, false]);
}

#[test]
fn a_flood_of_keys_is_no_menu() {
    let floods = [
        "[a] x ".repeat(100_000),
        "1. x\n".repeat(200_000),
        "[".repeat(1_000_000),
        "`".repeat(1_000_000),
    ];
    assert!(floods.iter().all(|text| found(text).is_none()));
}

#[test]
fn it_is_said_where_a_menu_begins() {
    let many = "A line.\n".repeat(150);
    let begins = |text: &str| found(text).map(|menu| menu.line);
    assert_eq!(
        begins(&format!("{many}\nWhich one?\n\n[A] Ask\n[C] Continue\n")),
        Some(151)
    );
    assert_eq!(begins("Done.\n\nSelect: [A] Ask [C] Continue"), Some(2));
    assert_eq!(begins("Done.\n\n[A] Ask\n[C] Continue\n\nSelect one:"), Some(2));
}
