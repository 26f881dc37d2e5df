//! Which container of which pod a container id is.

use std::collections::BTreeMap;

use super::journal::{Entry, Said};
use crate::trace::PodId;

/// One incarnation of a container, as the runtime names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) pod: PodId,
    pub(super) container: String,
    /// The kubelet's count of restarts when it made the container.
    pub(super) attempt: u32,
}

/// Names by container id, for one namespace.
pub(super) struct Names(BTreeMap<String, Named>);

impl Names {
    pub(super) fn of(entries: &[Entry], wanted: &str) -> Self {
        let sandboxes: BTreeMap<&str, PodId> = entries
            .iter()
            .filter_map(|entry| match &entry.said {
                Said::Sandbox { id, name, uid, namespace } if namespace == wanted => {
                    Some((id.as_str(), PodId { name: name.clone(), uid: uid.clone() }))
                }
                _ => None,
            })
            .collect();
        let containers = entries.iter().filter_map(|entry| match &entry.said {
            Said::Created { id, sandbox, name, attempt } => {
                let pod = sandboxes.get(sandbox.as_str())?.clone();
                Some((id.clone(), Named { pod, container: name.clone(), attempt: *attempt }))
            }
            _ => None,
        });
        Self(containers.collect())
    }

    pub(super) fn get(&self, id: &str) -> Option<&Named> {
        self.0.get(id)
    }
}
