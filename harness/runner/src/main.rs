//! The program `sidecheck`.

use std::process::ExitCode;

use clap::Parser as _;
use sidecheck::commands::{Arguments, main as run};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime.block_on(run(arguments)),
        Err(error) => {
            eprintln!("sidecheck: failed to start: {error}");
            ExitCode::from(3)
        }
    }
}
