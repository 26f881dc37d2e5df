//! A run: scenarios on clusters, as many cases at once as each cluster bears, results as they come.

mod batch;
mod disorder;
mod group;
mod interrupt;
mod one;
mod plan;
mod progress;
mod schedule;
mod settling;

pub use batch::Batch;
pub use group::Group;
pub(crate) use group::Member;
pub use interrupt::Interrupt;
pub use one::{CaseResult, Finished, run_case};
pub(crate) use one::{await_places, finished, run_in};
pub(crate) use plan::choose_entries;
pub use plan::{Globs, Plan, PlanError, planned_environment};
pub use progress::{Progress, Waiting};
pub use schedule::Schedule;
pub use settling::Settling;
