//! Exports all data about one customer as spreadsheets, a printable page and documents (Lei 13.709/2018,
//! article 18). Includes records in the trash, because the office still holds them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::documents::Documents;
use super::{Exported, WRITING, file_name, in_new_folder};
use crate::domain::ConflictOutcome;
use crate::domain::lang::minute_format;
use crate::files::{self, create_private};
use crate::progress::{Progress, ProgressSink};
use crate::records::{Customer, Lawsuit, TABLES};
use crate::sheets::{Cell, EntryNames, headings, in_csv};
use crate::store::access::assistant_reads;
use crate::store::conflicts::conflict_checks::{self, KeptCheckEntry};
use crate::store::records::{View, linked_to};
use crate::store::{ContentStore, trash};
use crate::transfer::csv_writer::CsvWriter;
use crate::transfer::prelude::*;

const STYLE: &str = "body{font:11pt/1.45 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#111;\
background:#fff}h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem;border-bottom:1px solid #999;break-after:avoid}\
article{margin:0 0 1rem;break-inside:avoid}dl{display:grid;grid-template-columns:14rem 1fr;gap:.1rem 1rem;margin:0}\
dt{color:#555}dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}.note{color:#555}\
@page{margin:18mm}@media print{body{max-width:none;margin:0;padding:0}a{color:inherit;text-decoration:none}}";

const DELETED: (&str, &str) = ("Excluído em", "Deleted");

pub struct CustomerExport<'a> {
    pub data: &'a Path,
    /// The target folder, which may exist if empty.
    pub to: &'a Path,
    pub customer: u32,
    /// The office's name, or an empty string if it has no name.
    pub office: &'a str,
    /// The moment that the page shows as its date.
    pub now: Timestamp,
    pub zone: &'a TimeZone,
    pub lang: Lang,
}

struct CustomerRecord {
    id: u32,
    cells: Vec<Cell>,
    /// For a document, the path of its content within the export.
    file: Option<String>,
}

/// Calls of assistants by time, author and tool, with the number of this person's records that each was shown.
type ShownToAssistants = BTreeMap<(i64, String, String), BTreeMap<String, u64>>;

