//! Lines written against lines delivered.

use rstest::rstest;
use sidecheck_core::{
    evidence::{line::compose, produced, sink},
    judge,
    trace::{Act, Tag, Trace, Witness},
    verdict::Outcome,
};

use crate::story::{Lags, NODE, Story, What::*, at};

const JOB: &str = "
about: The last lines.
source: [KEP-753]
sink: syslog_tcp
job:
  pod:
    init_containers: [{name: agent, sidecar: true}]
    mains: [{name: app, writes: {lines: 100}}]
steps: [create]
promises:
  - {name: whole, since: '1.28', check: {delivers_every_line: {producer: app}}}
  - {name: once, since: '1.28', check: {delivers_lines_once: {producer: app}}}
  - {name: in_order, since: '1.28', check: {delivers_lines_in_order: {producer: app}}}
";

pub(crate) fn started() -> Story {
    Story::new(JOB).fact_of(1_000, "job-x", "u", "app", 0, Start)
}

pub(crate) fn job() -> Story {
    started().fact_of(2_000, "job-x", "u", "app", 0, Wrote(100))
}

/// A line as the witness program writes it.
pub(crate) fn line(seq: u64) -> String {
    let mut line = Vec::new();
    compose(&mut line, Tag::of("r1", "u", "app", 0), seq, 119, true);
    String::from_utf8(line).expect("must be ASCII")
}

pub(crate) fn stored(messages: impl IntoIterator<Item = String>) -> String {
    let store =
        |message: String| serde_json::json!({"received_ns": 1, "from": "10.0.0.1:1", "message": message}).to_string() + "\n";
    messages.into_iter().map(store).collect()
}

pub(crate) fn delivered(mut story: Story, received: &str) -> Story {
    story.extra.extend(sink::read(NODE, received.as_bytes()));
    story
}

