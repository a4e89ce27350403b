//! The payments of a month for the accountant, by category, cost center and person: what moved in the month, whatever
//! it was due or counts for (office 54).

use crate::console::layout::days::{month, month_later};
use crate::console::layout::view::money;
use crate::console::money::links::links;
use crate::console::money::months::{MONTHS_OF_YEAR, Months};
use crate::console::prelude::*;
use crate::console::requests::response::attachment;
use crate::domain::{Money, YearMonth};
use crate::http::{Body, FilePart};
use crate::index::Index;
use crate::sheets::Cell;
use crate::store::lists;
use crate::store::nouns::transactions::cash::{GROUPS, Paid, paid_by_entry};
use crate::transfer::{Spreadsheet, TransferError, write_table};

/// Query parameter with the month, `YYYY-MM`.
const MONTH: &str = "month";

/// The sums of one list: the list, and its entries with payments in the order of the list.
type Group = (List, Vec<(String, Paid)>);

/// The payments of a month by the entries of each list.
struct Cash {
    groups: Vec<Group>,
}

impl Cash {
    fn read(db: Db<'_>, month: YearMonth) -> Result<Cash> {
        let sums = paid_by_entry(db, month.first_day(), month.last_day())?;
        let mut groups = Vec::new();
        for ((list, _), sums) in GROUPS.into_iter().zip(sums) {
            let paid = |id: u32| sums.iter().find(|(own, _)| *own == id).map(|(_, paid)| *paid);
            let entries = lists::all(db, list)?;
            let named =
                entries.iter().filter_map(|entry| Some((entry.name.as_str().to_owned(), paid(entry.id)?)));
            groups.push((list, named.collect()));
        }
        Ok(Cash { groups })
    }
}

fn label(list: List, visit: &Visit) -> &'static str {
    match list {
        List::Categories => visit.pick("Categoria", "Category"),
        List::CostCenters => visit.pick("Centro de custo", "Cost center"),
        _ => visit.pick("Responsável", "Responsible"),
    }
}

fn month_of(visit: &Visit) -> YearMonth {
    YearMonth::parse(visit.parameter(MONTH)).unwrap_or(YearMonth::of(visit.today))
}

pub(in crate::console) async fn show(visit: &Visit) -> Result<Answer> {
    let of = month_of(visit);
    let today = visit.today;
    let read = move |index: &Index, db: Db<'_>| {
        Ok((Cash::read(db, of)?, Months::read(index, db, today, MONTHS_OF_YEAR)?))
    };
    let (cash, months) = visit.list(read).await?;
    let title = visit.pick("Caixa do mês", "Payments of the month");
    let first = of.first_day();
    let at = |months: i32| {
        format!("{BASE}/transactions/cash?{MONTH}={}", YearMonth::of(month_later(first, months)).iso())
    };
    let file = |format: Spreadsheet| {
        format!("{BASE}/transactions/cash/export?{MONTH}={}&as={}", of.iso(), format.ending())
    };
    let listed =
        format!("{BASE}/transactions?tab=paid&date_start={}&date_end={}", first.iso(), of.last_day().iso());
    let main = html! {
        (links("/cash", visit))
        header.title { h1 { (title) } div.tools { (print_button(visit)) } }
        (months.render(visit))
        h2 { (month(first, visit.lang)) }
        nav.turn aria-label=(visit.pick("Mês", "Month")) {
            a.button href=(at(-1)) rel="prev" { "‹ " (month(month_later(first, -1), visit.lang)) }
            a.button href=(at(1)) rel="next" { (month(month_later(first, 1), visit.lang)) " ›" }
        }
        p.quiet { (visit.pick(
            "Regime de caixa: o que foi pago neste mês, pelo dia do pagamento.",
            "Cash basis: what was paid in this month, by the day of payment.",
        )) span.act { " " a href=(listed) { (visit.pick("Ver os lançamentos", "See the transactions")) } } }
        @if cash.groups.iter().all(|(_, entries)| entries.is_empty()) {
            p.empty { (visit.pick("Nada foi pago neste mês.", "Nothing was paid in this month.")) }
        } @else {
            @for (list, entries) in &cash.groups { (table(label(*list, visit), entries, visit)) }
            p.quiet.export {
                (visit.pick("Exportar: ", "Export: "))
                a href=(file(Spreadsheet::Xlsx)) download { "Excel (XLSX)" } " · "
                a href=(file(Spreadsheet::Csv)) download { "CSV" }
            }
        }
    };
    Ok(page(visit, NavItem::Records(Kind::Transaction), title, &main))
}

fn table(label: &str, entries: &[(String, Paid)], visit: &Visit) -> Markup {
    let total = entries.iter().fold(Paid::default(), |sum, (_, paid)| sum.plus(*paid));
    let cells = |paid: &Paid| {
        html! { @for sum in [paid.income, paid.expense, paid.income - paid.expense] {
            td.number.bad[sum < 0] { (money(sum.into(), visit.lang)) }
        } }
    };
    html! {
        table.sums.by {
            caption.hidden { (visit.pick("Pagamentos por ", "Payments by ")) (label.to_lowercase()) }
            thead { tr {
                th scope="col" { (label) }
                th.number scope="col" { (visit.pick("Receitas", "Income")) }
                th.number scope="col" { (visit.pick("Despesas", "Expense")) }
                th.number scope="col" { (visit.pick("Saldo", "Balance")) }
            } }
            tbody {
                @for (name, paid) in entries { tr { th scope="row" { (name) } (cells(paid)) } }
                tr.total { th scope="row" { "Total" } (cells(&total)) }
            }
        }
    }
}

/// Exports the tables as a spreadsheet, one below the other.
pub(in crate::console) async fn export(visit: &Visit) -> Result<Answer> {
    let format = Spreadsheet::of_ending(visit.parameter("as")).ok_or_else(Problem::no_route)?;
    let of = month_of(visit);
    let cash = visit.read(move |db| Cash::read(db, of)).await?;
    let amount = |centavos: i64| Money::from_centavos(centavos).map_or(Cell::Empty, Cell::Amount);
    let rows = cash.groups.iter().flat_map(|(list, entries)| {
        entries.iter().map(|(name, paid)| {
            let text = |text: &str| Cell::Text(text.to_owned());
            vec![
                text(&of.br()),
                text(label(*list, visit)),
                text(name),
                amount(paid.income),
                amount(paid.expense),
            ]
        })
    });
    let rows = rows.collect::<Vec<_>>();
    let headings = [
        visit.pick("Mês", "Month"),
        visit.pick("Por", "By"),
        visit.pick("Nome", "Name"),
        visit.pick("Receitas", "Income"),
        visit.pick("Despesas", "Expense"),
    ]
    .map(str::to_owned);
    let lang = visit.lang;
    let name = visit.pick("Caixa", "Cash");
    let written = visit.run_blocking(move |console| {
        let file = tempfile::tempfile_in(&*console.site.data).ok()?;
        let own = file.try_clone().ok()?;
        let each = |add: &mut dyn FnMut(&[Cell]) -> Result<(), TransferError>| {
            rows.iter().try_for_each(|row| add(row))
        };
        write_table((format, lang), (name, &of.br(), &headings), own, each).ok()?;
        FilePart::whole(file).ok()
    });
    let Some(file) = written.await? else { return Ok(error_pages::store_unavailable(visit)) };
    let name = format!("{}-{}.{}", visit.pick("caixa", "cash"), of.iso(), format.ending());
    let length = file.length();
    let answer = attachment(Body::File(file), format.media_type(), Some(&name));
    Ok(answer.with(http::header::CONTENT_LENGTH, length))
}
