//! `ask`: what the API server answers.

use serde_json::{Value, json};
use sidecheck_core::{
    trace::{Act, StepOutcome, Witness},
    verdict::Outcome::{self, Held, Inconclusive, Undecidable, Violated},
};

use crate::story::{Story, plain};

fn asking(answer: &str) -> Story {
    Story::new(&format!(
        "
about: Answers.
source: [documentation]
pod: {{mains: [{{name: app}}]}}
steps:
  - create
  - ask: {{promise: it, patch: {{metadata: {{labels: {{a: b}}}}}}, answer: {answer}}}
"
    ))
}

fn refused(answer: &str, code: u16, causes: &[&str], message: &str) -> Story {
    let causes = causes.iter().map(|cause| (*cause).to_owned()).collect();
    let act = Act::Answered { step: 1, code, causes, message: message.to_owned(), object: None };
    let mut story = asking(answer);
    story.extra.push(plain(Witness::Api, 11_000, act));
    story
}

fn accepted(answer: &str, object: Value) -> Story {
    let act = Act::Answered { step: 1, code: 200, causes: vec![], message: String::new(), object: Some(object) };
    let mut story = asking(answer);
    story.extra.push(plain(Witness::Api, 11_000, act));
    story
}

const TWO: &str = "{invalid: ['spec.a: Required value', 'spec.b: Forbidden: may not be set']}";

#[test]
fn causes_are_compared_as_a_set() {
    let (a, b) = ("spec.a: Required value", "spec.b: Forbidden: may not be set");
    for (code, causes, outcome) in [
        (422, vec![a, b], Held),
        (422, vec![b, a], Held),
        (422, vec![a, b, a], Held),
        (422, vec![a], Violated),
        (422, vec![], Violated),
        (422, vec![a, b, "spec.c: Required value"], Violated),
        (422, vec![a, "spec.b: Forbidden: may not be set here"], Violated),
        (400, vec![a, b], Violated),
        (403, vec![a, b], Violated),
    ] {
        let story = refused(TWO, code, &causes, "Pod is invalid");
        assert_eq!(story.outcome(), outcome, "{code} {causes:?}");
        assert!(story.reason().contains(&format!("refused with {code}: Pod is invalid")), "{}", story.reason());
    }
    assert_eq!(accepted(TWO, json!({})).outcome(), Violated, "it was to be refused");
    assert_eq!(accepted(TWO, json!({})).reason(), "accepted");
}

#[test]
fn one_cause_may_be_given_by_its_beginning() {
    let answer = "{invalid_with: 'spec.a: Invalid value: 3'}";
    assert_eq!(refused(answer, 422, &["spec.b: x", "spec.a: Invalid value: 3: too much"], "").outcome(), Held);
    assert_eq!(refused(answer, 422, &["spec.b: spec.a: Invalid value: 3"], "").outcome(), Violated);
    assert_eq!(refused(answer, 400, &["spec.a: Invalid value: 3"], "").outcome(), Violated);
    assert_eq!(accepted(answer, json!({})).outcome(), Violated);
}

#[test]
fn forbidden_is_403_with_that_text() {
    let answer = "{forbidden: violates PodSecurity}";
    assert_eq!(refused(answer, 403, &[], "pods \"pod\" is forbidden: violates PodSecurity \"baseline\"").outcome(), Held);
    assert_eq!(refused(answer, 403, &[], "no rights").outcome(), Violated);
    assert_eq!(refused(answer, 422, &[], "violates PodSecurity").outcome(), Violated);
    assert_eq!(accepted(answer, json!({})).outcome(), Violated);
}

#[test]
fn facts_of_the_returned_object() {
    let answer = "{accepted: [/spec/a is 1, /spec/b is absent]}";
    assert_eq!(accepted(answer, json!({"spec": {"a": 1}})).outcome(), Held);
    let story = accepted(answer, json!({"spec": {"a": 1, "b": 2}}));
    assert_eq!((story.outcome(), story.reason().as_str()), (Violated, "accepted, but /spec/b is 2"));
    assert_eq!(refused(answer, 422, &[], "no").outcome(), Violated);
    assert_eq!(accepted("{accepted: []}", json!({})).outcome(), Held);
}

#[test]
fn a_server_that_had_no_time_gave_no_answer() {
    for code in [408, 409, 429, 500, 503] {
        for answer in [TWO, "{accepted: []}", "{forbidden: x}"] {
            let story = refused(answer, code, &[], "try again");
            assert_eq!(story.outcome(), Undecidable, "{code}");
            assert!(story.reason().contains(&format!("{code}: try again")), "{}", story.reason());
        }
    }
}

#[test]
fn without_an_answer_nothing_is_known() {
    assert_eq!(asking(TWO).outcome(), Undecidable);
    let failed = asking(TWO).step(1, 10_000, 11_000, StepOutcome::Failed { cause: "connection refused".to_owned() });
    assert_eq!(failed.outcome(), Inconclusive);
    let earlier = asking(TWO).step(0, 0, 9_000, StepOutcome::Failed { cause: "no node".to_owned() });
    let earlier = earlier.step(1, 9_000, 9_000, StepOutcome::Skipped);
    assert_eq!(earlier.outcome(), Outcome::Inconclusive);
    // The answer to another step is none.
    let mut other = asking(TWO);
    let act = Act::Answered { step: 0, code: 200, causes: vec![], message: String::new(), object: Some(json!({})) };
    other.extra.push(plain(Witness::Api, 1_000, act));
    assert_eq!(other.outcome(), Undecidable);
}
