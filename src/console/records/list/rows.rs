//! Records as table rows and as search suggestions.

use crate::api::console_pages::{Column, Stage, Status, cut};
use crate::console::layout::days::near;
use crate::console::layout::view::format_value;
use crate::console::prelude::*;
use crate::console::records::list::find::Listed;
use crate::console::records::list::sort;
use crate::console::records::matches::Matches;
use crate::records::Source;

/// Maximum length of a text in a row, in characters; the record's page shows all of it.
const IN_A_ROW: usize = 220;
const NAMES_IN_A_ROW: usize = 80;
/// Largest picture that is shown in its row, in bytes.
const MAX_PICTURE_BYTES: u32 = 3_000_000;
/// Number of columns on a narrow screen.
const NARROW: usize = 4;

impl Pages {
    /// Renders related records of a record, to which the field `of` refers. Columns that only repeat data of
    /// that record are left out.
    pub(in crate::console) fn rows_of(&self, records: &[View], of: Option<&Field>, visit: &Visit) -> Markup {
        let columns = self.presentation.columns.iter().filter(|column| !self.is_in_heading(column, of));
        self.rows(&columns.collect::<Vec<_>>(), records, None, visit)
    }

    /// Renders search results. The column heads sort the list.
    pub(in crate::console) fn rows_found(&self, listed: &Listed, visit: &Visit) -> Markup {
        let columns = self.presentation.columns.iter().collect::<Vec<_>>();
        self.rows(&columns, &listed.records, Some(listed), visit)
    }

    fn rows(&self, columns: &[&Column], records: &[View], found: Option<&Listed>, visit: &Visit) -> Markup {
        let columns: Vec<_> = columns.iter().copied().filter(|column| self.is_seen(column, visit)).collect();
        let columns = columns.as_slice();
        let sort = self.sort(visit);
        let has_tools = self.file.is_some() || !self.in_rows.is_empty();
        let day = |record: &View| self.due_day.and_then(|due_day| due_day(record, visit.today));
        let by_day = found.and_then(|found| found.overdue);
        let group = |record: &View| by_day.map(|_| day(record).filter(|day| *day >= visit.today));
        let width = columns.len() + usize::from(found.is_some()) + usize::from(has_tools);
        html! {
            thead { tr { @if found.is_some() { (self.tick_page(visit)) } @for column in columns {
                @let (head, ty) = self.head(column, visit.lang);
                @match self.sortable(column).filter(|_| found.is_some()) {
                    Some(by) => (sort::head(sort, by, head, is_number(ty), visit)),
                    None => th.number[is_number(ty)] scope="col" { (head) },
                }
            }
            @if has_tools { th { span.hidden { (visit.pick("Ações", "Actions")) } } }
            } }
            @for records in records.chunk_by(|one, next| group(one) == group(next)) {
                tbody {
                    @if let (Some(overdue), Some(first)) = (by_day, records.first()) {
                        tr.day { th colspan=(width) scope="rowgroup" { (day_heading(group(first).flatten(), overdue, visit)) } }
                    }
                    @for record in records { (self.row(columns, record, found, visit)) }
                }
            }
        }
    }

    fn row(&self, columns: &[&Column], record: &View, found: Option<&Listed>, visit: &Visit) -> Markup {
        let is_over = self.status(record, visit.today).is_some_and(|status| status.stage == Stage::Done);
        let detail = self.detail.map(|detail| detail(record)).unwrap_or_default();
        let matches = found.map(|found| &found.matches).filter(|matches| !matches.is_empty());
        let shown = matches.map(|_| {
            let cells = columns.iter().map(|column| cell(column, record, visit));
            cells.chain([detail.clone()]).collect::<Vec<_>>()
        });
        html! {
            tr.over[is_over] { @if found.is_some() { (self.tick(record.id, &self.name(record, visit.lang), visit)) } @for (at, column) in columns.iter().enumerate() {
                @let (label, ty) = self.head(column, visit.lang);
                td.name[at == 0] .whole[is_whole(ty)] .number[is_number(ty)] .wide[at >= NARROW] data-label=[(at > 0).then_some(label)] {
                    @match column {
                        Column::Status(status) => (stage(&status(record, visit.today), visit.lang)),
                        _ if at == 0 => {
                            @if self.has_thumbnail(record) { img.thumbnail src={ (self.at(&record.id.to_string())) "/view" } alt="" width="40" height="40" loading="lazy"; }
                            a.cut[matches!(ty, Type::Text(_))] href={ (BASE) "/" (self.path()) "/" (record.id) } { (cell(column, record, visit)) }
                            @if !detail.is_empty() { p.detail { (detail) } }
                            @if let Some((matches, shown)) = matches.zip(shown.as_ref()) { (matches.render(record, shown, visit.lang)) }
                        }
                        _ => (cell(column, record, visit)),
                    }
                }
            }
            @if self.file.is_some() || !self.in_rows.is_empty() { td.act {
                @if self.file.is_some() { a href={ (self.at(&record.id.to_string())) "/content" } { (visit.pick("Baixar", "Download")) } }
                (self.tools_in_row(record, visit))
            } }
            }
        }
    }

