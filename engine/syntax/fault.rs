//! What a reader of text can find wrong with it. Rules turn faults into findings.

use crate::source::Span;

/// One thing that is wrong with the text of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What kind.
    pub kind: FaultKind,
    /// Where.
    pub span: Span,
    /// The particulars, in the parser's words or the name of the tag.
    pub detail: String,
    /// Another place that explains it.
    pub related: Option<Span>,
}

/// The kinds of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// An open tag without its close; `related` is where the engine closed it.
    UnclosedTag,
    /// A close tag without its open.
    StrayClose,
    /// Frontmatter that is not YAML.
    BadFrontmatter,
    /// A YAML file that is not YAML.
    BadYaml,
    /// A TOML file that is not TOML.
    BadToml,
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// A NUL byte.
    NulByte,
    /// A file larger than the cap.
    FileTooLarge,
    /// A file that the system would not hand over.
    Unreadable,
    /// A folder that the system would not open.
    ClosedFolder,
    /// Tags or values nested deeper than the cap.
    NestedTooDeep,
    /// More attributes on one tag than the cap.
    TooManyAttributes,
    /// A document type or entity definition; they are refused.
    EntityDefinition,
    /// YAML aliases that unfold past the budget.
    AliasBomb,
    /// A key that is given twice in one YAML map.
    DuplicateKey,
}
