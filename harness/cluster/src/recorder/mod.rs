//! What each node records by itself, and how it is read.
//!
//! From the moment a cluster is up, a systemd unit on every node appends containerd's event stream to a file, since
//! containerd keeps no history of it. Beside it lie the heartbeat's lines and what witness containers wrote:
//!
//! | below `/var/lib/sidecheck` | what |
//! |---|---|
//! | `containerd-events.log` | one line per event, as `ctr -n k8s.io events` prints it |
//! | `recorder-starts.log` | wall clock in nanoseconds at each start of the recorder; a second one within a run is a gap |
//! | `heartbeat.jsonl` | `{"boot_ns":..,"wall_ns":..}` twice a second; put aside as `heartbeat.jsonl.1` when it is long |
//! | `evidence/NAMESPACE/` | whatever the pods of one scenario's namespace left there |

mod collect;
mod folder;
mod install;

pub use collect::{CollectError, NodeEvidence, collect, remove_evidence};
pub use folder::{EVIDENCE_ROOT, evidence_folder};
pub(crate) use install::install;
