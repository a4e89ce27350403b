//! The report of an import as text for the command line.

use crate::cli::rerun_hint::quoted;
use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::records::{Customer, Record as _, Table};
use crate::store::records::full_records::tables;
use crate::transfer::{
    FileReport, Import, LettersReport, MemberDefault, NameMeaning, NameReport, RowOutcome, RowsReport,
    ShownRow,
};

/// Maximum number of list entries, columns or rows that are shown one by one.
const CHOICES: usize = 20;

/// Returns the report of an import of rows, file by file. A preview also shows the first values of each column.
pub(in crate::cli) fn rows(report: &RowsReport, import: &Import, lang: Lang) -> String {
    let table = |name: &str| tables().find(|table| table.name == name);
    let many = |name: &str| table(name).map_or("", |table| lang.pick(table.many.0, table.many.1));
    let mut text = String::new();
    for file in &report.files {
        let sheet = if file.sheet.is_empty() { String::new() } else { format!(" [{}]", file.sheet) };
        text += &format!("{}{sheet}: {}\n", file.file, many(&file.resource));
        let columns = file.columns.iter().map(|(heading, member)| format!("{heading} = {member}"));
        let columns = columns.collect::<Vec<_>>().join(", ");
        text += &format!("  {}: {columns}\n", lang.pick("colunas", "columns"));
        if !import.apply {
            text += &values_text(file);
        }
        if file.heading_line > 1 {
            let line = file.heading_line;
            text += &localize!(lang, "  cabeçalhos na linha {line}\n", "  headings in line {line}\n");
        }
        for column in &file.layout {
            if let Some(other) = &column.said_by {
                let heading = &column.heading;
                text += &localize!(
                    lang,
                    "  {heading}: não importar; o campo já vem da coluna {other}\n",
                    "  {heading} is left out: column {other} already has this member\n"
                );
            }
        }
        if !file.ignored.is_empty() {
            let shown = file.ignored.iter().take(CHOICES).cloned().collect::<Vec<_>>().join(", ");
            text += &format!("  {}: {shown}", lang.pick("colunas não reconhecidas", "unknown columns"));
            let more = file.ignored.len().saturating_sub(CHOICES);
            if more > 0 {
                text += &localize!(lang, " e mais {more}", " and {more} more");
            }
            text.push('\n');
        }
        let FileReport { created, matched, updated, refused, .. } = file;
        text += &localize!(
            lang,
            "  novos: {created}; já existentes: {matched}; alterados: {updated}; recusados: {refused}\n",
            "  created: {created}; matched: {matched}; updated: {updated}; refused: {refused}\n"
        );
        text += &noted_text(file, import.area_code.as_deref(), lang);
        text += &in_trash_text(file, lang);
        text += &skipped_text(file, lang);
        text += &ids_text(file, lang);
        for default in &file.defaults {
            text += &default_text(default, table(&file.resource), lang);
        }
        for (line, why) in &file.refusals {
            text += &localize!(lang, "  linha {line}: {why}\n", "  line {line}: {why}\n");
        }
        let more = file.refused.saturating_sub(file.incomplete + file.refusals.len() as u64);
        if more > 0 {
            text += &localize!(
                lang,
                "  … e mais {more} (veja --refused)\n",
                "  … and {more} more (see --refused)\n"
            );
        }
    }
    for sheet in &report.undecided {
        text += &format!("{}\n", sheet.line(lang));
    }
    for LettersReport { file, cells, before, after } in &report.letters {
        text += &localize!(
            lang,
            "letras corrigidas em {file}: {before} = {after} (células: {cells}); com --letters as-is ficam como estão\n",
            "letters restored in {file}: {before} = {after} (cells: {cells}); --letters as-is keeps them\n"
        );
    }
    for sheet in &report.passed_over {
        text += &format!("{}: {}\n", lang.pick("não importado", "not imported"), sheet.line());
    }
    for name in report.names.iter().filter(|name| name.is != NameMeaning::Unknown) {
        text += &name_text(name, many(&name.list), lang);
    }
    for (list, name, cells) in &report.unknown {
        let is_customer = *list == Customer::TABLE.name;
        let is_several =
            report.names.iter().any(|own| own.is_several && own.list == *list && own.name == *name);
        let list = many(list);
        if is_customer {
            text += &localize!(
                lang,
                "não há este cliente: {name} ({cells}); --name \"{list}:{name}=+\" o cria, --name \"{list}:*=+\" cria todos, --name \"{list}:{name}=NÚMERO\" diz quem é\n",
                "there is no such customer: {name} ({cells}); --name \"{list}:{name}=+\" creates it, --name \"{list}:*=+\" creates all, --name \"{list}:{name}=NUMBER\" says who it is\n"
            );
            continue;
        }
        if is_several {
            text += &localize!(
                lang,
                "são várias pessoas ({list}): {name} ({cells}); --name \"{list}:{name}=NOME\" diz qual delas\n",
                "these are several people ({list}): {name} ({cells}); --name \"{list}:{name}=NAME\" says which of them\n"
            );
            continue;
        }
        text += &localize!(
            lang,
            "não está na lista ({list}): {name} ({cells}); --create-lists acrescenta o que falta, --name diz o que é\n",
            "not in the list ({list}): {name} ({cells}); add it with --create-lists, or choose an entry with --name\n"
        );
    }
    for (list, name) in &report.made {
        let list = many(list);
        text += &localize!(lang, "novo ({list}): {name}\n", "new ({list}): {name}\n");
    }
    text
}

