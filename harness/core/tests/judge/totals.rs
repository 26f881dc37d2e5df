//! The numbers behind verdicts on lines, and what they say about a run.

use sidecheck_core::{
    trace::{Act, Witness},
    verdict::{Delivery, LineTotals, Verdict},
};

use crate::{
    lines::{counted, delivered, job, line, started, stored},
    story::{Story, What::*},
};

fn totals(story: &Story) -> LineTotals {
    story.verdicts()[0].lines.clone().expect("a verdict on lines has numbers")
}

fn app() -> LineTotals {
    LineTotals { producer: "app".to_owned(), ..LineTotals::default() }
}

#[test]
fn numbers_stand_beside_the_words() {
    let arrived = (1..=90).filter(|n| *n != 7).chain([5]).map(|n| line(n)[..if n == 80 { 80 } else { 119 }].to_owned());
    let story = delivered(job(), &stored(arrived));
    let lost = LineTotals { lost_tail: 10, lost_in_gaps: 1, truncated: 1, duplicated: 1, ..app() };
    assert_eq!(totals(&story), LineTotals { producers: 1, written: 100, arrived: 89, ..lost });
    assert!(story.verdicts().iter().all(|verdict| verdict.lines == Some(totals(&story))), "the same under each question");
}

#[test]
fn incarnations_are_summed() {
    let again =
        |story: Story| story.fact_of(3_000, "job-x", "u", "app", 1, Start).fact_of(4_000, "job-x", "u", "app", 1, Wrote(50));
    let totals = totals(&delivered(again(job()), &stored((1..=100).map(line))));
    assert_eq!(totals, LineTotals { producers: 2, written: 150, arrived: 100, lost_tail: 50, ..app() });
}

#[test]
fn without_a_ledger_there_are_no_numbers() {
    assert_eq!(totals(&job()), app(), "no sink");
    assert_eq!(totals(&delivered(started(), &stored((1..=100).map(line)))), app(), "no count");
    assert_eq!(totals(&delivered(job(), &stored((1..=120).map(line)))), app(), "more than it counted");
}

#[test]
fn a_run_is_whole_faulty_or_not_known() {
    let of = |story: &Story| Delivery::of_run(&story.verdicts());
    assert!(matches!(of(&delivered(job(), &stored((1..=100).map(line)))), Delivery::Whole(_)));
    assert!(matches!(of(&delivered(job(), &stored((1..=100).chain([3]).map(line)))), Delivery::Whole(_)), "one came twice");
    assert!(matches!(of(&delivered(job(), &stored((1..=99).map(line)))), Delivery::Faulty(_)));
    // Nothing that could come twice, so the other questions are open: that all is lost is known nevertheless.
    assert!(matches!(of(&delivered(job(), "")), Delivery::Faulty(_)));
    assert_eq!(of(&job()), Delivery::Unknown);
    let in_flight = delivered(counted(started(), 63, 70, &[]), &stored((1..=63).map(line)));
    assert_eq!(of(&in_flight), Delivery::Unknown, "more may have been written");
    let blind = delivered(job(), &stored((1..=63).map(line)));
    let blind = blind.with(Witness::Sink, Act::EvidenceMissing { what: "the sink did not end".to_owned() });
    assert_eq!(of(&blind), Delivery::Unknown);
    assert_eq!(Delivery::of_run(&[]), Delivery::Unknown);
}

#[test]
fn a_fault_of_one_producer_is_one_of_the_run_and_an_open_one_leaves_it_open() {
    let named = |story: &Story, name: &str| {
        let rename = |verdict: Verdict| Verdict {
            lines: verdict.lines.map(|lines| LineTotals { producer: name.to_owned(), ..lines }),
            ..verdict
        };
        story.verdicts().into_iter().map(rename).collect::<Vec<_>>()
    };
    let (whole, faulty) = (delivered(job(), &stored((1..=100).map(line))), delivered(job(), &stored((1..=90).map(line))));
    let with = |other: &Story| Delivery::of_run(&[named(&whole, "a"), named(other, "b")].concat());
    let sum = with(&faulty);
    assert!(matches!(&sum, Delivery::Faulty(lines) if (lines.written, lines.lost_tail) == (200, 10)), "{sum:?}");
    assert!(matches!(with(&whole), Delivery::Whole(_)));
    assert_eq!(with(&job()), Delivery::Unknown);
    let each = [named(&whole, "a"), named(&faulty, "b")].concat();
    let each = Delivery::by_producer(&each);
    assert!(matches!(each["a"], Delivery::Whole(_)) && matches!(each["b"], Delivery::Faulty(_)), "{each:?}");
}

#[test]
fn a_verdict_of_before_is_read_as_one_without_numbers() {
    let verdict = job().verdicts().remove(0);
    let mut old = serde_json::to_value(&verdict).expect("must be writable");
    old.as_object_mut().expect("an object").remove("lines");
    let read: Verdict = serde_json::from_value(old).expect("must be readable");
    assert_eq!(read, Verdict { lines: None, ..verdict });
}
