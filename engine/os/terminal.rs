//! Nothing in, the width of the terminal out.

/// Returns how many columns the terminal has; answers nothing where standard output is not one.
pub fn columns() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(std::io::stdout())?;
    Some(usize::from(width.0))
}
