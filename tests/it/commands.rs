//! The executable's commands as other processes see them: standard output, standard error and the exit code
//! (product 1).

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::office::Office;
use crate::program::{run, run_with, streams};

/// `check` tests whether the server's port is free. Port 0 always is.
const FREE: [(&str, &str); 1] = [("PLEITO_SERVER_LISTEN", "127.0.0.1:0")];

#[test]
fn a_new_token_is_alone_on_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let (out, err) = streams(&run(folder.path(), &["token", "new", "--new"]));
    assert_eq!(err, "");
    let token = out.strip_suffix('\n').unwrap();
    assert!(
        token.starts_with("plt_") && token.len() == 53 && token.bytes().all(|byte| byte.is_ascii_graphic()),
        "{out}"
    );
    let (out, err) = streams(&run(folder.path(), &["token", "new", "--json"]));
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((json.as_object().unwrap().len(), err.as_str()), (1, ""));
    assert!(json["token"].as_str().unwrap().starts_with("plt_"));
}

#[test]
fn a_token_for_a_folder_without_an_office_comes_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let none =
        format!("pleito: warning: {}: there is no office here; a new one begins\n", folder.path().display());
    let (out, err) = streams(&run(folder.path(), &["token", "new"]));
    assert_eq!((out.starts_with("plt_"), err), (true, none));
    assert_eq!(streams(&run(folder.path(), &["token", "new"])).1, "");
}

#[test]
fn an_unknown_variable_only_causes_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let with =
        |arguments: &[&str]| streams(&run_with(folder.path(), arguments, &[("PLEITO_LOG_LEVL", "warn")]));
    let warning = "PLEITO_LOG_LEVL: does not exist; did you mean PLEITO_LOG_LEVEL?";
    assert_eq!(with(&["config"]).1, format!("pleito: warning: {warning}\n"));
    let (out, err) = with(&["config", "--json"]);
    assert!(serde_json::from_str::<Value>(&out).is_ok());
    assert_eq!(serde_json::from_str::<Value>(&err).unwrap(), json!({ "warning": warning }));
}

#[test]
fn errors_are_json_if_the_result_would_be() {
    let empty = tempfile::tempdir().unwrap();
    let missing = empty.path().join("missing.zst").display().to_string();
    let failed = |folder: &Path, arguments: &[&str], exit: i32| {
        let output = run(folder, arguments);
        let (out, err) = streams(&output);
        assert_eq!((output.status.code(), out.as_str()), (Some(exit), ""), "{arguments:?}: {err}");
        let error: Value = serde_json::from_str(&err).unwrap_or_else(|_| panic!("{arguments:?}: {err}"));
        let sentence = error["error"].as_str().unwrap();
        assert!(!sentence.is_empty() && !sentence.starts_with("pleito:"), "{error}");
        assert_eq!(error.as_object().unwrap().len(), 2, "{error}");
        error["code"].as_str().unwrap().to_owned()
    };
    assert_eq!(failed(empty.path(), &["backup", "--json"], 1), "no-store");
    assert_eq!(failed(empty.path(), &["export", &missing, "--json"], 1), "no-store");
    assert_eq!(failed(empty.path(), &["import", "--undo", "9", "--json"], 1), "no-store");
    let lost = tempfile::tempdir().unwrap();
    fs::write(lost.path().join("litestream.json"), "{}").unwrap();
    let export = format!("export {missing}");
    let commands = [
        "backup",
        &export,
        "import --undo 9",
        "token status",
        "token revoke",
        "key list",
        "key revoke x",
        "trash list",
        "trash empty --yes",
        "webhooks resume",
        "replica status",
        "promote",
    ];
    for command in commands {
        let arguments: Vec<_> = command.split(' ').chain(["--json"]).collect();
        assert_eq!(failed(lost.path(), &arguments, 1), "store-lost", "{command}");
    }
    assert_eq!(failed(empty.path(), &["restore", &missing, "--json"], 1), "file-unavailable");
    assert_eq!(failed(empty.path(), &["backup", "--json", "--data"], 2), "usage");
    assert_eq!(failed(empty.path(), &["tokn", "--json"], 2), "usage");
    std::fs::write(empty.path().join("pleito.toml"), "[server]\nlisten = 1\n").unwrap();
    assert_eq!(failed(empty.path(), &["token", "status", "--json"], 1), "settings-refused");
    // The error code does not depend on whether a server is running.
    let office = Office::new();
    let other = tempfile::tempdir().unwrap();
    assert!(run(other.path(), &["token", "new", "--new"]).status.success());
    for folder in [office.folder(), other.path()] {
        assert_eq!(failed(folder, &["import", "--undo", "9", "--json"], 1), "not-found");
        assert_eq!(failed(folder, &["export", &missing, "--customer", "99999999", "--json"], 1), "not-found");
        assert_eq!(failed(folder, &["restore", &missing, "--json"], 1), "file-unavailable");
    }
}

