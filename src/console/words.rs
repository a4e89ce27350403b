//! The API's reasons in Portuguese. The API speaks English; a test holds that none of its reasons is missing here.

use crate::domain::Lang;

/// A reason as the API gives it, where `{}` stands for what differs, and what it is in Portuguese.
const REASONS: &[(&str, &str)] = &[
    ("is required", "é obrigatório"),
    ("must not be blank", "não pode ficar em branco"),
    ("must be text", "deve ser um texto"),
    ("must be true or false", "deve ser sim ou não"),
    ("must be UTF-8", "tem caracteres que não podem ser lidos"),
    ("must have at most {} characters", "deve ter no máximo {} caracteres"),
    ("must have at least one letter or digit", "deve ter ao menos uma letra ou um algarismo"),
    ("must be one line of text without control characters", "deve ser um texto de uma linha só"),
    ("must have no control characters but line breaks and tabs", "não pode ter caracteres de controle"),
    ("must be a CPF or CNPJ with right check digits", "deve ser um CPF ou CNPJ; confira os dígitos"),
    ("must be a CPF with right check digits", "deve ser um CPF; confira os dígitos"),
    ("must be a CNPJ with right check digits", "deve ser um CNPJ; confira os dígitos"),
    (
        "must have right check digits (the two after the hyphen)",
        "os dois dígitos depois do hífen não conferem",
    ),
    (
        "must be a date that exists, as DD/MM/YYYY or YYYY-MM-DD",
        "deve ser uma data que existe, como DD/MM/AAAA",
    ),
    ("must be from 01/01/1850 to today", "deve ser de 01/01/1850 até hoje"),
    ("must be an e-mail address such as nome@exemplo.com.br", "deve ser um e-mail, como nome@exemplo.com.br"),
    ("must be the two letters of a Brazilian state, such as SC", "deve ser a sigla de um estado, como SC"),
    ("must be M, F or O", "deve ser M, F ou O"),
    ("must have 8 digits", "deve ter 8 algarismos"),
    (
        "must be a number of Brazil with its area code (10 or 11 digits), or a foreign one with + and 8 to 15 digits",
        "deve ser um número do Brasil com DDD (10 ou 11 algarismos), ou um de fora com + e de 8 a 15 algarismos",
    ),
    (
        "must begin with one of the area codes of Brazil, such as 48",
        "deve começar com um DDD do Brasil, como 48",
    ),
    (
        "must have a 9 after the area code, or one digit less",
        "deve ter um 9 depois do DDD, ou um algarismo a menos",
    ),
    (
        "must have 9 digits after the area code when they begin with 9",
        "deve ter 9 algarismos depois do DDD quando começam com 9",
    ),
    ("must have a digit from 2 to 9 after the area code", "deve ter um algarismo de 2 a 9 depois do DDD"),
    ("must have at least 4 digits and nothing else but punctuation", "deve ter ao menos 4 algarismos"),
    ("must be an amount such as 1500.50 or 1.500,50", "deve ser um valor, como 1.500,50"),
    ("must be an amount: a number or text such as 1500.50 or 1.500,50", "deve ser um valor, como 1.500,50"),
    ("must say what {} means: {}.00, or {}", "é ambíguo: {} pode ser {},00 ou {}; escreva os centavos"),
    ("must not be negative", "não pode ser negativo"),
    ("must have at most two decimals", "deve ter no máximo duas casas decimais"),
    ("must be at most 999999999999.99", "deve ser no máximo 999.999.999.999,99"),
    ("must be an id: a whole number from 1 to 4294967295", "deve ser o número de um cadastro"),
    (
        "must be an id: a whole number from 1 to 4294967295, or its digits as text",
        "deve ser o número de um cadastro",
    ),
    ("must be from {} to {}", "deve ser um número inteiro de {} a {}"),
    ("must be a month from 1 to 12", "deve ser um mês de 1 a 12"),
    ("must be a place in the list: a whole number, 1 or more", "deve ser um lugar na lista: 1 ou mais"),
    ("must name at least one customer", "escolha ao menos um cliente"),
    ("must name each customer once; {} stands there twice", "cada cliente só uma vez; o {} aparece duas"),
    ("must be the step that the stage in stages_id belongs to", "deve ser a etapa a que a fase pertence"),
    ("must be a step with an active stage", "deve ser uma etapa com alguma fase ativa"),
    ("no customer has the id {}", "não há cliente com o número {}"),
    ("no entry of {} in GET /settings has the id {}", "não há item de {} com o número {}"),
    ("the entry {} is not active any more", "o item {} não está mais ativo"),
    ("is the name of entry {} already", "já é o nome do item {}"),
    ("A customer with this identification exists already.", "Já existe um cliente com este CPF ou CNPJ."),
];

