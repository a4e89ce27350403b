//! The reference lists and the settings in the console.

use serde_json::json;

use super::page::Field;
use super::visitor::{Visitor, open, path_of};
use crate::office::{Office, Reply};

fn names(office: &Office, list: &str, member: &str) -> Vec<String> {
    let all = office.get("/settings").json()[list].clone();
    all.as_array().unwrap().iter().map(|one| one[member].as_str().unwrap().to_owned()).collect()
}

#[test]
fn entries_are_added_renamed_reordered_and_deactivated() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let done = |path: &str, fields: &[(&str, &str)]| {
        let reply = visitor.send(path, fields);
        assert_eq!(reply.status, 303, "{path} {fields:?}: {}", reply.text());
    };
    done("/lists/origins", &[("origin", "Panfleto")]);
    done("/lists/origins/11", &[("do", "save"), ("origin", "Panfleto de rua")]);
    done("/lists/origins/11", &[("do", "up")]);
    done("/lists/origins/1", &[("do", "down")]);
    let now = names(&office, "origins", "origin");
    assert_eq!((now[0].as_str(), now[1].as_str()), ("Site", "Indicação"));
    assert_eq!((now[9].as_str(), now[10].as_str()), ("Panfleto de rua", "Outra"));

    done("/lists/origins/2", &[("do", "off")]);
    assert_eq!(names(&office, "origins", "origin")[0], "Indicação");
    let offered = visitor.page("/customers/new").field("Origin").choices();
    assert!(!offered.contains(&"Site".to_owned()), "{offered:?}");
    done("/lists/origins/2", &[("do", "on")]);
    assert_eq!(names(&office, "origins", "origin")[0], "Site");

    // The position of a stage is relative to the stages of its step.
    let stages = names(&office, "stages", "stage");
    let own = office.get("/settings").json()["stages"].clone();
    let of_step: Vec<_> =
        own.as_array().unwrap().iter().filter(|one| one["steps_id"] == 5).cloned().collect();
    done(&format!("/lists/stages/{}", of_step[1]["id"]), &[("do", "up")]);
    let after = office.get("/settings").json()["stages"].clone();
    let moved: Vec<_> =
        after.as_array().unwrap().iter().filter(|one| one["steps_id"] == 5).cloned().collect();
    assert_eq!((&moved[0]["id"], &moved[1]["id"]), (&of_step[1]["id"], &of_step[0]["id"]));
    assert_eq!(names(&office, "stages", "stage").len(), stages.len());
}

/// Regression: saving one of two edited rows lost the other, and moving a row lost its new name.
#[test]
fn only_one_entry_is_edited_at_a_time() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let page = visitor.page("/lists/origins");
    assert_eq!(page.sent_as("origin").len(), 1, "only the field for a new entry: {page}");
    assert_eq!(page.link("Edit: Site"), "/console/lists/origins?edit=2");
    let page = visitor.page("/lists/origins?edit=2");
    assert!(page.sent_as("origin").len() == 2 && page.has_field("Name: Site"), "{page}");
    assert!(
        page.has_button("Save") && !page.has_button("Up: Site") && page.has_button("Up: Google"),
        "{page}"
    );
    assert_eq!(page.for_script("guard").len(), 1, "leaving unsaved changes asks for confirmation: {page}");

    // A refused form keeps its values.
    let refused = visitor.send("/lists/origins/2", &[("do", "save"), ("origin", "INDICACAO")]).page();
    assert_eq!(refused.field("Name: Site").value(), "INDICACAO");
}

#[test]
fn a_users_contact_data_are_stored_and_cleared() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let ana = [
        ("do", "save"),
        ("name", "Ana Souza"),
        ("email", "ana@exemplo.com.br"),
        ("cellphone", "48988880000"),
    ];
    assert_eq!(visitor.send("/lists/users/1", &ana).header("location"), "/console/lists/users?done=1#e-1");
    let page = visitor.page("/lists/users");
    assert!(page.contains("ana@exemplo.com.br · (48) 98888-0000"), "{page}");
    let emptied = [("do", "save"), ("name", "Ana Souza"), ("email", ""), ("cellphone", " ")];
    assert_eq!(visitor.send("/lists/users/1", &emptied).status, 303);
    let user = office.get("/settings").json()["users"][0].clone();
    assert_eq!((&user["email"], &user["cellphone"]), (&json!(null), &json!(null)));
}

