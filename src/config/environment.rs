//! The process environment as a value, so that tests can pass their own without changing the process.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use jiff::tz::TimeZone;

use super::folders::Folders;
use crate::domain::Bilingual;
use crate::domain::lang::Lang;

/// Variables that begin with `PLEITO_` but are not settings: options of the program itself, and names that the
/// documentation uses in its example programs.
pub const VARIABLES: [(&str, Bilingual); 8] = [
    ("PLEITO_DATA_DIR", ("O mesmo que --data-dir", "The same as --data-dir")),
    ("PLEITO_CONFIG", ("O mesmo que --config", "The same as --config")),
    (
        "PLEITO_LANG",
        (
            "A língua dos textos, pt-BR ou en, em vez da do sistema",
            "The language of texts, pt-BR or en, instead of the system's",
        ),
    ),
    (
        "PLEITO_SOURCE_TOKEN",
        (
            "O token do servidor de origem, para import --from-api",
            "The token of the source server, for import --from-api",
        ),
    ),
    (
        "PLEITO_REPLICA_PASSWORD",
        ("A senha do destino, para replica set", "The password of the target, for replica set"),
    ),
    (
        "PLEITO_TOKEN",
        (
            "O token, nos exemplos da documentação; o Pleito não o lê",
            "The token, in the examples of the documents; Pleito does not read it",
        ),
    ),
    (
        "PLEITO_API",
        (
            "O endereço base da API, nos exemplos da documentação; o Pleito não o lê",
            "The base address of the API, in the examples of the documents; Pleito does not read it",
        ),
    ),
    (
        "PLEITO_WEBHOOK_SECRET",
        (
            "O segredo de um webhook, nos exemplos da documentação; o Pleito não o lê",
            "The secret of a webhook, in the examples of the documents; Pleito does not read it",
        ),
    ),
];

/// The variables by which programs take the secrets of S3.
const OF_S3: [&str; 2] = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"];

/// The environment and the system's language, time zone and folders. Does not implement `Debug`, because a
/// variable may hold a token.
#[derive(Clone, Default)]
pub struct Environment {
    /// The environment variables that begin with `PLEITO_`, and those with the secrets of S3.
    pub variables: BTreeMap<String, OsString>,
    /// The system's language, as a tag such as `pt-BR`.
    pub locale: Option<String>,
    pub time_zone: Option<TimeZone>,
    /// The program's folders by the conventions of the system. `None` if the user has no home folder.
    pub folders: Option<Folders>,
    /// The path of the program's own executable, for child processes.
    pub program: PathBuf,
}

impl Environment {
    pub fn of_process() -> Environment {
        let named = std::env::vars_os().filter_map(|(name, value)| {
            let name = name.into_string().ok()?;
            // Names of variables are case-insensitive on Windows.
            let name = if cfg!(windows) { name.to_uppercase() } else { name };
            (name.starts_with("PLEITO_") || OF_S3.contains(&&*name)).then_some((name, value))
        });
        Environment {
            variables: named.collect(),
            locale: sys_locale::get_locale(),
            time_zone: TimeZone::try_system().ok(),
            folders: Folders::of_system(),
            program: own_executable(),
        }
    }

    /// Returns the language of texts for people: that of `PLEITO_LANG` if set, otherwise the system's.
    pub fn lang(&self) -> Lang {
        let system = || Lang::from_tag(self.locale.as_deref().unwrap_or_default());
        self.wanted_lang().unwrap_or_else(system)
    }

    pub(super) fn wanted_lang(&self) -> Option<Lang> {
        let wanted = self.variable("PLEITO_LANG").and_then(|value| value.to_str());
        wanted.map(Lang::from_tag)
    }

    pub(super) fn path(&self, name: &str) -> Option<PathBuf> {
        self.variable(name).map(PathBuf::from)
    }

    /// Returns the value of a variable. An empty one counts as unset: scripts and container files clear variables
    /// that way.
    pub(super) fn variable(&self, name: &str) -> Option<&OsString> {
        self.variables.get(name).filter(|value| !value.is_empty())
    }
}

/// Returns a variable that systemd sets for its services (sd_notify(3)).
pub fn of_systemd(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// Returns the name of the account that runs this process, with its domain.
#[cfg(windows)]
pub fn account_name() -> Option<String> {
    let [domain, name] = ["USERDOMAIN", "USERNAME"].map(|name| std::env::var(name).ok());
    Some(format!(r"{}\{}", domain?, name?))
}

/// Returns an installed program: the first of that name in the folders of `PATH`.
pub fn installed(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Returns the path of this executable. On Linux the path stays valid and names the running program even after
/// an upgrade has replaced the file.
pub fn own_executable() -> PathBuf {
    match cfg!(target_os = "linux") {
        true => "/proc/self/exe".into(),
        false => std::env::current_exe().unwrap_or_default(),
    }
}

/// Returns the path of this program, for commands that other programs start later.
pub fn program_path() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| "pleito".into())
}

/// Returns the `SystemRoot` variable, which every Windows process needs even if it inherits nothing else of the
/// environment.
#[cfg(windows)]
pub fn system_root() -> Option<(&'static str, OsString)> {
    const SYSTEM_ROOT: &str = "SystemRoot";
    std::env::var_os(SYSTEM_ROOT).map(|folder| (SYSTEM_ROOT, folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_overrides_the_system_language() {
        let lang = |variable: Option<&str>, locale: Option<&str>| {
            let variables =
                variable.map(|value| ("PLEITO_LANG".to_owned(), value.into())).into_iter().collect();
            Environment { variables, locale: locale.map(str::to_owned), ..Environment::default() }.lang()
        };
        assert_eq!(lang(None, None), Lang::En);
        assert_eq!(lang(None, Some("pt-BR")), Lang::Pt);
        assert_eq!(lang(Some("en"), Some("pt-BR")), Lang::En);
        assert_eq!(lang(Some("pt-BR"), Some("de-DE")), Lang::Pt);
        assert_eq!(lang(Some(""), Some("pt-BR")), Lang::Pt);
    }
}