    /// Returns `true` for a picture that is small enough to be loaded for its row.
    fn has_thumbnail(&self, record: &View) -> bool {
        let size = record.value("size").id().unwrap_or(u32::MAX);
        let is_picture =
            ["image/jpeg", "image/png", "image/gif", "image/webp"].contains(&record.text("media_type"));
        self.file.is_some() && is_picture && size <= MAX_PICTURE_BYTES
    }

    /// Returns `true` if the visitor may see the column.
    fn is_seen(&self, column: &Column, visit: &Visit) -> bool {
        let field = match column {
            Column::Of(column) | Column::As(column, _) | Column::Called(column, ..) => {
                self.table.field(column)
            }
            Column::Made(..) | Column::Status(_) => None,
        };
        field.is_none_or(|field| visit.sees(self.table, field))
    }

    /// Returns the name of a record for references to it: its heading, the second column if that adds something, and the
    /// remark.
    pub fn name(&self, record: &View, lang: Lang) -> String {
        let heading = (self.presentation.heading)(record, lang);
        let second = self.presentation.columns.get(1).map(|column| text_of(column, record, lang));
        let more =
            second.into_iter().chain(self.remark(record, lang)).filter(|text| !is_contained(text, &heading));
        let more = more.collect::<Vec<_>>();
        [&[heading][..], &more].concat().join(" · ")
    }

    fn remark(&self, record: &View, lang: Lang) -> Option<String> {
        self.remark.map(|remark| remark(record, lang)).filter(|text| !text.is_empty())
    }

    /// Returns labelled facts for the record's page that are not editable fields. Their texts are whole.
    pub(in crate::console) fn facts(&self, record: &View, visit: &Visit) -> Vec<(&'static str, String)> {
        let facts =
            self.facts.iter().map(|column| (self.head(column, visit.lang).0, fact(column, record, visit)));
        facts.filter(|(_, text)| !text.is_empty()).collect()
    }

    /// Returns the texts that distinguish records with equal headings, from the first columns.
    pub(in crate::console) fn cells(&self, record: &View, visit: &Visit) -> Vec<String> {
        let heading = (self.presentation.heading)(record, visit.lang);
        let columns = self.presentation.columns.iter().take(NARROW).skip(1);
        let cells =
            columns.map(|column| cell(column, record, visit)).filter(|cell| !is_contained(cell, &heading));
        cells.chain(self.remark(record, visit.lang)).collect()
    }

    /// Renders the records as options for the picker's script.
    pub(in crate::console) fn options(&self, records: &[View], matches: &Matches, visit: &Visit) -> Markup {
        html! {
            @for record in records {
                @let heading = (self.presentation.heading)(record, visit.lang);
                @let cells = self.cells(record, visit);
                li role="option" data-id=(record.id) data-name=(self.name(record, visit.lang)) {
                    (heading) " " span.quiet { (cells.join(" ")) }
                    (matches.render(record, &[&[heading][..], &cells].concat(), visit.lang))
                }
            }
            @if records.is_empty() { li.quiet role="option" aria-disabled="true" { (visit.pick("Nada encontrado", "Nothing found")) } }
        }
    }

    /// Returns `true` if the column only shows data of the record that the field `of` refers to.
    fn is_in_heading(&self, column: &Column, of: Option<&Field>) -> bool {
        let Some(of) = of else { return false };
        let (column, is_name) = match column {
            Column::Of(column) | Column::As(column, _) => (column, true),
            // A lawsuit's name contains more than its customers.
            Column::Called(column, ..) => (column, false),
            _ => return false,
        };
        let is_of = |source: &Source| match source {
            Source::MemberOf(member, _) | Source::NamesThrough(member, _) => *member == of.column,
            Source::NamesOf(member) => is_name && *member == of.column,
            _ => false,
        };
        self.table.field(column).is_some_and(|field| match field.source {
            Source::Coalesce(sources) => sources.iter().any(is_of),
            source => is_of(&source),
        })
    }

