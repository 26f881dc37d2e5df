//! Ports and connections: what is the same for all protocols.

mod connection;
mod guess;
mod incoming;
mod meter;
mod port;
mod room;
mod stream;

pub(crate) use self::connection::{Connection, LAST};
pub(crate) use self::guess::{Speaks, guess};
pub(crate) use self::incoming::{Incoming, More};
pub(crate) use self::meter::Meter;
pub(crate) use self::port::Port;
pub(crate) use self::room::{Full, Room, Share};
pub(crate) use self::stream::Stream;
