//! Real records of real releases, judged: what a deleted pod of two sidecars and a main did on each.
//!
//! The containers ran busybox, no witness program, so the runtime decides alone. This is the test of the judge that no
//! simulation can replace: 1.28 carries the real bug.

use std::{fs, path::Path};

use rstest::rstest;
use sidecheck_core::{
    evidence::{recorder, runtime},
    judge,
    trace::{Act, Trace, Witness},
    verdict::Outcome,
};

use crate::{
    scenarios::STOP,
    story::{NODE, RESOLUTION_MS, Story, plain},
};

#[rstest]
#[case::all_at_once("containerd-1.6-delete-1.28-alpha", "default", Outcome::Violated)]
#[case::one_by_one("containerd-1.6-delete-1.29", "t1", Outcome::Held)]
fn deletes(#[case] sample: &str, #[case] namespace: &str, #[case] outcome: Outcome) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples").join(sample);
    // The scenario's pod is always called `pod`.
    let read = |file: &str| fs::read_to_string(folder.join(file)).expect("the sample must be there").replace("stop-order", "pod");
    let yaml =
        STOP.replace("sidecar: true}", "sidecar: true, agent: busybox}").replace("{name: app}", "{name: app, agent: busybox}");

    let mut events = runtime::parse(NODE, namespace, &read("events.log"), &read("journal.log"), RESOLUTION_MS);
    let mut pod: serde_json::Value = serde_json::from_str(&read("pod.json")).expect("must be JSON");
    pod["spec"]["nodeName"] = NODE.into();
    events.push(plain(Witness::Api, 0, Act::Seen { change: "added".to_owned(), object: pod }));
    let ends: Vec<_> = events.iter().filter_map(|event| event.at.filter(|_| event.witness == Witness::Runtime)).collect();
    let first = ends.iter().map(|at| at.earliest).min().expect("must have stamps");
    let last = ends.iter().map(|at| at.latest).max().expect("must have stamps");
    events.extend(recorder::parse(NODE, &(first.as_nanosecond() - 60_000_000_000).to_string()));
    for (step, (begin, end)) in [(first, first), (first, last)].into_iter().enumerate() {
        let mut began = plain(Witness::Harness, 0, Act::StepBegan { step });
        let outcome = sidecheck_core::trace::StepOutcome::Done;
        let mut ended = plain(Witness::Harness, 0, Act::StepEnded { step, outcome });
        began.at = Some(sidecheck_core::trace::Stamp { earliest: begin, latest: begin });
        ended.at = Some(sidecheck_core::trace::Stamp { earliest: end, latest: end });
        events.extend([began, ended]);
    }

    let verdicts = judge(&Trace::new(Story::new(&yaml).header(), events)).expect("must judge");
    for verdict in &verdicts {
        assert_eq!(verdict.outcome, outcome, "{verdict:#?}");
        assert!(verdict.reason.contains("by the runtime alone"), "{}", verdict.reason);
    }
}
