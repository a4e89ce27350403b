//! Tests of the watch over the settings file.

use std::sync::{Arc, Mutex};

use super::*;

#[test]
fn a_changed_file_takes_effect_within_a_second_for_the_keys_that_need_no_restart() {
    let office = office("[limits]\nget_per_minute = 1\n");
    let (watch, pass) = watch(&office);
    let before = watch.current();
    office.write(
        "[limits]\nget_per_minute = 22\n[api]\ncompatibility = \"live\"\n[server]\nhosts = [\"a\"]\n\
         listen = \"127.0.0.1:1\"\n[log]\nlevel = \"trace\"\n",
    );
    pass(999);
    assert_eq!(watch.current(), before);
    pass(1);
    let now = watch.current();
    assert_eq!((now.limits.get_per_minute, now.limits.post_per_day), (22, 500));
    assert_eq!(now.api.compatibility, Compatibility::Live);
    assert_eq!(now.server.hosts, ["a"]);
    assert_eq!((now.server.listen, now.log.level), (before.server.listen, before.log.level));

    std::fs::remove_file(office.file()).unwrap();
    pass(1000);
    assert_eq!(watch.current().limits, settings::LimitSettings::default());
}

#[test]
fn an_invalid_file_changes_nothing_until_it_is_valid_again() {
    let office = office("[limits]\nget_per_minute = 1\n");
    let (watch, pass) = watch(&office);
    for wrong in ["[limits]\nget_per_minute = \"many\"\n", "[limits\n", "[server]\nlisten = \"0.0.0.0:1\"\n"]
    {
        office.write(wrong);
        pass(1000);
        assert_eq!(watch.current().limits.get_per_minute, 1, "{wrong}");
    }
    office.write("[limits]\nget_per_minute = 4444\n");
    pass(1000);
    assert_eq!(watch.current().limits.get_per_minute, 4444);
}

#[test]
fn the_environment_still_overrides_a_changed_file() {
    let office = office("").with("PLEITO_LIMITS_GET_PER_MINUTE", "5");
    let (watch, pass) = watch(&office);
    office.write("[limits]\nget_per_minute = 6\n");
    pass(1000);
    assert_eq!(watch.current().limits.get_per_minute, 5);
}

#[test]
fn an_invalid_file_is_logged_once_and_not_at_every_check() {
    let office = office("");
    let (watch, pass) = watch(&office);
    office.write("[limits]\nget_per_minute = -1\n");
    let errors = Arc::new(Mutex::new(0));
    let counter = Arc::clone(&errors);
    let count = tracing_subscriber::fmt().with_writer(move || {
        *counter.lock().unwrap() += 1;
        std::io::sink()
    });
    tracing::subscriber::with_default(count.finish(), || {
        for _ in 0..5 {
            pass(1000);
            watch.current();
        }
    });
    assert_eq!(*errors.lock().unwrap(), 1);
}
