//! Everything about one person: the records that are about a customer, with the contents of documents, as spreadsheets and as
//! one page to print (Lei 13.709/2018, article 18). What is in the trash is among them: the office holds it still.

use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::error::TransferError;
use super::export::documents::Documents;
use super::export::{WRITING, file_name, in_new_folder};
use crate::domain::Lang;
use crate::domain::lang::say;
use crate::files::create_private;
use crate::progress::{Hearing, Progress};
use crate::records::{Customer, Document, Kind, Lawsuit, Record as _, TABLES, Table, Type, Value};
use crate::sheets::{BYTE_ORDER_MARK, Cell, EntryNames, csv_writer, headings, in_csv, write_cells};
use crate::store::records::{View, linked_to};
use crate::store::{ContentStore, Db, Store, trash};

/// How the page looks, on paper too.
const STYLE: &str = "body{font:11pt/1.45 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#111;\
background:#fff}h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem;border-bottom:1px solid #999}\
article{margin:0 0 1rem;break-inside:avoid}dl{display:grid;grid-template-columns:14rem 1fr;gap:.1rem 1rem;margin:0}\
dt{color:#555}dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}.note{color:#555}\
@page{margin:18mm}@media print{body{max-width:none;margin:0;padding:0}a{color:inherit;text-decoration:none}}";

/// When a record was deleted.
const DELETED: (&str, &str) = ("Excluído em", "Deleted");

/// What is exported of one person, and how.
pub struct PersonExport<'a> {
    /// The data folder.
    pub data: &'a Path,
    /// The folder that is made; it may be there, if it is empty.
    pub to: &'a Path,
    /// The customer's id.
    pub customer: u32,
    /// What the office is called; empty where it has no name.
    pub office: &'a str,
    /// When that is.
    pub now: Timestamp,
    /// Where the office's clock hangs.
    pub zone: &'a TimeZone,
    /// The language of headings and of the page.
    pub lang: Lang,
}

/// What such an export has.
#[derive(Debug)]
pub struct PersonExported {
    /// How many records of each table, deleted ones included.
    pub records: Vec<(&'static Table, u64)>,
    /// How many contents of documents.
    pub documents: u64,
    /// How many contents are missing or altered in the data folder.
    pub missing: u64,
}

/// A record, and what stands in its cells.
struct PersonRecord {
    id: u32,
    cells: Vec<Cell>,
    /// Where its content is, of a document.
    file: Option<String>,
}

impl PersonExport<'_> {
    /// Makes it, of one state of the store; the folder has its name once everything is in it. `hears` hears how many records are
    /// read.
    ///
    /// # Errors
    /// That there is no such customer; why there is no export.
    pub fn make(&self, hears: &Hearing) -> Result<PersonExported, TransferError> {
        in_new_folder(self.to, |folder| {
            Store::look_anywhere(self.data, folder, |db| db.snapshot(|db| self.write(db, folder, hears)))
        })
    }

    fn write(&self, db: Db<'_>, folder: &Path, hears: &Hearing) -> Result<PersonExported, TransferError> {
        let id = self.customer;
        let found = views(db, Customer::TABLE, &BTreeSet::from([id]))?.pop();
        let Some(person) = found else {
            let text = say!(self.lang, "não há cliente {id}.", "there is no customer {id}.");
            return Err(TransferError::Refused(text));
        };
        let (mut documents, names) = (
            Documents::new(ContentStore::of(self.data), folder),
            EntryNames::read(db, self.zone, self.lang)?.names_alone(),
        );
        let (mut all, mut done) = (Vec::new(), 0);
        for (table, ids) in about(db, id)? {
            let mut records = Vec::new();
            for view in views(db, table, &ids)? {
                let mut cells = names.cells(db, &view)?;
                let deleted = trash::find(db, table, view.id)?.map(|deletion| self.moment(deletion.at));
                cells.push(deleted.map_or(Cell::Empty, Cell::DayTime));
                let file = if table.kind == Document::KIND { content(&mut documents, &view)? } else { None };
                records.push(PersonRecord { id: view.id, cells, file });
                done += 1;
                hears(Progress::of(WRITING, done, 0));
            }
            if !records.is_empty() {
                self.write_csv(folder, table, &records)?;
                all.push((table, records));
            }
        }
        let page = self.page(person.text("name"), &all).into_string();
        let path = folder.join(self.lang.pick("dados.html", "data.html"));
        let written = create_private(&path).and_then(|mut file| {
            file.write_all(page.as_bytes())?;
            file.sync_all()
        });
        written.map_err(TransferError::file(&path))?;
        let counts = all.iter().map(|(table, records)| (*table, records.len() as u64)).collect();
        Ok(PersonExported { records: counts, documents: documents.copied, missing: documents.missing })
    }