/// The page of each list has fields for all its members.
#[test]
fn lists_of_tasks_and_finances_have_fields_for_their_own_members() {
    let office = Office::new();
    let visitor = Visitor { language: "pt", ..Visitor::new(&office) };
    let page = visitor.page("/lists/tasks");
    for text in
        ["Tipos de tarefa", "Contas", "Categorias", "Centros de custo", "Setores", "Audiência Pontos: 0"]
    {
        assert!(page.contains(text), "{text}: {page}");
    }
    let made = visitor.send("/lists/tasks", &[("task", "Sustentação oral"), ("reward", "30")]);
    assert_eq!(made.header("location"), "/console/lists/tasks?added=13", "{}", made.text());
    let page = visitor.page("/lists/tasks?added=13");
    assert_eq!(page.status(), "Incluído: Sustentação oral");
    assert_eq!(page.link("Sustentação oral"), "#e-13");
    let focused = page.focused();
    assert_eq!((focused.len(), focused[0].name(), focused[0].value()), (1, "task".into(), String::new()));
    let refused =
        visitor.send("/lists/tasks/13", &[("do", "save"), ("task", "Sustentação"), ("reward", "muitos")]);
    let points = refused.page().field("Pontos: Sustentação oral");
    assert_eq!((refused.status, points.value().as_str()), (422, "muitos"));
    assert!(points.error().contains("deve ser um número inteiro de 0 a 1000000"), "{points}");
    let page = visitor.page("/lists/categories?edit=9");
    let kinds = page.sent_as("type");
    assert!(
        kinds.iter().any(|kind| (kind.value(), kind.chosen()) == ("DÉBITO".into(), "Débito (sai)".into()))
    );
    let moved = [("do", "save"), ("category", "Custas"), ("type", "CRÉDITO")];
    assert_eq!(visitor.send("/lists/categories/9", &moved).status, 303);
    let category = office.get("/settings").json()["financial"]["categories"][8].clone();
    assert_eq!(category, json!({ "id": 9, "category": "Custas", "type": "CRÉDITO" }));
}

/// Regression: it told a number of "uses, which stay as they are".
#[test]
fn deactivating_an_entry_first_names_the_records_that_keep_it() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let gone = office.customer("Ana", json!({ "customers_origins_id": 2 }));
    let customer = office.customer("Bia", json!({ "customers_origins_id": 2 }));
    office.customer("Caio", json!({ "customers_origins_id": 2 }));
    assert_eq!(office.send("DELETE", &format!("/customers/{gone}"), &[], None).status, 200);
    let lawsuit = office.lawsuit(&[customer], json!({}));
    office.task(lawsuit, json!({}));
    let uses =
        |path: &str, id: u32| visitor.page(&format!("{path}?off={id}")).anchored(&format!("e-{id}")).text();
    let origin = uses("/lists/origins", 2);
    assert!(origin.contains("2 customers keep this entry"), "records in the trash do not count: {origin}");
    assert!(uses("/lists/origins", 3).contains("No record uses it."));
    let page = visitor.page("/lists/origins");
    assert_eq!(page.link("Deactivate: Site"), "/console/lists/origins?off=2#e-2");
    assert!(
        page.sent_as("do").iter().all(|act| act.value() != "off"),
        "deactivating needs a confirmation: {page}"
    );
    assert!(uses("/lists/stages", 12).contains("1 lawsuit keeps this entry"));
    let groups = uses("/lists/groups", 1);
    assert!(groups.contains("types keep this entry"), "types belong to groups: {groups}");
}