/// Returns a line for each column that has values, with the first of them.
fn values_text(file: &FileReport) -> String {
    let filled = file.layout.iter().filter(|column| !column.samples.is_empty());
    filled.map(|column| format!("    {}: {}\n", column.heading, column.samples.join(" · "))).collect()
}

/// Returns the lines about the ids of rows. Empty if no id was matched or ignored.
fn ids_text(file: &FileReport, lang: Lang) -> String {
    let FileReport { by_id, other_ids, ids_left_out, .. } = file;
    let mut text = String::new();
    if *by_id > 0 {
        text += &localize!(lang, "  reconhecidos pelo Id: {by_id}\n", "  known by their Id: {by_id}\n");
    }
    if *other_ids > 0 {
        text +=
            &localize!(lang, "  Ids que não contam: {other_ids}\n", "  Ids that do not count: {other_ids}\n");
    }
    for (line, why) in ids_left_out.iter().take(CHOICES) {
        text += &localize!(lang, "  linha {line}: {why}\n", "  line {line}: {why}\n");
    }
    text
}

/// Returns the lines about rows of records in the trash, with advice. Empty if there are no such rows.
fn in_trash_text(file: &FileReport, lang: Lang) -> String {
    let in_trash = file.in_trash;
    if in_trash == 0 {
        return String::new();
    }
    let mut text = localize!(
        lang,
        "  na lixeira: {in_trash}; restaure esses registros no Pleito, ou esvazie a lixeira (pleito trash empty) para que sejam criados de novo, e importe outra vez\n",
        "  in the trash: {in_trash}; restore these records in the console, or empty the trash (pleito trash empty) so that they are created again, and import once more\n"
    );
    let shown = file.rows.iter().filter(|row| row.outcome == RowOutcome::InTrash);
    for ShownRow { line, why, .. } in shown.take(CHOICES) {
        text +=
            &localize!(lang, "  linha {line}: na lixeira, {why}\n", "  line {line}: in the trash, {why}\n");
    }
    let more = in_trash.saturating_sub(CHOICES as u64);
    if more > 0 {
        text += &localize!(lang, "  … e mais {more}\n", "  … and {more} more\n");
    }
    text
}

/// Returns the lines about rows that are no records. Empty if there are no such rows.
fn skipped_text(file: &FileReport, lang: Lang) -> String {
    let skipped = file.skipped;
    if skipped == 0 {
        return String::new();
    }
    let mut text = localize!(lang, "  não são registros: {skipped}\n", "  no records: {skipped}\n");
    let shown = file.rows.iter().filter(|row| row.outcome == RowOutcome::Skipped);
    for ShownRow { line, why, .. } in shown.take(CHOICES) {
        text += &localize!(lang, "  linha {line}: {why}\n", "  line {line}: {why}\n");
    }
    text
}

