//! Generates the manual page and the shell completions from the syntax of the command line, for packages to install.

use clap::{Arg, Command};
use clap_complete::Shell;

use super::tree::tree;
use crate::config::VARIABLES;
use crate::domain::Bilingual;
use crate::domain::lang::Lang;

pub(super) fn completions(shell: Shell, lang: Lang) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut tree(lang), "pleito", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Returns the manual page pleito(1). All commands are on one page, so that a single search finds any option.
pub(super) fn page(lang: Lang) -> String {
    let whole = tree(lang);
    let about = whole.get_about().map(ToString::to_string).unwrap_or_default();
    let title = lang.pick("Comandos do usuário", "User Commands");
    let mut page = format!(".TH PLEITO 1 \"\" \"Pleito {}\" \"{title}\"\n", env!("CARGO_PKG_VERSION"));
    page += &format!(".SH {}\npleito \\- {}\n", lang.pick("NOME", "NAME"), escaped(&about));
    let synopsis = lang.pick("[OPÇÕES] [COMANDO]", "[OPTIONS] [COMMAND]");
    page += &format!(".SH {}\n.B pleito\n{}\n", lang.pick("SINOPSE", "SYNOPSIS"), escaped(synopsis));
    page += &format!(".SH {}\n", lang.pick("OPÇÕES", "OPTIONS"));
    page.extend(whole.get_arguments().map(argument));
    page += &format!(".SH {}\n", lang.pick("COMANDOS", "COMMANDS"));
    page += &commands(&whole, "pleito");
    let exit = lang.pick(
        "0: feito; 1: falhou; 2: uso incorreto; 3: o escritório está em outra máquina ou pasta, e `pleito serve` não o atende aqui. O resultado vai para a saída padrão, o resto para a saída de erro.",
        "0: done; 1: failed; 2: wrong usage; 3: the office is on another machine or in another folder, and `pleito serve` does not serve it here. Results go to standard output, everything else to standard error.",
    );
    page += &format!(".SH {}\n{}\n", lang.pick("CÓDIGOS DE SAÍDA", "EXIT STATUS"), escaped(exit));
    for (heading, entries) in [
        (("AMBIENTE", "ENVIRONMENT"), environment(lang)),
        (("ARQUIVOS", "FILES"), listed(&FILES, lang)),
        (("EXEMPLOS", "EXAMPLES"), listed(&EXAMPLES, lang)),
    ] {
        page += &format!(".SH {}\n{entries}", lang.pick(heading.0, heading.1));
    }
    page
}

/// The files and folders on Linux, for the section FILES.
const FILES: [(&str, Bilingual); 8] = [
    (
        "~/.local/share/pleito",
        (
            "A pasta de dados; com --data-dir, essa pasta, e tudo o que segue fica nela.",
            "The data folder; with --data-dir that folder, and everything below is in it.",
        ),
    ),
    (
        "/var/lib/pleito",
        (
            "A pasta de dados do serviço desta máquina, com pleito.toml e logs/.",
            "The data folder of the service of this machine, with pleito.toml and logs/.",
        ),
    ),
    ("pleito.db", ("O escritório, na pasta de dados.", "The office, in the data folder.")),
    (
        "documents/",
        ("Os arquivos dos documentos, na pasta de dados.", "The files of documents, in the data folder."),
    ),
    (
        "backups/",
        (
            "Os backups, na pasta de dados, a não ser que backup.dir diga outra.",
            "The backups, in the data folder unless backup.dir names another one.",
        ),
    ),
    (
        "~/.config/pleito/pleito.toml",
        ("As configurações. O arquivo é opcional.", "The settings. The file is optional."),
    ),
    ("~/.local/state/pleito/logs/", ("O log, um arquivo por dia.", "The log, a file a day.")),
    (
        "/usr/share/doc/pleito/docs/pt",
        (
            "Os guias, se o pacote os instalou; em inglês na pasta acima dela.",
            "The guides in Portuguese, if the package installed them; in English in the folder above.",
        ),
    ),
];

const EXAMPLES: [(&str, Bilingual); 6] = [
    ("pleito serve", ("Executa o servidor até que seja parado.", "Run the server until it is stopped.")),
    (
        "pleito token new --json | jq -r .token",
        ("Cria um token e o entrega a um programa.", "Make a token and hand it to a program."),
    ),
    (
        "pleito check --running --json",
        (
            "Para um monitor: termina com 1 se há um problema ou nenhum servidor está em execução.",
            "For a monitor: exits with 1 if there is a problem or no server is running.",
        ),
    ),
    (
        "pleito backup /media/usb/pleito.zst",
        ("Uma cópia verificada em outro disco.", "A verified copy on another disk."),
    ),
    (
        "pleito import clientes.csv --apply",
        (
            "Importa uma planilha; sem --apply, só mostra o que mudaria.",
            "Import a spreadsheet; without --apply, only show what would change.",
        ),
    ),
    (
        "pleito serve --listen 127.0.0.1:9743 --data-dir /srv/filial",
        (
            "Um segundo escritório na mesma máquina. A rede só o alcança se as configurações dele a permitem.",
            "A second office on the same machine. It is on the network only if its settings allow it.",
        ),
    ),
];

