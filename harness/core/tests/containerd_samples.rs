//! The runtime's parsers against real records; each sample's README says what was recorded.

use std::{collections::BTreeMap, fs, path::Path};

use sidecheck_core::{
    evidence::runtime,
    trace::{Act, Event},
};

fn sample(name: &str, namespace: &str) -> Vec<Event> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples").join(name);
    let read = |file: &str| fs::read_to_string(folder.join(file)).expect("the sample must be there");
    runtime::parse("node", namespace, &read("events.log"), &read("journal.log"), 100)
}

fn latest_ms(events: &[Event], container: &str, wanted: impl Fn(&Act) -> bool) -> Vec<i64> {
    let of = events.iter().filter(|event| event.container.as_deref() == Some(container) && wanted(&event.act));
    of.map(|event| event.at.expect("runtime events have stamps").latest.as_millisecond()).collect()
}

#[test]
fn delete_on_1_28_alpha_signals_all_at_once() {
    let events = sample("containerd-1.6-delete-1.28-alpha", "default");
    assert!(!events.iter().any(|event| matches!(event.act, Act::EvidenceMissing { .. })), "{events:#?}");

    let containers: BTreeMap<_, usize> = events.iter().fold(BTreeMap::new(), |mut count, event| {
        *count.entry(event.container.clone().expect("must name a container")).or_default() += 1;
        count
    });
    assert_eq!(containers.keys().map(String::as_str).collect::<Vec<_>>(), ["app", "s1", "s2"], "the sandbox is no container");

    let term = |container| latest_ms(&events, container, |act| *act == Act::Term)[0];
    let exit = |container| latest_ms(&events, container, |act| matches!(act, Act::Exited { .. }))[0];
    let start = |container| latest_ms(&events, container, |act| *act == Act::Started)[0];
    assert!(start("s1") < start("s2") && start("s2") < start("app"));
    assert!(exit("s1") - term("app") < 2_000 && exit("app") - term("app") > 2_500, "the sidecars are gone long before app");
    assert!((term("s1") - term("app")).abs() < 100);

    let probes = |container| latest_ms(&events, container, |act| matches!(act, Act::Probed { ok: true, .. })).len();
    assert!(probes("s1") >= 1 && probes("app") >= 1);
    assert_eq!(probes("s2"), 0);
}

#[test]
fn delete_on_1_29_stops_one_by_one() {
    let events = sample("containerd-1.6-delete-1.29", "t1");
    assert!(!events.iter().any(|event| matches!(event.act, Act::EvidenceMissing { .. })), "{events:#?}");
    let term = |container| latest_ms(&events, container, |act| *act == Act::Term)[0];
    let exit = |container| latest_ms(&events, container, |act| matches!(act, Act::Exited { .. }))[0];
    let order = [term("app"), exit("app"), term("s2"), exit("s2"), term("s1"), exit("s1")];
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn another_namespace_sees_nothing_of_it() {
    assert_eq!(sample("containerd-1.6-delete-1.28-alpha", "other"), []);
}

#[test]
fn a_stream_that_lost_a_start_says_so() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples/containerd-1.6-delete-1.28-alpha");
    let read = |file: &str| fs::read_to_string(folder.join(file)).expect("the sample must be there");
    let events: Vec<String> =
        read("events.log").lines().filter(|line| !line.contains("/tasks/start")).map(str::to_owned).collect();
    let missing = runtime::parse("node", "default", &events.join("\n"), &read("journal.log"), 100)
        .into_iter()
        .filter(|event| matches!(event.act, Act::EvidenceMissing { .. }))
        .count();
    assert_eq!(missing, 3);
}
