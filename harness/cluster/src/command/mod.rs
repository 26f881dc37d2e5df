//! Running an external program: with a time limit, with everything that it printed, and gone with its children when it
//! takes too long or is no longer wanted.

mod group;

use std::{
    ffi::{OsStr, OsString},
    fmt,
    path::PathBuf,
    process::ExitStatus,
    time::Duration,
};

use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    process::ChildStdin,
    time::Instant,
};

use group::Group;

/// How many of the last lines an error shows.
const LAST_LINES: usize = 12;

/// A program with its arguments, not yet running.
#[derive(Debug, Clone)]
pub struct Command {
    program: OsString,
    arguments: Vec<OsString>,
    variables: Vec<(OsString, OsString)>,
    folder: Option<PathBuf>,
    input: Vec<u8>,
    limit: Duration,
}

/// What a program that succeeded printed.
#[derive(Debug, Clone)]
pub struct Output {
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error, with what is not UTF-8 replaced.
    pub stderr: String,
}

impl Output {
    /// Standard output as text, without space at its ends.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).trim().to_owned()
    }
}

/// A program that did not do what it should.
#[derive(Debug, thiserror::Error)]
#[error("`{command}` {kind} after {:.1} s{}", ran.as_secs_f64(), tail(said))]
pub struct CommandError {
    /// The command as one would type it.
    pub command: String,
    /// How long it ran.
    pub ran: Duration,
    /// What went wrong.
    pub kind: CommandFailure,
    /// All that it printed, standard error last.
    pub said: String,
}

/// How a program failed.
#[derive(Debug)]
pub enum CommandFailure {
    /// There is no such program, or it could not be started.
    NotStarted(std::io::Error),
    /// It was stopped because it took longer than its limit.
    TimedOut(Duration),
    /// It ended with a failure of its own.
    Failed(ExitStatus),
}

impl fmt::Display for CommandFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(error) => write!(f, "could not be started ({error})"),
            Self::TimedOut(limit) => write!(f, "was stopped at its limit of {} s", limit.as_secs()),
            Self::Failed(status) => write!(f, "failed ({status})"),
        }
    }
}

fn tail(said: &str) -> String {
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
    if last.is_empty() { String::new() } else { format!("\n  | {}", last.join("\n  | ")) }
}

impl Command {
    /// A program found on PATH (or a path), with a limit of one minute.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Self {
            program: program.as_ref().to_owned(),
            arguments: Vec::new(),
            variables: Vec::new(),
            folder: None,
            input: Vec::new(),
            limit: Duration::from_secs(60),
        }
    }

    /// Adds one argument.
    #[must_use]
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<I: IntoIterator<Item: AsRef<OsStr>>>(mut self, arguments: I) -> Self {
        self.arguments.extend(arguments.into_iter().map(|argument| argument.as_ref().to_owned()));
        self
    }

    /// Sets a variable on top of this process's own.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.variables.push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Sets the folder in which it runs.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Gives it this as standard input; without it, there is none.
    #[must_use]
    pub fn input(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.input = input.into();
        self
    }

    /// Sets how long it may run.
    #[must_use]
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Runs it to its end. When the future is dropped, the program and its children are stopped.
    pub async fn run(&self) -> Result<Output, CommandError> {
        self.run_with(|_| ()).await
    }

    /// The same, with each line of standard error passed to `line` as it comes.
    pub async fn run_with(&self, mut line: impl FnMut(&str)) -> Result<Output, CommandError> {
        let begin = Instant::now();
        let failed = |kind, said| CommandError { command: self.to_string(), ran: begin.elapsed(), kind, said };
        let mut group = Group::start(self).map_err(|error| failed(CommandFailure::NotStarted(error), String::new()))?;
        let (mut stdout, mut stderr) = (Vec::new(), String::new());
        let done = {
            let (input, output, errors) = (group.child.stdin.take(), group.child.stdout.take(), group.child.stderr.take());
            let exchange = async {
                tokio::join!(feed(input, &self.input), read_all(output, &mut stdout), read_lines(errors, &mut stderr, &mut line));
                group.child.wait().await
            };
            tokio::time::timeout(self.limit, exchange).await
        };
        let said = |stdout: &[u8], stderr: &str| format!("{}\n{stderr}", String::from_utf8_lossy(stdout));
        match done {
            Ok(Ok(status)) => {
                group.ended = true;
                if status.success() {
                    return Ok(Output { stdout, stderr });
                }
                Err(failed(CommandFailure::Failed(status), said(&stdout, &stderr)))
            }
            Ok(Err(error)) => Err(failed(CommandFailure::NotStarted(error), said(&stdout, &stderr))),
            Err(_) => {
                group.stop().await;
                Err(failed(CommandFailure::TimedOut(self.limit), said(&stdout, &stderr)))
            }
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program.to_string_lossy())?;
        for argument in &self.arguments {
            let text = argument.to_string_lossy();
            // A script given as an argument would bury the message that this is part of.
            match text.split_once('\n') {
                Some((first, _)) => write!(f, " '{first} ...'")?,
                None if text.is_empty() || text.contains(char::is_whitespace) => write!(f, " '{text}'")?,
                None => write!(f, " {text}")?,
            }
        }
        Ok(())
    }
}

