//! Syslog over TCP.

mod framing;
mod message;

use self::framing::{Frame, Framing};
use crate::events::Trouble;
use crate::net::{Connection, Incoming, More, Speaks, Stream, guess};
use crate::record::{Batch, MESSAGE_LIMIT};
use crate::store::Gone;

/// Receives until the connection ends, or until the sink does and the sender is silent.
pub(crate) async fn serve(connection: &Connection, stream: Stream) {
    // Either the sender broke off or the store did; whoever needs to know learns it from the store.
    let _ = frames(connection, stream).await;
}

async fn frames(connection: &Connection, stream: Stream) -> Result<(), Gone> {
    let mut incoming = Incoming::new(stream, connection.shared.room.share());
    let mut framing = Framing::default();
    let mut first = true;
    loop {
        match incoming.more(connection).await {
            More::Bytes => {}
            More::Ended | More::Quiet => break,
            More::NoRoom => {
                connection.trouble(Trouble::NoRoom, "its message has no room beside those of others");
                connection.reset();
                return Ok(());
            }
        }
        if let (true, Some(other)) = (first, guess(&incoming.buffer).filter(|speaks| *speaks != Speaks::Syslog)) {
            connection.trouble(Trouble::WrongProtocol, format!("it speaks {other}"));
            connection.reset();
            return Ok(());
        }
        let frames: Vec<Frame> = std::iter::from_fn(|| framing.next(&mut incoming.buffer)).collect();
        if !frames.is_empty() {
            first = false;
            connection.meter.complete(false);
            keep(frames, connection).await?;
            connection.meter.complete(!incoming.buffer.is_empty());
        }
    }
    if let Some(frame) = framing.rest(&mut incoming.buffer) {
        connection.trouble(Trouble::BrokenOff, format!("it ended {} bytes into a message", frame.bytes.len()));
        keep(vec![frame], connection).await?;
    }
    Ok(())
}

/// Takes in what has come at once together, or one by one when the sink is to be slow.
async fn keep(frames: Vec<Frame>, connection: &Connection) -> Result<(), Gone> {
    let mut batch = Batch::new(connection.origin);
    for frame in frames {
        add(&frame, &mut batch, connection);
        if connection.shared.gate.is_slow() {
            let one = std::mem::replace(&mut batch, Batch::new(connection.origin));
            connection.shared.take_in(one).await?;
        }
    }
    connection.shared.take_in(batch).await
}

fn add(frame: &Frame, batch: &mut Batch, connection: &Connection) {
    let message = message::read(&frame.bytes);
    if !message.has_header {
        connection.trouble(Trouble::Malformed, "a message has no header of syslog");
    }
    if frame.cut {
        if frame.bytes.len() >= MESSAGE_LIMIT {
            connection.trouble(Trouble::TooLong, format!("a message is longer than {MESSAGE_LIMIT} bytes and has been cut"));
        }
        batch.add_cut(&message.text, message.lossy);
    } else {
        batch.add(&message.text, message.lossy);
    }
}
