//! The behaviour of a witness container, as arguments of its program.

use sidecheck_core::scenario::{Container, Ending, Rotate, RotateBy, Writes};

use super::container::{LOGS, Role, WITNESS};

/// The command line of the container's process.
pub(super) fn command(container: &Container, role: Role) -> Vec<String> {
    let mut command = vec![WITNESS.to_owned(), "run".to_owned(), "--name".to_owned(), container.name.clone()];
    let mut option = |name: &str, value: String| command.extend([name.to_owned(), value]);
    if let Some(ready_after) = ready_after(container) {
        option("--ready-after", ready_after.to_string());
    }
    if let Some(until) = container.ready_until {
        option("--ready-until", until.millis().to_string());
    }
    if container.ready_when_told {
        option("--ready-told", "1".to_owned());
    }
    if container.stop_takes.millis() > 0 {
        option("--stop-takes", container.stop_takes.millis().to_string());
    }
    if container.stop_code > 0 {
        option("--stop-code", container.stop_code.to_string());
    }
    if container.stops_unready {
        option("--stops-unready", "1".to_owned());
    }
    if let Some(port) = container.serves_http {
        option("--serves-http", port.to_string());
    }
    if let Some(target) = &container.calls {
        option("--calls", target.clone());
        option("--calls-every", "500".to_owned());
    }
    if let Some(writes) = &container.writes {
        lines(&container.name, writes, &mut option);
    }
    if let Some(exits) = &container.exits {
        ending(exits, &mut option);
    } else if role == Role::Init && !container.sidecar {
        option("--exits-after", "0".to_owned());
    }
    command
}

fn ending(exits: &Ending, option: &mut impl FnMut(&str, String)) {
    option("--exits-after", exits.after.millis().to_string());
    option("--exit-code", exits.code.to_string());
    if let Some(other) = &exits.once_started {
        option("--exits-once", other.clone());
    }
    if exits.once_told {
        option("--exits-told", "1".to_owned());
    }
    if exits.ends_others {
        option("--ends-others", "1".to_owned());
    }
    if let Some(first) = exits.first_incarnations {
        option("--exits-first", first.to_string());
    }
}

fn lines(container: &str, writes: &Writes, option: &mut impl FnMut(&str, String)) {
    option("--write-lines", writes.lines.to_string());
    if writes.to.has_file() {
        option("--write-to", format!("{LOGS}/{container}.log"));
    }
    if let Some(size) = writes.size {
        option("--write-size", size.to_string());
    }
    if let Some(lines) = writes.stack_traces {
        option("--write-stack-traces", lines.to_string());
    }
    let numbers = [("every", writes.every.millis()), ("at-term", writes.burst_at_term), ("at-exit", writes.at_exit)];
    let switches = [
        ("stdout", writes.to.has_stdout()),
        ("until-kill", writes.until_kill),
        ("unfinished", writes.without_final_newline),
        ("invalid-utf8", writes.invalid_utf8),
    ];
    for (name, value) in numbers.into_iter().chain(switches.map(|(name, on)| (name, u64::from(on)))) {
        if value > 0 {
            option(&format!("--write-{name}"), value.to_string());
        }
    }
    if let Some(Rotate { by, every, keep }) = writes.rotate {
        let by = if by == RotateBy::Rename { "rename" } else { "truncate" };
        option("--write-rotate", by.to_owned());
        option("--write-rotate-every", every.to_string());
        option("--write-rotate-keep", keep.to_string());
    }
}

/// The container's one age of readiness: the largest of its probes' ages.
fn ready_after(container: &Container) -> Option<u64> {
    let probes = [container.startup_probe, container.readiness_probe, container.liveness_probe];
    probes.into_iter().flatten().map(|probe| probe.succeeds_after.millis()).max()
}
