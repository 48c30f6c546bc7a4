//! Values of attributes that a name stands for in: what the attribute takes out, or what is wrong with it.

use super::task::{Access, Mode};
use super::walk::Walk;
use crate::builtins::Value;
use crate::model::Words;

impl Walk<'_, '_> {
    /// Returns whether an agent goes on with what it knows.
    pub(super) fn mode(&self, words: Option<&Words>) -> Result<Mode, String> {
        let known = [("fresh", Mode::Fresh), ("session", Mode::Session)];
        self.one_of("mode", words, known).map(Option::unwrap_or_default)
    }

    /// Returns what an agent may change. What is not understood allows nothing.
    pub(super) fn access(&self, words: Option<&Words>) -> Result<Access, String> {
        let known = [("read", Access::Read), ("write", Access::Write)];
        Ok(self.one_of("access", words, known)?.unwrap_or(Access::Write))
    }

    /// Returns how many seconds a `timeout` says; none where its name has no value.
    pub(super) fn seconds(&self, timeout: Option<&Words>) -> Result<Option<u32>, String> {
        let Some(words) = timeout else {
            return Ok(None);
        };
        let value = self.value(&words.text);
        match value.number() {
            Some(seconds) => Ok(Some(seconds.clamp(1.0, 1e6) as u32)),
            None if value.is_empty() || value.to_string() == words.text => Ok(None),
            None => Err(wrong("timeout", words, &value, "a number of seconds")),
        }
    }

    fn one_of<T>(&self, name: &str, words: Option<&Words>, known: [(&str, T); 2]) -> Result<Option<T>, String> {
        let Some(words) = words else {
            return Ok(None);
        };
        let value = self.value(&words.text);
        let takes = format!("`{}` or `{}`", known[0].0, known[1].0);
        let text = value.to_string();
        let found = known.into_iter().find(|(one, _)| *one == text);
        match found {
            Some((_, found)) => Ok(Some(found)),
            None => Err(wrong(name, words, &value, &takes)),
        }
    }
}

fn wrong(name: &str, words: &Words, value: &Value, takes: &str) -> String {
    let written = &words.text;
    let value = value.to_string();
    let means = match value.as_str() {
        "" => ", which is nothing".to_owned(),
        value if value == written => String::new(),
        value => format!(", which is `{value}`"),
    };
    format!("the `{name}` is `{written}`{means}: it has to be {takes}")
}
