//! Tests of the help and the version, in both languages.

use super::errors::WRONG;
use super::*;

#[test]
fn every_text_is_available_in_both_languages() {
    fn compare(pt: &clap::Command, en: &clap::Command) {
        let differ = |pt: Option<&clap::builder::StyledStr>, en: Option<&clap::builder::StyledStr>| {
            let pt = pt.unwrap().to_string();
            let en = en.unwrap().to_string();
            assert!(!pt.is_empty() && !en.is_empty() && pt != en, "{pt:?}, {en:?}");
        };
        differ(pt.get_about(), en.get_about());
        if pt.get_after_help().is_some() {
            differ(pt.get_after_help(), en.get_after_help());
        }
        for (pt, en) in pt.get_arguments().zip(en.get_arguments()) {
            assert_eq!(pt.get_id(), en.get_id());
            differ(pt.get_help(), en.get_help());
            if pt.get_action().takes_values() {
                assert_ne!(pt.get_value_names(), en.get_value_names(), "{}", pt.get_id());
            }
        }
        assert_eq!(pt.get_subcommands().count(), en.get_subcommands().count());
        pt.get_subcommands().zip(en.get_subcommands()).for_each(|(pt, en)| compare(pt, en));
    }
    let pt = tree::tree(Lang::Pt);
    let en = tree::tree(Lang::En);
    compare(&pt, &en);
    pt.debug_assert();
    en.debug_assert();
}

#[test]
fn help_and_errors_are_in_one_language() {
    let mut lines: Vec<_> = every_command().into_iter().map(|(path, _)| format!("{path} --help")).collect();
    lines.extend(WRONG.iter().map(|(line, _, _)| (*line).to_owned()));
    for line in lines {
        let pt = stopped(&line, Lang::Pt).text;
        let en = stopped(&line, Lang::En).text;
        assert!(FOREIGN_IN_PT.iter().all(|word| !pt.contains(word)), "{line}: {pt}");
        assert!(FOREIGN_IN_EN.iter().all(|word| !en.contains(word)), "{line}: {en}");
    }
}

#[test]
fn the_help_of_the_program_has_the_expected_text() {
    let help = stopped("--help", Lang::Pt);
    assert_eq!((help.to_stderr, help.code), (false, 0));
    let expected = "\
O servidor do próprio escritório para clientes e processos. Sem comando, executa o servidor com um ícone na bandeja.

Uso: pleito [OPÇÕES] [COMANDO]

Comandos:
  serve      Executa o servidor em primeiro plano, sem ícone na bandeja, até que seja parado
  token      Cuida do token com que os programas acessam a API
  key        Cuida das chaves: como o token, mas para um só programa e só com os direitos de que ele precisa
  backup     Faz uma cópia verificada dos dados; o servidor pode estar em execução
  restore    Substitui os dados por um backup e guarda os dados substituídos; o servidor pode estar em execução
  export     Exporta tudo para uma pasta nova, como planilhas e como um arquivo para `pleito import`
  import     Importa arquivos; sem --apply, só mostra o que mudaria
  check      Verifica se está tudo em ordem; termina com 1 se não
  trash      Mostra a lixeira, ou apaga de vez seus registros
  webhooks   Retoma os webhooks de dados copiados de outra pasta ou de outro computador
  config     Mostra as configurações em vigor e de onde vem cada uma
  console    Abre o console no navegador: clientes, processos, token, configurações
  autostart  Define se o Pleito inicia quando você entra no sistema
  service    Faz o Pleito atender também quando ninguém entrou no computador
  replica    Mantém uma réplica dos dados em outro disco ou máquina, com o Litestream
  promote    Faz desta reserva o escritório, com o que a réplica tem agora
  mcp        Liga um assistente ao servidor em execução, por entrada e saída padrão (MCP); o programa do assistente executa este comando
  demo       Cria em uma pasta nova um escritório inventado, para experimentar ou medir o Pleito

Opções:
      --listen <ENDEREÇO:PORTA>  Endereço e porta da API; vale no lugar de server.listen
  -V, --version                  Mostra a versão
      --data-dir <PASTA>         A pasta de dados
      --config <ARQUIVO>         O arquivo de configurações
  -h, --help                     Mostra esta ajuda
";
    assert_eq!(help.text, expected);
    assert_eq!(stopped("-h", Lang::Pt), help);
    assert_eq!(stopped("help", Lang::Pt), help);
}

#[test]
fn the_help_of_a_command_explains_its_arguments() {
    let mut count = 0;
    for (path, command) in every_command() {
        let help = stopped(&format!("{path} --help"), Lang::En).text;
        for argument in command.get_positionals() {
            let explained = argument.get_help().unwrap().to_string();
            assert!(help.contains(&format!("  {explained}\n")), "{path}: {explained}\n{help}");
            count += 1;
        }
    }
    assert!(count > 7, "{count}");
}

#[test]
fn help_is_also_a_command() {
    for command in ["token", "token new", "backup"] {
        let help = stopped(&format!("help {command}"), Lang::En);
        assert_eq!(help, stopped(&format!("{command} --help"), Lang::En));
        assert_eq!(help.code, 0);
    }
    let refused = stopped("help tokn", Lang::En);
    assert_eq!(refused.text, stopped("tokn", Lang::En).text);
}

#[test]
fn the_help_of_config_explains_every_setting() {
    for lang in [Lang::Pt, Lang::En] {
        let help = stopped("config --help", lang).text;
        for key in setting_names::KEYS {
            for part in [key.name, &key.variable(), key.meaning(lang), &key.default_text(lang)] {
                assert!(help.contains(part), "{part}");
            }
        }
    }
}

#[test]
fn the_version_is_printed_to_standard_output() {
    for line in ["--version", "-V"] {
        let text = format!("pleito {}\n", env!("CARGO_PKG_VERSION"));
        assert_eq!(stopped(line, Lang::Pt), CommandOutput::done(text));
    }
}
