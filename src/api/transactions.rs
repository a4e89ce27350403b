//! Transactions (resources 16).

mod actions;
mod consistency;
mod initial_values;
mod payment;
mod payment_plan;
mod refund;
mod sums;
mod tabs;

use super::changes::members::PastValue;
use super::console_pages::{
    self, Action, Button, Column, InPages, InitialValues, NamedRecords, NewRecord, Presentation, Pressed,
    SeveralHandler, Stage, Status, Sums, Tab, View,
};
use super::record::{
    Changeable, MadeOut, WrittenOut, check, edit, present, refuse_taken_external_id, update,
};
use crate::domain::id::Id;
use crate::domain::{Bilingual, Day, Invalid, Lang, PaymentPlan, is_digits, repetition};
use crate::http::json::form::Fields;
use crate::http::json::list_filter::refuse_hidden;
use crate::http::json::request_body::{Edit, New, ensure_valid};
use crate::http::requests::route::MaxPageSize;
use crate::http::{
    Call, Create, CreateBody, CreatedRecord, Draft, Existing, IfMatch, InAnswers, Listed, Problem, Query,
    Search, Update, Write,
};
use crate::records::{Record, Transaction, TransactionId, Type};
use crate::store::nouns::transactions;
use crate::store::nouns::transactions::series;
use crate::store::{Db, StoreResult};

use consistency::{DependentMembers, completed};
pub use payment::{PAYING, Payment, pay};
pub use payment_plan::{NewTransactions, TransactionsMade};
use sums::SumsOut;
pub use sums::WithSums;

/// Maximum page sizes of transaction lists.
pub const MAX_PAGE_SIZE: MaxPageSize = MaxPageSize { document: 1000, live: 1000 };

/// Explains GET /transactions in the API description.
pub const SEARCHING: Bilingual = (
    "Sem filtros: todos. Com `sums=true` a resposta traz também `sums`: a soma de tudo o que foi encontrado, \
     qualquer que seja a página, por receita e despesa, pago e não pago.",
    "Without filters, all transactions. With `sums=true`, the response also has `sums`: the totals of all \
     matching transactions, whatever the page, by income and expense, paid and unpaid.",
);

/// Explains POST /transactions in the API description.
pub const CREATING: Bilingual = (
    "Os ids de pessoa, categoria, centro de custo, conta e setor vêm de `GET /settings`. A categoria tem de ser do \
     mesmo tipo: `CRÉDITO` para `income`, `DÉBITO` para `expense`. Com `lawsuits_id` e sem `customers_id`, o cliente \
     é o do processo, desde que seja um só. Parcelas iguais existem: um lançamento de mesmo valor, dia, categoria, \
     cliente e conta é cadastrado, e `possible_duplicates` indica os outros.\n\nCom `installments`, `amount` é o valor \
     total e a requisição cria um lançamento por mês, todos juntos: a soma é exata, os centavos que sobram ficam na \
     primeira parcela, o dia da primeira vale onde o mês o tem, a competência acompanha, a descrição recebe `1/12`, e só \
     a primeira recebe `date_payment` e `external_ids`. Com `recurrence`, o lançamento se repete todo mês até \
     `recurrent_until`, ou até que `is_recurrent` de um deles passe a `false`; o servidor mantém criado sempre o do mês \
     que vem, com os dados do mais novo. `is_recurrent` sozinho fica como informado. A resposta traz `transactions_ids`.",
    "The ids of user, category, cost center, account and department come from `GET /settings`. The category \
     must be of the same type: `CRÉDITO` for `income`, `DÉBITO` for `expense`. With `lawsuits_id` and without \
     `customers_id`, the customer is the lawsuit's, if it has exactly one. Equal instalments do occur: a \
     transaction with the same amount, day, category, customer and account is created, and \
     `possible_duplicates` lists the others.\n\nWith `installments`, `amount` is the total, and the request \
     creates one transaction a month, all of them together. Their sum is exact, and the first one includes the \
     centavos that are left over. All are due on the same day of the month, if the month has that day. The \
     month that each counts for moves along, and the description gets a number such as `1/12`. Only the first \
     one gets `date_payment` and `external_ids`.\n\nWith `recurrence`, the transaction repeats every month \
     until `recurrent_until`, or until `is_recurrent` of one of them is set to `false`. The server always \
     creates the one for next month in advance, with the values of the newest one. `is_recurrent` alone is \
     stored as given. The response has `transactions_ids`.",
);

