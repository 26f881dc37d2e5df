//! Outcomes that no listed scenario has when all is well, made to happen on a real cluster. Needs the cluster `1.29`.

use rstest::rstest;
use sidecheck_core::verdict::Outcome;

/// Nothing is deleted, so nobody is told to stop: the evidence that the promise asks for does not exist.
const NOBODY_STOPS: &str = "
about: a promise about a stop that never comes
source: [none]
needs: {gates: {SidecarContainers: true}}
pod:
  grace: 2s
  init_containers: [{name: s1, sidecar: true}]
  mains: [{name: app}]
steps:
  - create
  - await: {goal: {pod: ready}}
promises:
  - {name: stop_that_never_comes, since: 1.28, check: {stops_after: {first: app, then: s1}}}
";

/// A wait that runs out on a live node is Kubernetes' fault or the scenario's, and not the machine's.
const NEVER_READY: &str = "
about: a pod that never becomes ready
source: [none]
pod:
  grace: 2s
  mains: [{name: app, readiness_probe: {succeeds_after: 10m}}]
steps:
  - create
  - await: {goal: {pod: ready}, within: 8s, promise: never_kept}
";

/// The agent's image is taken away from under it.
const IMAGE_GONE: &str = "
about: an image that the node does not have
source: [none]
sink: syslog_tcp
pod:
  grace: 2s
  mains: [{name: app}, {name: agent, agent: missing}]
steps:
  - create
  - await: {goal: {pod: ready}, within: 8s, promise: not_to_be_told}
promises:
  - {name: nor_this, since: 1.28, check: {runs_once: {container: agent}}}
";

/// A sidecar that ends at once, again and again: its main never starts, and neither is Kubernetes' fault.
const SIDECAR_REFUSES: &str = "
about: a sidecar whose configuration is refused
source: [none]
needs: {gates: {SidecarContainers: true}}
sink: syslog_tcp
pod:
  grace: 2s
  init_containers:
    - {name: agent, sidecar: true, agent: rsyslog/refused, spec: {startupProbe: {tcpSocket: {port: 1}}}}
  mains: [{name: app, writes: {lines: 20}}]
steps:
  - create
  - await: {goal: {pod: ready}, within: 8s, promise: not_to_be_told}
promises:
  - {name: nor_this, since: 1.28, check: {delivers_every_line: {producer: app}}}
";

/// The main writes its lines, and nobody is there to read them.
const NOBODY_READS: &str = "
about: lines beside an agent whose configuration is refused
source: [none]
sink: syslog_tcp
pod:
  grace: 2s
  restart_policy: Never
  mains: [{name: agent, agent: rsyslog/refused}, {name: app, writes: {lines: 20}, exits: {after: 1s}}]
steps:
  - create
  - await: {goal: {pod: ended}}
promises:
  - {name: not_lost, since: 1.28, check: {delivers_every_line: {producer: app}}}
";

#[rstest]
#[case::nobody_stops(NOBODY_STOPS, &[Outcome::Undecidable, Outcome::Held], "TERM")]
#[case::never_ready(NEVER_READY, &[Outcome::Violated], "not ready")]
#[case::image_gone(IMAGE_GONE, &[Outcome::Inconclusive, Outcome::Inconclusive], "can't be created")]
#[case::sidecar_refuses(SIDECAR_REFUSES, &[Outcome::Inconclusive, Outcome::Inconclusive], "config is not clean")]
#[case::nobody_reads(NOBODY_READS, &[Outcome::Inconclusive, Outcome::Held], "config is not clean")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn outcome(#[case] scenario: &str, #[case] outcomes: &[Outcome], #[case] reason: &str) -> anyhow::Result<()> {
    let verdicts = sidecheck_suites::verdicts_of(scenario, "1.29").await?;
    let found: Vec<Outcome> = verdicts.iter().map(|verdict| verdict.outcome).collect();
    assert_eq!(found, outcomes, "{verdicts:#?}");
    assert!(verdicts[0].reason.contains(reason), "the reason names the cause: {}", verdicts[0].reason);
    Ok(())
}
