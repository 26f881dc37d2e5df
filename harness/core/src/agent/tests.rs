#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps")]

use super::*;

/// The least that an agent is.
const AGENT: &str = "\
about: A vendor's agent.
image: {registry: registry.example/agent:1}
version: {expected: '1'}
speaks: http_json
reads:
  file: {paths: '[\"{{files}}\"]'}
configurations:
  only:
    about: The only one.
    files:
      - path: /etc/agent.yaml
        text: |
          inputs:
            {{paths}}
          url: http://{{sink_host}}:{{sink_port}}/{{ host }}
    stops_within: 5s
";

fn refused(text: &str) -> String {
    Agent::parse("suites/agents/x.yaml", text).unwrap_err().to_string()
}

fn changed(from: &str, to: &str) -> String {
    assert!(AGENT.contains(from), "{from}");
    AGENT.replace(from, to)
}

#[test]
fn an_agent_of_one_file_is_read_and_filled_in() {
    let agent = Agent::parse("x.yaml", AGENT).unwrap();
    assert_eq!(agent.stop.signal, "SIGTERM");
    assert_eq!(agent.image.to_string(), "registry.example/agent:1");
    let chosen: Chosen = "x".parse().unwrap();
    let (name, configuration) = agent.configuration(&chosen).unwrap();
    assert_eq!((name, configuration.lines), ("only", Lines::default()));
    let place = Place { logs: "/logs", files: "/logs/*.log", sink_host: "10.0.0.7", sink_port: agent.speaks.port() };
    let filled = agent.filled(configuration, LogSource::File, &place);
    assert_eq!(filled.files[0].text, "inputs:\n  [\"/logs/*.log\"]\nurl: http://10.0.0.7:8080/{{ host }}\n");
}

#[test]
fn texts_of_each_source_stand_in_the_same_place() {
    let text = changed("reads:\n", "reads:\n  container_logs: {paths: \"{{files}}\\ncri: true\"}\n");
    let agent = Agent::parse("x.yaml", &text).unwrap();
    let (_, configuration) = agent.configuration(&"x/only/container_logs".parse().unwrap()).unwrap();
    let place = Place { logs: "/c", files: "/c/*/*.log", sink_host: "h", sink_port: 1 };
    let filled = agent.filled(configuration, LogSource::ContainerLogs, &place);
    assert_eq!(filled.files[0].text, "inputs:\n  /c/*/*.log\n  cri: true\nurl: http://h:1/{{ host }}\n");
}

#[test]
fn what_types_refuse_is_told_with_its_line() {
    let said = refused(&changed("speaks: http_json", "speaks: smtp"));
    assert!(said.starts_with("suites/agents/x.yaml:4: ") && said.contains("smtp"), "{said}");
    let said = refused(&format!("{AGENT}entrypoint: []\n"));
    assert!(said.starts_with("suites/agents/x.yaml:17: unknown field `entrypoint`"), "{said}");
    let said = refused(&changed("registry: ", "registy: "));
    assert!(said.starts_with("suites/agents/x.yaml:2: ") && said.contains("registy"), "{said}");
    let said = refused(&changed("stops_within: 5s", "stops_within: 5"));
    assert!(said.starts_with("suites/agents/x.yaml:16: ") && said.contains("is not a length of time"), "{said}");
    let said = refused(&changed("about: A vendor's agent.\n", ""));
    assert!(said.contains("missing field `about`"), "{said}");
}

#[test]
fn what_they_can_t_refuse_is_told_with_its_line() {
    let cases = [
        ("{{sink_port}}", "{{sink_prot}}", 15, "unknown placeholder `{{sink_prot}}`: there are {{logs}}, {{files}},"),
        ("{{files}}", "{{paths}}", 6, "unknown placeholder `{{paths}}`"),
        ("reads:\n", "reads:\n  container_logs: {}\n", 7, "the text `paths` is not there for all that the agent reads"),
        ("file: {paths: ", "file: {logs: '', paths: ", 6, "`logs` has a meaning already"),
        ("reads:\n  file: {paths: '[\"{{files}}\"]'}", "reads: {}", 5, "neither file nor container_logs"),
        ("  only:", "  Only:", 8, "`Only` is no name of a configuration"),
        ("/etc/agent.yaml", "etc/agent.yaml", 11, "`etc/agent.yaml` is no absolute path"),
        ("registry.example/agent:1", "'registry.example/an agent'", 2, "is no image such as"),
        ("speaks:", "args: [-u, '{{sink_host}}']\nspeaks:", 4, "can't stand in a command"),
        ("speaks:", "startup_probe: {httpget: {port: 1}}\nspeaks:", 4, "a startup_probe has exactly one of"),
        ("speaks:", "volumes: [{name: a, path: /a}, {name: a, path: /b}]\nspeaks:", 1, "two volumes are named `a`"),
        ("registry: registry.example/agent:1", "go: {module: ../x, package: ., binary: x}", 2, "`../x` is no folder beside"),
        ("registry: registry.example/agent:1", "debian: {suite: bookworm, packages: []}", 2, "without any package"),
    ];
    for (from, to, line, message) in cases {
        let said = refused(&changed(from, to));
        assert!(said.starts_with(&format!("suites/agents/x.yaml:{line}: ")) && said.contains(message), "{to}: {said}");
    }
}

#[test]
fn a_choice_says_what_it_can_t_have() {
    let agent = Agent::parse("x.yaml", AGENT).unwrap();
    let why = |text: &str| agent.configuration(&text.parse().unwrap()).unwrap_err();
    assert_eq!(why("x/lossless"), "has no configuration `lossless`; it has only");
    assert_eq!(why("x/only/container_logs"), "does not read container_logs");
    for wrong in ["", "/only", "x/only/file/more", "x/only/files"] {
        assert!(wrong.parse::<Chosen>().is_err(), "{wrong}");
    }
    for right in ["x", "x/only", "x/only/container_logs"] {
        assert_eq!(right.parse::<Chosen>().unwrap().to_string(), right);
    }
}

#[test]
fn an_agent_survives_being_written() {
    let agent = Agent::parse("x.yaml", AGENT).unwrap();
    let written = crate::yaml::to_string(&agent).unwrap();
    assert_eq!(Agent::parse("again.yaml", &written).unwrap(), agent);
}
