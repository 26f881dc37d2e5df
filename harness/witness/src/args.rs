//! The command line. Read by hand: this program's size and start time are part of every scenario.

use std::num::NonZeroU16;
use std::path::PathBuf;
use std::time::Duration;

use crate::acts::{HookKind, ProbeKind};
use crate::failure::Failure;
use crate::flags::Flags;
use crate::target::Target;

const USAGE: &str = "usage:
  sidecheck-witness run --name NAME [--ready-after MS] [--ready-until MS] [--ready-told 1]
      [--stop-takes MS] [--stop-code N] [--stops-unready 1]
      [--exits-after MS] [--exit-code N] [--exits-first N] [--exits-once NAME] [--exits-told 1]
      [--write-lines N --write-to PATH [--write-every MS]]
      [--serves-http PORT] [--calls HOST:PORT/PATH --calls-every MS]
  sidecheck-witness probe startup|readiness|liveness --name NAME [--takes MS]
  sidecheck-witness hook post_start|pre_stop --name NAME [--takes MS] [--code N] [--until-file NAME] [--every MS]
  sidecheck-witness call HOST PORT PATH
  sidecheck-witness show FILE
  sidecheck-witness heartbeat --every MS --file PATH
HOST is an IP address or localhost; told are files in the folder tell/ of the evidence.";

/// What the process is to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Run(RunOptions),
    Probe(ProbeOptions),
    Hook(HookOptions),
    Call(Target),
    Show(PathBuf),
    Heartbeat(HeartbeatOptions),
}

/// The container under test.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct RunOptions {
    pub(crate) name: String,
    pub(crate) ready: ReadyOptions,
    pub(crate) stop: StopOptions,
    /// None: runs until SIGTERM.
    pub(crate) exits: Option<Exits>,
    pub(crate) writes: Option<Writes>,
    /// The port where HTTP requests are answered.
    pub(crate) serves: Option<u16>,
    pub(crate) calls: Option<Calls>,
}

/// When the container is ready.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ReadyOptions {
    pub(crate) after: Duration,
    /// None: until it ends.
    pub(crate) until: Option<Duration>,
    /// Files say it, from when there is one.
    pub(crate) told: bool,
}

/// What SIGTERM brings about.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct StopOptions {
    pub(crate) takes: Duration,
    pub(crate) code: u8,
    /// Stops being ready before all else.
    pub(crate) unready: bool,
}

/// Ending without being asked to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Exits {
    /// From the latest of the start, the last line written, the start of `once`, and being told.
    pub(crate) after: Duration,
    pub(crate) code: u8,
    /// Only in so many incarnations, the first ones; None: in all.
    pub(crate) first: Option<u64>,
    /// Not before this container of the same pod has started.
    pub(crate) once: Option<String>,
    /// Not before a file says so.
    pub(crate) told: bool,
}

/// The lines of a producer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Writes {
    pub(crate) lines: u64,
    pub(crate) to: String,
    /// The distance of two lines; zero: as fast as the disk takes them.
    pub(crate) every: Duration,
}

/// Calls at a steady pace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Calls {
    pub(crate) to: Target,
    pub(crate) every: Duration,
}

/// An exec probe.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ProbeOptions {
    pub(crate) kind: ProbeKind,
    pub(crate) name: String,
    pub(crate) takes: Duration,
}

/// An exec hook.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HookOptions {
    pub(crate) kind: HookKind,
    pub(crate) name: String,
    pub(crate) takes: Duration,
    pub(crate) code: u8,
    /// Not before there is this file in the folder `tell`.
    pub(crate) until: Option<String>,
    /// The distance of two signs of life; None: it gives none.
    pub(crate) every: Option<Duration>,
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
            let takes = flags.millis("--takes")?.unwrap_or_default();
            let options = ProbeOptions { kind, name: flags.must("--name")?, takes };
            flags.end()?;
            Ok(Role::Probe(options))
        }
        Some("hook") => {
            let kind = args.next().unwrap_or_default();
            let kind = HookKind::parse(&kind).ok_or_else(|| usage(&format!("there is no hook \"{kind}\"")))?;
            hook(kind, Flags::read(args)?).map(Role::Hook)
        }
        Some("call") => {
            let [host, port, path] = words(args).ok_or_else(|| usage("call needs a host, a port and a path"))?;
            Target::new(&host, &port, &path).map(Role::Call).ok_or_else(|| usage(&format!("can't call {host}:{port}{path}")))
        }
        Some("show") => {
            let [file] = words(args).ok_or_else(|| usage("show needs one file"))?;
            Ok(Role::Show(file.into()))
        }
        Some("heartbeat") => {
            let mut flags = Flags::read(args)?;
            let every = flags.pace("--every")?.ok_or_else(|| usage("--every is missing"))?;
            let options = HeartbeatOptions { every, file: flags.must("--file")? };
            flags.end()?;
            Ok(Role::Heartbeat(options))
        }
        Some(other) => Err(usage(&format!("there is no command \"{other}\""))),
        None => Err(usage("a command is missing")),
    }
}

