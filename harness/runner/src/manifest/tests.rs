use std::collections::BTreeMap;

use sidecheck_core::scenario::Scenario;

use super::*;

/// Of a case without agents.
pub(super) fn context() -> Context {
    Context {
        run: "20261130-190000-abcd".to_owned(),
        namespace: "sc-test".to_owned(),
        key: "test-1".to_owned(),
        node: "node-1".to_owned(),
        witness_image: "sidecheck/witness:1".to_owned(),
        agents: BTreeMap::new(),
    }
}

fn objects(yaml: &str) -> Vec<serde_json::Value> {
    let text = format!("about: a test\nsource: [KEP-753]\n{yaml}\nsteps: [create]\n");
    context().workload(&Scenario::parse("test.yaml", &text).expect("a scenario"))
}

#[test]
fn a_sidecar_is_an_init_container_that_restarts_always() {
    let pod = &objects("pod: {init_containers: [{name: s1, sidecar: true}], mains: [{name: app}]}")[0];
    assert_eq!(pod["spec"]["initContainers"][0]["restartPolicy"], "Always");
    assert!(pod["spec"]["containers"][0].get("restartPolicy").is_none());
    assert_eq!(pod["metadata"]["finalizers"][0], labels::EVIDENCE);
}

#[test]
fn behaviour_becomes_arguments_in_milliseconds() {
    let pod = &objects("pod: {mains: [{name: app, stop_takes: 3s, exits: {after: 500ms, code: 7}}]}")[0];
    let command: Vec<&str> =
        pod["spec"]["containers"][0]["command"].as_array().expect("a list").iter().filter_map(|word| word.as_str()).collect();
    assert_eq!(command.join(" "), "/sidecheck-witness run --name app --stop-takes 3000 --exits-after 500 --exit-code 7");
}

#[test]
fn a_plain_init_container_ends_at_once_unless_told_otherwise() {
    let pod = &objects("pod: {init_containers: [{name: i1}], mains: [{name: app}]}")[0];
    let command = pod["spec"]["initContainers"][0]["command"].to_string();
    assert!(command.contains("--exits-after"), "{command}");
}

#[test]
fn pods_of_a_stateful_set_carry_no_finalizer_and_those_of_a_job_do() {
    let set = &objects("stateful_set: {replicas: 3, pod: {mains: [{name: app}]}}")[1];
    assert!(set["spec"]["template"]["metadata"].get("finalizers").is_none());
    let job = &objects("job: {pod: {mains: [{name: app, exits: {after: 1s}}]}}")[0];
    assert_eq!(job["spec"]["template"]["metadata"]["finalizers"][0], labels::EVIDENCE);
    assert_eq!(job["spec"]["template"]["spec"]["restartPolicy"], "Never");
}