/// Regression: a person who left took the open work along: "2 usos, que ficam como estão".
#[test]
fn the_work_of_a_person_who_leaves_is_handed_over_in_one_act_and_goes_back() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    for name in ["Ana Souza", "Rui Prado"] {
        assert_eq!(office.post("/settings/users", &json!({ "name": name })).status, 201);
    }
    let client = office.customer("Bia Reis", json!({}));
    let case = |more: serde_json::Value| office.lawsuit(&[client], more);
    let [open, edited] = [json!({ "users_id": 2 }), json!({ "users_id": 2 })].map(case);
    let closed = case(json!({ "users_id": 2, "status_closure": "2026-06-01" }));
    let task = |day: u32, guests: &[u32]| {
        office.task(open, json!({ "start_date": format!("2026-12-{day}"), "guests": guests }))
    };
    let [alone, shared, done, late] = [task(10, &[2]), task(11, &[3, 2]), task(12, &[2]), task(13, &[2])];
    let complete = |id: u64, user: u32| {
        let done = office.put(&format!("/posts/{id}/complete"), &json!({ "users_id": user }));
        assert_eq!(done.status, 200, "{}", done.text());
    };
    complete(done, 2);

    let row = || visitor.page("/lists/users?off=2").anchored("e-2");
    assert!(row().contains("3 tasks to do and 2 open cases stay with this person"), "{}", row());
    let choices = row().field("Hand over to").values();
    assert_eq!(choices, ["", "1", "3"], "the others of the team");
    for wrong in ["2", "99"] {
        assert_eq!(visitor.send("/lists/users/2", &[("do", "off"), ("to", wrong)]).status, 422, "{wrong}");
    }
    let act = |name: &str, fields: &[(&str, &str)]| {
        let reply = visitor.send("/lists/users/2", &[&[("do", name)], fields].concat());
        assert_eq!(reply.status, 303, "{}", reply.text());
    };
    act("off", &[("to", "3")]);
    let team = visitor.page("/lists/users");
    assert!(
        team.leads_to("/console/people/3") && !team.leads_to("/console/people/2"),
        "no access for a deactivated person"
    );
    let guests = |id: u64| {
        let all = office.get(&format!("/posts/{id}")).json()["users"].clone();
        let mut ids: Vec<u64> =
            all.as_array().unwrap().iter().map(|one| one["user_id"].as_u64().unwrap()).collect();
        ids.sort_unstable();
        ids
    };
    let responsible =
        |id: u64| office.get(&format!("/lawsuits/{id}")).json()["responsible_id"].as_u64().unwrap();
    assert_eq!([alone, shared, done, late].map(guests), [vec![3], vec![3], vec![2], vec![3]]);
    assert_eq!([open, edited, closed].map(responsible), [3, 3, 2]);
    // An inactive person is still in filters, below a line.
    let filters = visitor.page("/lawsuits").sent_as("responsible");
    let inactive = filters[0].group("Inactive").unwrap();
    assert_eq!(inactive.text(), "Ana Souza");

    // What was changed or done since stays, and is named.
    office.put(&format!("/lawsuits/{edited}"), &json!({ "users_id": 1 }));
    complete(late, 3);
    let row = visitor.page("/lists/users").anchored("e-2");
    assert!(row.contains("Handed over to Rui Prado: 2 tasks to do and 1 open case."), "{row}");
    assert!(
        row.leads_to(&format!("/console/lawsuits/{edited}"))
            && row.leads_to(&format!("/console/posts/{late}"))
    );
    let undone = visitor.send("/lists/users/2", &[("do", "back")]);
    assert_eq!(undone.status, 303, "{}", undone.text());
    let path = undone.header("location").replace("/console", "");
    let message = visitor.page(path.split('#').next().unwrap()).anchored("e-2");
    assert!(message.contains("Given back: 2 tasks to do and 1 open case."), "{message}");
    assert!(message.contains("another person got it or it was completed since: 2."), "{message}");
    assert_eq!([alone, shared, late].map(guests), [vec![2], vec![2, 3], vec![3]]);
    assert_eq!([open, edited, closed].map(responsible), [2, 1, 2]);
    let row = visitor.page("/lists/users").anchored("e-2");
    assert!(row.contains("Deactivate…") && !row.contains("Handed over"), "{row}");
    // Without another person, the work stays.
    act("off", &[("to", "")]);
    assert_eq!((guests(alone), responsible(open)), (vec![2], 2));
    assert!(!visitor.page("/lists/users").anchored("e-2").contains("Handed over"));
    assert_eq!(visitor.send("/lists/users/2", &[("do", "back")]).status, 409);
}

