//! What the types can't say about an agent's file.

use std::collections::BTreeSet;

use super::{Agent, AgentImage, placeholder};
use crate::wrong::Wrong;

/// The first line that has the needle, counted from 1. Comments count: those of a configuration are filled in as well.
pub(super) fn line_of(text: &str, needle: &str) -> u64 {
    text.lines().position(|line| line.contains(needle)).map_or(1, |index| index as u64 + 1)
}

pub(super) fn check(agent: &Agent) -> Result<(), Wrong> {
    image(&agent.image)?;
    names(agent)?;
    texts(agent)?;
    placeholders(agent)?;
    probe(agent)
}

fn image(image: &AgentImage) -> Result<(), Wrong> {
    let is_plain = |name: &str| !name.is_empty() && !name.contains(['/', '\\']) && !name.starts_with('.');
    match image {
        AgentImage::Debian(debian) if debian.packages.is_empty() => Err(Wrong::new("packages", "`debian` without any package")),
        AgentImage::Go(program) if !is_plain(&program.module) => {
            Err(Wrong::new(&program.module, format!("`{}` is no folder beside the agent's file", program.module)))
        }
        AgentImage::Go(program) if !is_plain(&program.binary) => {
            Err(Wrong::new(&program.binary, format!("`{}` is no name of a program", program.binary)))
        }
        AgentImage::Registry(name) | AgentImage::Archive(name) if !is_reference(name) => {
            Err(Wrong::new(name, format!("`{name}` is no image such as docker.io/fluent/fluent-bit:2.1.10")))
        }
        _ => Ok(()),
    }
}

fn is_reference(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('-') && name.chars().all(|c| c.is_ascii_alphanumeric() || "/:@._-".contains(c))
}

fn names(agent: &Agent) -> Result<(), Wrong> {
    // With the agent's own name they become names of Kubernetes objects and volumes, which have up to 63 letters.
    let is_name = |name: &str| {
        let inner = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        inner && !name.is_empty() && !name.starts_with('-') && !name.ends_with('-') && name.len() <= 20
    };
    let configurations = agent.configurations.keys().map(|name| (name, "configuration"));
    let volumes = agent.volumes.iter().map(|volume| (&volume.name, "volume"));
    for (name, what) in configurations.chain(volumes) {
        if !is_name(name) {
            let message = format!("`{name}` is no name of a {what}: up to 20 small letters, digits and `-`");
            return Err(Wrong::new(name, message));
        }
    }
    if agent.configurations.is_empty() {
        return Err(Wrong::new("configurations:", "an agent without any configuration"));
    }
    if agent.reads.is_empty() {
        return Err(Wrong::new("reads:", "an agent that reads neither file nor container_logs"));
    }
    let mut mounted = BTreeSet::new();
    if let Some(volume) = agent.volumes.iter().find(|volume| !mounted.insert(&volume.name)) {
        return Err(Wrong::new(&volume.name, format!("two volumes are named `{}`", volume.name)));
    }
    let files = agent.configurations.values().flat_map(|configuration| configuration.files.iter().map(|file| &file.path));
    let mut paths = files.chain(agent.volumes.iter().map(|volume| &volume.path));
    let relative = paths.find(|path| !path.starts_with('/'));
    relative.map_or(Ok(()), |path| Err(Wrong::new(path, format!("`{path}` is no absolute path"))))
}

/// The texts of all sources have the same names, so that every configuration works for each of them.
fn texts(agent: &Agent) -> Result<(), Wrong> {
    let mut names: Option<BTreeSet<&String>> = None;
    for (source, texts) in &agent.reads {
        let here: BTreeSet<&String> = texts.keys().collect();
        for name in here.iter().copied() {
            if placeholder::KNOWN.contains(&name.as_str()) {
                return Err(Wrong::new(
                    format!("{name}:"),
                    format!("`{name}` has a meaning already: it can't be a text of {source}"),
                ));
            }
            if !placeholder::is_name(name) {
                return Err(Wrong::new(name, format!("`{name}` is no name of a text: small letters, digits and `_`")));
            }
        }
        let all = names.get_or_insert_with(|| here.clone());
        if let Some(missing) = all.symmetric_difference(&here).next() {
            return Err(Wrong::new(
                format!("{missing}:"),
                format!("the text `{missing}` is not there for all that the agent reads"),
            ));
        }
    }
    Ok(())
}

fn placeholders(agent: &Agent) -> Result<(), Wrong> {
    let texts: Vec<&String> = agent.reads.values().flat_map(|texts| texts.keys()).collect();
    let in_texts = agent.reads.values().flat_map(|texts| texts.values());
    check_texts(in_texts, |name| placeholder::KNOWN.contains(&name))?;
    let env = agent.env.values().chain(agent.configurations.values().flat_map(|configuration| configuration.env.values()));
    let files = agent.configurations.values().flat_map(|configuration| configuration.files.iter().map(|file| &file.text));
    check_texts(env.chain(files), |name| placeholder::KNOWN.contains(&name) || texts.iter().any(|text| *text == name))?;
    let commands = agent.command.iter().chain(&agent.args).flat_map(|text| placeholder::names(text));
    commands.into_iter().next().map_or(Ok(()), |name| {
        let message = format!("`{{{{{name}}}}}` can't stand in a command: put it into a variable X of `env`, and write $(X)");
        Err(Wrong::new(format!("{{{{{name}}}}}"), message))
    })
}

fn check_texts<'a>(mut texts: impl Iterator<Item = &'a String>, is_known: impl Fn(&str) -> bool) -> Result<(), Wrong> {
    let unknown = texts.find_map(|text| placeholder::names(text).into_iter().find(|name| !is_known(name)));
    unknown.map_or(Ok(()), |name| {
        let known = placeholder::KNOWN.map(|name| format!("{{{{{name}}}}}")).join(", ");
        let message = format!("unknown placeholder `{{{{{name}}}}}`: there are {known} and the texts of `reads`");
        Err(Wrong::new(format!("{{{{{name}}}}}"), message))
    })
}

/// The API server drops fields that it does not know, and then refuses the pod for another reason.
fn probe(agent: &Agent) -> Result<(), Wrong> {
    const HANDLERS: [&str; 4] = ["exec", "grpc", "httpGet", "tcpSocket"];
    if agent.startup_probe.is_null() {
        return Ok(());
    }
    let handlers = HANDLERS.into_iter().filter(|handler| agent.startup_probe.get(handler).is_some()).count();
    let message = format!("a startup_probe has exactly one of {}", HANDLERS.join(", "));
    if handlers == 1 { Ok(()) } else { Err(Wrong::new("startup_probe:", message)) }
}
