//! The reference lists: the entries of a new office, and adding, renaming and deactivating entries (contract 6).

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::customers::takes_one_line;
use crate::forms::{Form, LISTS, keys, list};
use crate::naive;
use crate::office::Office;

fn entries(office: &Office, list: &str) -> Vec<Value> {
    office.get("/settings").json()[list].as_array().unwrap().clone()
}

#[test]
fn a_new_office_has_default_lists() {
    let office = Office::new();
    let settings = office.get("/settings").json();
    assert_eq!(
        keys(&settings),
        [
            "users",
            "origins",
            "groups",
            "type_lawsuits",
            "lawsuit_types",
            "steps",
            "stages",
            "tasks",
            "financial",
        ]
    );
    let task = json!({ "id": 2, "task": "Audiência", "reward": 0 });
    assert_eq!((&settings["tasks"][1], entries(&office, "tasks").len()), (&task, 12));
    let first = |list: &str| settings["financial"][list][0].clone();
    assert_eq!(first("banks"), json!({ "id": 1, "name": "Conta corrente", "institution": null }));
    assert_eq!(first("categories"), json!({ "id": 1, "category": "Honorários iniciais", "type": "CRÉDITO" }));
    let costs = json!({ "id": 9, "category": "Custas processuais", "type": "DÉBITO" });
    assert_eq!(settings["financial"]["categories"][8], costs);
    assert_eq!(settings["financial"]["cost_centers"], json!([{ "id": 1, "cost_center": "Geral" }]));
    assert_eq!(first("departments"), json!({ "id": 1, "sector": "Jurídico", "department": "Jurídico" }));
    assert_eq!(keys(&settings["financial"]), ["banks", "categories", "cost_centers", "departments"]);
    assert_eq!(settings["type_lawsuits"], settings["lawsuit_types"]);
    assert_eq!(
        settings["users"],
        json!([{ "id": 1, "name": "Escritório", "email": null, "cellphone": null }])
    );
    assert_eq!(settings["origins"][0], json!({ "id": 1, "origin": "Indicação", "opposing": false }));
    assert_eq!(settings["groups"][0], json!({ "id": 1, "group": "Cível" }));
    let kind = json!({ "id": 1, "type": "Ação de cobrança", "group": "Cível", "group_id": 1 });
    assert_eq!(settings["type_lawsuits"][0], kind);
    assert_eq!(settings["steps"][4], json!({ "id": 5, "step": "Judicial" }));
    let stage = json!({ "id": 12, "stage": "Petição inicial", "step": "Judicial", "steps_id": 5 });
    assert_eq!(settings["stages"][11], stage);

    for (path, name, parent) in LISTS {
        let list = list(&settings, path.trim_start_matches("/settings/"));
        let names: HashSet<String> =
            list.iter().map(|entry| naive::fold(entry[name].as_str().unwrap())).collect();
        assert_eq!(names.len(), list.len(), "{path}: names are unique when folded");
        assert!(list.iter().zip(1..).all(|(entry, id)| entry["id"] == id), "{path}: sorted by id");
        assert!(
            list.iter().all(|entry| keys(entry) == keys(&list[0])),
            "{path}: all entries have the same members"
        );
        let Some(parent) = parent else { continue };
        let (parents, shown) = if parent == "group_id" { ("groups", "group") } else { ("steps", "step") };
        for of in settings[parents].as_array().unwrap() {
            let mut own = list.iter().filter(|entry| entry[parent] == of["id"]).peekable();
            assert!(own.peek().is_some(), "{of} has no entry in {path}");
            assert!(own.all(|entry| entry[shown] == of[shown]), "{path} of {of}");
        }
    }
    let counted = ["groups", "steps"].map(|list| settings[list].as_array().unwrap().len());
    assert_eq!(counted, [9, 9]);
}

