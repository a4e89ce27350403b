//! The hot paths, repeated for counting instructions (`tests/bench/instructions`).

use std::path::Path;

use http::Method;
use pleito::demo::{Plan, fill};
use pleito::store::Store;

use crate::Options;
use crate::office::Office;

/// Number of customers, and of lawsuits, that `tests/bench/instructions` creates.
const ROWS: u64 = 2000;

pub fn invent(options: &Options) {
    let rows = u32::try_from(options.number("rows")).expect("so many rows");
    let store = Store::open(Path::new(options.text("data-dir"))).expect("a store");
    let plan = Plan { tasks: 0, movements: 0, publications: 0, transactions: 0, ..Plan::of(rows, rows) };
    fill(&store, plan, |_| {}).expect("an office");
}

pub fn run(options: &Options) {
    let mut office = Office::open(Path::new(options.text("data-dir")));
    office.ready();
    let what = options.text("what");
    if what == "again by key" {
        office.use_key();
    }
    for time in 0..options.number("times") {
        match what {
            "read" => {
                let noun = if time < ROWS { "customers" } else { "lawsuits" };
                office.ask(Method::GET, &format!("/{noun}/{}", 1 + time % ROWS), "")
            }
            "again" | "again by key" => office.ask(Method::GET, &format!("/customers/{}", 1 + time % 10), ""),
            "search" => office.ask(Method::GET, "/customers?name=maria+silva&limit=50", ""),
            "page" => {
                office.change_list();
                office.ask(Method::GET, "/customers?limit=1000", "")
            }
            "page again" => office.ask(Method::GET, "/customers?limit=1000", ""),
            "lawsuits" => office.ask(Method::GET, "/lawsuits?stage=judicial&group=trabalhista&limit=50", ""),
            "create" => office.ask(Method::POST, "/customers", &body(time)),
            _ => panic!("--what is none of the paths"),
        };
    }
}

fn body(number: u64) -> String {
    format!(
        r#"{{"users_id":1,"customers_origins_id":"1","name":"Contada da Silva {number}","gender":"F","civil_status":"Casada",
        "street":"Rua das Flores, {number}","city":"Criciúma","state":"SC","postalcode":"88800-000",
        "cellphone":"48988880000","email":"contada{number}@correio.example","birthdate":"29/02/1980","notes":"Liga à tarde."}}"#
    )
}
