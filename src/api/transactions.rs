//! Transactions: resources 16.

use schemars::JsonSchema;
use serde::Serialize;

use super::pages::{self, Action, Button, Column, InPages, Presentation, Pressed, Stage, Status, Sums, View};
use super::record::{Changeable, MadeOut, WrittenOut, check, edit, refuse_taken, update};
use crate::domain::id::Id;
use crate::domain::{Bilingual, Day, EntryType, Flow, Invalid, Reason, Sum, YearMonth};
use crate::http::input::{Edit, New, PathId, ensure_valid};
use crate::http::route::Largest;
use crate::http::wire::Shown;
use crate::http::{Call, Create, Draft, IfMatch, InAnswers, Listed, Problem, Query, Search, Update, Write};
use crate::index::{Condition, Filter};
use crate::records::{
    BankId, Category, CategoryId, CustomerId, FieldType, LawsuitId, Record, Transaction, TransactionId, Type,
    Value,
};
use crate::store::{Db, Tx, records, transactions};

/// The pages of transactions.
pub const PAGE: Largest = Largest { document: 1000, live: 1000 };

/// What callers should know of GET /transactions.
pub const SEARCHING: Bilingual = (
    "Sem filtros: todos. Com `sums=true` a resposta traz também `sums`: a soma de tudo o que foi encontrado, \
     qualquer que seja a página, por receita e despesa, pago e não pago.",
    "Without filters: all of them. With `sums=true` the answer also has `sums`: what everything that matches comes \
     to, whatever the page, by income and expense, paid and unpaid.",
);

/// What callers should know of POST /transactions.
pub const CREATING: Bilingual = (
    "Os ids de pessoa, categoria, centro de custo, conta e setor vêm de `GET /settings`. A categoria tem de ser do \
     mesmo tipo: `CRÉDITO` para `income`, `DÉBITO` para `expense`. Com `lawsuits_id` e sem `customers_id`, o cliente \
     é o do processo, desde que seja um só. Parcelas iguais existem: um lançamento de mesmo valor, dia, categoria, \
     cliente e conta é cadastrado, e `possible_duplicates` indica os outros.",
    "The ids of user, category, cost center, account and department come from `GET /settings`. The category has to \
     be of the same type: `CRÉDITO` for `income`, `DÉBITO` for `expense`. With `lawsuits_id` and without \
     `customers_id`, the customer is the lawsuit's, where it has exactly one. Equal instalments are real: a \
     transaction of the same amount, day, category, customer and account is created, and `possible_duplicates` names \
     the others.",
);

/// What callers should know of PUT /transactions/{id}.
pub const CHANGING: Bilingual = (
    "Só mudam os campos informados; `null` ou `\"\"` esvazia um opcional: `date_payment` vazio desfaz o pagamento, \
     `competence` vazio é o mês do vencimento. Com `If-Match`, nada que outra pessoa alterou nesse meio-tempo é \
     sobrescrito.",
    "Only the members that are named change; `null` or `\"\"` empties an optional one: an empty `date_payment` makes \
     it unpaid, an empty `competence` is the month in which it is due. With `If-Match` nobody's change in between is \
     overwritten.",
);

/// The transactions that match, and with `sums` what they come to: resources 16.2.
pub fn search(
    call: &Call<'_>,
    query: Query<Search<Transaction>>,
) -> Result<Listed<Transaction, WithSums>, Problem> {
    let (search, request) = query.into_valid()?;
    let page = request.page.in_order(search.order);
    let groups = if search.sums { SumsOut::groups() } else { Vec::new() };
    let (index, table) = (call.app().index(), Transaction::TABLE);
    let (found, sums) =
        index.find_and_sum(call.db(), table, &search.filter, (page, None), ("amount", &groups))?;
    Ok(Listed::read(call, found, request)?.and(WithSums { sums: SumsOut::of(&sums) }))
}

/// What a list of transactions has besides.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "O que uma lista de lançamentos traz a mais."))]
pub struct WithSums {
    /// What everything that matches comes to; absent unless `sums` asks for it.
    #[schemars(extend("x-pt" = "A soma de tudo o que foi encontrado; só aparece se `sums` a pede."))]
    #[serde(skip_serializing_if = "Option::is_none")]
    sums: Option<SumsOut>,
}

/// Exact sums, in reais.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Somas exatas, em reais."), rename = "Sums")]
struct SumsOut {
    /// What comes in.
    #[schemars(extend("x-pt" = "O que entra."))]
    income: PaidAndUnpaid,
    /// What goes out.
    #[schemars(extend("x-pt" = "O que sai."))]
    expense: PaidAndUnpaid,
}

/// What was paid, and what was not.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "O que foi pago e o que não foi."))]
struct PaidAndUnpaid {
    /// Of those that were paid.
    #[schemars(extend("x-pt" = "Dos que foram pagos."), example = 0.0)]
    paid: Shown<Sum>,
    /// Of those that were not.
    #[schemars(extend("x-pt" = "Dos que não foram."), example = 1500.5)]
    unpaid: Shown<Sum>,
}

