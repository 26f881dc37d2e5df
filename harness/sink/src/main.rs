//! The log receiver that runs in a pod outside the tested one.
//!
//! Protocols turn connections into [`record::Record`]s, the store makes records durable; neither knows the other's details.

mod probe;
mod record;
mod store;
mod syslog;

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Parser, Subcommand};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

#[derive(Debug, Parser)]
#[command(version, about, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    receive: Option<Receive>,
}

/// Receives until SIGTERM, then takes in what has arrived already.
#[derive(Debug, Args)]
struct Receive {
    /// Where to listen for syslog over TCP (RFC 6587, both framings).
    #[arg(long, value_name = "IP:PORT")]
    syslog_tcp: SocketAddr,
    /// The file to append to, a JSON object for each message.
    #[arg(long, value_name = "FILE")]
    store: PathBuf,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Succeeds when the sink takes connections, for an exec probe.
    Probe {
        /// Where it listens.
        #[arg(default_value = "127.0.0.1:5140")]
        address: SocketAddr,
    },
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match (cli.command, cli.receive) {
        (Some(Command::Probe { address }), _) => probe::probe(address).await,
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

async fn receive(options: &Receive) -> anyhow::Result<()> {
    let mut term = signal(SignalKind::terminate()).context("failed to catch SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("failed to catch SIGINT")?;
    let (store, mut storing) = store::open(&options.store).await?;
    let listener =
        TcpListener::bind(options.syslog_tcp).await.with_context(|| format!("failed to listen on {}", options.syslog_tcp))?;
    let address = listener.local_addr().context("failed to read the address that was bound")?;
    writeln!(std::io::stdout(), "{}", serde_json::json!({ "listening": address })).context("failed to say so on stdout")?;

    let stop = CancellationToken::new();
    let receiving = tokio::spawn(syslog::serve(listener, store, stop.clone()));
    tokio::select! {
        _ = term.recv() => {}
        _ = interrupt.recv() => {}
        // A store that can't store must not go on receiving.
        failed = &mut storing => return failed.context("the store's task died")?,
    }
    stop.cancel();
    // The store ends by itself once the last protocol has let go of it.
    receiving.await.context("the receiver's task died")?;
    storing.await.context("the store's task died")?
}
