use std::{fs, io::Write as _, os::unix::fs::PermissionsExt as _, path::Path, process::Command};

use super::*;

#[test]
fn archive_is_sorted_into_its_parts() {
    let mut archive = tar::Builder::new(Vec::new());
    for (path, text) in
        [("events", "e\n"), ("heartbeat", ""), ("files/sink/a", "2"), ("files/produced/a", "1"), ("journal", "j\n")]
    {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        archive.append_data(&mut header, path, text.as_bytes()).unwrap();
    }
    let evidence = unpack(&archive.into_inner().unwrap()).unwrap();
    assert_eq!((evidence.events.as_str(), evidence.journal.as_str(), evidence.heartbeat.as_str()), ("e\n", "j\n", ""));
    let files: Vec<&str> = evidence.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(files, ["produced/a", "sink/a"]);
}

#[test]
fn half_an_archive_is_an_error() {
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(4096);
    archive.append_data(&mut header, "events", &[b'x'; 4096][..]).unwrap();
    let bytes = archive.into_inner().unwrap();
    assert!(unpack(&bytes[..2048]).is_err());
}

/// A folder that looks like a node's, on which the script runs here.
struct Node(tempfile::TempDir);

impl Node {
    fn new() -> Self {
        let node = Self(tempfile::tempdir().unwrap());
        node.write("recorder-starts.log", "1796067000000000000\n");
        node.write("containerd-events.log", "");
        node.write("evidence/ns/witness.jsonl", "{}\n");
        node.write("bin/journalctl", "#!/bin/sh\necho journal \"$@\"\n");
        fs::set_permissions(node.path().join("bin/journalctl"), fs::Permissions::from_mode(0o755)).unwrap();
        node
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Collects since 19:30:01, which the caution of `instant` makes 19:30:00.
    fn collect(&self) -> NodeEvidence {
        let mut path = self.path().join("bin").into_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap());
        let mut command = Command::new("sh");
        command.args(["-c", COLLECT, "sh"]).args(instant("2026-11-30T19:30:01Z".parse().unwrap())).arg("ns").arg(self.path());
        let output = command.env("PATH", path).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{said}");
        unpack(&output.stdout).unwrap()
    }
}

fn event(time: &str) -> String {
    format!("2026-11-30 {time} +0000 UTC k8s.io /tasks/start {{\"container_id\":\"c\"}}\n")
}

/// A beat so many seconds after 19:30:00.
fn beat(seconds: i64) -> String {
    format!("{{\"boot_ns\":{},\"wall_ns\":{}000000000}}\n", seconds + 100, 1_796_067_000 + seconds)
}

#[test]
fn recent_lines_are_taken_with_all_else() {
    let node = Node::new();
    let recent = [event("19:30:00"), event("19:30:00.5"), event("19:31:10.25")].concat();
    node.write("containerd-events.log", &(event("18:00:00") + &event("19:29:59.999") + &recent));
    let evidence = node.collect();
    assert_eq!(evidence.events, recent);
    assert_eq!(evidence.recorder_starts, "1796067000000000000\n");
    assert_eq!(evidence.journal, "journal --merge -u containerd -o cat --no-pager --since @1796067000\n");
    assert_eq!(evidence.files, [("witness.jsonl".to_owned(), b"{}\n".to_vec())]);
    assert_eq!(evidence.heartbeat, "");
}

#[test]
fn half_written_line_is_left_out_and_spoils_no_other() {
    let node = Node::new();
    let (old, recent, half) = (event("19:29:00"), event("19:30:02") + &event("19:30:03"), event("19:30:04"));
    // With old lines before it, without any, with one complete line, and alone.
    for (before, taken) in
        [(old.clone() + &recent, &recent), (recent.clone(), &recent), (half.clone(), &half), (String::new(), &String::new())]
    {
        for cut in [1, 9, half.len() - 1] {
            node.write("containerd-events.log", &(before.clone() + &half[..cut]));
            assert_eq!(node.collect().events, *taken, "{cut}");
        }
    }
}

#[test]
fn damaged_line_does_not_end_the_search() {
    let node = Node::new();
    // What a crash in the middle of a line leaves: an end without a beginning, and two in one.
    let damaged = format!("\n20{}2026-11-3{}", event("19:30:03"), event("19:30:04"));
    let recent = event("19:30:02") + &damaged + &event("19:30:05");
    node.write("containerd-events.log", &(event("19:00:00") + &recent));
    assert_eq!(node.collect().events, recent);
}

#[test]
fn line_that_is_far_from_the_end_is_found() {
    let node = Node::new();
    let recent: String = (0..40_000).map(|number| event(&format!("19:30:02.{number}"))).collect();
    assert!(recent.len() > 2 << 20, "more than is looked at first");
    node.write("containerd-events.log", &(event("19:00:00").repeat(200_000) + &recent));
    assert_eq!(node.collect().events, recent);
}

/// Of tac, which is not used any more, about one read in eighty lost lines under this.
#[test]
fn log_that_grows_meanwhile_loses_no_line() {
    let node = Node::new();
    node.write("containerd-events.log", &event("19:00:00"));
    let mut log = fs::File::options().append(true).open(node.path().join("containerd-events.log")).unwrap();
    let lines: Vec<String> = (0..30_000).map(|number| event(&format!("19:30:02.{number:06}"))).collect();
    let all = lines.concat();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for line in &lines {
                log.write_all(line.as_bytes()).unwrap();
                std::thread::sleep(Duration::from_micros(50));
            }
        });
        while !writer.is_finished() {
            let events = node.collect().events;
            assert!(all.starts_with(&events), "{} bytes, and not the first ones", events.len());
        }
    });
    assert!(node.collect().events == all, "all of it in the end");
}

#[test]
fn no_record_of_events_is_a_failure() {
    let node = Node::new();
    fs::remove_file(node.path().join("containerd-events.log")).unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", COLLECT, "sh"]).args(instant("2026-11-30T19:30:01Z".parse().unwrap())).arg("ns").arg(node.path());
    assert!(!command.output().unwrap().status.success());
}

#[test]
fn heartbeat_that_was_put_aside_is_read_too() {
    let node = Node::new();
    let beats = |range: std::ops::Range<i64>| range.map(beat).collect::<String>();
    node.write("heartbeat.jsonl.1", &beats(-50..3));
    node.write("heartbeat.jsonl", &(beats(3..6) + "{\"boot_ns\""));
    assert_eq!(node.collect().heartbeat, beats(0..6));

    node.write("heartbeat.jsonl", &beats(-10..6));
    node.write("heartbeat.jsonl.1", &beats(-50..-10));
    assert_eq!(node.collect().heartbeat, beats(0..6));

    // Put aside between the two reads.
    node.write("heartbeat.jsonl.1", &beats(-10..6));
    assert_eq!(node.collect().heartbeat, beats(0..6));
}