impl SumsOut {
    /// The groups that are added up, in the order of the members.
    fn groups() -> Vec<Filter> {
        let of = |word: &'static str| {
            [false, true].map(|unpaid| {
                let filter = Filter::default().with("entry_type", Condition::Value(Value::Text(word.into())));
                filter.with("date_payment", Condition::IsAbsent(unpaid))
            })
        };
        EntryType::WORDS.into_iter().flat_map(of).collect()
    }

    /// The sums of the groups; none where none were asked for.
    fn of(sums: &[Sum]) -> Option<SumsOut> {
        let [paid_in, unpaid_in, paid_out, unpaid_out] = *sums else { return None };
        let pair = |paid, unpaid| PaidAndUnpaid { paid: Shown(paid), unpaid: Shown(unpaid) };
        Some(SumsOut { income: pair(paid_in, unpaid_in), expense: pair(paid_out, unpaid_out) })
    }
}

impl Changeable for Transaction {
    type Changed = WrittenOut<Transaction>;

    fn changed(_: Db<'_>, id: TransactionId) -> Result<WrittenOut<Transaction>, Problem> {
        Ok(WrittenOut(id))
    }
}

impl InPages for Transaction {
    type Made = MadeOut<Transaction>;
    const PRESENTATION: Presentation = Presentation {
        new: ("Novo lançamento", "New transaction"),
        alike: (
            "Já há outros iguais; confira se não é o mesmo lançamento:",
            "There are others like it; see that it is not the same transaction:",
        ),
        placeholder: ("Descrição, cliente ou número do processo", "Description, customer or case number"),
        meanings,
        heading: |transaction, _| what(transaction).to_owned(),
        columns: &[
            Column::Made(("Descrição", "Description"), Type::Name, |transaction, _| {
                what(transaction).to_owned()
            }),
            Column::Of("name"),
            Column::Of("category"),
            Column::Of("date_due"),
            Column::Status(status),
            Column::Of("entry_type"),
            Column::Of("amount"),
        ],
    };

    const IN_ROWS: &'static [&'static str] = &["pay"];
    const ACTIONS: &'static [Action] = &[
        Action { name: "pay", done: ("Marcado como pago hoje.", "Marked as paid today.") },
        Action { name: "unpay", done: ("Marcado como não pago.", "Marked as not paid.") },
    ];
    const SUMS: Option<Sums> = Some(Sums { column: "amount", groups: SumsOut::groups });

    /// A new transaction: resources 16.3.
    fn create(
        call: &Call<'_>,
        new: New<Draft<Transaction>>,
    ) -> Result<Create<MadeOut<Transaction>>, Problem> {
        let New { mut body, mut wrong } = new;
        check(call, &mut body, None, &mut wrong)?;
        Together::of(&body, None).check(call.db(), &mut wrong)?;
        ensure_valid(wrong)?;
        let (transaction, now) = (body.build()?, call.app().now());
        Ok(Create::new(move |tx| {
            let transaction = completed(tx, transaction)?;
            refuse_taken(tx, &transaction, None)?;
            let possible_duplicates =
                transactions::alike(*tx, &transaction)?.into_iter().map(Id::get).collect();
            Ok(MadeOut { id: records::insert(tx, &transaction, now)?, possible_duplicates })
        }))
    }

    /// A change of some members of a transaction: resources 16.4.
    fn change(
        call: &Call<'_>,
        PathId(id): PathId<Transaction>,
        body: Edit<Draft<Transaction>>,
        if_match: IfMatch,
    ) -> Result<Update<WrittenOut<Transaction>>, Problem> {
        let (draft, standing, mut wrong) = edit(call, id, body)?;
        Together::of(&draft, Some(&standing)).check(call.db(), &mut wrong)?;
        ensure_valid(wrong)?;
        Ok(update(call, id, if_match, move |tx, standing| completed(tx, draft.change(standing)?)))
    }

    fn buttons(transaction: &View, _: Day) -> Vec<Button> {
        let pay = Button { action: "pay", who: None, label: ("Marcar como pago", "Mark as paid") };
        let unpay =
            Button { action: "unpay", who: None, label: ("Marcar como não pago", "Mark as not paid") };
        vec![if transaction.value("date_payment").day().is_none() { pay } else { unpay }]
    }

    fn act(call: &Call<'_>, Pressed { action, .. }: &Pressed) -> Result<Write<()>, Problem> {
        let paid = match action.as_str() {
            "pay" => call.app().today().iso(),
            "unpay" => String::new(),
            _ => return Err(Problem::no_route()),
        };
        pages::change::<Transaction>(call, &[("date_payment", paid)])
    }
}

