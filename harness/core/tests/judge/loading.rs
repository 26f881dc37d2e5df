//! Scenario files that can't mean what they say, with the line of what is wrong.

use rstest::rstest;
use sidecheck_core::scenario::Scenario;

/// Line 14 is the check, line 12 the step.
const SCENARIO: &str = "about: Loading.
source: [documentation]
pod:
  init_containers:
    - {name: i1}
    - {name: s1, sidecar: true, startup_probe: {}}
    - {name: both, sidecar: true, startup_probe: {}, post_start: {}}
  mains:
    - {name: app, pre_stop: {}, exits: {once_told: true}}
    - {name: agent, agent: rsyslog}
steps: [create,
  STEP]
promises:
  - {name: it, since: '1.28', check: CHECK}
";

const FINE: &str = "{before: [exit of i1, start of s1]}";

fn refused(step: &str, check: &str) -> (u64, String) {
    let text = SCENARIO.replace("STEP", step).replace("CHECK", check);
    let error = Scenario::parse("suites/x.yaml", &text).expect_err("must be refused");
    assert!(error.to_string().starts_with(&format!("suites/x.yaml:{}: ", error.line)), "{error}");
    (error.line, error.message)
}

#[rstest]
#[case::one_moment("{before: [exit of i1]}", 14, "has no two moments")]
#[case::the_same_moment("{before: [exit of i1, exit of i1]}", 14, "has one moment twice")]
#[case::no_moment("{before: [leave of i1, start of s1]}", 14, "is no moment such as")]
#[case::no_incarnation("{before: [exit of i1@x, start of s1]}", 14, "is no moment such as")]
#[case::unknown_in_point("{before: [exit of i1, start of s9@1]}", 14, "no container is named `s9`")]
#[case::unknown_in_takes("{takes: {from: term of s9, to: exit of s1, at_most: 5s}}", 14, "no container is named `s9`")]
#[case::one_container("{together: [s1]}", 14, "has no two containers")]
#[case::container_twice("{together: [s1, app, s1]}", 14, "has one container twice")]
#[case::unknown_together("{together: [s1, s9]}", 14, "no container is named `s9`")]
#[case::no_bound("{takes: {from: term of s1, to: exit of s1}}", 14, "has no bound")]
#[case::no_length("{takes: {from: exit of s1, to: exit of s1, at_most: 5s}}", 14, "has one moment twice")]
#[case::no_room("{takes: {from: term of s1, to: exit of s1, at_least: 5s, at_most: 4s}}", 14, "has bounds that nothing keeps to")]
#[case::no_span("{takes: {from: term of s1, to: exit of s1, at_least: 5}}", 14, "")]
#[case::no_number("{runs: {container: app}}", 14, "has not one of `at_least` and `exactly`")]
#[case::two_numbers("{runs: {container: app, exactly: 1, at_least: 1}}", 14, "has not one of `at_least` and `exactly`")]
#[case::no_run("{runs: {container: app, exactly: 0}}", 14, "is no number of runs")]
#[case::trivial("{runs: {container: app, at_least: 0}}", 14, "is no number of runs")]
#[case::unknown_runs("{runs: {container: s9, exactly: 1}}", 14, "no container is named `s9`")]
#[case::unknown_exits("{exits: {container: s9, code: 0}}", 14, "no container is named `s9`")]
#[case::no_code("{exits: {container: app}}", 14, "code")]
#[case::no_when("{shows: {where: [phase is Running]}}", 14, "has not one of `always`")]
#[case::two_whens("{shows: {always: phase is Running, never: phase is Failed}}", 14, "has not one of `always`")]
#[case::no_fact("{shows: {always: phase}}", 14, "is no fact such as")]
#[case::no_kind("{shows: {of: pods, never: phase is Failed}}", 14, "`pods` is no kind that is watched")]
#[case::misspelt("{shows: {never: ap.state.running is present}}", 14, "no container is named `ap`")]
#[case::misspelt_given("{shows: {where: [s9.restartCount is 0], never: phase is Failed}}", 14, "no container is named `s9`")]
#[case::no_caller("{calls_are_answered: {container: app}}", 14, "`app` has no `calls`")]
#[case::unknown_caller("{calls_are_answered: {container: s9}}", 14, "no container is named `s9`")]
#[case::no_hook("{before: [postStart end of s1, start of app]}", 6, "with its postStart hook as its only probe or hook")]
#[case::not_that_hook("{before: [postStart end of app, start of s1]}", 9, "postStart hook")]
#[case::no_probe("{before: [start of i1, pass of i1]}", 5, "with its probe as its only probe or hook")]
#[case::hook_and_probe("{before: [postStart end of both, start of app]}", 7, "as its only probe or hook")]
#[case::probe_and_hook("{takes: {from: start of both, to: fail of both, at_most: 5s}}", 7, "as its only probe or hook")]
fn wrong_check(#[case] check: &str, #[case] line: u64, #[case] message: &str) {
    let (at, said) = refused("{rest: 1s}", check);
    assert!(said.contains(message), "{said}");
    assert_eq!(at, line, "{said}");
}

