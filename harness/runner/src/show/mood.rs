//! How alarming something is, in one word for terminals and pages, which have colours of their own for it.

/// How alarming a cell is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    /// Something is not as expected.
    Wrong,
    /// Something was not decided, or not run.
    Undecided,
    /// As expected, with a known deviation among it.
    Known,
    /// All was held.
    Held,
    /// There is nothing to be said here.
    NotApplicable,
}
