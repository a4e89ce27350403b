//! The syntax of `pleito export` and `pleito import`, and the commands parsed from their options.

use std::path::PathBuf;

use clap::{ArgAction, ArgMatches, value_parser};

use super::parts::SyntaxParts;
use crate::cli::command::Command;
use crate::config::settings::Compatibility;
use crate::domain::{Choice, Lang};
use crate::transfer::{DateOrder, Import, LetterEncoding, Move, area_code};

/// Returns the syntax of `export`.
pub(super) fn export(parts: SyntaxParts) -> clap::Command {
    let export = parts.command(
        "export",
        (
            "Exporta tudo para uma pasta nova, como planilhas e como um arquivo para `pleito import`",
            "Export everything to a new folder, as spreadsheets and as a file for `pleito import`",
        ),
    );
    let to = parts.path("to", ("PASTA", "DIR"), ("A pasta nova", "The new folder"));
    let customer = (
        "Exporta só os dados deste cliente, com os documentos e uma página para imprimir (LGPD, art. 18)",
        "Export only the data of this customer, with documents and a page to print",
    );
    let customer =
        parts.option("customer", ("NÚMERO", "NUMBER"), customer).value_parser(value_parser!(u32).range(1..));
    export.args([to.long(None).required(true), customer])
}

/// Returns the command of a parsed `export`.
pub(super) fn exported(matches: &ArgMatches) -> Option<Command> {
    Some(Command::Export {
        to: matches.get_one("to").cloned()?,
        customer: matches.get_one("customer").copied(),
    })
}

/// The options of `import` that conflict with a move from another server: those for files and for earlier imports.
const OF_FILES: [&str; 16] = [
    "apply",
    "resource",
    "update",
    "fill",
    "create-lists",
    "refused",
    "map",
    "set",
    "name",
    "to-notes",
    "area-code",
    "headings-line",
    "dates",
    "letters",
    "list",
    "undo",
];

