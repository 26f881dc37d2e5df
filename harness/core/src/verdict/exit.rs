//! Exit codes: a published type, so that scripts can rely on them.

use super::{Standing, Verdict};

/// What a run of sidecheck comes to, as the exit code of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Exit {
    /// 0: everything is as expected.
    #[default]
    AsExpected,
    /// 3: nothing broke, but something was not decided.
    Undecided,
    /// 1: a promise broke, or a known deviation did not show.
    Unexpected,
    /// 2: wrong use or bad input; nothing was found out about Kubernetes.
    BadInput,
    /// 130: the user interrupted the run.
    Interrupted,
}

impl Exit {
    /// The code of the process.
    pub fn code(self) -> u8 {
        match self {
            Self::AsExpected => 0,
            Self::Unexpected => 1,
            Self::BadInput => 2,
            Self::Undecided => 3,
            Self::Interrupted => 130,
        }
    }

    /// What some verdicts come to.
    pub fn of<'a>(verdicts: impl IntoIterator<Item = &'a Verdict>) -> Self {
        let each = verdicts.into_iter().map(|verdict| match verdict.standing {
            Standing::Expected | Standing::LeftOut => Self::AsExpected,
            Standing::Unexpected => Self::Unexpected,
            Standing::Undecided => Self::Undecided,
        });
        each.fold(Self::AsExpected, Self::and)
    }

    /// Both together: a broken promise outweighs what was not decided, since it is known whatever the rest may be.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.max(other)
    }
}
