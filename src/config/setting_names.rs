//! Finds settings by name, and suggests the name that was meant by a misspelt one.

pub use super::settings::{KEYS, Key};
pub use super::value_types::{address, host};

/// Returns the setting with this name, section included.
pub fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

/// Returns the distinct names of the sections, in the order of the table.
pub fn sections() -> Vec<&'static str> {
    let mut sections: Vec<_> = KEYS.iter().filter_map(|key| key.name.split('.').next()).collect();
    sections.dedup();
    sections
}

/// Returns the name that is most similar to `wrong`. Returns `None` if no name is similar enough.
pub fn nearest<S: AsRef<str>>(wrong: &str, names: impl IntoIterator<Item = S>) -> Option<S> {
    let near = |name: &str| {
        let same_without_section =
            name.split_once('.').is_some_and(|(_, key)| wrong.rsplit('.').next() == Some(key));
        if same_without_section { 1.0 } else { strsim::normalized_damerau_levenshtein(wrong, name) }
    };
    let scored = names.into_iter().map(|name| (near(name.as_ref()), name));
    // Two differing letters of five still look like a slip; more would be another word.
    let near_enough = scored.filter(|(score, _)| *score >= 0.6);
    // The first of equals wins, as the table begins with the keys that are set most often.
    near_enough.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use toml::Value;

    use super::*;
    use crate::config::Settings;

    #[test]
    fn every_key_is_described_in_both_languages() {
        for key in KEYS {
            for (pt, en) in [key.meaning, key.right].into_iter().chain(key.default) {
                assert!(!pt.is_empty() && !en.is_empty(), "{}", key.name);
                assert_ne!(pt, en, "{}", key.name);
            }
            assert!(
                key.right.0.starts_with("deve ser") && key.right.1.starts_with("must be"),
                "{}",
                key.name
            );
        }
    }

    #[test]
    fn names_are_unique_and_the_keys_of_a_section_are_adjacent() {
        let mut names: Vec<_> = KEYS.iter().map(|key| key.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), KEYS.len());
        assert_eq!(
            sections(),
            [
                "server",
                "lan",
                "console",
                "limits",
                "api",
                "mcp",
                "documents",
                "trash",
                "changes",
                "office",
                "backup",
                "replica",
                "log"
            ]
        );
    }

    #[test]
    fn the_defaults_are_those_of_the_product() {
        let shown: Vec<_> =
            KEYS.iter().map(|key| format!("{} = {}", key.name, key.default_value())).collect();
        assert_eq!(
            shown,
            [
                "server.listen = \"127.0.0.1:8743\"",
                "server.hosts = []",
                "server.plain_http_on_lan = false",
                "server.metrics = false",
                "lan.enabled = true",
                "lan.listen = \"0.0.0.0:8744\"",
                "lan.discovery = true",
                "console.on_network = true",
                "limits.get_per_minute = 30",
                "limits.post_per_day = 100",
                "limits.put_per_day = 500",
                "limits.delete_per_day = 100",
                "limits.per_key = false",
                "api.compatibility = \"document\"",
                "api.unknown_parameters = \"ignore\"",
                "mcp.write = false",
                "mcp.mask = false",
                "documents.max_mib = 100",
                "documents.refuse_programs = true",
                "trash.keep_days = 0",
                "changes.values_keep_days = 1825",
                "office.name = \"\"",
                "office.city = \"\"",
                "office.time_zone = \"America/Sao_Paulo\"",
                "backup.enabled = true",
                "backup.every = \"1d\"",
                "backup.keep = \"14d 12m\"",
                "backup.encrypt_to = []",
                "backup.dir = \"\"",
                "replica.target = \"\"",
                "log.level = \"info\"",
                "log.format = \"plain\"",
                "log.keep_days = 14",
            ]
        );
    }

    /// Each case lists a key, its valid values as `written` returns them, and invalid values.
    #[test]
    fn valid_values_survive_a_round_trip_and_invalid_ones_change_nothing() {
        let text = |text: &str| Value::from(text);
        let list = |items: &[&str]| Value::from(items.to_vec());
        let number = |number: i64| Value::from(number);
        let long = "é".repeat(200);
        let cases: [(&str, Vec<Value>, Vec<Value>); 24] = [
            (
                "server.listen",
                vec![text("127.0.0.1:0"), text("[::1]:65535"), text("0.0.0.0:80")],
                vec![
                    text("localhost"),
                    text("localhost:+1"),
                    text("pc:8743"),
                    text("127.0.0.1"),
                    text("127.0.0.1:65536"),
                    number(8743),
                ],
            ),
            (
                "server.hosts",
                vec![list(&[]), list(&["pc_1.escritorio.lan", "192.0.2.7", "2001:db8::1"])],
                vec![
                    list(&["http://x"]),
                    list(&["x:1"]),
                    list(&["a..b"]),
                    list(&["-a"]),
                    list(&["192.0.2"]),
                    list(&["ação.lan"]),
                    list(&[&"a".repeat(64)]),
                    list(&[""]),
                    text("x"),
                ],
            ),
            ("server.metrics", vec![Value::Boolean(true)], vec![text("true"), number(1)]),
            ("server.plain_http_on_lan", vec![Value::Boolean(true)], vec![text("true"), number(1)]),
            ("lan.enabled", vec![Value::Boolean(false)], vec![text("false"), number(0)]),
            (
                "lan.listen",
                vec![text("0.0.0.0:1"), text("[::]:8744")],
                vec![text("*:8744"), text("pc"), number(1)],
            ),
            ("replica.target", vec![text(""), text("sftp://ana@nas/pleito")], vec![number(1), text("a\nb")]),
            ("lan.discovery", vec![Value::Boolean(false)], vec![text("no")]),
            (
                "limits.get_per_minute",
                vec![number(0), number(4294967295)],
                vec![number(-1), number(4294967296), text("3")],
            ),
            ("limits.post_per_day", vec![number(7)], vec![number(-1)]),
            ("limits.put_per_day", vec![number(7)], vec![number(-1)]),
            ("limits.delete_per_day", vec![number(7)], vec![number(-1)]),
            ("limits.per_key", vec![Value::Boolean(true)], vec![number(1)]),
            ("api.compatibility", vec![text("live"), text("document")], vec![text("Live"), text("")]),
            ("api.unknown_parameters", vec![text("refuse"), text("ignore")], vec![text("warn"), text("")]),
            ("mcp.write", vec![Value::Boolean(true)], vec![text("true"), number(1)]),
            ("mcp.mask", vec![Value::Boolean(true)], vec![text("true"), number(1)]),
            (
                "office.name",
                vec![text(""), text(&long)],
                vec![text(&format!("{long}é")), text("a\nb"), number(1)],
            ),
            ("office.city", vec![text(""), text("Criciúma")], vec![text("a\nb")]),
            (
                "office.time_zone",
                vec![text("America/Manaus"), text("UTC")],
                vec![text("Brasil"), text(""), number(-3)],
            ),
            (
                "log.level",
                (find("log.level").unwrap().choices)().into_iter().map(|(level, _)| text(level)).collect(),
                vec![text("INFO"), number(3)],
            ),
            ("log.format", vec![text("json"), text("plain")], vec![text("xml")]),
            ("changes.values_keep_days", vec![number(0), number(36_500)], vec![number(-1), number(36_501)]),
            ("log.keep_days", vec![number(1), number(3650)], vec![number(0), number(3651), number(-1)]),
        ];
        for (name, right, wrong) in cases {
            let key = find(name).unwrap();
            let mut settings = Settings::default();
            for value in right {
                assert_eq!((key.set)(&mut settings, &value), Some(()), "{name} = {value}");
                assert_eq!(key.written(&settings), Some(value), "{name}");
            }
            let before = settings.clone();
            for value in wrong {
                assert_eq!((key.set)(&mut settings, &value), None, "{name} = {value}");
                assert_eq!(settings, before, "{name} = {value}");
            }
        }
    }

    #[test]
    fn a_text_is_parsed_by_the_type_of_its_key() {
        let read = |key: &str, text: &str| find(key).unwrap().from_text(text);
        assert_eq!(read("server.hosts", "a, b,"), Some(vec!["a", "b"].into()));
        assert_eq!(read("log.keep_days", " 7 "), Some(Value::Integer(7)));
        assert_eq!(read("log.keep_days", "sete"), None);
        assert_eq!(read("lan.enabled", "true"), Some(Value::Boolean(true)));
        assert_eq!(read("lan.enabled", "yes"), None);
        assert_eq!(read("office.name", " 7 "), Some(Value::from(" 7 ")));
    }

    #[test]
    fn localhost_is_read_as_the_loopback_address() {
        for text in ["localhost:8743", " LocalHost:8743 "] {
            assert_eq!(address(text), Some("127.0.0.1:8743".parse().unwrap()));
        }
    }

    #[test]
    fn a_zone_without_a_name_has_no_value_to_write() {
        let mut settings = Settings::default();
        settings.office.time_zone = jiff::tz::TimeZone::fixed(jiff::tz::offset(-3));
        assert_eq!(find("office.time_zone").unwrap().written(&settings), None);
    }

    #[test]
    fn host_names_are_normalized() {
        assert_eq!(host(" Pleito.Local. "), Some("pleito.local".to_owned()));
        assert_eq!(host("[2001:DB8::1]"), Some("2001:db8::1".to_owned()));
        assert_eq!(host("[pleito]"), None);
    }

    #[test]
    fn similar_names_are_suggested_and_unrelated_ones_are_not() {
        let names = || KEYS.iter().map(|key| key.name);
        assert_eq!(nearest("limits.get_per_minutes", names()), Some("limits.get_per_minute"));
        assert_eq!(nearest("limit.get_per_minute", names()), Some("limits.get_per_minute"));
        assert_eq!(nearest("listen", names()), Some("server.listen"));
        assert_eq!(nearest("log.hosts", names()), Some("server.hosts"));
        assert_eq!(nearest("colour.scheme", names()), None);
    }
}
