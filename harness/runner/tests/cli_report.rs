//! `sidecheck report`, from recorded traces: the page has every verdict, a chart of each case, and no link that leads nowhere.

mod support;

use std::{collections::BTreeSet, path::Path};

use serde_json::{Value, json};
use support::Project;

/// Recordings of one scenario on two clusters, with the summary that a run of them would have left.
fn project() -> Project {
    let project = Project::empty();
    let mut cases = Vec::new();
    for entry in ["1.28-alpha", "1.29"] {
        let recording = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/recordings").join(entry);
        let read =
            |file: &str| std::fs::read_to_string(recording.join("ordering.stop-on-delete").join(file)).expect("a recording");
        project.write(&format!("run/{entry}/ordering.stop-on-delete/trace.jsonl"), &read("trace.jsonl"));
        let verdicts: Value = serde_json::from_str(&read("verdicts.json")).expect("verdicts");
        cases.push(json!({
            "entry": entry, "scenario": "ordering/stop-on-delete", "repetition": 1, "seconds": 14.2, "verdicts": verdicts,
            "evidence": format!("/elsewhere/{entry}/ordering.stop-on-delete"),
        }));
    }
    let gone = json!({"entry": "1.29", "scenario": "made/up", "repetition": 1, "seconds": 1.0, "broken": "no <node> answers"});
    cases.push(gone);
    let summary = json!({
        "format": 1, "run": "r", "sidecheck": "0.1.0", "entries": ["1.28-alpha", "1.29"], "interrupted": false, "cases": cases,
    });
    project.write("run/summary.json", &summary.to_string());
    project
}

/// What stands behind each of these in the page, up to the next quote.
fn all<'a>(page: &'a str, attribute: &'a str) -> impl Iterator<Item = &'a str> {
    page.split(attribute).skip(1).filter_map(|rest| rest.split('"').next())
}

#[test]
fn the_page_shows_what_the_run_and_its_traces_say() {
    let project = project();
    let output = project.sidecheck(&["report", "run", "--output", "page.html"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(project.path().join("page.html")).expect("the page");

    assert!(page.contains("violated, as known") && page.contains("sidecars_stop_after_mains_on_delete"), "the verdicts");
    let (charts, bars) = (page.matches("<svg").count(), page.matches("<rect").count());
    // Two sidecars and a main, each with a bar of the runtime and one of the program.
    assert_eq!((charts, bars), (2, 12), "charts and bars");
    assert_eq!(page.matches("class=\"term\"").count(), 12, "both witnesses saw TERM in each of the containers");
    // A tag of SVG that is not closed takes in all that follows, and nothing of it is drawn.
    for tag in ["line", "rect", "text", "path", "circle", "g", "svg"] {
        let open = page.matches(&format!("<{tag} ")).count();
        assert_eq!(open, page.matches(&format!("</{tag}>")).count(), "{tag} is opened as often as it is closed");
    }
    assert!(page.contains("no &lt;node&gt; answers"), "nothing is taken for HTML");

    let ids: BTreeSet<&str> = all(&page, " id=\"").collect();
    let links: BTreeSet<&str> = all(&page, "href=\"#").collect();
    assert_eq!(links.len(), 3, "one for each case: {links:?}");
    assert!(links.is_subset(&ids), "links to nowhere: {:?}", links.difference(&ids));
    assert!(!page.contains("http-equiv") && !page.contains("src="), "nothing is loaded from elsewhere");
}

#[test]
fn a_case_without_its_evidence_says_so() {
    let project = project();
    std::fs::remove_dir_all(project.path().join("run/1.29")).expect("the evidence of one cluster");
    assert!(project.sidecheck(&["report", "run", "--output", "page.html"]).status.success());
    let page = std::fs::read_to_string(project.path().join("page.html")).expect("the page");
    assert_eq!(page.matches("<svg").count(), 1);
    assert!(page.contains("No chart: /elsewhere/1.29/ordering.stop-on-delete/trace.jsonl is not there any more"), "{page}");
}

#[test]
fn what_is_no_run_is_refused() {
    let project = Project::empty();
    let output = project.sidecheck(&["report", "nowhere"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nowhere"));
}
