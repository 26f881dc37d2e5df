mod made_up;

use made_up::{case, repeated, single, table, tail, tested};
use sidecheck_core::expectation::Expected;

use crate::show::CaseSummary;

#[test]
fn single_runs_are_told_in_lines() {
    insta::assert_snapshot!(single().terminal(None, false), @r"
    Log lines on 1.28-off
      agent             defaults   lossless   lossless
        situation       native     native     ordinary
    ───────────────────────────────────────────────────────────────────
      filebeat 1.2
        logs/job-ends   ?
      rsyslog 1.2
        logs/job-ends              —          310 of 2000 lost (tail)

    Log lines on 1.29
      agent                              defaults        defaults     lossless                                    lossless                     lossless
        situation                        native          ordinary     native                                      ordinary                     ended-by-main
    ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      filebeat 1.2
        logs/job-ends                    all 2000 lost
      rsyslog 1.2
        logs/job-ends                    all 2000 lost   ! complete   complete                                    ! 17 of 2000 lost (tail)     17 of 2000 lost (tail)
        logs/job-ends (container_logs)                                1 of 2000 lost (tail)
        logs/long-lines                                               5 truncated, 8 split, 1 damaged
        logs/sink-down                   ?                            50 of 2000 lost (tail, gaps), 2 truncated   complete, 12 twice, 4 late

    complete: every line arrived, whole. tail: after the last that arrived; gaps: before it. twice, late: no loss.
    ! is not as expected; any other loss is documented or left open. ? is not decided. — is not applicable.
    ");
}

#[test]
fn a_narrow_terminal_wraps_cells() {
    let text = single().terminal(Some(100), false);
    assert!(text.lines().take_while(|line| !line.starts_with("complete:")).all(|line| line.chars().count() <= 100), "{text}");
    insta::assert_snapshot!(text.split("complete:").next().unwrap(), @r"
    Log lines on 1.28-off
      agent             defaults   lossless   lossless
        situation       native     native     ordinary
    ───────────────────────────────────────────────────────────────────
      filebeat 1.2
        logs/job-ends   ?
      rsyslog 1.2
        logs/job-ends              —          310 of 2000 lost (tail)

    Log lines on 1.29
      agent                              defaults     defaults     lossless     lossless     lossless
        situation                        native       ordinary     native       ordinary     ended-by-
                                                                                             main
    ────────────────────────────────────────────────────────────────────────────────────────────────────
      filebeat 1.2
        logs/job-ends                    all 2000
                                         lost
      rsyslog 1.2
        logs/job-ends                    all 2000     ! complete   complete     ! 17 of      17 of
                                         lost                                   2000 lost    2000 lost
                                                                                (tail)       (tail)
        logs/job-ends (container_logs)                             1 of 2000
                                                                   lost
                                                                   (tail)
        logs/long-lines                                            5
                                                                   truncated,
                                                                   8 split, 1
                                                                   damaged
        logs/sink-down                   ?                         50 of 2000   complete,
                                                                   lost         12 twice,
                                                                   (tail,       4 late
                                                                   gaps), 2
                                                                   truncated
    ");
}

#[test]
fn repeated_runs_are_told_as_rates() {
    insta::assert_snapshot!(repeated().terminal(None, false), @r"
    Log lines on 1.29
      agent              defaults                lossless
        situation        native                  native
    ───────────────────────────────────────────────────────────────────────────
      fluentd 1.2
        logs/job-ends    3 of 3 lose, all 2000   complete (20x)
        logs/killed      complete (20x)          complete (20x)
        logs/sink-down   complete (19x), 1 ?     ! 3 of 20 lose, 1-310 (tail)

    complete: every line arrived, whole. tail: after the last that arrived; gaps: before it. twice, late: no loss.
    3 of 10 lose, 1-310: so many of the decided runs lost so many lines.
    ! is not as expected; any other loss is documented or left open. ? is not decided. — is not applicable.

    Does a case lose lines in more than 10 % of its runs? By the exact 95 % interval of its rate:
      loses: 3 of 3 runs lose, 29-100 %; settled after 3 of 20 runs
        1.29: logs/job-ends fluentd/defaults native
      not enough runs: 0 of 19 runs lose, 0-18 %; 36 would do
        1.29: logs/sink-down fluentd/defaults native
      not enough runs: 0 of 20 runs lose, 0-17 %; 36 would do
        1.29: logs/job-ends fluentd/lossless native; 1.29: logs/killed fluentd/defaults native; and 1 more
      not enough runs: 3 of 20 runs lose, 3.2-38 %; 180 would do
        1.29: logs/sink-down fluentd/lossless native
    ");
}

#[test]
fn documents_get_the_same_words() {
    insta::assert_snapshot!(single().markdown(), @r"
    ### Log lines on 1.28-off

    | agent | situation | defaults, native | lossless, native | lossless, ordinary |
    | --- | --- | --- | --- | --- |
    | filebeat 1.2 | `logs/job-ends` | ? |  |  |
    | rsyslog 1.2 | `logs/job-ends` |  | — | 310 of 2000 lost (tail) |

    ### Log lines on 1.29

    | agent | situation | defaults, native | defaults, ordinary | lossless, native | lossless, ordinary | lossless, ended-by-main |
    | --- | --- | --- | --- | --- | --- | --- |
    | filebeat 1.2 | `logs/job-ends` | all 2000 lost |  |  |  |  |
    | rsyslog 1.2 | `logs/job-ends` | all 2000 lost | ! complete | complete | ! 17 of 2000 lost (tail) | 17 of 2000 lost (tail) |
    | rsyslog 1.2 | `logs/job-ends (container_logs)` |  |  | 1 of 2000 lost (tail) |  |  |
    | rsyslog 1.2 | `logs/long-lines` |  |  | 5 truncated, 8 split, 1 damaged |  |  |
    | rsyslog 1.2 | `logs/sink-down` | ? |  | 50 of 2000 lost (tail, gaps), 2 truncated | complete, 12 twice, 4 late |  |

    complete: every line arrived, whole. tail: after the last that arrived; gaps: before it. twice, late: no loss. ! is not as expected; any other loss is documented or left open. ? is not decided. — is not applicable.
    ");
    assert!(repeated().markdown().contains("```\nDoes a case lose lines in more than 10 % of its runs?"));
}

#[test]
fn programs_get_numbers() {
    let cells = repeated().cells;
    let always = cells.iter().find(|cell| cell.runs == 3).unwrap();
    let mut shown = serde_json::to_value(always).unwrap();
    let lines = shown.as_object_mut().unwrap().remove("lines").unwrap();
    assert_eq!((&lines["lost_tail"]["most"], &lines["all_lost"]), (&2000.into(), &true.into()));
    insta::assert_snapshot!(serde_json::to_string_pretty(&shown).unwrap(), @r#"
    {
      "agent": "fluentd",
      "configuration": "defaults",
      "entry": "1.29",
      "interval": [
        0.2924017738212866,
        1.0
      ],
      "losing": 3,
      "placement": "native",
      "repeat": 20,
      "runs": 3,
      "settled": "loses",
      "situation": "logs/job-ends",
      "source": "file",
      "state": "loses",
      "undecided": 0,
      "unexpected": false,
      "version": "1.2"
    }
    "#);
}

#[test]
fn colours_only_where_they_are_asked_for() {
    assert!(!single().terminal(None, false).contains('\u{1b}'));
    assert!(single().terminal(None, true).contains('\u{1b}'));
}

#[test]
fn cases_that_are_about_no_agent_are_in_no_table() {
    let other = CaseSummary { tested: None, ..case("1.29", &tested("a", "b", "c", "native"), 1, tail(1, Expected::Held)) };
    assert!(table(vec![other], None).cells.is_empty());
}

#[test]
fn repetitions_are_seen_where_nobody_says_how_many_there_were_to_be() {
    let of = tested("job-ends", "vector", "lossless", "native");
    let cases = [0, 7].map(|lost| case("1.29", &of, 1, tail(lost, Expected::Violated)));
    let text = table(cases.to_vec(), None).terminal(None, false);
    assert!(text.contains("1 of 2 lose, 7 (tail)"), "{text}");
    assert!(text.contains("not enough runs: 1 of 2 runs lose, 1.2-99 %"), "{text}");
}