#[test]
fn every_member_is_checked_against_its_limits() {
    for (path, name, _) in LISTS {
        // Each list gets a new office, because lists are read as a whole and the test adds many entries to each.
        let office = Office::new();
        let form = Form::setting(&office, path);
        takes_one_line(&form, &[name], 200);
        for nameless in ["-", "😀"] {
            form.refuses(&[name], json!(nameless));
        }
        for (right, active) in [
            (json!(true), true),
            (json!("TRUE"), true),
            (json!("True"), true),
            (json!(1), true),
            (json!(1.0), true),
            (json!("1"), true),
            (json!(false), false),
            (json!("FALSE"), false),
            (json!(0), false),
            (json!("0"), false),
        ] {
            let made = form.create(json!({ "active": right }));
            assert_eq!(form.record(made).is_null(), !active, "{} {right}", form.path());
        }
        for wrong in [json!("yes"), json!(2), json!(-1), json!(0.5), json!("2"), json!([]), json!({})] {
            form.refuses(&["active"], wrong);
        }
        match form.path() {
            "/settings/users" => {
                form.accepts(&["email"], json!(" ana@exemplo.com.br "), json!("ana@exemplo.com.br"));
                form.refuses(&["email"], json!("ana"));
                form.accepts(&["cellphone"], json!("48988880000"), json!("(48) 98888-0000"));
                form.refuses(&["cellphone"], json!("988880000"));
            }
            "/settings/type_lawsuits" => form.accepts(&["group_id"], json!("2"), json!(2)),
            "/settings/stages" => form.accepts(&["steps_id"], json!("2"), json!(2)),
            _ => {}
        }
    }
}

#[test]
fn entries_are_added_and_renamed() {
    let office = Office::new();
    for (form, name) in Form::settings(&office) {
        let added = form.post(&json!({}));
        assert_eq!(added.status, 201);
        assert_eq!(added.json(), json!({ "success": true, "id": form.standing + 1 }), "{}", form.path());
        let mut after = form.record(form.standing);
        let renamed = form.put(form.standing, &json!({ name: "Outro Nome" }));
        assert_eq!(renamed.json(), json!({ "success": true, "id": form.standing }));
        after[name] = json!("Outro Nome");
        if let Some(same) = after.get_mut("department") {
            *same = json!("Outro Nome");
        }
        assert_eq!(form.record(form.standing), after, "{}", form.path());
    }
}

#[test]
fn a_name_is_taken_in_every_notation() {
    let office = Office::new();
    for (form, name) in Form::settings(&office) {
        form.change(form.standing, json!({ name: "Ação Única" }));
        let other = form.create(json!({}));
        for same in
            ["Ação Única", "ACAO  UNICA", "acao-unica", "Ac\u{327}a\u{303}o U\u{301}nica", "«ação» única"]
        {
            let members = json!({ name: same });
            for reply in [form.post(&members), form.put(other, &members)] {
                assert_eq!(reply.wrong_fields(), [name], "{} {same}", form.path());
            }
        }
        form.change(form.standing, json!({ name: "AÇÃO ÚNICA" }));
        form.change(form.standing, json!({ "active": false }));
        let hidden = form.post(&json!({ name: "Ação Única" }));
        assert_eq!(hidden.wrong_fields(), [name], "also if the entry is inactive");
    }
}

