//! What people read of each reason, in both languages.

use std::borrow::Cow;
use std::fmt;

use super::Reason;
use crate::domain::Lang;
use crate::domain::id::Word;

impl Reason {
    /// The reason as people read it: a phrase that follows the field's name, such as `must have 8 digits`.
    pub fn say(self, lang: Lang) -> Cow<'static, str> {
        // The two texts of a reason; names in braces are its data.
        macro_rules! text {
            ($pt:literal, $en:literal) => {
                match lang {
                    Lang::Pt => told(format_args!($pt)),
                    Lang::En => told(format_args!($en)),
                }
            };
        }
        match self {
            Reason::Required => text!("é obrigatório", "is required"),
            Reason::Blank => text!("não pode ficar em branco", "must not be blank"),
            Reason::NotText => text!("deve ser um texto", "must be text"),
            Reason::NotBoolean => text!("deve ser sim ou não (true ou false)", "must be true or false"),
            Reason::NotUtf8 => text!("tem caracteres que não podem ser lidos", "must be UTF-8"),
            Reason::TooLong { most } => {
                text!("deve ter no máximo {most} caracteres", "must have at most {most} characters")
            }
            Reason::NoLetterOrDigit => {
                text!("deve ter ao menos uma letra ou um dígito", "must have at least one letter or digit")
            }
            Reason::NotOneLine => text!(
                "deve ser um texto de uma linha só",
                "must be one line of text without control characters"
            ),
            Reason::ControlCharacters => text!(
                "não pode ter caracteres de controle",
                "must have no control characters but line breaks and tabs"
            ),
            Reason::NotVisibleAscii { least, most } => text!(
                "deve ter de {least} a {most} caracteres ASCII visíveis",
                "must be {least} to {most} visible ASCII characters"
            ),
            Reason::NotTaxId => text!(
                "deve ser um CPF ou CNPJ; confira os dígitos",
                "must be a CPF or CNPJ with right check digits"
            ),
            Reason::NotCpf => {
                text!("deve ser um CPF; confira os dígitos", "must be a CPF with right check digits")
            }
            Reason::NotCnpj => {
                text!("deve ser um CNPJ; confira os dígitos", "must be a CNPJ with right check digits")
            }
            Reason::WrongCheckDigits => text!(
                "os dois dígitos depois do hífen não conferem",
                "must have right check digits (the two after the hyphen)"
            ),
            Reason::NotDay => text!(
                "deve ser uma data que existe, como DD/MM/AAAA",
                "must be a date that exists, as DD/MM/YYYY or YYYY-MM-DD"
            ),
            Reason::NotTimeOfDay => {
                text!("deve ser uma hora, como 14:30", "must be a time of day, as HH:MM or HH:MM:SS")
            }
            Reason::NotMoment => text!(
                "deve ser data e hora, como 2026-12-10 14:30",
                "must be a day and a time, as YYYY-MM-DD HH:MM:SS"
            ),
            Reason::InFuture => text!("não pode estar no futuro", "must not be in the future"),
            Reason::NotBirthdate => {
                text!("deve ser de 01/01/1850 até hoje", "must be from 01/01/1850 to today")
            }
            Reason::NotDayOfEvent => text!(
                "deve ser de 01/01/1900 até um ano depois de hoje",
                "must be from 01/01/1900 to a year from today"
            ),
            Reason::NotMovementOrigin => {
                text!("deve ser TRIBUNAL ou MANUAL", "must be TRIBUNAL or MANUAL")
            }
            Reason::NotObject => text!("deve ser um objeto", "must be an object"),
            Reason::NotItems { least, most } => text!(
                "deve ser uma lista de {least} a {most} objetos",
                "must be an array of {least} to {most} objects"
            ),
            Reason::NotEmail => text!(
                "deve ser um e-mail, como nome@exemplo.com.br",
                "must be an e-mail address such as nome@exemplo.com.br"
            ),
            Reason::NotState => text!(
                "deve ser a sigla de um estado, como SC",
                "must be the two letters of a Brazilian state, such as SC"
            ),
            Reason::NotGender => text!("deve ser M, F ou O", "must be M, F or O"),
            Reason::NotFlow => {
                text!("deve ser CRÉDITO ou DÉBITO", "must be CRÉDITO or DÉBITO, or income or expense")
            }
            Reason::NotEntryType => {
                text!("deve ser receita (income) ou despesa (expense)", "must be income or expense")
            }
            Reason::NotYearMonth => text!(
                "deve ser um mês e um ano, como MM/AAAA",
                "must be a month and a year, as MM/YYYY or YYYY-MM"
            ),
            Reason::NotPaymentStatus => {
                text!("deve ser paid, unpaid, overdue ou open", "must be paid, unpaid, overdue or open")
            }
            Reason::NotDayOfRecord => {
                text!("deve ser de 01/01/1900 até 31/12/2199", "must be from 01/01/1900 to 31/12/2199")
            }
            Reason::AfterToday => text!("não pode ser depois de hoje", "must not be after today"),
            Reason::NotPositive => text!("deve ser mais que zero", "must be more than 0"),
            Reason::OtherFlow => text!(
                "deve ser uma categoria do mesmo tipo: CRÉDITO para receitas, DÉBITO para despesas",
                "must be a category of the same type: CRÉDITO for income, DÉBITO for expense"
            ),
            Reason::SameAccount => {
                text!("deve ser outra conta", "must be another account than debit_account")
            }
            Reason::NoOnlyCustomer => text!(
                "é obrigatório, porque o processo não tem exatamente um cliente",
                "is required: the lawsuit has not exactly one customer"
            ),
            Reason::InUse => text!(
                "não pode mudar, porque há registros com este item",
                "cannot change: records point to this entry"
            ),
            Reason::NotPostalCode => text!("deve ter 8 dígitos", "must have 8 digits"),
            Reason::NotPhone => text!(
                "deve ser um número do Brasil com DDD (10 ou 11 dígitos), ou do exterior, \
                 com + e de 8 a 15 dígitos",
                "must be a number of Brazil with its area code (10 or 11 digits), or a foreign one \
                 with + and 8 to 15 digits"
            ),
            Reason::UnknownAreaCode => text!(
                "deve começar com um DDD do Brasil, como 48",
                "must begin with one of the area codes of Brazil, such as 48"
            ),
            Reason::NoMobilePrefix => text!(
                "deve ter um 9 depois do DDD, ou um dígito a menos",
                "must have a 9 after the area code, or one digit less"
            ),
            Reason::MobileTooShort => text!(
                "deve ter 9 dígitos depois do DDD quando começam com 9",
                "must have 9 digits after the area code when they begin with 9"
            ),
            Reason::NoSubscriberNumber => text!(
                "deve ter um dígito de 2 a 9 depois do DDD",
                "must have a digit from 2 to 9 after the area code"
            ),
            Reason::NotPhoneTerm => text!(
                "deve ter ao menos 4 dígitos",
                "must have at least 4 digits and nothing else but punctuation"
            ),
            Reason::NotAmount => {
                text!("deve ser um valor, como 1.500,50", "must be an amount such as 1500.50 or 1.500,50")
            }
            Reason::NotAmountInJson => text!(
                "deve ser um valor, como 1.500,50",
                "must be an amount: a number or text such as 1500.50 or 1.500,50"
            ),
            Reason::AmbiguousAmount { reais } => {
                let (whole, group) = (reais / 1000, reais % 1000);
                let cents = group / 10;
                text!(
                    "é ambíguo: {whole}.{group:03} pode ser {reais},00 ou {whole},{cents:02}; \
                     escreva os centavos",
                    "must say what {whole}.{group:03} means: {reais}.00, or {whole}.{cents:02}"
                )
            }
            Reason::Negative => text!("não pode ser negativo", "must not be negative"),
            Reason::TooManyDecimals => {
                text!("deve ter no máximo duas casas decimais", "must have at most two decimals")
            }
            Reason::AmountTooLarge => {
                text!("deve ser no máximo 999.999.999.999,99", "must be at most 999999999999.99")
            }
            Reason::NotId => text!(
                "deve ser o número de um cadastro",
                "must be an id: a whole number from 1 to 4294967295"
            ),
            Reason::NotIdInJson => text!(
                "deve ser o número de um cadastro",
                "must be an id: a whole number from 1 to 4294967295, or its digits as text"
            ),
            Reason::IdTooHigh { most } => text!(
                "é maior que {most}, o maior número que um cadastro pode trazer",
                "is above {most}, the highest id that a record can bring along"
            ),
            Reason::NoIdLeft { most } => text!(
                "não há número livre para um novo cadastro: o maior, {most}, já foi usado",
                "cannot be given to a new record: the highest id, {most}, is taken"
            ),
            Reason::OutOfRange { least, most } => {
                text!("deve ser um número inteiro de {least} a {most}", "must be from {least} to {most}")
            }
            Reason::NotAmong { words } => {
                let words = words.join(", ");
                text!("deve ser um ou mais de: {words}", "must be one or several of: {words}")
            }
            Reason::NotUrl => text!(
                "deve ser um endereço http:// ou https:// completo",
                "must be a whole address that begins with http:// or https://"
            ),
            Reason::UserInUrl => {
                text!("não pode ter nome de usuário nem senha", "must have no user name and no password")
            }
            Reason::ForbiddenAddress => text!(
                "não pode levar a um endereço link-local, multicast ou de todas as máquinas, ao serviço de metadados de uma nuvem, nem a um endereço IPv6 que esconde um IPv4",
                "must not lead to a link-local, multicast, broadcast or unspecified address, to a cloud's metadata service, or to an IPv6 address that hides an IPv4 one"
            ),
            Reason::OwnAddress => {
                text!("não pode levar a este próprio servidor", "must not lead to this server itself")
            }
            Reason::Unencrypted => text!(
                "deve ser https://; http:// vale só nesta máquina e em redes privadas",
                "must be https://; http:// is for this machine and private networks only"
            ),
            Reason::NotTexts { least, most } => {
                text!(
                    "deve ser uma lista de {least} a {most} textos",
                    "must be an array of {least} to {most} texts"
                )
            }
            Reason::TooManyWebhooks { most } => {
                text!(
                    "já são {most}, e mais não pode haver",
                    "are {most} already, which is the most there can be"
                )
            }
            Reason::NotActive => text!("está desligado; ligue-o antes", "is off; switch it on before"),
            Reason::OnlyWhenActivated => text!(
                "só vale junto com active, para o que está parado; o que já foi enviado se repete com replay",
                "goes with active only, of what was not active; what was sent is sent again by replay"
            ),
            Reason::NeedsOneResource => {
                text!("pede exatamente um valor em resource", "needs exactly one resource")
            }
            Reason::NotOrder => text!("deve ser asc ou desc", "must be asc or desc"),
            Reason::UnknownMember => {
                text!("não é um campo desta rota", "is not a member that this route takes")
            }
            Reason::NotWritable => text!(
                "não pode ser gravado: decorre de outros campos",
                "cannot be written: it follows from other members"
            ),
            Reason::UnknownParameter => {
                text!("não é um parâmetro desta rota", "is not a parameter of this route")
            }
            Reason::NotBesideOffset => {
                text!("não pode vir com offset", "must not stand beside offset")
            }
            Reason::NotMonth => text!("deve ser um mês de 1 a 12", "must be a month from 1 to 12"),
            Reason::NotWhole { least, most } => text!(
                "deve ser um número inteiro de {least} a {most}",
                "must be a whole number from {least} to {most}"
            ),
            Reason::NoneNamed { noun: Word(pt, en) } => {
                text!("não pode ficar sem {pt}", "must name at least one {en}")
            }
            Reason::NamedTwice { noun: Word(pt, en), id } => text!(
                "cada {pt} só uma vez; o número {id} aparece duas",
                "must name each {en} once; {id} stands there twice"
            ),
            Reason::UnknownRecord { noun: Word(pt, en), id } => {
                text!("não há {pt} com o número {id}", "no {en} has the id {id}")
            }
            Reason::DeletedRecord { noun: Word(pt, en), id } => text!(
                "aponta para {pt} {id}, que está na lixeira; restaure antes",
                "is {en} {id}, which was deleted; a PUT of {{\"deleted\": false}} to it brings it back"
            ),
            Reason::MergedRecord { noun: Word(pt, en), id, into } => text!(
                "aponta para {pt} {id}, que foi juntado a {into}; use {into}",
                "is {en} {id}, which was merged into {into}; use {into}"
            ),
            Reason::UnknownEntry { list, many, id } => text!(
                "não há item de {many} com o número {id}",
                "no entry of {list} in GET /settings has the id {id}"
            ),
            Reason::InactiveEntry { id } => {
                text!("o item {id} não está mais ativo", "the entry {id} is not active any more")
            }
            Reason::NameTaken { by } => {
                text!("já é o nome do item {by}", "is the name of entry {by} already")
            }
            Reason::NotStepOfStage => text!(
                "deve ser a etapa a que a fase pertence",
                "must be the step that the stage in stages_id belongs to"
            ),
            Reason::NoActiveStage => {
                text!("deve ser uma etapa com alguma fase ativa", "must be a step with an active stage")
            }
            Reason::IdentificationTaken => text!(
                "Já existe um cliente com este CPF ou CNPJ.",
                "A customer with this identification exists already."
            ),
            Reason::CustomerNameTaken => text!(
                "Já existe um cliente com este nome, e nenhum dos dois tem CPF ou CNPJ.",
                "A customer of this name exists already, and neither has an identification."
            ),
            Reason::UsedWithAnotherBody => {
                text!("já foi usada com outro conteúdo", "was used with another body")
            }
            Reason::NoFileName => text!("deve ser o nome de um arquivo", "must be the name of a file"),
            Reason::EmptyFile => text!("está vazio", "must have at least one byte"),
            Reason::SecondFile => {
                text!("deve ser um só; envie um documento por vez", "must be one file, not several")
            }
            Reason::Program { sign } => text!(
                "é um programa ({sign}); o ajuste documents.refuse_programs diz se são aceitos",
                "is a program ({sign}), which the setting documents.refuse_programs keeps out"
            ),
            Reason::NotExternalId => text!(
                "deve ter um sistema e um código, como asaas:pay_81",
                "must be a system and an id, such as asaas:pay_81"
            ),
            Reason::ExternalIdTwice => text!("cada um só uma vez", "must name each once"),
            Reason::NotOpposingParties => text!(
                "deve ser uma lista de partes, cada uma com nome ou cliente",
                "must be an array of parties, each with a name or customer_id"
            ),
            Reason::NotPartyName => text!(
                "não pode ter ponto e vírgula nem colchetes no nome de uma parte",
                "must have no semicolon and no square brackets in the name of a party"
            ),
            Reason::TooManyParties { most } => {
                text!("não pode ter mais de {most} partes", "must not have more than {most} parties")
            }
            Reason::TooManyExternalIds { most } => {
                text!("deve ter no máximo {most}", "must have at most {most}")
            }
            Reason::ExternalIdTaken => text!(
                "Outro cadastro já tem este código de outro sistema.",
                "Another record has this external id already."
            ),
            Reason::TwoValues { other } => {
                text!("tem outro valor que {other}", "must be the same as {other}")
            }
            Reason::TooManyNamed { most } => {
                text!("deve ter no máximo {most} números", "must name at most {most}")
            }
            Reason::EndBeforeStart => {
                text!("não pode ser antes do início", "must not be before the start")
            }
            Reason::NotGuest { id } => {
                text!("a pessoa {id} não participa desta tarefa", "the user {id} is no guest of the task")
            }
            Reason::NotTaskStatus => {
                text!("deve ser pending, completed ou all", "must be pending, completed or all")
            }
            Reason::NotMonthOrDay => text!(
                "deve ser um mês, como 2026-12, ou uma data",
                "must be a month such as 2026-12, or a day"
            ),
            Reason::TaskPending => text!(
                "Esta tarefa já existe e ainda não foi feita.",
                "This task exists already and is still to be done."
            ),
            Reason::NotFalse => text!(
                "só pode ser false, que restaura; DELETE exclui",
                "must be false, which restores; DELETE deletes"
            ),
            Reason::NotAlone => text!("deve vir sem outros campos", "must stand alone"),
            Reason::NotBeside { other } => text!("não pode vir com {other}", "must not stand beside {other}"),
            Reason::LessThanCentavo => {
                text!(
                    "deve dar ao menos um centavo por parcela",
                    "must give each instalment a centavo at least"
                )
            }
            Reason::NotRecurrence => text!("deve ser monthly", "must be monthly"),
            Reason::RepeatsTooEarly { months } => text!(
                "não pode ser há mais de {months} meses em uma repetição",
                "must not be more than {months} months ago in a repetition"
            ),
            Reason::Unattached => text!(
                "é obrigatório, ou outro cadastro a que o documento pertença",
                "is required, or another record that the document belongs to"
            ),
        }
    }
}

/// The text, without a copy where it has no data.
fn told(text: fmt::Arguments<'_>) -> Cow<'static, str> {
    text.as_str().map_or_else(|| Cow::Owned(text.to_string()), Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_said_in_both_languages() {
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
            assert_eq!((&*reason.say(Lang::Pt), &*reason.say(Lang::En)), (pt, en));
        }
    }
}
