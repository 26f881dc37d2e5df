//! Lines that lost their end, came in pieces, or were changed.

use proptest::{prelude::*, sample::Index};
use sidecheck_core::{
    evidence::{
        Piece,
        line::{compose, pieces},
    },
    ledger::Arrivals,
    trace::{Delivered, Tag},
};

fn tag() -> Tag {
    Tag::of("r1", "u", "app", 0)
}

fn line(seq: u64, size: usize, valid: bool) -> String {
    let mut line = Vec::new();
    compose(&mut line, tag(), seq, size, valid);
    String::from_utf8_lossy(&line).into_owned()
}

fn delivered(messages: &[String]) -> Delivered {
    let mut arrivals = Arrivals::default();
    messages.iter().flat_map(|message| pieces(message)).for_each(|piece| arrivals.add(&piece));
    arrivals.delivered(tag())
}

/// Cuts a text at some characters.
fn cut(text: &str, places: &[Index]) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut ends: Vec<usize> = places.iter().map(|place| place.index(chars.len())).collect();
    ends.push(chars.len());
    ends.sort_unstable();
    let begins = [0].into_iter().chain(ends.clone());
    begins.zip(&ends).map(|(begin, end)| chars[begin..*end].iter().collect()).collect()
}

fn wrapped(text: &str, how: u8) -> String {
    match how {
        0 => text.to_owned(),
        1 => format!("2026-11-30T20:10:05.217449261Z stdout P {text}"),
        2 => format!("{text}\n"),
        _ => serde_json::json!({"log": text, "stream": "stdout", "offset": 12}).to_string(),
    }
}

fn sum(duplicated: u64, split: u64, damaged: u64, truncated: &[(u64, u64)], seq: u64) -> Delivered {
    let truncated = truncated.to_vec();
    Delivered { producer: Some(tag()), runs: vec![(seq, seq)], duplicated, split, damaged, truncated, reordered: 0 }
}

proptest! {
    #[test]
    fn a_whole_line_is_whole(seq in 1_u64..1 << 35, size in 59_usize..5000, valid: bool, how in 0_u8..4) {
        let text = wrapped(&line(seq, size, valid), how);
        let found: Vec<Piece> = pieces(&text).collect();
        prop_assert_eq!(found.len(), 1);
        prop_assert!(found[0].is_whole() && found[0].seq == seq, "{:?}", found);
    }

    /// Whatever the order in which its pieces come, and whatever is put around them.
    #[test]
    fn a_line_in_pieces_is_put_together(
        seq in 1_u64..1 << 35, size in 2000_usize..6000, valid: bool, how in 0_u8..4,
        places in proptest::collection::vec(any::<Index>(), 1..4), backwards: bool,
    ) {
        let mut parts = cut(&line(seq, size, valid), &places);
        // Less than three cells may not say where they come from.
        prop_assume!(parts.iter().all(|part| part.chars().count() >= 60));
        if backwards {
            parts.reverse();
        }
        let parts: Vec<String> = parts.iter().map(|part| wrapped(part, how)).collect();
        prop_assert_eq!(delivered(&parts), sum(0, 1, 0, &[], seq));
    }

    /// One that lacks a piece at the beginning, in the middle or at the end.
    #[test]
    fn a_line_that_lacks_a_piece_is_truncated(
        seq in 1_u64..1 << 35, size in 2000_usize..6000, valid: bool, how in 0_u8..4,
        places in proptest::collection::vec(any::<Index>(), 1..4), lacks: Index,
    ) {
        let mut parts = cut(&line(seq, size, valid), &places);
        prop_assume!(parts.iter().all(|part| part.chars().count() >= 60));
        parts.remove(lacks.index(parts.len()));
        let parts: Vec<String> = parts.iter().map(|part| wrapped(part, how)).collect();
        prop_assert_eq!(delivered(&parts), sum(0, 0, 0, &[(seq, seq)], seq));
    }

    /// A changed byte behind the first cell and before the last ones is told as damage, one anywhere else as some fault.
    #[test]
    fn a_changed_line_is_not_whole(seq in 1_u64..1 << 35, size in 150_usize..3000, place: Index, how in 0_u8..4, into: char) {
        let text = line(seq, size, true);
        let at = place.index(text.len());
        let into = if into.is_ascii_alphanumeric() || into == '.' || into == '|' { '#' } else { into };
        prop_assume!(text.as_bytes()[at] != into as u8);
        let changed = format!("{}{into}{}", &text[..at], &text[at + 1..]);
        let found = delivered(&[wrapped(&changed, how)]);
        if (100..text.len() - 50).contains(&at) {
            prop_assert_eq!(found, sum(0, 0, 1, &[], seq));
        } else {
            prop_assert!(found.runs.is_empty() || found.damaged == 1 || !found.truncated.is_empty(), "{:?}", found);
        }
    }

    /// Whatever comes, nothing breaks, and lines that are whole in it are found.
    #[test]
    fn garbage_hides_no_line(before in ".{0,80}", after in ".{0,80}", seq in 1_u64..(1 << 35) - 1) {
        let text = format!("{before}{}{after}{}", line(seq, 119, true), line(seq + 1, 119, false));
        let found: Vec<u64> = pieces(&text).filter(Piece::is_whole).map(|piece| piece.seq).collect();
        prop_assert_eq!(found, [seq, seq + 1]);
    }

    #[test]
    fn anything_may_be_read(text in "(sc2 |[|]|[0-9a-z]{6}|-|[.]| |[0-9]{1,4}|\u{fffd}){0,60}") {
        prop_assert!(pieces(&text).all(|piece| piece.from <= piece.to));
    }
}

#[test]
fn a_writer_that_was_killed_inside_a_line_hides_nothing_of_the_next() {
    let glued = format!("{}{}", &line(7, 119, true)[..70], line(1, 119, true));
    let found: Vec<_> = pieces(&glued).map(|piece| (piece.seq, piece.is_whole(), piece.damaged)).collect();
    assert_eq!(found, [(7, false, false), (1, true, false)]);
}

#[test]
fn a_line_of_a_mebibyte_comes_in_pieces() {
    let text = line(3, (1 << 20) - 1, true);
    let parts: Vec<String> =
        text.as_bytes().chunks(16 << 10).map(|part| String::from_utf8(part.to_vec()).expect("must be ASCII")).collect();
    assert_eq!(parts.len(), 64);
    assert_eq!(delivered(&parts), sum(0, 1, 0, &[], 3));
    assert_eq!(delivered(&[parts.clone(), parts].concat()), sum(1, 1, 0, &[], 3), "and all of it again");
    assert_eq!(delivered(std::slice::from_ref(&text)), sum(0, 0, 0, &[], 3));
}

#[test]
fn an_agent_that_truncates_every_line_is_told_for_each() {
    let messages: Vec<String> = (1..=5000).map(|seq| line(seq, 200, true)[..150].to_owned()).collect();
    let found = delivered(&messages);
    assert_eq!((found.runs, found.truncated), (vec![(1, 5000)], vec![(1, 5000)]));
}

#[test]
fn only_lines_that_are_no_text_may_lack_characters() {
    let text = line(1, 300, true);
    let places: Vec<usize> = text.match_indices('|').map(|(at, _)| at).collect();
    for at in &places[1..places.len() - 1] {
        let changed = format!("{}\u{fffd}{}", &text[..*at], &text[at + 1..]);
        assert_eq!(delivered(&[changed]), sum(0, 0, 1, &[], 1), "at {at}");
    }
}
