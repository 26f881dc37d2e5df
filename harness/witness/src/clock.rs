//! The two clocks of every record.

use rustix::time::{ClockId, clock_gettime};

/// One instant on both clocks, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// `CLOCK_BOOTTIME`: one clock for all containers of a node, never set back.
    pub(crate) boot_ns: u64,
    /// `CLOCK_REALTIME`: to compare with what others recorded.
    pub(crate) wall_ns: u64,
}

/// The present instant.
pub(crate) fn now() -> Stamp {
    Stamp { boot_ns: read(ClockId::Boottime), wall_ns: read(ClockId::Realtime) }
}

fn read(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    // Neither clock can be before its epoch on a machine that runs Kubernetes.
    u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or(0)
}
