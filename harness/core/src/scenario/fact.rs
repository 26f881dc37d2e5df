//! A fact about a published object, as scenarios state it: `phase is Running`, `s1.state.terminated.exitCode is 137`.

use std::{fmt, str::FromStr};

use regex::Regex;
use serde_json::Value;
use serde_with::{DeserializeFromStr, SerializeDisplay};

/// One field and what it must be.
///
/// The field is named by one of:
/// - `/spec/initContainers/0/restartPolicy`: a JSON pointer into the object;
/// - `s1.state.running`: below the status of that container of a pod;
/// - `Ready.status`: below the condition of that type;
/// - `phase`, or any other path: below `status`, and for objects without one (events) below the object itself.
#[derive(Debug, Clone, SerializeDisplay, DeserializeFromStr)]
pub struct Fact {
    field: String,
    test: Test,
}

#[derive(Debug, Clone)]
enum Test {
    Is(Value),
    IsNot(Value),
    Absent,
    Present,
    AtLeast(f64),
    AtMost(f64),
    Matches(Regex),
}

impl Fact {
    /// Whether it is true of the object.
    pub fn holds(&self, object: &Value) -> bool {
        let found = self.found(object);
        let number = || found.and_then(Value::as_f64);
        match &self.test {
            Test::Is(wanted) => found == Some(wanted),
            Test::IsNot(wanted) => found != Some(wanted),
            Test::Absent => found.is_none(),
            Test::Present => found.is_some(),
            Test::AtLeast(bound) => number().is_some_and(|number| number >= *bound),
            Test::AtMost(bound) => number().is_some_and(|number| number <= *bound),
            Test::Matches(regex) => found.is_some_and(|found| match found {
                Value::String(text) => regex.is_match(text),
                other => regex.is_match(&other.to_string()),
            }),
        }
    }

    /// What the field is in the object, for people.
    pub fn seen(&self, object: &Value) -> String {
        let value = match self.found(object) {
            None => "absent".to_owned(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        format!("{} is {value}", self.field)
    }

    /// The container that it may be about: the part of the field before its first dot.
    pub fn part(&self) -> &str {
        self.field.split('.').next().unwrap_or_default()
    }

    fn found<'a>(&self, object: &'a Value) -> Option<&'a Value> {
        if self.field.starts_with('/') {
            return object.pointer(&self.field).filter(|value| !value.is_null());
        }
        let (first, rest) = self.field.split_once('.').unwrap_or((&self.field, ""));
        let below = |value: &'a Value, path: &str| {
            let mut parts = path.split('.').filter(|part| !part.is_empty());
            let found = parts.try_fold(value, |value, part| match part.parse::<usize>() {
                Ok(index) if value.is_array() => value.get(index),
                _ => value.get(part),
            });
            found.filter(|value| !value.is_null())
        };
        let status = object.get("status");
        if first.starts_with(char::is_uppercase) {
            return below(named(status?.get("conditions")?, "type", first)?, rest);
        }
        let lists = ["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"];
        let mut statuses = lists.iter().filter_map(|list| named(status?.get(list)?, "name", first));
        match (statuses.next(), status) {
            (Some(container), _) => below(container, rest),
            (None, Some(status)) => below(status, &self.field),
            (None, None) => below(object, &self.field),
        }
    }
}

fn named<'a>(list: &'a Value, key: &str, name: &str) -> Option<&'a Value> {
    list.as_array()?.iter().find(|item| item.get(key).and_then(Value::as_str) == Some(name))
}

/// A value as it stands in a scenario: JSON where it is JSON (`true`, `137`, `"True"`), else the text itself.
fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

