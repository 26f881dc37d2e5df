//! What scenarios say of published objects: a misspelt name would be absent, and what is never or absent would be so.

use super::Wrong;
use crate::scenario::{Fact, Scenario, Step};

/// The kinds of objects that are watched.
const KINDS: [&str; 7] = ["pod", "job", "statefulset", "deployment", "daemonset", "event", "endpointslice"];

/// Fields of a container's status.
const OF_CONTAINERS: [&str; 6] = ["state", "lastState", "ready", "started", "restartCount", "containerID"];

pub(super) fn check<'a>(scenario: &Scenario, of: &str, facts: impl IntoIterator<Item = &'a Fact>) -> Result<(), Wrong> {
    if !KINDS.contains(&of) {
        return Err(Wrong::new(
            format!("of: {of}"),
            format!("`{of}` is no kind that is watched; there are {}", KINDS.join(", ")),
        ));
    }
    let names_container = |fact: &&Fact| {
        let text = fact.to_string();
        let second = text.split([' ', '.']).nth(1);
        of == "pod" && second.is_some_and(|field| OF_CONTAINERS.contains(&field)) && !fact.part().starts_with(char::is_uppercase)
    };
    // Ephemeral containers are named by what a step asks for.
    let may_grow = scenario.steps.iter().any(|step| matches!(step, Step::Ask(ask) if ask.subresource.is_some()));
    let is_known = |name: &str| scenario.workload().pod().containers().any(|container| container.name == name);
    match facts.into_iter().filter(names_container).find(|fact| !may_grow && !is_known(fact.part())) {
        Some(fact) => Err(Wrong::new(format!("{}.", fact.part()), format!("no container is named `{}`", fact.part()))),
        None => Ok(()),
    }
}
