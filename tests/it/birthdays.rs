//! GET /customers/birthdays (contract 4.6).

use serde_json::json;

use crate::console::visitor::Visitor;
use crate::forms::with_query;
use crate::office::Office;

const DAY: u64 = 24 * 3600;

fn born(office: &Office, name: &str, day: &str) -> u64 {
    office.customer(name, json!({ "birthdate": day }))
}

#[test]
fn birthdays_are_ordered_by_day_name_and_id() {
    let office = Office::new();
    let last = born(&office, "Ana", "30/06/1950");
    let zulmira = born(&office, "Zulmira", "01/06/1980");
    let bruno = born(&office, "bruno", "2001-06-01");
    let alvaro = born(&office, "Álvaro", "01/06/1990");
    let again = born(&office, "ALVARO", "01/06/1970");
    for other in ["31/05/1980", "01/07/1980"] {
        born(&office, "Ana", other);
    }
    office.customer("Sem data", json!({}));
    let june = [alvaro, again, bruno, zulmira, last];
    assert_eq!(office.ids("/customers/birthdays"), june);
    for limit in 1..=6 {
        let mut seen = Vec::new();
        for offset in (0..6).step_by(limit) {
            let page = office.get(&format!("/customers/birthdays?limit={limit}&offset={offset}")).json();
            assert_eq!(page["totalCount"], 5);
            seen.extend(page["data"].as_array().unwrap().iter().map(|row| row["id"].as_u64().unwrap()));
        }
        assert_eq!(seen, june, "in pages of {limit}");
    }
    let mut by_id = june;
    by_id.sort_unstable();
    assert_eq!(office.ids("/customers?birthdays=true"), by_id);

    office.put(&format!("/customers/{zulmira}"), &json!({ "name": "Aa" }));
    office.put(&format!("/customers/{bruno}"), &json!({ "birthdate": "02/06/2001" }));
    office.put(&format!("/customers/{last}"), &json!({ "birthdate": null }));
    assert_eq!(office.ids("/customers/birthdays"), [zulmira, alvaro, again, bruno]);
    let row = &office.get("/customers/birthdays").json()["data"][0];
    assert_eq!(*row, office.get(&format!("/customers/{zulmira}")).json(), "rows are whole records");
}

#[test]
fn the_deceased_have_no_birthdays_and_lists_find_them() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let [ana, bia, caio] = ["Ana", "Bia", "Caio"].map(|name| born(&office, name, "17/06/1980"));
    assert_eq!(office.get(&format!("/customers/{ana}")).json()["situation"], "active");
    for (id, word) in [(bia, "deceased"), (caio, "Inativo")] {
        let changed = office.put(&format!("/customers/{id}"), &json!({ "situation": word }));
        assert_eq!(changed.status, 200, "{}", changed.text());
    }
    assert_eq!(office.ids("/customers/birthdays"), [ana, caio]);
    assert_eq!(office.ids("/customers?birthdays=true"), [ana, caio]);
    assert_eq!(office.get("/customers/birthdays").json()["totalCount"], 2);
    assert_eq!(office.ids("/customers?situation=deceased"), [bia]);
    assert_eq!(office.ids("/customers?situation=inactive"), [caio]);
    let refused = office.put(&format!("/customers/{ana}"), &json!({ "situation": "vivo" }));
    assert_eq!(refused.wrong_fields(), ["situation"]);
    assert!(
        office
            .post(
                "/customers",
                &json!({ "users_id": 1, "customers_origins_id": 1, "name": "Zé", "situation": "" })
            )
            .status
            == 201
    );

    let overview = visitor.page("").section("Birthdays today");
    assert!(overview.contains("Ana") && !overview.contains("Bia"), "{overview}");
    assert!(!visitor.page("/birthdays").main().contains("Bia"));
    let list = visitor.page("/customers?situation=deceased");
    assert!(
        list.contains("Bia")
            && list.contains("Deceased")
            && !list.leads_to(&format!("/console/customers/{ana}"))
    );
}

/// Regression: the overview named them in leap years alone.
#[test]
fn who_was_born_on_29_february_celebrates_on_the_28th_in_other_years() {
    let office = Office::new();
    born(&office, "Bia", "28/02/1990");
    born(&office, "Ana", "29/02/1988");
    // From 17 June 2026 to 27 February 2027, and on.
    office.pass(255 * DAY);
    for (named, day) in [(false, "27"), (true, "28"), (false, "1 March")] {
        let born = Visitor::new(&office).page("").section("Birthdays today");
        assert_eq!(["Ana", "Bia"].map(|name| born.contains(name)), [named; 2], "{day}: {born}");
        office.pass(DAY);
    }
}

#[test]
fn the_month_is_the_offices_current_one_by_default() {
    let office = Office::new();
    let born: Vec<u64> = (1..=12).map(|month| born(&office, "Ana", &format!("15/{month:02}/2000"))).collect();
    let of = |query: &[(&str, &str)]| office.ids(&with_query("/customers/birthdays", query));
    for month in 1..=12 {
        for written in [month.to_string(), format!("{month:02}")] {
            assert_eq!(of(&[("month", &written)]), [born[month - 1]], "{written}");
        }
    }
    for wrong in ["0", "13", "-1", "1.0", "junho", "6;--", "256", "1000000000000", "\0", "+6"] {
        let reply = office.get(&with_query("/customers/birthdays", &[("month", wrong)]));
        assert_eq!(reply.wrong_fields(), ["month"], "{wrong:?}");
    }
    assert_eq!(of(&[("month", "")]), [born[5]]);
    // It is 23:30 on 30 June in the office, and already July in UTC.
    office.pass(13 * DAY + 11 * 3600 + 1800);
    assert_eq!(of(&[]), [born[5]]);
    assert_eq!(office.ids("/customers?birthdays=true"), [born[5]]);
    office.pass(1800);
    assert_eq!(of(&[]), [born[6]]);
    assert_eq!(office.ids("/customers?birthdays=true"), [born[6]]);
}

#[test]
fn a_birthday_on_29_february_is_in_february_every_year() {
    let office = Office::new();
    let march = born(&office, "Ana", "01/03/1980");
    let leap = born(&office, "Bia", "29/02/1980");
    let day_before = born(&office, "Caio", "28/02/1981");
    assert_eq!(office.ids("/customers/birthdays?month=2"), [day_before, leap]);
    assert_eq!(office.ids("/customers/birthdays?month=3"), [march]);
}
