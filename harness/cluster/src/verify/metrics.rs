//! Gate states in a component's metrics.

use std::collections::BTreeMap;

/// Reads `kubernetes_feature_enabled{name="SidecarContainers",stage="BETA"} 1` and its like. A gate that is not listed
/// is unknown to the component: not there yet, or gone since it can't be switched any more.
pub(super) fn gates(text: &str) -> BTreeMap<String, bool> {
    text.lines().filter_map(gate).collect()
}

fn gate(line: &str) -> Option<(String, bool)> {
    let (labels, value) = line.strip_prefix("kubernetes_feature_enabled{")?.split_once('}')?;
    let name = labels.split(',').find_map(|label| label.trim().strip_prefix("name=\""))?;
    let on = match value.split_whitespace().next()? {
        "1" => true,
        "0" => false,
        _ => return None,
    };
    Some((name.trim_end_matches('"').to_owned(), on))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_read_in_any_stage() {
        let text = "# TYPE kubernetes_feature_enabled gauge\n\
            kubernetes_feature_enabled{name=\"SidecarContainers\",stage=\"ALPHA\"} 1\n\
            kubernetes_feature_enabled{name=\"APIListChunking\",stage=\"\"} 1\n\
            kubernetes_feature_enabled{name=\"AnyVolumeDataSource\",stage=\"BETA\"} 0\n\
            other{name=\"SidecarContainers\"} 0\n";
        let expected = [("APIListChunking", true), ("AnyVolumeDataSource", false), ("SidecarContainers", true)];
        assert_eq!(gates(text), expected.map(|(name, on)| (name.to_owned(), on)).into());
    }
}
