//! The target of a replica, as people type it and as Litestream's configuration says it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};

use super::ReplicaError;
use crate::clock::folder_answers;
use crate::domain::Bilingual;

/// What Litestream writes, inside the folder of a [`ReplicaTarget::File`].
pub(super) const STORE: &str = "pleito-replica";

/// Name of an epoch's folder, before its number. The first epoch is in the folder of the target itself.
const EPOCH: &str = "epoch-";
pub(super) const FIRST_EPOCH: u64 = 1;
/// Time that the folder of a target has to answer.
const MAX_ANSWER_TIME: Duration = Duration::from_secs(5);
/// Highest number of an epoch. A folder that people named with a higher one is none.
const MAX_EPOCH: u64 = 1_000_000;

/// Where the replica is. Contains no secret. Names and values are those of Litestream's configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", rename_all_fields = "kebab-case")]
pub enum ReplicaTarget {
    File {
        path: PathBuf,
    },
    Sftp {
        host: String,
        user: String,
        path: String,
        /// The private key that signs in, instead of a password.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key_path: Option<String>,
        /// The public key of the host, which Litestream otherwise does not verify.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        host_key: Option<String>,
    },
    S3 {
        bucket: String,
        path: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        endpoint: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        region: Option<String>,
        /// Servers other than Amazon's have no host name for each bucket.
        force_path_style: bool,
    },
    Webdav {
        webdav_url: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        webdav_username: Option<String>,
        path: String,
    },
}

/// A secret that a target needs.
pub struct SecretName {
    /// Its key in Litestream's configuration.
    pub key: &'static str,
    /// The environment variable that may hold it.
    pub variable: &'static str,
    pub prompt: Bilingual,
}

