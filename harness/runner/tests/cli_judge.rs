//! `sidecheck judge` needs the trace and nothing else: no project, no engine, no state.

mod support;

use std::{collections::BTreeMap, path::Path};

use sidecheck_core::{
    deviation::Deviations,
    environment::Environment,
    scenario::Scenario,
    trace::{Act, Event, FORMAT, Header, RULES, StepOutcome, Trace, Witness},
};
use support::Project;

const SCENARIO: &str = "\
about: a test
source: [none]
pod: {mains: [{name: app}]}
steps: [create, await: {goal: {pod: ready}}]
";

/// A case whose only wait is done: held.
fn trace() -> Trace {
    let harness = |act| Event {
        seq: 0,
        witness: Witness::Harness,
        node: None,
        pod: None,
        container: None,
        incarnation: None,
        at: None,
        line: None,
        act,
    };
    let header = Header {
        trace: "sidecheck".to_owned(),
        format: FORMAT,
        rules: RULES,
        sidecheck: "0.1.0".to_owned(),
        run: "r1".to_owned(),
        namespace: "sc-t".to_owned(),
        scenario_name: "t/test".to_owned(),
        scenario: Scenario::parse("t.yaml", SCENARIO).expect("a scenario"),
        deviations: Deviations::default(),
        environment: Environment {
            entry: "1.29".to_owned(),
            release: "1.29.15".parse().expect("a release"),
            gates: BTreeMap::new(),
            components: BTreeMap::new(),
            nodes: vec![],
            capabilities: vec![],
            runtime_resolution_ms: 100,
            calibration: None,
            node_image: "none".to_owned(),
            tools: BTreeMap::new(),
            created: "2026-11-30T19:00:00Z".parse().expect("a time"),
        },
    };
    let steps = [0, 1]
        .into_iter()
        .flat_map(|step| [harness(Act::StepBegan { step }), harness(Act::StepEnded { step, outcome: StepOutcome::Done })]);
    Trace::new(header, steps.collect())
}

fn judge(project: &Project, arguments: &[&str]) -> (Option<i32>, String) {
    let output = project.sidecheck(&[&["judge"], arguments].concat());
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr))
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn copy_of_a_case_alone_gives_the_same_verdicts_byte_for_byte() {
    let project = Project::empty();
    let file = project.write("case/trace.jsonl", &trace().to_text());
    let verdicts = file.with_file_name("verdicts.json");
    let (code, said) = judge(&project, &[text(&file), "--output", text(&verdicts)]);
    assert_eq!(code, Some(0), "{said}");

    let (code, said) = judge(&project, &["case"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("1 of 1 traces give the verdicts on record, byte for byte"), "{said}");
    assert!(said.contains("pod_is_ready") && said.contains("held"), "{said}");
}

#[test]
fn verdicts_that_were_edited_are_told() {
    let project = Project::empty();
    project.write("case/trace.jsonl", &trace().to_text());
    project.write("case/verdicts.json", "[]\n");
    let (code, said) = judge(&project, &["case"]);
    assert_eq!(code, Some(1), "{said}");
    let expected = format!("case/verdicts.json: differs from what the trace says (rules {RULES} then, {RULES} now)");
    assert!(said.contains(&expected), "{said}");
}

#[test]
fn truncated_trace_is_bad_input_with_its_line() {
    let project = Project::empty();
    let whole = trace().to_text();
    let cut: Vec<&str> = whole.lines().take(3).collect();
    project.write("case/trace.jsonl", &(cut.join("\n") + "\n"));
    let (code, said) = judge(&project, &["case"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("case/trace.jsonl:3: the trace is truncated"), "{said}");
}
