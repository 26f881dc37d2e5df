//! Scenarios that several tests share.

/// Two sidecars and a main; deleted.
pub(crate) const STOP: &str = "
about: Stop order.
source: [KEP-753]
pod:
  init_containers: [{name: s1, sidecar: true}, {name: s2, sidecar: true}]
  mains: [{name: app}]
steps: [create, delete]
promises:
  - {name: after_main, since: '1.29', check: {stops_after: {first: app, then: s2}}}
  - {name: reverse, since: '1.29', check: {stops_after: {first: s2, then: s1}}}
";

/// Start order with a startup probe.
pub(crate) const START: &str = "
about: Start order.
source: [KEP-753]
pod:
  init_containers: [{name: s1, sidecar: true, startup_probe: {}}]
  mains: [{name: app}]
steps: [create]
promises:
  - {name: gated, since: '1.28', check: {starts_after_probe: {gate: s1, then: app}}}
  - {name: in_order, since: '1.28', check: {starts_after: {first: s1, then: app}}}
";

/// A sidecar that ends and comes back.
pub(crate) const RESTART: &str = "
about: Restart.
source: [KEP-753]
pod:
  init_containers: [{name: s1, sidecar: true, exits: {after: 1s}}]
  mains: [{name: app}]
steps: [create, delete]
promises:
  - {name: restarts, since: '1.28', check: {restarts_during: {container: s1, during: app}}}
  - {name: once, since: '1.28', check: {runs_once: {container: app}}}
";

/// A main that must not start.
pub(crate) const BLOCKED: &str = "
about: A plain init container blocks.
source: [documentation]
pod:
  init_containers: [{name: init}]
  mains: [{name: app}]
steps: [create, {stays: {goal: {pod: pending}, lasting: 9s, promise: stays_pending}}]
promises:
  - {name: blocked, since: '1.28', check: {never_starts: {container: app}}}
";