#[test]
fn a_rename_shows_on_every_record_and_in_every_list() {
    let office = Office::new();
    let customer = office.customer("Ana", json!({}));
    let lawsuit = office.lawsuit(&[customer], json!({}));
    for (path, body) in [
        ("/settings/users/1", json!({ "name": "Doutora Íris" })),
        ("/settings/origins/1", json!({ "origin": "Panfleto" })),
        ("/settings/groups/1", json!({ "group": "Ambiental" })),
        ("/settings/type_lawsuits/1", json!({ "type": "Ação popular" })),
        ("/settings/steps/5", json!({ "step": "Fórum" })),
        ("/settings/stages/12", json!({ "stage": "Inicial" })),
    ] {
        assert_eq!(office.put(path, &body).status, 200, "{path}");
    }
    assert_eq!(office.get(&format!("/customers/{customer}")).json()["origin"], "Panfleto");
    let record = office.get(&format!("/lawsuits/{lawsuit}")).json();
    let shown = ["responsible", "group", "type", "step", "stage"].map(|key| record[key].as_str().unwrap());
    assert_eq!(shown, ["Doutora Íris", "Ambiental", "Ação popular", "Fórum", "Inicial"]);
    assert_eq!(record["customers"][0]["origin"], "Panfleto");
    for query in ["responsible=iris", "group=ambiental", "type=popular", "step=forum", "stage=inicial"] {
        assert_eq!(office.ids(&format!("/lawsuits?{query}")), [lawsuit], "{query}");
    }
    assert_eq!(office.ids("/customers?origin=panfleto"), [customer]);
    assert!(office.ids("/customers?origin=indicacao").is_empty());
    let kinds = entries(&office, "type_lawsuits");
    assert_eq!((&kinds[0]["type"], &kinds[0]["group"]), (&json!("Ação popular"), &json!("Ambiental")));
}

#[test]
fn an_inactive_entry_stays_on_its_records_and_is_refused_for_others() {
    let office = Office::new();
    let (customers, lawsuits) = (Form::customers(&office), Form::lawsuits(&office));
    let before = [customers.record(customers.standing), lawsuits.record(lawsuits.standing)];
    // A second user keeps the other records on active entries.
    office.post("/settings/users", &json!({ "name": "Íris" }));
    let other_customer = customers.create(json!({ "users_id": 2, "customers_origins_id": 2 }));
    let elsewhere = json!({ "users_id": 2, "type_lawsuits_id": 2, "stages_id": 13 });
    let other_lawsuit = lawsuits.create(elsewhere);
    for (path, list, form, member, other) in [
        ("/settings/origins/1", "origins", &customers, "customers_origins_id", other_customer),
        ("/settings/users/1", "users", &customers, "users_id", other_customer),
        ("/settings/users/1", "users", &lawsuits, "users_id", other_lawsuit),
        ("/settings/type_lawsuits/1", "type_lawsuits", &lawsuits, "type_lawsuits_id", other_lawsuit),
        ("/settings/stages/12", "stages", &lawsuits, "stages_id", other_lawsuit),
    ] {
        assert_eq!(office.put(path, &json!({ "active": false })).status, 200);
        let id: u64 = path.rsplit('/').next().unwrap().parse().unwrap();
        assert!(entries(&office, list).iter().all(|entry| entry["id"] != id), "{path} is listed");
        let members = json!({ member: id });
        for reply in [form.post(&members), form.put(other, &members)] {
            assert_eq!(reply.wrong_fields(), [member], "{path}");
        }
        form.change(form.standing, members.clone());
        assert_eq!(office.put(path, &json!({ "active": true })).status, 200);
        form.create(members);
    }
    assert_eq!([customers.record(customers.standing), lawsuits.record(lawsuits.standing)], before);
}

#[test]
fn an_inactive_group_or_step_accepts_no_new_entry() {
    let office = Office::new();
    for (path, parent, member) in [
        ("/settings/type_lawsuits", "/settings/groups/1", "group_id"),
        ("/settings/stages", "/settings/steps/1", "steps_id"),
    ] {
        let form = Form::setting(&office, path);
        let (elsewhere, before) = (form.create(json!({ member: 2 })), form.record(form.standing));
        assert_eq!(office.put(parent, &json!({ "active": false })).status, 200);
        let members = json!({ member: 1 });
        for reply in [form.post(&members), form.put(elsewhere, &members)] {
            assert_eq!(reply.wrong_fields(), [member], "{path}");
        }
        form.change(form.standing, members);
        assert_eq!(form.record(form.standing), before, "an existing entry keeps showing it");
    }
}

