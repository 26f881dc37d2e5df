//! The program that runs as PID 1 of the containers under test and reports what it does.
//!
//! Its record is evidence, so it says everything in the order in which it happened, and it never runs on unseen: when the
//! evidence can't be written it stops with [`failure::UNSEEN`].

mod acts;
mod args;
mod call;
mod clock;
mod deadline;
mod digest;
mod ending;
mod failure;
mod flags;
mod heartbeat;
mod helper;
mod hook;
mod identity;
mod journal;
mod json;
mod lines;
mod others;
mod pace;
mod probe;
mod readiness;
mod ready;
mod report;
mod run;
mod server;
mod show;
mod signals;
mod target;
mod tell;

use std::io::Write as _;
use std::process::ExitCode;

use crate::args::Role;
use crate::failure::Failure;

fn main() -> ExitCode {
    // Containers of one pod may run as different users and share the evidence folder: modes must come out as asked for.
    rustix::process::umask(rustix::fs::Mode::empty());
    let outcome = args::parse(std::env::args().skip(1)).and_then(|role| match role {
        Role::Run(options) => run::run(&options),
        Role::Probe(options) => probe::probe(&options),
        Role::Hook(options) => hook::hook(&options),
        Role::Call(target) => Ok(call::call(&target)),
        Role::Show(file) => Ok(show::show(&file)),
        Role::Heartbeat(options) => heartbeat::heartbeat(&options),
    });
    outcome.map_or_else(
        |failure| {
            complain(&failure.to_string());
            ExitCode::from(failure.exit_code())
        },
        ExitCode::from,
    )
}

/// Says something on stderr; nothing can be done when even that fails.
fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "sidecheck-witness: {text}");
}

/// What a role ends with: the exit code of the process.
type Outcome = Result<u8, Failure>;