/// Secrets by their keys in Litestream's configuration. Does not implement `Debug`.
#[derive(Clone, Default, Serialize)]
pub struct Secrets(pub BTreeMap<&'static str, String>);

impl Secrets {
    /// Collects the secrets that a target needs by the variables that may hold them. Fails with `NoSecret` if one is
    /// missing.
    pub fn of_variables(
        target: &ReplicaTarget,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Secrets, ReplicaError> {
        let secret = |name: &SecretName| {
            Ok((name.key, variable(name.variable).ok_or(ReplicaError::NoSecret(name.variable))?))
        };
        Ok(Secrets(target.secrets().iter().map(secret).collect::<Result<_, _>>()?))
    }
}

const PASSWORD: &str = "PLEITO_REPLICA_PASSWORD";
const PASSWORD_PROMPT: Bilingual = ("Senha no destino: ", "Password at the target: ");
const SFTP: &[SecretName] = &[SecretName { key: "password", variable: PASSWORD, prompt: PASSWORD_PROMPT }];
const WEBDAV: &[SecretName] =
    &[SecretName { key: "webdav-password", variable: PASSWORD, prompt: PASSWORD_PROMPT }];
const S3: &[SecretName] = &[
    SecretName {
        key: "access-key-id",
        variable: "AWS_ACCESS_KEY_ID",
        prompt: ("Id da chave de acesso: ", "Access key id: "),
    },
    SecretName {
        key: "secret-access-key",
        variable: "AWS_SECRET_ACCESS_KEY",
        prompt: ("Chave de acesso secreta: ", "Secret access key: "),
    },
];

impl ReplicaTarget {
    /// Parses a target. A folder becomes absolute.
    pub fn parse(text: &str) -> Result<ReplicaTarget, ReplicaError> {
        let Some((scheme, rest)) = text.split_once("://") else {
            let folder = std::path::absolute(text).map_err(|_| ReplicaError::Form)?;
            return Ok(ReplicaTarget::File { path: folder.join(STORE) });
        };
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, path) = place.split_once('/').unwrap_or((place, ""));
        let (user, host) = match authority.rsplit_once('@') {
            Some((user, host)) => (Some(decoded(user)), host.to_owned()),
            None => (None, authority.to_owned()),
        };
        if user.as_ref().is_some_and(|user| user.contains(':')) {
            return Err(ReplicaError::SecretInTarget);
        }
        let mut parameters = parameters(query);
        let mut parameter = |name: &str| parameters.remove(name).filter(|value| !value.is_empty());
        let path = path.trim_end_matches('/');
        let target = match scheme {
            "sftp" => ReplicaTarget::Sftp {
                host,
                user: user.ok_or(ReplicaError::Form)?,
                path: format!("/{path}"),
                key_path: parameter("key-path"),
                host_key: parameter("host-key"),
            },
            "s3" if user.is_none() => {
                let endpoint = parameter("endpoint");
                let force_path_style = endpoint.is_some();
                let region = parameter("region");
                ReplicaTarget::S3 { bucket: host, path: path.to_owned(), endpoint, region, force_path_style }
            }
            "webdav" | "webdavs" => {
                let http = if scheme == "webdavs" { "https" } else { "http" };
                let webdav_url = format!("{http}://{host}");
                ReplicaTarget::Webdav { webdav_url, webdav_username: user, path: format!("/{path}") }
            }
            _ => return Err(ReplicaError::Form),
        };
        match parameters.into_keys().next() {
            Some(name) if is_secret(&name) => Err(ReplicaError::SecretInTarget),
            Some(name) => Err(ReplicaError::Parameter(name)),
            None if authority.is_empty() || path.is_empty() => Err(ReplicaError::Form),
            None if matches!(&target, ReplicaTarget::S3 { endpoint: Some(url), .. } if url.contains('@')) => {
                Err(ReplicaError::SecretInTarget)
            }
            None => Ok(target),
        }
    }

    /// Returns the file with the key that signs in, if there is one.
    pub fn key(&self) -> Option<&Path> {
        match self {
            ReplicaTarget::Sftp { key_path, .. } => key_path.as_deref().map(Path::new),
            _ => None,
        }
    }

    /// Returns the folder, if the target is one. The replica is in a folder of its own inside.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            ReplicaTarget::File { path } => path.parent(),
            _ => None,
        }
    }

    /// Returns the target of this name inside a target on another machine. `None` if the target is a folder.
    pub(super) fn inside(&self, name: &str) -> Option<ReplicaTarget> {
        let mut inside = self.clone();
        let path = inside.remote_path()?;
        *path = format!("{path}/{name}");
        Some(inside)
    }

    /// Returns `true` if its name is that of an epoch that a promotion began.
    pub fn is_epoch(&self) -> bool {
        let name = self.folder().and_then(|folder| folder.file_name()?.to_str());
        let number = self.remote_epoch().map(|(number, _)| number);
        number.or_else(|| epoch_number(name?)).is_some_and(|number| number != FIRST_EPOCH)
    }

    /// Returns the number of its epoch and the target that has all epochs, if it is on another machine.
    pub(super) fn remote_epoch(&self) -> Option<(u64, ReplicaTarget)> {
        let mut base = self.clone();
        let path = base.remote_path()?;
        let own = path.rsplit_once('/').and_then(|(base, name)| Some((epoch_number(name)?, base.to_owned())));
        let number = match own {
            Some((number, outer)) => {
                *path = outer;
                number
            }
            None => FIRST_EPOCH,
        };
        Some((number, base))
    }

    /// Returns `true` unless the target is a folder that does not answer.
    pub(super) fn answers(&self) -> bool {
        self.folder().is_none_or(|folder| folder_answers(folder, MAX_ANSWER_TIME))
    }

    fn remote_path(&mut self) -> Option<&mut String> {
        match self {
            ReplicaTarget::File { .. } => None,
            ReplicaTarget::Sftp { path, .. }
            | ReplicaTarget::S3 { path, .. }
            | ReplicaTarget::Webdav { path, .. } => Some(path),
        }
    }

    /// Returns the secrets that it needs.
    pub fn secrets(&self) -> &'static [SecretName] {
        match self {
            ReplicaTarget::Sftp { key_path: None, .. } => SFTP,
            ReplicaTarget::S3 { .. } => S3,
            ReplicaTarget::Webdav { webdav_username: Some(_), .. } => WEBDAV,
            ReplicaTarget::File { .. } | ReplicaTarget::Sftp { .. } | ReplicaTarget::Webdav { .. } => &[],
        }
    }
}

/// Returns the number of the epoch in a folder of this name. `None` for the first one, whose folder is that of the target.
pub(super) fn epoch_number(name: &str) -> Option<u64> {
    let number = name.strip_prefix(EPOCH)?.parse().ok()?;
    let is_canonical = name == epoch_name(number);
    (is_canonical && (FIRST_EPOCH + 1..=MAX_EPOCH).contains(&number)).then_some(number)
}

/// Returns the name of an epoch's folder.
pub(super) fn epoch_name(number: u64) -> String {
    format!("{EPOCH}{number}")
}

/// Formats the target as it is typed.
impl fmt::Display for ReplicaTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parameters = Vec::new();
        match self {
            ReplicaTarget::File { path } => write!(f, "{}", path.parent().unwrap_or(path).display())?,
            ReplicaTarget::Sftp { host, user, path, key_path, .. } => {
                write!(f, "sftp://{user}@{host}{path}")?;
                parameters = vec![("key-path", key_path)];
            }
            ReplicaTarget::S3 { bucket, path, endpoint, region, .. } => {
                write!(f, "s3://{bucket}/{path}")?;
                parameters = vec![("endpoint", endpoint), ("region", region)];
            }
            ReplicaTarget::Webdav { webdav_url, webdav_username, path } => {
                let (http, host) = webdav_url.split_once("://").unwrap_or_default();
                let scheme = if http == "https" { "webdavs" } else { "webdav" };
                let user = webdav_username.as_ref().map(|user| format!("{user}@")).unwrap_or_default();
                write!(f, "{scheme}://{user}{host}{path}")?;
            }
        }
        let given = parameters.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        given.enumerate().try_for_each(|(index, (name, value))| {
            write!(f, "{}{name}={value}", if index == 0 { '?' } else { '&' })
        })
    }
}

