//! Summaries of runs that never were.

use sidecheck_core::{
    agent::LogSource,
    expectation::{Expectation, Expected},
    scenario::Tested,
    verdict::{LineTotals, Outcome, Standing, Verdict},
};

use crate::show::{Asked, CaseSummary, LineTable, RunSummary};

pub(super) fn tested(situation: &str, agent: &str, configuration: &str, placement: &str) -> Tested {
    Tested {
        situation: format!("logs/{situation}"),
        agent: agent.to_owned(),
        version: "1.2".to_owned(),
        configuration: configuration.to_owned(),
        placement: serde_json::from_value(placement.into()).expect("a placement"),
        source: LogSource::File,
    }
}

pub(super) fn verdict(outcome: Outcome, expected: Expected, lines: &LineTotals) -> Verdict {
    Verdict {
        promise: "all_arrive".to_owned(),
        check: "every line of app arrives".to_owned(),
        outcome,
        expectation: Expectation { expected, because: "documented".to_owned() },
        standing: Standing::of(outcome, expected),
        reason: "app: the ledger".to_owned(),
        lines: Some(LineTotals { producer: "app".to_owned(), producers: 1, ..lines.clone() }),
        testimonies: vec![],
    }
}

/// A case with 2000 lines, of which some were lost in the end.
pub(super) fn tail(lost: u64, expected: Expected) -> Vec<Verdict> {
    let outcome = if lost == 0 { Outcome::Held } else { Outcome::Violated };
    vec![verdict(
        outcome,
        expected,
        &LineTotals { written: 2000, arrived: 2000 - lost, lost_tail: lost, ..LineTotals::default() },
    )]
}

pub(super) fn case(entry: &str, tested: &Tested, repetition: u32, verdicts: Vec<Verdict>) -> CaseSummary {
    let Tested { situation, agent, configuration, placement, .. } = tested;
    CaseSummary {
        entry: entry.to_owned(),
        scenario: format!("{situation}/{agent}-{configuration}-{placement}"),
        repetition,
        tested: Some(tested.clone()),
        seconds: 1.0,
        verdicts,
        not_applicable: None,
        broken: None,
        evidence: None,
        clean_up_problem: None,
    }
}

pub(super) fn left_out(entry: &str, tested: &Tested) -> CaseSummary {
    CaseSummary { not_applicable: Some("needs the gate on".to_owned()), ..case(entry, tested, 1, vec![]) }
}

pub(super) fn table(cases: Vec<CaseSummary>, asked: Option<Asked>) -> LineTable {
    LineTable::of(&RunSummary { asked, ..RunSummary::of_cases("r", cases) })
}

/// Each kind of cell, from single runs on two clusters.
pub(super) fn single() -> LineTable {
    let of = |situation, configuration, placement| tested(situation, "rsyslog", configuration, placement);
    let both = LineTotals { written: 2000, arrived: 1950, lost_tail: 47, lost_in_gaps: 3, truncated: 2, ..LineTotals::default() };
    let again = LineTotals { written: 2000, arrived: 2000, duplicated: 12, reordered: 4, ..LineTotals::default() };
    let cut = LineTotals { written: 60, arrived: 60, truncated: 5, split: 8, damaged: 1, ..LineTotals::default() };
    let unknown = verdict(Outcome::Inconclusive, Expected::Held, &LineTotals::default());
    let container_logs = Tested { source: LogSource::ContainerLogs, ..of("job-ends", "lossless", "native") };
    let other = tested("job-ends", "filebeat", "defaults", "native");
    table(
        vec![
            case("1.29", &of("job-ends", "lossless", "native"), 1, tail(0, Expected::Held)),
            case("1.29", &of("job-ends", "lossless", "ordinary"), 1, tail(17, Expected::Held)),
            case("1.29", &of("job-ends", "lossless", "ended-by-main"), 1, tail(17, Expected::Violated)),
            case("1.29", &of("job-ends", "defaults", "native"), 1, tail(2000, Expected::Violated)),
            case("1.29", &of("job-ends", "defaults", "ordinary"), 1, tail(0, Expected::Violated)),
            case("1.29", &container_logs, 1, tail(1, Expected::Unspecified)),
            case("1.29", &of("long-lines", "lossless", "native"), 1, vec![verdict(Outcome::Violated, Expected::Violated, &cut)]),
            case("1.29", &of("sink-down", "lossless", "native"), 1, vec![verdict(Outcome::Violated, Expected::Violated, &both)]),
            case("1.29", &of("sink-down", "lossless", "ordinary"), 1, vec![verdict(Outcome::Held, Expected::Held, &again)]),
            case("1.29", &of("sink-down", "defaults", "native"), 1, vec![unknown]),
            left_out("1.28-off", &of("job-ends", "lossless", "native")),
            case("1.28-off", &of("job-ends", "lossless", "ordinary"), 1, tail(310, Expected::Violated)),
            case("1.29", &other, 1, tail(2000, Expected::Violated)),
            CaseSummary { broken: Some("no place".to_owned()), ..case("1.28-off", &other, 1, vec![]) },
        ],
        None,
    )
}

/// Rates: never, sometimes, always with the rest left out, and with a run that was not decided.
pub(super) fn repeated() -> LineTable {
    let of = |situation, configuration| tested(situation, "fluentd", configuration, "native");
    let runs = |tested: Tested, lost: &[u64], expected| -> Vec<CaseSummary> {
        (1..).zip(lost).map(|(repetition, lost)| case("1.29", &tested, repetition, tail(*lost, expected))).collect()
    };
    let mut cases = runs(of("job-ends", "lossless"), &[0; 20], Expected::Held);
    cases.extend(runs(of("killed", "lossless"), &[0; 20], Expected::Held));
    cases.extend(runs(of("killed", "defaults"), &[0; 20], Expected::Held));
    cases.extend(runs(of("job-ends", "defaults"), &[2000, 2000, 2000], Expected::Violated));
    let sometimes = [1, 0, 0, 310, 0, 0, 0, 0, 0, 0, 0, 0, 47, 0, 0, 0, 0, 0, 0, 0];
    cases.extend(runs(of("sink-down", "lossless"), &sometimes, Expected::Held));
    cases.extend(runs(of("sink-down", "defaults"), &[0; 19], Expected::Held));
    cases.push(CaseSummary { broken: Some("no place".to_owned()), ..case("1.29", &of("sink-down", "defaults"), 20, vec![]) });
    table(cases, Some(Asked { repeat: 20, settle_at: 10.0 }))
}