    fn moment(&self, seconds: i64) -> jiff::civil::DateTime {
        self.zone.to_datetime(Timestamp::from_second(seconds).unwrap_or_default())
    }

    fn headings(&self, table: &'static Table) -> Vec<String> {
        let deleted = self.lang.pick(DELETED.0, DELETED.1).to_owned();
        headings(table, self.lang).into_iter().chain([deleted]).collect()
    }

    fn write_csv(
        &self,
        folder: &Path,
        table: &'static Table,
        records: &[PersonRecord],
    ) -> Result<(), TransferError> {
        let path = folder.join(file_name(table, self.lang));
        let failed = TransferError::file(&path);
        let write = || -> std::io::Result<()> {
            let mut file = BufWriter::new(create_private(&path)?);
            file.write_all(BYTE_ORDER_MARK.as_bytes())?;
            let mut csv = csv_writer(file);
            csv.write_record(self.headings(table))?;
            for record in records {
                write_cells(&mut csv, &record.cells)?;
            }
            csv.flush()
        };
        write().map_err(failed)
    }

    /// All of it as one page.
    fn page(&self, name: &str, all: &[(&'static Table, Vec<PersonRecord>)]) -> Markup {
        let lang = self.lang;
        let made = self.zone.to_datetime(self.now).strftime(lang.pick("%d/%m/%Y %H:%M", "%Y-%m-%d %H:%M"));
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
                            h2 { (title(table, lang)) " (" (records.len()) ")" }
                            @for record in records { (self.one(table, record)) }
                        }
                    }
                }
            }
        }
    }

    fn one(&self, table: &'static Table, record: &PersonRecord) -> Markup {
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

/// What a cell says to a person.
fn as_text(cell: &Cell) -> String {
    if let Cell::Text(text) = cell { text.clone() } else { in_csv(cell).into_owned() }
}

fn title(table: &Table, lang: Lang) -> String {
    let many = lang.pick(table.many.0, table.many.1);
    let mut letters = many.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

/// The records with those ids, deleted ones included, by id.
fn views(db: Db<'_>, table: &'static Table, ids: &BTreeSet<u32>) -> Result<Vec<View>, TransferError> {
    let ids = ids.iter().copied().collect::<Vec<_>>();
    let mut all = View::read(db, table, &ids)?;
    all.extend(View::read_deleted(db, table, &ids)?);
    all.sort_by_key(|view| view.id);
    Ok(all)
}

/// Copies the content of a document, and answers where it is.
fn content(documents: &mut Documents, view: &View) -> Result<Option<String>, TransferError> {
    let (hash, size) = (view.value("sha256"), view.value("size"));
    let (Value::Text(hash), Value::Integer(size)) = (hash, size) else { return Ok(None) };
    documents.copy_content(view.id, hash, *size, view.text("name"))
}

/// The records that are about a customer, of each table: what refers to the customer, and what refers to one of the customer's
/// lawsuits, unless that is about another customer.
fn about(db: Db<'_>, customer: u32) -> Result<Vec<(&'static Table, BTreeSet<u32>)>, TransferError> {
    let of = |table: &'static Table, to: Kind, id: u32| -> Result<BTreeSet<u32>, TransferError> {
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
