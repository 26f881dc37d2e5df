//! Ctrl-C: the first one asks the run to stop and to clean up, the second one ends the process at once.

use std::sync::Arc;

use tokio::sync::watch;

/// Becomes true once; cheap to clone.
#[derive(Debug, Clone)]
pub struct Interrupt {
    sender: Arc<watch::Sender<bool>>,
}

impl Interrupt {
    /// An interrupt that only [`Interrupt::raise`] raises.
    pub fn new() -> Self {
        Self { sender: Arc::new(watch::Sender::new(false)) }
    }

    /// An interrupt that the signals INT and TERM raise; the second signal exits with 130.
    ///
    /// # Errors
    /// The process can't handle signals.
    pub fn on_signals() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let interrupt = Self::new();
        let (mut int, mut term) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        let raised = interrupt.clone();
        tokio::spawn(async move {
            loop {
                tokio::select! { _ = int.recv() => {}, _ = term.recv() => {} }
                if raised.is_raised() {
                    eprintln!("interrupted again: namespaces of this run may be left behind; `sidecheck gc` removes them");
                    std::process::exit(130);
                }
                eprintln!("interrupted: keeping the evidence and removing what was created (again to stop at once)");
                raised.raise();
            }
        });
        Ok(interrupt)
    }

    /// Raises it.
    pub fn raise(&self) {
        self.sender.send_replace(true);
    }

    /// Whether it was raised.
    pub fn is_raised(&self) -> bool {
        *self.sender.borrow()
    }

    /// Returns once it is raised.
    pub async fn wait(&self) {
        let mut receiver = self.sender.subscribe();
        // The sender lives in `self`.
        let _ = receiver.wait_for(|raised| *raised).await;
    }
}

impl Default for Interrupt {
    fn default() -> Self {
        Self::new()
    }
}