impl CustomerExport<'_> {
    /// Creates the export from one snapshot of the store. The folder gets its final name once it is complete.
    /// `on_progress` receives the number of records read.
    ///
    /// # Errors
    /// Returns [`TransferError::NotFound`] if there is no such customer.
    pub fn make(&self, on_progress: &ProgressSink) -> Result<Exported> {
        in_new_folder(self.data, self.to, |db, folder| self.write(db, folder, on_progress))
    }

    fn write(&self, db: Db<'_>, folder: &Path, on_progress: &ProgressSink) -> Result<Exported> {
        let id = self.customer;
        let found = views(db, Customer::TABLE, &BTreeSet::from([id]))?.pop();
        let Some(person) = found else {
            let text = localize!(self.lang, "não há cliente {id}.", "there is no customer {id}.");
            return Err(TransferError::NotFound(text));
        };
        let mut documents = Documents::new(ContentStore::of(self.data), folder);
        let names = EntryNames::read(db, self.zone, self.lang)?.names_alone();
        let mut all = Vec::new();
        let mut done = 0;
        let mut shown = ShownToAssistants::new();
        for (table, ids) in about(db, id)? {
            self.add_shown(&mut shown, db, table, &ids)?;
            let mut records = Vec::new();
            for view in views(db, table, &ids)? {
                let mut cells = names.cells(db, &view)?;
                let deleted = trash::find(db, table, view.id)?.map(|deletion| self.moment(deletion.at));
                cells.push(deleted.map_or(Cell::Empty, Cell::DayTime));
                let file = if table.kind == Document::KIND { content(&mut documents, &view)? } else { None };
                records.push(CustomerRecord { id: view.id, cells, file });
                done += 1;
                on_progress(Progress::of(WRITING, done, 0));
            }
            if !records.is_empty() {
                self.write_csv(folder, table, &records)?;
                all.push((table, records));
            }
        }
        let checks = conflict_checks::of_customer(db, id, u32::MAX)?;
        let page = self.page(person.text("name"), &all, &checks, &shown).into_string();
        let path = folder.join(self.lang.pick("dados.html", "data.html"));
        let written = create_private(&path).and_then(|mut file| {
            file.write_all(page.as_bytes())?;
            files::sync(&file)
        });
        written.map_err(TransferError::file(&path))?;
        let counts = all.iter().map(|(table, records)| (*table, records.len() as u64)).collect();
        Ok(Exported { records: counts, documents: documents.copied, missing: documents.missing })
    }

    fn moment(&self, seconds: i64) -> jiff::civil::DateTime {
        self.zone.to_datetime(Timestamp::from_second(seconds).unwrap_or_default())
    }

    fn headings(&self, table: &'static Table) -> Vec<String> {
        let deleted = self.lang.pick(DELETED.0, DELETED.1).to_owned();
        headings(table, self.lang).into_iter().chain([deleted]).collect()
    }

    fn write_csv(&self, folder: &Path, table: &'static Table, records: &[CustomerRecord]) -> Result<()> {
        let path = folder.join(file_name(table, self.lang));
        let file = create_private(&path).map_err(TransferError::file(&path))?;
        let mut csv = CsvWriter::begin(&path, file, &self.headings(table))?;
        for record in records {
            csv.add(&record.cells)?;
        }
        csv.finish()
    }

    fn page(
        &self,
        name: &str,
        all: &[(&'static Table, Vec<CustomerRecord>)],
        checks: &[KeptCheckEntry],
        shown: &ShownToAssistants,
    ) -> Markup {
        let lang = self.lang;
        let made = self.zone.to_datetime(self.now).strftime(minute_format(lang));
        html! {
            (DOCTYPE)
            html lang=(lang.pick("pt-BR", "en")) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (name) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    h1 { (name) }
                    p.note {
                        (lang.pick("Dados mantidos por ", "Data that is held by "))
                        (if self.office.is_empty() { lang.pick("este escritório", "this office") } else { self.office })
                        " · " (made.to_string())
                    }
                    @for (table, records) in all {
                        section {
                            h2 { (table.title(lang)) " (" (records.len()) ")" }
                            @for record in records { (self.one(table, record)) }
                        }
                    }
                    @if !checks.is_empty() {
                        section {
                            h2 { (lang.pick("Consultas de conflito de interesses", "Checks for conflicts of interest")) " (" (checks.len()) ")" }
                            @for check in checks { (self.check(check)) }
                        }
                    }
                    @if !shown.is_empty() {
                        section {
                            h2 { (lang.pick("Mostrado a um assistente", "Shown to an assistant")) " (" (shown.len()) ")" }
                            @for (call, records) in shown { (self.shown(call, records)) }
                        }
                    }
                }
            }
        }
    }

    /// Renders a kept check for conflicts of interest, without what it says of others.
    fn check(&self, check: &KeptCheckEntry) -> Markup {
        let lang = self.lang;
        let at = self.moment(check.at).strftime(minute_format(lang)).to_string();
        let (pt, en) = match check.outcome {
            ConflictOutcome::Certain => ("conflito certo", "certain conflict"),
            ConflictOutcome::Possible => ("conflito possível", "possible conflict"),
            ConflictOutcome::None => ("nada encontrado", "nothing found"),
        };
        html! {
            article {
                dl {
                    dt { (lang.pick("Número", "Number")) } dd { (check.id) }
                    dt { (lang.pick("Data e hora", "Date and time")) } dd { (at) }
                    dt { (lang.pick("Consultado por", "Asked by")) } dd { (check.who) }
                    dt { (lang.pick("Resultado", "Result")) } dd { (lang.pick(pt, en)) }
                }
            }
        }
    }

    /// Adds the calls of assistants whose answers had one of these records.
    fn add_shown(
        &self,
        shown: &mut ShownToAssistants,
        db: Db<'_>,
        table: &'static Table,
        ids: &BTreeSet<u32>,
    ) -> Result<()> {
        for id in ids {
            for read in assistant_reads::of_record(db, table, *id, u32::MAX)? {
                let who = assistant_reads::author_name(read.who.as_ref(), self.lang);
                *shown
                    .entry((read.at, who, read.tool))
                    .or_default()
                    .entry(table.title(self.lang))
                    .or_default() += 1;
            }
        }
        Ok(())
    }

    /// Renders a call of an assistant.
    fn shown(&self, (at, who, tool): &(i64, String, String), records: &BTreeMap<String, u64>) -> Markup {
        let lang = self.lang;
        let at = self.moment(*at).strftime(minute_format(lang)).to_string();
        let records = records.iter().map(|(title, count)| format!("{title}: {count}"));
        html! {
            article {
                dl {
                    dt { (lang.pick("Data e hora", "Date and time")) } dd { (at) }
                    dt { (lang.pick("Mostrado a", "Shown to")) } dd { (who) }
                    dt { (lang.pick("Ferramenta", "Tool")) } dd { (tool) }
                    dt { (lang.pick("Registros", "Records")) } dd { (records.collect::<Vec<_>>().join("; ")) }
                }
            }
        }
    }

    fn one(&self, table: &'static Table, record: &CustomerRecord) -> Markup {
        let headings = self.headings(table);
        let filled = headings.iter().zip(&record.cells).filter(|(_, cell)| **cell != Cell::Empty);
        html! {
            article id={ (table.path) "-" (record.id) } {
                dl {
                    @for (heading, cell) in filled { dt { (heading) } dd { (as_text(cell)) } }
                    @if let Some(file) = &record.file {
                        dt { (self.lang.pick("Arquivo", "File")) } dd { a href=(file) { (file) } }
                    }
                }
            }
        }
    }
}

