//! Bad input: one clear message with file and line, the documented exit code, and nothing left behind.

mod support;

use rstest::rstest;
use support::Project;

const SCENARIO: &str = "\
about: a test
source: [KEP-753]
pod:
  init_containers: [{name: s1, sidecar: true}]
  mains: [{name: app}]
steps: [create]
";

#[rstest]
#[case::unknown_key(&format!("{SCENARIO}promisses: []\n"), "suites/t/bad.yaml:7: unknown field `promisses`")]
#[case::wrong_type(&SCENARIO.replace("steps: [create]", "steps: create"), "suites/t/bad.yaml:6: ")]
#[case::unknown_check(
    &format!("{SCENARIO}promises:\n  - {{name: p, since: 1.28, check: {{stop_after: {{first: app, then: s1}}}}}}\n"),
    "suites/t/bad.yaml:8: unknown variant `stop_after`"
)]
#[case::unknown_container(
    &format!("{SCENARIO}promises:\n  - {{name: p, since: 1.28, check: {{stops_after: {{first: app, then: s9}}}}}}\n"),
    "suites/t/bad.yaml:8: no container is named `s9`"
)]
#[case::length_of_time(&SCENARIO.replace("name: app", "name: app, stop_takes: 3"), "suites/t/bad.yaml:5: `3` is not a length of time")]
#[case::no_workload("about: a test\nsource: []\nsteps: [create]\n", "suites/t/bad.yaml:1: a scenario has exactly one of")]
#[case::unknown_agent(&SCENARIO.replace("name: app", "name: app, agent: fluentbitt"), "suites/t/bad.yaml:5: unknown agent `fluentbitt`")]
fn scenario_that_can_t_be_used(#[case] text: &str, #[case] message: &str) {
    let project = Project::new();
    project.write("suites/t/bad.yaml", text);
    let before = project.listing();
    let output = project.sidecheck(&["run"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains(message), "{stderr}");
    assert_eq!(stderr.trim().lines().count(), 1, "one clear message: {stderr}");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(project.listing(), before, "nothing is left behind");
}

#[test]
fn promise_without_an_expectation_is_refused_before_anything_is_created() {
    let project = Project::new();
    let promises = "promises:\n  - {name: stops_in_order, since: 1.29, check: {stops_after: {first: app, then: s1}}}\n";
    project.write("suites/t/later.yaml", &format!("{SCENARIO}{promises}"));
    let before = project.listing();
    let output = project.sidecheck(&["run"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("suites/t/later.yaml:8: on 1.28-alpha: "), "{stderr}");
    assert!(stderr.contains("`stops_in_order` holds since 1.29, but the scenario applies to 1.28.15"), "{stderr}");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(project.listing(), before, "nothing is left behind");
}

#[test]
fn unknown_entry_names_those_that_there_are() {
    let project = Project::new();
    project.write("suites/t/fine.yaml", SCENARIO);
    for arguments in [["run", "--cluster", "1.92"].as_slice(), ["up", "1.92"].as_slice()] {
        let output = project.sidecheck(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("unknown cluster entry `1.92`; clusters/matrix has 1.28-alpha"), "{stderr}");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn entry_with_an_unknown_key_is_told_with_its_place() {
    let project = Project::new();
    project.write("suites/t/fine.yaml", SCENARIO);
    project.write("clusters/matrix/bad.yaml", "release: 1.29.15\nexpect_gates: {}\nfeaturegates: {}\n");
    let output = project.sidecheck(&["run"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("clusters/matrix/bad.yaml:3: unknown field `featuregates`"), "{stderr}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn no_scenario_matches() {
    let project = Project::new();
    project.write("suites/t/fine.yaml", SCENARIO);
    let output = project.sidecheck(&["run", "--scenario", "odering/*"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("no scenario matches odering/*"));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn no_engine_says_how_to_get_one() {
    let project = Project::new();
    project.write("suites/t/fine.yaml", SCENARIO);
    let before = project.listing();
    let output = project.sidecheck(&["run"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("/nonexistent/docker.sock"), "{stderr}");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(project.listing(), before, "nothing is left behind");
}

#[rstest]
#[case::foreign("{\"kind\":\"Pod\"}\n", "not a sidecheck trace")]
#[case::no_json("hello\n", "not a sidecheck trace")]
#[case::empty("", "the trace is empty")]
#[case::newer("{\"trace\":\"sidecheck\",\"format\":99}\n", "format 99")]
fn file_that_is_no_usable_trace(#[case] text: &str, #[case] message: &str) {
    let project = Project::new();
    let file = project.write("elsewhere/trace.jsonl", text);
    let output = project.sidecheck(&["judge", file.to_str().expect("a path in UTF-8")]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("trace.jsonl:1: ") && stderr.contains(message), "{stderr}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn folder_without_a_trace() {
    let project = Project::new();
    let output = project.sidecheck(&["judge", "suites"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("no trace.jsonl"));
    assert_eq!(output.status.code(), Some(2));
}
