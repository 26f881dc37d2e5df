//! The pod whose containers end by themselves.

use serde_json::{Value, json};

use crate::{labels::SYSTEM_NAMESPACE, recorder::evidence_folder};

pub(super) const NAME: &str = "calibration";
/// Below the folder with the evidence of all namespaces.
pub(super) const FOLDER: &str = "calibration";
/// How many exits are measured.
pub(super) const CONTAINERS: u64 = 10;
/// Ages at which containers end, in milliseconds: the youngest and the oldest.
const AGES: (u64, u64) = (1000, 3000);

/// The pod, on the given node.
pub(super) fn pod(node: &str, image: &str) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": NAME,
            "namespace": SYSTEM_NAMESPACE,
            "labels": {"app.kubernetes.io/name": NAME, "app.kubernetes.io/part-of": "sidecheck"},
        },
        "spec": {
            "nodeName": node,
            "restartPolicy": "Never",
            "terminationGracePeriodSeconds": 1,
            "automountServiceAccountToken": false,
            "enableServiceLinks": false,
            "tolerations": [{"operator": "Exists"}],
            "containers": (0..CONTAINERS).map(|number| container(number, image)).collect::<Vec<_>>(),
            "volumes": [{
                "name": "evidence",
                "hostPath": {"path": evidence_folder(FOLDER), "type": "DirectoryOrCreate"},
            }],
        },
    })
}

fn container(number: u64, image: &str) -> Value {
    let name = format!("c{number}");
    let field = |path: &str| json!({"fieldRef": {"fieldPath": path}});
    json!({
        "name": name,
        "image": image,
        "imagePullPolicy": "Never",
        "command": ["/sidecheck-witness", "run", "--name", name, "--exits-after", age(number).to_string()],
        "env": [
            {"name": "POD_NAME", "valueFrom": field("metadata.name")},
            {"name": "POD_UID", "valueFrom": field("metadata.uid")},
            {"name": "SIDECHECK_RUN", "value": NAME},
            {"name": "SIDECHECK_EVIDENCE", "value": "/sidecheck"},
        ],
        "volumeMounts": [{"name": "evidence", "mountPath": "/sidecheck"}],
    })
}

/// Containers start one after another. Those that start early grow old, so that the pod is soon over; and of two neighbours one
/// grows much older, so that not all end at once.
fn age(number: u64) -> u64 {
    let (youngest, oldest) = AGES;
    let rank = number / 2 + if number.is_multiple_of(2) { 0 } else { CONTAINERS / 2 };
    oldest - (oldest - youngest) * rank / (CONTAINERS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_spread_over_their_range() {
        let mut ages: Vec<u64> = (0..CONTAINERS).map(age).collect();
        ages.sort_unstable();
        ages.dedup();
        assert_eq!((ages.len() as u64, ages[0], ages[9]), (CONTAINERS, 1000, 3000));
    }
}
