//! Tests of refused settings: which are refused, and the errors in both languages.

use super::*;

/// Returns an instance whose file and environment have every kind of mistake in keys and values.
fn wrong_everywhere() -> Office {
    let toml = "colour = 1\nlimits = 3\n[server]\nlisten = 8743\nlisen = \"x\"\nhosts = \"a\"\n\
                [log]\nkeep_days = \"14\"\nlevel = \"loud\"\n[limit]\nx = 1\n[office]\naddress = \"Rua A\"\n";
    office(toml)
        .with("PLEITO_LIMITS_PUT_PER_DAY", "many")
        .with("PLEITO_SERVER_HOSTS", "http://x")
        .with("PLEITO_SERVER_LISEN", "x")
}

#[test]
fn all_errors_are_reported_at_once_with_key_place_and_remedy() {
    assert_eq!(
        wrong_everywhere().refused(Lang::En).join("\n"),
        "\
colour (pleito.toml, line 1): does not exist; there are: server, lan, console, limits, api, mcp, documents, trash, changes, office, backup, replica, log
limits (pleito.toml, line 2): is a section; write [limits] and its keys below it
server.listen (pleito.toml, line 4): invalid value: 8743; must be an address and a port, such as 127.0.0.1:8743 or \
[::1]:8743, in quotes
server.lisen (pleito.toml, line 5): does not exist; did you mean server.listen?
server.hosts (pleito.toml, line 6): invalid value: \"a\"; must be a list of names or addresses without a port, such as \
pleito.office.lan and 192.168.0.10, in the form [\"one\", \"another\"]
log.keep_days (pleito.toml, line 8): invalid value: \"14\"; must be a whole number from 1 to 3650, without quotes
log.level (pleito.toml, line 9): invalid value: \"loud\"; must be error, warn, info, debug or trace
limit (pleito.toml, line 10): does not exist; did you mean limits?
office.address (pleito.toml, line 13): does not exist; there are: office.name, office.city, office.time_zone
limits.put_per_day (variable PLEITO_LIMITS_PUT_PER_DAY): invalid value: \"many\"; must be a whole number from 0 to \
4294967295 (0 = no limit)
server.hosts (variable PLEITO_SERVER_HOSTS): invalid value: \"http://x\"; must be a list of names or addresses without a \
port, such as pleito.office.lan and 192.168.0.10, separated by commas"
    );
}

#[test]
fn all_errors_are_reported_in_portuguese() {
    assert_eq!(
        wrong_everywhere().refused(Lang::Pt).join("\n"),
        "\
colour (pleito.toml, linha 1): não existe; há: server, lan, console, limits, api, mcp, documents, trash, changes, office, backup, replica, log
limits (pleito.toml, linha 2): é uma seção; escreva [limits] e, abaixo, as chaves dela
server.listen (pleito.toml, linha 4): valor inválido: 8743; deve ser endereço e porta, como 127.0.0.1:8743 ou [::1]:8743, \
entre aspas
server.lisen (pleito.toml, linha 5): não existe; você quis dizer server.listen?
server.hosts (pleito.toml, linha 6): valor inválido: \"a\"; deve ser uma lista de nomes ou endereços sem porta, como \
pleito.escritorio.lan e 192.168.0.10, no formato [\"um\", \"outro\"]
log.keep_days (pleito.toml, linha 8): valor inválido: \"14\"; deve ser um número inteiro de 1 a 3650, sem aspas
log.level (pleito.toml, linha 9): valor inválido: \"loud\"; deve ser error, warn, info, debug ou trace
limit (pleito.toml, linha 10): não existe; você quis dizer limits?
office.address (pleito.toml, linha 13): não existe; há: office.name, office.city, office.time_zone
limits.put_per_day (variável PLEITO_LIMITS_PUT_PER_DAY): valor inválido: \"many\"; deve ser um número inteiro de 0 a \
4294967295 (0 = sem limite)
server.hosts (variável PLEITO_SERVER_HOSTS): valor inválido: \"http://x\"; deve ser uma lista de nomes ou endereços sem \
porta, como pleito.escritorio.lan e 192.168.0.10, separados por vírgulas"
    );
}

