//! What is done to a whole cluster: all scenarios of `disruptions` on one entry are one test, so that those which do the same
//! wait for each other.

use std::path::PathBuf;

use rstest::rstest;

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn disruptions(#[files("../clusters/matrix/*.yaml")] on: PathBuf) -> anyhow::Result<()> {
    sidecheck_suites::check_disruptions(&on).await
}
