//! Telling a sink that runs how to behave, for `exec` in its pod.

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;

use crate::behaviour::{Answer, Behaviour, Request, ask};

/// Closing ports and connections takes milliseconds; the rest is for a busy node.
const LIMIT: Duration = Duration::from_secs(30);

/// Returns when the behaviour is in force, and says on stdout since when:
/// `{"in_force":{"in_force_ns":...,"behaviour":{"kind":...}}}`.
pub(crate) async fn tell(control: &Path, behaviour: Behaviour) -> anyhow::Result<()> {
    let answer = ask(control, &Request::Behave(behaviour), LIMIT).await?;
    match &answer {
        Answer::InForce { .. } => {
            let text = serde_json::to_string(&answer)?;
            writeln!(std::io::stdout(), "{text}").context("failed to say so on stdout")
        }
        Answer::Failed { why } => anyhow::bail!("the sink can't do that: {why}"),
        Answer::Runs { .. } => anyhow::bail!("the sink answered another question: {answer:?}"),
    }
}
