//! `sidecheck list --catalogue`: the catalogue next to what scenarios cover of it.

mod support;

use std::{
    collections::BTreeSet,
    path::Path,
    process::{Command, Output},
};

use sidecheck::show::coverage_tables;
use sidecheck_core::catalogue::{Catalogue, Claim, coverage};
use support::Project;

const CATALOGUE: &str = "\
sections:
  - name: Start
    behaviours:
      - {id: starts, says: It starts., upstream: e2e}
      - {id: starts-late, says: It starts late., upstream: unit, why_not: nothing outside shows it}
      - {id: starts-often, says: It starts often., upstream: source}
";

const SCENARIO: &str = "\
about: a test
source: [KEP-753]
needs: {gates: {SidecarContainers: true}}
pod:
  init_containers: [{name: s1, sidecar: true}]
  mains: [{name: app}]
steps: [create]
promises:
  - {name: first, since: 1.28, check: {starts_after: {first: s1, then: app}}, covers: [starts]}
";

fn project(scenario: &str) -> Project {
    let project = Project::new();
    project.write("clusters/matrix/1.28-off.yaml", "release: 1.28.15\nexpect_gates: {SidecarContainers: false}\n");
    project.write("suites/catalogue.yaml", CATALOGUE);
    project.write("suites/t/one.yaml", scenario);
    project
}

fn refused(output: &Output, message: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains(message), "{stderr}");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
}

#[test]
fn table_says_by_what_and_where_or_why_not() {
    let output = project(SCENARIO).sidecheck(&["list", "--catalogue"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stdout), @r"
    Start
      behaviour      1.28-alpha   1.28-off   covered by, or why not
    ───────────────────────────────────────────────────────────────────
      starts         yes          -          t/one
      starts-late                            nothing outside shows it
      starts-often                           no scenario yet

      section   known   covered   1.28-alpha   1.28-off   left out   open
    ───────────────────────────────────────────────────────────────────────
      Start         3         1            1          0          1      1
      all           3         1            1          0          1      1

    1 of 3 behaviours covered (scenarios: 1), 1 left out for a reason, 1 open.
    ");
}

#[test]
fn table_fits_a_terminal_and_keeps_its_ids() {
    let claim = |scenario: &str| Claim {
        behaviour: "starts".to_owned(),
        scenario: scenario.to_owned(),
        promise: "first".to_owned(),
        file: String::new(),
        line: 1,
        entries: vec!["1.28-alpha".to_owned()],
    };
    let catalogue = CATALOGUE.replace("starts-often", "starts-as-often-as-any-container-ever-started");
    let catalogue = Catalogue::parse("suites/catalogue.yaml", &catalogue).expect("a usable catalogue");
    let rows = coverage(&catalogue, &["t/a", "t/b", "t/c", "t/d"].map(claim)).expect("all claims fit");
    let entries = ["1.28-alpha", "1.28-off", "1.29"].map(str::to_owned);
    let tables = coverage_tables(&rows, &entries, Some(72));
    insta::assert_snapshot!(tables.split("\n\n").next().unwrap_or_default(), @r"
    Start
      behaviour           1.28-alpha   1.28-off   1.29   covered by, or
                                                         why not
    ────────────────────────────────────────────────────────────────────────
      starts              yes          -          -      t/a, t/b and 2
                                                         more
      starts-late                                        nothing outside
                                                         shows it
      starts-as-often-                                   no scenario yet
      as-any-
      container-ever-
      started
    ");
}

#[test]
fn json_has_a_row_per_behaviour() {
    let output = project(SCENARIO).sidecheck(&["list", "--catalogue", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let by = serde_json::json!([{"scenario": "t/one", "promise": "first", "entries": ["1.28-alpha"]}]);
    let says = "It starts.";
    let covered =
        serde_json::json!({"section": "Start", "id": "starts", "says": says, "upstream": "e2e", "state": "covered", "by": by});
    assert_eq!(rows[0], covered);
    assert_eq!(rows[1]["state"], "not_covered");
    assert_eq!(rows[1]["why"], "nothing outside shows it");
    assert_eq!(rows[2]["why"], "no scenario yet");
}

#[test]
fn claims_that_don_t_fit_the_catalogue_are_refused() {
    let unknown = project(&SCENARIO.replace("[starts]", "[stops]"));
    refused(&unknown.sidecheck(&["list", "--catalogue"]), "suites/t/one.yaml:9: `first` covers `stops`, which is no id in");
    let lies = project(&SCENARIO.replace("[starts]", "[starts-late]"));
    refused(
        &lies.sidecheck(&["list", "--catalogue"]),
        "suites/catalogue.yaml:5: `starts-late` has a why_not, but t/one covers it",
    );
}

#[test]
fn catalogue_that_can_t_be_read_is_refused() {
    let project = project(SCENARIO);
    project.write("suites/catalogue.yaml", "sections: []\nsektions: []\n");
    refused(&project.sidecheck(&["list", "--catalogue"]), "suites/catalogue.yaml:2: unknown field `sektions`");
}

#[test]
fn format_is_the_catalogue_s() {
    refused(&project(SCENARIO).sidecheck(&["list", "--format", "json"]), "--catalogue");
}

/// The project's own: all claims of its scenarios are about something, and no `why_not` is wrong.
#[test]
fn own_catalogue_fits_the_scenarios() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("suites/catalogue.yaml")).expect("the catalogue");
    let catalogue = Catalogue::parse("suites/catalogue.yaml", &text).expect("a usable catalogue");
    let ids: Vec<&str> = catalogue.behaviours().map(|(_, behaviour)| behaviour.id.as_str()).collect();
    assert!(ids.len() > 250, "{} behaviours", ids.len());
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());

    let state = tempfile::tempdir().expect("a temporary folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sidecheck"));
    command.args(["list", "--catalogue", "--format", "json"]).current_dir(&root).env_remove("SIDECHECK_ROOT");
    let output = command.env("SIDECHECK_STATE", state.path()).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(rows.len(), ids.len());
}
