//! Order: whether some marks of one witness all came before others, and what that witness therefore says.

use crate::{
    case::Case,
    lives::{Mark, Moment},
    trace::{PodId, Witness},
    verdict::Testimony,
};

/// One side of a comparison: a mark, or why the witness has none.
pub(crate) type Side = Result<Mark, String>;

/// How two marks of one witness stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Before,
    After,
    TooClose,
    /// On two nodes, or without stamps.
    Incomparable,
}

/// What the program's `started` marks are worth against each other: Kubernetes orders the calls that start containers, and a
/// process may get its first turn on a processor later than one that was started after it. Upstream's own tests saw starts
/// swapped within milliseconds (kubernetes#128015); here, on two busy cores, the mark came up to 0.4 s after the runtime's
/// start event. Under this distance the reverse order of such marks says nothing.
pub(crate) const START_LAG_MS: i64 = 1_000;

/// The testimony of a witness on "all of `first` came before all of `then`".
///
/// Stamps are intervals, and what they bound makes the two witnesses complement each other:
/// - the runtime's exit stamp is an upper bound of the exit and its stop line a lower bound of TERM, so that "exited before
///   TERM" is proven without a margin, and the opposite only beyond the resolution;
/// - the program's last word comes before its exit and its TERM mark after the signal, so that "TERM before exit" is proven
///   without a margin, while "exited before TERM" is as good as the time between last word and exit is short.
pub(crate) fn all_before(case: &Case<'_>, witness: Witness, first: &[Side], then: &[Side]) -> Testimony {
    let mut closest: Option<(Order, &Mark, &Mark, Option<i64>)> = None;
    let marks = |sides: &[Side]| sides.iter().filter_map(|side| side.as_ref().ok().cloned()).collect::<Vec<_>>();
    let (firsts, thens) = (marks(first), marks(then));
    for a in &firsts {
        for b in &thens {
            let (order, gap) = compare(witness, a, b);
            // One pair in the wrong order decides, then one that can't be told; else the pair with the smallest gap.
            let rank = |order: Order, gap: Option<i64>| (order == Order::Before, order != Order::After, gap);
            if closest.is_none_or(|(order_so_far, _, _, gap_so_far)| rank(order, gap) < rank(order_so_far, gap_so_far)) {
                closest = Some((order, a, b, gap));
            }
        }
    }
    let missing: Vec<&str> = first.iter().chain(then).filter_map(|side| side.as_ref().err().map(String::as_str)).collect();
    match closest {
        Some((Order::After, a, b, gap)) => told(case, witness, Some(false), a, b, gap),
        _ if !missing.is_empty() => cannot_say(witness, missing.join(", ")),
        Some((Order::Before, a, b, gap)) => told(case, witness, Some(true), a, b, gap),
        Some((_, a, b, gap)) => told(case, witness, None, a, b, gap),
        None => cannot_say(witness, "there is nothing to compare".to_owned()),
    }
}

/// The testimony of a witness that can't say, and why.
pub(crate) fn cannot_say(witness: Witness, because: String) -> Testimony {
    Testimony { witness, says: None, because, gap_ms: None, events: vec![] }
}

fn compare(witness: Witness, a: &Mark, b: &Mark) -> (Order, Option<i64>) {
    if a.node != b.node {
        return (Order::Incomparable, None);
    }
    let gap = distance(a, b);
    let order = match (witness, a.line.zip(b.line), a.at.zip(b.at)) {
        (Witness::Program, Some((a, b)), _) if a != b => {
            if a < b {
                Order::Before
            } else {
                Order::After
            }
        }
        (Witness::Runtime | Witness::Kubelet, _, Some((a, b))) => match a.before(&b) {
            Some(true) => Order::Before,
            Some(false) => Order::After,
            None => Order::TooClose,
        },
        _ => Order::Incomparable,
    };
    (order, gap)
}

/// Milliseconds from one to the other, between the instants that people are shown; what decides is the intervals around them.
fn distance(a: &Mark, b: &Mark) -> Option<i64> {
    let span = b.shown()?.duration_since(a.shown()?);
    Some(i64::try_from(span.as_millis()).unwrap_or(i64::MAX))
}

fn told(case: &Case<'_>, witness: Witness, says: Option<bool>, a: &Mark, b: &Mark, gap_ms: Option<i64>) -> Testimony {
    let (early, late) = if says == Some(false) { (b, a) } else { (a, b) };
    let mut early = early.clone();
    // A start takes its time: as the earlier of two it counts from its end, as the later one from its beginning.
    if let (Moment::Started, Some(at)) = (early.moment, early.at) {
        early.said.get_or_insert(at.latest);
    }
    let gap_ms = distance(&early, late).map(|gap| if says == Some(false) { -gap } else { gap }).or(gap_ms);
    let distance = gap_ms.map(i64::abs).map_or_else(String::new, |gap| format!("{gap} ms "));
    let (early_said, late_said) = (name(case, &early), name(case, late));
    let because = match (says, witness) {
        (Some(_), Witness::Program) => {
            let lines =
                early.line.zip(late.line).map_or_else(String::new, |(a, b)| format!(" (lines {a} and {b} of its record)"));
            format!("{early_said}, {distance}before {late_said}{lines}")
        }
        (Some(_), _) => format!("{early_said}, {distance}before {late_said}"),
        (None, _) if a.node != b.node => {
            format!("{early_said} and {late_said} on different nodes, whose clocks are not compared")
        }
        (None, Witness::Kubelet) => format!("too close: {early_said} and {late_said}, by stamps cut to whole seconds"),
        (None, Witness::Runtime) => {
            let resolution = case.trace.resolution_ms();
            format!("too close: {early_said} and {late_said}, with a resolution of {resolution} ms")
        }
        (None, _) => format!("no order between {early_said} and {late_said}"),
    };
    Testimony { witness, says, because, gap_ms, events: vec![early.seq, late.seq] }
}

/// The mark as people are told of it.
pub(crate) fn name(case: &Case<'_>, mark: &Mark) -> String {
    let label: &PodId = &mark.pod;
    Mark { container: case.label(label, &mark.container), ..mark.clone() }.to_string()
}
