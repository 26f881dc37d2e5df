//! The ledger in words.

use std::fmt;

use super::Ledger;

impl Ledger {
    /// The ledger in words, with those on when the faulty lines were written, such as `all written after TERM to agent`.
    pub fn told(&self, written_when: Option<&str>) -> String {
        let mut faults = Vec::new();
        if self.lost() > 0 {
            faults.push(format!("{} of {} lines lost, {}", self.lost(), self.written, self.place()));
        }
        if let Some((first, _)) = self.truncated.first() {
            let number = self.truncated_lines();
            faults.push(format!("{number} truncated, the first is line {first}"));
        }
        if let (Some(first), Some(when)) = (faults.first_mut(), written_when) {
            first.push_str(", ");
            first.push_str(when);
        }
        let mut told = |number: u64, what: &str| {
            if number > 0 {
                faults.push(format!("{number} {what}"));
            }
        };
        told(self.split, "split into several messages");
        told(self.damaged, "damaged");
        if faults.is_empty() {
            let how = if self.is_clean() { "arrived once, whole and in order" } else { "arrived whole" };
            faults.push(format!("all {} lines {how}", self.written));
        }
        let mut told = |number: u64, what: &str| {
            if number > 0 {
                faults.push(format!("{number} {what}"));
            }
        };
        told(self.duplicated, "duplicated");
        told(self.reordered, "out of order");
        told(self.in_flight, "more may have been written when the producer ended, and did not arrive");
        faults.join("; ")
    }

    /// Where the lost lines are.
    fn place(&self) -> String {
        let (tail, gaps) = (self.lost_tail, self.lost_in_gaps());
        let holes = if self.gaps.len() == 1 { "1 gap".to_owned() } else { format!("{} gaps", self.gaps.len()) };
        match (self.first_lost().unwrap_or(0), tail, gaps) {
            _ if self.arrived == 0 => "nothing arrived".to_owned(),
            (first, _, 0) => format!("all at the tail, from line {first} on"),
            (first, 0, _) => format!("in {holes}, the first line is {first}"),
            (first, ..) => format!("{tail} at the tail and {gaps} in {holes}, the first line is {first}"),
        }
    }
}

impl fmt::Display for Ledger {
    /// Such as `37 of 1000 lines lost, all at the tail, from line 964 on`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told(None))
    }
}
