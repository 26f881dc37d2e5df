//! Agents that never worked: one whose image can't be had, or that refuses its configuration. What is lost then says nothing
//! about Kubernetes, nor about what the agent would have lost.
//!
//! An agent that worked once, in whichever pod of the scenario, has an image and a configuration that it takes: whatever befalls
//! it later is a result. It worked when its startup probe succeeded; without one, when it ran for [`view::SETTLED`] or ended with 0;
//! and whatever the rest says, when a line came through it.

mod published;
pub(crate) mod rests;
mod view;
mod words;

use crate::{case::Case, scenario::Container};
use view::View;

/// An agent that never worked.
pub(crate) struct Refused<'a> {
    /// Its container.
    pub(crate) container: &'a str,
    /// What became of it, with its own last words.
    pub(crate) told: String,
}

/// The agents of the scenario that never worked, in the order of the pod's containers.
pub(crate) fn agents<'a>(case: &Case<'a>) -> Vec<Refused<'a>> {
    let agents: Vec<&Container> =
        case.scenario().workload().pod().containers().filter(|container| container.agent.is_some()).collect();
    // Of several agents nobody knows which one a line came through.
    if agents.len() == 1 && rests::any_line(case, None) {
        return vec![];
    }
    agents.into_iter().filter_map(|container| refused(case, container)).collect()
}

fn refused<'a>(case: &Case<'a>, container: &'a Container) -> Option<Refused<'a>> {
    let views: Vec<View<'_>> = case.pods.iter().map(|pod| View::of(case, &pod.id, &container.name)).collect();
    if views.iter().any(View::worked) {
        return None;
    }
    let (view, why) = views.iter().rev().find_map(|view| Some((view, view.refusal()?)))?;
    let name = container.agent.as_deref().unwrap_or_default();
    let told = format!("agent {name} (container {}) did not start: {why}", container.name);
    let told = if view.never_ran() { told } else { format!("{told}; {}", words::last(case, view)) };
    Some(Refused { container: &container.name, told })
}
