//! Where an HTTP call goes, and the call itself: one GET, of which only the status counts.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::str::FromStr;
use std::time::Duration;

use crate::deadline::Deadline;

/// The longest time of a call, whatever the other side does.
const LIMIT: Duration = Duration::from_secs(2);
/// More than any status line's part that counts.
const STATUS: usize = 32;

/// An address and a path on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    address: SocketAddr,
    /// Begins with a slash.
    path: String,
}

impl Target {
    /// None when one of them is wrong. No names other than `localhost`: the C library would look them up by means that a static
    /// program lacks, and for longer than a call may take.
    pub(crate) fn new(host: &str, port: &str, path: &str) -> Option<Self> {
        let ip = if host == "localhost" { IpAddr::from(Ipv4Addr::LOCALHOST) } else { host.parse().ok()? };
        let port = port.parse().ok().filter(|port| *port != 0)?;
        let path = format!("/{}", path.strip_prefix('/').unwrap_or(path));
        // Anything else would end the path on the wire.
        path.bytes().all(|byte| byte.is_ascii_graphic()).then_some(Target { address: SocketAddr::new(ip, port), path })
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Calls; the status of the answer.
    pub(crate) fn get(&self) -> io::Result<u16> {
        let deadline = Deadline::after(LIMIT);
        let mut stream = TcpStream::connect_timeout(&self.address, deadline.left()?)?;
        let request = format!("GET {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.path, self.address);
        deadline.write(&mut stream, request.as_bytes())?;
        let mut answer = Vec::new();
        while answer.len() < STATUS && !answer.contains(&b'\n') {
            let mut part = [0; STATUS];
            let taken = deadline.read(&mut stream, &mut part)?;
            if taken == 0 {
                break;
            }
            answer.extend_from_slice(&part[..taken]);
        }
        status(&answer).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the answer is not HTTP"))
    }
}

impl FromStr for Target {
    type Err = ();

    /// `HOST:PORT/PATH`, where an IPv6 address is in brackets.
    fn from_str(text: &str) -> Result<Self, ()> {
        let (place, path) = text.find('/').map(|at| text.split_at(at)).ok_or(())?;
        let (host, port) = place.rsplit_once(':').ok_or(())?;
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        Target::new(bare.unwrap_or(host), port, path).ok_or(())
    }
}

/// The number in `HTTP/1.1 200 OK`.
fn status(answer: &[u8]) -> Option<u16> {
    let text = String::from_utf8_lossy(answer);
    let mut words = text.strip_prefix("HTTP/1.")?.split_ascii_whitespace();
    words.nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_of_a_target() {
        let target = |address: &str, path: &str| Some(Target { address: address.parse().expect(address), path: path.to_owned() });
        for (text, expected) in [
            ("10.0.0.1:80/", target("10.0.0.1:80", "/")),
            ("localhost:8080/hook/a?b=c", target("127.0.0.1:8080", "/hook/a?b=c")),
            ("[fd00::1]:80//x", target("[fd00::1]:80", "//x")),
            ("10.0.0.1:80", None),
            ("10.0.0.1:0/", None),
            ("10.0.0.1:/", None),
            (":80/", None),
            ("service:80/", None),
            ("10.0.0.1:80/a b", None),
            ("10.0.0.1:80/a\r\nb", None),
        ] {
            assert_eq!(text.parse().ok(), expected, "{text}");
        }
    }

    #[test]
    fn the_status_of_an_answer() {
        for (answer, expected) in [
            ("HTTP/1.1 200 OK\r\n", Some(200)),
            ("HTTP/1.0 503 Service Unavail", Some(503)),
            ("HTTP/1.1 204\r\n", Some(204)),
            ("HTTP/1.1 ", None),
            ("SSH-2.0-OpenSSH 200", None),
            ("", None),
        ] {
            assert_eq!(status(answer.as_bytes()), expected, "{answer}");
        }
    }
}
