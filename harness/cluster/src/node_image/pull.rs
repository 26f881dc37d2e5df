//! Pulling a published node image by its digest.

use std::time::Duration;

use super::NodeImageError;
use crate::{
    command::CommandError,
    engine::{Engine, last_line},
    progress::Progress,
};

/// A node image is 350 MB; a slower line than 0.5 MB/s is better served by a build from source.
const PULL: Duration = Duration::from_secs(12 * 60);
/// How long a registry may take to say which digest a tag has.
const ASK: Duration = Duration::from_secs(30);

/// What came of a pull.
pub(super) enum Pulled {
    /// The engine has the image, and its digest is right.
    Here,
    /// It can't be reached, may not be read, or was never published; why, in the words of the engine.
    NotToBeHad(String),
}

pub(super) async fn pull(image: &str, engine: &Engine, progress: &Progress) -> Result<Pulled, NodeImageError> {
    let Some((name, digest)) = image.split_once("@sha256:") else {
        return Err(NodeImageError::NoDigest(image.to_owned()));
    };
    if engine.image_id(image).await?.is_some() {
        return Ok(Pulled::Here);
    }
    progress.say(format!("pulling {image}"));
    let Err(error) = engine.docker(["pull", "--quiet", image]).limit(PULL).run().await else {
        return Ok(Pulled::Here);
    };
    let mismatch = |said| NodeImageError::Mismatch { image: image.to_owned(), said };
    match Refusal::of(&error.said) {
        Refusal::WrongContent => Err(mismatch(last_line(&error))),
        // The registry answered, and has nothing of that digest. Does it have the name?
        Refusal::NotFound => match tag_in_registry(name, engine).await {
            Ok(()) => Err(mismatch(format!("it has {name}, but not with the digest sha256:{digest}"))),
            Err(_) => Ok(Pulled::NotToBeHad(last_line(&error))),
        },
        Refusal::Other => Ok(Pulled::NotToBeHad(last_line(&error))),
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Refusal {
    WrongContent,
    NotFound,
    Other,
}

impl Refusal {
    /// By the words of the engine, which passes on no codes.
    fn of(said: &str) -> Self {
        let said = said.to_lowercase();
        let any = |words: &[&str]| words.iter().any(|word| said.contains(word));
        if any(&["verification failed", "unexpected commit digest", "content digest", "digest mismatch", "does not match digest"])
        {
            Self::WrongContent
        } else if any(&["manifest unknown", "not found"]) && !any(&["no such host", "dial tcp"]) {
            Self::NotFound
        } else {
            Self::Other
        }
    }
}

/// Succeeds when the registry has `name:tag`, whatever its digest.
async fn tag_in_registry(name: &str, engine: &Engine) -> Result<(), CommandError> {
    let secure = engine.docker(["manifest", "inspect", name]).limit(ASK).run().await;
    if secure.is_err() && is_loopback(name) {
        // What the engine itself does for a registry on this machine: it speaks plain HTTP to it.
        return engine.docker(["manifest", "inspect", "--insecure", name]).limit(ASK).run().await.map(drop);
    }
    secure.map(drop)
}

fn is_loopback(name: &str) -> bool {
    name.starts_with("localhost:") || name.starts_with("127.")
}

#[cfg(test)]
mod tests {
    use super::Refusal;

    #[test]
    fn refusals_are_told_apart() {
        let unknown =
            "Error response from daemon: manifest for 127.0.0.1:5000/node@sha256:0 not found: manifest unknown: manifest unknown";
        assert_eq!(Refusal::of(unknown), Refusal::NotFound);
        assert_eq!(Refusal::of("manifest verification failed for digest sha256:0"), Refusal::WrongContent);
        assert_eq!(
            Refusal::of("Get \"https://registry.example/v2/\": dial tcp: lookup registry.example: no such host"),
            Refusal::Other
        );
        assert_eq!(Refusal::of("unauthorized: authentication required"), Refusal::Other);
    }
}
