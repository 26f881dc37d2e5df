//! A TCP connection that meters what is read, and can end in a reset.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use super::meter::Meter;

#[derive(Debug)]
pub(crate) struct Stream {
    tcp: TcpStream,
    meter: Arc<Meter>,
    reset: CancellationToken,
}

impl Stream {
    pub(super) fn new(tcp: TcpStream, meter: Arc<Meter>, reset: CancellationToken) -> Self {
        Stream { tcp, meter, reset }
    }

    /// Returns when there is something to read, or the end of it.
    pub(super) async fn readable(&self) -> io::Result<()> {
        self.tcp.readable().await
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.reset.is_cancelled() {
            // Closing then discards what is unsent and sends RST. If the connection is gone already, so much the better.
            let _ = self.tcp.set_zero_linger();
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.tcp).poll_read(cx, buffer))?;
        if let read @ [_, ..] = &buffer.filled()[before..] {
            self.meter.read(read);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.tcp).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_shutdown(cx)
    }
}