#[test]
fn an_invalid_value_is_refused_even_if_another_layer_overrides_it() {
    let office = office("[limits]\nget_per_minute = -1\n").with("PLEITO_LIMITS_GET_PER_MINUTE", "5");
    assert_eq!(office.refused(Lang::En).len(), 1);
}

#[test]
fn values_of_unsupported_types_are_refused() {
    for value in ["1.5", "2026-11-21", "{ a = 1 }", "[1, 2]", "9223372036854775808", "[[\"a\"]]"] {
        for key in setting_names::KEYS {
            let office = office(&format!("{} = {value}\n", key.name));
            let lines = office.refused(Lang::En);
            assert!(lines[0].starts_with(&format!(
                "{} (pleito.toml, line 1): invalid value: {value}; must be",
                key.name
            )));
        }
    }
}

#[test]
fn invalid_toml_is_reported_with_line_and_column() {
    let mut office = office("[limits]\nget_per_minute = = 3\n").with("PLEITO_LOG_KEEP_DAYS", "0");
    let lines = office.refused(Lang::Pt);
    assert!(lines[0].starts_with("pleito.toml, linha 2, coluna 18: não é TOML válido ("), "{lines:?}");
    assert!(
        lines[1].starts_with("log.keep_days (variável PLEITO_LOG_KEEP_DAYS): valor inválido: \"0\""),
        "{lines:?}"
    );
    office.around.variables.clear();
    office.write("[log]\nlevel = \"info\"\nlevel = \"warn\"\n");
    assert!(office.refused(Lang::En)[0].starts_with("pleito.toml, line 3, column 1: is not valid TOML ("));
}

#[test]
fn invalid_utf_8_is_reported_with_its_line() {
    let office = office("");
    std::fs::write(office.file(), b"[office]\nname = \"Escrit\xf3rio\"\n").unwrap();
    let expected = "pleito.toml, linha 2: não está em UTF-8; salve o arquivo como UTF-8";
    assert_eq!(office.refused(Lang::Pt), [expected]);
}

#[test]
fn a_long_invalid_value_is_shortened() {
    let line = office(&format!("[log]\nlevel = \"{}\"\n", "a ".repeat(500))).refused(Lang::En).remove(0);
    assert!(line.contains("a…") && line.len() < 200, "{line}");
}

#[test]
fn a_network_address_needs_the_explicit_setting() {
    for address in ["0.0.0.0:8743", "192.0.2.7:8743", "[::]:8743", "[2001:db8::1]:8743"] {
        let lines = office("").listening(address).refused(Lang::En);
        let expected = format!(
            "server.listen (option --listen): {address} would let data cross the network unencrypted; use an address of \
             this machine, such as 127.0.0.1:8743, or allow it with server.plain_http_on_lan = true"
        );
        assert_eq!(lines, [expected]);
        assert!(
            office("[server]\nplain_http_on_lan = true\n").listening(address).load().is_ok(),
            "{address}"
        );
    }
    for address in ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "[::ffff:127.0.0.1]:1"] {
        assert!(office("").listening(address).load().is_ok(), "{address}");
    }
}

#[test]
fn the_error_message_has_a_heading_in_both_languages() {
    let refused = Refused(vec![SettingsError::no_home()]);
    let pt = "as configurações não foram aceitas:\n  --data-dir: o usuário não tem pasta pessoal; \
              indique uma pasta com --data-dir ou PLEITO_DATA_DIR";
    assert_eq!(refused.message(Lang::Pt), pt);
    assert!(refused.to_string().starts_with("the settings were refused:\n  --data-dir: "));
}

/// Tests values on both sides of each bound (resources 19).
#[test]
fn numbers_outside_their_bounds_are_refused() {
    for (key, taken, refused) in [
        ("documents.max_mib", ["1", "2048"], ["0", "2049"]),
        ("trash.keep_days", ["0", "36500"], ["-1", "36501"]),
        ("limits.delete_per_day", ["0", "4294967295"], ["-1", "4294967296"]),
    ] {
        for value in taken {
            assert!(office(&format!("{key} = {value}\n")).load().is_ok(), "{key} = {value}");
        }
        for value in refused {
            assert_eq!(office(&format!("{key} = {value}\n")).refused(Lang::En).len(), 1, "{key} = {value}");
        }
    }
}