#[rstest]
#[case::not_listening(
    "{tell: {container: s1, to: exit}}",
    "no container `s1` with `exits: {once_told: true}` can be told to exit"
)]
#[case::nothing_to_be_ready("{tell: {container: app, to: ready}}", "with `ready_when_told: true` can be told to ready")]
#[case::nobody("{tell: {container: s9, to: exit}}", "no container `s9`")]
#[case::only_stopped("{disrupt: stop_kubelet}", "a step to stop the kubelet, and none to start the kubelet after it")]
#[case::only_started("{disrupt: start_kubelet}", "a step to start the kubelet, but it has not been stopped")]
#[case::started_first(
    "{disrupt: start_api_server}, {disrupt: stop_api_server}",
    "start the API server, but it has not been stopped"
)]
#[case::stopped_twice(
    "{disrupt: stop_kubelet}, {disrupt: stop_kubelet}, {disrupt: start_kubelet}, {disrupt: start_kubelet}",
    "stop the kubelet, but it has been stopped already"
)]
#[case::the_other_started("{disrupt: stop_kubelet}, {disrupt: start_api_server}", "none to start the kubelet after it")]
#[case::unknown_goal("{await: {goal: {recorded: start of s9}}}", "no container is named `s9`")]
#[case::never_recorded("{await: {goal: {recorded: preStop begin of s1}}}", "`s1` has no preStop hook")]
#[case::never_probed("{await: {goal: {recorded: pass of i1}}}", "`i1` has no probe")]
#[case::no_record("{await: {goal: {recorded: start of agent}}}", "`agent` is no witness, and records nothing")]
#[case::record_stays(
    "{stays: {goal: {recorded: start of app}, lasting: 1s, promise: p}}",
    "`stays` can't have `recorded` as its goal"
)]
#[case::no_facts("{await: {goal: {shows: {facts: []}}}}", "`shows` without any fact")]
#[case::goal_misspelt("{await: {goal: {shows: {facts: [s9.started is true]}}}}", "no container is named `s9`")]
#[case::goal_of_nothing("{await: {goal: {shows: {of: jobs, facts: [active is 1]}}}}", "`jobs` is no kind that is watched")]
#[case::asks_nothing("{ask: {promise: p, answer: {accepted: []}}}", "an `ask` has either `create` or `patch`")]
#[case::asks_two(
    "{ask: {promise: p, patch: {}, create: {pod: {mains: []}}, answer: {accepted: []}}}",
    "either `create` or `patch`"
)]
#[case::creates_nothing(
    "{ask: {promise: p, create: {}, answer: {accepted: []}}}",
    "exactly one of `pod`, `job`, `stateful_set`, `deployment` and `daemon_set`"
)]
#[case::no_subresource(
    "{ask: {promise: p, create: {pod: {mains: []}}, subresource: status, answer: {accepted: []}}}",
    "`subresource` belongs to `patch`"
)]
#[case::no_set("update", "the step `update` needs a `stateful_set`, `deployment` or `daemon_set`")]
#[case::kills_nobody("{kill: s9}", "no container is named `s9`")]
#[case::no_replicas("{scale: 2}", "the step `scale` needs a `stateful_set` or a `deployment`")]
fn wrong_step(#[case] step: &str, #[case] message: &str) {
    let (line, said) = refused(step, FINE);
    assert!(said.contains(message), "{said}");
    assert_eq!(line, 12, "{said}");
}

#[rstest]
#[case("{rest: 1s}", "{before: [postStart begin of both, start of app]}")]
#[case("{disrupt: stop_kubelet}, {disrupt: start_kubelet}, {disrupt: stop_kubelet}, {disrupt: start_kubelet}", FINE)]
#[case("{await: {goal: {recorded: preStop begin of app}}}", "{shows: {of: created, always: /spec/a is absent}}")]
#[case(
    "{await: {goal: {recorded: pass of both}}}",
    "{shows: {where: [Ready.status is \"True\"], never: app.state.running is absent}}"
)]
#[case(
    "{ask: {promise: p, patch: {}, subresource: ephemeralcontainers, answer: {accepted: []}}}",
    "{shows: {ever: debug.state.running is present}}"
)]
#[case(
    "{tell: {container: app, to: exit}}",
    "{takes: {from: preStop begin of app, to: exit of app@1, at_least: 5s, at_most: 5s}}"
)]
fn right(#[case] step: &str, #[case] check: &str) {
    let text = SCENARIO.replace("STEP", step).replace("CHECK", check);
    let text =
        if check.contains("of both") { text.replace("true, startup_probe: {}, post_start", "true, post_start") } else { text };
    let text = if step.contains("pass of both") { SCENARIO.replace("STEP", step).replace("CHECK", check) } else { text };
    let scenario = Scenario::parse("suites/x.yaml", &text).unwrap_or_else(|error| panic!("{error}"));
    let again = Scenario::parse("again.yaml", &sidecheck_core::yaml::to_string(&scenario).expect("must be written"));
    assert_eq!(again.unwrap_or_else(|error| panic!("{error}")), scenario);
}
