//! Who sends.

use std::io::{BufWriter, Read as _, Write as _};
use std::net::TcpStream;

use super::{LINES, line};

/// Lines of a chunk, which is acknowledged before the next one is sent.
const CHUNK: usize = 500;

pub(super) fn syslog(stream: TcpStream, connection: usize) {
    let mut out = BufWriter::with_capacity(64 << 10, stream);
    for number in 0..LINES {
        let line = line(connection, number);
        writeln!(out, "<13>1 2024-05-01T10:00:00.5Z - app - - - {line}").unwrap();
    }
    out.flush().unwrap();
}

pub(super) fn forward(mut stream: TcpStream, connection: usize) {
    for (chunk, first) in (0..LINES).step_by(CHUNK).enumerate() {
        let mut entries = Vec::new();
        for number in first..(first + CHUNK).min(LINES) {
            let line = line(connection, number);
            // `[EventTime, {"log": line}]`
            entries.extend_from_slice(b"\x92\xd7\x00\x65\x00\x00\x00\x00\x00\x00\x01\x81\xa3log\xd9");
            entries.push(line.len() as u8);
            entries.extend_from_slice(line.as_bytes());
        }
        let id = format!("{connection:03}-{chunk:06}");
        let mut message = b"\x93\xa3app\xc6".to_vec();
        message.extend((entries.len() as u32).to_be_bytes());
        message.extend(entries);
        message.extend(b"\x81\xa5chunk\xaa");
        message.extend(id.as_bytes());
        stream.write_all(&message).unwrap();
        let mut answer = [0; 16];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(answer[..], [b"\x81\xa3ack\xaa", id.as_bytes()].concat());
    }
}