/// Regression: the answer to a refused hand-over was the form of the person's name, without a word of why.
#[test]
fn a_refused_hand_over_asks_again_and_says_why() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    for name in ["Hugo Reis", "Igor Prado", "Ana Souza"] {
        assert_eq!(office.post("/settings/users", &json!({ "name": name })).status, 201);
    }
    let client = office.customer("Bia Reis", json!({}));
    office.lawsuit(&[client], json!({ "users_id": 2 }));
    let page = visitor.page("/lists/users?off=2");
    assert!(page.anchored("e-2").field("Hand over to").error().is_empty(), "{page}");
    let hand_over = |visitor: &Visitor<'_>, to: &str| {
        let reply = visitor.send("/lists/users/2", &[("do", "off"), ("to", to)]);
        assert_eq!(reply.status, 422, "{}", reply.text());
        reply.page().anchored("e-2")
    };
    assert_eq!(office.put("/settings/users/3", &json!({ "active": false })).status, 200);
    let row = hand_over(&visitor, "3");
    let to = row.field("Hand over to");
    assert_eq!((to.value(), to.values()), ("3".to_owned(), ["", "1", "4", "3"].map(str::to_owned).to_vec()));
    assert!(to.is_wrong() && to.error().contains("Igor Prado is inactive; choose another person"), "{row}");
    assert!(row.contains("1 open case stays with this person") && row.has_button("Deactivate"), "{row}");
    assert!(row.sent_as("name").is_empty(), "it is not the form of the name: {row}");
    visitor.language = "pt-BR";
    let row = hand_over(&visitor, "3");
    assert!(row.contains("Igor Prado não está mais na equipe ativa; escolha outra pessoa"), "{row}");
    visitor.language = "en";
    // Somebody else is chosen now; a person who never was, and the person who leaves, are refused with their reasons too.
    for (to, reason) in [("99", "99"), ("2", "user")] {
        let row = hand_over(&visitor, to);
        let wrong = row.field("Hand over to");
        assert!(wrong.is_wrong() && wrong.error().contains(reason), "{row}");
    }
    assert_eq!(visitor.send("/lists/users/2", &[("do", "off"), ("to", "4")]).status, 303);
    // A refused name still is the form of the name.
    let reply = visitor.send("/lists/users/4", &[("do", "save"), ("name", "")]);
    assert_eq!(reply.status, 422);
    assert!(reply.page().anchored("e-4").has_button("Save"), "{}", reply.page());
}

/// Regression: the open part of a task was lost to a person who had done the own part, and the undo did not bring it back.
#[test]
fn the_open_part_of_a_shared_task_is_to_do_again_for_who_gets_it() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let entry = || visitor.page("/lists/users?off=1").anchored("e-1");
    assert!(entry().contains("the only active person of the team"), "{}", entry());
    for name in ["Fábio Reis", "Ana Souza"] {
        assert_eq!(office.post("/settings/users", &json!({ "name": name })).status, 201);
    }
    assert!(!entry().contains("the only active person"), "{}", entry());
    let case = office.lawsuit(&[office.customer("Bia Reis", json!({}))], json!({}));
    let task =
        |day: u32| office.task(case, json!({ "start_date": format!("2026-12-{day}"), "guests": [2, 3] }));
    let complete = |id: u64| {
        assert_eq!(office.put(&format!("/posts/{id}/complete"), &json!({ "users_id": 3 })).status, 200);
    };
    let guests = |id: u64| office.get(&format!("/posts/{id}")).json()["users"].clone();
    let [first, second] = [task(10), task(11)];
    [first, second].into_iter().for_each(complete);
    let before = guests(first);
    office.pass(60);
    let act = |name: &str, to: &str| {
        let reply = visitor.send("/lists/users/2", &[("do", name), ("to", to)]);
        assert_eq!(reply.status, 303, "{}", reply.text());
    };
    act("off", "3");
    for id in [first, second] {
        let all = guests(id);
        assert_eq!(all.as_array().unwrap().len(), 1, "{all}");
        assert_eq!((&all[0]["user_id"], &all[0]["completed_at"]), (&json!(3), &json!(null)), "{all}");
    }
    let row = visitor.page("/lists/users").anchored("e-2");
    assert!(
        row.contains("Handed over to Ana Souza: 2 tasks to do.") && !row.contains("changed since"),
        "{row}"
    );
    complete(second);
    act("back", "");
    let mut after = guests(first);
    after.as_array_mut().unwrap().sort_by_key(|one| one["user_id"].as_u64());
    assert_eq!(after, before, "with the time of the completion");
    assert_eq!(guests(second).as_array().unwrap().len(), 1, "it was done since");
}

