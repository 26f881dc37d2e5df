//! Lines that a third implementation of the format wrote, as the witness program does.

use std::fs;

use sidecheck_core::{
    evidence::line::{compose, pieces},
    trace::Tag,
};

fn tag() -> Tag {
    Tag::of("20261130-193000-4f2a", "4f3c7a52-6d0b-4f6e-a7c4-0f7f0e5f3f0a", "app", 2)
}

fn sample(name: &str) -> Vec<u8> {
    fs::read(format!("{}/tests/samples/lines/{name}", env!("CARGO_MANIFEST_DIR"))).expect("the sample must be there")
}

/// The numbers of all lines in a text, which must be whole.
#[track_caller]
fn whole(text: &str) -> Vec<u64> {
    let found: Vec<_> = pieces(text).collect();
    assert!(found.iter().all(|piece| piece.is_whole() && piece.tag == tag()), "{found:?}");
    found.iter().map(|piece| piece.seq).collect()
}

#[test]
fn samples_are_read_line_by_line_and_joined() {
    for (name, seqs) in [
        ("sizes.txt", (1..=8).collect()),
        ("numbers.txt", vec![34_359_738_367, 123_456_789]),
        ("invalid-utf8.txt", (1..=3).collect()),
        ("stack-traces.txt", (1..=6).collect()),
    ] {
        let bytes = sample(name);
        // As the sink makes texts of what it receives.
        let text = String::from_utf8_lossy(&bytes);
        assert_eq!(text.lines().flat_map(whole).collect::<Vec<_>>(), seqs, "{name}");
        assert_eq!(whole(&text), seqs, "{name}, as one message");
        let escaped = serde_json::json!({"log": text, "stream": "stdout"}).to_string();
        assert_eq!(whole(&escaped), seqs, "{name}, in JSON");
        assert_eq!(whole(&escaped.replace('\u{fffd}', "\\ufffd")), seqs, "{name}, in JSON of ASCII");
        for line in text.lines() {
            assert_eq!(whole(&format!("2026-11-30T20:10:05.217449261Z stdout F {line}")).len(), 1);
        }
    }
}

#[test]
fn core_composes_the_same() {
    let mut text = Vec::new();
    for (seq, size) in (1..).zip([60, 120, 240, 480, 960, 1000, 60, 120]) {
        compose(&mut text, tag(), seq, size - 1, true);
        text.push(b'\n');
    }
    assert_eq!(text, sample("sizes.txt"));
    text.clear();
    for seq in 1..=3 {
        compose(&mut text, tag(), seq, 119, false);
        text.push(b'\n');
    }
    assert_eq!(text, sample("invalid-utf8.txt"));
}

#[test]
fn a_tag_is_a_text_of_six_digits() {
    assert_eq!(tag().to_string(), "zyh7b6");
    assert_eq!("zyh7b6".parse(), Ok(tag()));
    for wrong in ["", "zyh7b", "zyh7b6 ", "zyh7bi", "ZYH7B6"] {
        assert!(wrong.parse::<Tag>().is_err(), "{wrong}");
    }
    assert_ne!(Tag::of("r", "u", "app", 0), Tag::of("r", "u", "app", 1));
}