/// The producer's own count, with marks in milliseconds of the story.
pub(crate) fn counted(mut story: Story, lines: u64, begun: u64, marks: &[(u64, i64)]) -> Story {
    let mut text = format!(r#"{{"run":"r1","uid":"u","container":"app","incarnation":0,"lines":{lines},"begun":{begun}}}"#);
    for (lines, ms) in marks {
        text += &format!("\n{{\"lines\":{lines},\"wall_ns\":{}}}   ", at(*ms).as_nanosecond());
    }
    story.extra.extend(produced::parse(NODE, "u.app.0", &text));
    story
}

#[test]
fn every_line_once_and_in_order_is_kept() {
    let story = delivered(job(), &stored((1..=100).map(line)));
    assert_eq!(story.outcome(), Outcome::Held, "{}", story.reason());
    assert!(story.reason().contains("all 100 lines arrived once, whole and in order"), "{}", story.reason());
    for (promise, told) in [("once", "of 100 lines that arrived none came twice"), ("in_order", "none came after a later one")] {
        let verdict = story.verdict(promise);
        assert_eq!(verdict.outcome, Outcome::Held);
        assert!(verdict.reason.contains(told), "{}", verdict.reason);
    }
}

#[rstest]
#[case::tail((1..=63).map(line).collect(), "37 of 100 lines lost, all at the tail, from line 64 on")]
#[case::nothing(vec!["rsyslogd: start".to_owned()], "100 of 100 lines lost, nothing arrived; 1 message came that no producer of this run wrote")]
#[case::gap((1..=100).filter(|n| *n != 7).map(line).collect(), "1 of 100 lines lost, in 1 gap, the first line is 7")]
#[case::damaged((1..=100).map(|n| line(n).replace("-0002|", "-00x2|")).collect(), "100 damaged")]
#[case::truncated((1..=100).map(|n| line(n)[..if n > 97 { 80 } else { 119 }].to_owned()).collect(), "3 truncated, the first is line 98")]
#[case::split((1..=100).flat_map(|n| [line(n)[..60].to_owned(), line(n)[60..].to_owned()]).collect(), "100 split into several")]
fn a_fault_breaks_it(#[case] messages: Vec<String>, #[case] told: &str) {
    let story = delivered(job(), &stored(messages));
    assert_eq!(story.outcome(), Outcome::Violated, "{}", story.reason());
    assert!(story.reason().contains(told), "{}", story.reason());
    assert_ne!(story.verdict("once").outcome, Outcome::Violated);
    assert_ne!(story.verdict("in_order").outcome, Outcome::Violated);
}

/// At least once is what agents promise at best.
#[rstest]
#[case::twice((1..=100).chain(90..=100).map(line).collect(), "once", "of 100 lines that arrived 11 came twice", "11 duplicated")]
#[case::late((1..=10).chain(12..=100).chain([11]).map(line).collect(), "in_order", "1 came after a later one", "1 out of order")]
fn a_line_that_comes_twice_or_late_has_arrived(
    #[case] messages: Vec<String>,
    #[case] promise: &str,
    #[case] broken: &str,
    #[case] told: &str,
) {
    let story = delivered(job(), &stored(messages));
    assert_eq!(story.outcome(), Outcome::Held);
    assert!(story.reason().contains("all 100 lines arrived whole; ") && story.reason().contains(told), "{}", story.reason());
    let verdicts = story.verdicts();
    let violated: Vec<_> = verdicts.iter().filter(|one| one.outcome == Outcome::Violated).collect();
    assert_eq!(violated.len(), 1);
    assert_eq!(violated[0].promise, promise);
    assert!(violated[0].reason.contains(broken), "{}", violated[0].reason);
}

#[test]
fn without_a_count_or_a_sink_nothing_is_known() {
    let uncounted = delivered(started(), &stored((1..=100).map(line)));
    assert_eq!(uncounted.outcome(), Outcome::Undecidable);
    assert_eq!(job().outcome(), Outcome::Undecidable, "no sink");
    let lost = delivered(job(), &stored((1..=63).map(line)));
    let lost = lost.with(Witness::Sink, Act::EvidenceMissing { what: "the sink did not end".to_owned() });
    assert_eq!(lost.outcome(), Outcome::Undecidable);
    assert!(lost.reason().contains("the sink did not end"));
    let more = delivered(job(), &stored((1..=120).map(line)));
    assert_eq!(more.outcome(), Outcome::Undecidable, "20 lines more than it counted");
    let broken = delivered(job(), &(stored((1..=100).map(line)) + "{\"received_ns\":"));
    assert_eq!(broken.outcome(), Outcome::Undecidable);
    let nothing = delivered(job(), "");
    assert_eq!(nothing.verdict("once").outcome, Outcome::Undecidable, "there is nothing to come twice");
}

#[test]
fn a_killed_producer_left_its_count_in_a_file() {
    let story = counted(started(), 63, 63, &[]);
    assert_eq!(delivered(story.clone(), &stored((1..=63).map(line))).outcome(), Outcome::Held);
    assert_eq!(delivered(story, &stored((1..=60).map(line))).outcome(), Outcome::Violated);
}

/// It was killed between the note that it begins lines 64 to 70 and the note that they are written.
#[rstest]
#[case::none_of_them(63, Outcome::Undecidable, "7 more may have been written")]
#[case::some_of_them(66, Outcome::Undecidable, "all 66 lines arrived once, whole and in order; 4 more may have been written")]
#[case::all_of_them(70, Outcome::Held, "all 70 lines arrived")]
#[case::less_than_it_counted(62, Outcome::Violated, "1 of 63 lines lost, all at the tail")]
#[case::more(71, Outcome::Undecidable, "its count is no ground truth")]
fn lines_in_flight_matter_only_where_all_others_arrived(#[case] last: u64, #[case] outcome: Outcome, #[case] told: &str) {
    let story = delivered(counted(started(), 63, 70, &[]), &stored((1..=last).map(line)));
    assert_eq!(story.outcome(), outcome, "{}", story.reason());
    assert!(story.reason().contains(told), "{}", story.reason());
}

/// 1.28: all containers get TERM at once, and the main writes for a while longer than the agent reads.
fn stopped_at_once() -> Story {
    let of = |story: Story, ms, container, what| story.fact_of(ms, "job-x", "u", container, 0, what);
    let story = of(of(Story::new(JOB), 500, "agent", Start), 1_000, "app", Start);
    let story = of(of(story, 5_000, "agent", Term), 5_000, "app", Term);
    let story = of(of(story, 5_300, "agent", Exit(0)), 6_400, "app", Exit(0));
    Story { lags: Lags { seed: 7, program_ms: 0, runtime_ms: 0 }, ..story }
}

#[rstest]
#[case::after_term(&[(0, 1_000), (60, 4_000), (83, 5_200), (100, 6_000)], 83,
    "17 of 100 lines lost, all at the tail, from line 84 on, all written after TERM to agent, about the time of the exit of agent, 0.4 s before the exit of app")]