fn as_text(cell: &Cell) -> String {
    if let Cell::Text(text) = cell { text.clone() } else { in_csv(cell).into_owned() }
}

/// Reads the records with these ids, deleted ones included, ordered by id.
fn views(db: Db<'_>, table: &'static Table, ids: &BTreeSet<u32>) -> Result<Vec<View>> {
    let ids = ids.iter().copied().collect::<Vec<_>>();
    let mut all = View::read(db, table, &ids)?;
    all.extend(View::read_deleted(db, table, &ids)?);
    all.sort_by_key(|view| view.id);
    Ok(all)
}

/// Copies the content of a document. Returns its path within the export, or `None` if the content is missing.
fn content(documents: &mut Documents, view: &View) -> Result<Option<String>> {
    let hash = view.value("sha256");
    let size = view.value("size");
    let (Value::Text(hash), Value::Integer(size)) = (hash, size) else { return Ok(None) };
    documents.copy_content(view.id, hash, *size, view.text("name"))
}

/// Finds the records about a customer in each table: those that refer to the customer, and those that refer to
/// one of the customer's lawsuits and not to a different customer.
fn about(db: Db<'_>, customer: u32) -> Result<Vec<(&'static Table, BTreeSet<u32>)>> {
    let of = |table: &'static Table, to: Kind, id: u32| -> Result<BTreeSet<u32>> {
        let mut ids = BTreeSet::new();
        for field in table
            .stored()
            .filter(|field| matches!(field.ty, Type::Record(kind) | Type::Links(kind) if kind == to))
        {
            ids.extend(linked_to(db, table, field.column, id)?);
        }
        Ok(ids)
    };
    let lawsuits = of(Lawsuit::TABLE, Customer::KIND, customer)?;
    let mut all = vec![(Customer::TABLE, BTreeSet::from([customer])), (Lawsuit::TABLE, lawsuits.clone())];
    for table in TABLES.iter().copied().filter(|table| ![Customer::KIND, Lawsuit::KIND].contains(&table.kind))
    {
        let own = of(table, Customer::KIND, customer)?;
        let mut ids = BTreeSet::new();
        for lawsuit in &lawsuits {
            ids.extend(of(table, Lawsuit::KIND, *lawsuit)?);
        }
        let theirs = |view: &View| {
            let field = table.stored().find(|field| field.ty == Type::Record(Customer::KIND));
            field.and_then(|field| view.value(field.column).id()).is_some_and(|other| other != customer)
        };
        let mut about: BTreeSet<u32> =
            views(db, table, &ids)?.iter().filter(|view| !theirs(view)).map(|view| view.id).collect();
        about.extend(own);
        all.push((table, about));
    }
    Ok(all)
}
