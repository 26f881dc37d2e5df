use serde_json::json;

use super::*;

fn board(object: &Value) -> Board {
    let board = Board::new();
    board.note("added", object);
    board
}

fn pod(status: &Value) -> Value {
    json!({"kind": "Pod", "metadata": {"name": "pod", "uid": "u", "creationTimestamp": "2026-11-30T19:00:00Z"}, "status": status})
}

#[test]
fn a_pod_has_ended_only_when_no_container_runs() {
    let running = pod(&json!({"phase": "Failed", "containerStatuses": [{"name": "app", "state": {"running": {}}}]}));
    let ended =
        pod(&json!({"phase": "Failed", "containerStatuses": [{"name": "app", "state": {"terminated": {"exitCode": 0}}}]}));
    assert!(!look(&Goal::Pod(PodState::Ended), &board(&running)).reached);
    assert!(look(&Goal::Pod(PodState::Ended), &board(&ended)).reached);
}

#[test]
fn what_is_seen_says_why_a_container_waits() {
    let waiting = json!({"name": "app", "state": {"waiting": {"reason": "ErrImageNeverPull", "message": "no such image"}}});
    let sight = look(&Goal::Pod(PodState::Ready), &board(&pod(&json!({"phase": "Pending", "containerStatuses": [waiting]}))));
    assert_eq!(sight.seen, "pod pod is Pending: app waiting: ErrImageNeverPull (no such image)");
}

#[test]
fn a_stateful_set_is_rolled_out_when_its_status_is_about_the_newest_generation() {
    let set = |observed: u64| {
        json!({
            "kind": "StatefulSet", "metadata": {"name": "web", "uid": "u", "generation": 2}, "spec": {"replicas": 3},
            "status": {"observedGeneration": observed, "readyReplicas": 3, "updatedReplicas": 3, "currentRevision": "a", "updateRevision": "a"},
        })
    };
    let goal = Goal::StatefulSet(Rollout::RolledOut);
    assert!(!look(&goal, &board(&set(1))).reached);
    assert!(look(&goal, &board(&set(2))).reached);
}

#[test]
fn a_deployment_is_rolled_out_when_no_old_pod_counts_any_more() {
    let deployment = |replicas: u64| {
        json!({
            "kind": "Deployment", "metadata": {"name": "web", "uid": "u", "generation": 2}, "spec": {"replicas": 2},
            "status": {"observedGeneration": 2, "replicas": replicas, "updatedReplicas": 2, "availableReplicas": 2},
        })
    };
    let goal = Goal::Deployment(Rollout::RolledOut);
    assert!(!look(&goal, &board(&deployment(3))).reached);
    assert!(look(&goal, &board(&deployment(2))).reached);
}

#[test]
fn a_daemon_set_that_has_no_node_yet_is_not_rolled_out() {
    let set = |nodes: u64| {
        json!({
            "kind": "DaemonSet", "metadata": {"name": "web", "uid": "u", "generation": 1}, "spec": {},
            "status": {"observedGeneration": 1, "desiredNumberScheduled": nodes, "updatedNumberScheduled": nodes, "numberAvailable": nodes},
        })
    };
    let goal = Goal::DaemonSet(Rollout::RolledOut);
    assert!(!look(&goal, &board(&set(0))).reached);
    assert!(look(&goal, &board(&set(1))).reached);
}

#[test]
fn the_sink_is_not_the_tested_pod() {
    let sink = json!({"kind": "Pod", "metadata": {"name": SINK_NAME, "uid": "s", "creationTimestamp": "2026-11-30T19:00:05Z"}, "status": {"phase": "Running"}});
    let board = board(&pod(&json!({"phase": "Pending"})));
    board.note("added", &sink);
    assert!(look(&Goal::Pod(PodState::Pending), &board).reached);
}
