//! Test forms for every writable resource: they create, change and read a record.

use std::cell::Cell;

use pleito::records::List;
use serde_json::{Map, Value, json};

use crate::office::{Office, Reply};

/// One kind of record, with one record that exists already.
pub struct Form<'o> {
    office: &'o Office,
    path: &'static str,
    right: Value,
    /// The member whose value must be unique.
    unique: Option<&'static str>,
    made: Cell<u32>,
    pub standing: u64,
}

/// The writable lists of GET /settings. Each has the member that names its entries and, if they belong to
/// another list's entry, the member that references it.
pub const LISTS: [(&str, &str, Option<&str>); 11] = [
    ("/settings/users", "name", None),
    ("/settings/origins", "origin", None),
    ("/settings/groups", "group", None),
    ("/settings/type_lawsuits", "type", Some("group_id")),
    ("/settings/steps", "step", None),
    ("/settings/stages", "stage", Some("steps_id")),
    ("/settings/tasks", "task", None),
    ("/settings/banks", "name", None),
    ("/settings/categories", "category", None),
    ("/settings/cost_centers", "cost_center", None),
    ("/settings/departments", "sector", None),
];

const _: () =
    assert!(LISTS.len() == List::ALL.len(), "add the new reference list to `LISTS` in `tests/it/forms.rs`");

/// Returns a list of `GET /settings`, from the top level or from `financial`.
pub fn list<'s>(settings: &'s Value, name: &str) -> &'s Vec<Value> {
    settings.get(name).unwrap_or(&settings["financial"][name]).as_array().unwrap()
}

