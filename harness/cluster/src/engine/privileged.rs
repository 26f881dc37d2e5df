//! Whether the engine can run privileged containers: found out by running one.

use std::time::Duration;

use super::{Engine, EngineError, last_line, probe_image};

const IMAGE: &str = "sidecheck-probe:1";

pub(super) async fn check(engine: &Engine) -> Result<(), EngineError> {
    if engine.image_id(IMAGE).await?.is_none() {
        let archive = probe_image::archive().map_err(|error| EngineError::Unprivileged {
            version: engine.version.clone(),
            tried: "making a probe image".to_owned(),
            said: error.to_string(),
            mend: "nothing that is known: please report it".to_owned(),
        })?;
        engine.docker(["import", "--change", r#"ENTRYPOINT ["/probe"]"#, "-", IMAGE]).input(archive).run().await?;
    }
    let run = engine.docker(["run", "--rm", "--privileged", "--network", "none", IMAGE]).limit(Duration::from_secs(30));
    match run.run().await {
        Ok(_) => Ok(()),
        Err(error) => Err(EngineError::Unprivileged {
            version: engine.version.clone(),
            tried: run.to_string(),
            said: last_line(&error),
            mend: mend(&error.said).to_owned(),
        }),
    }
}

/// What helps, by what the engine said.
fn mend(said: &str) -> &'static str {
    if said.contains("unable to apply caps") || said.contains("oom_score_adj") {
        "as root: export DOCKER_HOST=$(clusters/engine/start ~/.cache/sidecheck/engine), which starts an engine that does \
         without CAP_SYS_RESOURCE, as this host does"
    } else {
        "an engine that runs as root on a host that allows privileged containers, or a rootless one set up as \
         https://kind.sigs.k8s.io/docs/user/rootless says"
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_small_capability_set_is_recognised() {
        let said = "OCI runtime create failed: runc create failed: unable to apply caps: operation not permitted";
        assert!(super::mend(said).contains("CAP_SYS_RESOURCE"));
        assert!(super::mend("permission denied").contains("rootless"));
    }
}
