//! `sidecheck summary --lines`, from a summary on disk: the table that is shown is the one that other programs get.

mod support;

use serde_json::json;
use support::Project;

/// A run of a case about an agent, in which so many of 2000 lines were lost at the end.
fn case(repetition: u32, lost: u64) -> serde_json::Value {
    let (outcome, standing) = if lost == 0 { ("held", "expected") } else { ("violated", "unexpected") };
    json!({
        "entry": "1.29", "scenario": "logs/job-ends/rsyslog", "repetition": repetition, "seconds": 1.0,
        "tested": {
            "situation": "logs/job-ends", "agent": "rsyslog", "version": "8.2302",
            "configuration": "lossless", "placement": "native", "source": "file",
        },
        "verdicts": [{
            "promise": "all_arrive", "check": "every line of app arrives", "outcome": outcome, "standing": standing,
            "expectation": {"expected": "held", "because": "promised"}, "reason": "the ledger", "testimonies": [],
            "lines": {
                "producer": "app", "producers": 1, "written": 2000, "arrived": 2000 - lost, "lost_tail": lost, "lost_in_gaps": 0,
                "truncated": 0, "split": 0, "damaged": 0, "duplicated": 0, "reordered": 0,
            },
        }],
    })
}

fn project(cases: &[serde_json::Value]) -> Project {
    let project = Project::empty();
    let summary = json!({
        "format": 1, "run": "r", "sidecheck": "0.1.0", "entries": ["1.29"], "interrupted": false, "cases": cases,
    });
    project.write("summary.json", &summary.to_string());
    project
}

fn summary(project: &Project, arguments: &[&str]) -> (Option<i32>, String) {
    let output = project.sidecheck(&[&["summary", "summary.json"], arguments].concat());
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr))
}

#[test]
fn the_table_stands_at_the_end_or_alone() {
    let project = project(&[case(1, 0), case(2, 17)]);
    let (code, said) = summary(&project, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("Log lines on 1.29") && said.contains("! 1 of 2 lose, 17 (tail)"), "{said}");
    assert!(said.contains("2 verdicts: "), "{said}");
    let (code, said) = summary(&project, &["--lines"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.starts_with("Log lines on 1.29") && !said.contains("2 verdicts: "), "{said}");
    assert!(said.contains("not enough runs: 1 of 2 runs lose, 1.2-99 %"), "{said}");
}

#[test]
fn other_programs_and_documents_get_it_too() {
    let project = project(&[case(1, 17)]);
    let (_, said) = summary(&project, &["--lines", "--format", "json"]);
    let cells: serde_json::Value = serde_json::from_str(&said).expect("JSON and nothing else");
    assert_eq!(cells[0]["agent"], "rsyslog");
    assert_eq!(cells[0]["lines"]["lost_tail"], json!({"least": 17, "most": 17}));
    assert_eq!(cells[0].get("interval"), None, "a single run tells nothing of a rate");
    let (_, said) = summary(&project, &["--lines", "--format", "markdown"]);
    assert!(said.contains("| rsyslog 8.2302 | `logs/job-ends` | ! 17 of 2000 lost (tail) |"), "{said}");
    assert!(!said.contains("lose, "), "{said}");
}

#[test]
fn without_such_cases_it_says_so() {
    let project = project(&[]);
    assert_eq!(summary(&project, &["--lines"]), (Some(0), "There is no case about an agent.\n".to_owned()));
    assert_eq!(summary(&project, &["--lines", "--format", "json"]), (Some(0), "[]\n".to_owned()));
    assert!(!summary(&project, &[]).1.contains("Log lines"));
}

#[test]
fn a_format_is_that_of_the_table_and_a_share_lies_between_none_and_all() {
    let project = project(&[]);
    assert_eq!(summary(&project, &["--format", "json"]).0, Some(2));
    for wrong in ["0", "100", "-1", "ten", "NaN"] {
        let output = project.sidecheck(&["run", &format!("--settle-at={wrong}")]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("--settle-at"), "{said}");
    }
}
