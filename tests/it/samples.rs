//! Requests made from the examples in the API description, and an office with one record of each kind.

use pleito::http::Route;
use serde_json::{Value, json};

use crate::described::DESCRIPTION;
use crate::documents::document;
use crate::office::Office;
use crate::one_of_each::make_others;
use crate::webhooks::{DEAD_LETTER, with_dead_letter};

/// The routes that create the records of [`office`], in an order in which they can be created. Two customers can be
/// merged.
const RECORDS: [&str; 7] = [
    "/customers",
    "/customers",
    "/lawsuits",
    "/posts",
    "/lawsuits/movement",
    "/publications",
    "/transactions",
];

/// Returns a path with the ids of the records of [`office`].
pub fn path(path: &str) -> String {
    path.replace("{id}", "1").replace("{message}", DEAD_LETTER)
}

fn body(method: &str, path: &str) -> &'static Value {
    &DESCRIPTION["paths"][path][method.to_lowercase()]["requestBody"]
}

/// Returns the names and values of a route's examples for its body: `required` and `everything` of a POST, `change` of a
/// PUT.
pub fn examples(method: &str, path: &str) -> impl Iterator<Item = (&'static str, &'static Value)> {
    let examples = body(method, path)["content"]["application/json"]["examples"].as_object();
    examples.into_iter().flatten().map(|(name, example)| (name.as_str(), &example["value"]))
}

/// Returns the example that [`office`] sends to the route.
fn first(path: &str) -> (&'static str, &'static Value) {
    examples("POST", path).next().unwrap_or_else(|| panic!("{path} has no example"))
}

/// Returns `true` if [`office`] sends this example of a POST.
pub fn is_in_office(path: &str, name: &str) -> bool {
    RECORDS.contains(&path) && first(path).0 == name
}

/// Merges customer 1 into another one, or hands the work of user 1 over, if the route undoes that. Both are undone before
/// the next request. A hand-over also needs another user.
pub fn with_act(office: &Office, path: &str) {
    let ok = |path: &str, body: Value| {
        let done = office.post(path, &body);
        assert!([200, 201].contains(&done.status), "{}", done.text());
    };
    if path.ends_with("/1/merge/undo") {
        ok("/customers/2/merge", json!({ "from": 1 }));
    }
    if path.contains("/users/1/hand_over") {
        let users = office.get("/settings").json()["users"].clone();
        if users.as_array().unwrap().iter().all(|user| user["id"] != 2) {
            ok("/settings/users", json!({ "name": "Bia Reis" }));
        }
        if path.ends_with("/undo") {
            ok("/settings/users/1/hand_over", json!({ "to": 2 }));
        }
    }
}

/// Returns `true` if the route's body may be absent.
pub fn may_be_empty(route: &Route) -> bool {
    body(route.method.as_str(), route.path)["required"] == json!(false)
}

/// Starts an office with one record of each kind, all with the id 1, so that no route responds with 404.
pub fn office(settings: &str) -> Office {
    let office = Office::with(settings);
    for path in RECORDS {
        let reply = office.post(path, first(path).1);
        assert!([200, 201].contains(&reply.status), "{path}: {}", reply.text());
    }
    make_others(&office);
    document(&office, "nota.pdf", b"nota");
    with_dead_letter(&office);
    office
}

/// Makes the transaction of [`office`] unpaid before its payment, which it takes only once.
pub fn with_unpaid(office: &Office, route: &Route) {
    if route.path.ends_with("/payment") {
        office.put("/transactions/1", &json!({ "date_payment": null }));
    }
}