async fn feed(pipe: Option<ChildStdin>, input: &[u8]) {
    if let Some(mut pipe) = pipe {
        // A program that does not want all of its input has its reasons; its exit status tells.
        _ = pipe.write_all(input).await;
    }
}

async fn read_all(pipe: Option<impl AsyncRead + Unpin>, into: &mut Vec<u8>) {
    if let Some(mut pipe) = pipe {
        _ = pipe.read_to_end(into).await;
    }
}

async fn read_lines(pipe: Option<impl AsyncRead + Unpin>, into: &mut String, line: &mut impl FnMut(&str)) {
    let Some(pipe) = pipe else { return };
    let (mut pipe, mut bytes) = (BufReader::new(pipe), Vec::new());
    while matches!(pipe.read_until(b'\n', &mut bytes).await, Ok(1..)) {
        let text = String::from_utf8_lossy(&bytes);
        line(text.trim_end());
        into.push_str(&text);
        bytes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        Command::new("sh").args(["-c", script])
    }

    #[tokio::test]
    async fn output_and_lines_are_kept() {
        let mut lines = Vec::new();
        let output =
            shell("cat; echo one >&2; echo two >&2").input("in").run_with(|line| lines.push(line.to_owned())).await.unwrap();
        assert_eq!((output.text().as_str(), lines), ("in", vec!["one".to_owned(), "two".to_owned()]));
    }

    #[tokio::test]
    async fn failure_says_command_status_and_last_lines() {
        let error = shell("for i in $(seq 30); do echo line $i >&2; done; exit 3").run().await.unwrap_err().to_string();
        assert!(error.starts_with("`sh -c 'for i in"), "{error}");
        assert!(error.contains("failed (exit status: 3) after 0."), "{error}");
        assert!(error.contains("line 30") && !error.contains("line 18"), "{error}");
    }

    #[tokio::test]
    async fn missing_program_is_told_apart() {
        let error = Command::new("sidecheck-no-such-program").run().await.unwrap_err();
        assert!(matches!(error.kind, CommandFailure::NotStarted(_)));
    }

    #[tokio::test]
    async fn limit_stops_the_program_and_its_children() {
        let limit = Duration::from_millis(300);
        let error = shell("sleep 60 & echo $!; wait").limit(limit).run().await.unwrap_err();
        assert!(matches!(error.kind, CommandFailure::TimedOut(_)));
        assert!(gone(error.said.trim()).await);
    }

    #[tokio::test]
    async fn dropping_the_future_stops_the_program_and_its_children() {
        let folder = tempfile::tempdir().unwrap();
        let command = shell("sleep 60 & echo $! >pid; wait").folder(folder.path());
        assert!(tokio::time::timeout(Duration::from_millis(300), command.run()).await.is_err());
        assert!(gone(std::fs::read_to_string(folder.path().join("pid")).unwrap().trim()).await);
    }

    /// Whether the process is gone, or dead and not yet collected, within two seconds.
    async fn gone(id: &str) -> bool {
        for _ in 0..40 {
            let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            if state.is_empty() || state.contains(") Z ") {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        false
    }
}