#[test]
fn a_duplicate_or_empty_name_is_refused_beside_its_field() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let refused = visitor.send("/lists/origins", &[("origin", "INDICACAO")]);
    let beside = |reply: &Reply| reply.page().wrong_fields().iter().map(Field::error).collect::<String>();
    assert!(refused.status == 422 && beside(&refused).contains("is the name of entry 1 already"));
    let refused = visitor.send("/lists/type_lawsuits/1", &[("do", "save"), ("type", ""), ("group_id", "1")]);
    assert!(refused.status == 422 && beside(&refused).contains("is required"), "{}", refused.text());
    for path in ["/lists/none", "/lists/users/x"] {
        assert_eq!(visitor.send(path, &[("name", "x")]).status, 404, "{path}");
    }
    assert_eq!(visitor.send("/lists/users/99", &[("do", "off")]).status, 404);
}

#[test]
fn the_api_also_sets_the_position_of_an_entry() {
    let office = Office::new();
    assert_eq!(office.put("/settings/groups/9", &json!({ "place": 1 })).status, 200);
    assert_eq!(names(&office, "groups", "group")[0], "Administrativo");
    assert_eq!(office.put("/settings/groups/9", &json!({ "place": "4294967295" })).status, 200);
    assert_eq!(names(&office, "groups", "group")[8], "Administrativo");
    for wrong in [json!(0), json!(-1), json!(1.5), json!("x"), json!(true), json!(4_294_967_296u64)] {
        assert_eq!(
            office.put("/settings/groups/9", &json!({ "place": wrong })).wrong_fields(),
            ["place"],
            "{wrong}"
        );
    }
}

#[test]
fn a_restart_can_be_requested_and_its_page_links_to_the_console() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    assert!(visitor.page("/settings").has_button("Restart Pleito"));
    let restarting = office.app().restarting();
    assert_eq!(
        visitor.send_raw("/settings/restart", &[], &[]).status,
        403,
        "only pages of the session can request a restart"
    );
    assert!(!restarting.has_changed().unwrap());
    let page = visitor.send("/settings/restart", &[]);
    assert_eq!(page.status, 200, "{}", page.text());
    assert!(restarting.has_changed().unwrap());
    let link = page.header("refresh").split_once("url=").unwrap().1.to_owned();
    assert!(page.page().leads_to(&link), "{}", page.text());
    // The link works once, like every link to the console.
    assert_eq!(open(&office, &path_of(&link), &[("host", &visitor.host)]).status, 303);
    assert_eq!(open(&office, &path_of(&link), &[("host", &visitor.host)]).status, 403);
}

#[test]
fn only_changed_settings_are_written() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let page = visitor.page("/settings");
    for name in
        ["office.name", "limits.get_per_minute", "lan.enabled", "api.compatibility", "api.unknown_parameters"]
    {
        assert_eq!(page.sent_as(name).len(), 1, "{name}");
    }
    // Settings have labels for people. Their keys in the file are in the advanced part.
    let advanced = page.details("Advanced");
    assert!(page.position("Automatic backups") < page.position("Advanced"), "{page}");
    for shown in ["api.compatibility", "as in its document", "backup.enabled"] {
        assert!(advanced.contains(shown), "{shown}: {advanced}");
    }
    for key in ["api.compatibility", "backup.enabled"] {
        assert_eq!(page.exact(key), advanced.exact(key), "{key}");
    }
    let changed =
        [("limits.get_per_minute", "7"), ("limits.post_per_day", "0"), ("api.compatibility", "document")];
    assert_eq!(visitor.send("/settings", &changed).header("location"), "/console/settings?done=stored");
    let file = std::fs::read_to_string(office.folder().join("pleito.toml")).unwrap();
    assert!(file.contains("get_per_minute = 7") && !file.contains("compatibility"), "{file}");
    assert_eq!(office.get("/settings").header("x-ratelimit-limit"), "7");

    // The office's name takes effect at once and completes its step of the first run.
    assert_eq!(visitor.page("").steps_done(), [""; 0]);
    let named = visitor.send("/settings", &[("office.name", "Souza & Prado")]);
    assert_eq!(named.header("location"), "/console/settings?done=stored");
    let overview = visitor.page("");
    assert_eq!(overview.heading(), "Souza & Prado");
    assert_eq!(overview.steps_done(), ["Name the office"]);

    let later = visitor.send("/settings", &[("log.keep_days", "7")]);
    assert_eq!(later.header("location"), "/console/settings?done=later");
    let page = visitor.page("/settings?done=later");
    assert_eq!(page.control("office.name").value(), "Souza & Prado");
    // Only a setting that differs from its default shows the default. The restart button is beside the notice
    // about it.
    assert!(page.contains("default: 30") && !page.contains("default: 14d"), "{page}");
    assert!(page.sends_to("/console/settings/restart") && page.heading() == "Settings", "{page}");
    assert!(
        page.main().is_in_order(&["Restart Pleito", "Settings"]) && page.count("Restart Pleito") == 1,
        "{page}"
    );

    let refused = visitor
        .send("/settings", &[("limits.get_per_minute", "muitas"), ("office.time_zone", "Marte/Norte")]);
    let page = refused.page();
    assert_eq!(refused.status, 422);
    for (name, typed, says) in [
        ("limits.get_per_minute", "muitas", "must be a whole number"),
        ("office.time_zone", "Marte/Norte", "IANA"),
    ] {
        let field = page.control(name);
        assert!(field.value() == typed && field.error().contains(says), "{field}");
    }
    assert!(
        std::fs::read_to_string(office.folder().join("pleito.toml")).unwrap().contains("get_per_minute = 7")
    );
}

