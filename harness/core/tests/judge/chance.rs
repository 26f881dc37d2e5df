//! The composable checks on random lives whose true order is known, under any jitter that the witnesses may have: a program
//! that gets its turn almost a second late, a runtime as late as its resolution, a kubelet that cuts to seconds.

use proptest::prelude::*;
use sidecheck_core::verdict::Outcome::{Held, Undecidable, Violated};

use crate::story::{Lags, RESOLUTION_MS, Story, What::*};

const NAMES: [&str; 3] = ["s1", "app", "web"];

/// Start, TERM if there was one, and exit if it came.
#[derive(Debug, Clone)]
struct Life {
    start: i64,
    term: Option<i64>,
    exit: Option<(i64, i32)>,
}

prop_compose! {
    fn lives()(
        start in 1_000_i64..12_000,
        runs in 2_000_i64..12_000,
        stops in prop::option::of(0_i64..3_000),
        code in prop::sample::select(vec![0, 1, 137]),
        ends in prop::bool::weighted(0.8),
    ) -> Life {
        let term = start + runs;
        let exit = term + stops.unwrap_or(0);
        Life { start, term: stops.map(|_| term), exit: ends.then_some((exit, code)) }
    }
}

prop_compose! {
    fn lags()(seed: u64, program_ms in prop::sample::select(vec![3_u64, 60, 900]), runtime_ms in 0..=RESOLUTION_MS) -> Lags {
        Lags { seed, program_ms, runtime_ms }
    }
}

fn story(checks: &[String], lives: &[Life], lags: Lags) -> Story {
    let promise = |check: &String| format!("  - {{name: it, since: '1.28', check: {{{check}}}}}");
    let promises = checks.iter().map(promise).collect::<Vec<_>>().join("\n");
    let story = Story::new(&format!(
        "
about: Chance.
source: [KEP-753]
pod:
  init_containers: [{{name: s1, sidecar: true}}]
  mains: [{{name: app}}, {{name: web}}]
steps: [create, delete, {{rest: 1s}}]
promises:
{promises}"
    ));
    let story = NAMES.iter().zip(lives).fold(story, |story, (name, life)| {
        let story = story.fact(life.start, name, Start);
        let story = life.term.map_or(story.clone(), |ms| story.fact(ms, name, Term));
        life.exit.map_or(story.clone(), |(ms, code)| story.fact(ms, name, Exit(code)))
    });
    Story { lags, ..story }
}