/// Explains PUT /transactions/{id} in the API description.
pub const CHANGING: Bilingual = (
    "Só mudam os campos informados; `null` ou `\"\"` esvazia um opcional: `date_payment` vazio desfaz o pagamento, \
     `competence` vazio é o mês do vencimento. `is_recurrent` com `false` encerra a repetição a que o lançamento \
     pertence. Com `If-Match`, nada que outra pessoa alterou nesse meio-tempo é sobrescrito.",
    "Changes only the members in the body. `null` or `\"\"` clears an optional member. An empty `date_payment` \
     makes the transaction unpaid, and an empty `competence` becomes the month in which it is due. \
     `is_recurrent` set to `false` ends the repetition that the transaction belongs to. With `If-Match`, \
     changes that others made in the meantime are not overwritten.",
);

/// Lists the transactions that match, with their sums if the query asks for them (resources 16.2).
pub fn search(
    call: &Call<'_>,
    query: Query<Search<Transaction>>,
) -> Result<Listed<Transaction, WithSums>, Problem> {
    let (search, request) = query.into_valid()?;
    refuse_hidden(Transaction::TABLE, &search.filter, &call.viewer())?;
    let page = request.page.in_order(search.order);
    let groups = if search.sums { SumsOut::groups() } else { Vec::new() };
    let index = call.app().index();
    let table = Transaction::TABLE;
    let (found, sums) =
        index.find_and_sum(call.db(), table, &search.filter, (page, None), ("amount", &groups))?;
    Ok(Listed::read(call, found, request)?.and(WithSums { sums: SumsOut::of(&sums) }))
}

/// Creates one transaction, or all instalments of one (resources 16.3, day 38).
pub fn create(call: &Call<'_>, new: New<NewTransactions>) -> Result<Create<TransactionsMade>, Problem> {
    let New { body, mut wrong } = new;
    let plan = body.plan(&mut wrong);
    create_planned(call, New { body: body.draft, wrong }, plan)
}

impl CreateBody for NewTransactions {
    type Record = Transaction;

    fn draft(&mut self) -> &mut Draft<Transaction> {
        &mut self.draft
    }

    fn into_draft(self) -> Draft<Transaction> {
        self.draft
    }

    fn check(&self, existing: Existing, wrong: &mut Invalid) {
        if existing != Existing::Keep {
            self.refuse_plan(wrong);
        }
    }

    fn create(call: &Call<'_>, new: New<NewTransactions>) -> Result<Write<CreatedRecord>, Problem> {
        Ok(create(call, new)?.map(|made| NewRecord::from(made).into()))
    }
}

/// Creates the transactions of a plan that starts with the given one.
pub fn create_planned(
    call: &Call<'_>,
    new: New<Draft<Transaction>>,
    plan: PaymentPlan,
) -> Result<Create<TransactionsMade>, Problem> {
    let New { mut body, mut wrong } = new;
    payment_plan::check(&plan, &mut body, call.app().today(), &mut wrong);
    check(call, &mut body, None, &mut wrong)?;
    refund::fill_in(call.db(), &mut body, None, &mut wrong)?;
    DependentMembers::of(&body, None).check(call.db(), &mut wrong)?;
    ensure_valid(wrong)?;
    let transaction = body.build()?;
    let today = call.app().today();
    let now = call.app().now();
    Ok(Create::new(move |tx| {
        let transaction = completed(tx, transaction, None)?;
        refuse_taken_external_id(*tx, &transaction, None)?;
        let all = payment_plan::planned(&plan, transaction)?;
        let duplicates = all.first().map_or(Ok(Vec::new()), |first| transactions::equal(*tx, first))?;
        let ids = payment_plan::store(tx, &plan, &all, (today, now))?;
        let first = ids.first().copied().ok_or_else(|| Problem::internal("a plan without a transaction"))?;
        let is_alone = plan == PaymentPlan::Once;
        Ok(TransactionsMade {
            first: MadeOut {
                possible_duplicates: duplicates.into_iter().map(Id::get).collect(),
                ..first.into()
            },
            transactions_ids: ids.into_iter().map(Id::get).filter(|_| !is_alone).collect(),
        })
    }))
}