fn run(mut flags: Flags) -> Result<RunOptions, Failure> {
    let options = RunOptions {
        name: flags.must("--name")?,
        ready: ready(&mut flags)?,
        stop: StopOptions {
            takes: flags.millis("--stop-takes")?.unwrap_or_default(),
            code: flags.get("--stop-code")?.unwrap_or(0),
            unready: flags.switch("--stops-unready")?,
        },
        exits: exits(&mut flags)?,
        writes: writes(&mut flags)?,
        serves: flags.get::<NonZeroU16>("--serves-http")?.map(NonZeroU16::get),
        calls: calls(&mut flags)?,
    };
    flags.end()?;
    Ok(options)
}

fn ready(flags: &mut Flags) -> Result<ReadyOptions, Failure> {
    let after = flags.millis("--ready-after")?.unwrap_or_default();
    let until = flags.millis("--ready-until")?;
    if until.is_some_and(|until| until <= after) {
        return Err(usage("--ready-until must be more than --ready-after"));
    }
    Ok(ReadyOptions { after, until, told: flags.switch("--ready-told")? })
}

fn exits(flags: &mut Flags) -> Result<Option<Exits>, Failure> {
    let (code, first, once) = (flags.get("--exit-code")?, flags.get("--exits-first")?, flags.get("--exits-once")?);
    let told = flags.switch("--exits-told")?;
    match flags.millis("--exits-after")? {
        Some(after) => Ok(Some(Exits { after, code: code.unwrap_or(0), first, once, told })),
        None if code.is_some() || first.is_some() || once.is_some() || told => {
            Err(usage("--exit-code, --exits-first, --exits-once and --exits-told say nothing without --exits-after"))
        }
        None => Ok(None),
    }
}

fn writes(flags: &mut Flags) -> Result<Option<Writes>, Failure> {
    let (to, every) = (flags.get("--write-to")?, flags.millis("--write-every")?);
    match (flags.get("--write-lines")?, to) {
        (Some(lines), Some(to)) => Ok(Some(Writes { lines, to, every: every.unwrap_or_default() })),
        (None, None) if every.is_none() => Ok(None),
        _ => Err(usage("--write-lines and --write-to belong together, and --write-every needs both")),
    }
}

fn calls(flags: &mut Flags) -> Result<Option<Calls>, Failure> {
    match (flags.get("--calls")?, flags.pace("--calls-every")?) {
        (Some(to), Some(every)) => Ok(Some(Calls { to, every })),
        (None, None) => Ok(None),
        _ => Err(usage("--calls and --calls-every belong together")),
    }
}

fn hook(kind: HookKind, mut flags: Flags) -> Result<HookOptions, Failure> {
    let options = HookOptions {
        kind,
        name: flags.must("--name")?,
        takes: flags.millis("--takes")?.unwrap_or_default(),
        code: flags.get("--code")?.unwrap_or(0),
        until: flags.get("--until-file")?,
        every: flags.pace("--every")?,
    };
    flags.end()?;
    Ok(options)
}

/// Exactly so many arguments.
fn words<const N: usize>(args: impl Iterator<Item = String>) -> Option<[String; N]> {
    args.collect::<Vec<_>>().try_into().ok()
}

