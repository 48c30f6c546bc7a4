//! What kind of claim a sentence makes.

/// A kind of claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Class {
    /// Something the text needs is not there.
    Missing,
    /// Two statements cannot both be true.
    Contradiction,
    /// It can be read in several ways.
    Vague,
    /// Nobody could show it to be false.
    Untestable,
    /// It has no source or reason.
    Unfounded,
    /// It cannot be done.
    Infeasible,
    /// An attacker or a careless user can do harm.
    Unsafe,
    /// A reference leads nowhere.
    Broken,
    /// It is not true.
    Wrong,
    /// It is said twice.
    Duplicate,
    /// It does not belong there.
    Excess,
    /// It is written badly.
    Style,
    /// It fails when it runs.
    Fault,
    /// It takes too long.
    Slow,
}

impl Class {
    /// All of them, with the names that the thesaurus calls them by.
    const NAMES: &[(Self, &str)] = &[
        (Self::Missing, "missing"),
        (Self::Contradiction, "contradiction"),
        (Self::Vague, "vague"),
        (Self::Untestable, "untestable"),
        (Self::Unfounded, "unfounded"),
        (Self::Infeasible, "infeasible"),
        (Self::Unsafe, "unsafe"),
        (Self::Broken, "broken"),
        (Self::Wrong, "wrong"),
        (Self::Duplicate, "duplicate"),
        (Self::Excess, "excess"),
        (Self::Style, "style"),
        (Self::Fault, "fault"),
        (Self::Slow, "slow"),
    ];

    /// Finds a kind by its name.
    pub(super) fn named(name: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(_, known)| *known == name);
        found.map(|(class, _)| *class)
    }
}

/// The kinds of one claim.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Classes(u16);

impl Classes {
    pub(super) fn add(&mut self, class: Class) {
        self.0 |= 1 << class as u16;
    }

    pub(super) fn has(self, class: Class) -> bool {
        self.0 & (1 << class as u16) != 0
    }

    /// Returns the kinds of both.
    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Says whether it is the wording that is at fault: what is meant may be right.
    pub(super) fn is_about_wording(self) -> bool {
        self.has(Class::Vague) || self.has(Class::Untestable)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Says whether both claims are of one kind.
    pub(super) fn share(self, other: Self) -> bool {
        self.0 & other.0 != 0 || (self.is_empty() && other.is_empty())
    }

    /// Says whether two claims can be the same: of one kind, of kinds that reviewers use for the same thing, or of a kind
    /// that nobody knows.
    pub(super) fn fit(self, other: Self) -> bool {
        const ALIKE: &[(Class, Class)] = &[
            (Class::Vague, Class::Untestable),
            (Class::Missing, Class::Vague),
            (Class::Missing, Class::Untestable),
            (Class::Missing, Class::Unsafe),
            (Class::Vague, Class::Unsafe),
            (Class::Missing, Class::Fault),
            (Class::Missing, Class::Broken),
            (Class::Wrong, Class::Broken),
            (Class::Wrong, Class::Contradiction),
            (Class::Infeasible, Class::Contradiction),
            (Class::Infeasible, Class::Missing),
            (Class::Slow, Class::Fault),
            (Class::Unsafe, Class::Fault),
        ];
        let alike = |left: Self, right: Self| ALIKE.iter().any(|(one, two)| left.has(*one) && right.has(*two));
        self.is_empty() || other.is_empty() || self.share(other) || alike(self, other) || alike(other, self)
    }

    /// Returns the kind that a lens or a check stands for; methods of asking stand for none.
    pub(super) fn of_category(category: &str) -> Self {
        let category = category.trim().to_lowercase().replace(['_', ' '], "-");
        let class = match category.as_str() {
            "gap" | "missing" | "completeness" | "incomplete" | "omission" | "placeholder" | "open-mark"
            | "empty-section" => Some(Class::Missing),
            "contradiction" | "inconsistency" | "consistency" | "conflict" => Some(Class::Contradiction),
            "vague" | "clarity" | "ambiguity" | "ambiguous" => Some(Class::Vague),
            "untestable" | "testability" | "measurability" => Some(Class::Untestable),
            "unfounded" | "assumption" | "evidence" => Some(Class::Unfounded),
            "infeasible" | "feasibility" => Some(Class::Infeasible),
            "unsafe" | "security" | "safety" | "privacy" => Some(Class::Unsafe),
            "broken-reference" | "reference" | "dead-link" | "dead-anchor" | "link" => Some(Class::Broken),
            "correctness" | "accuracy" | "wrong" => Some(Class::Wrong),
            "duplicate" | "duplication" | "redundancy" | "duplicate-heading" => Some(Class::Duplicate),
            "scope" | "scope-creep" | "over-engineering" => Some(Class::Excess),
            "style" | "grammar" | "spelling" | "typo" | "formatting" | "naming" | "heading-jump"
            | "unbalanced-fence" => Some(Class::Style),
            "bug" | "error-handling" | "robustness" | "concurrency" | "reliability" => Some(Class::Fault),
            "performance" | "efficiency" => Some(Class::Slow),
            _ => None,
        };
        let mut classes = Self::default();
        if let Some(class) = class {
            classes.add(class);
        }
        classes
    }
}
