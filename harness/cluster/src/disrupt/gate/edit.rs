//! The texts in which gates are set: line by line, so that everything else stays as it is.

const FLAG: &str = "    - --feature-gates=";
const SECTION: &str = "featureGates:";

/// A static pod's manifest with the gate switched, or without it.
///
/// # Errors
/// The manifest does not begin its command as kubeadm's do.
pub(super) fn manifest(text: &str, program: &str, gate: &str, on: Option<bool>) -> Result<String, String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let place = lines.iter().position(|line| line.starts_with(FLAG));
    let mut gates: Vec<String> = place.map(|place| gates_in(&lines[place]).map(str::to_owned).collect()).unwrap_or_default();
    gates.retain(|one| one.split_once('=').is_none_or(|(name, _)| name != gate));
    gates.extend(on.map(|on| format!("{gate}={on}")));
    gates.sort();
    let line = (!gates.is_empty()).then(|| format!("{FLAG}{}", gates.join(",")));
    match (place, line) {
        (Some(place), Some(line)) => lines[place] = line,
        (Some(place), None) => drop(lines.remove(place)),
        (None, Some(line)) => {
            let command = format!("    - {program}");
            let place = lines.iter().position(|line| *line == command);
            lines.insert(place.ok_or_else(|| format!("it has no line `{command}`"))? + 1, line);
        }
        (None, None) => {}
    }
    Ok(joined(&lines))
}

/// What a manifest says about the gate.
pub(super) fn manifest_state(text: &str, gate: &str) -> Option<bool> {
    let line = text.lines().find(|line| line.starts_with(FLAG))?;
    gates_in(line).find_map(|one| one.split_once('=').filter(|(name, _)| *name == gate)?.1.parse().ok())
}

fn gates_in(line: &str) -> impl Iterator<Item = &str> {
    line[FLAG.len()..].split(',').filter(|one| !one.is_empty())
}

/// The kubelet's configuration with the gate switched, or without it.
pub(super) fn configuration(text: &str, gate: &str, on: Option<bool>) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let (place, mut gates) = match section(text) {
        Some((place, gates)) => (place, gates.map(str::to_owned).collect()),
        None => (lines.len(), Vec::new()),
    };
    let end = lines.len().min(place + 1 + gates.len());
    gates.retain(|one: &String| one.trim().split_once(':').is_none_or(|(name, _)| name != gate));
    gates.extend(on.map(|on| format!("  {gate}: {on}")));
    gates.sort();
    if !gates.is_empty() {
        gates.insert(0, SECTION.to_owned());
    }
    lines.splice(place..end, gates);
    joined(&lines)
}

/// What a kubelet's configuration says about the gate.
pub(super) fn configuration_state(text: &str, gate: &str) -> Option<bool> {
    let (_, mut gates) = section(text)?;
    gates.find_map(|one| one.trim().split_once(": ").filter(|(name, _)| *name == gate)?.1.parse().ok())
}

/// The line at which the gates begin, and the lines of each.
fn section(text: &str) -> Option<(usize, impl Iterator<Item = &str>)> {
    let place = text.lines().position(|line| line == SECTION)?;
    Some((place, text.lines().skip(place + 1).take_while(|line| line.starts_with("  "))))
}

fn joined(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "spec:\n  containers:\n  - command:\n    - kube-scheduler\n    - --leader-elect=true\n    image: i\n";
    const CONFIGURATION: &str = "cgroupRoot: /kubelet\nfeatureGates:\n  A: true\n  C: false\nkind: KubeletConfiguration\n";

    #[test]
    fn a_manifest_without_gates_gets_and_loses_them() {
        let on = manifest(MANIFEST, "kube-scheduler", "B", Some(true)).unwrap();
        assert!(on.contains("    - kube-scheduler\n    - --feature-gates=B=true\n    - --leader-elect=true\n"), "{on}");
        assert_eq!((manifest_state(&on, "B"), manifest_state(MANIFEST, "B")), (Some(true), None));
        let two = manifest(&on, "kube-scheduler", "A", Some(false)).unwrap();
        assert!(two.contains("--feature-gates=A=false,B=true\n"), "{two}");
        let off = manifest(&two, "kube-scheduler", "B", Some(false)).unwrap();
        assert!(off.contains("--feature-gates=A=false,B=false\n"), "{off}");
        let one = manifest(&off, "kube-scheduler", "A", None).unwrap();
        assert_eq!(manifest(&one, "kube-scheduler", "B", None).unwrap(), MANIFEST);
    }

    #[test]
    fn another_manifest_is_refused() {
        assert!(manifest(MANIFEST, "kube-apiserver", "B", Some(true)).is_err());
    }

    #[test]
    fn a_configuration_keeps_its_other_gates() {
        let on = configuration(CONFIGURATION, "B", Some(true));
        assert_eq!(on, CONFIGURATION.replace("  C:", "  B: true\n  C:"));
        assert_eq!(configuration(&on, "B", None), CONFIGURATION);
        assert_eq!(configuration_state(&on, "B"), Some(true));
        assert_eq!(configuration_state(&on, "kind"), None);
        let none = configuration(&configuration(CONFIGURATION, "A", None), "C", None);
        assert_eq!(none, "cgroupRoot: /kubelet\nkind: KubeletConfiguration\n");
        assert_eq!(configuration(&none, "A", Some(true)), none.clone() + "featureGates:\n  A: true\n");
        assert_eq!(configuration(&none, "A", None), none);
    }
}
