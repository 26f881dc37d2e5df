//! HTTP/1.1 by hand.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::Value;

use super::Sink;

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// One request on a connection of its own. `first`: `POST /path`; `headers`: lines that end in CR LF.
pub(crate) fn request(sink: &Sink, protocol: &str, first: &str, headers: &str, body: &[u8]) -> Answer {
    on(&mut sink.connect(protocol), first, headers, body)
}

/// One request on a connection that may be used again.
pub(crate) fn on(stream: &mut TcpStream, first: &str, headers: &str, body: &[u8]) -> Answer {
    write!(stream, "{first} HTTP/1.1\r\nHost: sink\r\n{headers}Content-Length: {}\r\n\r\n", body.len()).unwrap();
    stream.write_all(body).unwrap();
    answer(stream, first.starts_with("HEAD"))
}

pub(crate) fn answer(stream: &mut TcpStream, without_body: bool) -> Answer {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let mut answer = Answer { status, head, body: Vec::new() };
    let length = answer.header("content-length").map_or(0, |length| length.parse().unwrap());
    answer.body.resize(if without_body { 0 } else { length }, 0);
    stream.read_exact(&mut answer.body).unwrap();
    answer
}
