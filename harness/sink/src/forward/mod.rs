//! Fluentd's forward protocol, version 1, without its optional handshake.
//! <https://github.com/fluent/fluentd/wiki/Forward-Protocol-Specification-v1>

mod extent;
mod message;

use self::extent::Extent;
use crate::events::Trouble;
use crate::net::{Connection, Incoming, More, Speaks, Stream, guess};
use crate::store::Gone;

/// The longest message of the protocol, which holds as many records as an agent puts into a chunk, in bytes.
const LIMIT: usize = 64 << 20;

/// Receives and acknowledges until the connection ends, or until the sink does and the sender is silent.
pub(crate) async fn serve(connection: &Connection, stream: Stream) {
    let mut incoming = Incoming::new(stream, connection.shared.room.share());
    // If the store has failed, its thread says why.
    let Ok(Err((trouble, what))) = messages(connection, &mut incoming).await else { return };
    let speaks = guess(connection.meter.first()).filter(|speaks| *speaks != Speaks::Forward);
    match speaks {
        Some(other) if trouble == Trouble::Malformed => connection.trouble(Trouble::WrongProtocol, format!("it speaks {other}")),
        _ => connection.trouble(trouble, what),
    }
    connection.reset();
}

type Outcome = Result<(), (Trouble, String)>;

async fn messages(connection: &Connection, incoming: &mut Incoming) -> Result<Outcome, Gone> {
    let mut extent = Extent::default();
    loop {
        match incoming.more(connection).await {
            More::Bytes => {}
            More::Ended | More::Quiet if incoming.buffer.is_empty() => return Ok(Ok(())),
            More::Ended | More::Quiet => {
                let what = format!("it ended {} bytes into a message", incoming.buffer.len());
                return Ok(Err((Trouble::BrokenOff, what)));
            }
            More::NoRoom => return Ok(Err((Trouble::NoRoom, "its message has no room beside those of others".to_owned()))),
        }
        loop {
            match extent.find(&incoming.buffer, LIMIT) {
                Ok(None) => break,
                Ok(Some(length)) => {
                    connection.meter.complete(false);
                    let bytes = incoming.buffer.split_to(length);
                    match message::read(connection.origin, &bytes) {
                        Ok(message) => {
                            drop(bytes);
                            connection.shared.deliver(message.batch).await?;
                            if let Some(chunk) = message.chunk
                                && !incoming.answer(&message::acknowledgement(chunk)).await
                            {
                                return Ok(Ok(()));
                            }
                        }
                        Err(why) => return Ok(Err((Trouble::Malformed, why))),
                    }
                    connection.meter.complete(!incoming.buffer.is_empty());
                }
                Err(extent::Wrong::TooLong) => {
                    return Ok(Err((Trouble::TooLong, format!("a message is longer than {LIMIT} bytes"))));
                }
                Err(extent::Wrong::Reserved) => {
                    return Ok(Err((Trouble::Malformed, "a byte that MessagePack does not use".to_owned())));
                }
            }
        }
    }
}
