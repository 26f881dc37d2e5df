//! How much later than the programs the runtime tells of starts and exits.

use std::{collections::BTreeMap, time::Duration};

use jiff::Timestamp;
use sidecheck_core::{
    environment::Calibration,
    evidence::{program, runtime},
    trace::{Act, Event, Witness},
};

use super::pod::CONTAINERS;
use crate::{labels::SYSTEM_NAMESPACE, recorder::NodeEvidence};

/// One lag for each container.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Lags {
    exits: Vec<Duration>,
    starts: Vec<Duration>,
}

/// A container's life, as one witness saw it.
#[derive(Debug, Clone, Copy, Default)]
struct Life {
    started: Option<Timestamp>,
    ended: Option<Timestamp>,
}

impl Lags {
    /// Compares what the programs of one pod wrote with what the runtime recorded.
    ///
    /// # Errors
    /// What is missing.
    pub(super) fn of(node: &str, uid: &str, evidence: &NodeEvidence) -> Result<Self, String> {
        let record = evidence.files.iter().find(|(path, _)| path == "witness.jsonl");
        let (_, record) = record.ok_or("the programs wrote no record")?;
        let programs = program::parse(node, &String::from_utf8_lossy(record));
        // The stamps themselves, without an allowance for their lateness.
        let runtime = runtime::parse(node, SYSTEM_NAMESPACE, &evidence.events, &evidence.journal, 0);
        let (programs, runtime) = (lives(&programs, uid), lives(&runtime, uid));
        let mut lags = Self::default();
        for (container, own) in &programs {
            let told = runtime.get(container).copied().unwrap_or_default();
            lags.exits.extend(own.ended.zip(told.ended).map(|(fact, told)| lag(fact, told)));
            lags.starts.extend(own.started.zip(told.started).map(|(fact, told)| lag(fact, told)));
        }
        let all = CONTAINERS as usize;
        if (lags.exits.len(), lags.starts.len()) == (all, all) {
            return Ok(lags);
        }
        Err(format!("both records have {} exits and {} starts of {all}", lags.exits.len(), lags.starts.len()))
    }

    pub(super) fn extend(&mut self, others: Self) {
        self.exits.extend(others.exits);
        self.starts.extend(others.starts);
    }

    pub(super) fn largest_exit(&self) -> Duration {
        self.exits.iter().max().copied().unwrap_or_default()
    }

    /// What is kept of it.
    pub(super) fn sample(&self) -> Calibration {
        let mut exits = self.exits.clone();
        exits.sort_unstable();
        Calibration {
            exits: exits.len() as u64,
            largest_exit_lag_ms: milliseconds(self.largest_exit()),
            median_exit_lag_ms: milliseconds(exits.get(exits.len() / 2).copied().unwrap_or_default()),
            largest_start_lag_ms: milliseconds(self.starts.iter().max().copied().unwrap_or_default()),
        }
    }
}

/// Rounded up.
pub(super) fn milliseconds(duration: Duration) -> u64 {
    duration.as_micros().div_ceil(1000) as u64
}

/// None where the runtime came first, as it may with starts.
fn lag(fact: Timestamp, told: Timestamp) -> Duration {
    told.duration_since(fact).try_into().unwrap_or_default()
}

fn lives<'a>(events: &'a [Event], uid: &str) -> BTreeMap<&'a str, Life> {
    let mut lives: BTreeMap<&str, Life> = BTreeMap::new();
    for event in events.iter().filter(|event| event.pod.as_ref().is_some_and(|pod| pod.uid == uid)) {
        let (Some(container), Some(at)) = (event.container.as_deref(), event.at) else { continue };
        let life = lives.entry(container).or_default();
        match (event.witness, &event.act) {
            (_, Act::Started) => life.started = Some(at.latest),
            (Witness::Program, Act::Exiting { .. }) | (Witness::Runtime, Act::Exited { .. }) => life.ended = Some(at.latest),
            _ => {}
        }
    }
    lives
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(exits: u64) -> NodeEvidence {
        let (mut record, mut events) = (String::new(), String::new());
        let mut journal = String::from(
            "time=\"2026-11-30T19:30:00Z\" level=info msg=\"RunPodSandbox for \
             &PodSandboxMetadata{Name:calibration,Uid:u,Namespace:sidecheck-system,Attempt:0,} returns sandbox id \\\"s\\\"\"\n",
        );
        for number in 0..CONTAINERS {
            let own = format!("{{\"pod\":\"calibration\",\"uid\":\"u\",\"container\":\"c{number}\",\"incarnation\":0");
            journal += &format!(
                "time=\"2026-11-30T19:30:00Z\" level=info msg=\"CreateContainer within sandbox \\\"s\\\" for \
                 &ContainerMetadata{{Name:c{number},Attempt:0,}} returns container id \\\"id{number}\\\"\"\n"
            );
            // 19:30:01 and 19:30:03; the runtime tells of the start 1 ms before the program, and of the exit 3 to 12 ms after.
            record += &format!("{own},\"act\":\"started\",\"wall_ns\":1796067001000000000}}\n");
            record += &format!("{own},\"act\":\"exiting\",\"code\":0,\"wall_ns\":1796067003000000000}}\n");
            events += &format!("2026-11-30 19:30:00.999 +0000 UTC k8s.io /tasks/start {{\"container_id\":\"id{number}\"}}\n");
            if number < exits {
                events += &format!(
                    "2026-11-30 19:30:03.5 +0000 UTC k8s.io /tasks/exit {{\"container_id\":\"id{number}\",\"id\":\"id{number}\",\
                     \"exited_at\":\"2026-11-30T19:30:03.{:03}4Z\"}}\n",
                    number + 3
                );
            }
        }
        NodeEvidence { events, journal, files: vec![("witness.jsonl".into(), record.into_bytes())], ..NodeEvidence::default() }
    }

    #[test]
    fn lags_are_from_the_programs_mark_to_the_runtimes_stamp() {
        let lags = Lags::of("n", "u", &evidence(CONTAINERS)).unwrap();
        assert_eq!(lags.largest_exit(), Duration::from_micros(12_400));
        let expected = Calibration { exits: 10, largest_exit_lag_ms: 13, median_exit_lag_ms: 9, largest_start_lag_ms: 0 };
        assert_eq!(lags.sample(), expected);
    }

    #[test]
    fn an_exit_that_one_record_lacks_is_an_error() {
        let error = Lags::of("n", "u", &evidence(CONTAINERS - 1)).unwrap_err();
        assert_eq!(error, "both records have 9 exits and 10 starts of 10");
        assert!(Lags::of("n", "other", &evidence(CONTAINERS)).is_err());
    }
}
