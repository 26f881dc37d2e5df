//! Agents on the command line: a new one by one file, their images, and what is wrong with either.

mod support;

use std::{path::Path, process::Output};

use rstest::rstest;
use sidecheck::catalog::Catalog;
use sidecheck_core::agent::{LogSource, Place};
use support::Project;

/// All that a vendor writes.
const AGENT: &str = "\
about: A vendor's agent.
image: {registry: registry.example/agent:1}
version: {expected: 1.2.3}
speaks: http_json
reads:
  file: {}
configurations:
  lossless:
    about: The only one.
    files:
      - {path: /etc/agent.conf, text: 'read {{files}} to {{sink_host}}:{{sink_port}}'}
    stops_within: 5s
    documented_loss:
      - {when: it rains, because: The cable gets wet., source: https://vendor.example/rain}
";

const SCENARIO: &str = "\
about: a test
source: [none]
sink: http_json
pod:
  init_containers: [{name: agent, sidecar: true, agent: vendor}]
  mains: [{name: app}]
steps: [create]
";

fn project() -> Project {
    let project = Project::new();
    project.write("suites/agents/vendor.yaml", AGENT);
    project.write("suites/t/logs.yaml", SCENARIO);
    project
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn one_file_is_an_agent() {
    let output = project().sidecheck(&["list", "--agents"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stdout), @r"
      agent    version   reads   speaks      configurations   image
    ────────────────────────────────────────────────────────────────────────────────────
      vendor   1.2.3     file    http_json   lossless         registry.example/agent:1

    vendor
      A vendor's agent.
      is stopped by SIGTERM
      lossless: The only one. Stops within 5s. Lines of up to 16384 bytes.
        loses lines when it rains: The cable gets wet. (https://vendor.example/rain)
    ");
}

#[rstest]
#[case::unknown_key(&format!("{AGENT}entrypoint: [x]\n"), "suites/agents/vendor.yaml:15: unknown field `entrypoint`")]
#[case::placeholder(&AGENT.replace("{{files}}", "{{file}}"), "suites/agents/vendor.yaml:11: unknown placeholder `{{file}}`")]
#[case::protocol(&AGENT.replace("http_json", "smtp"), "suites/agents/vendor.yaml:4: ")]
#[case::no_module(
    &AGENT.replace("registry: registry.example/agent:1", "go: {module: vendor, package: ., binary: vendor}"),
    "suites/agents/vendor.yaml:2: there is no suites/agents/vendor/go.mod"
)]
fn agent_file_that_can_t_be_used(#[case] text: &str, #[case] message: &str) {
    let project = project();
    project.write("suites/agents/vendor.yaml", text);
    let before = project.listing();
    let output = project.sidecheck(&["run"]);
    assert!(stderr(&output).contains(message), "{}", stderr(&output));
    assert_eq!(stderr(&output).trim().lines().count(), 1, "one clear message: {}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(project.listing(), before, "nothing is left behind");
}

#[rstest]
#[case::configuration("vendor/defaults", "suites/t/logs.yaml:5: agent vendor has no configuration `defaults`; it has lossless")]
#[case::source("vendor/lossless/container_logs", "suites/t/logs.yaml:5: agent vendor does not read container_logs")]
#[case::no_choice("vendor/lossless/file/x", "suites/t/logs.yaml:5: `vendor/lossless/file/x` is no agent such as")]
fn scenario_that_asks_what_the_agent_has_not(#[case] agent: &str, #[case] message: &str) {
    let project = project();
    project.write("suites/t/logs.yaml", &SCENARIO.replace("agent: vendor", &format!("agent: {agent}")));
    let output = project.sidecheck(&["run"]);
    assert!(stderr(&output).contains(message), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn name_of_an_agent_that_no_object_could_have() {
    let project = project();
    project.write("suites/agents/My Agent.yaml", AGENT);
    let output = project.sidecheck(&["list", "--agents"]);
    assert!(stderr(&output).contains("suites/agents/My Agent.yaml:1: `My Agent` is no name of an agent"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
}

#[rstest]
#[case::unknown_required(&["--require", "vendr"], "--require: there is no agent `vendr`; suites/agents has vendor")]
#[case::unknown_archive(&["--image-archive", "vendr=x.tar"], "--image-archive: there is no agent `vendr`")]
#[case::no_file_named(&["--image-archive", "vendor"], "is not AGENT=FILE")]
#[case::no_such_file(&["--image-archive", "vendor=none.tar"], "none.tar can't be used as an image archive: No such file")]
#[case::no_archive(&["--image-archive", "vendor=suites/t/logs.yaml"], "can't be used as an image archive: it is no whole tar archive")]
fn images_that_are_asked_for_wrongly(#[case] arguments: &[&str], #[case] message: &str) {
    let project = project();
    for command in ["run", "up"] {
        let before = project.listing();
        let output = project.sidecheck(&[&[command], arguments].concat());
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert_eq!(project.listing(), before, "nothing is left behind");
    }
}

/// Those of the project itself: each can be configured for all that it reads, and says where its losses are documented.
#[test]
fn agents_of_the_project() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let catalog = Catalog::load(root).unwrap_or_else(|error| panic!("{error}"));
    assert!(catalog.agents.len() >= 7, "{:?}", catalog.agents.keys());
    for (name, agent) in &catalog.agents {
        for wanted in ["defaults", "lossless"] {
            assert!(agent.configurations.contains_key(wanted), "{name} has no {wanted}");
        }
        for (configuration_name, configuration) in &agent.configurations {
            assert!(!configuration.documented_loss.is_empty(), "{name}/{configuration_name} claims to lose nothing");
            assert!(configuration.documented_loss.iter().all(|loss| loss.source.starts_with("https://")));
            for source in LogSource::ALL {
                let place = Place { logs: "/l", files: "/l/*.log", sink_host: "10.0.0.7", sink_port: agent.speaks.port() };
                let filled = agent.filled(configuration, source, &place);
                let texts: Vec<&String> = filled.files.iter().map(|file| &file.text).chain(filled.env.values()).collect();
                assert!(texts.iter().all(|text| !text.contains("{{")), "{name}/{configuration_name}/{source}: {texts:?}");
                assert!(texts.iter().any(|text| text.contains("/l/*.log")), "{name}/{configuration_name}/{source}");
                assert!(texts.iter().any(|text| text.contains("10.0.0.7")), "{name}/{configuration_name}/{source}");
            }
        }
    }
}
