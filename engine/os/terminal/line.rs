//! Keys in, an edited text out.

use super::cell::characters;
use super::decode::Key;

/// A text with a cursor in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LineEditor {
    text: String,
    /// The byte the cursor stands before; always between characters.
    cursor: usize,
}

impl LineEditor {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn cursor(&self) -> usize {
        self.cursor
    }

    /// Replaces the text; the cursor stands at its end.
    pub(super) fn set(&mut self, text: &str) {
        text.clone_into(&mut self.text);
        self.cursor = self.text.len();
    }

    /// Does what a key says; says whether the key was meant for the text.
    pub(super) fn press(&mut self, key: &Key) -> bool {
        match key {
            Key::Char(character) => self.insert(character.encode_utf8(&mut [0; 4])),
            Key::Paste(text) => self.insert(text),
            Key::NewLine => self.insert("\n"),
            Key::Backspace | Key::Ctrl('h') => self.remove(self.before(), self.cursor),
            Key::Delete | Key::Ctrl('d') => self.remove(self.cursor, self.after()),
            Key::Left | Key::Ctrl('b') => self.cursor = self.before(),
            Key::Right | Key::Ctrl('f') => self.cursor = self.after(),
            Key::WordLeft => self.cursor = self.word_before(),
            Key::WordRight => self.cursor = self.word_after(),
            Key::Home | Key::Ctrl('a') => self.cursor = self.row_start(),
            Key::End | Key::Ctrl('e') => self.cursor = self.row_end(),
            Key::Ctrl('u') => self.remove(self.row_start(), self.cursor),
            Key::Ctrl('k') => self.remove(self.cursor, self.row_end()),
            Key::Ctrl('w') => self.remove(self.word_before(), self.cursor),
            Key::Ctrl(_) | Key::Alt(_) | Key::Enter | Key::Up | Key::Down | Key::Escape => return false,
        }
        true
    }

    fn insert(&mut self, text: &str) {
        self.text.insert_str(self.cursor, text);
        self.cursor += text.len();
        // A new accent belongs to the character before it, and the cursor stands after both.
        let mut ends = characters(&self.text).scan(0, |end, character| {
            *end += character.len();
            Some(*end)
        });
        let cursor = self.cursor;
        self.cursor = ends.find(|end| *end >= cursor).unwrap_or(cursor);
    }

    fn remove(&mut self, from: usize, to: usize) {
        self.text.replace_range(from..to, "");
        self.cursor = from;
    }

    fn before(&self) -> usize {
        let last = characters(&self.text[..self.cursor]).last();
        self.cursor - last.map_or(0, str::len)
    }

    fn after(&self) -> usize {
        let next = characters(&self.text[self.cursor..]).next();
        self.cursor + next.map_or(0, str::len)
    }

    fn word_before(&self) -> usize {
        let before = self.text[..self.cursor].trim_end();
        before
            .rfind(char::is_whitespace)
            .map_or(0, |at| at + before[at..].chars().next().map_or(0, char::len_utf8))
    }

    fn word_after(&self) -> usize {
        let after = &self.text[self.cursor..];
        let gap = after.len() - after.trim_start().len();
        let word = after[gap..].find(char::is_whitespace).unwrap_or(after.len() - gap);
        self.cursor + gap + word
    }

    fn row_start(&self) -> usize {
        self.text[..self.cursor].rfind('\n').map_or(0, |at| at + 1)
    }

    fn row_end(&self) -> usize {
        let after = &self.text[self.cursor..];
        self.cursor + after.find('\n').unwrap_or(after.len())
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, LineEditor};

    /// Types a text and then keys; `|` shows the cursor.
    fn edited(text: &str, keys: &[Key]) -> String {
        let mut line = LineEditor::default();
        for character in text.chars() {
            assert!(line.press(&Key::Char(character)));
        }
        for key in keys {
            line.press(key);
        }
        let mut shown = line.text().to_owned();
        shown.insert(line.cursor(), '|');
        shown
    }

    #[test]
    fn characters_go_where_the_cursor_is() {
        assert_eq!(edited("ac", &[Key::Left, Key::Char('b')]), "ab|c");
    }

    #[test]
    fn backspace_removes_a_character_as_people_see_it() {
        assert_eq!(edited("xe\u{301}", &[Key::Backspace]), "x|");
        assert_eq!(edited("x👩‍👩‍👧", &[Key::Backspace]), "x|");
        assert_eq!(edited("x🇩🇪", &[Key::Backspace]), "x|");
        assert_eq!(edited("漢字", &[Key::Backspace]), "漢|");
    }

    #[test]
    fn the_arrows_step_over_whole_characters() {
        assert_eq!(edited("a👍🏽b", &[Key::Left, Key::Left]), "a|👍🏽b");
        assert_eq!(edited("a👍🏽b", &[Key::Home, Key::Right, Key::Right]), "a👍🏽|b");
    }

    #[test]
    fn the_ends_of_the_text_are_not_left() {
        assert_eq!(edited("a", &[Key::Right, Key::Delete]), "a|");
        assert_eq!(edited("a", &[Key::Home, Key::Left, Key::Backspace]), "|a");
    }

    #[test]
    fn control_a_and_e_go_to_the_ends() {
        assert_eq!(edited("abc", &[Key::Ctrl('a'), Key::Char('x')]), "x|abc");
        assert_eq!(edited("abc", &[Key::Ctrl('a'), Key::Ctrl('e')]), "abc|");
    }

    #[test]
    fn control_u_and_k_remove_to_the_ends() {
        assert_eq!(edited("abc", &[Key::Left, Key::Ctrl('u')]), "|c");
        assert_eq!(edited("abc", &[Key::Left, Key::Left, Key::Ctrl('k')]), "a|");
    }

    #[test]
    fn control_w_removes_a_word() {
        assert_eq!(edited("one two  ", &[Key::Ctrl('w')]), "one |");
        assert_eq!(edited("eins zwei\u{3000}drei", &[Key::Ctrl('w')]), "eins zwei\u{3000}|");
        assert_eq!(edited("one", &[Key::Ctrl('w'), Key::Ctrl('w')]), "|");
    }

    #[test]
    fn words_are_jumped() {
        assert_eq!(
            edited("one two", &[Key::WordLeft, Key::WordLeft, Key::WordRight]),
            "one| two"
        );
    }

    #[test]
    fn a_paste_keeps_its_lines() {
        assert_eq!(edited("a", &[Key::Paste("b\nc".to_owned()), Key::Ctrl('a')]), "ab\n|c");
    }

    #[test]
    fn keys_of_menus_are_not_meant_for_the_text() {
        let mut line = LineEditor::default();
        assert!(
            ![Key::Up, Key::Down, Key::Enter, Key::Escape]
                .iter()
                .any(|key| line.press(key))
        );
    }
}
