//! Placeholders: `{{name}}` without spaces, in lower case, so that agents' own `{{ field }}` is left alone.

use std::collections::BTreeMap;

/// Those that stand for the pod and the sink.
pub(super) const KNOWN: [&str; 4] = ["logs", "files", "sink_host", "sink_port"];

/// The names in a text, in their order.
pub(super) fn names(text: &str) -> Vec<&str> {
    text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}")).map(|(name, _)| name).filter(|name| is_name(name)).collect()
}

pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit())
}

/// The text with what stands for each name; others are left as they are.
pub(super) fn fill(text: &str, known: &BTreeMap<&str, String>) -> String {
    text.split_inclusive('\n').map(|line| fill_line(line, known)).collect()
}

fn fill_line(line: &str, known: &BTreeMap<&str, String>) -> String {
    let (content, end) = line.strip_suffix('\n').map_or((line, ""), |content| (content, "\n"));
    let trimmed = content.trim();
    let alone = trimmed.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}")).and_then(|name| known.get(name));
    if let Some(value) = alone {
        let indent = &content[..content.len() - content.trim_start().len()];
        let lines = value.lines().map(|line| if line.is_empty() { end.to_owned() } else { format!("{indent}{line}{end}") });
        return lines.collect();
    }
    known.iter().fold(content.to_owned(), |line, (name, value)| line.replace(&format!("{{{{{name}}}}}"), value)) + end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> BTreeMap<&'static str, String> {
        BTreeMap::from([("none", String::new()), ("one", "1".to_owned()), ("two", "a: b\n\nc: d\n".to_owned())])
    }

    #[test]
    fn names_are_those_without_spaces() {
        assert_eq!(names("{{one}} {{ field }} {{Two}} {{two_2}} {{{{x}} {{open"), ["one", "two_2", "x"]);
    }

    #[test]
    fn a_line_of_its_own_takes_all_lines_with_the_same_indent() {
        assert_eq!(fill("x:\n  {{two}}\ny\n", &known()), "x:\n  a: b\n\n  c: d\ny\n");
        assert_eq!(fill("x\n  {{none}}\ny", &known()), "x\ny");
        assert_eq!(fill("{{one}}", &known()), "1");
    }

    #[test]
    fn within_a_line_only_the_placeholder_changes() {
        assert_eq!(fill("a {{one}}-{{one}}{{none}} {{ one }} {{other}}\n", &known()), "a 1-1 {{ one }} {{other}}\n");
    }
}