fn environment(lang: Lang) -> String {
    let setting = (
        "Qualquer configuração, como PLEITO_LIMITS_GET_PER_MINUTE=120 para limits.get_per_minute.",
        "Any setting, such as PLEITO_LIMITS_GET_PER_MINUTE=120 for limits.get_per_minute.",
    );
    let name = lang.pick("PLEITO_SEÇÃO_CHAVE", "PLEITO_SECTION_KEY");
    let keys_of_s3 = (
        "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY",
        (
            "A chave de acesso de um destino s3, para replica set, serve --follow e promote",
            "The access key of an s3 target, for replica set, serve --follow and promote",
        ),
    );
    listed(&[(name, setting)], lang) + &listed(&VARIABLES, lang) + &listed(&[keys_of_s3], lang)
}

fn listed(entries: &[(&str, Bilingual)], lang: Lang) -> String {
    let entry = |(name, (pt, en)): &(&str, Bilingual)| {
        format!(".TP\n\\fB{}\\fR\n{}\n", escaped(name), escaped(lang.pick(pt, en)))
    };
    entries.iter().map(entry).collect()
}

fn commands(above: &Command, path: &str) -> String {
    let each = above.get_subcommands().filter(|command| !command.is_hide_set()).map(|command| {
        let path = format!("{path} {}", command.get_name());
        let own: String = command.get_arguments().filter(|arg| !arg.is_global_set()).map(argument).collect();
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let more = command.get_after_help().map(|more| preformatted(&more.to_string())).unwrap_or_default();
        format!(".SS {}\n{}\n{own}{more}{}", escaped(&path), escaped(&about), commands(command, &path))
    });
    each.collect()
}

fn argument(arg: &Arg) -> String {
    let values = arg.get_value_names().filter(|_| arg.get_action().takes_values()).unwrap_or_default();
    let names = arg.get_short().map(|short| format!("-{short}"));
    let names = names.into_iter().chain(arg.get_long().map(|long| format!("--{long}")));
    let names = names.map(|name| format!("\\fB{}\\fR", escaped(&name))).collect::<Vec<_>>().join(", ");
    let values: String = values.iter().map(|value| format!(" \\fI{}\\fR", escaped(value))).collect();
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    format!(".TP\n{}\n{}\n", format!("{names}{values}").trim_start(), escaped(&help))
}

/// Formats text whose line ends and indents must be kept.
fn preformatted(text: &str) -> String {
    format!(".PP\n.nf\n{}\n.fi\n", escaped(text))
}

/// Escapes text for roff: no line is read as a request, and dashes are neither broken nor replaced with hyphens.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    let line =
        |line: &str| if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line.to_owned() };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_page_has_every_command_and_option_in_both_languages() {
        fn check(command: &Command, path: &str, page: &str) {
            for below in command.get_subcommands().filter(|command| !command.is_hide_set()) {
                let path = format!("{path} {}", below.get_name());
                assert!(page.contains(&format!(".SS {}\n", escaped(&path))), "{path} is missing");
                for long in below.get_arguments().filter_map(Arg::get_long) {
                    assert!(page.contains(&format!("\\fB{}\\fR", escaped(&format!("--{long}")))), "--{long}");
                }
                check(below, &path, page);
            }
        }
        for lang in [Lang::Pt, Lang::En] {
            check(&tree(lang), "pleito", &page(lang));
        }
        assert!(page(Lang::Pt).contains(".SH COMANDOS\n") && page(Lang::En).contains(".SH COMMANDS\n"));
        for heading in ["ENVIRONMENT", "FILES", "EXAMPLES"] {
            assert!(page(Lang::En).contains(&format!(".SH {heading}\n.TP\n")), "{heading}");
        }
        for (name, _) in VARIABLES {
            assert!(page(Lang::Pt).contains(&format!("\\fB{name}\\fR\n")), "{name}");
        }
    }

    #[test]
    fn texts_are_escaped_for_roff() {
        assert_eq!(escaped(".TH x\n'a\\b --c"), "\\&.TH x\n\\&'a\\eb \\-\\-c");
    }

    #[test]
    fn completion_scripts_contain_commands_and_options() {
        for shell in [Shell::Bash, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
            let script = completions(shell, Lang::Pt);
            for word in ["token", "revoke", "data-dir"] {
                assert!(script.contains(word), "{shell}: {word}");
            }
        }
    }
}
