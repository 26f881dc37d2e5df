//! `sidecheck list --agents`.

use sidecheck_core::{
    agent::{Agent, LogSource},
    verdict::Exit,
};

use crate::{
    catalog::Catalog,
    show::{grid::plain_table, out},
};

pub(super) fn list_agents(catalog: &Catalog) -> Exit {
    let mut table = plain_table(false);
    table.set_header(["agent", "version", "reads", "speaks", "configurations", "image"]);
    for (name, agent) in &catalog.agents {
        let reads = joined(agent.reads.keys().map(LogSource::to_string));
        let configurations = joined(agent.configurations.keys().cloned());
        let (speaks, image) = (agent.speaks.to_string(), agent.image.to_string());
        table.add_row([name.clone(), agent.version.expected.clone(), reads, speaks, configurations, image]);
    }
    out(table.trim_fmt());
    for (name, agent) in &catalog.agents {
        out(format!("\n{name}\n  {}", agent.about.trim()));
        describe(agent);
    }
    Exit::AsExpected
}

fn describe(agent: &Agent) {
    if !agent.version.asked_by.is_empty() {
        out(format!("  tells its version: {}", agent.version.asked_by.join(" ")));
    }
    let quit = agent.stop.quit.as_ref().map(|quit| format!(", or by GET on port {} {}", quit.port, quit.path));
    out(format!("  is stopped by {}{}", agent.stop.signal, quit.unwrap_or_default()));
    for (name, configuration) in &agent.configurations {
        let (about, within, longest) = (configuration.about.trim(), configuration.stops_within, configuration.lines.longest);
        out(format!("  {name}: {about} Stops within {within}. Lines of up to {longest} bytes."));
        for loss in &configuration.documented_loss {
            out(format!("    loses lines when {}: {} ({})", loss.when.trim(), loss.because.trim(), loss.source));
        }
    }
}

fn joined(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