/// Whether it was paid, and where it was not, whether it should have been.
fn status(transaction: &View, today: Day) -> Status {
    let (word, stage) = match transaction.value("date_due").day() {
        _ if transaction.value("date_payment").day().is_some() => (("Pago", "Paid"), Stage::Done),
        Some(due) if due < today => (("Vencido", "Overdue"), Stage::Late),
        Some(due) if due == today => (("Vence hoje", "Due today"), Stage::Due),
        _ => (("A vencer", "Not due yet"), Stage::Open),
    };
    Status { word, stage }
}

/// A number is a lawsuit's or a customer's.
fn meanings(text: &str) -> Vec<&'static str> {
    let has_digits = text.chars().any(|c| c.is_ascii_digit());
    match has_digits && text.chars().all(|c| c.is_ascii_digit() || " .-/".contains(c)) {
        true => vec!["process_number", "identification", "protocol_number", "description"],
        false => vec!["description", "name"],
    }
}

/// What a transaction is for.
fn what(transaction: &View) -> &str {
    let [description, category] = ["description", "category"].map(|column| transaction.text(column));
    if description.is_empty() { category } else { description }
}

/// The transaction with what follows from its other members, which are looked at once more: the record may have been changed
/// since, and the lawsuit too.
fn completed(tx: Tx<'_>, mut transaction: Transaction) -> Result<Transaction, Problem> {
    let mut wrong = Invalid::new();
    Together {
        entry_type: Some(transaction.entry_type),
        category: Some(transaction.category_id),
        accounts: (Some(transaction.debit_account), transaction.credit_account),
        lawsuit: transaction.lawsuit_id,
        customer: transaction.customer_id,
    }
    .check(*tx, &mut wrong)?;
    ensure_valid(wrong)?;
    if let (Some(lawsuit), None) = (transaction.lawsuit_id, transaction.customer_id) {
        transaction.customer_id = transactions::only_customer(*tx, lawsuit)?;
    }
    transaction.competence.get_or_insert(YearMonth::of(transaction.date_due));
    Ok(transaction)
}

/// The members that have to fit together, as far as they are known.
struct Together {
    entry_type: Option<EntryType>,
    category: Option<CategoryId>,
    accounts: (Option<BankId>, Option<BankId>),
    lawsuit: Option<LawsuitId>,
    customer: Option<CustomerId>,
}

impl Together {
    /// As they will be after what the draft says.
    fn of(draft: &Draft<Transaction>, standing: Option<&Transaction>) -> Together {
        fn value<T: FieldType>(
            draft: &Draft<Transaction>,
            standing: Option<&Transaction>,
            column: &str,
        ) -> Option<T> {
            T::from_value(draft.value_over(standing, column))
        }
        Together {
            entry_type: value(draft, standing, "entry_type"),
            category: value(draft, standing, "category_id"),
            accounts: (value(draft, standing, "debit_account"), value(draft, standing, "credit_account")),
            lawsuit: value(draft, standing, "lawsuit_id"),
            customer: value(draft, standing, "customer_id"),
        }
    }

    /// Adds what is wrong with them beside each other. What is wrong by itself was said before.
    fn check(&self, db: Db<'_>, wrong: &mut Invalid) -> Result<(), Problem> {
        if let (Some(EntryType(flow)), Some(category)) = (self.entry_type, self.category)
            && flow_of(db, category)?.is_some_and(|own| own != flow)
        {
            wrong.add("categories_id", Reason::OtherFlow);
        }
        if let (Some(debit), Some(credit)) = self.accounts
            && debit == credit
        {
            wrong.add("credit_account", Reason::SameAccount);
        }
        if let (Some(lawsuit), None) = (self.lawsuit, self.customer)
            && !wrong
                .iter()
                .any(|(member, _)| ["customers_id", "customer_id", "lawsuits_id"].contains(&member))
            && transactions::only_customer(db, lawsuit)?.is_none()
        {
            wrong.add("customers_id", Reason::NoOnlyCustomer);
        }
        Ok(())
    }
}

/// Which way money of a category goes; none where there is no such category.
fn flow_of(db: Db<'_>, category: CategoryId) -> Result<Option<Flow>, Problem> {
    Ok(records::by_id::<Category>(db, category)?.map(|category| category.flow))
}

impl InAnswers for Transaction {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_stand_in_the_order_of_their_groups() {
        let sums = [1, 2, 3, 4].map(Sum::from_centavos);
        assert_eq!(SumsOut::groups().len(), sums.len());
        let json = serde_json::to_string(&WithSums { sums: SumsOut::of(&sums) }).unwrap();
        let shown =
            r#"{"sums":{"income":{"paid":0.01,"unpaid":0.02},"expense":{"paid":0.03,"unpaid":0.04}}}"#;
        assert_eq!(json, shown);
        assert_eq!(serde_json::to_string(&WithSums { sums: SumsOut::of(&[]) }).unwrap(), "{}");
    }
}