impl FromStr for Fact {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |why: &str| format!("`{text}` is no fact such as `phase is Running` or `s1.restartCount is at least 2`{why}");
        let (field, verb, rest) = match (text.split_once(" is "), text.split_once(" matches ")) {
            (Some((field, rest)), None) => (field, "is", rest),
            // Whichever comes first is the verb, the other is part of what is looked for.
            (Some((field, rest)), Some((other, _))) if field.len() < other.len() => (field, "is", rest),
            (_, Some((field, rest))) => (field, "matches", rest),
            (None, None) => return Err(wrong("")),
        };
        let number = |text: &str| text.trim().parse().map_err(|_| wrong(": the bound is no number"));
        let wanted = match (verb, rest.trim()) {
            ("matches", pattern) => Test::Matches(Regex::new(pattern).map_err(|error| wrong(&format!(": {error}")))?),
            (_, "absent") => Test::Absent,
            (_, "present") => Test::Present,
            (_, rest) => match (rest.strip_prefix("not "), rest.strip_prefix("at least "), rest.strip_prefix("at most ")) {
                (Some(rest), _, _) => Test::IsNot(value(rest)),
                (_, Some(rest), _) => Test::AtLeast(number(rest)?),
                (_, _, Some(rest)) => Test::AtMost(number(rest)?),
                _ => Test::Is(value(rest)),
            },
        };
        Ok(Self { field: field.trim().to_owned(), test: wanted })
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A text that reads as something else in JSON is quoted, so that it is read again as it was.
        let show = |wanted: &Value| match wanted {
            Value::String(text) if value(text) == *wanted => text.clone(),
            other => other.to_string(),
        };
        match &self.test {
            Test::Is(wanted) => write!(f, "{} is {}", self.field, show(wanted)),
            Test::IsNot(wanted) => write!(f, "{} is not {}", self.field, show(wanted)),
            Test::Absent => write!(f, "{} is absent", self.field),
            Test::Present => write!(f, "{} is present", self.field),
            Test::AtLeast(bound) => write!(f, "{} is at least {bound}", self.field),
            Test::AtMost(bound) => write!(f, "{} is at most {bound}", self.field),
            Test::Matches(regex) => write!(f, "{} matches {regex}", self.field),
        }
    }
}

impl PartialEq for Fact {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for Fact {}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pod() -> Value {
        json!({
            "spec": {"initContainers": [{"name": "s1", "restartPolicy": "Always"}]},
            "status": {
                "phase": "Running",
                "conditions": [{"type": "Ready", "status": "False", "reason": "ContainersNotReady"}],
                "initContainerStatuses": [{"name": "s1", "restartCount": 2, "started": true, "state": {"running": {}}}],
            },
        })
    }

    #[test]
    fn each_form_of_a_field_is_found_and_each_test_can_fail() {
        for (text, expected) in [
            ("phase is Running", true),
            ("phase is Pending", false),
            ("phase is not Pending", true),
            ("s1.restartCount is 2", true),
            ("s1.restartCount is at least 2", true),
            ("s1.restartCount is at least 3", false),
            ("s1.restartCount is at most 1", false),
            ("s1.started is true", true),
            ("s1.state.waiting is absent", true),
            ("s1.state.running is present", true),
            ("s1.state.terminated is present", false),
            ("Ready.status is False", true),
            ("Ready.reason matches ^Containers(Not)?Ready$", true),
            ("Ready.message is absent", true),
            ("/spec/initContainers/0/restartPolicy is Always", true),
            ("/spec/initContainers/1 is absent", true),
        ] {
            let fact: Fact = text.parse().expect("a fact");
            assert_eq!(fact.holds(&pod()), expected, "{text}");
            assert_eq!(fact.to_string(), text);
        }
        let event: Fact = "reason is BackOff".parse().expect("a fact");
        assert!(event.holds(&json!({"kind": "Event", "reason": "BackOff"})));
    }

    #[test]
    fn a_text_that_looks_like_something_else_is_quoted() {
        let fact: Fact = r#"s1.state.terminated.message is "137""#.parse().expect("a fact");
        assert_eq!(fact.to_string(), r#"s1.state.terminated.message is "137""#);
    }

    #[test]
    fn what_is_no_fact_is_refused() {
        for text in ["phase", "phase is at least two", "phase matches ("] {
            assert!(text.parse::<Fact>().is_err(), "{text}");
        }
    }
}
