//! The closed list of reasons to refuse a value, each with its code and its text.

mod about;
mod amounts;
pub(super) mod deadlines;

use std::borrow::Cow;

use super::Lang;
use super::lang::Word;
use super::text::sentences::sentences;
use amounts::{br, plain};

sentences! {
lang -> Cow<'static, str>;

/// A reason to refuse a value. Its code is for programs: it is stable, while the text may be reworded. Most texts
/// describe the values that are accepted, as a phrase that follows the field's name: `must have 8 digits`. A text with
/// a subject of its own is listed in `Reason::is_clause`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Reason {
    /// A required member is absent, `null` or blank.
    Required = "required" => "é obrigatório", "is required";
    Blank = "blank" => "não pode ficar em branco", "must not be blank";
    NotText = "not-text" => "deve ser um texto", "must be text";
    NotBoolean = "not-a-boolean" => "deve ser sim ou não (true ou false)", "must be true or false";
    NotUtf8 = "not-utf-8" => "tem caracteres que não podem ser lidos", "must be UTF-8";
    /// A text of more than `most` characters (Unicode scalars).
    TooLong { most: usize } = "too-long" =>
        "deve ter no máximo {most} caracteres",
        "must have at most {most} characters";
    NoLetterOrDigit = "no-letter-or-digit" =>
        "deve ter ao menos uma letra ou um dígito",
        "must have at least one letter or digit";
    /// A text with control characters other than line breaks and tabs.
    ControlCharacters = "control-characters" =>
        "não pode ter caracteres de controle",
        "must have no control characters but line breaks and tabs";
    Placeholder = "placeholder" =>
        "é o que um programa escreve no lugar de um valor que não tem; envie o valor, ou não envie o campo",
        "is what a program writes in place of a value that it lacks; send the value, or leave the member out";
    NotVisibleAscii { least: usize, most: usize } = "not-visible-ascii" =>
        "deve ter de {least} a {most} caracteres ASCII visíveis",
        "must be {least} to {most} visible ASCII characters";
    /// Neither a CPF nor a CNPJ, or one with wrong check digits.
    NotTaxId = "not-a-tax-id" =>
        "deve ser um CPF ou CNPJ; confira os dígitos",
        "must be a CPF or CNPJ with right check digits";
    NotCpf = "not-a-tax-id" => "deve ser um CPF; confira os dígitos", "must be a CPF with right check digits";
    NotCnpj = "not-a-tax-id" => "deve ser um CNPJ; confira os dígitos", "must be a CNPJ with right check digits";
    /// A process number of 20 digits with wrong check digits.
    WrongCheckDigits = "wrong-check-digits" =>
        "os dois dígitos depois do hífen não conferem",
        "must have right check digits (the two after the hyphen)";
    NotDay = "not-a-date" =>
        "deve ser uma data que exista, como DD/MM/AAAA",
        "must be a date that exists, as DD/MM/YYYY or YYYY-MM-DD";
    NotTimeOfDay = "not-a-time" =>
        "deve ser uma hora, como 14:30",
        "must be a time of day, as HH:MM or HH:MM:SS";
    NotMoment = "not-a-moment" =>
        "deve ser data e hora, como 2026-12-10 14:30",
        "must be a day and a time, as YYYY-MM-DD HH:MM:SS";
    InFuture = "in-future" => "não pode estar no futuro", "must not be in the future";
    NotBirthdate = "out-of-range" => "deve ser de 01/01/1850 até hoje", "must be from 01/01/1850 to today";
    NotDayOfEvent = "out-of-range" =>
        "deve ser de 01/01/1900 até um ano depois de hoje",
        "must be from 01/01/1900 to a year from today";
    NotMovementOrigin = "not-among" => "deve ser TRIBUNAL ou MANUAL", "must be TRIBUNAL or MANUAL";
    NotObject = "not-an-object" => "deve ser um objeto", "must be an object";
    NotItems { least: usize, most: usize } = "not-a-list" =>
        "deve ser uma lista de {least} a {most} objetos",
        "must be an array of {least} to {most} objects";
    NotOpposingParties = "not-opposing-parties" =>
        "deve ser uma lista de partes, cada uma com nome ou cliente",
        "must be an array of parties, each with a name or customer_id";
    NotPartyName = "not-opposing-parties" =>
        "não pode ter ponto e vírgula nem colchetes no nome de uma parte",
        "must have no semicolon and no square brackets in the name of a party";
    TooManyParties { most: usize } = "too-many" =>
        "não pode ter mais de {most} partes",
        "must not have more than {most} parties";
    NotEmail = "not-an-email" =>
        "deve ser um e-mail, como nome@exemplo.com.br",
        "must be an e-mail address such as nome@exemplo.com.br";
    NotState = "not-among" =>
        "deve ser a sigla de um estado, como SC",
        "must be the two letters of a Brazilian state, such as SC";
    Deadline(reason: deadlines::DeadlineReason) => "{reason}";
    NotGender = "not-among" => "deve ser M, F ou O", "must be M, F or O";
    NotSituation = "not-among" => "deve ser ativo, inativo ou falecido", "must be active, inactive or deceased";
    NotFlow = "not-among" => "deve ser CRÉDITO ou DÉBITO", "must be CRÉDITO or DÉBITO, or income or expense";
    NotEntryType = "not-among" => "deve ser receita (income) ou despesa (expense)", "must be income or expense";
    NotYearMonth = "not-a-month" =>
        "deve ser um mês e um ano, como MM/AAAA",
        "must be a month and a year, as MM/YYYY or YYYY-MM";
    NotPaymentStatus = "not-among" =>
        "deve ser paid, unpaid, overdue ou open",
        "must be paid, unpaid, overdue or open";
    /// A day before 1900 or after 2199, in a field without a narrower rule.
    NotDayOfRecord = "out-of-range" =>
        "deve ser de 01/01/1900 até 31/12/2199",
        "must be from 01/01/1900 to 31/12/2199";
    AfterToday = "in-future" => "não pode ser depois de hoje", "must not be after today";
    NotPositive = "out-of-range" => "deve ser mais que zero", "must be more than 0";
    OtherFlow = "mismatch" =>
        "deve ser uma categoria do mesmo tipo: CRÉDITO para receitas, DÉBITO para despesas",
        "must be a category of the same type: CRÉDITO for income, DÉBITO for expense";
    SameAccount = "same-account" => "deve ser outra conta", "must be another account than debit_account";
    /// A payment of more than is owed, with the highest amount in centavos.
    MoreThanOwed { centavos: u64 } = "more-than-owed" with (br = br(*centavos), plain = plain(*centavos)) =>
        "deve ser no máximo {br}, o que se deve; o que passa disso são juros ou multa",
        "must be at most {plain}, which is owed; say what exceeds it as interest";
    /// A discount of all that is owed, in centavos.
    WholeDiscount { centavos: u64 } = "more-than-owed" with (br = br(*centavos), plain = plain(*centavos)) =>
        "deve ser menos que {br}, o que se deve",
        "must be less than {plain}, which is owed";
    OnlyInterest = "out-of-range" => "deve ser menos que o valor que veio", "must be less than what was paid";
    /// Refunds of more than was received, with what is left in centavos.
    MoreThanReceived { centavos: u64 } = "more-than-received" with (br = br(*centavos), plain = plain(*centavos)) =>
        "deixaria devolver mais do que foi recebido; restam {br}",
        "would refund more than was received; {plain} is left";
    /// An income that would be less than what was refunded, in centavos.
    Refunded { centavos: u64 } = "more-than-received" with (br = br(*centavos), plain = plain(*centavos)) =>
        "não pode mudar assim: as devoluções desta receita somam R$ {br}",
        "cannot change like this: its refunds sum up to R$ {plain}";
    NotOfIncome = "mismatch" => "deve ser o mesmo da receita devolvida", "must be that of the income that is refunded";
    /// A payment in part, whose rest stands.
    HasRest { id: u32 } = "in-use" =>
        "não pode ser desfeito: o que faltou é o lançamento {id}; exclua-o antes",
        "cannot be undone: the rest is transaction {id}; delete it first";
    /// A rest that is restored after the payment in part that left it was undone.
    PaymentUndone { id: u32 } = "in-use" =>
        "não pode voltar: o pagamento do lançamento {id} foi desfeito, e o que faltou está de novo nele",
        "cannot be restored: the payment of transaction {id} was undone, so the rest is owed there again";
    /// A member of a payment that was changed after the change to be undone.
    ChangedSince = "changed-since" =>
        "foi alterado depois; desfaça antes essa alteração",
        "was changed later; undo that change first";
    NotRefund = "mismatch" =>
        "deve ligar uma despesa à receita que ela devolve",
        "must lead from an expense to the income that it refunds";
    NoOnlyCustomer = "required" =>
        "é obrigatório, porque o processo não tem exatamente um cliente",
        "is required: the lawsuit has not exactly one customer";
    /// A change to a member that is fixed while records refer to the entry.
    InUse = "in-use" =>
        "não pode mudar, porque há registros com este item",
        "cannot change: records point to this entry";
    NotPostalCode = "not-a-postal-code" => "deve ter 8 dígitos", "must have 8 digits";
    NotPhone = "not-a-phone" =>
        "deve ser um número do Brasil com DDD (10 ou 11 dígitos), um como 0800 123 4567 ou 4004-1234, ou um do \
         exterior, com + e de 8 a 15 dígitos",
        "must be a number of Brazil with its area code (10 or 11 digits), one such as 0800 123 4567 or \
         4004-1234, or a foreign one with + and 8 to 15 digits";
    UnknownAreaCode = "not-a-phone" =>
        "deve começar com um DDD do Brasil, como 48",
        "must begin with one of the area codes of Brazil, such as 48";
    NoMobilePrefix = "not-a-phone" =>
        "deve ter um 9 depois do DDD, ou um dígito a menos",
        "must have a 9 after the area code, or one digit less";
    NoSubscriberNumber = "not-a-phone" =>
        "deve ter um dígito de 2 a 9 depois do DDD",
        "must have a digit from 2 to 9 after the area code";
    /// A telephone search term with fewer than 4 digits, or with more than digits and punctuation.
    TooFewDigits = "too-few-digits" =>
        "deve ter ao menos 4 dígitos",
        "must have at least 4 digits and nothing else but punctuation";
    NotAmount = "not-an-amount" =>
        "deve ser um valor, como 1.500,50", "must be an amount such as 1500.50 or 1.500,50";
    /// An amount with dots or commas that neither group thousands nor begin the cents, with its likely meaning.
    MisplacedSeparators { centavos: u64 } = "not-an-amount" with (br = br(*centavos), plain = plain(*centavos)) =>
        "tem um ponto ou uma vírgula fora do lugar; se são {br}, escreva assim",
        "has a dot or comma in the wrong place; if it is {plain}, write it like that";
    NotAmountInJson = "not-an-amount" =>
        "deve ser um valor, como 1.500,50", "must be an amount: a number or text such as 1500.50 or 1.500,50";
    /// An amount such as `1.500`, which may mean 1,500 reais or one and a half.
    AmbiguousAmount { reais: u32 } = "ambiguous-amount"
        with (whole = reais / 1000, group = reais % 1000, cents = reais % 1000 / 10) =>
        "é ambíguo: {whole}.{group:03} pode ser {reais},00 ou {whole},{cents:02}; escreva os centavos",
        "must say what {whole}.{group:03} means: {reais}.00, or {whole}.{cents:02}";
    Negative = "out-of-range" => "não pode ser negativo", "must not be negative";
    TooManyDecimals = "too-many-decimals" => "deve ter no máximo duas casas decimais", "must have at most two decimals";
    AmountTooLarge = "out-of-range" =>
        "deve ser no máximo 999.999.999.999,99", "must be at most 999999999999.99";
    NotId = "not-an-id" =>
        "deve ser o número de um cadastro",
        "must be an id: a whole number from 1 to 4294967295";
    NotIdInJson = "not-an-id" =>
        "deve ser o número de um cadastro",
        "must be an id: a whole number from 1 to 4294967295, or its digits as text";
    /// An imported record with an id above the highest one that imports may use.
    IdTooHigh { most: u32 } = "out-of-range" =>
        "é maior que {most}, o maior número que um cadastro pode trazer",
        "is above {most}, the highest id that a record can bring along";
    NoIdLeft { most: u32 } = "no-id-left" =>
        "não há número livre para um novo cadastro: o maior, {most}, já foi usado",
        "cannot be given to a new record: the highest id, {most}, is taken";
    /// A number outside `least` to `most`, or not a whole number.
    OutOfRange { least: u64, most: u64 } = "out-of-range" =>
        "deve ser um número inteiro de {least} a {most}",
        "must be from {least} to {most}";
    NotOrder = "not-among" => "deve ser asc ou desc", "must be asc or desc";
    /// A word outside the list of accepted ones. Several words are separated by commas.
    NotAmong { words: &'static [String] } = "not-among" =>
        "deve ser um ou mais de: {words}",
        "must be one or several of: {words}";
    /// An id without exactly one `resource` beside it.
    NeedsOneResource = "needs-one-resource" =>
        "pede exatamente um valor em resource",
        "needs exactly one resource";
    UnknownParameter = "unknown-parameter" =>
        "não é um parâmetro desta rota",
        "is not a parameter of this route";
    UnknownMember = "unknown-member" => "não é um campo desta rota", "is not a member that this route takes";
    NotWritable = "not-writable" =>
        "não pode ser gravado: decorre de outros campos",
        "cannot be written: it follows from other members";
    NotBesideOffset = "not-beside-offset" => "não pode vir com offset", "must not stand beside offset";
    NotMonth = "out-of-range" => "deve ser um mês de 1 a 12", "must be a month from 1 to 12";
    /// Not a whole number within the bounds of a `Whole`.
    NotWhole { least: u32, most: u32 } = "out-of-range" =>
        "deve ser um número inteiro de {least} a {most}",
        "must be a whole number from {least} to {most}";
    NotThreshold = "out-of-range" =>
        "deve ser um número de 0,5 a 1, com no máximo duas casas decimais",
        "must be a number from 0.5 to 1 with at most two decimals";
    NoneNamed { noun: Word } = "required" => "não pode ficar sem {noun}", "must name at least one {noun}";
    NamedTwice { noun: Word, id: u32 } = "named-twice" =>
        "deve ter cada {noun} só uma vez; o número {id} aparece duas",
        "must name each {noun} once; {id} is there twice";
    UnknownRecord { noun: Word, id: u32 } = "unknown-id" =>
        "não há {noun} com o número {id}",
        "no {noun} has the id {id}";
    DeletedRecord { noun: Word, id: u32 } = "deleted-id" =>
        "aponta para {noun} {id}, que está na lixeira; restaure antes",
        "is {noun} {id}, which was deleted; a PUT of {{\"deleted\": false}} to it brings it back";
    /// The id of a record that was merged into another one.
    MergedRecord { noun: Word, id: u32, into: u32 } = "merged-id" =>
        "aponta para {noun} {id}, que foi juntado a {into}; use {into}",
        "is {noun} {id}, which was merged into {into}; use {into}";
    /// A user who is to get the work of the same user.
    SameUser = "same-record" => "deve ser outra pessoa", "must be another user";
    LastActive = "last-active" => "deve continuar: é a última pessoa ativa", "must stay for the last active user";
    /// A record that is to be merged into itself.
    SameRecord = "same-record" => "deve ser outro cadastro", "must be another record than the one it is merged into";
    /// An id that no entry of a reference list has.
    UnknownEntry { list: &'static str, many: &'static str, id: u32 } = "unknown-id" =>
        "não há item de {many} com o número {id}",
        "no entry of {list} in GET /settings has the id {id}";
    /// The id of a deactivated entry, which cannot be chosen any more.
    InactiveEntry { id: u32 } = "inactive-id" =>
        "o item {id} não está mais ativo",
        "the entry {id} is not active any more";
    NameTaken { by: u32 } = "duplicate" => "já é o nome do item {by}", "is the name of entry {by} already";
    /// A step other than that of the stage given beside it.
    NotStepOfStage = "mismatch" =>
        "deve ser a etapa a que a fase pertence",
        "must be the step that the stage in stages_id belongs to";
    /// A step without an active stage. No lawsuit can move to it.
    NoActiveStage = "no-active-stage" =>
        "deve ser uma etapa com alguma fase ativa",
        "must be a step with an active stage";
    /// The CPF or CNPJ of another customer. The text is a whole sentence (contract 4.3).
    IdentificationTaken = "duplicate" =>
        "Já existe um cliente com este CPF ou CNPJ.",
        "A customer with this identification exists already.";
    /// The name of another customer, if neither has a CPF or CNPJ. The text is a whole sentence (contract 8).
    CustomerNameTaken = "duplicate" =>
        "Já existe um cliente com este nome, e nenhum dos dois tem CPF ou CNPJ.",
        "A customer of this name exists already, and neither has an identification.";
    UsedWithAnotherBody = "key-reused" => "já foi usada com outro conteúdo", "was used with another body";
    /// A file name of which nothing is left without its path, control characters, dots and spaces.
    NoFileName = "not-a-file-name" => "deve ser o nome de um arquivo", "must be the name of a file";
    EmptyFile = "empty-file" => "está vazio", "must have at least one byte";
    SecondFile = "second-file" => "deve ser um só; envie um documento por vez", "must be one file, not several";
    /// A program, detected by the extension or by the first bytes of the file.
    Program { sign: &'static str } = "program" =>
        "é um programa ({sign}); o ajuste documents.refuse_programs diz se são aceitos",
        "is a program ({sign}), which the setting documents.refuse_programs keeps out";
    /// Not an external id such as `asaas:pay_81`.
    NotExternalId = "not-an-external-id" =>
        "deve ter um sistema (até 32 caracteres: letras de a a z minúsculas, dígitos, - ou _), dois-pontos e um código \
         (até 200 caracteres, sem tabulação nem quebra de linha), como asaas:pay_81",
        "must be a system (at most 32 characters: lower-case letters a to z, digits, - or _), a colon and an id (at \
         most 200 characters, without tabs and line breaks), such as asaas:pay_81";
    ExternalIdTwice = "named-twice" => "deve ter cada um só uma vez", "must name each once";
    TooManyExternalIds { most: usize } = "too-many" => "deve ter no máximo {most}", "must have at most {most}";
    /// An external id that another record already has. The text is a whole sentence.
    ExternalIdTaken = "duplicate" =>
        "Outro cadastro já tem este código de outro sistema.",
        "Another record has this external id already.";
    /// A value of `match` other than names of members that identify records. Unused places of `keys` are empty.
    NotKey { keys: [&'static str; 4] } = "not-among" =>
        "deve ter um ou mais destes nomes: {keys}",
        "must be one or several of {keys}";
    /// None of the members by which a record is looked for is in the body.
    NoKey { keys: [&'static str; 4] } = "no-key" =>
        "precisa de um campo no corpo pelo qual procurar: {keys}",
        "needs a member in the body to look for: {keys}";
    NotSide = "not-among" => "deve ser customer ou opposing", "must be customer or opposing";
    /// A check for conflicts without a person to look for.
    NobodyNamed = "required" =>
        "é obrigatório, ou identification, customer_id ou lawsuit_id",
        "is required, or identification, customer_id or lawsuit_id";
    TooManyPeople { most: usize } = "too-many" =>
        "deve ter no máximo {most} pessoas ou empresas",
        "must name at most {most} people or companies";
    NotExisting = "not-among" => "deve ser keep, fill ou update", "must be keep, fill or update";
    /// Two names of one member with different values.
    TwoValues { other: &'static str } = "two-values" =>
        "tem outro valor que {other}",
        "must be the same as {other}";
    /// A parameter that is repeated with another value.
    SeveralValues = "two-values" => "deve ter um valor só", "must have one value, not several";
    Unattached = "required" =>
        "é obrigatório, ou outro cadastro a que o documento pertença",
        "is required, or another record that the document belongs to";
    NoLawsuit = "required" =>
        "é obrigatório, ou o número do processo em process_number",
        "is required, or its number in process_number";
    /// A value of `deleted` other than `false` in a body.
    NotFalse = "not-false" =>
        "só pode ser false, que restaura; DELETE exclui",
        "must be false, which restores; DELETE deletes";
    /// A member that excludes all others, together with another one.
    NotAlone = "not-alone" => "deve vir sem outros campos", "must stand alone";
    NotBeside { other: &'static str } = "not-alone" =>
        "não pode vir com {other}",
        "must not stand beside {other}";
    LessThanCentavo = "out-of-range" =>
        "deve dar ao menos um centavo por parcela",
        "must give each instalment a centavo at least";
    NotRecurrence = "not-among" => "deve ser monthly", "must be monthly";
    RepeatsTooEarly { months: u32 } = "out-of-range" =>
        "não pode ser há mais de {months} meses em uma repetição",
        "must not be more than {months} months ago in a repetition";
    TooManyNamed { most: usize } = "too-many" =>
        "deve ter no máximo {most} números",
        "must name at most {most}";
    EndBeforeStart = "end-before-start" => "não pode ser antes do início", "must not be before the start";
    NotOfLawsuit = "not-of-lawsuit" => "não é cliente desse processo", "is no customer of that lawsuit";
    NotGuest { id: u32 } = "not-a-guest" =>
        "a pessoa {id} não participa desta tarefa",
        "the user {id} is no guest of the task";
    NotTaskStatus = "not-among" => "deve ser pending, completed ou all", "must be pending, completed or all";
    NotUrl = "not-a-url" =>
        "deve ser um endereço http:// ou https:// completo",
        "must be a whole address that begins with http:// or https://";
    UserInUrl = "not-a-url" =>
        "não pode ter nome de usuário nem senha",
        "must have no user name and no password";
    ForbiddenAddress = "forbidden-address" =>
        "não pode levar a um endereço link-local, multicast ou de todas as máquinas, ao serviço de \
         metadados de uma nuvem, nem a um endereço IPv6 que esconde um IPv4",
        "must not lead to a link-local, multicast, broadcast or unspecified address, to a cloud's \
         metadata service, or to an IPv6 address that hides an IPv4 one";
    OwnAddress = "forbidden-address" =>
        "não pode levar a este próprio servidor",
        "must not lead to this server itself";
    Unencrypted = "unencrypted" =>
        "deve ser https://; http:// vale só nesta máquina e em redes privadas",
        "must be https://; http:// is for this machine and private networks only";
    NotTexts { least: usize, most: usize } = "not-a-list" =>
        "deve ser uma lista de {least} a {most} textos",
        "must be an array of {least} to {most} texts";
    TooManyWebhooks { most: usize } = "too-many" =>
        "já são {most}, e mais não pode haver",
        "are {most} already, which is the most there can be";
    /// The name of another key (access 25).
    KeyNameTaken = "duplicate" => "já é o nome de outra chave", "is the name of another key already";
    NotList = "not-list" =>
        "deve ser o caminho de uma lista da API, como /lawsuits?open=true",
        "must be the path of a list of the API, such as /lawsuits?open=true";
    /// A list or a filter that the rights of a new key do not include.
    BeyondRights = "beyond-rights" =>
        "usa registros a que a chave não tem direito",
        "uses records that the key may not see";
    TooManyKeys { most: usize } = "too-many" =>
        "já são {most}, e mais não pode haver",
        "are {most} already, which is the most there can be";
    BeforeToday = "out-of-range" => "não pode ser antes de hoje", "must not be before today";
    /// A request that needs an active webhook, for an inactive one.
    NotActive = "not-active" => "está desligado; ligue-o antes", "is off; switch it on before";
    /// A starting point (`since`) in a request that does not activate a webhook.
    OnlyWhenActivated = "only-when-activated" =>
        "só vale junto com active, para o que está parado; o que já foi enviado se repete com replay",
        "is valid only with active, for a webhook that is off; use replay to send delivered messages again";
    /// A task that already exists and is still pending. The text is a whole sentence (resources 12.3).
    TaskPending = "duplicate" =>
        "Esta tarefa já existe e ainda não foi feita.",
        "This task exists already and is still to be done.";
}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_with_a_subject_of_its_own_stands_behind_a_colon() {
        let noun = Word("processo", "lawsuit");
        let unknown = Reason::UnknownRecord { noun, id: 7 };
        assert_eq!(unknown.about("lawsuits_id", Lang::En), "lawsuits_id: no lawsuit has the id 7");
        assert_eq!(unknown.about("lawsuits_id", Lang::Pt), "lawsuits_id: não há processo com o número 7");
        assert_eq!(Reason::NotId.about("from", Lang::Pt), "from deve ser o número de um cadastro");
    }

    #[test]
    fn messages_are_available_in_both_languages() {
        for (reason, pt, en) in [
            (Reason::Required, "é obrigatório", "is required"),
            (
                Reason::TooLong { most: 200 },
                "deve ter no máximo 200 caracteres",
                "must have at most 200 characters",
            ),
            (
                Reason::AmbiguousAmount { reais: 1500 },
                "é ambíguo: 1.500 pode ser 1500,00 ou 1,50; escreva os centavos",
                "must say what 1.500 means: 1500.00, or 1.50",
            ),
            (
                Reason::AmbiguousAmount { reais: 999_005 },
                "é ambíguo: 999.005 pode ser 999005,00 ou 999,00; escreva os centavos",
                "must say what 999.005 means: 999005.00, or 999.00",
            ),
            (
                Reason::UnknownEntry { list: "users", many: "equipe", id: 7 },
                "não há item de equipe com o número 7",
                "no entry of users in GET /settings has the id 7",
            ),
        ] {
            assert_eq!((&*reason.message(Lang::Pt), &*reason.message(Lang::En)), (pt, en));
        }
    }

    #[test]
    fn codes_are_sorted_and_lower_case() {
        assert!(Reason::codes().is_sorted_by(|one, next| one < next), "sorted, without duplicates");
        for code in Reason::codes() {
            assert!(code.split('-').all(|word| !word.is_empty()), "{code}");
            assert!(
                code.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            );
        }
        assert_eq!(Reason::TooLong { most: 200 }.code(), "too-long");
    }
}
