//! Transactions: resources 16.1.

use super::field::row::{created, external_ids, field, generated, member_of, name_of, repeats, updated};
use super::field::{Section, section};
use super::{
    BankId, CategoryId, CostCenterId, CustomerId, DepartmentId, Find, Kind, LawsuitId, UserId, record,
};
use crate::domain::{
    Amount, Day, EntryType, ExternalIds, Line, Money, Name, ProcessNumber, ProtocolNumber, TaxId, YearMonth,
};

impl Transaction {
    pub const MAX_DESCRIPTION_CHARACTERS: usize = 500;
}

const ENTRY: Section = section(1, "Lançamento", "Transaction");
const DATES: Section = section(2, "Datas", "Dates");
const OF: Section = section(3, "Cliente e processo", "Customer and lawsuit");
const OFFICE: Section = section(4, "No escritório", "In the office");

record! {
    /// Money that comes into the office or leaves it, paid or not yet paid.
    #[pt = "Dinheiro que entra no escritório ou sai dele, já pago ou não."]
    Transaction, ids TransactionId, kind Kind::Transaction, in "transactions",
    one "lançamento" / "transaction", many "lançamentos" / "transactions" {
        /// `income` or `expense`.
        #[pt = "`income` (receita) ou `expense` (despesa)."]
        entry_type: EntryType = field("Tipo", "Type").under(ENTRY).find(Find::Value)
            .rule(
                "Conforme o tipo da categoria: `income` com `CRÉDITO`, `expense` com `DÉBITO`.",
                "Must match the category's type: `income` with `CRÉDITO`, `expense` with `DÉBITO`.",
            ).example("income");
        /// The day on which the transaction is due.
        #[pt = "Data do vencimento."]
        date_due: Day = field("Vencimento", "Due").under(DATES).find(Find::Days("date_due"))
            .rule("DD/MM/AAAA ou AAAA-MM-DD.", "DD/MM/YYYY or YYYY-MM-DD.").example("2026-12-15");
        /// The day of payment. Empty if the transaction is not paid.
        #[pt = "Data do pagamento; vazia se não foi pago."]
        date_payment: Option<Day> = field("Pagamento", "Paid").under(DATES).until_today().decisive()
            .find(Find::Paid("date_payment", "date_due"))
                .rule(
                    "Não pode ser depois de hoje.",
                    "Must not be after today.",
                ).example("15/01/2026");
        /// The month that the transaction counts for.
        #[pt = "O mês de competência."]
        competence: Option<YearMonth> = field("Competência", "Month it counts for").under(DATES).computed_if_absent()
            .find(Find::Months("competence"))
            .rule(
                "MM/AAAA, AAAA-MM ou um dia, do qual vale o mês; se nada é informado, o mês do vencimento.",
                "MM/YYYY, YYYY-MM, or a day of the month. Default: the month in which it is due.",
            ).example("12/2026");
        /// The amount, in reais.
        #[pt = "O valor, em reais."]
        amount: Amount = field("Valor (R$)", "Amount (R$)").under(ENTRY).find(Find::Sum("sums"))
            .rule("Maior que 0.", "Must be more than 0.").example("1500.50");
        /// The description, as typed.
        #[pt = "A descrição, como foi digitada."]
        description: Option<Line<{ Transaction::MAX_DESCRIPTION_CHARACTERS }>> = field("Descrição", "Description").under(ENTRY).wide().find(Find::Words)
            .rule("No máximo 500 caracteres.", "At most 500 characters.").example("Honorários iniciais, 1ª parcela");
        /// The responsible user's name.
        #[pt = "O nome do responsável."]
        responsible = name_of("user_id").example("Ana Souza");
        /// The category's name.
        #[pt = "O nome da categoria."]
        category = name_of("category_id").example("Honorários iniciais");
        /// The lawsuit that the transaction belongs to.
        #[pt = "O processo a que pertence."]
        lawsuit_id: Option<LawsuitId> = field(
            "Processo",
            "Lawsuit",
        ).under(OF).cascades_if_confirmed().request_name("lawsuits_id").alias("lawsuit_id")
            .find(Find::Record).example("1");
        /// The lawsuit's number at the court.
        #[pt = "O número do processo no tribunal."]
        process_number = member_of::<ProcessNumber>("lawsuit_id", "process_number").labelled("Número do processo", "Case number")
            .find(Find::Digits).example("0001234-03.2026.8.26.0100");
        /// The lawsuit's protocol number.
        #[pt = "O protocolo do processo."]
        protocol_number = member_of::<ProtocolNumber>("lawsuit_id", "protocol_number").labelled("Protocolo", "Protocol")
            .find(Find::Code).example("2026/000123");
        /// The customer's name.
        #[pt = "O nome do cliente."]
        name = member_of::<Name>("customer_id", "name").labelled("Cliente", "Customer").folded_in("name_key")
            .filter_name("customer_name").find(Find::Words).example("Maria da Conceição");
        /// The customer's CPF or CNPJ.
        #[pt = "O CPF ou CNPJ do cliente."]
        identification = member_of::<TaxId>(
            "customer_id",
            "identification",
        ).labelled("CPF ou CNPJ do cliente", "Customer's CPF or CNPJ")
            .filter_name("customer_identification").find(Find::Start).example("529.982.247-25");
        /// The name of the account.
        #[pt = "O nome da conta."]
        debit_bank = name_of("debit_account").example("Conta corrente");
        /// The name of the second account of a transfer.
        #[pt = "O nome da outra conta de uma transferência."]
        credit_bank = name_of("credit_account").example("Caixa");
        /// The cost center's name.
        #[pt = "O nome do centro de custo."]
        cost_center = name_of("cost_center_id").example("Geral");
        /// `true` if the transaction is internal to the office. Stored as given.
        #[pt = "Se é interno ao escritório. Fica como informado."]
        is_internal: bool = field("Interno", "Internal").under(OFFICE)
            .hint(
                "Marque se é do próprio escritório.",
                "Tick if the transaction is the office's own.",
            ).default("true").example("true");
        /// `true` if the transaction repeats. Stored as given.
        #[pt = "Se se repete. Fica como informado."]
        is_recurrent: bool = field("Recorrente", "Recurrent").under(OFFICE)
            .hint(
                "Em uma repetição, desmarcar a encerra.",
                "Untick to end a repetition.",
            ).default("false").example("false");
        /// The responsible user: an id of `users` in `GET /settings`.
        #[pt = "O responsável: um id de `users` em `GET /settings`."]
        user_id: UserId = field("Responsável", "Responsible").under(OFFICE).responsible().rename("users_id").alias("user_id")
            .find(Find::Entry("responsible")).example("1");
        /// The category: an id of `categories` in `GET /settings`.
        #[pt = "A categoria: um id de `categories` em `GET /settings`."]
        category_id: CategoryId = field("Categoria", "Category").under(ENTRY).rename("categories_id").alias("category_id")
            .find(Find::Entry("category")).example("1");
        /// The cost center: an id of `cost_centers` in `GET /settings`.
        #[pt = "O centro de custo: um id de `cost_centers` em `GET /settings`."]
        cost_center_id: CostCenterId = field("Centro de custo", "Cost center").under(OFFICE).rename("cost_centers_id")
            .alias("cost_center_id").find(Find::Entry("cost_center")).example("1");
        /// The account: an id of `banks` in `GET /settings`.
        #[pt = "A conta: um id de `banks` em `GET /settings`."]
        debit_account: BankId = field("Conta", "Account").under(ENTRY).find(Find::Entry("debit_bank")).example("1");
        /// The second account of a transfer: another id of `banks`.
        #[pt = "A outra conta de uma transferência: outro id de `banks`."]
        credit_account: Option<BankId> = field("Outra conta (transferência)", "Other account (transfer)").under(ENTRY)
            .rule("Uma conta diferente de `debit_account`.", "Must differ from `debit_account`.").example("2");
        /// The department: an id of `departments` in `GET /settings`.
        #[pt = "O setor: um id de `departments` em `GET /settings`."]
        department_id: Option<DepartmentId> = field("Setor", "Department").under(OFFICE).rename("sectors_id").alias("sector_id")
            .find(Find::Entry("sector")).example("1");
        /// The customer.
        #[pt = "O cliente."]
        customer_id: Option<CustomerId> = field(
            "Cliente",
            "Customer",
        ).under(OF).restricts().rename("customers_id").filter_name("customer_id")
            .find(Find::Record)
            .rule(
                "Se nada é informado e há um processo, o cliente dele, desde que seja um só.",
                "Without it, but with a lawsuit, it is the lawsuit's customer, if the lawsuit has exactly one.",
            ).example("1");
        /// The department's name.
        #[pt = "O nome do setor."]
        sector = name_of("department_id").example("Jurídico");
        /// The discount of the payment. The agreed amount is `amount + discount - interest`.
        #[pt = "O desconto do pagamento. O valor combinado é `amount + discount - interest`."]
        discount: Money = field("Desconto (R$)", "Discount (R$)").under(DATES).read_only().default("0").example("50.00");
        /// The interest or fine that was paid in addition.
        #[pt = "Os juros ou a multa que vieram a mais."]
        interest: Money = field("Juros ou multa (R$)", "Interest or fine (R$)").under(DATES).read_only().default("0")
            .example("12.50");
        /// The transaction that was paid in part, if this one is its rest.
        #[pt = "O lançamento que foi pago em parte, se este é o resto dele."]
        rest_of: Option<TransactionId> = field("Resto de", "Rest of").under(DATES).read_only().example("1");
        /// The income that an expense refunds.
        #[pt = "A receita que uma despesa devolve."]
        refund_of: Option<TransactionId> = field("Devolução de", "Refund of").under(OF).restricts()
            .rule(
                "Só em despesas, e no máximo o que foi recebido. `customers_id` e `lawsuits_id` são os da receita.",
                "Only for expenses, at most what was received. `customers_id` and `lawsuits_id` are those of the income.",
            ).example("1");
        /// Ids in other systems.
        #[pt = "Os códigos que tem em outros sistemas."]
        external_ids: ExternalIds = external_ids();
        /// The time of creation, in the office's time zone.
        #[pt = "Data e hora do cadastro, no fuso do escritório."]
        created_at = created();
        /// The time of the last change, in the office's time zone.
        #[pt = "Data e hora da última alteração, no fuso do escritório."]
        updated_at = updated();
        /// The last month of the repetition, if the transaction repeats every month.
        #[pt = "Até quando se repete todo mês, se é o caso."]
        repeats = repeats();
        /// The day of payment or, if the transaction is not paid, the due day.
        #[pt = "O dia do pagamento ou, se não foi pago, o do vencimento."]
        date = generated::<Day>("Pago ou vence em", "Paid or due on").hidden().find(Find::Days("date"))
            .example("2026-12-15");
    }
}

impl Transaction {
    /// Returns the agreed amount in centavos: what was paid, without its discount and interest.
    pub fn agreed(&self) -> i64 {
        self.amount.money().centavos() + self.discount.centavos() - self.interest.centavos()
    }
}
