//! Tests of writing one setting into the file: preserved content, errors, and notification of subscribers.

use super::*;

impl Office {
    fn text(&self) -> String {
        std::fs::read_to_string(self.file()).unwrap()
    }

    fn set(&self, key: &str, value: impl Into<Value>) -> Result<(), Refused> {
        self.load().unwrap().write(setting_names::find(key).unwrap(), &value.into())
    }

    /// Returns the English error for an invalid value, without the folder's path.
    fn refuses(&self, key: &str, value: impl Into<Value>) -> String {
        let folder = format!("{}{}", self.dir.path().display(), std::path::MAIN_SEPARATOR);
        let refused = self.set(key, value).unwrap_err();
        assert_eq!(refused.0.len(), 1);
        refused.0[0].message(Lang::En).replace(&folder, "")
    }
}

#[test]
fn order_comments_and_other_settings_are_preserved() {
    let office = office(
        "# Escritório\n\n[limits] # por minuto\nput_per_day   = 5   # poucas\nget_per_minute = 1 # uma\n\n\
         # fim\n[log]\nlevel = 'warn'\n# tchau\n",
    );
    office.set("limits.get_per_minute", 60).unwrap();
    office.set("log.keep_days", 7).unwrap();
    office.set("server.hosts", vec!["a.lan", "b"]).unwrap();
    assert_eq!(
        office.text(),
        "# Escritório\n\n[limits] # por minuto\nput_per_day   = 5   # poucas\nget_per_minute = 60 # uma\n\n\
         # fim\n[log]\nlevel = 'warn'\nkeep_days = 7\n\n[server]\nhosts = [\"a.lan\", \"b\"]\n# tchau\n"
    );
    let settings = office.load().unwrap().settings;
    assert_eq!((settings.limits.get_per_minute, settings.limits.put_per_day), (60, 5));
    assert_eq!(settings.server.hosts, ["a.lan", "b"]);
    assert_eq!(std::fs::read_dir(office.dir.path()).unwrap().count(), 1, "no temporary file is left");
}

#[test]
fn dotted_keys_and_inline_tables_are_changed_in_place() {
    let office = office("limits.get_per_minute = 7\nlog = { level = \"warn\" }\n");
    office.set("limits.get_per_minute", 8).unwrap();
    office.set("limits.put_per_day", 9).unwrap();
    office.set("log.keep_days", 3).unwrap();
    assert_eq!(
        office.text(),
        "limits.get_per_minute = 8\nlimits.put_per_day = 9\nlog = { level = \"warn\" , keep_days = 3 }\n"
    );
}

#[test]
fn a_missing_file_is_created_with_its_folders_and_private_permissions() {
    let mut office = office("");
    office.flags.data_dir = Some(office.dir.path().join("a/b"));
    office.set("office.name", "Silva \"& Souza\"").unwrap();
    let file = office.dir.path().join("a/b/pleito.toml");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "[office]\nname = 'Silva \"& Souza\"'\n");
    assert_eq!(office.load().unwrap().settings.office.name, "Silva \"& Souza\"");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
        office.set("office.name", "Silva").unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o644);
    }
}

#[test]
fn line_endings_and_byte_order_mark_of_a_windows_editor_are_preserved() {
    let office = office("\u{feff}# nome\r\n[office]\r\nname = \"A\"\r\n");
    office.set("office.name", "B").unwrap();
    office.set("log.keep_days", 3).unwrap();
    let expected = "\u{feff}# nome\r\n[office]\r\nname = \"B\"\r\n\r\n[log]\r\nkeep_days = 3\r\n";
    assert_eq!(office.text(), expected);
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_is_followed_and_kept() {
    let office = office("");
    let real = office.dir.path().join("real.toml");
    std::fs::write(&real, "[log]\nkeep_days = 1\n").unwrap();
    std::os::unix::fs::symlink(&real, office.file()).unwrap();
    office.set("log.keep_days", 2).unwrap();
    assert!(office.file().is_symlink());
    assert_eq!(std::fs::read_to_string(real).unwrap(), "[log]\nkeep_days = 2\n");
}

#[test]
fn a_setting_overridden_elsewhere_is_refused_with_its_origin() {
    let by_variable = office("").with("PLEITO_LOG_KEEP_DAYS", "5");
    let error = by_variable.refuses("log.keep_days", 6);
    assert!(
        error.starts_with("log.keep_days: the current value comes from variable PLEITO_LOG_KEEP_DAYS"),
        "{error}"
    );
    let by_flag = office("").listening("127.0.0.1:3");
    let error = by_flag.refuses("server.listen", "127.0.0.1:4");
    assert!(error.starts_with("server.listen: the current value comes from option --listen"), "{error}");
    for office in [by_variable, by_flag] {
        assert!(!office.file().exists());
    }
}

#[test]
fn a_setting_is_written_only_if_the_whole_file_stays_valid() {
    let before = "[log]\nkeep_days = 1\n";
    let office = office(before);
    let error = office.refuses("log.keep_days", 0);
    assert_eq!(
        error,
        "log.keep_days (pleito.toml, line 2): invalid value: 0; must be a whole number from 1 to 3650"
    );
    assert!(office.refuses("server.listen", "0.0.0.0:1").contains("would let data cross the network"));
    assert_eq!(office.text(), before);

    let config = office.load().unwrap();
    let key = setting_names::find("log.keep_days").unwrap();
    for wrong in ["log = 3\n", "[log\n", "[log]\nkeep_days = 1\n[colour]\n"] {
        office.write(wrong);
        assert!(config.write(key, &2.into()).is_err());
        assert_eq!(office.text(), wrong);
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_is_reported() {
    let mut office = office("");
    let nowhere = office.dir.path().join("nowhere");
    std::os::unix::fs::symlink(office.dir.path().join("gone"), &nowhere).unwrap();
    office.flags.data_dir = Some(nowhere);
    let error = office.refuses("log.keep_days", 2);
    assert!(error.starts_with("nowhere/pleito.toml: cannot be written: "), "{error}");
}

#[test]
fn settings_written_by_the_program_apply_at_once_and_notify_subscribers() {
    let office = office("[limits]\nget_per_minute = 1\n");
    let (watch, _) = watch(&office);
    let mut subscription = watch.subscribe();
    for count in [22, 33] {
        watch.write(setting_names::find("limits.get_per_minute").unwrap(), &count.into()).unwrap();
        assert_eq!(i64::from(watch.current().limits.get_per_minute), count);
        assert!(subscription.has_changed().unwrap());
        assert_eq!(i64::from(subscription.borrow_and_update().limits.get_per_minute), count);
    }
    watch.write(setting_names::find("log.keep_days").unwrap(), &3.into()).unwrap();
    assert_eq!(watch.current().log.keep_days, 14, "needs a restart");
    assert!(!subscription.has_changed().unwrap());
    assert_eq!(office.load().unwrap().settings.log.keep_days, 3);
}

#[test]
fn an_edited_file_notifies_subscribers_at_the_next_check() {
    let office = office("");
    let (watch, pass) = watch(&office);
    let subscription = watch.subscribe();
    office.write("[limits]\nget_per_minute = 4\n");
    pass(1000);
    assert!(!subscription.has_changed().unwrap());
    watch.current();
    assert!(subscription.has_changed().unwrap());
}
