//! Scratch.
use sidecheck_cluster::{paths::*, *};

use std::time::Instant;
#[tokio::main]
async fn main() {
    let v = Variables::of_process();
    let paths = Paths::find(None, &v, &std::env::current_dir().unwrap()).unwrap();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let begin = Instant::now();
    if args[0] == "doctor" {
        for c in doctor::doctor(&v, &paths).await {
            println!("{c:?}");
        }
        println!("{:?}", begin.elapsed());
        return;
    }
    let matrix = matrix::load(&paths).unwrap();
    let clusters = match Clusters::connect(&v, paths).await {
        Ok(c) => c,
        Err(e) => {
            println!("{e}");
            return;
        }
    };
    match args[0].as_str() {
        "up" => {
            let images: Vec<ImageArchive> = std::env::var("IMAGES")
                .unwrap_or_default()
                .split_whitespace()
                .map(|s| {
                    let (a, b) = s.split_once('=').unwrap();
                    ImageArchive { name: a.into(), path: b.into() }
                })
                .collect();
            let mut tasks = Vec::new();
            for name in &args[1..] {
                let (clusters, entry, images, n) =
                    (clusters.clone(), matrix.entry(name).unwrap().clone(), images.clone(), name.clone());
                tasks.push(tokio::spawn(async move {
                    let p = { let n = n.clone(); Progress::new(move |l| println!("{:6.1} {n}: {l}", begin.elapsed().as_secs_f64())) };
                    let work = clusters.up(&entry, &images, &p);
                    tokio::pin!(work);
                    tokio::select! {
                        r = &mut work => match r { Ok(c) => println!("{n} UP {:?}\n{}", begin.elapsed(), serde_json::to_string(&c.environment).unwrap()), Err(e) => println!("{n} ERR {:?} {e}", begin.elapsed()) },
                        _ = tokio::signal::ctrl_c() => println!("interrupted"),
                    }
                }));
            }
            for t in tasks {
                t.await.unwrap();
            }
        }
        "down" => {
            for name in &args[1..] {
                println!("{:?}", clusters.down(name, &Progress::none()).await);
            }
        }
        "list" => {
            for l in clusters.list().await.unwrap() {
                println!("{l:?}");
            }
        }
        "gc" => println!("{:?}", clusters.gc(std::time::Duration::from_secs(args[1].parse().unwrap()), &Progress::none()).await),
        "collect" => {
            let c = Cluster::open(&args[1], &clusters.paths, &clusters.engine).unwrap();
            let since = "2026-11-30T00:00:00Z".parse().unwrap();
            let since = if args[3] == "all" { since } else { args[3].parse().unwrap() };
            for n in c.nodes() {
                let e = recorder::collect(&c.engine, n, since, &args[2]).await.unwrap();
                println!(
                    "{n}: events {} journal {} starts {:?} heartbeat {} files {:?}",
                    e.events.lines().count(),
                    e.journal.lines().count(),
                    e.recorder_starts,
                    e.heartbeat.lines().count(),
                    e.files.iter().map(|f| (&f.0, f.1.len())).collect::<Vec<_>>()
                );
                println!("{:?}\n{:?}", e.events.lines().next(), e.heartbeat.lines().next());
                if args.len() > 4 {
                    recorder::remove_evidence(&c.engine, n, &args[2]).await.unwrap();
                }
            }
        }
        _ => panic!(),
    }
    println!("{:?}", begin.elapsed());
}
