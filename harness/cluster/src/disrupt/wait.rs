//! Waiting for something to show, for a bounded time.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout_at};

use super::DisruptError;

/// Between two looks. A look costs the node a few tens of milliseconds of CPU.
const PAUSE: Duration = Duration::from_millis(200);

/// Looks until `look` returns what is waited for; until then it returns what it saw instead.
///
/// # Errors
/// [`DisruptError::TimedOut`] with what was seen last, `limit` after the beginning, also when a look takes longer than that.
pub(super) async fn until<T, L>(node: &str, what: &str, limit: Duration, mut look: impl FnMut() -> L) -> Result<T, DisruptError>
where
    L: Future<Output = Result<T, String>>,
{
    let begin = Instant::now();
    let mut last = "nothing, the first look took too long".to_owned();
    loop {
        match timeout_at(begin + limit, look()).await {
            Ok(Ok(found)) => return Ok(found),
            Ok(Err(seen)) => last = seen,
            Err(_) => {}
        }
        if begin.elapsed() + PAUSE >= limit {
            return Err(DisruptError::TimedOut { what: what.to_owned(), node: node.to_owned(), waited: begin.elapsed(), last });
        }
        sleep(PAUSE).await;
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, future};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_shows_in_time_is_returned() {
        let looks = Cell::new(0);
        let look = || {
            looks.set(looks.get() + 1);
            future::ready(if looks.get() == 3 { Ok("there") } else { Err("not there".to_owned()) })
        };
        assert_eq!(until("n", "wait", Duration::from_secs(1), look).await.unwrap(), "there");
    }

    #[tokio::test(start_paused = true)]
    async fn message_says_what_was_tried_how_long_and_what_was_seen() {
        let look = || future::ready(Err::<(), _>("it is activating".to_owned()));
        let error = until("n", "start the kubelet", Duration::from_secs(3), look).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "gave up on node `n` after 2.8 s of waiting: start the kubelet; last seen: it is activating"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_look_that_does_not_end_is_given_up() {
        let begin = Instant::now();
        let error = until("n", "wait", Duration::from_secs(3), future::pending::<Result<(), String>>).await.unwrap_err();
        assert!(matches!(error, DisruptError::TimedOut { .. }) && begin.elapsed() == Duration::from_secs(3), "{error}");
    }
}
