//! The syntax of `pleito export` and `pleito import`, and the commands parsed from their options.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, value_parser};

use crate::cli::command::{AskedMove, Command};
use crate::config::settings::Compatibility;
use crate::domain::{Bilingual, Lang};
use crate::transfer::{Import, area_code};

fn command(lang: Lang, name: &'static str, (pt, en): Bilingual) -> clap::Command {
    clap::Command::new(name).about(lang.pick(pt, en))
}

fn option(lang: Lang, name: &'static str, (pt, en): Bilingual) -> Arg {
    Arg::new(name).long(name).help(lang.pick(pt, en))
}

fn flag(lang: Lang, name: &'static str, help: Bilingual) -> Arg {
    option(lang, name, help).action(ArgAction::SetTrue)
}

fn path(lang: Lang, name: &'static str, (pt, en): Bilingual, help: Bilingual) -> Arg {
    option(lang, name, help).value_name(lang.pick(pt, en)).value_parser(value_parser!(PathBuf))
}

/// Returns the syntax of `export`. `json` is the `--json` option.
pub(super) fn export(lang: Lang, json: Arg) -> clap::Command {
    let export = command(
        lang,
        "export",
        (
            "Exporta tudo para uma pasta nova: planilhas, e um arquivo que `pleito import` lê de volta",
            "Export everything into a new folder: spreadsheets, and a file that `pleito import` reads back",
        ),
    );
    let to = path(lang, "to", ("PASTA", "DIR"), ("A pasta nova", "The new folder"));
    let customer = (
        "Só o que há sobre este cliente, com os documentos e uma página para imprimir (LGPD, art. 18)",
        "Only what there is about this customer, with the documents and a page to print",
    );
    let customer = option(lang, "customer", customer)
        .value_name(lang.pick("NÚMERO", "NUMBER"))
        .value_parser(value_parser!(u32).range(1..));
    export.args([to.long(None).required(true), customer, json])
}

/// Returns the command of a parsed `export`.
pub(super) fn exported(matches: &ArgMatches) -> Option<Command> {
    Some(Command::Export {
        to: matches.get_one("to").cloned()?,
        customer: matches.get_one("customer").copied(),
    })
}

/// The options of `import` that conflict with a move from another server: those for files and for earlier imports.
const OF_FILES: [&str; 14] = [
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
    "list",
    "undo",
];

