//! The console's search, over all records and in lists. It combines words of different fields.

use serde_json::json;

use super::page::Page;
use super::visitor::Visitor;
use crate::office::Office;
use crate::one_of_each;

/// The id of the lawsuit type `Aposentadoria por idade`.
const AGE: u32 = 27;

/// Returns an office with three clients, their lawsuits, and the lawsuits' records.
fn office() -> Office {
    let office = one_of_each::office("");
    for (name, phone, city) in
        [("Rosângela Lima", "(48) 98888-3456", "Laguna"), ("Rosângela Prado", "(51) 98888-1111", "Içara")]
    {
        office.customer(
            name,
            json!({ "cellphone": phone, "city": city, "notes": "Prefere falar à tarde; tem 2 cães." }),
        );
    }
    office.lawsuit(
        &[2],
        json!({
            "type_lawsuits_id": AGE, "venue": "2ª Vara Federal de Tubarão", "protocol_number": "2026/000777",
            "opposing_parties": "Instituto Exemplo (11222333000181) [adv. Rui Prado]",
        }),
    );
    office.lawsuit(&[3], json!({ "notes": "Falta o laudo pericial." }));
    office.task(2, json!({ "comments": "Levar testemunhas", "local": "Sala Azul", "tasks_id": 2 }));
    let movement = json!({ "lawsuit_id": 2, "date": "2026-06-11", "description": "Sentença de procedência" });
    assert!([200, 201].contains(&office.post("/lawsuits/movement", &movement).status));
    let paid = json!({ "users_id": 1, "entry_type": "income", "debit_account": 1, "categories_id": 1, "cost_centers_id": 1,
        "amount": 10.5, "date_due": "2026-06-20", "lawsuits_id": 2, "description": "Entrada combinada" });
    assert_eq!(office.post("/transactions", &paid).status, 201);
    office
}

/// Returns the results that search-as-you-type would show.
fn part(visitor: &Visitor<'_>, path: &str, text: &str) -> Page {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("q", text).finish();
    visitor.part(&format!("{path}?{query}"))
}

/// Returns the records that the results link to.
fn linked_records(part: &Page) -> Vec<String> {
    let link = regex::Regex::new(r"^/console/([a-z]+/\d+)$").unwrap();
    let links = part.links();
    let mut all = links.iter().filter_map(|to| Some(link.captures(to)?[1].to_owned())).collect::<Vec<_>>();
    all.dedup();
    all
}

#[test]
fn a_search_combines_words_of_different_fields() {
    let office = office();
    let visitor = Visitor::new(&office);
    for (text, found) in [
        ("rosangela 3456", &["customers/2", "lawsuits/2"][..]),
        ("3456 ROSÂNGELA", &["customers/2", "lawsuits/2"]),
        ("Rosângela, final 3456", &["customers/2", "lawsuits/2"]),
        ("rosangela 48", &["customers/2", "lawsuits/2"]),
        ("rosangela 51", &["customers/3", "lawsuits/3"]),
        ("rosangela (48) 98888-3456", &["customers/2", "lawsuits/2"]),
        ("+55 48 98888-3456 lima", &["customers/2", "lawsuits/2"]),
        ("lima aposentadoria", &["lawsuits/2"]),
        ("idade lima", &["lawsuits/2"]),
        ("lima laguna", &["customers/2", "lawsuits/2"]),
        ("instituto rosangela", &["lawsuits/2"]),
        ("11.222.333/0001-81 lima", &["lawsuits/2"]),
        ("rui prado tubarao", &["lawsuits/2"]),
        ("2026/000777 aposentadoria", &["lawsuits/2", "transactions/2"]),
        ("lima testemunhas", &["posts/2"]),
        ("azul 3456", &["posts/2"]),
        ("audiencia lima", &["posts/2"]),
        ("lima sentenca", &["movements/2"]),
        ("3456 sentenca aposentadoria", &["movements/2"]),
        ("conceicao intimacao", &["publications/1"]),
        ("lima combinada", &["transactions/2"]),
        ("procuracao assinada conceicao", &["documents/1"]),
        ("pericial rosangela", &["lawsuits/3"]),
        ("tarde caes laguna", &["customers/2"]),
        ("rosangela 9999", &[]),
        ("lima prado sentenca tarde zzz", &[]),
        ("%", &[]),
        ("😀", &[]),
        ("\"';--", &[]),
        ("lima % \" 😀 3456", &["customers/2", "lawsuits/2"]),
    ] {
        let part = part(&visitor, "/search", text);
        let all = linked_records(&part);
        for one in found {
            assert!(all.iter().any(|other| other == one), "{text}, {one}: {part}");
        }
        assert_eq!(all.is_empty(), found.is_empty(), "{text}: {part}");
        // No record of the other client is found.
        let own = ["customers/2", "lawsuits/2", "posts/2", "movements/2"];
        let other = ["customers/3", "lawsuits/3"];
        let unwanted = if found.iter().any(|one| own.contains(one)) { &other[..] } else { &own[..] };
        if !text.contains("tarde") || !found.is_empty() {
            assert!(!all.iter().any(|one| unwanted.contains(&one.as_str())), "{text}: {all:?}");
        }
    }
    let many = format!("rosangela 3456 {}", "lima ".repeat(200));
    assert!(linked_records(&part(&visitor, "/search", &many)).contains(&"customers/2".to_owned()));
    let many = (0..200).map(|n| format!("palavra{n}")).collect::<Vec<_>>().join(" ");
    assert!(part(&visitor, "/search", &many).contains("Nothing found"));
}

