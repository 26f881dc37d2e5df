//! Traces kept from real runs are judged again, and must give the verdicts on record, byte for byte.
//!
//! A verdict that changes is a change of the rules: raise `RULES`, say why in the commit, and record the new verdicts with
//! `sidecheck judge TRACE --output verdicts.json`.

use std::path::PathBuf;

use rstest::rstest;
use sidecheck_core::trace::Trace;

#[rstest]
fn recording(#[files("recordings/*/*/trace.jsonl")] file: PathBuf) -> anyhow::Result<()> {
    let trace = Trace::parse(&file.display().to_string(), &std::fs::read_to_string(&file)?)?;
    let verdicts = serde_json::to_string_pretty(&sidecheck_core::judge(&trace)?)? + "\n";
    let recorded = std::fs::read_to_string(file.with_file_name("verdicts.json"))?;
    assert_eq!(verdicts, recorded, "the verdicts of {} have changed", trace.header.scenario_name);
    assert_eq!(trace.to_text(), std::fs::read_to_string(&file)?, "a trace that is written again is the same");
    Ok(())
}
