//! One test for each defect that was found and mended.

use serde_json::json;

use crate::forms::Form;
use crate::office::Office;

/// The member and the parameter `type` were read, and described, as `r#type`: no lawsuit type could be added, and a list
/// asked for one type showed all.
#[test]
fn the_type_is_called_type() {
    let office = Office::new();
    let added = office.post("/settings/type_lawsuits", &json!({ "type": "Ação popular", "group_id": 1 }));
    assert_eq!(added.status, 201, "{}", added.text());
    let customer = office.customer("Ana", json!({}));
    let lawsuit = office.lawsuit(&[customer], json!({ "type_lawsuits_id": added.json()["id"] }));
    office.lawsuit(&[customer], json!({ "type_lawsuits_id": 1 }));
    assert_eq!(office.ids("/lawsuits?type=popular"), [lawsuit]);
    let description = office.raw("GET", "/openapi.json", &[], None).text();
    assert!(description.contains(r#""type_lawsuits_id""#) && !description.contains("r#"));
}

/// A PUT took an inactive step for a lawsuit that was elsewhere, and refused a lawsuit's own step once its stages were
/// inactive.
#[test]
fn an_inactive_step_is_refused_but_to_a_lawsuit_that_stands_in_it() {
    let office = Office::new();
    let form = Form::lawsuits(&office);
    let step = |step: u64| form.put(form.standing, &json!({ "steps_id": step }));
    let activate = |path: &str, active: bool| {
        assert_eq!(office.put(path, &json!({ "active": active })).status, 200, "{path}");
    };
    let stages = [1, 2, 3, 4].map(|id| format!("/settings/stages/{id}"));
    assert_eq!(step(1).status, 200);
    stages.iter().for_each(|stage| activate(stage, false));
    assert_eq!(step(1).status, 200, "its stages are inactive, but it is there already");
    stages.iter().for_each(|stage| activate(stage, true));
    activate("/settings/steps/1", false);
    assert_eq!(step(1).status, 200, "the step is inactive, but it is there already");
    assert_eq!(step(4).status, 200);
    assert_eq!(step(1).wrong_fields(), ["steps_id"], "the step is inactive");
}
