//! The read side of protocols that are no HTTP: a buffer that grows with the message, as far as there is room.

use bytes::BytesMut;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::connection::Connection;
use super::room::{Full, Share};
use super::stream::Stream;

/// How much is read at once.
const PIECE: usize = 64 << 10;

pub(crate) struct Incoming {
    stream: Stream,
    /// What has been read and not taken.
    pub(crate) buffer: BytesMut,
    share: Share,
}

/// What came of reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum More {
    Bytes,
    /// The sender has closed, or has broken off.
    Ended,
    /// The sink ends, and the sender is silent.
    Quiet,
    NoRoom,
}

impl Incoming {
    pub(crate) fn new(stream: Stream, share: Share) -> Self {
        Incoming { stream, buffer: BytesMut::new(), share }
    }

    /// Reads on. Nothing is lost when this is dropped.
    pub(crate) async fn more(&mut self, connection: &Connection) -> More {
        if self.buffer.is_empty() {
            // Thousands of idle connections need no buffers.
            self.buffer = BytesMut::new();
            self.share.release();
        }
        tokio::select! {
            biased;
            more = self.read() => more,
            () = connection.quiet() => More::Quiet,
        }
    }

    async fn read(&mut self) -> More {
        if self.stream.readable().await.is_err() {
            return More::Ended;
        }
        self.buffer.reserve(PIECE);
        if let Err(Full) = self.share.cover(self.buffer.capacity()) {
            return More::NoRoom;
        }
        match self.stream.read_buf(&mut self.buffer).await {
            Ok(1..) => More::Bytes,
            // A reset: what came before it counts.
            Ok(0) | Err(_) => More::Ended,
        }
    }

    /// Answers the sender; false when it can't be told any more.
    pub(crate) async fn answer(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).await.is_ok()
    }
}