#[test]
fn check_fails_if_the_named_folder_does_not_exist() {
    let folder = tempfile::tempdir().unwrap();
    let away = folder.path().join("away");
    let output = run_with(&away, &["check", "--json"], &FREE);
    assert_eq!(output.status.code(), Some(1));
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    let at = all["findings"].as_array().unwrap().iter().find(|finding| finding["point"] == "folder").unwrap();
    assert_eq!(at["ok"], false);
    assert!(at["text"].as_str().unwrap().contains("pleito serve --data-dir"), "{at}");
    assert!(!away.exists(), "check creates nothing");
}

#[test]
fn check_with_running_fails_if_no_server_runs() {
    let office = Office::new();
    let stopped = tempfile::tempdir().unwrap();
    private(stopped.path());
    for (folder, is_running) in [(office.folder(), true), (stopped.path(), false)] {
        let of = |arguments: &[&str]| {
            let all: Value = serde_json::from_slice(&run_with(folder, arguments, &FREE).stdout).unwrap();
            let findings = all["findings"].as_array().unwrap().clone();
            findings.into_iter().find(|finding| finding["point"] == "server").unwrap()["ok"] == true
        };
        assert!(of(&["check", "--json"]));
        assert_eq!(of(&["check", "--running", "--json"]), is_running);
    }
}

#[test]
fn variables_named_in_the_documentation_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [root.to_owned(), root.join("docs"), root.join("docs/pt")];
    let pages = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let pages =
        pages.map(|page| page.unwrap().path()).filter(|path| path.extension().is_some_and(|it| it == "md"));
    let text: String = pages.map(|page| std::fs::read_to_string(page).unwrap()).collect();
    let found = regex::Regex::new("PLEITO_[A-Z_]+").unwrap();
    let names: BTreeSet<&str> = found.find_iter(&text).map(|name| name.as_str()).collect();
    assert!(names.contains("PLEITO_WEBHOOK_SECRET") && names.len() >= 8, "{names:?}");
    let folder = tempfile::tempdir().unwrap();
    let other = ["PLEITO_DATA_DIR", "PLEITO_CONFIG"];
    for name in names.into_iter().filter(|name| !other.contains(name)) {
        // The value may still be invalid. Only the name is tested here.
        let (_, err) = streams(&run_with(folder.path(), &["config"], &[(name, "1")]));
        assert!(!err.contains("does not exist") && !err.contains("não existe"), "{err}");
    }
}

