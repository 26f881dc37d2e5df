//! Which container of which pod a container id is.

use std::collections::{BTreeMap, BTreeSet};

use super::journal::{Entry, Said};
use crate::trace::PodId;

/// One incarnation of a container, as the runtime names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) pod: PodId,
    pub(super) container: String,
    /// Its place among the containers of that name in that pod that were started, from 0. The kubelet's own count (`Attempt`)
    /// begins again for init containers when a pod gets a new sandbox, as after a reboot of the node.
    pub(super) incarnation: u32,
}

/// Names by container id, for one namespace.
pub(super) struct Names(BTreeMap<String, Named>);

impl Names {
    /// `started` has the ids of the containers that were ever started.
    pub(super) fn of(entries: &[Entry], wanted: &str, started: &BTreeSet<&str>) -> Self {
        let sandboxes: BTreeMap<&str, PodId> = entries
            .iter()
            .filter_map(|entry| match &entry.said {
                Said::Sandbox { id, name, uid, namespace } if namespace == wanted => {
                    Some((id.as_str(), PodId { name: name.clone(), uid: uid.clone() }))
                }
                _ => None,
            })
            .collect();
        let mut counts: BTreeMap<(PodId, String), u32> = BTreeMap::new();
        let containers = entries.iter().filter_map(|entry| match &entry.said {
            Said::Created { id, sandbox, name } if started.contains(id.as_str()) => {
                let pod = sandboxes.get(sandbox.as_str())?.clone();
                let count = counts.entry((pod.clone(), name.clone())).or_default();
                let named = Named { pod, container: name.clone(), incarnation: *count };
                *count += 1;
                Some((id.clone(), named))
            }
            _ => None,
        });
        Self(containers.collect())
    }

    pub(super) fn get(&self, id: &str) -> Option<&Named> {
        self.0.get(id)
    }
}
