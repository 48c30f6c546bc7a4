use super::tidy;

#[track_caller]
fn becomes(text: &str, expected: &str) {
    assert_eq!(tidy(text), expected);
    assert_eq!(tidy(expected), expected, "laying out twice changes nothing more");
}

#[test]
fn tags_move_to_their_depth_and_prose_of_one_line_moves_with_them() {
    becomes(
        "<workflow>\n<step n=\"1\">\n<action>\n  Do it.\n</action>\n</step>\n</workflow>\n",
        "<workflow>\n  <step n=\"1\">\n    <action>\n      Do it.\n    </action>\n  </step>\n</workflow>\n",
    );
}

#[test]
fn prose_of_several_lines_is_told_as_before() {
    becomes(
        "<workflow>\n<step n=\"1\">\n<action>\n  Do:\n    - one\n \n</action>\n</step>\n</workflow>\n",
        "<workflow>\n  <step n=\"1\">\n    <action>\n  Do:\n    - one\n\n    </action>\n  </step>\n</workflow>\n",
    );
    becomes(
        "<workflow>\n        <action>Do <b>this</b>  \n  \n    and that</action>\n</workflow>\n",
        "<workflow>\n  <action>Do <b>this</b>  \n  \n    and that</action>\n</workflow>\n",
    );
    becomes(
        "<workflow>\n<dispatch>\n   One\n<param name=\"a\" value=\"b\"/>\n   two.\n<param name=\"c\" value=\"d\"/>\n</dispatch>\n</workflow>\n",
        "<workflow>\n  <dispatch>\n   One\n<param name=\"a\" value=\"b\"/>\n   two.\n    <param name=\"c\" value=\"d\"/>\n  </dispatch>\n</workflow>\n",
    );
}

#[test]
fn prose_that_begins_with_a_tag_of_its_own_is_told_as_before() {
    becomes(
        "<workflow>\n<action><b>\n  in\n</b>  tail</action>\n</workflow>\n",
        "<workflow>\n  <action><b>\n  in\n</b>  tail</action>\n</workflow>\n",
    );
}

#[test]
fn prose_beside_other_tags_is_told_as_before() {
    becomes(
        "<workflow>\n<step n=\"1\">\n<action>Do:</action>\n - one\n<action>See\n<x>y</x></action>\n</step>\n</workflow>\n",
        "<workflow>\n  <step n=\"1\">\n    <action>Do:</action>\n - one\n    <action>See\n<x>y</x></action>\n  </step>\n</workflow>\n",
    );
    becomes(
        "<workflow>\n<ask>Which?\n<if response=\"a\">\n<action>Take it.</action>\n</if>\n</ask>\n</workflow>\n",
        "<workflow>\n  <ask>Which?\n    <if response=\"a\">\n      <action>Take it.</action>\n    </if>\n  </ask>\n</workflow>\n",
    );
}

#[test]
fn text_that_is_shown_or_written_stays() {
    becomes(
        "<workflow>\n<output>\n# Title\n  - one\n<b>\n   bold</b>  \n   </output>\n<set name=\"x\">a\n b</set>\n</workflow>\n",
        "<workflow>\n  <output>\n# Title\n  - one\n<b>\n   bold</b>  \n  </output>\n  <set name=\"x\">a\n b</set>\n</workflow>\n",
    );
}

#[test]
fn what_stands_in_quotes_or_character_data_stays() {
    becomes(
        "<task>\n<check if=\"a\n  > b\">\n<![CDATA[\n x\n]]>\n</check>\n</task>\n",
        "<task>\n  <check if=\"a\n  > b\">\n  <![CDATA[\n x\n]]>\n  </check>\n</task>\n",
    );
}

#[test]
fn comments_and_tags_over_several_lines_keep_their_form() {
    becomes(
        "<task>\n      <!-- a\n           b -->\n   <check\n     if=\"a > b\">x\n   y</check></task>\n",
        "<task>\n  <!-- a\n       b -->\n  <check\n    if=\"a > b\">x\n   y</check></task>\n",
    );
    becomes(
        "<?xml version='1.0'\n  encoding='UTF-8'?>\n<task/>\n",
        "<?xml version='1.0'\n  encoding='UTF-8'?>\n<task/>\n",
    );
}

#[test]
fn line_ends_and_the_byte_order_mark_stay() {
    becomes(
        "\u{feff}<task>\r\n<action>a\r\nb</action>\r\n</task>\r\n\r\n\r\n",
        "\u{feff}<task>\r\n  <action>a\r\nb</action>\r\n</task>\r\n",
    );
    becomes("<task>\r\n</task>", "<task>\r\n</task>\r\n");
    becomes("<task>\n</task>", "<task>\n</task>\n");
}

#[test]
fn only_blanks_that_xml_knows_are_white_space() {
    becomes(
        "<task>\n<note>\n\u{a0}a\u{a0}\n</note>\n</task>\n",
        "<task>\n  <note>\n  \u{a0}a\u{a0}\n  </note>\n</task>\n",
    );
    becomes(
        "<task>\n\t<note>\n\t\ta  \n\t</note>\n</task>\n",
        "<task>\n  <note>\n \t\ta  \n  </note>\n</task>\n",
    );
}

#[test]
fn empty_lines_lose_their_blanks_and_stay() {
    becomes(
        "<task>\n   \n\t\n<note/>   \n</task>\n",
        "<task>\n\n\n  <note/>\n</task>\n",
    );
    becomes("", "");
}
