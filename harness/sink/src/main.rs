//! The log receiver that runs in a pod outside the tested one.
//!
//! Protocols turn connections into [`record::Batch`]es, the store makes them durable and only then lets them be acknowledged;
//! neither knows the other's details. A behaviour, asked for over the control socket, stands between the two.

mod behaviour;
mod elasticsearch;
mod events;
mod fields;
mod forward;
mod gzip;
mod http;
mod http_json;
mod net;
mod otlp;
mod probe;
mod protocol;
mod receive;
mod record;
mod shared;
mod store;
mod syslog;
mod tell;

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use tokio::signal::unix::{SignalKind, signal};

use crate::behaviour::Behaviour;
use crate::receive::{Receive, Sink};

#[derive(Debug, Parser)]
#[command(version, about, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    receive: Option<Receive>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Succeeds when the sink takes connections, for an exec probe.
    Probe {
        /// Where it listens. A port is closed while the sink has been told to be down.
        #[arg(default_value = "127.0.0.1:5140")]
        address: SocketAddr,
        /// Asks at the control socket instead, which answers whatever the sink has been told.
        #[arg(long, value_name = "PATH", conflicts_with = "address")]
        control: Option<PathBuf>,
    },
    /// Tells a sink that runs how to behave, and returns when it does.
    Tell {
        /// Its control socket. The default is where pods of sidecheck have it.
        #[arg(long, global = true, value_name = "PATH", default_value = "/sidecheck/sink/lines.jsonl.control")]
        control: PathBuf,
        #[command(subcommand)]
        behaviour: Behaviour,
    },
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match (cli.command, cli.receive) {
        (Some(Command::Probe { control: Some(path), .. }), _) => probe::control(&path).await,
        (Some(Command::Probe { address, .. }), _) => probe::port(address).await,
        (Some(Command::Tell { control, behaviour }), _) => tell::tell(&control, behaviour).await,
        (None, Some(options)) => receive(&options).await,
        (None, None) => Err(anyhow::anyhow!("nothing to do: see --help")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "sidecheck-sink: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Says where it listens, in one line of JSON on stdout, then receives until it is told to end.
async fn receive(options: &Receive) -> anyhow::Result<()> {
    let mut term = signal(SignalKind::terminate()).context("failed to catch SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("failed to catch SIGINT")?;
    let store = options.store.display();
    let disk = store::open(&options.store).with_context(|| format!("failed to open the store {store}"))?;
    let mut sink = Sink::start(options, disk).await?;
    let said = serde_json::json!({"listening": sink.listening, "control": sink.control});
    writeln!(std::io::stdout(), "{said}").context("failed to say so on stdout")?;
    let failed = tokio::select! {
        _ = term.recv() => None,
        _ = interrupt.recv() => None,
        // A store that can't store must not go on receiving.
        error = sink.failed() => Some(error),
    };
    let outcome = match failed {
        Some(error) => Err(error),
        None => sink.end().await,
    };
    outcome.with_context(|| format!("failed to append to the store {store}"))
}
