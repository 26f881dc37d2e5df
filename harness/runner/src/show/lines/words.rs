//! What stands in a cell.

use super::{LineCell, LineFaults, LineState, Spread};

/// The words, such as `! 17 of 2000 lost (tail)`, or of several runs `3 of 10 lose, 1-310 (tail)`.
pub(super) fn words(cell: &LineCell) -> String {
    let mut parts = match cell.state {
        LineState::NotApplicable => return "—".to_owned(),
        LineState::Undecided => return "?".to_owned(),
        LineState::Complete if cell.repeat == 1 => vec!["complete".to_owned()],
        LineState::Complete => vec![format!("complete ({}x)", cell.runs)],
        LineState::Loses if cell.repeat == 1 => faults(&cell.lines, false),
        LineState::Loses => {
            let verb = if cell.lines.lost.is_any() || cell.lines.truncated.is_any() { "lose" } else { "fail" };
            [format!("{} of {} {verb}", cell.losing, cell.runs)].into_iter().chain(faults(&cell.lines, true)).collect()
        }
    };
    parts.extend(counted(cell.lines.duplicated, "twice"));
    parts.extend(counted(cell.lines.reordered, "late"));
    parts.extend((cell.undecided > 0).then(|| format!("{} ?", cell.undecided)));
    let mark = if cell.unexpected { "! " } else { "" };
    format!("{mark}{}", parts.join(", "))
}

/// The faults that there were; how many were written stands there for a single run only.
fn faults(lines: &LineFaults, several_runs: bool) -> Vec<String> {
    let lost = lines.lost.is_any().then(|| {
        let all = if lines.all_lost { "all " } else { "" };
        let number = match (several_runs, lines.all_lost) {
            (true, _) => lines.lost.to_string(),
            (false, true) => format!("{} lost", lines.lost),
            (false, false) => format!("{} of {} lost", lines.lost, lines.written),
        };
        let place = if lines.all_lost { String::new() } else { format!(" ({})", place(lines)) };
        format!("{all}{number}{place}")
    });
    let others = [(lines.truncated, "truncated"), (lines.split, "split"), (lines.damaged, "damaged")];
    lost.into_iter().chain(others.into_iter().filter_map(|(number, what)| counted(number, what))).collect()
}

/// Where the lost lines were.
fn place(lines: &LineFaults) -> &'static str {
    match (lines.lost_tail.is_any(), lines.lost_in_gaps.is_any()) {
        (true, true) => "tail, gaps",
        (true, false) => "tail",
        _ => "gaps",
    }
}

fn counted(number: Spread, what: &str) -> Option<String> {
    number.is_any().then(|| format!("{number} {what}"))
}
