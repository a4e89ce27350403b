//! The first steps of a new user.

use serde_json::json;

use crate::office::Office;

#[test]
fn a_customer_and_a_lawsuit_are_found_in_any_notation() {
    let office = Office::new();
    let joao = office.customer("João da Conceição", json!({ "identification": "52998224725" }));
    let lawsuit = office.lawsuit(&[joao], json!({ "process_number": "00000026520054058100" }));
    for path in ["/customers?name=JOAO", "/customers?name=conceicao", "/customers?identification=529.982"] {
        assert_eq!(office.ids(path), [joao], "{path}");
    }
    for path in [
        "/lawsuits?name=JOAO",
        "/lawsuits?process_number=0000002-65.2005.4.05.8100",
        "/processos?stage=Judicial",
    ] {
        assert_eq!(office.ids(path), [lawsuit], "{path}");
    }
}