/// Returns the syntax of `import`.
pub(super) fn import(parts: SyntaxParts) -> clap::Command {
    let import = parts.command(
        "import",
        (
            "Importa arquivos; sem --apply, só mostra o que mudaria",
            "Import files; without --apply, only show what would change",
        ),
    );
    let file = ("ARQUIVO", "FILE");
    let files = (
        "Planilhas (CSV, XLSX, XLS, ODS), contatos (vCard), registros em JSON Lines, ou a pasta de uma exportação do Pleito",
        "Spreadsheets (CSV, XLSX, XLS, ODS), contacts (vCard), records as JSON Lines, or the folder of a Pleito export",
    );
    let resource = (
        "Tipo das linhas, se os cabeçalhos não o mostram: clientes, processos, tarefas…; de uma só aba ou arquivo: \"Plan2=clientes\"; sem tipo, não é importada",
        "Kind of the rows, if the headings do not show it: customers, lawsuits, tasks…; of a single sheet or file: \"Sheet2=customers\"; without a kind, it is left out",
    );
    let update = (
        "Atualiza os registros que já existem com os valores das linhas",
        "Update existing records with the values of their rows",
    );
    let refused = (
        "Arquivo novo (.csv ou .xlsx) para as linhas recusadas, com os motivos",
        "New file (.csv or .xlsx) for the refused rows, with the reasons",
    );
    let map = (
        "Campo para a coluna com este cabeçalho, como cpf=identification; sem um campo, a coluna é ignorada. A escolha fica lembrada",
        "Member for the column with this heading, such as cpf=identification; without a member, the column is ignored. The choice is remembered",
    );
    let set = (
        "Valor de um campo para as linhas que não têm nenhum, como \"Origem=Indicação\"; nomes como em --map, valores como em uma célula",
        "Value of a member for rows that have none, such as \"Origin=Referral\"; names as for --map, values as in a cell",
    );
    let name = (
        "Item de lista para um nome que nenhuma lista tem: \"Dr. André=André Lima\". \"Divórcio=+Família\" acrescenta o nome, aqui ao grupo Família; \"Divórcio=\" deixa as células em branco. Para dizer a lista: \"stages:Inicial=…\"",
        "List entry for a name that no list has: \"Dr. André=André Lima\". \"Divorce=+Family\" adds the name, here to the group Family; \"Divorce=\" leaves the cells blank. To name the list: \"stages:Initial=…\"",
    );
    let notes = (
        "Põe nas anotações os valores que não servem para o campo e as colunas sem campo",
        "Put values that a member cannot take, and columns without a member, into the notes",
    );
    let area_code = ("DDD para os telefones sem DDD", "Area code for phones without one");
    let heading_line = (
        "Linha dos cabeçalhos [padrão: a primeira linha com dois cabeçalhos conhecidos]",
        "Line of the header row [default: the first line with two known headings]",
    );
    let dates = (
        "Ordem das datas: dmy (dia/mês/ano) ou mdy (mês/dia/ano) [padrão: dmy, se nenhuma data mostra o contrário]",
        "Order of dates: dmy (day/month/year) or mdy (month/day/year) [default: dmy, unless a date shows otherwise]",
    );
    let letters = (
        "Letras quebradas: 850 (CSV do MS-DOS), utf-8 (codificadas duas vezes) ou as-is (ficam como estão) [padrão: o que o arquivo mostra]",
        "Broken letters: 850 (CSV of MS-DOS), utf-8 (encoded twice) or as-is (kept) [default: what the file shows]",
    );
    let undo = ("Desfaz a importação com este número", "Undo the import with this number");
    let from_api = (
        "Copia tudo de outro servidor com esta API, como a nuvem; o token dele é lido da entrada padrão ou de PLEITO_SOURCE_TOKEN",
        "Copy everything from another server with this API, such as the cloud; its token is read from standard input or PLEITO_SOURCE_TOKEN",
    );
    let dry_run = (
        "Só conta os registros de lá e estima quanto tempo a mudança leva",
        "Only count its records, and estimate how long the move takes",
    );
    let again = (
        "Depois de uma mudança completa: copia os registros criados lá desde então",
        "After a complete move: copy the records added there since",
    );
    let report = (
        "Arquivo novo para o relatório completo da mudança, ou - para a saída padrão; sem --from-api, o da última mudança, sem contato com o outro servidor",
        "New file for the full report of the move, or - for standard output; without --from-api, of the last move, without contacting the other server",
    );
    let compatibility = (
        "Valor de api.compatibility depois da mudança, document ou live [padrão: live, a não ser que a origem seja um Pleito com document]",
        "Value of api.compatibility after the move, document or live [default: live, unless the source is a Pleito with document]",
    );
    let insecure = (
        "Permite http:// para um endereço público, com o que outros podem ler o token e os dados no caminho",
        "Allow http:// to a public address, which lets others read the token and the data on the way",
    );
    let authority = (
        "Certificado (PEM) de uma autoridade em que confiar além das do sistema, como o ca.pem de outro Pleito",
        "Certificate (PEM) of an authority to trust in addition to the system's, such as ca.pem of another Pleito",
    );
    import.args([
        parts.path("files", file, files)
            .long(None)
            .required_unless_present_any(["from-api", "list", "undo", "report"])
            .conflicts_with_all(["from-api", "list", "undo", "report"])
            .num_args(1..),
        parts.option("from-api", ("ENDEREÇO", "URL"), from_api).conflicts_with_all(OF_FILES),
        parts.flag("dry-run", dry_run).requires("from-api").conflicts_with("files"),
        parts.flag("again", again).requires("from-api").conflicts_with_all(["files", "dry-run"]),
        parts.path("authority", file, authority).requires("from-api").conflicts_with("files"),
        parts.path("report", file, report).conflicts_with_all(OF_FILES).conflicts_with("dry-run"),
        parts.option("compatibility", ("MODO", "MODE"), compatibility)
            .value_parser(choice::<Compatibility>)
            .requires("from-api")
            .conflicts_with_all(["files", "dry-run"]),
        parts.flag("insecure", insecure).requires("from-api").conflicts_with("files"),
        parts.flag("apply", ("Salva os registros", "Store the records")),
        parts.option("resource", ("[ABA=]NOME", "[SHEET=]NAME"), resource)
            .action(ArgAction::Append)
            .value_parser(resource_of),
        parts.flag("update", update).conflicts_with("fill"),
        parts.flag(
            "fill",
            ("Como --update, mas só nos campos vazios", "Like --update, but only for empty members"),
        ),
        parts.flag(
            "create-lists",
            (
                "Acrescenta às listas os nomes que ainda não existem, no máximo 1.000",
                "Add unknown names to the lists, 1,000 at most",
            ),
        ),
        parts.path("refused", file, refused),
        parts.option("map", ("CABEÇALHO=MEMBRO", "HEADING=MEMBER"), map)
            .action(ArgAction::Append)
            .value_parser(mapped),
        parts.option("set", ("MEMBRO=VALOR", "MEMBER=VALUE"), set)
            .action(ArgAction::Append)
            .value_parser(set_for_all),
        parts.option("name", ("NOME=ITEM", "NAME=ENTRY"), name)
            .action(ArgAction::Append)
            .value_parser(mapped),
        parts.flag("to-notes", notes),
        parts.option("area-code", ("DDD", "CODE"), area_code).value_parser(area_code_of),
        parts.option("headings-line", ("NÚMERO", "NUMBER"), heading_line)
            .value_parser(value_parser!(u64).range(1..)),
        parts.option("dates", ("ORDEM", "ORDER"), dates)
            .value_parser(choice::<DateOrder>),
        parts.option("letters", ("CODIFICAÇÃO", "ENCODING"), letters)
            .value_parser(choice::<LetterEncoding>),
        parts.new_office(),
        parts.flag("list", ("Lista as importações feitas", "List earlier imports")),
        parts.option("undo", ("NÚMERO", "NUMBER"), undo)
            .value_parser(value_parser!(u32).range(1..)).conflicts_with("list"),
    ])
    .after_help(parts.lang.pick(
        "Uma importação de linhas pode ser desfeita como um todo até que seus registros sejam alterados: os registros criados vão para a lixeira, e os alterados recebem de volta os valores de antes. A importação de uma exportação inteira não pode ser desfeita.",
        "An import of rows can be undone as a whole until its records are changed: added records are moved to the trash, and changed ones get their old values back. The import of a full export cannot be undone.",
    ))
}

