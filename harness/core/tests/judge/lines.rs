//! Lines written against lines delivered.

use rstest::rstest;
use sidecheck_core::{
    evidence::{produced, sink},
    ledger::Ledger,
    trace::{Act, Witness},
    verdict::Outcome,
};

use crate::story::{NODE, Story, What::*};

const JOB: &str = "
about: The last lines.
source: [KEP-753]
sink: syslog_tcp
job:
  pod:
    mains: [{name: app, writes: {lines: 100}}]
steps: [create]
promises:
  - {name: whole, since: '1.28', check: {delivers_every_line: {producer: app}}}
";

fn job() -> Story {
    Story::new(JOB).fact_of(1_000, "job-x", "u", "app", 0, Start).fact_of(2_000, "job-x", "u", "app", 0, Wrote(100))
}

/// A line as the witness program writes it.
fn line(seq: u64) -> String {
    let header = format!("sc1 r1 u app 0 {seq} ");
    let payload: String = ('a'..='z').cycle().take(120 - header.len() - 2).collect();
    format!("{header}{payload}.")
}

fn stored(messages: impl IntoIterator<Item = String>) -> String {
    let store =
        |message: String| serde_json::json!({"received_ns": 1, "from": "10.0.0.1:1", "message": message}).to_string() + "\n";
    messages.into_iter().map(store).collect()
}

fn delivered(mut story: Story, received: &str) -> Story {
    story.extra.extend(sink::parse(NODE, "r1", received));
    story
}

#[test]
fn every_line_once_and_in_order_is_kept() {
    let story = delivered(job(), &stored((1..=100).map(line)));
    assert_eq!(story.outcome(), Outcome::Held, "{}", story.reason());
    assert!(story.reason().contains("all 100 lines arrived once"), "{}", story.reason());
}

#[rstest]
#[case::tail((1..=63).map(line).collect(), "37 of 100 lines lost, all at the tail, from line 64 on")]
#[case::nothing(vec!["rsyslogd: start".to_owned()], "100 of 100 lines lost, nothing arrived")]
#[case::gap((1..=100).filter(|n| *n != 7).map(line).collect(), "1 of 100 lines lost, in 1 gap, the first line is 7")]
#[case::twice((1..=100).chain(90..=100).map(line).collect(), "11 duplicated")]
#[case::late((1..=10).chain(12..=100).chain([11]).map(line).collect(), "1 out of order")]
#[case::damaged((1..=100).map(|n| line(n).replace("xyz", "x?z")).collect(), "100 damaged")]
fn a_fault_breaks_it(#[case] messages: Vec<String>, #[case] told: &str) {
    let story = delivered(job(), &stored(messages));
    assert_eq!(story.outcome(), Outcome::Violated);
    assert!(story.reason().contains(told), "{}", story.reason());
}

#[test]
fn without_a_count_or_a_sink_nothing_is_known() {
    let uncounted = Story::new(JOB).fact_of(1_000, "job-x", "u", "app", 0, Start);
    let uncounted = delivered(uncounted, &stored((1..=100).map(line)));
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
}

#[test]
fn a_killed_producer_left_its_count_in_a_file() {
    let mut story = Story::new(JOB).fact_of(1_000, "job-x", "u", "app", 0, Start);
    story.extra.extend(produced::parse(
        NODE,
        "u.app.0",
        r#"{"run":"r1","uid":"u","container":"app","incarnation":0,"lines":63}"#,
    ));
    assert_eq!(delivered(story.clone(), &stored((1..=63).map(line))).outcome(), Outcome::Held);
    assert_eq!(delivered(story, &stored((1..=60).map(line))).outcome(), Outcome::Violated);
}

#[test]
fn other_runs_are_foreign() {
    let events = sink::parse(NODE, "another", &stored((1..=3).map(line)));
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].act, Act::Foreign { lines: 3 });
}

#[rstest]
#[case(10, &[(1, 10)], (10, 0, 0, 0, 0))]
#[case(10, &[(4, 6), (1, 3), (5, 10)], (10, 0, 2, 3, 0))]
#[case(10, &[(1, 2), (9, 9)], (3, 1, 0, 0, 0))]
#[case(10, &[(9, 12)], (2, 0, 0, 0, 2))]
#[case(0, &[], (0, 0, 0, 0, 0))]
#[case(3, &[(0, 3)], (3, 0, 0, 0, 1))]
fn balances(#[case] written: u64, #[case] runs: &[(u64, u64)], #[case] sums: (u64, u64, u64, u64, u64)) {
    let ledger = Ledger::balance(written, runs, 0);
    let Ledger { arrived, lost_tail, duplicated, reordered, uncounted, .. } = ledger.clone();
    assert_eq!((arrived, lost_tail, duplicated, reordered, uncounted), sums, "{ledger:?}");
    assert_eq!(ledger.arrived + ledger.lost(), written);
}

proptest::proptest! {
    /// Against the plain way: one line after the other, in a list.
    #[test]
    fn balance_equals_counting(written in 0_u64..40, arrivals in proptest::collection::vec(1_u64..50, 0..80)) {
        let runs: Vec<(u64, u64)> = arrivals.iter().map(|n| (*n, *n)).collect();
        let ledger = Ledger::balance(written, &runs, 0);
        let mut seen: Vec<u64> = Vec::new();
        let (mut duplicated, mut reordered) = (0, 0);
        for n in arrivals {
            if seen.contains(&n) {
                duplicated += 1;
            } else {
                reordered += u64::from(seen.iter().max().is_some_and(|highest| n < *highest));
                seen.push(n);
            }
        }
        let arrived = seen.iter().filter(|n| **n <= written).count() as u64;
        let highest = seen.iter().copied().filter(|n| *n <= written).max().unwrap_or(0);
        proptest::prop_assert_eq!(ledger.arrived, arrived);
        proptest::prop_assert_eq!(ledger.duplicated, duplicated);
        proptest::prop_assert_eq!(ledger.reordered, reordered);
        proptest::prop_assert_eq!(ledger.lost_tail, written - highest);
        proptest::prop_assert_eq!(ledger.lost(), written - arrived);
        proptest::prop_assert_eq!(ledger.uncounted, seen.len() as u64 - arrived);
        proptest::prop_assert_eq!(ledger.first_lost(), (1..=written).find(|n| !seen.contains(n)));
    }
}