#[test]
fn a_list_search_also_matches_related_records() {
    let office = office();
    let visitor = Visitor::new(&office);
    for (list, text, found) in [
        ("/customers", "rosangela 3456", &["customers/2"][..]),
        ("/customers", "2", &["customers/2", "customers/3"]),
        ("/lawsuits", "3456", &["lawsuits/2"]),
        ("/lawsuits", "lima aposentadoria", &["lawsuits/2"]),
        ("/posts", "rosangela", &["posts/2"]),
        ("/posts", "3456 audiencia", &["posts/2"]),
        ("/posts", "aposentadoria", &["posts/2"]),
        ("/movements", "lima", &["movements/2"]),
        ("/movements", "2026/000777", &["movements/2"]),
        ("/publications", "conceicao", &["publications/1"]),
        ("/transactions", "rosangela laguna", &["transactions/2"]),
        ("/documents", "conceicao", &["documents/1"]),
        ("/documents", "52998224725", &["documents/1"]),
        ("/movements", "prado", &["movements/2"]),
        ("/posts", "zzz", &[]),
    ] {
        let part = part(&visitor, list, text);
        let mut rows = part.rows().iter().map(|row| linked_records(row).swap_remove(0)).collect::<Vec<_>>();
        rows.sort();
        assert_eq!(rows, found, "{list} {text}: {part}");
    }
    // The API's filters do not combine fields.
    assert_eq!(office.get("/lawsuits?name=3456").json()["totalCount"], 0);
    assert_eq!(office.get("/customers?name=rosangela+3456").json()["totalCount"], 0);
}

#[test]
fn a_hit_shows_the_matching_field() {
    let office = office();
    let mut visitor = Visitor::new(&office);
    visitor.language = "pt-BR";
    for (path, text, says) in [
        ("/search", "caes lima", "Anotações: Prefere falar à tarde; tem 2 *cães.*"),
        ("/lawsuits", "3456", "Cliente · Celular: *(48) 98888-3456*"),
        ("/posts", "laguna", "Cliente · Cidade: *Laguna*"),
        ("/posts", "azul", "Sala Azul · Levar testemunhas"),
        ("/movements", "tubarao", "Processo · Vara e comarca: 2ª Vara Federal de *Tubarão*"),
        ("/search", "tubarao lima", "Vara e comarca: 2ª Vara Federal de *Tubarão*"),
        ("/search", "rui instituto", "Parte contrária: "),
        ("/transactions", "2026/000777", "Protocolo: *2026/000777*"),
    ] {
        let (says, marked) = (says.replace('*', ""), says.split('*').nth(1));
        let part = part(&visitor, path, text);
        assert!(part.contains(&says), "{path} {text}: {part}");
        assert!(
            marked.is_none_or(|word| part.marked().iter().any(|own| own == word)),
            "{path} {text}: {part}"
        );
    }
    // A field that the row already shows is not repeated.
    assert!(!part(&visitor, "/customers", "rosangela laguna 98888").contains("Celular:"));
}

