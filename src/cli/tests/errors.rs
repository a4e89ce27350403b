//! Tests of the errors of invalid command lines.

use super::*;

/// Invalid command lines, with the Portuguese and the English error.
pub(super) const WRONG: [(&str, &str, &str); 38] = [
    (
        "tokn",
        "o comando tokn não existe; você quis dizer token?",
        "there is no command tokn; did you mean token?",
    ),
    (
        "xyz",
        "o comando xyz não existe; há: serve, token, key, backup, restore, export, import, check, trash, webhooks, config, console, autostart, service, replica, promote, mcp, demo",
        "there is no command xyz; there are: serve, token, key, backup, restore, export, import, check, trash, webhooks, config, console, autostart, service, replica, promote, mcp, demo",
    ),
    (
        "token xyz",
        "o comando xyz não existe; há: new, status, revoke",
        "there is no command xyz; there are: new, status, revoke",
    ),
    (
        "token",
        "falta um comando depois de pleito token; há: new, status, revoke",
        "a command is missing after pleito token; there are: new, status, revoke",
    ),
    (
        "key new n8n",
        "falta <--read|--write|--manage|--address <LISTA>|--assistant>",
        "missing: <--read|--write|--manage|--address <LIST>|--assistant>",
    ),
    ("key new n8n --read --write", "use --read ou --write, não os dois", "use --read or --write, not both"),
    (
        "token new --jsn",
        "a opção --jsn não existe aqui; você quis dizer --json?",
        "there is no option --jsn here; did you mean --json?",
    ),
    ("-x", "a opção -x não existe aqui", "there is no option -x here"),
    ("--json", "a opção --json não existe aqui", "there is no option --json here"),
    ("check --listen 127.0.0.1:1", "a opção --listen é só de serve", "the option --listen is for serve only"),
    ("token new --listen=x", "a opção --listen é só de serve", "the option --listen is for serve only"),
    (
        "serve --port 1",
        "a opção --port não existe aqui; você quis dizer --listen?",
        "there is no option --port here; did you mean --listen?",
    ),
    ("check --port 1", "a opção --port não existe aqui", "there is no option --port here"),
    (
        "token nw",
        "o comando nw não existe; você quis dizer new?",
        "there is no command nw; did you mean new?",
    ),
    ("--listen 127.0.0.1:1 check", "a opção --listen é só de serve", "the option --listen is for serve only"),
    ("serve extra", "o argumento extra está a mais", "the argument extra is one too many"),
    ("-- serve", "o argumento serve está a mais", "the argument serve is one too many"),
    (
        "serve --listen",
        "falta o valor de --listen <ENDEREÇO:PORTA>",
        "the value of --listen <ADDR:PORT> is missing",
    ),
    ("check --data-dir=", "falta o valor de --data-dir <PASTA>", "the value of --data-dir <DIR> is missing"),
    (
        "serve --listen localhost",
        "valor inválido para --listen <ENDEREÇO:PORTA>: localhost; deve ser endereço e porta, como 127.0.0.1:8743 ou [::1]:8743",
        "invalid value for --listen <ADDR:PORT>: localhost; it must be an address and a port, such as 127.0.0.1:8743 or [::1]:8743",
    ),
    (
        "--listen=",
        "valor inválido para --listen <ENDEREÇO:PORTA>: \"\"; deve ser endereço e porta, como 127.0.0.1:8743 ou [::1]:8743",
        "invalid value for --listen <ADDR:PORT>: \"\"; it must be an address and a port, such as 127.0.0.1:8743 or [::1]:8743",
    ),
    ("demo --customers 1 --lawsuits 1", "falta --data-dir <PASTA>", "missing: --data-dir <DIR>"),
    ("demo --data-dir x --lawsuits 1", "falta --customers <QUANTOS>", "missing: --customers <COUNT>"),
    (
        "demo --customers 50000001 --lawsuits 1 --data-dir x",
        "valor inválido para --customers <QUANTOS>: 50000001; deve ser um número de 0 a 50000000",
        "invalid value for --customers <COUNT>: 50000001; it must be a number from 0 to 50000000",
    ),
    (
        "demo --customers 1 --lawsuits -1 --data-dir x",
        "a opção -1 não existe aqui",
        "there is no option -1 here",
    ),
    (
        "demo --customers 1 --lawsuits 1 --seed x --data-dir x",
        "valor inválido para --seed <NÚMERO>: x; deve ser um número inteiro",
        "invalid value for --seed <NUMBER>: x; it must be a whole number",
    ),
    (
        "import --from-api x --compatibility cloud",
        "valor inválido para --compatibility <MODO>: cloud; deve ser document ou live",
        "invalid value for --compatibility <MODE>: cloud; it must be document or live",
    ),
    (
        "import x.csv --dates ymd",
        "valor inválido para --dates <ORDEM>: ymd; deve ser dmy ou mdy",
        "invalid value for --dates <ORDER>: ymd; it must be dmy or mdy",
    ),
    (
        "import --area-code 5 a.csv",
        "valor inválido para --area-code <DDD>: 5; deve ser um DDD do Brasil, como 48",
        "invalid value for --area-code <CODE>: 5; it must be an area code of Brazil, such as 48",
    ),
    (
        "import --headings-line 0 a.csv",
        "valor inválido para --headings-line <NÚMERO>: 0; deve ser um número inteiro a partir de 1",
        "invalid value for --headings-line <NUMBER>: 0; it must be a whole number of 1 or more",
    ),
    (
        "import --undo x",
        "valor inválido para --undo <NÚMERO>: x; deve ser um número inteiro a partir de 1",
        "invalid value for --undo <NUMBER>: x; it must be a whole number of 1 or more",
    ),
    (
        "export --customer 0 a",
        "valor inválido para --customer <NÚMERO>: 0; deve ser um número inteiro a partir de 1",
        "invalid value for --customer <NUMBER>: 0; it must be a whole number of 1 or more",
    ),
    (
        "import --map Telefone a.csv",
        "valor inválido para --map <CABEÇALHO=MEMBRO>: Telefone; deve ter a forma CABEÇALHO=MEMBRO",
        "invalid value for --map <HEADING=MEMBER>: Telefone; it must have the form HEADING=MEMBER",
    ),
    (
        "import --set Origem a.csv",
        "valor inválido para --set <MEMBRO=VALOR>: Origem; deve ter a forma MEMBRO=VALOR",
        "invalid value for --set <MEMBER=VALUE>: Origem; it must have the form MEMBER=VALUE",
    ),
    ("token new --json=1", "--json não leva valor, e recebeu 1", "--json takes no value, and was given 1"),
    ("restore a.zst --latest", "use <ARQUIVO> ou --latest, não os dois", "use <FILE> or --latest, not both"),
    ("restore", "falta <ARQUIVO>", "missing: <FILE>"),
    (
        "--config a --config b",
        "--config <ARQUIVO> só pode aparecer uma vez",
        "--config <FILE> may be given only once",
    ),
];

#[test]
fn invalid_command_lines_are_refused_with_a_suggestion() {
    for (line, pt, en) in WRONG {
        for (lang, sentence) in [(Lang::Pt, pt), (Lang::En, en)] {
            let stop = stopped(line, lang);
            let sentence =
                if cfg!(target_os = "linux") { sentence } else { &sentence.replace(" service,", "") };
            assert_eq!(stop.text.lines().next(), Some(format!("pleito: {sentence}").as_str()), "{line}");
            assert!(stop.text.ends_with("--help.\n"), "{line}");
            assert_eq!((stop.to_stderr, stop.code), (true, 2), "{line}");
        }
    }
}

#[test]
fn an_error_shows_the_usage_of_its_command() {
    let expected = "pleito: falta um comando depois de pleito token; há: new, status, revoke\n\
                    Uso: pleito token [OPÇÕES] <COMANDO>\nPara saber mais, acrescente --help.\n";
    assert_eq!(stopped("token", Lang::Pt).text, expected);
}
