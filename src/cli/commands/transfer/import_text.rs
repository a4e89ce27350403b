//! The report of an import as text for the command line.

use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::domain::text::shell::quoted;
use crate::records::Table;
use crate::store::records::full_records::tables;
use crate::transfer::{FileReport, Import, MemberDefault, RowsReport};

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
        if file.without_area > 0 {
            let phones = lang.pick("telefones sem DDD", "phones without an area code");
            let code = match import.area_code.as_deref() {
                Some(code) => localize!(lang, "agora com {code}", "now with {code}"),
                None => lang.pick("veja --area-code", "see --area-code").to_owned(),
            };
            text += &format!("  {phones}: {} ({code})\n", file.without_area);
        }
        for part in file.parts(lang) {
            part.text(Some(CHOICES), lang).lines().for_each(|line| text += &format!("  {line}\n"));
        }
        for default in &file.defaults {
            text += &default_text(default, table(&file.resource), lang);
        }
    }
    for sheet in &report.undecided {
        text += &format!("{}\n", sheet.line(lang));
    }
    for part in report.parts(lang).iter().chain(&report.names(lang)) {
        text += &part.text(Some(CHOICES), lang);
    }
    text
}

/// Returns a line for each column that has values, with the first of them.
fn values_text(file: &FileReport) -> String {
    let filled = file.layout.iter().filter(|column| !column.samples.is_empty());
    filled.map(|column| format!("    {}: {}\n", column.heading, column.samples.join(" · "))).collect()
}

/// Returns the line about a member that rows lack: the default they get, or the request to choose one. Empty if
/// no row lacks the member.
fn default_text(default: &MemberDefault, table: Option<&Table>, lang: Lang) -> String {
    let MemberDefault { member, value, shown, is_only, has_column, choices, rows } = default;
    let label =
        table.and_then(|table| table.member(member)).map(|field| lang.pick(field.label.0, field.label.1));
    let label = label.filter(|label| !label.is_empty()).unwrap_or(member);
    if *rows == 0 {
        return String::new();
    }
    if value.is_some() {
        let reason = match is_only {
            true => lang.pick("por não haver outra opção", "as there is no other"),
            false => lang.pick("onde a linha não diz nada", "for rows without a value"),
        };
        let of_rows = lang.pick("linhas", "rows");
        return format!("  {label}: {shown}, {reason} ({of_rows}: {rows})\n");
    }
    let lacking = match has_column {
        true => lang.pick("falta em linhas", "missing in rows"),
        false => lang.pick("falta em todas as linhas", "missing in all rows"),
    };
    let set = quoted(&format!("{label}={}", lang.pick("VALOR", "VALUE")));
    let mut some = choices.iter().take(CHOICES).cloned().collect::<Vec<_>>();
    some.extend((choices.len() > CHOICES).then(|| "…".to_owned()));
    let some = if some.is_empty() { String::new() } else { format!(": {}", some.join(", ")) };
    localize!(
        lang,
        "  {lacking}: {label} (recusadas por isso: {rows}); escolha um valor com --set {set}{some}\n",
        "  {lacking}: {label} (refused for that: {rows}); choose a value with --set {set}{some}\n"
    )
}
