//! Where ids stand in the texts of files.

use crate::scenario::line_of;

/// The line of a scenario's text in which it claims to cover that behaviour, counted from 1.
pub fn line_of_claim(text: &str, behaviour: &str) -> u64 {
    let claims = text.lines().zip(1..).skip_while(|(line, _)| !line.contains("covers:"));
    let mut claims = claims.filter(|(line, _)| has_word(without_comment(line), behaviour));
    claims.next().map_or_else(|| line_of(text, "covers:"), |(_, number)| number)
}

/// The lines of the catalogue's text on which a behaviour of that id begins, counted from 1.
pub(super) fn lines_of_id(text: &str, id: &str) -> impl Iterator<Item = u64> {
    let begins = move |line: &str| {
        let after = without_comment(line).split("id:").nth(1)?;
        (words(after).next()? == id).then_some(())
    };
    text.lines().zip(1..).filter_map(move |(line, number)| begins(line).map(|()| number))
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default()
}

fn has_word(line: &str, word: &str) -> bool {
    words(line).any(|one| one == word)
}

/// Words as ids are made of: letters, digits, hyphens and dots.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|one: char| !(one.is_alphanumeric() || "-._".contains(one))).filter(|word| word.chars().any(char::is_alphanumeric))
}