/// Returns the command of a parsed `import`.
pub(super) fn import_command(matches: &ArgMatches) -> Command {
    if let Some(id) = matches.get_one("undo") {
        return Command::ImportUndo { id: *id };
    }
    if matches.get_flag("list") {
        return Command::ImportList;
    }
    if let Some(source) = matches.get_one::<String>("from-api") {
        let moved = Move {
            source: source.clone(),
            dry_run: matches.get_flag("dry-run"),
            again: matches.get_flag("again"),
            compatibility: matches.get_one("compatibility").copied(),
            insecure: matches.get_flag("insecure"),
            ..Move::default()
        };
        return Command::Move {
            moved,
            authority: matches.get_one("authority").cloned(),
            report: matches.get_one("report").cloned(),
        };
    }
    if let Some(report) = matches.get_one::<PathBuf>("report") {
        return Command::MoveReport { report: report.clone() };
    }
    let import = Import {
        files: matches.get_many("files").map(|files| files.cloned().collect()).unwrap_or_default(),
        apply: matches.get_flag("apply"),
        resources: matches.get_many("resource").map(|all| all.cloned().collect()).unwrap_or_default(),
        update: matches.get_flag("update"),
        fill: matches.get_flag("fill"),
        create_lists: matches.get_flag("create-lists"),
        refused: matches.get_one("refused").cloned(),
        map: matches.get_many("map").map(|map| map.cloned().collect()).unwrap_or_default(),
        set: matches.get_many("set").map(|set| set.cloned().collect()).unwrap_or_default(),
        names: matches.get_many("name").map(|names| names.cloned().collect()).unwrap_or_default(),
        notes: matches.get_flag("to-notes"),
        area_code: matches.get_one("area-code").cloned(),
        dates: matches.get_one("dates").copied(),
        letters: matches.get_one("letters").copied(),
        heading_line: matches.get_one("headings-line").copied(),
        // Set when the command runs.
        lang: Lang::En,
    };
    Command::Import { import, new: matches.get_flag("new") }
}

/// Parses `NAME` or `SHEET=NAME` into the sheet and the table, each possibly empty.
fn resource_of(text: &str) -> Result<(String, String), &'static str> {
    match text.rsplit_once('=').map(|(sheet, name)| (sheet.trim(), name.trim())) {
        None if text.trim().is_empty() => Err("no name"),
        None => Ok((String::new(), text.trim().to_owned())),
        Some(("", _)) => Err("no sheet"),
        Some((sheet, name)) => Ok((sheet.to_owned(), name.to_owned())),
    }
}

/// Parses `MEMBER=VALUE` into the member and its default value.
fn set_for_all(text: &str) -> Result<(String, String), &'static str> {
    match text.split_once('=').map(|(member, value)| (member.trim(), value.trim())) {
        None => Err("no ="),
        Some(("", _)) => Err("no member"),
        Some((_, "")) => Err("no value"),
        Some((member, value)) => Ok((member.to_owned(), value.to_owned())),
    }
}

/// Parses a Brazilian area code, with or without a leading zero.
fn area_code_of(text: &str) -> Result<String, &'static str> {
    area_code(text).ok_or("no area code")
}

fn choice<T: Choice>(word: &str) -> Result<T, &'static str> {
    T::named(word).ok_or("no choice")
}

/// Parses `HEADING=MEMBER` or `NAME=ENTRY`, split at the last `=`. The right side is empty if the column is to be
/// left out or the name's cells blank.
fn mapped(text: &str) -> Result<(String, String), &'static str> {
    let (heading, member) = text.rsplit_once('=').ok_or("no =")?;
    match heading.trim() {
        "" => Err("no heading"),
        heading => Ok((heading.to_owned(), member.trim().to_owned())),
    }
}
