use super::*;

/// Decodes `input` as it arrives in pieces of `piece` bytes, to the end of the connection.
fn frames(input: &[u8], piece: usize) -> Vec<(String, bool)> {
    let mut framing = Framing::default();
    let mut buffer = BytesMut::new();
    let mut frames = Vec::new();
    let text = |frame: Frame| (String::from_utf8_lossy(&frame.bytes).into_owned(), frame.cut);
    for piece in input.chunks(piece) {
        buffer.extend_from_slice(piece);
        while let Some(frame) = framing.next(&mut buffer) {
            frames.push(text(frame));
        }
    }
    while let Some(frame) = framing.rest(&mut buffer) {
        frames.push(text(frame));
    }
    frames
}

fn all_pieces(input: &[u8], expected: &[(&str, bool)]) {
    for piece in 1..=input.len() {
        let got = frames(input, piece);
        let got: Vec<_> = got.iter().map(|(text, cut)| (text.as_str(), *cut)).collect();
        assert_eq!(got, expected, "in pieces of {piece}");
    }
}

#[test]
fn counted_messages_may_hold_line_feeds() {
    all_pieces(b"5 <1>ab4 c\nde10 0123456789", &[("<1>ab", false), ("c\nde", false), ("0123456789", false)]);
}

#[test]
fn lines_may_hold_numbers() {
    all_pieces(b"<1>a\n12 b\n\nc\n", &[("<1>a", false), ("12 b", false), ("", false), ("c", false)]);
}

#[test]
fn a_message_without_its_end_is_cut() {
    all_pieces(b"<1>a\nhalf", &[("<1>a", false), ("half", true)]);
    all_pieces(b"2 ab9 half", &[("ab", false), ("half", true)]);
}

#[test]
fn a_wrong_count_ends_the_trust_in_counts() {
    all_pieces(b"2 abgarbage\n3 abc\n", &[("ab", false), ("garbage", false), ("3 abc", false)]);
    all_pieces(b"99999999999999 a\nb\n", &[("99999999999999 a", false), ("b", false)]);
    all_pieces(b"2024-05-01 a\nb\n", &[("2024-05-01 a", false), ("b", false)]);
}

#[test]
fn what_is_too_long_is_cut_and_the_next_message_is_whole() {
    let long = "x".repeat(MESSAGE_LIMIT + 5);
    let kept = ("x".repeat(MESSAGE_LIMIT), true);
    let next = ("next".to_owned(), false);
    for piece in [1000, MESSAGE_LIMIT, 3 * MESSAGE_LIMIT] {
        assert_eq!(frames(format!("{long}\nnext\n").as_bytes(), piece), [kept.clone(), next.clone()]);
        let counted = format!("{} {long}4 next", long.len());
        assert_eq!(frames(counted.as_bytes(), piece), [kept.clone(), next.clone()]);
    }
}