impl<'o> Form<'o> {
    pub fn customers(office: &'o Office) -> Form<'o> {
        let right = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana Lima" });
        Form::new(office, "/customers", right, None)
    }

    pub fn lawsuits(office: &'o Office) -> Form<'o> {
        let customer = office.customer("Ana Lima", json!({}));
        let right =
            json!({ "users_id": 1, "customers_id": [customer], "stages_id": 12, "type_lawsuits_id": 1 });
        Form::new(office, "/lawsuits", right, None)
    }

    pub fn transactions(office: &'o Office) -> Form<'o> {
        let right = json!({
            "users_id": 1, "entry_type": "income", "debit_account": 1, "categories_id": 1, "cost_centers_id": 1,
            "amount": 10, "date_due": "2026-12-15",
        });
        Form::new(office, "/transactions", right, None)
    }

    /// Returns a form for every list of the settings, with the member that names its entries.
    pub fn settings(office: &'o Office) -> impl Iterator<Item = (Form<'o>, &'static str)> {
        LISTS.into_iter().map(move |(path, name, _)| (Form::setting(office, path), name))
    }

    pub fn setting(office: &'o Office, path: &'static str) -> Form<'o> {
        let (_, name, parent) = LISTS.into_iter().find(|(listed, ..)| *listed == path).unwrap();
        let right = match (path, parent) {
            ("/settings/categories", _) => json!({ "type": "CRÉDITO" }),
            (_, Some(parent)) => json!({ parent: 1 }),
            _ => json!({}),
        };
        Form::new(office, path, right, Some(name))
    }

    pub fn all(office: &'o Office) -> Vec<Form<'o>> {
        let settings = Form::settings(office).map(|(form, _)| form);
        let records = [Form::customers(office), Form::lawsuits(office), Form::transactions(office)];
        records.into_iter().chain(settings).collect()
    }

    fn new(office: &'o Office, path: &'static str, right: Value, unique: Option<&'static str>) -> Form<'o> {
        let mut form = Form { office, path, right, unique, made: Cell::new(0), standing: 0 };
        form.standing = form.create(json!({}));
        form
    }

    pub fn path(&self) -> &'static str {
        self.path
    }

    /// Returns a valid body with the required members only.
    pub fn right(&self) -> Value {
        let mut right = self.right.clone();
        if let Some(unique) = self.unique {
            self.made.set(self.made.get() + 1);
            right[unique] = json!(format!("Novo {}", self.made.get()));
        }
        right
    }

    /// Sends a POST with the required members and these.
    pub fn post(&self, members: &Value) -> Reply {
        self.office.post(self.path, &with(self.right(), members))
    }

    pub fn put(&self, id: u64, members: &Value) -> Reply {
        self.office.put(&format!("{}/{id}", self.path), members)
    }

    /// Creates a record with these members in addition to the required ones, and returns its id.
    pub fn create(&self, members: Value) -> u64 {
        let reply = self.post(&members);
        assert_eq!(reply.status, 201, "{} {members}: {}", self.path, reply.text());
        let answer = reply.json();
        let answer = answer.get(0).unwrap_or(&answer);
        let id =
            ["customer_id", "lawsuit_id", "transaction_id", "id"].iter().find_map(|key| answer[key].as_u64());
        id.unwrap_or_else(|| panic!("no id in {answer}"))
    }

    /// Changes a record and asserts that it succeeds.
    pub fn change(&self, id: u64, members: Value) {
        let reply = self.put(id, &members);
        assert_eq!(reply.status, 200, "{} {members}: {}", self.path, reply.text());
    }

    fn changed(&self, id: u64, members: &Value) -> u64 {
        self.change(id, members.clone());
        id
    }

    /// Reads the record. An entry of the settings is read from its list, and is null if it is not listed.
    pub fn record(&self, id: u64) -> Value {
        match self.path.strip_prefix("/settings/") {
            None => self.office.get(&format!("{}/{id}", self.path)).json(),
            Some(list) => {
                let settings = self.office.get("/settings").json();
                let entry = self::list(&settings, list).iter().find(|entry| entry["id"] == id);
                entry.cloned().unwrap_or_default()
            }
        }
    }

    /// Returns the member's name in the record. Contract 5.1 names three members differently from 5.3.
    fn shown<'m>(&self, member: &'m str) -> &'m str {
        match (self.path, member) {
            ("/lawsuits", "users_id") => "responsible_id",
            ("/lawsuits", "type_lawsuits_id") => "type_lawsuit_id",
            ("/lawsuits", "date") => "process_date",
            ("/transactions", "lawsuits_id") => "lawsuit_id",
            _ => member,
        }
    }

    /// Asserts that POST and PUT accept the value for each member and show it as `shown`. Then `null` and a
    /// blank text clear optional members, and required ones get another value.
    pub fn accepts(&self, members: &[&str], given: Value, shown: Value) {
        self.accepts_or(members, given, shown, Value::Null);
    }

    /// Like [`Form::accepts`], for optional members that are `default` when they are cleared.
    pub fn accepts_or(&self, members: &[&str], given: Value, shown: Value, default: Value) {
        let row = format!("{} {members:?} {}", self.path, short(&given));
        let all = each(members, &given);
        let ways: [(&dyn Fn() -> u64, Value); 2] = [
            (&|| self.changed(self.standing, &all), Value::Null),
            (&|| self.create(all.clone()), json!(" ")),
        ];
        for (write, nothing) in ways {
            let id = write();
            let record = self.record(id);
            members.iter().for_each(|m| assert_eq!(record[self.shown(m)], shown, "{row}: {m}"));
            let right = self.right();
            self.change(id, members.iter().map(|m| (*m, right.get(m).unwrap_or(&nothing).clone())).collect());
            let record = self.record(id);
            for member in members.iter().filter(|member| right.get(member).is_none()) {
                assert_eq!(record[self.shown(member)], default, "{row}: {member} is not cleared");
            }
        }
    }

    /// Asserts that POST and PUT refuse the value for each of the members, report exactly these, and change nothing.
    pub fn refuses(&self, members: &[&str], given: Value) {
        let row = format!("{} {members:?} {}", self.path, short(&given));
        let before = self.record(self.standing);
        let all = each(members, &given);
        for reply in [self.post(&all), self.put(self.standing, &all)] {
            assert_eq!(reply.status, 422, "{row}: {}", reply.text());
            assert_eq!(sorted(reply.wrong_fields()), sorted(keys(&all)), "{row}");
        }
        assert_eq!(self.record(self.standing), before, "{row}");
    }
}

/// Returns an object in which each of the members has this value.
pub fn each(members: &[&str], value: &Value) -> Value {
    members.iter().map(|member| (*member, value.clone())).collect()
}

pub fn sorted<T: Into<String>>(names: Vec<T>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().map(Into::into).collect();
    names.sort();
    names
}

/// Returns the object with these members added or replaced.
pub fn with(mut object: Value, members: &Value) -> Value {
    object.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    object
}

/// Lists the names of an object's members, in their order.
pub fn keys(object: &Value) -> Vec<&str> {
    object.as_object().map(Map::keys).into_iter().flatten().map(String::as_str).collect()
}

/// Shortens a value for the message of a failing test.
fn short(value: &Value) -> String {
    value.to_string().chars().take(80).collect()
}

/// Returns a path with query parameters, escaped like a browser's form.
pub fn with_query(path: &str, parameters: &[(&str, &str)]) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    format!("{path}?{query}")
}
