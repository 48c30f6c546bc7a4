//! The standard library, embedded: what a project does not override.

/// One file of the standard library.
#[derive(Debug, Clone, Copy)]
pub struct StdlibFile {
    /// Its path below `stdlib/`.
    pub path: &'static str,
    /// What it says.
    pub text: &'static str,
}

/// Every file of the standard library.
pub const STDLIB: &[StdlibFile] = &[];
