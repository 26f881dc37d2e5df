//! What a sender speaks, by its first bytes: to say it in a report, not to act on it.

use std::fmt;

/// Enough bytes to tell.
pub(crate) const TELLING: usize = 24;

/// What it looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaks {
    Tls,
    Http,
    Http2,
    Forward,
    Syslog,
}

/// The protocol that begins like this, of those that are met.
pub(crate) fn guess(first: &[u8]) -> Option<Speaks> {
    const METHODS: [&[u8]; 7] = [b"GET /", b"POST /", b"PUT /", b"HEAD /", b"DELETE /", b"OPTIONS ", b"CONNECT "];
    match first {
        // A handshake record, whose version is 3.x in all of SSL 3 to TLS 1.3.
        [0x16, 0x03, ..] => Some(Speaks::Tls),
        // An array of two to four that begins with a text, as each message of forward does.
        [0x92..=0x94, 0xa0..=0xbf | 0xd9, ..] => Some(Speaks::Forward),
        [b'<', b'0'..=b'9', ..] => Some(Speaks::Syslog),
        _ if first.starts_with(b"PRI * HTTP/2") => Some(Speaks::Http2),
        _ if METHODS.iter().any(|method| first.starts_with(method)) => Some(Speaks::Http),
        _ => counted(first),
    }
}

/// Syslog that counts, such as `42 <13>1 `.
fn counted(first: &[u8]) -> Option<Speaks> {
    let digits = first.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (digits > 0 && first[digits..].starts_with(b" <")).then_some(Speaks::Syslog)
}

impl fmt::Display for Speaks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Speaks::Tls => "TLS",
            Speaks::Http => "HTTP",
            Speaks::Http2 => "HTTP/2",
            Speaks::Forward => "Fluentd's forward protocol",
            Speaks::Syslog => "syslog",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_known_by_its_beginning() {
        assert_eq!(guess(b"\x16\x03\x01\x02\x00\x01"), Some(Speaks::Tls));
        assert_eq!(guess(b"POST /_bulk HTTP/1.1"), Some(Speaks::Http));
        assert_eq!(guess(b"PRI * HTTP/2.0\r\n\r\nSM"), Some(Speaks::Http2));
        assert_eq!(guess(b"\x93\xa3app\xdd\x00\x00"), Some(Speaks::Forward));
        assert_eq!(guess(b"<13>1 - h a"), Some(Speaks::Syslog));
        assert_eq!(guess(b"42 <13>1 - h a"), Some(Speaks::Syslog));
        assert_eq!(guess(b"GETTING started"), None);
        assert_eq!(guess(b"42 is the answer"), None);
        assert_eq!(guess(b""), None);
    }
}
