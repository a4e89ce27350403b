//! Transactions: resources 16.1.

use super::field::{Section, section};
use super::row::{created, external_ids, field, name_of, of, updated};
use super::{
    BankId, CategoryId, CostCenterId, CustomerId, DepartmentId, Find, Kind, LawsuitId, UserId, record,
};
use crate::domain::{
    Amount, Day, EntryType, ExternalIds, Line, Name, ProcessNumber, ProtocolNumber, TaxId, YearMonth,
};

const ENTRY: Section = section(1, "Lançamento", "Transaction");
const DATES: Section = section(2, "Datas", "Dates");
const OF: Section = section(3, "De quem e de quê", "Whose and for what");
const OFFICE: Section = section(4, "No escritório", "In the office");

record! {
    /// Money that comes into the office or leaves it, paid or not yet.
    Transaction, ids TransactionId, kind Kind::Transaction, in "transactions",
    one "lançamento" / "transaction", many "lançamentos" / "transactions" {
        /// `income` or `expense`.
        entry_type: EntryType = field("Tipo", "Type").under(ENTRY).find(Find::Value)
            .rule("As the category's type says: `income` with `CRÉDITO`, `expense` with `DÉBITO`.").example("income");
        /// When it is to be paid.
        date_due: Day = field("Vencimento", "Due").under(DATES).find(Find::Days("date_due"))
            .rule("DD/MM/YYYY or YYYY-MM-DD.").example("2026-12-15");
        /// When it was paid; nothing where it is not.
        date_payment: Option<Day> = field("Pagamento", "Paid").under(DATES).until_today()
            .find(Find::Paid("date_payment", "date_due")).rule("Not after today.").example("15/01/2026");
        /// The month that it counts for.
        competence: Option<YearMonth> = field("Competência", "Month it counts for").under(DATES).derived()
            .find(Find::Months("competence"))
            .rule("MM/YYYY, YYYY-MM, or a day whose month counts; without it the month in which it is due.").example("12/2026");
        /// How much, in reais.
        amount: Amount = field("Valor (R$)", "Amount (R$)").under(ENTRY).find(Find::Sum("sums"))
            .rule("More than 0.").example("1500.50");
        /// What it is for, as typed.
        description: Option<Line<500>> = field("Descrição", "Description").under(ENTRY).wide().find(Find::Words)
            .rule("500 characters at most.").example("Honorários iniciais, 1ª parcela");
        /// The responsible user's name.
        responsible = name_of("user_id").example("Ana Souza");
        /// The category's name.
        category = name_of("category_id").example("Honorários iniciais");
        /// The lawsuit that it belongs to.
        lawsuit_id: Option<LawsuitId> = field("Processo", "Lawsuit").under(OF).restricts().sent_as("lawsuits_id").also("lawsuit_id")
            .find(Find::Record).example("1");
        /// The lawsuit's number at the court.
        process_number = of::<ProcessNumber>("lawsuit_id", "process_number").labelled("Número do processo", "Case number")
            .find(Find::Digits).example("0001234-03.2026.8.26.0100");
        /// The lawsuit's protocol number.
        protocol_number = of::<ProtocolNumber>("lawsuit_id", "protocol_number").labelled("Protocolo", "Protocol")
            .find(Find::Code).example("2026/000123");
        /// The customer's name.
        name = of::<Name>("customer_id", "name").labelled("Cliente", "Customer").folded_in("name_key")
            .also("customer_name").find(Find::Words).example("Maria da Conceição");
        /// The customer's CPF or CNPJ.
        identification = of::<TaxId>("customer_id", "identification").labelled("CPF ou CNPJ do cliente", "Customer's CPF or CNPJ")
            .also("customer_identification").find(Find::Start).example("529.982.247-25");
        /// The name of the account.
        debit_bank = name_of("debit_account").example("Conta corrente");
        /// The name of the second account of a transfer.
        credit_bank = name_of("credit_account").example("Caixa");
        /// The cost center's name.
        cost_center = name_of("cost_center_id").example("Geral");
        /// Whether it stays within the office. Kept as given.
        is_internal: bool = field("Interno", "Internal").under(OFFICE).or("true").example("true");
        /// Whether it comes again and again. Kept as given.
        is_recurrent: bool = field("Recorrente", "Recurrent").under(OFFICE).or("false").example("false");
        /// The responsible user: an id of `users` in `GET /settings`.
        user_id: UserId = field("Responsável", "Responsible").under(OFFICE).named("users_id").also("user_id")
            .find(Find::Entry("responsible")).example("1");
        /// What it is for: an id of `categories` in `GET /settings`.
        category_id: CategoryId = field("Categoria", "Category").under(ENTRY).named("categories_id").also("category_id")
            .find(Find::Entry("category")).example("1");
        /// The cost center: an id of `cost_centers` in `GET /settings`.
        cost_center_id: CostCenterId = field("Centro de custo", "Cost center").under(OFFICE).named("cost_centers_id")
            .also("cost_center_id").find(Find::Entry("cost_center")).example("1");
        /// The account: an id of `banks` in `GET /settings`.
        debit_account: BankId = field("Conta", "Account").under(ENTRY).find(Find::Entry("debit_bank")).example("1");
        /// The second account of a transfer: another id of `banks`.
        credit_account: Option<BankId> = field("Outra conta (transferência)", "Other account (transfer)").under(ENTRY)
            .rule("Another account than `debit_account`.").example("2");
        /// The department: an id of `departments` in `GET /settings`.
        department_id: Option<DepartmentId> = field("Setor", "Department").under(OFFICE).named("sectors_id").also("sector_id")
            .find(Find::Entry("sector")).example("1");
        /// The customer.
        customer_id: Option<CustomerId> = field("Cliente", "Customer").under(OF).restricts().named("customers_id").also("customer_id")
            .find(Find::Record)
            .rule("Without it, and with a lawsuit, the lawsuit's customer, where it has exactly one.").example("1");
        /// The department's name.
        sector = name_of("department_id").example("Jurídico");
        /// What other systems call it.
        external_ids: ExternalIds = external_ids();
        /// When it was created, in the office's time zone.
        created_at = created();
        /// When it was last changed, in the office's time zone.
        updated_at = updated();
    }
}