/// Creates the transactions of a plan from a form.
fn create_typed(
    call: &Call<'_>,
    fields: &Fields,
    plan: Result<PaymentPlan, Invalid>,
) -> Result<Write<NewRecord>, Problem> {
    let New { body, mut wrong } = New::typed(fields, call.app().zone());
    let plan = plan.unwrap_or_else(|invalid| {
        wrong.merge(invalid);
        PaymentPlan::Once
    });
    Ok(create_planned(call, New { body, wrong }, plan)?.map(NewRecord::from))
}

impl Changeable for Transaction {
    type Changed = WrittenOut<Transaction>;

    fn changed(_: Db<'_>, id: TransactionId) -> Result<WrittenOut<Transaction>, Problem> {
        Ok(id.into())
    }

    fn ensure_restorable(&self, db: Db<'_>, id: TransactionId) -> Result<(), Problem> {
        payment::ensure_owed(db, id)?;
        refund::ensure(db, self, id)
    }
}

impl InPages for Transaction {
    type Made = TransactionsMade;
    const PRESENTATION: Presentation = Presentation {
        new: ("Novo lançamento", "New transaction"),
        duplicates: (
            "Já há outros iguais; confira se não é o mesmo lançamento:",
            "There are others like it. Check that this is not the same transaction:",
        ),
        placeholder: ("Descrição, cliente ou número do processo", "Description, customer or case number"),
        meanings,
        heading: |transaction, _| what(transaction),
        columns: &[
            Column::Made(("Descrição", "Description"), Type::Name, |transaction, _| what(transaction)),
            Column::Of("name"),
            Column::Of("category"),
            Column::Of("date_due"),
            Column::Of("date_payment"),
            Column::Status(status),
            Column::Of("entry_type"),
            Column::Of("amount"),
        ],
    };