/// Returns the syntax of `import`. `json` is the `--json` option.
pub(super) fn import(lang: Lang, json: Arg) -> clap::Command {
    let import = command(
        lang,
        "import",
        (
            "Importa arquivos; sem --apply só mostra o que mudaria",
            "Import files; without --apply only show what would change",
        ),
    );
    let file = ("ARQUIVO", "FILE");
    let files = (
        "Planilhas (CSV, XLSX, XLS, ODS), registros em JSON Lines, ou a pasta de uma exportação do Pleito",
        "Spreadsheets (CSV, XLSX, XLS, ODS), records as JSON Lines, or the folder of an export of Pleito's",
    );
    let resource = (
        "O que são as linhas, se os cabeçalhos não dizem: clientes, processos, tarefas…",
        "What the rows are, where the headings do not tell: customers, lawsuits, tasks…",
    );
    let update = (
        "Salva o que a linha diz no registro que já existe",
        "Write what a row says into the record that is there already",
    );
    let refused = (
        "O arquivo novo (.csv ou .xlsx) para as linhas recusadas, com o motivo de cada uma",
        "The new file (.csv or .xlsx) for the rows that are refused, with why",
    );
    let map = (
        "O que é a coluna deste cabeçalho, pelo nome que a API dá: cpf=identification; sem nada depois do =, fica de fora. É lembrado",
        "What the column of that heading is, by the API's name: cpf=identification; left out with nothing behind the =. It is remembered",
    );
    let set = (
        "O que um campo é onde a linha não diz nada, com ou sem coluna: \"Origem=Indicação\"; o campo com os nomes que --map aceita, o valor como em uma célula",
        "What a member is where a row says nothing, with or without a column: \"Origin=Referral\"; the member by any name that --map takes, the value as in a cell",
    );
    let name = (
        "O que é um nome que nenhuma lista tem: \"Dr. André=André Lima\"; + depois do = cria, com o grupo ou a etapa atrás: \"Divórcio=+Família\"; sem nada, fica em branco. Antes do nome pode estar a lista: \"stages:Inicial=…\"",
        "What a name that no list has means: \"Dr. André=André Lima\"; + behind the = creates it, with the group or step behind that: \"Divorce=+Family\"; nothing leaves it blank. The list may stand before the name: \"stages:Initial=…\"",
    );
    let notes = (
        "Importa assim mesmo: o que não serve para o campo, e as colunas que nenhum campo recebe, vão para as anotações",
        "Import all the same: what a field does not take, and columns that no field takes, go to the notes",
    );
    let area_code = ("O DDD dos telefones que não têm", "The area code of phones that have none");
    let heading_line = (
        "A linha dos cabeçalhos, se não é a primeira com dois cabeçalhos conhecidos",
        "The line of the headings, if it is not the first one with two known headings",
    );
    let undo = ("Desfaz a importação deste número", "Take back the import of this number");
    let from_api = (
        "Traz tudo de outro servidor desta API, como a nuvem; o token vem da entrada padrão ou de PLEITO_SOURCE_TOKEN",
        "Bring everything from another server of this API, such as the cloud; the token comes on standard input or in PLEITO_SOURCE_TOKEN",
    );
    let dry_run = (
        "Só conta o que há lá e diz quanto tempo leva",
        "Only count what is there, and say how long it takes",
    );
    let again = (
        "Depois que tudo veio: traz o que há de novo lá",
        "Once everything has come: bring what is new there",
    );
    let report = (
        "O arquivo novo para o relatório inteiro da mudança, - para a saída padrão; sem --from-api, o da mudança já feita ou interrompida, sem pedir nada ao outro servidor",
        "The new file for the whole report of the move, - for standard output; without --from-api that of the move that was made or interrupted, and the other server is not asked",
    );
    let compatibility = (
        "O que api.compatibility passa a ser no fim, document ou live: live, a não ser que a origem seja um Pleito com document",
        "What api.compatibility becomes at the end, document or live: live, unless the source is a Pleito with document",
    );
    let insecure = (
        "Aceita http:// em um endereço público: qualquer um no caminho pode ler o token e os dados",
        "Take http:// at a public address: anybody on the way can read the token and the data",
    );
    let authority = (
        "O certificado (PEM) de uma autoridade em que confiar além das do sistema: o ca.pem de outro Pleito",
        "The certificate (PEM) of an authority to trust beside those of the system: the ca.pem of another Pleito",
    );
    import.args([
        path(lang, "files", file, files)
            .long(None)
            .required_unless_present_any(["from-api", "list", "undo", "report"])
            .conflicts_with_all(["from-api", "list", "undo", "report"])
            .num_args(1..),
        option(lang, "from-api", from_api).value_name(lang.pick("ENDEREÇO", "URL")).conflicts_with_all(OF_FILES),
        flag(lang, "dry-run", dry_run).requires("from-api").conflicts_with("files"),
        flag(lang, "again", again).requires("from-api").conflicts_with_all(["files", "dry-run"]),
        path(lang, "authority", file, authority).requires("from-api").conflicts_with("files"),
        path(lang, "report", file, report).conflicts_with_all(OF_FILES).conflicts_with("dry-run"),
        option(lang, "compatibility", compatibility)
            .value_name(lang.pick("MODO", "MODE"))
            .value_parser(compatibility_of)
            .requires("from-api")
            .conflicts_with_all(["files", "dry-run"]),
        flag(lang, "insecure", insecure).requires("from-api").conflicts_with("files"),
        flag(lang, "apply", ("Salva o que foi mostrado", "Store what was shown")),
        option(lang, "resource", resource).value_name(lang.pick("NOME", "NAME")),
        flag(lang, "update", update).conflicts_with("fill"),
        flag(
            lang,
            "fill",
            ("O mesmo, só nos campos que estão vazios", "The same, only where a member is empty"),
        ),
        flag(
            lang,
            "create-lists",
            ("Cria nas listas os nomes que ainda não existem", "Create names in the lists that are not there yet"),
        ),
        path(lang, "refused", file, refused),
        option(lang, "map", map)
            .value_name(lang.pick("CABEÇALHO=MEMBRO", "HEADING=MEMBER"))
            .action(ArgAction::Append)
            .value_parser(mapped),
        option(lang, "set", set)
            .value_name(lang.pick("MEMBRO=VALOR", "MEMBER=VALUE"))
            .action(ArgAction::Append)
            .value_parser(set_for_all),
        option(lang, "name", name)
            .value_name(lang.pick("NOME=ITEM", "NAME=ENTRY"))
            .action(ArgAction::Append)
            .value_parser(mapped),
        flag(lang, "to-notes", notes),
        option(lang, "area-code", area_code).value_name(lang.pick("DDD", "CODE")).value_parser(area_code_of),
        option(lang, "headings-line", heading_line)
            .value_name(lang.pick("NÚMERO", "NUMBER"))
            .value_parser(value_parser!(u64).range(1..)),
        flag(
            lang,
            "new",
            ("Começa um escritório novo onde não há nenhum", "Begin a new office where there is none"),
        ),
        flag(lang, "list", ("Mostra as importações feitas", "Show the imports that were stored")),
        option(lang, "undo", undo)
            .value_name(lang.pick("NÚMERO", "NUMBER"))
            .value_parser(value_parser!(u32).range(1..)).conflicts_with("list"),
        json,
    ])
    .after_help(lang.pick(
        "Uma importação de linhas se desfaz como um todo, enquanto ninguém tiver alterado seus registros: o que ela criou vai para a lixeira, o que ela alterou volta a ser o que era. Uma exportação inteira não se desfaz.",
        "An import of rows is taken back as a whole, as long as nobody has changed its records: what it made goes into the trash, what it changed is as it was. A whole export is not taken back.",
    ))
}

