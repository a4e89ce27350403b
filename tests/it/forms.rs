//! What can be written, as tables of members look at it: how a record is made, changed and read again.

use std::cell::Cell;

use serde_json::{Map, Value, json};

use crate::office::{Office, Reply};

/// One kind of record, with one of it standing already.
pub struct Form<'o> {
    office: &'o Office,
    path: &'static str,
    right: Value,
    /// The member that has to be another one in each record.
    unique: Option<&'static str>,
    made: Cell<u32>,
    pub standing: u64,
}

/// The lists of GET /settings that can be written, each with the member that is its entries' name and, where they belong
/// to an entry of another list, with that member too.
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

/// A list of `GET /settings`, wherever it stands.
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

    /// Every list of the settings, with the member that is its entries' name.
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

    /// Every kind of record.
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

    /// A body of the required members, all right.
    pub fn right(&self) -> Value {
        let mut right = self.right.clone();
        if let Some(unique) = self.unique {
            self.made.set(self.made.get() + 1);
            right[unique] = json!(format!("Novo {}", self.made.get()));
        }
        right
    }

    /// A POST of the required members and these.
    pub fn post(&self, members: &Value) -> Reply {
        self.office.post(self.path, &with(self.right(), members))
    }

    /// A PUT of these members on that record.
    pub fn put(&self, id: u64, members: &Value) -> Reply {
        self.office.put(&format!("{}/{id}", self.path), members)
    }

    /// Makes a record with these members besides the required ones.
    pub fn create(&self, members: Value) -> u64 {
        let reply = self.post(&members);
        assert_eq!(reply.status, 201, "{} {members}: {}", self.path, reply.text());
        let answer = reply.json();
        let answer = answer.get(0).unwrap_or(&answer);
        let id =
            ["customer_id", "lawsuit_id", "transaction_id", "id"].iter().find_map(|key| answer[key].as_u64());
        id.unwrap_or_else(|| panic!("no id in {answer}"))
    }

    /// Changes a record, which must be right.
    pub fn change(&self, id: u64, members: Value) {
        let reply = self.put(id, &members);
        assert_eq!(reply.status, 200, "{} {members}: {}", self.path, reply.text());
    }

    fn changed(&self, id: u64, members: &Value) -> u64 {
        self.change(id, members.clone());
        id
    }

    /// The record; of an entry of the settings what their list shows of it, null where it is not listed.
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

    /// How the member is called in the record (contract 5.1 names three otherwise than 5.3).
    fn shown<'m>(&self, member: &'m str) -> &'m str {
        match (self.path, member) {
            ("/lawsuits", "users_id") => "responsible_id",
            ("/lawsuits", "type_lawsuits_id") => "type_lawsuit_id",
            ("/lawsuits", "date") => "process_date",
            ("/transactions", "lawsuits_id") => "lawsuit_id",
            _ => member,
        }
    }

    /// A value is taken by POST and PUT alike for each of the members and shown as it should be; an optional one goes
    /// away again by `null` and by a blank text, a required one by another value.
    pub fn accepts(&self, members: &[&str], given: Value, shown: Value) {
        self.accepts_or(members, given, shown, Value::Null);
    }

    /// The same of an optional one that is `default` where nobody says anything.
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
                assert_eq!(record[self.shown(member)], default, "{row}: {member} is not taken away");
            }
        }
    }

    /// Neither POST nor PUT takes the value for any of the members; the answer names them and no other, and nothing
    /// changes.
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

/// An object in which each of the members has that value.
pub fn each(members: &[&str], value: &Value) -> Value {
    members.iter().map(|member| (*member, value.clone())).collect()
}

/// The names by the alphabet.
pub fn sorted<T: Into<String>>(names: Vec<T>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().map(Into::into).collect();
    names.sort();
    names
}

/// The object with these members put over its own.
pub fn with(mut object: Value, members: &Value) -> Value {
    object.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    object
}

/// The names of an object's members, in their order.
pub fn keys(object: &Value) -> Vec<&str> {
    object.as_object().map(Map::keys).into_iter().flatten().map(String::as_str).collect()
}

/// A value as a failing test should show it.
fn short(value: &Value) -> String {
    value.to_string().chars().take(80).collect()
}

/// A path with query parameters, escaped as a browser's form does.
pub fn asked(path: &str, parameters: &[(&str, &str)]) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    format!("{path}?{query}")
}
