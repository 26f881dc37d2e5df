//! `sidecheck judge`: from a trace to verdicts, without a cluster, an engine or the project's files.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use sidecheck_core::{
    trace::Trace,
    verdict::{Exit, Verdict},
};

use super::{BadInput, recorded};
use crate::{
    evidence,
    show::{self, CaseSummary, RunSummary, out},
};

#[derive(Debug, Args)]
pub(super) struct JudgeArguments {
    /// A run's folder, a case's folder, or a trace file.
    run: PathBuf,
    /// Writes the verdicts of a single trace to this file instead of comparing them.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// One trace, judged again.
struct Judged {
    file: PathBuf,
    trace: Trace,
    verdicts: Vec<Verdict>,
    text: String,
}

pub(super) fn judge(arguments: &JudgeArguments) -> anyhow::Result<Exit> {
    let traces = recorded::traces(&arguments.run)?;
    let judged = traces.into_iter().map(judge_one).collect::<anyhow::Result<Vec<Judged>>>()?;
    if let Some(output) = &arguments.output {
        let [one] = judged.as_slice() else {
            return Err(
                BadInput(format!("--output needs a single trace; {} holds {}", arguments.run.display(), judged.len())).into()
            );
        };
        std::fs::write(output, &one.text).with_context(|| format!("failed to write {}", output.display()))?;
    }
    let summary = summary(&judged);
    show::tables(&summary);
    out(show::closing(&summary));
    let changed = if arguments.output.is_none() { compare(&judged)? } else { 0 };
    let code = Exit::of(judged.iter().flat_map(|one| &one.verdicts));
    Ok(if changed > 0 { Exit::Unexpected } else { code })
}

/// Compares with the verdicts on record, byte for byte; returns how many differ.
fn compare(judged: &[Judged]) -> anyhow::Result<usize> {
    let (mut same, mut changed, mut missing) = (0, 0, 0);
    for one in judged {
        let recorded = one.file.with_file_name("verdicts.json");
        match std::fs::read_to_string(&recorded) {
            Ok(text) if text == one.text => same += 1,
            Ok(_) => {
                changed += 1;
                let rules = (one.trace.header.rules, sidecheck_core::trace::RULES);
                out(format!(
                    "{}: differs from what the trace says (rules {} then, {} now)",
                    recorded.display(),
                    rules.0,
                    rules.1
                ));
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => missing += 1,
            Err(error) => return Err(error).with_context(|| format!("failed to read {}", recorded.display())),
        }
    }
    out(format!(
        "\n{same} of {} traces give the verdicts on record, byte for byte; {changed} differ, {missing} have none on record",
        judged.len()
    ));
    Ok(changed)
}

fn judge_one(file: PathBuf) -> anyhow::Result<Judged> {
    let trace = recorded::read(&file)?;
    let verdicts = sidecheck_core::judge(&trace).map_err(|error| BadInput(format!("{}: {error}", file.display())))?;
    let text = evidence::verdicts_text(&verdicts)?;
    Ok(Judged { file, trace, verdicts, text })
}

fn summary(judged: &[Judged]) -> RunSummary {
    let run = judged.first().map(|one| one.trace.header.run.as_str()).unwrap_or_default();
    RunSummary::of_cases(run, judged.iter().map(case).collect())
}

fn case(one: &Judged) -> CaseSummary {
    let header = &one.trace.header;
    CaseSummary {
        entry: header.environment.entry.clone(),
        scenario: header.scenario_name.clone(),
        repetition: 1,
        tested: header.scenario.tested.clone(),
        seconds: 0.0,
        verdicts: one.verdicts.clone(),
        not_applicable: None,
        broken: None,
        evidence: one.file.parent().map(|folder| folder.display().to_string()),
        clean_up_problem: None,
    }
}
