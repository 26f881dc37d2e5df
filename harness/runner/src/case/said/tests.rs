use rstest::rstest;
use serde_json::{Value, json};

use super::*;

#[rstest]
#[case::crashed(json!({"state": {"terminated": {"exitCode": 1}}}), true)]
#[case::backs_off(json!({"state": {"waiting": {"reason": "CrashLoopBackOff"}}, "lastState": {"terminated": {"exitCode": 1}}}), true)]
#[case::startup_probe_fails(json!({"started": false, "state": {"running": {}}}), true)]
#[case::runs(json!({"started": true, "state": {"running": {}}, "lastState": {}}), false)]
#[case::ended_well(json!({"started": false, "state": {"terminated": {"exitCode": 0}}}), false)]
#[case::has_no_image(json!({"started": false, "state": {"waiting": {"reason": "ErrImagePull"}}}), false)]
fn only_agents_that_seem_to_have_failed_are_asked(#[case] mut status: Value, #[case] failed: bool) {
    status["name"] = json!("agent");
    let pod = json!({"status": {"initContainerStatuses": [status]}});
    assert_eq!(seems_failed(&pod, "agent"), failed);
    assert!(!seems_failed(&pod, "app"), "it has no status");
}

#[test]
fn the_last_ten_lines_are_kept_in_their_order() {
    let text: Vec<String> = (1..=12).map(|n| format!("line {n}\r\n")).collect();
    let lines = last_lines(&text.join("\n"));
    assert_eq!((lines.len(), lines[0].as_str(), lines[9].as_str()), (10, "line 3", "line 12"));
    assert_eq!(last_lines("\u{1b}[31mred\u{1b}[0m\tline\n"), ["[31mred[0mline"]);
    assert!(last_lines("\n \n").is_empty());
}

#[test]
fn not_more_than_four_kibibytes_are_kept_and_characters_stay_whole() {
    let text = format!("first\n{}\nlast", "ä".repeat(4_000));
    let lines = last_lines(&text);
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[1], "last");
    assert_eq!(lines[0].len(), BYTES - 4);
    assert!(lines[0].chars().all(|c| c == 'ä'));
}
