//! What is accepted, and what is refused.

use super::*;

const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn parse(line: &str) -> Result<Role, Failure> {
    super::parse(line.split_whitespace().map(str::to_owned))
}

#[test]
fn a_producer_that_fails_in_its_first_two_incarnations() {
    let role =
        parse("run --name app --ready-after 100 --exits-after 0 --exit-code 3 --exits-first 2 --write-lines 10 --write-to /l");
    let expected = RunOptions {
        name: "app".to_owned(),
        ready: ReadyOptions { after: ms(100), ..ReadyOptions::default() },
        exits: Some(Exits { after: Duration::ZERO, code: 3, first: Some(2), once: None, told: false, others: false }),
        writes: Some(Writes { lines: 10, to: Some("/l".into()), ..Writes::default() }),
        ..RunOptions::default()
    };
    assert_eq!(role.expect("must be accepted"), Role::Run(Box::new(expected)));
}

#[test]
fn a_container_that_is_told_and_serves_and_calls() {
    let role = parse(
        "run --name s1 --ready-after 1 --ready-until 2 --ready-told 1 --stop-takes 3 --stop-code 4 --stops-unready 1 \
         --exits-after 5 --exits-told 1 --serves-http 8080 --calls localhost:80/a/b?c --calls-every 6",
    );
    let expected = RunOptions {
        name: "s1".to_owned(),
        ready: ReadyOptions { after: ms(1), until: Some(ms(2)), told: true },
        stop: StopOptions { takes: ms(3), code: 4, unready: true },
        exits: Some(Exits { after: ms(5), code: 0, first: None, once: None, told: true, others: false }),
        writes: None,
        serves: Some(8080),
        calls: Some(Calls { to: Target::new("127.0.0.1", "80", "/a/b?c").expect("must be a target"), every: ms(6) }),
    };
    assert_eq!(role.expect("must be accepted"), Role::Run(Box::new(expected)));
}

#[test]
fn a_producer_with_everything() {
    let role = parse(
        "run --name app --write-lines 0 --write-to /l --write-stdout 1 --write-every 5 --write-size 60-1000 --write-at-term 2 \
         --write-at-exit 3 --write-unfinished 1 --write-stack-traces 4 --write-invalid-utf8 1 \
         --write-rotate truncate --write-rotate-every 6 --write-rotate-keep 7",
    );
    let writes = Writes {
        lines: 0,
        every: ms(5),
        to: Some("/l".into()),
        stdout: true,
        shape: Shape { size: (60, 1000), stack_traces: Some(4), invalid_utf8: true },
        at_term: 2,
        until_kill: false,
        at_exit: 3,
        unfinished: true,
        rotate: Some(Rotate { truncates: true, every: 6, keep: 7 }),
    };
    let expected = RunOptions { name: "app".to_owned(), writes: Some(writes), ..RunOptions::default() };
    assert_eq!(role.expect("must be accepted"), Role::Run(Box::new(expected)));
}

#[test]
fn a_flag_of_0_is_as_good_as_none() {
    let role = parse("run --name s1 --ready-told 0 --stops-unready 0 --exits-told 0");
    let expected = RunOptions { name: "s1".to_owned(), ..RunOptions::default() };
    assert_eq!(role.expect("must be accepted"), Role::Run(Box::new(expected)));
}

#[test]
fn the_roles_of_helpers() {
    let hook = HookOptions {
        kind: HookKind::PreStop,
        name: "a".to_owned(),
        takes: ms(1),
        code: 2,
        until: Some("go".to_owned()),
        every: Some(ms(3)),
    };
    let none =
        HookOptions { kind: HookKind::PostStart, name: "a".to_owned(), takes: Duration::ZERO, code: 0, until: None, every: None };
    let probe = ProbeOptions { kind: ProbeKind::Liveness, name: "a".to_owned(), takes: ms(4) };
    for (line, role) in [
        ("hook pre_stop --name a --takes 1 --code 2 --until-file go --every 3", Role::Hook(hook)),
        ("hook post_start --name a", Role::Hook(none)),
        ("probe liveness --name a --takes 4", Role::Probe(probe)),
        ("call ::1 80 x", Role::Call(Target::new("::1", "80", "/x").expect("must be a target"))),
        ("show /proc/1/oom_score_adj", Role::Show("/proc/1/oom_score_adj".into())),
    ] {
        assert_eq!(parse(line).expect(line), role);
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    for line in [
        "",
        "walk",
        "run",
        "run --name",
        "run --name a --name b",
        "run --name a --speed 3",
        "run --name a --exit-code 3",
        "run --name a --exits-once b",
        "run --name a --exits-told 1",
        "run --name a --exits-told 2 --exits-after 1",
        "run --name a --exits-after 1 --exit-code 256",
        "run --name a --exits-after -1",
        "run --name a --stop-code 256",
        "run --name a --ready-until 0",
        "run --name a --ready-after 5 --ready-until 5",
        "run --name a --ready-told yes",
        "run --name a --write-lines 3",
        "run --name a --write-every 3",
        "run --name a --write-stdout 1",
        "run --name a --write-lines 3 --write-stdout 1 --write-size 59",
        "run --name a --write-lines 3 --write-stdout 1 --write-size 70-60",
        "run --name a --write-lines 3 --write-stdout 1 --write-size 1048577",
        "run --name a --write-lines 3 --write-stdout 1 --write-stack-traces 1",
        "run --name a --write-lines 3 --write-to /l --write-until-kill 1",
        "run --name a --write-lines 3 --write-to /l --write-until-kill 1 --write-every 1 --write-at-exit 1",
        "run --name a --write-lines 3 --write-to /l --write-rotate rename --write-rotate-keep 1",
        "run --name a --write-lines 3 --write-to /l --write-rotate move --write-rotate-every 1 --write-rotate-keep 1",
        "run --name a --write-lines 3 --write-to /l --write-rotate rename --write-rotate-every 0 --write-rotate-keep 1",
        "run --name a --write-lines 3 --write-stdout 1 --write-rotate rename --write-rotate-every 1 --write-rotate-keep 1",
        "run --name a --serves-http 0",
        "run --name a --serves-http 65536",
        "run --name a --calls localhost:80/",
        "run --name a --calls-every 5",
        "run --name a --calls localhost:80/ --calls-every 0",
        "run --name a --calls localhost/ --calls-every 5",
        "run --name a --calls example.org:80/ --calls-every 5",
        "probe --name a",
        "probe health --name a",
        "probe liveness --name a --code 1",
        "hook --name a",
        "hook stop --name a",
        "hook pre_stop",
        "hook pre_stop --name a --code 256",
        "hook pre_stop --name a --every 0",
        "call",
        "call localhost 80",
        "call localhost 0 /",
        "call localhost 80 / more",
        "call example.org 80 /",
        "show",
        "show /a /b",
        "heartbeat --file /f",
        "heartbeat --every 0 --file /f",
    ] {
        assert!(matches!(parse(line), Err(Failure::Usage(_))), "accepted: {line}");
    }
}
