//! What can be done to a node shows, and is mended. Needs the cluster `1.28-off`, which each of these tests has to itself.

#![expect(clippy::unwrap_used, reason = "so a test fails; clippy spares only the functions that are marked as tests")]

#[path = "support/disturbed.rs"]
mod disturbed;
#[expect(dead_code, reason = "servers of their own are for other tests")]
mod support;

use std::time::{Duration, Instant};

use disturbed::Disturbed;
use jiff::Timestamp;
use sidecheck_cluster::{
    disrupt::{
        Component, DisruptError, mend, reboot_node, restart_kubelet, set_gate, start_api_server, start_kubelet, stop_api_server,
        stop_kubelet,
    },
    recorder,
};
use sidecheck_core::{
    evidence::runtime,
    trace::{Act, Witness},
};

const GATE: &str = "SidecarContainers";
const HEARTBEAT: &str = "ctr -n k8s.io tasks ls | awk '$3 == \"RUNNING\" { print $2 }' | while read -r pid; do \
    if grep -aq heartbeat /proc/$pid/cmdline; then echo $pid; fi; done";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kubelet_is_restarted_and_containers_go_on() {
    Disturbed::run(|on| async move {
        let (before, beating) = (on.kubelet().await, on.says(HEARTBEAT).await);
        restart_kubelet(&on.cluster, on.node()).await.unwrap();
        assert_ne!(on.kubelet().await, before);
        assert_eq!(on.says(HEARTBEAT).await, beating, "the heartbeat's process is the same");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kubelet_that_was_stopped_is_mended() {
    Disturbed::run(|on| async move {
        stop_kubelet(&on.cluster, on.node()).await.unwrap();
        assert_eq!(on.kubelet().await, 0);
        assert!(on.api_server_answers().await, "containers go on");
        mend(&on.cluster).await.unwrap();
        assert_ne!(on.kubelet().await, 0);

        stop_kubelet(&on.cluster, on.node()).await.unwrap();
        start_kubelet(&on.cluster, on.node()).await.unwrap();
        assert_ne!(on.kubelet().await, 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn api_server_is_stopped_and_started() {
    Disturbed::run(|on| async move {
        stop_api_server(&on.cluster).await.unwrap();
        assert!(!on.api_server_answers().await);
        // A kubelet starts without it.
        restart_kubelet(&on.cluster, on.node()).await.unwrap();
        start_api_server(&on.cluster).await.unwrap();
        assert!(on.api_server_answers().await);
        assert_eq!(on.says("find /var/lib/sidecheck/disrupted -type f").await, "", "nothing is left to be mended");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn api_server_that_was_stopped_is_mended() {
    Disturbed::run(|on| async move {
        stop_api_server(&on.cluster).await.unwrap();
        stop_kubelet(&on.cluster, on.node()).await.unwrap();
        mend(&on.cluster).await.unwrap();
        assert!(on.api_server_answers().await && on.kubelet().await != 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_mended_where_nothing_is_amiss() {
    Disturbed::run(|on| async move {
        let state = "cat /proc/sys/kernel/random/boot_id; systemctl show kubelet --property MainPID; \
            find /etc/kubernetes /var/lib/kubelet/config.yaml -type f -printf '%p %T@\\n' | sort";
        let before = on.says(state).await;
        let begin = Instant::now();
        mend(&on.cluster).await.unwrap();
        // 0.3 to 0.6 s where the machine has nothing else to do.
        assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
        assert_eq!(on.says(state).await, before);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn gate_of_the_kubelet_is_switched() {
    switched(Component::Kubelet).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn gate_of_the_api_server_is_switched_and_mended() {
    switched_and_mended(Component::ApiServer).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn gate_of_the_scheduler_is_switched() {
    switched(Component::Scheduler).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn gate_of_the_controller_manager_is_switched_and_mended() {
    switched_and_mended(Component::ControllerManager).await;
}

/// On by the gate and off again by `None`.
async fn switched(component: Component) {
    Disturbed::run(move |on| async move {
        assert!(!on.gate(component).await);
        set_gate(&on.cluster, component, GATE, Some(true)).await.unwrap();
        assert!(on.gate(component).await);
        set_gate(&on.cluster, component, GATE, None).await.unwrap();
        assert!(!on.gate(component).await);
        assert_eq!(on.says("find /var/lib/sidecheck/disrupted -type f").await, "", "nothing is left to be mended");
    })
    .await;
}

/// On by the gate and off again by mending. Each switch of these takes up to 75 s, most of it until the kubelet hears of new pods
/// again, so they are not switched back and forth as well; scenarios do that.
async fn switched_and_mended(component: Component) {
    Disturbed::run(move |on| async move {
        assert!(!on.gate(component).await);
        set_gate(&on.cluster, component, GATE, Some(true)).await.unwrap();
        assert!(on.gate(component).await);
        mend(&on.cluster).await.unwrap();
        assert!(!on.gate(component).await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn gate_that_nobody_knows_is_told_and_mended() {
    Disturbed::run(|on| async move {
        let error = set_gate(&on.cluster, Component::Kubelet, "NoSuchGate", Some(true)).await.unwrap_err();
        let DisruptError::TimedOut { last, .. } = &error else { panic!("{error}") };
        assert!(last.contains("kubelet"), "{error}");
        mend(&on.cluster).await.unwrap();
        assert_ne!(on.kubelet().await, 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reboot_loses_no_evidence() {
    Disturbed::run(|on| async move {
        let (engine, node) = (&on.cluster.engine, on.node());
        on.says("mkdir -p /var/lib/sidecheck/evidence/reboot; echo kept >/var/lib/sidecheck/evidence/reboot/file").await;
        let (began, machine) = (Timestamp::now(), on.says("cat /etc/machine-id").await);
        // Something in the journal before it.
        on.says("systemctl restart containerd").await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        reboot_node(&on.cluster, node).await.unwrap();
        assert_ne!(on.says("cat /etc/machine-id").await, machine, "it is another boot");
        assert!(on.api_server_answers().await, "the published port is the same");

        let evidence = recorder::collect(engine, node, began, "reboot").await.unwrap();
        recorder::remove_evidence(engine, node, "reboot").await.unwrap();
        assert_eq!(evidence.files, [("file".to_owned(), b"kept\n".to_vec())]);
        let starts = evidence.journal.lines().filter(|line| line.contains("msg=\"starting containerd\"")).count();
        assert_eq!(starts, 2, "the journal of the boot before it is there too:\n{}", evidence.journal);
        // The recorder was there before the kubelet: no container started unseen, neither ours nor those of the control plane.
        for namespace in ["sidecheck-system", "kube-system"] {
            let events = runtime::parse(node, namespace, &evidence.events, &evidence.journal, 0);
            let missing = events.iter().filter(|event| matches!(event.act, Act::EvidenceMissing { .. }));
            assert_eq!(missing.collect::<Vec<_>>(), Vec::<&sidecheck_core::trace::Event>::new());
            let started = |event: &&sidecheck_core::trace::Event| event.witness == Witness::Runtime && event.act == Act::Started;
            assert!(events.iter().find(started).is_some(), "{namespace} has started again");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn node_that_comes_up_with_another_address_is_mended() {
    Disturbed::run(|on| async move {
        let (engine, node) = (&on.cluster.engine, on.node().to_owned());
        set_gate(&on.cluster, Component::Scheduler, GATE, Some(true)).await.unwrap();
        set_gate(&on.cluster, Component::ApiServer, GATE, Some(true)).await.unwrap();
        let address = on.says("cat /kind/old-ipv4").await;
        engine.docker(["stop", "--time", "10", &node]).run().await.unwrap();
        let takers = Takers::take(&on, &address).await;
        let mended = mend(&on.cluster).await;
        takers.remove(&on).await;
        mended.unwrap();
        assert_ne!(on.says("cat /kind/old-ipv4").await, address);
        assert!(on.api_server_answers().await);
        assert!(!on.gate(Component::ApiServer).await && !on.gate(Component::Scheduler).await);
        assert_eq!(on.says(&format!("grep -l '{address}\\b' /etc/kubernetes/manifests/* || true")).await, "");
    })
    .await;
}

/// Containers that take the free addresses up to the one which a node had.
struct Takers(Vec<String>);

impl Takers {
    async fn take(on: &Disturbed, address: &str) -> Self {
        let engine = &on.cluster.engine;
        let mut takers = Self((0..8).map(|number| format!("{}-address-{number}", on.node())).collect());
        takers.remove(on).await;
        for (number, name) in takers.0.iter().enumerate() {
            let run = ["run", "--detach", "--rm", "--network", "kind", "--name", name, "--entrypoint", "sleep"];
            engine.docker(run).arg(&on.cluster.environment.node_image).arg("600").run().await.unwrap();
            let format = "{{.NetworkSettings.Networks.kind.IPAddress}}";
            if engine.docker(["inspect", "--format", format, name]).run().await.unwrap().text() == address {
                takers.0.truncate(number + 1);
                return takers;
            }
        }
        takers.remove(on).await;
        panic!("the engine gave {address} to nobody");
    }

    /// Also those of a test that was killed.
    async fn remove(&self, on: &Disturbed) {
        for name in &self.0 {
            _ = on.cluster.engine.docker(["rm", "--force", name]).run().await;
        }
    }
}
