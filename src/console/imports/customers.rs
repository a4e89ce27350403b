//! The choice of what the unknown customers in a sheet mean: one who is similar, another one, or a new one (office 59).

use std::collections::BTreeMap;

use crate::console::imports::import_jobs::PendingState;
use crate::console::layout::choices::Choices;
use crate::console::prelude::*;
use crate::domain::{NameWords, Threshold};
use crate::index::Index;
use crate::records::Customer;
use crate::transfer::{NameMeaning, NameReport};

/// Unknown names for which similar customers are looked for, and how many of each.
const MAX_UNKNOWN_NAMES: usize = 100;
const MAX_SIMILAR_CUSTOMERS: usize = 5;

/// The name of all unknown customers, as in `--name`, and the meaning of a name that is to be created.
pub(super) const ALL: &str = "customers:*";
pub(super) const CREATE: &str = "+";

/// Form value of a name whose meaning is not decided yet.
pub(super) const UNDECIDED: &str = "?";

/// What the user can choose for names: the entries of the lists, and customers similar to unknown ones, by name.
pub(super) struct ImportChoices {
    pub lists: Choices,
    customers: BTreeMap<String, Vec<View>>,
}

/// Returns `true` if a name is in a column of customers.
pub(super) fn is_customer(name: &NameReport) -> bool {
    name.list == Customer::TABLE.name
}

impl ImportChoices {
    /// Reads the entries of the lists and, for unknown customers of the last preview, who is similar.
    pub async fn read(stage: &PendingState, visit: &Visit) -> Result<ImportChoices> {
        let names = stage.preview.iter().flat_map(|report| &report.names).filter(|name| is_customer(name));
        let names: Vec<_> = names.take(MAX_UNKNOWN_NAMES).map(|name| name.name.clone()).collect();
        let read = move |index: &Index, db: Db<'_>| {
            let mut customers = BTreeMap::new();
            for name in names {
                let words = NameWords::parse(&name);
                let found =
                    index.similar_customers(db, &words, None, Threshold::default(), MAX_SIMILAR_CUSTOMERS)?;
                let ids: Vec<u32> = found.into_iter().map(|(id, _)| id).collect();
                customers.insert(name, View::read(db, Customer::TABLE, &ids)?);
            }
            Ok(customers)
        };
        Ok(ImportChoices { lists: Choices::read(visit).await?, customers: visit.list(read).await? })
    }
}

/// Renders the unknown customers with their numbers in the form.
pub(super) fn render(
    names: &[(usize, &NameReport)],
    stage: &PendingState,
    choices: &ImportChoices,
    visit: &Visit,
) -> Markup {
    let creates_all = stage.request.names.iter().any(|(name, meant)| name == ALL && meant == CREATE);
    html! {
        fieldset #customers {
            legend { (visit.pick("Clientes que ainda não existem", "Customers that do not exist yet")) }
            p.quiet { (visit.pick(
                "Diga de cada um quem é, ou crie-o. Um cliente novo fica com o nome e, se a linha o tem, o CPF ou CNPJ.",
                "Choose who each is, or create it. A new customer gets the name and, if the row has it, the CPF or CNPJ.",
            )) }
            div.field {
                label { input type="checkbox" name="create-customers" value="yes" checked[creates_all]; " " (visit.pick("Criar todos os que não têm escolha", "Create all without a choice")) }
            }
            div.fields { @for (number, name) in names { (choice(*number, name, stage, choices, visit)) } }
        }
    }
}

fn choice(
    number: usize,
    name: &NameReport,
    stage: &PendingState,
    choices: &ImportChoices,
    visit: &Visit,
) -> Markup {
    let id = format!("f-n-{number}");
    let key = [&name.list, ":", &name.name].concat();
    let chosen_before =
        stage.request.names.iter().find(|(own, _)| *own == key).map(|(_, meant)| meant.as_str());
    let chosen = chosen_before.unwrap_or(UNDECIDED);
    let similar = choices.customers.get(&name.name).map(Vec::as_slice).unwrap_or_default();
    let is_offered =
        [UNDECIDED, CREATE].contains(&chosen) || similar.iter().any(|own| own.id.to_string() == chosen);
    html! {
        div.field {
            label for=(id) { (name.name) " " span.quiet { "(" (count(name.cells, visit.lang)) ")" } }
            input type="hidden" name={ "n-" (number) } value=(key);
            select id=(id) name={ "v-" (number) } {
                option value=(UNDECIDED) selected[chosen == UNDECIDED || !is_offered] { (visit.pick("Escolha…", "Choose…")) }
                option value=(CREATE) selected[chosen == CREATE] { (visit.pick("criar", "create")) }
                @if !similar.is_empty() {
                    optgroup label=(visit.pick("é este:", "it is:")) {
                        @for own in similar {
                            option value=(own.id) selected[own.id.to_string() == chosen] {
                                (own.text("name")) @if !own.text("identification").is_empty() { " · " (own.text("identification")) } " · " (numbered(&own.id.to_string(), visit.lang))
                            }
                        }
                    }
                }
            }
            input type="text" name={ "o-" (number) } value=(if is_offered { "" } else { chosen })
                aria-label={ (visit.pick("Outro cliente em lugar de ", "Another customer for ")) (name.name) }
                placeholder=(visit.pick("ou outro: nome ou CPF", "or another: name or CPF"));
            @if name.is == NameMeaning::Created && chosen == UNDECIDED { p.hint.quiet { (visit.pick("Será criado.", "Will be created.")) } }
        }
    }
}
