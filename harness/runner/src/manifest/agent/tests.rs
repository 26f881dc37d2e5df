use std::collections::BTreeMap;

use serde_json::{Value, json};
use sidecheck_core::{agent::Agent, scenario::Scenario};

use super::super::Context;

const AGENT: &str = "
about: A vendor's agent.
image: {registry: registry.example/agent:1}
version: {expected: '1'}
speaks: forward
args: [--quiet]
env: {URL: 'tcp://{{sink_host}}:{{sink_port}}'}
startup_probe: {httpGet: {path: /, port: 2020}, failureThreshold: 5}
volumes: [{name: state, path: /var/lib/agent}]
spec: {securityContext: {runAsUser: 0}}
reads: {file: {}, container_logs: {}}
configurations:
  defaults: {about: None., stops_within: 5s}
  lossless:
    about: All.
    stops_within: 5s
    files: [{path: /etc/agent.conf, text: 'path {{files}}'}]
";

fn context() -> Context {
    let agent = Agent::parse("vendor-1.2.yaml", AGENT).expect("an agent");
    Context {
        agents: BTreeMap::from([("vendor-1.2".to_owned(), (agent, "sidecheck/agent-vendor-1.2:0".to_owned()))]),
        ..super::super::tests::context()
    }
}

fn pod(agent: &str) -> Value {
    let text = format!(
        "about: a test\nsource: [none]\nsteps: [create]\npod:\n  init_containers: [{{name: one, sidecar: true, agent: {agent}}}]\n  \
         mains: [{{name: app}}, {{name: web}}, {{name: two, agent: {agent}}}]\n"
    );
    context().workload(&Scenario::parse("test.yaml", &text).expect("a scenario")).remove(0)
}

fn mounted(pod: &Value) -> Vec<(&str, &str)> {
    let mounts = pod["spec"]["initContainers"][0]["volumeMounts"].as_array().expect("a list").iter();
    mounts.map(|mount| (mount["name"].as_str().unwrap_or(""), mount["mountPath"].as_str().unwrap_or(""))).collect()
}

#[test]
fn a_container_gets_its_configuration_its_folders_and_the_shared_logs() {
    let pod = pod("vendor-1.2");
    let container = &pod["spec"]["initContainers"][0];
    assert_eq!(container["image"], "sidecheck/agent-vendor-1.2:0");
    assert_eq!(container["args"], json!(["--quiet"]));
    assert!(container.get("command").is_none(), "the image's own");
    assert_eq!(container["securityContext"]["runAsUser"], 0);
    let probe = json!({"httpGet": {"path": "/", "port": 2020}, "periodSeconds": 1, "timeoutSeconds": 10, "failureThreshold": 5});
    assert_eq!(container["startupProbe"], probe);
    let expected =
        [("logs", "/logs"), ("agent-vendor-1-2-config", "/etc/agent.conf"), ("agent-vendor-1-2-state", "/var/lib/agent")];
    assert_eq!(mounted(&pod), expected);
    assert_eq!(container["volumeMounts"][1]["subPath"], "lossless.file.file.0");
    let url = &container["env"].as_array().expect("a list")[3];
    assert_eq!(url["valueFrom"]["configMapKeyRef"], json!({"name": "agent-vendor-1-2", "key": "lossless.file.env.URL"}));
}

#[test]
fn two_containers_of_one_agent_share_its_volumes() {
    let pod = pod("vendor-1.2");
    let names = pod["spec"]["volumes"].as_array().expect("a list").iter().map(|volume| volume["name"].as_str().unwrap_or(""));
    assert_eq!(names.collect::<Vec<_>>(), ["evidence", "logs", "agent-vendor-1-2-config", "agent-vendor-1-2-state"]);
}

#[test]
fn the_logs_of_containers_are_those_of_the_pod_without_its_agents() {
    let pod = pod("vendor-1.2/defaults/container_logs");
    let expected = [
        ("container-logs", "/container-logs/app"),
        ("container-logs", "/container-logs/web"),
        ("agent-vendor-1-2-state", "/var/lib/agent"),
    ];
    assert_eq!(mounted(&pod), expected);
    let mount = &pod["spec"]["initContainers"][0]["volumeMounts"][0];
    assert_eq!(mount["subPathExpr"], "$(POD_NAMESPACE)_$(POD_NAME)_$(POD_UID)/app");
    assert_eq!(mount["readOnly"], true);
    let volumes = pod["spec"]["volumes"].to_string();
    assert!(volumes.contains("/var/log/pods"), "{volumes}");
}

#[test]
fn the_config_map_has_every_configuration_for_every_kind_of_logs() {
    let context = context();
    let (agent, _) = &context.agents["vendor-1.2"];
    let object = super::config_map(&context, "vendor-1.2", agent, "10.0.0.7");
    let data = json!({
        "defaults.file.env.URL": "tcp://10.0.0.7:24224",
        "defaults.container_logs.env.URL": "tcp://10.0.0.7:24224",
        "lossless.file.env.URL": "tcp://10.0.0.7:24224",
        "lossless.container_logs.env.URL": "tcp://10.0.0.7:24224",
        "lossless.file.file.0": "path /logs/*.log",
        "lossless.container_logs.file.0": "path /container-logs/*/*.log",
    });
    assert_eq!(object["data"], data);
    assert_eq!(object["metadata"]["name"], "agent-vendor-1-2");
}