/// Returns the command of a parsed `import`.
pub(super) fn asked(matches: &ArgMatches) -> Command {
    if let Some(id) = matches.get_one("undo") {
        return Command::ImportUndo { id: *id };
    }
    if matches.get_flag("list") {
        return Command::ImportList;
    }
    if let Some(source) = matches.get_one::<String>("from-api") {
        return Command::Move(AskedMove {
            source: source.clone(),
            dry_run: matches.get_flag("dry-run"),
            again: matches.get_flag("again"),
            authority: matches.get_one("authority").cloned(),
            compatibility: matches.get_one("compatibility").copied(),
            insecure: matches.get_flag("insecure"),
            report: matches.get_one("report").cloned(),
        });
    }
    if let Some(report) = matches.get_one::<PathBuf>("report") {
        return Command::MoveReport { report: report.clone() };
    }
    let import = Import {
        files: matches.get_many("files").map(|files| files.cloned().collect()).unwrap_or_default(),
        apply: matches.get_flag("apply"),
        resource: matches.get_one("resource").cloned(),
        update: matches.get_flag("update"),
        fill: matches.get_flag("fill"),
        create_lists: matches.get_flag("create-lists"),
        refused: matches.get_one("refused").cloned(),
        map: matches.get_many("map").map(|map| map.cloned().collect()).unwrap_or_default(),
        set: matches.get_many("set").map(|set| set.cloned().collect()).unwrap_or_default(),
        names: matches.get_many("name").map(|names| names.cloned().collect()).unwrap_or_default(),
        notes: matches.get_flag("to-notes"),
        area_code: matches.get_one("area-code").cloned(),
        heading_line: matches.get_one("headings-line").copied(),
        // Set when the command runs.
        portuguese: false,
    };
    Command::Import { import, new: matches.get_flag("new") }
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

fn compatibility_of(text: &str) -> Result<Compatibility, &'static str> {
    match text {
        "document" => Ok(Compatibility::Document),
        "live" => Ok(Compatibility::Live),
        _ => Err("neither"),
    }
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
