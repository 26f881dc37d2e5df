//! What the run was, and what it comes to.

use maud::{Markup, html};
use sidecheck_core::verdict::Exit;

use crate::show::{self, RunSummary};

/// Name, clusters, the sentence at the end of a run, and what is to be said about its verdicts.
pub(super) fn head(summary: &RunSummary) -> Markup {
    let exit = summary.exit();
    let whole = summary.cases.iter().all(|case| case.broken.is_none()) && !summary.interrupted;
    let class = match exit {
        Exit::AsExpected if whole => "good",
        Exit::Unexpected => "bad",
        _ => "open",
    };
    let explained = show::explanations(summary) + &show::flips(summary);
    html! {
        header {
            h1 { "sidecheck " span.run { (summary.run) } }
            p { "sidecheck " (summary.sidecheck) " on " (summary.entries.join(", ")) @if summary.interrupted { ", interrupted" } }
            p class={ "closing " (class) } { (show::closing(summary)) }
            @if !explained.trim().is_empty() {
                details open[class != "good"] {
                    summary { "What is to be said about them" }
                    pre { (explained.trim()) }
                }
            }
        }
    }
}
