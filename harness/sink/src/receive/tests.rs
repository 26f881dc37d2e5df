use std::sync::{Arc, Mutex, mpsc as blocking};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::*;

/// How long a step that does next to nothing may take on a loaded machine.
const SOON: Duration = Duration::from_secs(20);
/// Long enough for an acknowledgement that didn't wait for anything.
const MOMENT: Duration = Duration::from_millis(200);

/// A disk whose sync waits until it is let go.
struct Held {
    text: Arc<Mutex<Vec<u8>>>,
    syncing: mpsc::UnboundedSender<()>,
    go: blocking::Receiver<()>,
}

impl Disk for Held {
    fn append(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.text.lock().unwrap().extend_from_slice(bytes);
        Ok(())
    }

    fn sync(&mut self) -> std::io::Result<()> {
        let _ = self.syncing.send(());
        // Let go for good when the sender is gone.
        let _ = self.go.recv();
        Ok(())
    }
}

fn options(dir: &tempfile::TempDir, protocol: Protocol) -> Receive {
    let port = |this| (this == protocol).then_some(([127, 0, 0, 1], 0).into());
    Receive {
        syslog_tcp: port(Protocol::SyslogTcp),
        http_json: port(Protocol::HttpJson),
        forward: port(Protocol::Forward),
        elasticsearch: port(Protocol::Elasticsearch),
        otlp_http: port(Protocol::OtlpHttp),
        store: dir.path().join("store"),
        control: None,
        patience_ms: 60_000,
    }
}

fn post(path: &str, body: &str) -> Vec<u8> {
    let head = format!("POST {path} HTTP/1.1\r\nhost: sink\r\ncontent-type: application/json\r\ncontent-length: {}", body.len());
    format!("{head}\r\n\r\n{body}").into_bytes()
}

/// Delivers the message `durable?` and holds the sync back for a while.
async fn acknowledged_only_when_durable(protocol: Protocol, request: &[u8], answer: &[u8]) {
    let dir = tempfile::tempdir().unwrap();
    let text = Arc::new(Mutex::new(Vec::new()));
    let (syncing, mut is_syncing) = mpsc::unbounded_channel();
    let (let_go, go) = blocking::channel();
    let disk = Held { text: text.clone(), syncing, go };
    let sink = Sink::start(&options(&dir, protocol), disk).await.unwrap();

    let mut sender = TcpStream::connect(sink.listening[&protocol]).await.unwrap();
    sender.write_all(request).await.unwrap();
    timeout(SOON, is_syncing.recv()).await.unwrap().unwrap();
    assert!(String::from_utf8_lossy(&text.lock().unwrap()).contains("durable?"));
    let mut got = vec![0; answer.len()];
    let early = timeout(MOMENT, sender.read_exact(&mut got)).await;
    assert!(early.is_err(), "{protocol:?} acknowledged before the sync: {early:?}");
    let_go.send(()).unwrap();
    timeout(SOON, sender.read_exact(&mut got)).await.unwrap().unwrap();
    assert_eq!(got, answer, "{protocol:?}: {}", String::from_utf8_lossy(&got));
    drop((sender, let_go));
    sink.end().await.unwrap();
}

#[tokio::test]
async fn no_acknowledgement_comes_before_the_sync() {
    let ok = b"HTTP/1.1 200 OK";
    acknowledged_only_when_durable(Protocol::HttpJson, &post("/", r#"{"log":"durable?"}"#), ok).await;
    let bulk = "{\"create\":{}}\n{\"message\":\"durable?\"}\n";
    acknowledged_only_when_durable(Protocol::Elasticsearch, &post("/logs/_bulk", bulk), ok).await;
    let logs = r#"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"durable?"}}]}]}]}"#;
    acknowledged_only_when_durable(Protocol::OtlpHttp, &post("/v1/logs", logs), ok).await;
    let message = b"\x94\xa1t\x01\x81\xa3log\xa8durable?\x81\xa5chunk\xa2c1";
    acknowledged_only_when_durable(Protocol::Forward, message, b"\x81\xa3ack\xa2c1").await;
}

#[tokio::test]
async fn without_a_protocol_there_is_nothing_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let mut options = options(&dir, Protocol::SyslogTcp);
    options.syslog_tcp = None;
    let disk = crate::store::open(&options.store).unwrap();
    let error = Sink::start(&options, disk).await.err().unwrap();
    assert!(error.to_string().contains("--syslog-tcp"), "{error}");
}
