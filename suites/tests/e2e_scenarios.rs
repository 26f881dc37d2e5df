//! Every scenario on every cluster entry: one test each, made from the files. Those of `disruptions` share a test.

use std::path::PathBuf;

use rstest::rstest;

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scenario(
    #[files("*/*.yaml")]
    #[exclude("(agents|disruptions)/")]
    file: PathBuf,
    #[files("../clusters/matrix/*.yaml")] on: PathBuf,
) -> anyhow::Result<()> {
    sidecheck_suites::check(&file, &on).await
}
