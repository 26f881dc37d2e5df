//! Trace files and scenario files: round trips, and what is said of wrong ones.

use rstest::rstest;
use sidecheck_core::{scenario::Scenario, trace::Trace};

use crate::{
    scenarios::{RESTART, STOP},
    story::{Story, What::*},
};

fn text() -> String {
    Story::new(RESTART).fact(1_000, "s1", Start).fact(2_000, "app", Start).fact(5_000, "s1", Exit(1)).trace().to_text()
}

#[test]
fn a_trace_reads_back_as_written() {
    let text = text();
    let trace = Trace::parse("trace.jsonl", &text).expect("must parse");
    assert_eq!(trace.to_text(), text);
    let verdicts =
        |trace: &Trace| serde_json::to_string(&sidecheck_core::judge(trace).expect("must judge")).expect("must serialize");
    let original = Story::new(RESTART).fact(1_000, "s1", Start).fact(2_000, "app", Start).fact(5_000, "s1", Exit(1)).trace();
    assert_eq!(verdicts(&trace), verdicts(&original));
}

#[test]
fn every_truncation_is_noticed() {
    let text = text();
    let ends = text.char_indices().map(|(end, _)| end).filter(|end| *end < text.len() - 1);
    // All places would take seconds; a step without a common factor with the lengths of lines meets all kinds of them.
    for end in ends.step_by(97) {
        let error = Trace::parse("t", &text[..end]).expect_err("a part must not pass for the whole");
        assert!(error.to_string().starts_with("t:"), "{error}");
    }
}

#[rstest]
#[case::foreign("{\"kind\":\"Pod\"}\n", "t:1: not a sidecheck trace")]
#[case::no_json("hello\n", "t:1: not a sidecheck trace")]
#[case::empty("", "t:1: the trace is empty")]
#[case::newer("{\"trace\":\"sidecheck\",\"format\":99}\n", "t:1: the trace has format 99")]
fn other_files_are_refused(#[case] text: &str, #[case] message: &str) {
    let error = Trace::parse("t", text).expect_err("must be refused");
    assert!(error.to_string().starts_with(message), "{error}");
}

#[test]
fn missing_and_moved_lines_are_noticed() {
    let text = text();
    let lines: Vec<&str> = text.lines().collect();
    let without = [&lines[..3], &lines[4..]].concat().join("\n");
    assert!(Trace::parse("t", &without).expect_err("must be refused").message.contains("missing or moved"));
    let longer = text.clone() + lines[1];
    assert!(Trace::parse("t", &longer).expect_err("must be refused").message.contains("after the end"));
}

#[rstest]
#[case::unknown_key("steps: [create, delete]", "stepz: [create]", 7, "stepz")]
#[case::wrong_type("since: '1.29', check: {stops_after: {first: app", "since: [], check: {stops_after: {first: app", 9, "")]
#[case::unknown_step("steps: [create, delete]", "steps: [create, destroy]", 7, "destroy")]
#[case::unknown_container("{first: app, then: s2}", "{first: app, then: s3}", 9, "no container is named `s3`")]
#[case::twice("mains: [{name: app}]", "mains: [{name: app}, {name: s2}]", 5, "two containers are named `s2`")]
#[case::no_probe(
    "check: {stops_after: {first: app, then: s2}}",
    "check: {starts_after_probe: {gate: s2, then: app}}",
    5,
    "its startup probe as its only probe"
)]
#[case::bad_minor("name: after_main, since: '1.29'", "name: after_main, since: '29'", 9, "is not a minor release")]
fn a_wrong_scenario_is_refused_with_its_place(#[case] from: &str, #[case] to: &str, #[case] line: u64, #[case] message: &str) {
    let yaml = STOP.replacen(from, to, 1);
    assert_ne!(yaml, STOP);
    let error = Scenario::parse("suites/x.yaml", &yaml).expect_err("must be refused");
    assert!(error.to_string().starts_with(&format!("suites/x.yaml:{line}: ")), "{error}");
    assert!(error.message.contains(message), "{error}");
}