#[case::after_exit(&[(0, 1_000), (83, 5_400), (90, 5_800), (100, 6_380)], 83,
    "all written after the exit of agent, 20 ms before the exit of app")]
#[case::one_line(&[(0, 1_000), (99, 5_250), (100, 5_280)], 99, "1 of 100 lines lost, all at the tail, from line 100 on, written after TERM to agent")]
#[case::around_term(&[(0, 1_000), (60, 4_000), (100, 5_150)], 83, "all written after the start of app, about the time of TERM to agent and TERM to app")]
#[case::no_marks(&[], 83, "17 of 100 lines lost, all at the tail, from line 84 on")]
fn a_loss_is_placed_among_the_events_of_containers(#[case] marks: &[(u64, i64)], #[case] arrived: u64, #[case] told: &str) {
    let story = delivered(counted(stopped_at_once(), 100, 100, marks), &stored((1..=arrived).map(line)));
    assert_eq!(story.outcome(), Outcome::Violated);
    assert!(story.reason().contains(told), "{}", story.reason());
    let cited = &story.verdicts()[0].testimonies[0].events;
    assert_eq!(cited.len() > 2, !marks.is_empty(), "{cited:?}");
}

#[test]
fn of_losses_in_several_places_the_first_is_placed() {
    let marks = [(0, 1_000), (10, 2_000), (20, 2_500), (83, 5_350), (100, 6_000)];
    let arrived = (1..=83).filter(|n| *n != 15).map(line);
    let story = delivered(counted(stopped_at_once(), 100, 100, &marks), &stored(arrived));
    let told = "18 of 100 lines lost, 17 at the tail and 1 in 1 gap, the first line is 15, \
                the first of them written after the start of app, 2.5 s before TERM to agent";
    assert!(story.reason().contains(told), "{}", story.reason());
}

#[test]
fn lines_of_other_runs_are_nobodys() {
    let mut other = Vec::new();
    compose(&mut other, Tag::of("another run", "u", "app", 0), 1, 119, true);
    let other = String::from_utf8(other).expect("must be ASCII");
    let story = delivered(job(), &stored([other.clone(), "rsyslogd: start".to_owned()]));
    assert!(story.reason().contains("2 messages came that no producer of this run wrote"), "{}", story.reason());
    let events = sink::read(NODE, stored([other]).as_bytes());
    assert_eq!(events.last().map(|event| &event.act), Some(&Act::Foreign { lines: 0 }));
}

/// A trace of rules 2: without tags, runs in the order of arrival.
#[test]
fn an_old_trace_is_judged_by_the_new_rules() {
    let text = delivered(job(), &stored((1..=100).map(line))).trace().to_text();
    let tag = Tag::of("r1", "u", "app", 0);
    let old = text.replace(&format!("\"producer\":\"{tag}\","), "").replace("[[1,100]]", "[[1,60],[50,70],[80,100],[71,79]]");
    assert_ne!(old, text);
    let trace = Trace::parse("old", &old).expect("must be readable");
    assert_eq!(trace.to_text(), old);
    let verdicts = judge(&trace).expect("every promise must have an expectation");
    let outcomes: Vec<Outcome> = verdicts.iter().map(|verdict| verdict.outcome).collect();
    assert_eq!(outcomes, [Outcome::Held, Outcome::Violated, Outcome::Violated], "{verdicts:?}");
    assert!(verdicts[0].reason.contains("11 duplicated; 9 out of order"), "{}", verdicts[0].reason);
}