/// Resources, section 11.
#[test]
fn the_lists_of_tasks_and_finances_are_written_as_in_the_contract() {
    let office = Office::new();
    let made = office.post("/settings/categories", &json!({ "category": "Êxito", "type": "income" }));
    assert_eq!((made.status, made.json()), (201, json!({ "success": true, "id": 18 })));
    let changed = office.put("/settings/tasks/4", &json!({ "reward": 15 }));
    assert_eq!((changed.status, changed.json()), (200, json!({ "success": true, "id": 4 })));
    assert_eq!(entries(&office, "tasks")[3], json!({ "id": 4, "task": "Protocolo", "reward": 15 }));

    let tasks = Form::setting(&office, "/settings/tasks");
    tasks.accepts_or(&["reward"], json!("1000000"), json!(1_000_000), json!(0));
    tasks.accepts_or(&["reward"], json!(10.0), json!(10), json!(0));
    for wrong in [json!(1_000_001), json!(-1), json!(0.5), json!("dez"), json!(true), json!([1])] {
        tasks.refuses(&["reward"], wrong);
    }
    let banks = Form::setting(&office, "/settings/banks");
    banks.accepts(&["institution"], json!(" Banco do Brasil "), json!("Banco do Brasil"));
    let categories = Form::setting(&office, "/settings/categories");
    for (typed, shown) in
        [("expense", "DÉBITO"), ("credito", "CRÉDITO"), ("Débito", "DÉBITO"), ("INCOME", "CRÉDITO")]
    {
        categories.accepts(&["type"], json!(typed), json!(shown));
    }
    categories.refuses(&["type"], json!("outro"));
    assert_eq!(
        office.post("/settings/categories", &json!({ "category": "Êxitos" })).wrong_fields(),
        ["type"]
    );
}

#[test]
fn a_category_of_the_other_type_may_have_the_same_name() {
    let office = Office::new();
    let add = |name: &str, kind: &str| {
        office.post("/settings/categories", &json!({ "category": name, "type": kind }))
    };
    assert_eq!(add("Êxito", "income").status, 201);
    assert_eq!(add("EXITO", "credito").wrong_fields(), ["category"]);
    assert_eq!(add("Êxito", "expense").json()["id"], 19);
    let moved = office.put("/settings/categories/19", &json!({ "type": "income" }));
    assert_eq!(moved.wrong_fields(), ["category"], "the name is taken in that type");
    assert_eq!(office.put("/settings/categories/19", &json!({ "category": "exito" })).status, 200);
}

/// A member with two names is one member.
#[test]
fn department_and_place_are_other_names_of_sector_and_position() {
    let office = Office::new();
    let department = |body: serde_json::Value| office.post("/settings/departments", &body);
    assert_eq!(department(json!({ "department": "Comercial" })).json()["id"], 4);
    assert_eq!(department(json!({ "department": "Pessoal", "sector": "Pessoal" })).json()["id"], 5);
    let shown = json!({ "id": 4, "sector": "Comercial", "department": "Comercial" });
    assert_eq!(list(&office.get("/settings").json(), "departments")[3], shown);
    let both = department(json!({ "department": "Um", "sector": "Outro" }));
    assert_eq!(both.wrong_fields(), ["sector"]);
    assert_eq!(department(json!({ "department": "-" })).wrong_fields(), ["department"]);
    assert_eq!(department(json!({})).wrong_fields(), ["sector"]);
    let first = |office: &Office| list(&office.get("/settings").json(), "departments")[0]["id"].clone();
    assert_eq!(office.put("/settings/departments/4", &json!({ "position": 1 })).status, 200);
    assert_eq!(first(&office), 4);
    assert_eq!(office.put("/settings/departments/2", &json!({ "place": "1" })).status, 200);
    assert_eq!(first(&office), 2);
    assert_eq!(office.put("/settings/departments/2", &json!({ "position": 0 })).wrong_fields(), ["position"]);
}