#[test]
fn check_reports_its_findings_point_by_point() {
    let office = Office::new();
    office.customer("Ana Souza", serde_json::json!({}));
    let here = office.address().to_string();
    let running = [("PLEITO_SERVER_LISTEN", here.as_str())];
    private(office.folder());
    let empty = tempfile::tempdir().unwrap();
    private(empty.path());
    for (folder, variables, about) in
        [(office.folder(), &running, "running on"), (empty.path(), &FREE, "not running")]
    {
        let output = run_with(folder, &["check", "--json"], variables);
        let all: Value = serde_json::from_slice(&output.stdout).unwrap();
        let findings = all["findings"].as_array().unwrap();
        let all_right = findings.iter().all(|finding| finding["ok"] == true);
        assert_eq!(
            (&all["ok"], output.status.code()),
            (&Value::Bool(all_right), Some(i32::from(!all_right)))
        );
        // The disk of the machine that runs this test may be full.
        for finding in findings.iter().filter(|finding| finding["point"] != "disk") {
            assert_eq!(finding["ok"], true, "{finding}");
        }
        let server = findings.iter().find(|finding| finding["point"] == "server").unwrap();
        assert!(server["text"].as_str().unwrap().contains(about), "{server}");
        for (lang, word) in [("en", "settings"), ("pt-BR", "configurações")] {
            let (out, err) = streams(&run_with(folder, &["check"], &[variables[0], ("PLEITO_LANG", lang)]));
            assert!(
                out.lines().count() == findings.len() + 1 && out.contains(word) && err.is_empty(),
                "{out}{err}"
            );
        }
    }
    assert_eq!(std::fs::read_dir(empty.path()).unwrap().count(), 0, "check creates nothing");
    // The server listens on another address than in its settings, and `check` still finds it.
    let (out, _) = streams(&run_with(office.folder(), &["check"], &[FREE[0], ("PLEITO_LANG", "en")]));
    assert!(out.contains(&format!("running on {here}")), "{out}");
}

/// Makes a folder private, because `check` warns about folders that other users can open.
fn private(folder: &std::path::Path) {
    #[cfg(unix)]
    std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let _ = folder;
}

#[test]
fn config_lists_every_setting_and_its_origin() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("pleito.toml"), "[limits]\npost_per_day = 7\n").unwrap();
    let output = run_with(folder.path(), &["config", "--json"], &[("PLEITO_LIMITS_POST_PER_DAY", "")]);
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    let setting =
        |key: &str| all["settings"].as_array().unwrap().iter().find(|one| one["key"] == key).unwrap().clone();
    assert_eq!(
        (&setting("limits.post_per_day")["value"], &setting("limits.post_per_day")["origin"]),
        (&7.into(), &"file".into())
    );
    assert_eq!(setting("limits.get_per_minute")["value"], 0, "from the environment");
    let (out, _) = streams(&run(folder.path(), &["config"]));
    for key in all["settings"].as_array().unwrap() {
        assert!(out.contains(key["key"].as_str().unwrap()), "{out}");
    }

    std::fs::write(folder.path().join("pleito.toml"), "[limits]\npost_a_day = 7\n").unwrap();
    for arguments in [&["config"][..], &["serve"], &["token", "new"], &["check"]] {
        let output = run(folder.path(), arguments);
        let (out, err) = streams(&output);
        assert_eq!((output.status.code(), out.as_str()), (Some(1), ""), "{arguments:?}");
        assert!(err.contains("post_a_day") && err.contains("pleito.toml"), "{err}");
    }
}

#[test]
fn every_command_has_help_in_both_languages() {
    let folder = tempfile::tempdir().unwrap();
    for words in [
        "",
        "serve",
        "token",
        "token new",
        "token status",
        "token revoke",
        "check",
        "trash",
        "trash list",
        "trash empty",
        "config",
        "demo",
        "backup",
        "restore",
    ] {
        let help = |lang: &str| {
            let arguments = words.split_whitespace().chain(["--help"]).collect::<Vec<_>>();
            let output = run_with(folder.path(), &arguments, &[("PLEITO_LANG", lang)]);
            let (out, err) = streams(&output);
            assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "{words}");
            assert!(
                out.contains(&format!("pleito {words}").trim_end().to_owned()) && out.contains("--data-dir"),
                "{out}"
            );
            out
        };
        let (pt, en) = (help("pt-BR"), help("en"));
        assert!(pt.contains("Uso:") && en.contains("Usage:") && !pt.contains("Usage"), "{pt}");
    }
    assert_eq!(
        streams(&run(folder.path(), &["--version"])).0,
        format!("pleito {}\n", env!("CARGO_PKG_VERSION"))
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn wrong_usage_exits_with_2() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        &["servir"][..],
        &["token"],
        &["token", "make"],
        &["serve", "--port", "1"],
        &["serve", "--listen", "x"],
        &["check", "now"],
    ] {
        let output = run(folder.path(), arguments);
        let (out, err) = streams(&output);
        assert_eq!((output.status.code(), out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(err.starts_with("pleito: "), "{err}");
    }
}
