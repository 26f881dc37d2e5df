//! Bad luck is never taken for Kubernetes' fault, nor for a promise kept. Needs the cluster `1.28-off`, which has little else to
//! do: each of these tests has it to itself.

use rstest::rstest;
use sidecheck_core::verdict::Outcome;
use sidecheck_suites::Disturbance;

/// The cluster that is disturbed.
const ENTRY: &str = "1.28-off";

/// Mains are stopped together, so that TERM of one comes before the exit of the other: `violated`, if two can say so.
const STOPS: &str = "
about: mains that are stopped together, on a node with bad luck
source: [none]
pod:
  grace: 10s
  mains: [{name: app, stop_takes: 2s}, {name: other}]
steps:
  - create
  - await: {goal: {pod: ready}, within: 2m}
  - stays: {goal: {container: {name: app, state: running}}, lasting: 8s, promise: runs_on}
  - delete
  - await: {goal: {pod: ended}}
promises:
  - {name: one_after_the_other, since: 1.28, check: {stops_after: {first: app, then: other}}}
";

/// The same with mains that have much to record: what is left of the last block of a full disk is used up within seconds.
const STOPS_AND_RECORDS: &str = "
about: mains that are stopped together and record every call, on a node with bad luck
source: [none]
pod:
  grace: 10s
  mains:
    - {name: app, serves_http: 8080, stop_takes: 2s}
    - {name: other, calls: '127.0.0.1:8080/'}
steps:
  - create
  - await: {goal: {pod: ready}, within: 2m}
  - rest: 15s
  - delete
  - await: {goal: {pod: ended}}
promises:
  - {name: one_after_the_other, since: 1.28, check: {stops_after: {first: app, then: other}}}
";

/// What nothing could keep in that time.
const NEVER_READY: &str = "
about: a pod that is not ready in time, on a node with bad luck
source: [none]
pod:
  grace: 2s
  mains: [{name: app, readiness_probe: {succeeds_after: 10m}}]
steps:
  - create
  - await: {goal: {pod: ready}, within: 10s, promise: ready_in_time}
";

async fn only(disturbance: Disturbance, scenario: &str, promise: &str) -> anyhow::Result<(Outcome, String)> {
    let verdicts = sidecheck_suites::verdicts_under(disturbance, scenario, ENTRY).await?;
    let verdict = verdicts.into_iter().find(|verdict| verdict.promise == promise).expect("the scenario has the promise");
    Ok((verdict.outcome, verdict.reason))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recorder_that_dies_makes_an_order_undecidable() -> anyhow::Result<()> {
    let (outcome, reason) = only(Disturbance::RecorderDies, STOPS, "one_after_the_other").await?;
    assert_eq!(outcome, Outcome::Undecidable, "{reason}");
    // It says that the recorder began anew, or, where the gap swallowed an event that containerd's journal has, which one.
    assert!(reason.contains("recorder") || reason.contains("event stream has no"), "the cause is named: {reason}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kubelet_that_dies_does_not_bend_the_verdict() -> anyhow::Result<()> {
    let (outcome, reason) = only(Disturbance::KubeletDies, STOPS, "one_after_the_other").await?;
    assert_eq!(outcome, Outcome::Violated, "{reason}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_disk_makes_an_order_inconclusive() -> anyhow::Result<()> {
    let (outcome, reason) = only(Disturbance::DiskFills, STOPS_AND_RECORDS, "one_after_the_other").await?;
    assert_eq!(outcome, Outcome::Inconclusive, "{reason}");
    assert!(reason.contains("could not write its record"), "the cause is named: {reason}");
    Ok(())
}

#[rstest]
#[case::node_pauses(Disturbance::NodePauses)]
#[case::api_server_stops(Disturbance::ApiServerStops)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wait_that_runs_out_is_inconclusive(#[case] disturbance: Disturbance) -> anyhow::Result<()> {
    let (outcome, reason) = only(disturbance, NEVER_READY, "ready_in_time").await?;
    assert_eq!(outcome, Outcome::Inconclusive, "{reason}");
    assert!(reason.contains("heartbeat") || reason.contains("list Pods"), "the cause is named: {reason}");
    Ok(())
}