/// Regression: a form that was opened earlier reverted another person's change of a setting or an entry.
#[test]
fn another_persons_change_is_shown_before_it_is_overwritten() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let keys = ["office.name", "backup.every"];
    let mine = |name: &str, every: &str| {
        let form = [(keys[0], name), ("was-office.name", ""), (keys[1], every), ("was-backup.every", "1d")];
        visitor.send("/settings", &form)
    };
    assert_eq!(mine("Silva", "1d").status, 303);
    // Only the field that this form changes is written.
    assert_eq!(mine("", "2d").status, 303);
    let page = visitor.page("/settings");
    assert_eq!(keys.map(|key| page.control(key).value()), ["Silva", "2d"]);
    let met = mine("Souza", "2d");
    let page = met.page();
    let name = page.control(keys[0]);
    assert!(met.status == 422 && name.error().contains("it is “Silva” now"), "{name}");
    assert_eq!(name.value(), "Souza");
    assert_eq!(page.control("was-office.name").value(), "Silva", "saving again overwrites the other value");

    let was = visitor.page("/lists/origins?edit=2").control("was-origin").value();
    let save = |was: &str, name: &str| {
        visitor.send("/lists/origins/2", &[("do", "save"), ("was-origin", was), ("origin", name)])
    };
    assert_eq!(save(&was, "Panfleto").status, 303);
    let met = save(&was, "Página");
    let field = met.page().field("Name: Panfleto");
    assert!(met.status == 409 && field.error().contains("it is “Panfleto” now"), "{field}");
    assert_eq!(field.value(), "Página");
    assert_eq!(save("Panfleto", "Página").status, 303);
}

/// Regression: the page offered an undo that gave nothing back.
#[test]
fn a_hand_over_that_was_handed_on_says_so() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    for name in ["Ana Souza", "Rui Prado"] {
        assert_eq!(office.post("/settings/users", &json!({ "name": name })).status, 201);
    }
    let client = office.customer("Bia Reis", json!({}));
    office.lawsuit(&[client], json!({ "users_id": 2 }));
    for (from, to) in [("2", "3"), ("3", "1")] {
        let done = visitor.send(&format!("/lists/users/{from}"), &[("do", "off"), ("to", to)]);
        assert_eq!(done.status, 303, "{}", done.text());
    }
    let row = |id: u32| visitor.page("/lists/users").anchored(&format!("e-{id}"));
    assert!(
        row(2).contains("Handed over to Rui Prado, who handed it over later: undo that first."),
        "{}",
        row(2)
    );
    assert!(!row(2).contains("Undo the hand-over") && row(3).contains("Undo the hand-over"));
    let refused = visitor.send("/lists/users/2", &[("do", "back")]);
    assert_eq!(refused.status, 409);
    assert!(refused.page().contains("User 3, who got the work, handed it over later"), "{}", refused.page());
}