/// Each moment with its true time; one that is still to come is later than all.
fn points(lives: &[Life]) -> Vec<(String, i64)> {
    let of = |(name, life): (&&str, &Life)| {
        let exit = life.exit.map_or(i64::MAX, |(ms, _)| ms);
        let mut points = vec![(format!("start of {name}"), life.start), (format!("exit of {name}"), exit)];
        points.extend(life.term.map(|ms| (format!("term of {name}"), ms)));
        points
    };
    NAMES.iter().zip(lives).flat_map(of).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn before_never_says_the_opposite(lives in prop::collection::vec(lives(), 3), lags in lags()) {
        let points = points(&lives);
        let pairs: Vec<_> = points.iter().flat_map(|a| points.iter().map(move |b| (a, b))).filter(|(a, b)| a.1 != b.1).collect();
        let checks: Vec<String> = pairs.iter().map(|(a, b)| format!("before: [{}, {}]", a.0, b.0)).collect();
        for (((_, a), (_, b)), verdict) in pairs.iter().zip(story(&checks, &lives, lags).verdicts()) {
            let truth = if a < b { Held } else { Violated };
            prop_assert!([truth, Undecidable].contains(&verdict.outcome), "{:#?}", verdict);
        }
    }

    /// Where the witnesses are on time, all that is far enough apart is decided.
    #[test]
    fn before_can_tell(lives in prop::collection::vec(lives(), 3), mut lags in lags()) {
        lags.program_ms = 3;
        let lives: Vec<Life> = lives.into_iter().map(|life| Life { exit: life.exit.or(Some((26_000, 0))), ..life }).collect();
        let killed = |name: &str| NAMES.iter().zip(&lives).any(|(one, life)| name == format!("exit of {one}") && life.exit.is_some_and(|(_, code)| code == 137));
        let points: Vec<_> = points(&lives).into_iter().filter(|(name, _)| !killed(name)).collect();
        let far = |a: i64, b: i64| (a - b).abs() > 1_200;
        let pairs: Vec<_> = points.iter().flat_map(|a| points.iter().map(move |b| (a, b))).filter(|(a, b)| far(a.1, b.1)).collect();
        let checks: Vec<String> = pairs.iter().map(|(a, b)| format!("before: [{}, {}]", a.0, b.0)).collect();
        for (((_, a), (_, b)), verdict) in pairs.iter().zip(story(&checks, &lives, lags).verdicts()) {
            prop_assert_eq!(verdict.outcome, if a < b { Held } else { Violated }, "{:#?}", verdict);
        }
    }

    #[test]
    fn together_is_not_disjoint(a in lives(), b in lives(), lags in lags()) {
        let lives = [a, b];
        let exit = |life: &Life| life.exit.map_or(i64::MAX, |(ms, _)| ms);
        let overlap = lives[0].start < exit(&lives[1]) && lives[1].start < exit(&lives[0]);
        let margin = (lives[0].start - exit(&lives[1])).abs().min((lives[1].start - exit(&lives[0])).abs());
        let ended = lives.iter().all(|life| life.exit.is_some_and(|(_, code)| code != 137));
        let on_time = lags.program_ms < 900;
        let checks = [
            "together: [s1, app]".to_owned(), "before: [exit of s1, start of app]".to_owned(), "before: [exit of app, start of s1]".to_owned(),
        ];
        let outcomes: Vec<_> = story(&checks, &lives, lags).verdicts().iter().map(|verdict| verdict.outcome).collect();
        let truth = if overlap { Held } else { Violated };
        prop_assert!([truth, Undecidable].contains(&outcomes[0]), "{:?}", outcomes);
        if ended && on_time && margin > 1_200 {
            prop_assert_eq!(outcomes[0], truth);
            let is_disjoint = outcomes[1] == Held || outcomes[2] == Held;
            prop_assert_eq!(is_disjoint, !overlap, "{:?}", outcomes);
        }
    }

    #[test]
    fn takes_never_says_the_opposite(
        lives in prop::collection::vec(lives(), 3),
        lags in lags(),
        limit in 0_i64..14_000,
    ) {
        let points: Vec<_> = points(&lives).into_iter().filter(|(_, ms)| *ms != i64::MAX).collect();
        let mut asked = Vec::new();
        for a in &points {
            for b in points.iter().filter(|b| b.0 != a.0) {
                for bound in ["at_least", "at_most"] {
                    asked.push((format!("takes: {{from: {}, to: {}, {bound}: {limit}ms}}", a.0, b.0), b.1 - a.1, bound));
                }
            }
        }
        let checks: Vec<String> = asked.iter().map(|(check, ..)| check.clone()).collect();
        let resolution = RESOLUTION_MS.cast_signed();
        for ((check, length, bound), verdict) in asked.iter().zip(story(&checks, &lives, lags).verdicts()) {
            // By how much it is inside.
            let inside = if *bound == "at_least" { length - limit } else { limit - length.abs() };
            match verdict.outcome {
                Held => prop_assert!(inside >= -resolution, "{check}: {length} ms: {:#?}", verdict),
                Violated => prop_assert!(inside < 0, "{check}: {length} ms: {:#?}", verdict),
                _ => {}
            }
        }
    }

    #[test]
    fn takes_can_tell(stop in 0_i64..12_000, limit in 0_i64..12_000, seed: u64) {
        let life = Life { start: 1_000, term: Some(10_000), exit: Some((10_000 + stop, 0)) };
        let lags = Lags { seed, program_ms: 3, runtime_ms: RESOLUTION_MS };
        let checks = ["at_least", "at_most"].map(|bound| format!("takes: {{from: term of s1, to: exit of s1, {bound}: {limit}ms}}"));
        let outcomes: Vec<_> = story(&checks, &[life], lags).verdicts().iter().map(|verdict| verdict.outcome).collect();
        if (stop - limit).abs() > 1_200 {
            prop_assert_eq!(outcomes, if stop > limit { [Held, Violated] } else { [Violated, Held] });
        }
    }
}
