//! What the words and marks in the cells mean.

/// In a few lines, for one run of each case or for several.
pub(super) fn legend(repeated: bool) -> String {
    let rates = if repeated { "3 of 10 lose, 1-310: so many of the decided runs lost so many lines.\n" } else { "" };
    format!(
        "complete: every line arrived, whole. tail: after the last that arrived; gaps: before it. twice, late: no loss.\n\
         {rates}! is not as expected; any other loss is documented or left open. ? is not decided. — is not applicable."
    )
}