    const FACTS: &'static [Column] = &[Column::As("repeats", repeats)];
    const IN_ROWS: &'static [&'static str] = &["pay"];
    const ACTIONS: &'static [Action] = actions::ACTIONS;
    const TOGETHER: &'static [&'static [&'static str]] = &[payment::COLUMNS];
    const SEVERAL: Option<SeveralHandler> = Some(create_typed);
    const TABS: &'static [Tab] = tabs::TABS;
    const PERIOD: Option<&'static str> = Some("date");
    const SUMS: Option<Sums> = Some(Sums { column: "amount", groups: sums::by_status });

    /// Creates a transaction (resources 16.3).
    fn create(call: &Call<'_>, new: New<Draft<Transaction>>) -> Result<Create<TransactionsMade>, Problem> {
        create_planned(call, new, PaymentPlan::Once)
    }

    /// Changes some members of a transaction (resources 16.4).
    fn change(
        call: &Call<'_>,
        id: TransactionId,
        body: Edit<Draft<Transaction>>,
        if_match: IfMatch,
    ) -> Result<Update<WrittenOut<Transaction>>, Problem> {
        let (mut draft, standing, mut wrong) = edit(call, id, body)?;
        refund::fill_in(call.db(), &mut draft, Some(&standing), &mut wrong)?;
        DependentMembers::of(&draft, Some(&standing)).check(call.db(), &mut wrong)?;
        ensure_valid(wrong)?;
        let now = call.app().now();
        Ok(update(call, id, if_match, move |tx, standing| {
            let changed = completed(tx, payment::reopened(draft, standing)?, Some(id))?;
            payment::note_debt(tx, id, standing, &changed)?;
            let owner = (changed.customer_id, changed.lawsuit_id);
            if owner != (standing.customer_id, standing.lawsuit_id) {
                transactions::move_refunds(tx, id, owner, now)?;
            }
            if standing.is_recurrent && !changed.is_recurrent {
                series::end(tx, id, now)?;
            }
            Ok(changed)
        }))
    }

    fn put_back(
        call: &Call<'_>,
        id: TransactionId,
        past: Vec<PastValue>,
        fields: &Fields,
    ) -> Result<Write<()>, Problem> {
        let (payment, others): (Vec<_>, Vec<_>) =
            past.into_iter().partition(|value| payment::COLUMNS.contains(&value.field.column));
        let is_other =
            |(member, _): &&(&'static str, String)| others.iter().any(|value| value.field.member == *member);
        let others = fields.iter().filter(is_other).cloned().collect::<Vec<_>>();
        let others = console_pages::change_any(call, id, &others)?;
        let now = call.app().now();
        Ok(Box::new(move |tx| {
            payment::put_back(tx, id, &payment, now)?;
            others(tx)
        }))
    }

    fn buttons(transaction: &View, _: Day) -> Vec<Button> {
        let pay = Button { action: "pay", who: None, label: ("Marcar como pago", "Mark as paid") };
        let unpay =
            Button { action: "unpay", who: None, label: ("Marcar como não pago", "Mark as not paid") };
        let end =
            Button { action: "end", who: None, label: ("Encerrar a repetição", "End the repetition") };
        let is_paid = transaction.value("date_payment").day().is_some();
        let repeats = !transaction.text("repeats").is_empty();
        [if is_paid { unpay } else { pay }].into_iter().chain(repeats.then_some(end)).collect()
    }

    fn act(
        call: &Call<'_>,
        id: TransactionId,
        Pressed { action, amount, .. }: &Pressed,
    ) -> Result<Write<()>, Problem> {
        let field = match action.as_str() {
            "pay" => ("date_payment", call.app().today().iso()),
            "unpay" => ("date_payment", String::new()),
            "end" => return Ok(end_repetition(call, id)),
            _ => return Err(Problem::no_route()),
        };
        let write = console_pages::change(call, id, &[field], IfMatch::default())?;
        let shown = *amount;
        Ok(Box::new(move |tx| {
            let standing: Transaction = present(*tx, id)?;
            let now = (standing.amount.money().centavos(), standing.date_payment);
            match shown {
                Some(amount) if now != (amount, None) => Err(Problem::changed_meanwhile()),
                _ => write(tx),
            }
        }))
    }

    fn initial_values(db: Db<'_>, named_record: NamedRecords<'_>, today: Day) -> StoreResult<InitialValues> {
        match named_record("refund_of") {
            Some(income) => refund::initial_values(db, TransactionId::from_stored(income), today),
            None => initial_values::initial_values(db, named_record),
        }
    }
}

/// Returns "paid", or the urgency of the payment.
fn status(transaction: &View, today: Day) -> Status {
    let (word, stage) = match transaction.value("date_due").day() {
        _ if transaction.value("date_payment").day().is_some() => (("Pago", "Paid"), Stage::Done),
        Some(due) if due < today => (("Vencido", "Overdue"), Stage::Late),
        Some(due) if due == today => (("Vence hoje", "Due today"), Stage::Due),
        _ => (("A vencer", "Not due yet"), Stage::Open),
    };
    Status { word, stage }
}

/// Describes a monthly repetition and its end. Empty if the transaction does not repeat.
fn repeats(transaction: &View, lang: Lang) -> String {
    match transaction.text("repeats") {
        "" => String::new(),
        until => repetition(until, lang),
    }
}

fn end_repetition(call: &Call<'_>, id: TransactionId) -> Write<()> {
    let now = call.app().now();
    Box::new(move |tx| Ok(series::end(tx, id, now)?))
}

/// Guesses the members that a search text is meant for, likeliest first. Digits mean a lawsuit or a customer first.
fn meanings(text: &str) -> Vec<&'static str> {
    let has_digits = text.chars().any(|c| c.is_ascii_digit());
    match has_digits && text.chars().all(|c| c.is_ascii_digit() || " .-/".contains(c)) {
        true => vec!["process_number", "identification", "protocol_number", "description"],
        false => vec!["description", "name"],
    }
}

/// Returns the description of a transaction, or its category. If the description is only an instalment number
/// such as `1/12`, the category precedes it.
fn what(transaction: &View) -> String {
    let [description, category] = ["description", "category"].map(|column| transaction.text(column));
    let own = payment::without_rest(description);
    let is_number = own.split_once('/').is_some_and(|(number, of)| is_digits(number) && is_digits(of));
    match own.is_empty() || is_number {
        true => [category, description].join(" ").trim_end().to_owned(),
        false => description.to_owned(),
    }
}

impl InAnswers for Transaction {}
