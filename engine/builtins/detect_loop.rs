//! A text and the texts before it in, whether the run repeats itself out.

use super::{Builtin, optional, required};

pub(super) const DETECT_LOOP: Builtin = Builtin {
    name: "detect-loop",
    parameters: &[
        required("text", "what was produced now"),
        optional("history", "what this built-in answered last time"),
        optional("similarity", "from how many percent two texts are the same; 90"),
        optional("window", "how many earlier texts are compared; 5"),
    ],
    returns: "a map: `looping`, `percent`, `entries`, `hashes`",
    summary: "says whether a text repeats an earlier one",
    page: include_str!("../../spec/builtins/detect-loop.md"),
    body: None,
};
