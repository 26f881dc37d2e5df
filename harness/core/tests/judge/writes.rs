//! What a container may be told to write.

use rstest::rstest;
use sidecheck_core::scenario::{LineSize, LogTarget, RotateBy, Scenario};

fn parse(app: &str) -> Result<Scenario, String> {
    let text = format!(
        "about: Lines.
source: [documentation]
sink: syslog_tcp
pod:
  mains:
    - {{name: idle}}
    - {{name: app, {app}}}
steps: [create]
promises:
  - {{name: whole, since: '1.28', check: {{delivers_every_line: {{producer: app}}}}}}
"
    );
    Scenario::parse("x.yaml", &text).map_err(|error| error.to_string())
}

#[test]
fn everything_may_be_said_and_is_kept_in_a_trace() {
    let app = "writes: {lines: 10, every: 5ms, size: 60-1MiB, burst_at_term: 20, at_exit: 1, without_final_newline: true,
      stack_traces: 8, invalid_utf8: true, rotate: {by: truncate, every: 100, keep: 2}, to: both}";
    let scenario = parse(app).expect("must be right");
    let writes = scenario.workload().pod().mains[1].writes.expect("it writes");
    assert_eq!(writes.size, Some(LineSize { from: 60, to: 1 << 20 }));
    assert_eq!(writes.rotate.map(|rotate| rotate.by), Some(RotateBy::Truncate));
    assert_eq!(writes.to, LogTarget::Both);
    let json = serde_json::to_string(&scenario).expect("must serialize");
    assert_eq!(serde_json::from_str::<Scenario>(&json).expect("must be read again"), scenario);
}

#[test]
fn little_may_be_said_and_old_traces_stay_as_they_are() {
    let scenario = parse("writes: {lines: 2000}").expect("must be right");
    let writes = scenario.workload().pod().mains[1].writes;
    assert_eq!(serde_json::to_string(&writes).expect("must serialize"), r#"{"lines":2000,"every":"0s"}"#);
}

#[rstest]
#[case("120", 120, 120)]
#[case("16KiB", 16 << 10, 16 << 10)]
#[case("60-4KiB", 60, 4 << 10)]
fn sizes(#[case] text: &str, #[case] from: u64, #[case] to: u64) {
    let size = LineSize { from, to };
    assert_eq!(text.parse(), Ok(size));
    assert_eq!(size.to_string().parse(), Ok(size));
    let scenario = parse(&format!("writes: {{lines: 1, size: {text}}}")).expect("must be right");
    assert_eq!(scenario.workload().pod().mains[1].writes.expect("it writes").size, Some(size));
}

#[rstest]
#[case::no_lines("writes: {every: 5ms}", "there are no lines")]
#[case::too_short("writes: {lines: 1, size: 59}", "`59` is not a size of lines")]
#[case::too_long("writes: {lines: 1, size: 2MiB}", "`2MiB` is not a size of lines")]
#[case::backwards("writes: {lines: 1, size: 200-100}", "`200-100` is not a size of lines")]
#[case::no_size("writes: {lines: 1, size: long}", "`long` is not a size of lines")]
#[case::ends_itself("writes: {lines: 1, every: 1s, until_kill: true}, exits: {}", "has no end of its own")]
#[case::ends_after_term("writes: {lines: 1, every: 1s, until_kill: true}, stop_takes: 1s", "has no end of its own")]
#[case::no_exit("writes: {every: 1s, until_kill: true, at_exit: 1}", "knows no last line")]
#[case::no_pause("writes: {lines: 1, until_kill: true}", "needs a pause")]
#[case::which_is_last("writes: {lines: 1, burst_at_term: 5, without_final_newline: true}", "needs `at_exit` here")]
#[case::no_trace("writes: {lines: 1, stack_traces: 1}", "has two lines at least")]
#[case::no_file("writes: {lines: 1, to: stdout, rotate: {by: rename, every: 5, keep: 1}}", "only a file can be rotated")]
#[case::no_turn("writes: {lines: 1, rotate: {by: rename, every: 0, keep: 1}}", "needs some lines between")]
#[case::writes_nothing("exits: {}", "`app` has no `writes`")]
fn contradictions(#[case] app: &str, #[case] told: &str) {
    let error = parse(app).expect_err("must be refused");
    assert!(error.starts_with("x.yaml:") && error.contains(told), "{error}");
}
