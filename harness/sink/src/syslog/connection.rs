//! One connection: frames in, records out.

use std::net::SocketAddr;
use std::time::Duration;

use futures::StreamExt as _;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use tokio_util::codec::{Decoder as _, FramedRead};
use tokio_util::sync::CancellationToken;

use super::framing::{Frame, Framing};
use super::message;
use crate::record::Record;
use crate::store::{Gone, Store};

/// After the stop, a connection that is silent for so long has nothing left in flight on its node.
const SILENCE: Duration = Duration::from_millis(200);
/// After the stop, a sender that goes on and on is left at last.
const LAST: Duration = Duration::from_secs(2);

/// Receives until the connection ends, or until `stop` and then silence.
pub(super) async fn receive(stream: TcpStream, from: SocketAddr, store: Store, stop: CancellationToken) {
    // Either the sender broke off or the store did; whoever needs to know learns it from the store.
    let _ = frames(stream, from, &store, &stop).await;
}

async fn frames(stream: TcpStream, from: SocketAddr, store: &Store, stop: &CancellationToken) -> Result<(), Gone> {
    let mut frames = FramedRead::new(stream, Framing::default());
    let mut end: Option<Instant> = None;
    loop {
        let next = match end {
            None => tokio::select! {
                next = frames.next() => next,
                () = stop.cancelled() => {
                    end = Some(Instant::now() + LAST);
                    continue;
                }
            },
            Some(end) => match timeout_at(end.min(Instant::now() + SILENCE), frames.next()).await {
                Ok(next) => next,
                Err(_) => break,
            },
        };
        match next {
            Some(Ok(frame)) => keep(frame, from, store).await?,
            // A reset: what came before it counts.
            Some(Err(_)) | None => break,
        }
    }
    let mut rest = std::mem::take(frames.read_buffer_mut());
    while let Ok(Some(frame)) = frames.decoder_mut().decode_eof(&mut rest) {
        keep(frame, from, store).await?;
    }
    Ok(())
}

async fn keep(frame: Frame, from: SocketAddr, store: &Store) -> Result<(), Gone> {
    let (message, lossy) = message::text(&frame.bytes);
    store.append(Record::now(from, message, lossy, frame.cut)).await
}