/// The list and Ctrl+K showed the newest: of several clients whose names have these words, the one meant was missing.
#[test]
fn the_best_results_come_first() {
    let office = Office::new();
    let add = |name: &str, more| office.customer(name, more);
    let meant = add("Carla Hoffmann", json!({ "cellphone": "(48) 98888-3456" }));
    let begins = add("Carla Hoffmann Dias", json!({}));
    let noted = add("Rui Prado", json!({ "notes": "Filho de Carla Hoffmann" }));
    let case = office.lawsuit(&[meant], json!({}));
    for at in 0..7 {
        add(&format!("Ana Carla Hoffmann {at}"), json!({}));
    }
    office.lawsuit(&[begins], json!({}));
    let visitor = Visitor::new(&office);
    let found = |path: &str, text: &str| linked_records(&part(&visitor, path, text));
    for text in ["carla hoffmann", "Hoffmann, Carla", "CARLA HOFFMANN"] {
        let all = found("/search", text);
        assert_eq!(all[0], format!("customers/{meant}"), "{text}: {all:?}");
        let first_case = all.iter().find(|one| one.starts_with("lawsuits/")).unwrap();
        assert_eq!(*first_case, format!("lawsuits/{case}"), "{text}: {all:?}");
    }
    assert_eq!(found("/search", "carla hoffmann")[1], format!("customers/{begins}"));
    // Doubled consonants make no other name.
    for text in ["carla hofman", "carlla hoffman", "Hofmann, Carla"] {
        let all = found("/search", text);
        assert_eq!(all[0], format!("customers/{meant}"), "{text}: {all:?}");
    }
    let listed = found("/customers", "carla hoffmann");
    assert_eq!(listed.len(), 10);
    assert_eq!(listed[..2], [meant, begins].map(|id| format!("customers/{id}")));
    assert_eq!(listed[9], format!("customers/{noted}"));
    let sorted = linked_records(&visitor.part("/customers?sort=-name&q=carla+hoffmann"));
    assert_eq!(sorted[0], format!("customers/{noted}"), "a chosen order stays: {sorted:?}");
    assert_eq!(found("/customers", "carla 3456"), [format!("customers/{meant}")]);
    let offered = part(&visitor, "/customers/pick", "carla hoffmann").for_script("id");
    assert_eq!(offered[0].script("id"), Some(meant.to_string()));
}

/// Regression: a newer name with a title came before exactly the typed one.
#[test]
fn exactly_the_typed_name_comes_before_names_with_titles_and_particles() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let names = ["Zambi", "Me Zambi", "Dra. Zambi", "João da Zurita", "João Zurita", "Dona Zulmira Prata"];
    let ids = names.map(|name| office.customer(name, json!({})));
    let cases = ids.map(|id| office.lawsuit(&[id], json!({})));
    let order = |kind: &str, text: &str| linked_records(&part(&visitor, &format!("/{kind}"), text));
    let expect = |of: &[usize]| of.iter().map(|at| format!("customers/{}", ids[*at])).collect::<Vec<_>>();
    for (text, expected) in [
        ("zambi", &[0, 2, 1][..]),
        ("Me Zambi", &[1, 2, 0]),
        ("Dra. Zambi", &[2, 1, 0]),
        ("Prof. Zambi", &[2, 1, 0]),
        ("João Zurita", &[4, 3]),
        ("joao da zurita", &[3, 4]),
        ("zurita, joão", &[4, 3]),
        // Titles hide nobody, also before a last name alone.
        ("Exmo. Sr. Dr. Zurita", &[4, 3]),
        ("Dona Zambi", &[2, 1, 0]),
        ("senhora Prata", &[5]),
        ("Ilma. Sra. Dona Zulmira", &[5]),
    ] {
        assert_eq!(order("customers", text), expect(expected), "{text}");
    }
    let found = order("lawsuits", "zambi");
    assert_eq!(found.first(), Some(&format!("lawsuits/{}", cases[0])), "{found:?}");
}

#[test]
fn a_count_that_was_cut_says_so() {
    let office = Office::with(crate::office::UNLIMITED);
    let person = |at: u32| json!({ "users_id": 1, "customers_origins_id": 1, "name": format!("Ana {at}"), "external_ids": format!("crm:{at}") });
    let people = json!({ "customers": (0..101).map(person).collect::<Vec<_>>() });
    assert_eq!(office.put("/customers", &people).status, 200);
    let mut visitor = Visitor::new(&office);
    visitor.language = "pt-BR";
    let shown = part(&visitor, "/search", "ana");
    assert!(shown.contains("mais de 100"), "{shown}");
    office.lawsuit(&[1], json!({}));
    let task = |at: u32| {
        json!({
            "users_id": 1, "lawsuits_id": 1, "from": 1, "tasks_id": 1, "guests": [1], "start_date": "2026-06-01", "external_ids": format!("crm:{at}"),
        })
    };
    let tasks = (0..502).map(task).collect::<Vec<_>>();
    let made = office.put("/posts", &json!({ "posts": tasks }));
    assert_eq!(made.status, 200, "{}", made.text());
    let overview = visitor.page("");
    assert!(
        overview.contains("(502)") && overview.contains("Ver tudo: 502 tarefas"),
        "all are counted: {overview}"
    );
}

