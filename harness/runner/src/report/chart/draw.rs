//! The chart as SVG.

use maud::{Markup, html};
use sidecheck_core::trace::Witness;

use super::lanes::{Bar, Chart, Lane, Pod, Step, Tick, TickKind};

// All in pixels.
const NAMES: f64 = 150.0;
const WIDTH: f64 = 980.0;
const TOP: f64 = 22.0;
const LANE: f64 = 20.0;
const POD: f64 = 22.0;
const AXIS: f64 = 24.0;
/// Room at the right for the exit code of the last bar.
const MARGIN: f64 = 34.0;

/// Distances between the marks of the axis, in seconds, of which the first one is taken that gives no more than twelve.
const DISTANCES: [f64; 9] = [1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0];

pub(super) fn draw(chart: &Chart) -> Markup {
    let scale = Scale { per_second: (WIDTH - NAMES - MARGIN) / chart.length };
    let mut bottom = TOP;
    let rows = chart.pods.iter().map(|pod| {
        let top = bottom;
        bottom += POD + pod.lanes.len() as f64 * LANE;
        rows(pod, &scale, top, chart.length)
    });
    let rows: Vec<Markup> = rows.collect();
    let height = bottom + AXIS;
    html! {
        svg.chart viewBox={ "0 0 " (WIDTH) " " (height) } width=(WIDTH) height=(height) role="img"
            aria-label="when containers started, were told to stop, and ended" {
            (axis(chart, &scale, bottom))
            @for (index, step) in chart.steps.iter().enumerate() { (line(step, index, &scale, bottom)) }
            @for row in rows { (row) }
        }
    }
}

struct Scale {
    per_second: f64,
}

impl Scale {
    fn x(&self, seconds: f64) -> f64 {
        ((NAMES + seconds * self.per_second) * 10.0).round() / 10.0
    }
}

fn axis(chart: &Chart, scale: &Scale, y: f64) -> Markup {
    let distance = DISTANCES.into_iter().find(|distance| chart.length / distance <= 12.0).unwrap_or(600.0);
    let marks = std::iter::successors(Some(0.0), |mark| Some(mark + distance)).take_while(|mark| *mark <= chart.length);
    html! {
        @for seconds in marks {
            line.grid x1=(scale.x(seconds)) x2=(scale.x(seconds)) y1=(TOP) y2=(y) {}
            text.axis x=(scale.x(seconds)) y=(y + 14.0) { (seconds) " s" }
        }
        text.begin x="0" y=(y + 14.0) { (chart.begin.strftime("%H:%M:%S%.3fZ")) }
    }
}

/// Numbers of steps that begin at almost the same time stand in two heights.
fn line(step: &Step, index: usize, scale: &Scale, y: f64) -> Markup {
    let x = scale.x(step.at);
    html! {
        g.step {
            title { (step.number) ": " (step.what) ", at " (format!("{:.3}", step.at)) " s" }
            line x1=(x) x2=(x) y1=(TOP - 4.0) y2=(y) {}
            text x=(x) y=(if index.is_multiple_of(2) { TOP - 6.0 } else { TOP - 13.0 }) { (step.number) }
        }
    }
}

/// A pod's name, and its lanes below it.
fn rows(pod: &Pod, scale: &Scale, y: f64, length: f64) -> Markup {
    html! {
        text.pod x="0" y=(y + POD - 7.0) { (pod.name) }
        @for (index, lane) in pod.lanes.iter().enumerate() { (row(lane, scale, y + POD + index as f64 * LANE, length)) }
    }
}

fn row(lane: &Lane, scale: &Scale, y: f64, length: f64) -> Markup {
    html! {
        text.container x="12" y=(y + 14.0) { (lane.container) }
        @for bar in &lane.bars { (bar_of(bar, scale, y, length)) }
        @for tick in &lane.ticks { (mark(tick, scale.x(tick.at), y + LANE / 2.0)) }
    }
}

fn bar_of(bar: &Bar, scale: &Scale, y: f64, length: f64) -> Markup {
    let (class, inset) = if bar.witness == Witness::Runtime { ("runtime", 3.0) } else { ("program", 8.0) };
    let (from, to) = (scale.x(bar.from), scale.x(bar.to.unwrap_or(length)));
    let end = bar.to.map_or_else(|| "end not seen".to_owned(), |to| format!("to {to:.3} s"));
    let code = bar.code.map(|code| format!(", exit code {code}")).unwrap_or_default();
    html! {
        rect class={ (class) @if bar.to.is_none() { " unended" } } x=(from) y=(y + inset)
            width=((to - from).max(1.5)) height=(LANE - 2.0 * inset) {
            title { (bar.witness) ": incarnation " (bar.number) ", from " (format!("{:.3}", bar.from)) " " (end) (code) }
        }
        @if let (Witness::Runtime, Some(code)) = (bar.witness, bar.code) {
            text.code x=(to + 3.0) y=(y + 14.0) { (code) }
        }
    }
}

fn mark(tick: &Tick, x: f64, y: f64) -> Markup {
    let (class, what) = match tick.kind {
        TickKind::Term => ("term", "TERM"),
        TickKind::Kill => ("kill", "KILL"),
        TickKind::Passed => ("passed", "a probe succeeds"),
        TickKind::Failed => ("failed", "a probe fails"),
    };
    let title = format!("{what} at {:.3} s", tick.at);
    html! {
        @match tick.kind {
            TickKind::Term => path class=(class) d={ "M" (x - 4.0) " " (y - 8.0) "h8l-4 8z" } { title { (title) } },
            TickKind::Kill => path class=(class) d={ "M" (x - 4.0) " " (y - 4.0) "l8 8m0 -8l-8 8" } { title { (title) } },
            TickKind::Passed | TickKind::Failed => circle class=(class) cx=(x) cy=(y + 6.0) r="1.8" { title { (title) } },
        }
    }
}