/// Parses the part after the question mark.
fn parameters(query: &str) -> BTreeMap<String, String> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let parameter = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (name.to_owned(), decoded(value))
    };
    pairs.map(parameter).collect()
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// `true` for parameters by which Litestream itself takes secrets.
fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    ["key", "password", "secret", "token"].iter().any(|word| name.contains(word))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parsed(text: &str) -> Result<ReplicaTarget, &'static str> {
        ReplicaTarget::parse(text).map_err(|error| error.code())
    }

    #[test]
    fn a_target_is_formatted_as_it_was_typed() {
        for text in [
            "/media/usb/office",
            "sftp://ana@nas.example:2222/replicas/office",
            "sftp://ana@nas.example/office?key-path=/home/ana/.ssh/id",
            "s3://bucket/office",
            "s3://bucket/a/b?endpoint=http://127.0.0.1:9000&region=sa-east-1",
            "webdav://127.0.0.1:8080/office",
            "webdavs://ana@cloud.example/dav/office",
        ] {
            let target = parsed(text).unwrap();
            assert_eq!(target.to_string(), text);
            let json = serde_json::to_value(&target).unwrap();
            assert_eq!(serde_json::from_value::<ReplicaTarget>(json).unwrap(), target);
        }
    }

    #[test]
    fn an_epoch_of_another_machine_is_inside_the_target_of_all() {
        for text in ["sftp://ana@nas.example/a/office", "s3://bucket/office?region=sa-east-1", "webdav://h/p"]
        {
            let first = parsed(text).unwrap();
            assert_eq!(first.remote_epoch(), Some((1, first.clone())));
            let third = first.inside("epoch-3").unwrap();
            assert_eq!(third.remote_epoch(), Some((3, first)));
        }
        let folder = parsed("/media/usb/office").unwrap();
        assert_eq!((folder.remote_epoch(), folder.inside("epoch-3")), (None, None));
    }

    #[test]
    fn the_configuration_names_what_litestream_expects() {
        for (text, expected) in [
            ("/a", json!({ "type": "file", "path": "/a/pleito-replica" })),
            (
                "sftp://a%20b@h/p/?host-key=ssh-ed25519%20AAAA",
                json!({ "type": "sftp", "host": "h", "user": "a b", "path": "/p", "host-key": "ssh-ed25519 AAAA" }),
            ),
            (
                "s3://b/p?endpoint=http://h",
                json!({ "type": "s3", "bucket": "b", "path": "p", "endpoint": "http://h", "force-path-style": true }),
            ),
            (
                "webdavs://a@h/p",
                json!({ "type": "webdav", "webdav-url": "https://h", "webdav-username": "a", "path": "/p" }),
            ),
        ] {
            assert_eq!(serde_json::to_value(parsed(text).unwrap()).unwrap(), expected);
        }
    }

    #[test]
    fn a_secret_in_the_target_is_refused_and_not_repeated() {
        for text in [
            "sftp://ana:geheim@nas.example/office",
            "webdavs://ana:geheim@h/p",
            "s3://bucket/p?secret-access-key=geheim",
            "s3://bucket/p?endpoint=http://ana:geheim@h",
            "sftp://ana@nas.example/p?password=geheim",
        ] {
            let error = ReplicaTarget::parse(text).unwrap_err();
            assert!(matches!(error, ReplicaError::SecretInTarget), "{text}");
            assert!(!error.message(crate::domain::Lang::En).contains("geheim"));
        }
    }

    #[test]
    fn each_secret_of_a_target_must_be_in_its_variable() {
        let secrets = |text: &str, names: &[&str]| {
            let value = |name: &str| names.contains(&name).then(|| name.to_lowercase());
            let secrets = Secrets::of_variables(&parsed(text).unwrap(), value);
            secrets.map(|secrets| secrets.0).map_err(|error| error.code())
        };
        let [id, key] = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"];
        let all = [("access-key-id", id.to_lowercase()), ("secret-access-key", key.to_lowercase())];
        assert_eq!(secrets("s3://bucket/office", &[id, key]), Ok(all.into()));
        assert_eq!(secrets("s3://bucket/office", &[id]), Err("secret-missing"));
        assert_eq!(secrets("/media/usb/office", &[]), Ok(BTreeMap::new()));
    }

    #[test]
    fn an_unknown_form_is_refused() {
        for text in
            ["ftp://h/p", "sftp://h/p", "sftp://ana@h", "sftp://ana@h/", "s3:///p", "s3://bucket", "://"]
        {
            assert_eq!(parsed(text), Err("replica-target-form"), "{text}");
        }
        assert_eq!(parsed("s3://b/p?regoin=x"), Err("replica-target-parameter"));
        assert_eq!(parsed("webdav://h/p?endpoint=x"), Err("replica-target-parameter"));
    }
}
