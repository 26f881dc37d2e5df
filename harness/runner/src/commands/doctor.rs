//! `sidecheck doctor`.

use sidecheck_cluster::doctor::{self, Health};

use sidecheck_core::verdict::Exit;

use super::Setting;
use crate::show::out;

pub(super) async fn doctor(setting: &Setting) -> anyhow::Result<Exit> {
    let checks = doctor::doctor(&setting.variables, &setting.paths).await;
    for check in &checks {
        let mark = match check.health {
            Health::Ok => "ok  ",
            Health::Warn => "warn",
            Health::Fail => "FAIL",
        };
        out(format!("{mark}  {:<22} {}", check.name, check.found.replace('\n', "\n                             ")));
        if let Some(mend) = &check.mend {
            out(format!("      mend with:             {mend}"));
        }
    }
    let failed = checks.iter().any(|check| check.health == Health::Fail);
    Ok(if failed { Exit::Undecided } else { Exit::AsExpected })
}