/// Returns the line about a member that rows lack: the default they get, or the request to choose one. Empty if
/// no row lacks the member.
fn default_text(default: &MemberDefault, table: Option<&Table>, lang: Lang) -> String {
    let MemberDefault { member, value, shown, is_only, choices, rows, .. } = default;
    let label =
        table.and_then(|table| table.member(member)).map(|field| lang.pick(field.label.0, field.label.1));
    let label = label.filter(|label| !label.is_empty()).unwrap_or(member);
    match (rows, value) {
        (0, _) => String::new(),
        (_, Some(_)) if *is_only => localize!(
            lang,
            "  {label}: {shown}, por não haver outra opção (linhas: {rows})\n",
            "  {label}: {shown}, as there is no other (rows: {rows})\n"
        ),
        (_, Some(_)) => localize!(
            lang,
            "  {label}: {shown}, onde a linha não diz nada (linhas: {rows})\n",
            "  {label}: {shown}, for rows without a value (rows: {rows})\n"
        ),
        (_, None) if default.has_column => localize!(
            lang,
            "  {label} falta em linhas que são recusadas por isso: {rows}; escolha um valor com --set\n",
            "  {label} is missing in rows that are refused for that: {rows}; choose a value with --set\n"
        ),
        (_, None) => {
            let word = lang.pick("VALOR", "VALUE");
            let set = quoted(&format!("{label}={word}"));
            let some = choices.iter().take(CHOICES).cloned().collect::<Vec<_>>().join(", ");
            let some = match choices.len() {
                0 => String::new(),
                1..=CHOICES => format!(": {some}"),
                _ => format!(": {some}, …"),
            };
            localize!(
                lang,
                "  falta em todas as linhas: {label} (recusadas por isso: {rows}); escolha um valor com --set {set}{some}\n",
                "  missing in all rows: {label} (refused for that: {rows}); choose a value with --set {set}{some}\n"
            )
        }
    }
}

/// Returns the lines about notes, phones without area code, and repeated records. Empty if there are none of
/// these.
fn noted_text(file: &FileReport, area_code: Option<&str>, lang: Lang) -> String {
    let FileReport { noted, repeated, repetitions, without_area, .. } = file;
    let mut text = String::new();
    if *noted > 0 {
        text += &localize!(
            lang,
            "  linhas com algo nas anotações: {noted}\n",
            "  rows with something in the notes: {noted}\n"
        );
    }
    if *without_area > 0 {
        text += &match area_code {
            Some(code) => localize!(
                lang,
                "  telefones sem DDD: {without_area} (agora com {code})\n",
                "  phones without an area code: {without_area} (now with {code})\n"
            ),
            None => localize!(
                lang,
                "  telefones sem DDD: {without_area} (veja --area-code)\n",
                "  phones without an area code: {without_area} (see --area-code)\n"
            ),
        };
    }
    if *repeated > 0 {
        text += &localize!(
            lang,
            "  linhas que são o mesmo registro que outra: {repeated}\n",
            "  rows that are the same record as another one: {repeated}\n"
        );
    }
    for (line, first) in repetitions.iter().take(CHOICES) {
        text += &localize!(
            lang,
            "  linha {line}: o mesmo registro da linha {first}\n",
            "  line {line}: the same record as line {first}\n"
        );
    }
    text
}

/// Returns the line about a name that is not in its list: the entry it was taken for, or that it was left blank.
fn name_text(name: &NameReport, list: &str, lang: Lang) -> String {
    let NameReport { name, cells, is, shown, .. } = name;
    match is {
        NameMeaning::Near => localize!(
            lang,
            "entendido ({list}): {name} = {shown} ({cells}); outro, ou um novo, com --name\n",
            "taken for ({list}): {name} = {shown} ({cells}); another one, or a new one, with --name\n"
        ),
        NameMeaning::Chosen | NameMeaning::Created => format!("{list}: {name} = {shown} ({cells})\n"),
        NameMeaning::Blank => {
            localize!(
                lang,
                "em branco ({list}): {name} ({cells})\n",
                "left blank ({list}): {name} ({cells})\n"
            )
        }
        NameMeaning::Unknown => String::new(),
    }
}
