//! Another process that brings in rows while the server answers, in transactions of a thousand.

use std::path::Path;
use std::time::Instant;

use pleito::domain::{Name, OriginId, UserId};
use pleito::records::Customer;
use pleito::store::{Error, Store, records};

use crate::Options;

const BATCH: u64 = 1000;

/// Goes on until that many rows are in, or until the time is over, and prints how many rows a second it were.
pub fn run(options: &Options) {
    let store = Store::open(Path::new(options.text("data-dir"))).expect("a store");
    let (rows, seconds) = (options.number("rows"), options.seconds());
    let (began, mut done) = (Instant::now(), 0);
    while done < rows && began.elapsed() < seconds {
        let batch = done..rows.min(done + BATCH);
        let written = store.write(move |tx| -> Result<u64, Error> {
            for number in batch.clone() {
                let name = Name::parse(&format!("Importada da Silva {number}")).expect("a name");
                let (user, origin) = (UserId::new(1).expect("an id"), OriginId::new(1).expect("an id"));
                let customer = Customer::new(user, origin, name).expect("a customer");
                records::insert(tx, &customer, 1_700_000_000)?;
            }
            Ok(batch.end - batch.start)
        });
        done += written.expect("a write");
    }
    println!("{done}\t{:.0}", done as f64 / began.elapsed().as_secs_f64());
}
