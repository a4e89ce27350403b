//! The report of an import in words, for a terminal and for a page.

use std::path::Path;

use super::{FileReport, NameMeaning, NameReport, PassedOver, RowOutcome, RowsReport};
use crate::records::Customer;
use crate::transfer::prelude::*;
use crate::transfer::report_lines::{Fact, ReportPart};

/// What became of names that are no exact name of an entry or of a customer: titles, and options of the command line.
const NAMES: [(Bilingual, Bilingual); 6] = [
    (
        ("entendidos", "taken for"),
        ("outro, ou um novo, com --name", "another one, or a new one, with --name"),
    ),
    (("escolhidos", "chosen"), ("", "")),
    (("em branco", "left blank"), ("", "")),
    (
        ("não há estes clientes", "there are no such customers"),
        (
            "--name \"clientes:NOME=+\" o cria, --name \"clientes:*=+\" cria todos, --name \"clientes:NOME=NÚMERO\" diz quem é",
            "--name \"customers:NAME=+\" creates it, --name \"customers:*=+\" creates all, --name \"customers:NAME=NUMBER\" says who it is",
        ),
    ),
    (
        ("são várias pessoas", "these are several people"),
        ("--name \"LISTA:TEXTO=NOME\" diz qual delas", "--name \"LIST:TEXT=NAME\" says which of them"),
    ),
    (
        ("não estão na lista", "not in the list"),
        (
            "--create-lists acrescenta o que falta, --name diz o que é",
            "add them with --create-lists, or choose an entry with --name",
        ),
    ),
];

impl RowsReport {
    /// Returns what was found out about whole files and sheets.
    pub fn parts(&self, lang: Lang) -> [ReportPart; 2] {
        let letters = self.letters.iter().map(|own| {
            let cells = lang.pick("células", "cells");
            Fact::new(
                name_of(&own.file),
                format!(": {} = {} ({cells}: {})", own.before, own.after, own.cells),
            )
        });
        let passed_over = self.passed_over.iter().map(|PassedOver { file, sheet, why }| {
            let sheet = if sheet.is_empty() { String::new() } else { format!(" [{sheet}]") };
            Fact::new(name_of(file) + &sheet, format!(": {why}"))
        });
        let options = ("--letters as-is as deixa como estão", "--letters as-is keeps them");
        [
            ReportPart { options, ..ReportPart::of(("letras corrigidas", "letters restored"), letters) },
            ReportPart::of(("não importado", "not imported"), passed_over),
        ]
    }

    /// Returns the names that are no exact name of an entry or of a customer, and what became of them.
    pub fn names(&self, lang: Lang) -> Vec<ReportPart> {
        let many = |list: &str| {
            tables()
                .find(|table| table.name == list)
                .map_or("", |table| lang.pick(table.many.0, table.many.1))
        };
        let fact = |NameReport { list, name, cells, shown, .. }: &NameReport| {
            let shown = if shown.is_empty() { String::new() } else { format!(" = {shown}") };
            Fact::new(name, format!("{shown} ({}, {cells})", many(list)))
        };
        let parts = NAMES.iter().zip(0..).map(|((title, options), kind)| {
            let of_kind = self.names.iter().filter(|name| name.kind() == kind);
            ReportPart { options: *options, ..ReportPart::of(*title, of_kind.map(fact)) }
        });
        let made = self.made.iter().map(|(list, name)| Fact::new(name, format!(" ({})", many(list))));
        parts.chain([ReportPart::of(("novos", "new"), made)]).collect()
    }
}

impl NameReport {
    /// Returns the place in [`NAMES`].
    fn kind(&self) -> usize {
        match self.is {
            NameMeaning::Near => 0,
            NameMeaning::Chosen | NameMeaning::Created => 1,
            NameMeaning::Blank => 2,
            NameMeaning::Unknown if self.list == Customer::TABLE.name => 3,
            NameMeaning::Unknown if self.is_several => 4,
            NameMeaning::Unknown => 5,
        }
    }
}

impl FileReport {
    /// Returns what the reader must know about rows, beside their outcomes: those with something for the notes, those
    /// of one record, and those of records in the trash; then what a page tells in each row.
    pub fn parts(&self, lang: Lang) -> [ReportPart; 7] {
        let line = |line: u64| format!("{} {line}", lang.pick("linha", "line"));
        let repeated =
            self.repetitions.iter().map(|(at, first)| Fact::new(line(*at), format!(" = {}", line(*first))));
        let with = |outcome| {
            let rows = self.rows.iter().filter(move |row| row.outcome == outcome);
            rows.map(|row| Fact::new(line(row.line), format!(": {}", row.why)))
        };
        let reason = |(at, why): &(u64, String)| Fact::new(line(*at), format!(": {why}"));
        let parts = [
            ReportPart {
                total: self.noted,
                ..ReportPart::of(
                    ("linhas com algo para Anotações", "rows with something for the notes"),
                    self.notes.iter().map(reason),
                )
            },
            ReportPart {
                total: self.repeated,
                ..ReportPart::of(
                    (
                        "linhas que são o mesmo registro que outra",
                        "rows that are the same record as another one",
                    ),
                    repeated,
                )
            },
            ReportPart {
                total: self.in_trash,
                advice: (
                    "restaure esses registros, ou esvazie a lixeira para que sejam criados de novo, e importe outra vez",
                    "restore these records, or empty the trash so that they are created again, and import once more",
                ),
                options: ("pleito trash empty", "pleito trash empty"),
                ..ReportPart::of(
                    (
                        "linhas de registros que estão na lixeira, e não são salvas",
                        "rows of records in the trash, which are not stored",
                    ),
                    with(RowOutcome::InTrash),
                )
            },
            ReportPart {
                total: self.skipped,
                ..ReportPart::of(("não são registros", "no records"), with(RowOutcome::Skipped))
            },
            ReportPart {
                total: self.by_id,
                ..ReportPart::of(("reconhecidos pelo Id", "known by their Id"), [].into_iter())
            },
            ReportPart {
                total: self.other_ids,
                ..ReportPart::of(
                    ("Ids que não contam", "Ids that do not count"),
                    self.ids_left_out.iter().map(reason),
                )
            },
            ReportPart {
                total: self.refused.saturating_sub(self.incomplete),
                options: ("veja --refused", "see --refused"),
                ..ReportPart::of(("recusados", "refused"), self.refusals.iter().map(reason))
            },
        ];
        parts.map(|part| ReportPart { sheet: self.sheet.clone(), ..part })
    }
}

/// Returns the name of a file without its folders.
fn name_of(file: &str) -> String {
    Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned()
}
