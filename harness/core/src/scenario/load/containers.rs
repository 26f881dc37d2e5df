//! The containers of a scenario.

use std::collections::BTreeSet;

use super::{Wrong, lines};
use crate::{
    scenario::{Container, Scenario},
    unseen::UNSEEN,
};

pub(super) fn check(scenario: &Scenario) -> Result<(), Wrong> {
    let pod = scenario.workload().pod();
    let mut names = BTreeSet::new();
    for container in pod.containers() {
        let name = &container.name;
        if !names.insert(name.as_str()) {
            return Err(Wrong::new(name, format!("two containers are named `{name}`")));
        }
        if let Some(agent) = &container.agent
            && behaves(container)
        {
            let message = format!("container `{name}` is the agent {agent}: it can't have a witness's behaviour too");
            return Err(Wrong::new(name, message));
        }
        if container.exits.as_ref().is_some_and(|exits| i32::from(exits.code) == UNSEEN)
            || i32::from(container.stop_code) == UNSEEN
        {
            return Err(Wrong::new(
                name,
                format!("`{name}` exits with {UNSEEN}, which says that a witness could not write its record"),
            ));
        }
        lines::check(container)?;
        if container.exits.is_none() && container.ready_until.is_some() && container.ready_when_told {
            return Err(Wrong::new(name, format!("`{name}` has both `ready_until` and `ready_when_told`")));
        }
    }
    let awaited = pod.containers().filter_map(|container| container.exits.as_ref()?.once_started.as_ref());
    if let Some(unknown) = awaited.into_iter().find(|name| !names.contains(name.as_str())) {
        return Err(Wrong::new(unknown, format!("no container is named `{unknown}`")));
    }
    if let Some(main) = pod.mains.iter().find(|main| main.sidecar) {
        return Err(Wrong::new(&main.name, format!("`{}` is a main: only an init container can be a sidecar", main.name)));
    }
    Ok(())
}

/// Whether it has anything that only the witness program does.
fn behaves(container: &Container) -> bool {
    let plain = Container {
        sidecar: container.sidecar,
        agent: container.agent.clone(),
        spec: container.spec.clone(),
        ..Container::named(&container.name)
    };
    *container != plain
}
