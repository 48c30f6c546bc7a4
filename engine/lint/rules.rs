//! The list of rules. One line here adds a rule.

use super::rule::Rule;

macro_rules! rules {
    ($($name:ident)*) => {
        $(mod $name;)*

        /// Every rule, in the order of the spec.
        pub const RULES: &[&Rule] = &[$(&$name::RULE),*];
    };
}

rules! {
    unclosed_tag
    dead_goto
}