    /// Returns the head of a column, and the type of its values.
    fn head(&self, column: &Column, lang: Lang) -> (&'static str, Type) {
        match column {
            Column::Made(label, ty, _) => (lang.pick(label.0, label.1), *ty),
            Column::Called(_, label, _) => (lang.pick(label.0, label.1), Type::Name),
            Column::Status(_) => (lang.pick("Situação", "Status"), Type::Name),
            Column::Of(column) | Column::As(column, _) => {
                let Some(field) = self.table.field(column) else { return ("", Type::Own) };
                // A name has the label of the reference.
                let label = match field.source {
                    Source::NameOf(of) => self.table.field(of).unwrap_or(field).label,
                    _ => field.label,
                };
                (lang.pick(label.0, label.1), field.ty)
            }
        }
    }
}

/// Returns the heading of the records that are due on a day, or of the overdue ones with their number.
fn day_heading(day: Option<Day>, overdue: u64, visit: &Visit) -> String {
    match day {
        None => format!("{} ({})", visit.pick("Atrasadas", "Overdue"), count(overdue, visit.lang)),
        Some(day) => first_upper(&near(day, visit.today, visit.lang)),
    }
}

/// Returns `true` if the heading already contains the cell's text, which may be cut.
fn is_contained(cell: &str, heading: &str) -> bool {
    heading.contains(cell.trim_end_matches('…'))
}

/// Renders the status. The word and the colour both mark a late record.
pub(in crate::console) fn stage(status: &Status, lang: Lang) -> Markup {
    let class = match status.stage {
        Stage::Open => "open",
        Stage::Due => "due",
        Stage::Late => "late",
        Stage::Done => "over",
    };
    html! { span class={ "stage " (class) } { (lang.pick(status.word.0, status.word.1)) } }
}

/// Returns the value of a column with all its lines, of which a cell has only the beginning.
fn fact(column: &Column, record: &View, visit: &Visit) -> String {
    if let Column::Of(column) = column
        && let Some(field @ Field { ty: Type::Text(_), .. }) = record.table.field(column)
    {
        return record.typed(field, visit.lang);
    }
    cell(column, record, visit)
}

fn cell(column: &Column, record: &View, visit: &Visit) -> String {
    if let Column::Of(column) = column
        && let Some(Field { ty: Type::Moment, .. }) = record.table.field(column)
        && let Value::Integer(seconds) = record.value(column)
    {
        return moment(*seconds, visit.zone(), visit.lang);
    }
    text_of(column, record, visit.lang)
}

fn text_of(column: &Column, record: &View, lang: Lang) -> String {
    let column = match column {
        Column::Made(.., text) | Column::Called(.., text) | Column::As(_, text) => return text(record, lang),
        Column::Status(_) => return String::new(),
        Column::Of(column) => column,
    };
    match (record.table.field(column), record.value(column)) {
        // Shows the number of linked records.
        (_, Value::Ids(ids)) if ids.is_empty() => String::new(),
        (_, Value::Ids(ids)) => ids.len().to_string(),
        (Some(Field { ty: Type::Text(_), .. }), Value::Text(text)) => cut(text, IN_A_ROW),
        (Some(Field { source: Source::NamesThrough(..) | Source::NamesOf(_), .. }), Value::Text(names)) => {
            cut(names, NAMES_IN_A_ROW)
        }
        (Some(field), _) => format_value(field, &record.typed(field, lang), None, lang),
        (None, _) => String::new(),
    }
}

fn is_number(ty: Type) -> bool {
    matches!(ty, Type::Links(_) | Type::Whole(..) | Type::Money)
}

/// Returns `true` if values of the type are never wrapped.
fn is_whole(ty: Type) -> bool {
    matches!(
        ty,
        Type::TaxId
            | Type::ProcessNumber
            | Type::Phone
            | Type::PostalCode
            | Type::Day
            | Type::Moment
            | Type::SlashedDay
            | Type::EntryType
    )
}