/// What is wrong, and how it would be right.
pub(crate) fn usage(what: &str) -> Failure {
    Failure::Usage(format!("{what}\n{USAGE}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

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
            ready: ReadyOptions { after: ms(100), ..ReadyOptions::default() },
            exits: Some(Exits { after: Duration::ZERO, code: 3, first: Some(2), once: None, told: false }),
            writes: Some(Writes { lines: 10, to: "/l".to_owned(), every: Duration::ZERO }),
            ..RunOptions::default()
        };
        assert_eq!(role.expect("must be accepted"), Role::Run(expected));
    }

    #[test]
    fn a_container_that_is_told_and_serves_and_calls() {
        let role = parse(
            "run --name s1 --ready-after 1 --ready-until 2 --ready-told 1 --stop-takes 3 --stop-code 4 --stops-unready 1 \
             --exits-after 5 --exits-told 1 --serves-http 8080 --calls localhost:80/a/b?c --calls-every 6",
        );
        let expected = RunOptions {
            name: "s1".to_owned(),
            ready: ReadyOptions { after: ms(1), until: Some(ms(2)), told: true },
            stop: StopOptions { takes: ms(3), code: 4, unready: true },
            exits: Some(Exits { after: ms(5), code: 0, first: None, once: None, told: true }),
            writes: None,
            serves: Some(8080),
            calls: Some(Calls { to: Target::new("127.0.0.1", "80", "/a/b?c").expect("must be a target"), every: ms(6) }),
        };
        assert_eq!(role.expect("must be accepted"), Role::Run(expected));
    }

    #[test]
    fn a_flag_of_0_is_as_good_as_none() {
        let role = parse("run --name s1 --ready-told 0 --stops-unready 0 --exits-told 0");
        let expected = RunOptions { name: "s1".to_owned(), ..RunOptions::default() };
        assert_eq!(role.expect("must be accepted"), Role::Run(expected));
    }

    #[test]
    fn the_roles_of_helpers() {
        let hook = HookOptions {
            kind: HookKind::PreStop,
            name: "a".to_owned(),
            takes: ms(1),
            code: 2,
            until: Some("go".to_owned()),
            every: Some(ms(3)),
        };
        let none = HookOptions {
            kind: HookKind::PostStart,
            name: "a".to_owned(),
            takes: Duration::ZERO,
            code: 0,
            until: None,
            every: None,
        };
        let probe = ProbeOptions { kind: ProbeKind::Liveness, name: "a".to_owned(), takes: ms(4) };
        for (line, role) in [
            ("hook pre_stop --name a --takes 1 --code 2 --until-file go --every 3", Role::Hook(hook)),
            ("hook post_start --name a", Role::Hook(none)),
            ("probe liveness --name a --takes 4", Role::Probe(probe)),
            ("call ::1 80 x", Role::Call(Target::new("::1", "80", "/x").expect("must be a target"))),
            ("show /proc/1/oom_score_adj", Role::Show("/proc/1/oom_score_adj".into())),
        ] {
            assert_eq!(parse(line).expect(line), role);
        }
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
            "run --name a --exits-told 1",
            "run --name a --exits-told 2 --exits-after 1",
            "run --name a --exits-after 1 --exit-code 256",
            "run --name a --exits-after -1",
            "run --name a --stop-code 256",
            "run --name a --ready-until 0",
            "run --name a --ready-after 5 --ready-until 5",
            "run --name a --ready-told yes",
            "run --name a --write-lines 3",
            "run --name a --write-every 3",
            "run --name a --serves-http 0",
            "run --name a --serves-http 65536",
            "run --name a --calls localhost:80/",
            "run --name a --calls-every 5",
            "run --name a --calls localhost:80/ --calls-every 0",
            "run --name a --calls localhost/ --calls-every 5",
            "run --name a --calls example.org:80/ --calls-every 5",
            "probe --name a",
            "probe health --name a",
            "probe liveness --name a --code 1",
            "hook --name a",
            "hook stop --name a",
            "hook pre_stop",
            "hook pre_stop --name a --code 256",
            "hook pre_stop --name a --every 0",
            "call",
            "call localhost 80",
            "call localhost 0 /",
            "call localhost 80 / more",
            "call example.org 80 /",
            "show",
            "show /a /b",
            "heartbeat --file /f",
            "heartbeat --every 0 --file /f",
        ] {
            assert!(matches!(parse(line), Err(Failure::Usage(_))), "accepted: {line}");
        }
    }
}
