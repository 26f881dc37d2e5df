//! Flags of the producer.

use std::path::PathBuf;
use std::time::Duration;

use crate::args::usage;
use crate::failure::Failure;
use crate::flags::Flags;

/// The lines of a producer.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Writes {
    /// From the start on.
    pub(crate) lines: u64,
    /// The distance of two lines; zero: as fast as the disk takes them.
    pub(crate) every: Duration,
    /// The file; none where only stdout gets them.
    pub(crate) to: Option<PathBuf>,
    pub(crate) stdout: bool,
    pub(crate) shape: Shape,
    /// So many more when SIGTERM comes.
    pub(crate) at_term: u64,
    /// After SIGTERM it goes on and does not end.
    pub(crate) until_kill: bool,
    /// So many more before the exit.
    pub(crate) at_exit: u64,
    /// The last line has no line feed.
    pub(crate) unfinished: bool,
    pub(crate) rotate: Option<Rotate>,
}

/// What the lines look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The shortest and the longest, in bytes.
    pub(crate) size: (u64, u64),
    /// Lines of one stack trace.
    pub(crate) stack_traces: Option<u64>,
    pub(crate) invalid_utf8: bool,
}

/// How the file is put aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rotate {
    /// It is copied and emptied; else it gets another name.
    pub(crate) truncates: bool,
    /// After so many lines.
    pub(crate) every: u64,
    /// So many older files are kept.
    pub(crate) keep: u32,
}

impl Default for Shape {
    fn default() -> Self {
        Shape { size: (120, 120), stack_traces: None, invalid_utf8: false }
    }
}

pub(super) fn writes(flags: &mut Flags) -> Result<Option<Writes>, Failure> {
    let lines = flags.get("--write-lines")?;
    let writes = Writes {
        lines: lines.unwrap_or(0),
        every: flags.millis("--write-every")?.unwrap_or_default(),
        to: flags.get("--write-to")?,
        stdout: flags.switch("--write-stdout")?,
        shape: shape(flags)?,
        at_term: flags.get("--write-at-term")?.unwrap_or(0),
        until_kill: flags.switch("--write-until-kill")?,
        at_exit: flags.get("--write-at-exit")?.unwrap_or(0),
        unfinished: flags.switch("--write-unfinished")?,
        rotate: rotate(flags)?,
    };
    if lines.is_none() {
        let none = writes == Writes::default();
        return if none { Ok(None) } else { Err(usage("flags that begin with --write- need --write-lines, which may be 0")) };
    }
    if writes.to.is_none() && !writes.stdout {
        return Err(usage("--write-lines needs --write-to, --write-stdout 1, or both"));
    }
    if writes.rotate.is_some() && writes.to.is_none() {
        return Err(usage("--write-rotate needs --write-to"));
    }
    if writes.until_kill && (writes.every.is_zero() || writes.at_exit > 0 || writes.unfinished) {
        return Err(usage("--write-until-kill needs --write-every, and has neither --write-at-exit nor --write-unfinished"));
    }
    Ok(Some(writes))
}

fn shape(flags: &mut Flags) -> Result<Shape, Failure> {
    let size = match flags.get::<String>("--write-size")? {
        Some(text) => size(&text).ok_or_else(|| usage(&format!("\"{text}\" is no value for --write-size")))?,
        None => Shape::default().size,
    };
    let stack_traces = flags.get("--write-stack-traces")?;
    if stack_traces.is_some_and(|lines: u64| lines < 2) {
        return Err(usage("--write-stack-traces needs 2 lines or more"));
    }
    Ok(Shape { size, stack_traces, invalid_utf8: flags.switch("--write-invalid-utf8")? })
}

/// A size, or the smallest and the largest: from 60 bytes, which a header and a cell need, to a mebibyte.
fn size(text: &str) -> Option<(u64, u64)> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let (from, to) = (from.parse().ok()?, to.parse().ok()?);
    (60 <= from && from <= to && to <= 1 << 20).then_some((from, to))
}

fn rotate(flags: &mut Flags) -> Result<Option<Rotate>, Failure> {
    let how = flags.get::<String>("--write-rotate")?;
    match (how.as_deref(), flags.get("--write-rotate-every")?, flags.get("--write-rotate-keep")?) {
        (None, None, None) => Ok(None),
        (Some(how @ ("rename" | "truncate")), Some(every), Some(keep)) if every > 0 => {
            Ok(Some(Rotate { truncates: how == "truncate", every, keep }))
        }
        _ => Err(usage("--write-rotate is rename or truncate, and needs --write-rotate-every above 0 and --write-rotate-keep")),
    }
}
