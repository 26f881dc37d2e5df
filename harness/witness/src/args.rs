//! The command line. Read by hand: this program's size and start time are part of every scenario.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use crate::acts::ProbeKind;
use crate::failure::Failure;

const USAGE: &str = "usage:
  sidecheck-witness run --name NAME [--ready-after MS] [--stop-takes MS] [--exits-after MS] [--exit-code N]
      [--exits-first N] [--exits-once NAME] [--write-lines N --write-to PATH [--write-every MS]]
  sidecheck-witness probe startup|readiness|liveness --name NAME
  sidecheck-witness heartbeat --every MS --file PATH";

/// What the process is to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Run(RunOptions),
    Probe(ProbeOptions),
    Heartbeat(HeartbeatOptions),
}

/// The container under test.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct RunOptions {
    pub(crate) name: String,
    pub(crate) ready_after: Duration,
    pub(crate) stop_takes: Duration,
    /// None: runs until SIGTERM.
    pub(crate) exits: Option<Exits>,
    pub(crate) writes: Option<Writes>,
}

/// Ending without being asked to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Exits {
    /// From the latest of the start, the last line written, and the start of `once`.
    pub(crate) after: Duration,
    pub(crate) code: u8,
    /// Only in so many incarnations, the first ones; None: in all.
    pub(crate) first: Option<u64>,
    /// Not before this container of the same pod has started.
    pub(crate) once: Option<String>,
}

/// The lines of a producer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Writes {
    pub(crate) lines: u64,
    pub(crate) to: String,
    /// The distance of two lines; zero: as fast as the disk takes them.
    pub(crate) every: Duration,
}

/// An exec probe.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ProbeOptions {
    pub(crate) kind: ProbeKind,
    pub(crate) name: String,
}

/// The sign that the node is alive.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HeartbeatOptions {
    pub(crate) every: Duration,
    pub(crate) file: PathBuf,
}

/// Reads the arguments that follow the program's name.
pub(crate) fn parse(args: impl IntoIterator<Item = String>) -> Result<Role, Failure> {
    let mut args = args.into_iter();
    match args.next().as_deref() {
        Some("run") => run(Flags::read(args)?).map(Role::Run),
        Some("probe") => {
            let kind = args.next().unwrap_or_default();
            let kind = ProbeKind::parse(&kind).ok_or_else(|| usage(&format!("there is no probe \"{kind}\"")))?;
            let mut flags = Flags::read(args)?;
            let options = ProbeOptions { kind, name: flags.must("--name")? };
            flags.end()?;
            Ok(Role::Probe(options))
        }
        Some("heartbeat") => {
            let mut flags = Flags::read(args)?;
            let options = HeartbeatOptions { every: Duration::from_millis(flags.must("--every")?), file: flags.must("--file")? };
            flags.end()?;
            if options.every.is_zero() {
                return Err(usage("--every must not be 0"));
            }
            Ok(Role::Heartbeat(options))
        }
        Some(other) => Err(usage(&format!("there is no command \"{other}\""))),
        None => Err(usage("a command is missing")),
    }
}

fn run(mut flags: Flags) -> Result<RunOptions, Failure> {
    let name = flags.must("--name")?;
    let ready_after = flags.millis("--ready-after")?.unwrap_or_default();
    let stop_takes = flags.millis("--stop-takes")?.unwrap_or_default();
    let (code, first, once) = (flags.get("--exit-code")?, flags.get("--exits-first")?, flags.get("--exits-once")?);
    let exits = match flags.millis("--exits-after")? {
        Some(after) => Some(Exits { after, code: code.unwrap_or(0), first, once }),
        None if code.is_some() || first.is_some() || once.is_some() => {
            return Err(usage("--exit-code, --exits-first and --exits-once say nothing without --exits-after"));
        }
        None => None,
    };
    let (to, every) = (flags.get("--write-to")?, flags.millis("--write-every")?);
    let writes = match (flags.get("--write-lines")?, to) {
        (Some(lines), Some(to)) => Some(Writes { lines, to, every: every.unwrap_or_default() }),
        (None, None) if every.is_none() => None,
        _ => return Err(usage("--write-lines and --write-to belong together, and --write-every needs both")),
    };
    flags.end()?;
    Ok(RunOptions { name, ready_after, stop_takes, exits, writes })
}

/// Flags with a value each, taken one by one; what is left at the end is wrong.
struct Flags(Vec<(String, String)>);

impl Flags {
    fn read(mut args: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let mut flags = Vec::new();
        while let Some(flag) = args.next() {
            let Some(value) = args.next() else {
                return Err(usage(&format!("{flag} needs a value")));
            };
            flags.push((flag, value));
        }
        Ok(Flags(flags))
    }

    fn get<T: FromStr>(&mut self, flag: &str) -> Result<Option<T>, Failure> {
        let Some(at) = self.0.iter().position(|(name, _)| name == flag) else {
            return Ok(None);
        };
        let (_, value) = self.0.remove(at);
        value.parse().map(Some).map_err(|_| usage(&format!("\"{value}\" is no value for {flag}")))
    }

    fn must<T: FromStr>(&mut self, flag: &str) -> Result<T, Failure> {
        self.get(flag)?.ok_or_else(|| usage(&format!("{flag} is missing")))
    }

    fn millis(&mut self, flag: &str) -> Result<Option<Duration>, Failure> {
        Ok(self.get(flag)?.map(Duration::from_millis))
    }

    fn end(self) -> Result<(), Failure> {
        match self.0.first() {
            None => Ok(()),
            Some((flag, _)) => Err(usage(&format!("{flag} is unknown here, or given twice"))),
        }
    }
}

fn usage(what: &str) -> Failure {
    Failure::Usage(format!("{what}\n{USAGE}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Role, Failure> {
        super::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn a_producer_that_fails_in_its_first_two_incarnations() {
        let role = parse(
            "run --name app --ready-after 100 --exits-after 0 --exit-code 3 --exits-first 2 --write-lines 10 --write-to /l",
        );
        let expected = RunOptions {
            name: "app".to_owned(),
            ready_after: Duration::from_millis(100),
            stop_takes: Duration::ZERO,
            exits: Some(Exits { after: Duration::ZERO, code: 3, first: Some(2), once: None }),
            writes: Some(Writes { lines: 10, to: "/l".to_owned(), every: Duration::ZERO }),
        };
        assert_eq!(role.expect("must be accepted"), Role::Run(expected));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for line in [
            "",
            "walk",
            "run",
            "run --name",
            "run --name a --name b",
            "run --name a --speed 3",
            "run --name a --exit-code 3",
            "run --name a --exits-once b",
            "run --name a --exits-after 1 --exit-code 256",
            "run --name a --exits-after -1",
            "run --name a --write-lines 3",
            "run --name a --write-every 3",
            "probe --name a",
            "probe health --name a",
            "heartbeat --every 0 --file /f",
        ] {
            assert!(matches!(parse(line), Err(Failure::Usage(_))), "accepted: {line}");
        }
    }
}
