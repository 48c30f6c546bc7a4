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
    unreadable_file
    over_limit
    entity_definition
    unclosed_tag
    stray_close
    misspelt_tag
    bad_frontmatter
    bad_yaml
    bad_toml
    duplicate_key
    engine_tag
    unknown_setting
    dead_goto
    goto_label_mismatch
    duplicate_step
    step_order
    empty_workflow
    unreachable_step
    unreachable_file
    fall_through_mode
    wrong_fence
    endless_loop
    unbounded_loop
    call_cycle
    too_deep
    param_mismatch
    broken_reference
    path_escape
    wrong_installed_path
    skill_name_mismatch
    undefined_variable
    unused_variable
    undefined_config_key
    variable_cycle
    unknown_agent
    ambiguous_agent
    unknown_protocol
    option_without_handler
    handler_without_option
    menu_without_stop
    steps_completed_mismatch
    output_without_slot
    slot_without_output
    judged_condition
    liftable_prose
    reviewer_quota
    unanswerable_headless
    unquoted_shell_value
}