/// The reason in the reader's language, as a sentence of its own.
pub(super) fn reason(english: &str, lang: Lang) -> String {
    match lang {
        Lang::En => english.to_owned(),
        Lang::Pt => portuguese(english).unwrap_or_else(|| english.to_owned()),
    }
}

/// What a reason is in Portuguese; none where it is not known.
pub fn portuguese(english: &str) -> Option<String> {
    REASONS.iter().find_map(|(pattern, pt)| {
        let found = filled(pattern, english)?;
        let mut pieces = pt.split("{}");
        let first = pieces.next().unwrap_or_default().to_owned();
        Some(pieces.zip(found).fold(first, |text, (piece, value)| text + value + piece))
    })
}

/// What stands in the places of a pattern's `{}`; none where the text is not of the pattern.
fn filled<'a>(pattern: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut pieces = pattern.split("{}");
    let mut rest = text.strip_prefix(pieces.next()?)?;
    let mut found = Vec::new();
    let mut pieces = pieces.peekable();
    while let Some(piece) = pieces.next() {
        let at = match (piece.is_empty(), pieces.peek()) {
            (true, None) => rest.len(),
            (_, None) => rest.len().checked_sub(piece.len()).filter(|_| rest.ends_with(piece))?,
            _ => rest.find(piece)?,
        };
        let (value, behind) = rest.split_at_checked(at)?;
        found.push(value);
        rest = behind.get(piece.len()..)?;
    }
    rest.is_empty().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_taken_over() {
        for (english, pt) in [
            ("is required", "é obrigatório"),
            ("must have at most 200 characters", "deve ter no máximo 200 caracteres"),
            (
                "must say what 1.500 means: 1500.00, or 1.50",
                "é ambíguo: 1.500 pode ser 1500,00 ou 1.50; escreva os centavos",
            ),
            ("no entry of users in GET /settings has the id 7", "não há item de users com o número 7"),
        ] {
            assert_eq!(portuguese(english).as_deref(), Some(pt));
            assert_eq!(reason(english, Lang::En), english);
        }
        for unknown in ["", "is requiredx", "must have at most 200", "must be new to all"] {
            assert_eq!(portuguese(unknown), None, "{unknown}");
        }
        assert_eq!(reason("must be new to all", Lang::Pt), "must be new to all");
    }

    /// The reasons as they stand in the code that gives them: every literal that begins as one.
    #[test]
    fn no_reason_of_the_api_is_missing() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let (mut files, mut seen) = (vec![root.join("domain"), root.join("http"), root.join("api")], 0);
        while let Some(path) = files.pop() {
            if path.is_dir() {
                files.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
                continue;
            }
            // Of the token and of headers no form of the console's knows.
            if path.ends_with("domain/token.rs") || path.ends_with("http/keyed.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let shipped = text.split("#[cfg(test)]").next().unwrap();
            for line in shipped.lines().filter(|line| !line.trim_start().starts_with("//")) {
                for literal in line.split('"').skip(1).step_by(2) {
                    let begins =
                        ["must ", "is required", "is the name", "no entry", "no customer", "the entry"];
                    if !begins.iter().any(|begin| literal.starts_with(begin)) {
                        continue;
                    }
                    seen += 1;
                    // A name in braces stands for a value.
                    let mut said = String::new();
                    let mut inside = false;
                    for c in literal.chars() {
                        inside = (inside || c == '{') && c != '}';
                        said.push_str(if c == '}' { "7" } else { "" });
                        if !inside && c != '}' {
                            said.push(c);
                        }
                    }
                    assert!(portuguese(&said).is_some(), "{}: {literal}", path.display());
                }
            }
        }
        assert!(seen > 30, "{seen}");
    }
}
