//! An HTTP server for probes and hooks of the kubelet, and for whoever wants to know whether the container still serves.
//!
//! It knows as much of HTTP as that takes: one request for each connection, of which only the path counts.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::acts::Act;
use crate::deadline::Deadline;
use crate::failure::Failure;
use crate::helper;
use crate::journal::Journal;
use crate::ready;

/// The longest time of a connection, whatever the other side does.
const LIMIT: Duration = Duration::from_secs(2);
/// Connections at a time: a few are in use, and so many would be a fault that must not take the container's memory.
const MOST: usize = 32;
/// The part of a request that is read; a longer one is answered by what its beginning says.
const HEAD: usize = 8192;
/// The part of a path that is recorded.
const PATH: usize = 200;

/// A port that takes connections, which are not answered yet.
#[derive(Debug)]
pub(crate) struct Server {
    listener: TcpListener,
}

impl Server {
    /// Opens the port on all addresses of the pod.
    pub(crate) fn open(port: u16) -> Result<Self, Failure> {
        // The first takes connections of both families, where the node has both.
        let all: [SocketAddr; 2] = [(Ipv6Addr::UNSPECIFIED, port).into(), (Ipv4Addr::UNSPECIFIED, port).into()];
        let listener = TcpListener::bind(&all[..]).map_err(Failure::unseen("listen on", Path::new(&format!("port {port}"))))?;
        Ok(Server { listener })
    }

    /// Answers from now on and until the process ends, also while it stops.
    pub(crate) fn start(self, journal: &Arc<Journal>) -> Result<(), Failure> {
        let journal = Arc::clone(journal);
        helper::start("server", move || self.accept(&journal))
    }

    fn accept(&self, journal: &Arc<Journal>) -> ! {
        let connections = Arc::new(());
        loop {
            let taken = match self.listener.accept() {
                // Without a thread of its own, a silent connection would hold up a probe.
                Ok((stream, _)) if Arc::strong_count(&connections) <= MOST => {
                    let (journal, connection) = (Arc::clone(journal), Arc::clone(&connections));
                    let work = move || {
                        let outcome = answer(stream, &journal);
                        drop(connection);
                        outcome
                    };
                    helper::start("answer", work).is_ok()
                }
                _ => false,
            };
            if !taken {
                // The cause may last, and the processor is not to be kept busy with it.
                thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

/// Answers one connection. Only a lost record is a failure: the other side may break off whenever it wants.
fn answer(mut stream: TcpStream, journal: &Journal) -> Result<(), Failure> {
    let deadline = Deadline::after(LIMIT);
    // Silent when nothing came, as from a TCP probe.
    let head = match head(&mut stream, deadline) {
        Ok(head) if !head.is_empty() => head,
        _ => return Ok(()),
    };
    let reply = match path(&head) {
        Some(path) => {
            let bare = path.split('?').next().unwrap_or_default();
            if !matches!(bare, "/" | "/healthz") {
                // Before the answer, so that whoever has it finds the record.
                journal.record(Act::Request { path: &path })?;
            }
            reply(bare, ready::is_set)
        }
        None => BAD,
    };
    let _ = send(&mut stream, &reply, deadline);
    Ok(())
}

/// A status, the place that it points to, and a text.
struct Reply {
    status: &'static str,
    location: Option<&'static str>,
    body: &'static str,
}

const BAD: Reply = Reply { status: "400 Bad Request", location: None, body: "not HTTP" };

fn reply(path: &str, is_ready: impl FnOnce() -> bool) -> Reply {
    match path {
        "/healthz" if !is_ready() => Reply { status: "500 Internal Server Error", location: None, body: "not ready" },
        "/redirect-local" => Reply { status: "302 Found", location: Some("/healthz"), body: "" },
        "/redirect-away" => Reply { status: "302 Found", location: Some("http://0.0.0.0/"), body: "" },
        _ => Reply { status: "200 OK", location: None, body: "ok" },
    }
}

/// The request up to its empty line, or as far as it comes.
fn head(stream: &mut TcpStream, deadline: Deadline) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    let ends = |head: &[u8]| head.windows(4).any(|four| four == b"\r\n\r\n") || head.windows(2).any(|two| two == b"\n\n");
    while head.len() < HEAD && !ends(&head) {
        let mut part = [0; 1024];
        let taken = deadline.read(stream, &mut part)?;
        if taken == 0 {
            break;
        }
        head.extend_from_slice(&part[..taken]);
    }
    Ok(head)
}

/// The path of `GET /path HTTP/1.1`, bounded; none when that is not how the request begins. Any method will do.
fn path(head: &[u8]) -> Option<String> {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let mut words = line.split_ascii_whitespace();
    let (_, path, version) = (words.next()?, words.next()?, words.next()?);
    let whole = path.starts_with('/') && version.starts_with("HTTP/") && words.next().is_none();
    whole.then(|| path.chars().take(PATH).collect())
}

fn send(stream: &mut TcpStream, reply: &Reply, deadline: Deadline) -> io::Result<()> {
    let Reply { status, location, body } = reply;
    let location = location.map(|to| format!("Location: {to}\r\n")).unwrap_or_default();
    let length = body.len();
    let text = format!(
        "HTTP/1.1 {status}\r\n{location}Content-Type: text/plain\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    deadline.write(stream, text.as_bytes())?;
    stream.shutdown(Shutdown::Write)?;
    // A close with something unread would be a reset, which may overtake the answer.
    while deadline.read(stream, &mut [0; 1024])? > 0 {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_request() {
        for (head, expected) in [
            ("GET /hook/a HTTP/1.1\r\nHost: x\r\n\r\n", Some("/hook/a")),
            ("POST /?q HTTP/1.0\n\n", Some("/?q")),
            ("GET / HTTP/1.1", Some("/")),
            ("GET /", None),
            ("GET a HTTP/1.1\r\n\r\n", None),
            ("GET /a b HTTP/1.1\r\n\r\n", None),
            ("\r\n\r\n", None),
            ("\u{16}\u{3}\u{1}", None),
        ] {
            assert_eq!(path(head.as_bytes()).as_deref(), expected, "{head:?}");
        }
        let long = format!("GET /{} HTTP/1.1\r\n\r\n", "ü".repeat(300));
        assert_eq!(path(long.as_bytes()).expect("must be a path").chars().count(), PATH);
        assert_eq!(path(b"GET /\xff\x00 HTTP/1.1\r\n").as_deref(), Some("/\u{fffd}\0"));
    }

    #[test]
    fn only_the_health_depends_on_readiness() {
        for (path, ready, status) in [
            ("/healthz", true, "200 OK"),
            ("/healthz", false, "500 Internal Server Error"),
            ("/", false, "200 OK"),
            ("/hook/a", false, "200 OK"),
            ("/healthz/more", false, "200 OK"),
            ("/redirect-local", false, "302 Found"),
            ("/redirect-away", false, "302 Found"),
        ] {
            assert_eq!(reply(path, || ready).status, status, "{path}");
        }
    }
}