#[test]
fn a_single_hit_redirects_to_its_record() {
    let office = office();
    let visitor = Visitor::new(&office);
    let redirect = |text: &str| {
        let query = form_urlencoded::Serializer::new(String::new()).append_pair("q", text).finish();
        let reply = visitor.look(&format!("/search?{query}"));
        let at = if reply.status == 303 { reply.header("location").to_owned() } else { String::new() };
        assert!([200, 303].contains(&reply.status), "{text}: {}", reply.status);
        at
    };
    // The lawsuit matches by its customer's phone number too, but only the customer has the number itself.
    assert_eq!(redirect("rosangela 3456"), "/console/customers/2");
    assert_eq!(redirect("Rosângela, final 3456"), "/console/customers/2");
    assert_eq!(redirect("lima aposentadoria"), "/console/lawsuits/2");
    assert_eq!(redirect("lima testemunhas"), "/console/posts/2");
    assert_eq!(redirect("rosangela"), "");
    assert_eq!(redirect("rosangela lima"), "", "both the client and her case match");
    assert_eq!(redirect("testemumhas"), "", "a corrected search does not redirect");
    assert_eq!(redirect("zzz"), "");
}

#[test]
fn search_follows_changes_and_leaves_out_the_trash() {
    let office = office();
    let visitor = Visitor::new(&office);
    let found = |text: &str| linked_records(&part(&visitor, "/search", text));
    assert_eq!(
        office
            .put("/customers/2", &json!({ "cellphone": "(48) 97777-6666", "notes": "Mudou de casa" }))
            .status,
        200
    );
    assert!(found("rosangela 3456").is_empty());
    assert_eq!(found("lima 6666"), ["customers/2", "lawsuits/2", "transactions/2"]);
    assert_eq!(found("laguna casa"), ["customers/2"], "her case has neither word itself");
    assert!(!found("tarde laguna").contains(&"customers/2".to_owned()));
    // Moving the lawsuit to the other client also moves the records that belong to it.
    assert_eq!(office.put("/lawsuits/2", &json!({ "customers_id": [3] })).status, 200);
    assert!(found("lima sentenca").is_empty());
    assert_eq!(found("prado 1111 sentenca"), ["movements/2"]);
    assert_eq!(found("prado testemunhas"), ["posts/2"]);
    assert_eq!(office.put("/posts/2", &json!({ "comments": "Levar laudo", "local": "" })).status, 200);
    assert!(found("prado testemunhas").is_empty() && found("prado azul").is_empty());
    assert_eq!(found("prado levar"), ["posts/2"]);
    // Renaming the type updates the index.
    let renamed = json!({ "type": "Benefício negado", "group_id": 1 });
    assert_eq!(office.put(&format!("/settings/type_lawsuits/{AGE}"), &renamed).status, 200);
    assert!(found("prado aposentadoria").is_empty());
    assert!(found("prado beneficio").contains(&"lawsuits/2".to_owned()));
    // Deleting the lawsuit also removes its tasks and movements from the results.
    assert_eq!(office.send("DELETE", "/transactions/2", &[], None).status, 200);
    assert_eq!(office.send("DELETE", "/lawsuits/2", &[], None).status, 200);
    for text in ["prado sentenca", "prado levar", "prado beneficio", "combinada", "sentenca"] {
        assert!(found(text).is_empty(), "{text}");
    }
    assert_eq!(office.put("/lawsuits/2", &json!({ "deleted": false })).status, 200);
    assert_eq!(found("prado sentenca"), ["movements/2"]);
    assert_eq!(found("prado levar"), ["posts/2"]);
}

/// Regression: `Otto SA` did not find the client `Otto S.A.`, and offered to create one.
#[test]
fn a_name_is_found_however_its_initials_and_figures_are_written() {
    let office = Office::new();
    let client = office.customer("Bia Reis", json!({}));
    let visitor = Visitor::new(&office);
    for (name, texts) in [
        ("Otto S.A.", &["Otto SA", "Otto S A", "Otto S/A", "otto"][..]),
        ("I.N.S.S.", &["INSS", "inss"]),
        ("J. B. Comércio Ltda", &["JB Comércio", "jb"]),
        ("3 M do Brasil", &["3M", "3 m"]),
        ("Banco 24 Horas", &["24horas", "24 horas"]),
        ("XYZ Zeltrom", &["X.Y.Z. Zeltrom"]),
    ] {
        let id = office.customer(name, json!({}));
        let case = office.lawsuit(&[id], json!({}));
        let against = office.lawsuit(&[client], json!({ "opposing_parties": name }));
        for text in texts {
            let customers = linked_records(&part(&visitor, "/customers", text));
            assert_eq!(customers.first(), Some(&format!("customers/{id}")), "{name}, {text}");
            let cases = linked_records(&part(&visitor, "/lawsuits", text));
            for case in [case, against] {
                assert!(cases.contains(&format!("lawsuits/{case}")), "{name}, {text}: {cases:?}");
            }
        }
    }
    assert!(linked_records(&part(&visitor, "/customers", "Ottoni")).is_empty());
}
