//! The command line. Read by hand: this program's size and start time are part of every scenario.

mod writes;

use std::num::NonZeroU16;
use std::path::PathBuf;
use std::time::Duration;

use crate::acts::{HookKind, ProbeKind};
use crate::failure::Failure;
use crate::flags::Flags;
use crate::target::Target;

pub(crate) use writes::{Rotate, Shape, Writes};

const USAGE: &str = "usage:
  sidecheck-witness run --name NAME [--ready-after MS] [--ready-until MS] [--ready-told 1]
      [--stop-takes MS] [--stop-code N] [--stops-unready 1]
      [--exits-after MS] [--exit-code N] [--exits-first N] [--exits-once NAME] [--exits-told 1] [--ends-others 1]
      [--write-lines N [--write-to PATH] [--write-stdout 1] [--write-every MS] [--write-size BYTES|FROM-TO]
       [--write-at-term N] [--write-until-kill 1] [--write-at-exit N] [--write-unfinished 1]
       [--write-stack-traces LINES] [--write-invalid-utf8 1]
       [--write-rotate rename|truncate --write-rotate-every LINES --write-rotate-keep N]]
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
    Run(Box<RunOptions>),
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
    /// And asks all other processes that it sees to end, too.
    pub(crate) others: bool,
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
        Some("run") => run(Flags::read(args)?).map(|options| Role::Run(Box::new(options))),
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
        writes: writes::writes(&mut flags)?,
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
    let (told, others) = (flags.switch("--exits-told")?, flags.switch("--ends-others")?);
    match flags.millis("--exits-after")? {
        Some(after) => Ok(Some(Exits { after, code: code.unwrap_or(0), first, once, told, others })),
        None if code.is_some() || first.is_some() || once.is_some() || told || others => Err(usage(
            "--exit-code, --exits-first, --exits-once, --exits-told and --ends-others say nothing without --exits-after",
        )),
        None => Ok(None),
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
mod tests;
