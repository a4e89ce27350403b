//! Invented transactions: fees and costs of lawsuits, and expenses of the office itself.

use super::random::Rng;
use super::{Office, lawsuits, today};
use crate::domain::{Amount, Day, EntryType, ExternalIds, Flow, Line, Money, YearMonth};
use crate::records::{CategoryId, Transaction};

/// Makes the transaction of `row`, created on `day`. Returns `None` only if a constant table is wrong.
pub(super) fn transaction(office: &Office, row: u32, day: Day) -> Option<Transaction> {
    let chance = &mut Rng::of(office.seed, 4, row);
    let flow = if chance.percent(60) { Flow::Credit } else { Flow::Debit };
    // Income belongs to lawsuits. Half of the expenses are the office's own.
    let lawsuit = match flow == Flow::Credit || chance.percent(50) {
        true => lawsuits::there(office, row, office.plan.transactions, chance),
        false => None,
    };
    let customer =
        lawsuit.and_then(|lawsuit| lawsuits::numbered(office, lawsuit)?.customers.first().copied());
    let due = Day::from_number(day.number() + chance.within(0, 60) as i32)?;
    let paid = Day::from_number(due.number() + chance.below(20) as i32 - 8)?;
    let is_past = paid.number() < today();
    let instalments = chance.within(1, 12);
    Some(Transaction {
        entry_type: EntryType(flow),
        date_due: due,
        date_payment: chance.often(85, |_| Some(paid)).filter(|_| is_past),
        competence: Some(YearMonth::of(due)),
        amount: amount(flow, chance)?,
        description: chance.often(80, |chance| {
            let what = chance.one_of(match flow {
                Flow::Credit => &["Honorários contratuais", "Honorários de êxito", "Consulta", "Acordo"],
                Flow::Debit => &["Custas iniciais", "Diligência do oficial", "Cópias", "Perícia", "Aluguel"],
            });
            let part = chance.within(1, instalments);
            Line::parse(&format!("{what}, {part}ª parcela de {instalments}")).ok()
        }),
        lawsuit_id: lawsuit.filter(|_| customer.is_some()),
        is_internal: true,
        is_recurrent: instalments == 12,
        user_id: chance.pick(&office.users)?,
        category_id: category(office, flow, chance)?,
        cost_center_id: chance.pick(&office.cost_centers)?,
        debit_account: chance.pick(&office.banks)?,
        credit_account: None,
        department_id: chance.often(60, |chance| chance.pick(&office.departments)),
        customer_id: customer,
        discount: Money::default(),
        interest: Money::default(),
        rest_of: None,
        refund_of: None,
        external_ids: ExternalIds::default(),
    })
}

fn category(office: &Office, flow: Flow, chance: &mut Rng) -> Option<CategoryId> {
    let of_flow = office.categories.iter().filter(|(_, own)| *own == flow).map(|(id, _)| *id);
    chance.pick(&of_flow.collect::<Vec<_>>())
}

/// Fees range from some hundred to some ten thousand reais, most of them round. Costs are lower and exact to
/// the centavo.
fn amount(flow: Flow, chance: &mut Rng) -> Option<Amount> {
    let (reais, odd) = match flow {
        Flow::Credit => (chance.within(2, 60) * 10_u32.pow(chance.within(2, 3)), 20),
        Flow::Debit => (chance.within(5, 900), 80),
    };
    let centavos = if chance.percent(odd) { chance.below(100) } else { 0 };
    Amount::new(Money::from_centavos(i64::from(reais) * 100 + i64::from(centavos))?).ok()
}
