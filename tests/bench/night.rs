//! The nightly check for conflicts of interest, over an office whose lawsuits have opposing parties.

use std::path::Path;
use std::time::{Duration, Instant};

use http::Method;
use pleito::api::conflicts::nightly_check;
use pleito::demo::{Plan, fill};
use pleito::domain::{Name, OpposingParties, OpposingParty};
use pleito::records::{Customer, CustomerId, Lawsuit, LawsuitId};
use pleito::store::records::{by_id, update};
use pleito::store::{Error, Store};

use crate::office::Office;
use crate::{Options, Times};

/// Lawsuits that get their parties in one transaction. In longer ones, SQLite takes more and more time for each.
const LAWSUITS_PER_TRANSACTION: u32 = 500;
/// Number of records changed before the third run, half of them customers and half lawsuits.
const CHANGED_RECORDS: u32 = 1_000;

/// Invents an office with `--rows` customers and as many lawsuits in the empty folder `--data-dir`. Prints one line for
/// each run. Fields: run, lawsuits, new conflicts, seconds, microseconds for each lawsuit. The last lines are reads of
/// one customer, alone and during a run: count, median, p99 and maximum.
pub fn run(options: &Options) {
    let rows = u32::try_from(options.number("rows")).expect("so many rows");
    let folder = Path::new(options.text("data-dir"));
    invent(folder, rows);
    let office = Office::open(folder);
    office.ready();
    timed(&office, "first run", rows);
    timed(&office, "second run, nothing changed", rows);
    for id in 1..=u64::from(CHANGED_RECORDS / 2) {
        office.change_customer(id);
        office.ask(Method::PUT, &format!("/lawsuits/{id}"), r#"{"folder":"A-1"}"#);
    }
    timed(&office, &format!("third run, {CHANGED_RECORDS} records changed"), rows);

    reads(&office, rows, "reads alone", |began| began.elapsed() > Duration::from_secs(2));
    let app = office.app.clone();
    let again = std::thread::spawn(move || nightly_check::run(&app));
    reads(&office, rows, "reads during a run", |_| again.is_finished());
    again.join().expect("a run").expect("a run");
}

fn timed(office: &Office, what: &str, rows: u32) {
    let began = Instant::now();
    let found = nightly_check::run(&office.app).expect("a run");
    let seconds = began.elapsed().as_secs_f64();
    println!("{what}\t{rows}\t{found}\t{seconds:.2}\t{:.1}", seconds * 1e6 / f64::from(rows));
}

fn reads(office: &Office, rows: u32, what: &str, is_over: impl Fn(Instant) -> bool) {
    let (mut times, began) = (Times::default(), Instant::now());
    for at in 0_u64.. {
        if is_over(began) {
            break;
        }
        let path = format!("/customers/{}", 1 + at * 61_803 % u64::from(rows));
        let began = Instant::now();
        office.ask(Method::GET, &path, "");
        times.add(began.elapsed());
    }
    println!("{what}\t{}", times.fields());
}

fn invent(folder: &Path, rows: u32) {
    std::fs::write(folder.join("pleito.toml"), "[limits]\nget_per_minute = 0\nput_per_day = 0\n")
        .expect("settings");
    let store = Store::open(folder).expect("a store");
    let plan = Plan { tasks: 0, movements: 0, publications: 0, transactions: 0, ..Plan::of(rows, rows) };
    fill(&store, plan, |_| {}).expect("an office");
    for first in (1..=rows).step_by(LAWSUITS_PER_TRANSACTION as usize) {
        let ids = first..=rows.min(first.saturating_add(LAWSUITS_PER_TRANSACTION - 1));
        let written = store.write(move |tx| {
            for id in ids.clone().filter(|id| id % 5 < 3) {
                let lawsuit = LawsuitId::from_stored(id);
                let Some(mut record) = by_id::<Lawsuit>(*tx, lawsuit)? else { continue };
                let parties = (0..1 + id % 2).map(|number| party(*tx, rows, 2 * id + number));
                let parties = parties.collect::<Result<Vec<_>, Error>>()?;
                record.opposing_parties = OpposingParties::of(parties).expect("few parties");
                update(tx, lawsuit, &record, 0)?;
            }
            Ok::<_, Error>(())
        });
        written.expect("parties");
    }
}

/// Makes a party with the first name of one customer and the last names of another. One in twenty has a customer's whole
/// name, and one in forty its tax id too.
fn party(db: pleito::store::Db<'_>, rows: u32, number: u32) -> Result<OpposingParty, Error> {
    let customer = |factor: u32| {
        let id = 1 + u64::from(number) * u64::from(factor) % u64::from(rows);
        by_id::<Customer>(db, CustomerId::from_stored(u32::try_from(id).expect("an id")))
    };
    let one = customer(61_803)?.expect("a customer");
    if number.is_multiple_of(20) {
        let identification = one.identification.filter(|_| number.is_multiple_of(40));
        return Ok(OpposingParty { name: Some(one.name), identification, ..OpposingParty::default() });
    }
    let other = customer(31_337)?.expect("a customer");
    let first = one.name.as_str().split(' ').next().unwrap_or_default();
    let last = other.name.as_str().split_once(' ').map_or("", |(_, last)| last);
    let name = Name::parse(&format!("{first} {last}")).expect("a name");
    Ok(OpposingParty { name: Some(name), ..OpposingParty::default() })
}
