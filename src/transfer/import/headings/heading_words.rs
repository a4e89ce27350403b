//! Reduces headings to plain words, so that `numeroProcesso`, `Nº PROC.` and `Número do processo` are one heading.

use crate::domain::text::fold;

/// Small words that are left out, folded. `s` and `a` stand in brackets: `Cliente(s)`, `Advogado(a)`.
const SMALL: [&str; 14] = ["a", "as", "da", "das", "de", "do", "dos", "e", "o", "of", "os", "ou", "s", "the"];

/// Abbreviations, folded, with the word that each stands for.
const SHORT: [(&str, &str); 38] = [
    ("adv", "advogado"),
    ("ajuiz", "ajuizamento"),
    ("cad", "cadastro"),
    ("cel", "celular"),
    ("civ", "civil"),
    ("cli", "cliente"),
    ("compl", "complemento"),
    ("contr", "contraria"),
    ("desc", "descricao"),
    ("distr", "distribuicao"),
    ("distrib", "distribuicao"),
    ("dt", "data"),
    ("encerr", "encerramento"),
    ("end", "endereco"),
    ("est", "estado"),
    ("fone", "telefone"),
    ("hon", "honorarios"),
    ("honor", "honorarios"),
    ("ident", "identidade"),
    ("jud", "judicial"),
    ("mun", "municipio"),
    ("nac", "nacionalidade"),
    ("nasc", "nascimento"),
    ("nm", "nome"),
    ("obs", "observacoes"),
    ("pagto", "pagamento"),
    ("pgto", "pagamento"),
    ("proc", "processo"),
    ("prof", "profissao"),
    ("resp", "responsavel"),
    ("sit", "situacao"),
    ("tel", "telefone"),
    ("tp", "tipo"),
    ("val", "valor"),
    ("venc", "vencimento"),
    ("vl", "valor"),
    ("vlr", "valor"),
    ("vr", "valor"),
];

/// Abbreviations of `numero`, folded. Alone, they number the rows.
const NUMBER: [&str; 5] = ["n", "no", "nr", "nro", "num"];

/// Words of hints about how to fill in a column, folded.
const HINTS: [&str; 41] = [
    "aaaa",
    "apenas",
    "area",
    "brl",
    "celular",
    "code",
    "com",
    "completa",
    "completo",
    "dd",
    "ddd",
    "digitos",
    "digits",
    "exemplo",
    "fixo",
    "format",
    "formato",
    "houver",
    "mm",
    "numbers",
    "numero",
    "numeros",
    "obrigatoria",
    "obrigatorio",
    "only",
    "opcional",
    "optional",
    "pontos",
    "preferencial",
    "principal",
    "reais",
    "required",
    "sem",
    "sigla",
    "so",
    "somente",
    "titular",
    "traco",
    "uf",
    "whatsapp",
    "yyyy",
];

/// Returns the folded words of a heading, without small words and with abbreviations spelled out.
pub(in crate::transfer::import) fn plain(heading: &str) -> String {
    let folded = fold(&apart(heading));
    let words: Vec<&str> = folded.split(' ').filter(|word| !SMALL.contains(word)).collect();
    let whole = |word: &'_ str| match SHORT.iter().find(|(short, _)| *short == word) {
        Some((_, whole)) => (*whole).to_owned(),
        None if NUMBER.contains(&word) && words.len() > 1 => "numero".to_owned(),
        None => word.to_owned(),
    };
    words.iter().map(|word| whole(word)).collect::<Vec<_>>().join(" ")
}

/// Words of headings of columns with passwords, folded.
const SECRET: [&str; 11] = [
    "credenciais",
    "credencial",
    "govbr",
    "passwd",
    "password",
    "passwords",
    "pin",
    "pwd",
    "senha",
    "senhas",
    "token",
];
/// Phrases of such headings, folded. Offices keep the passwords of clients for these services.
const SECRET_PHRASES: [&str; 4] = ["gov br", "conta gov", "meu inss", "palavra passe"];

/// Returns `true` if a heading says that its column has passwords, such as `Senha do INSS` and `gov.br`.
pub(in crate::transfer::import) fn is_secret(heading: &str) -> bool {
    let folded = fold(&apart(heading));
    let has = |phrase: &&str| format!(" {folded} ").contains(&format!(" {phrase} "));
    let has_word = |word: &str| folded.split(' ').any(|own| own == word);
    folded == "gov"
        || has_word("login") && (has_word("gov") || has_word("inss"))
        || folded.split(' ').any(|word| SECRET.contains(&word))
        || SECRET_PHRASES.iter().any(has)
}

/// Returns a heading without a hint at its end: `CPF (somente números)`, `Nascimento [dd/mm/aaaa]`, `Valor - R$`. Keeps
/// what says more than that, such as `CPF (cônjuge)` and `Telefone (2)`.
pub(in crate::transfer::import) fn without_hint(heading: &str) -> &str {
    let ends = ["(", "[", " - ", ":"].into_iter().filter_map(|sign| heading.find(sign));
    let Some((name, hint)) = ends.min().and_then(|at| heading.split_at_checked(at)) else { return heading };
    let folded = fold(hint);
    let is_digit = |byte: u8| matches!(byte, b'x' | b'0' | b'9');
    // Such as `M/F`, `R$` and `xxx.xxx.xxx-xx`.
    let is_mask = |word: &str| match word.as_bytes() {
        [one] => one.is_ascii_alphabetic(),
        word => word.iter().all(|byte| is_digit(*byte)),
    };
    let is_hint = folded.split(' ').any(|word| HINTS.contains(&word)) || folded.split(' ').all(is_mask);
    if is_hint { name } else { heading }
}

/// Puts spaces between the words of `numeroProcesso`, `CPFCliente` and `Telefone1`.
fn apart(heading: &str) -> String {
    let letters: Vec<char> = heading.chars().collect();
    let mut words = String::with_capacity(heading.len() + 4);
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| letters.get(before));
        let is_next_lower = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let begins = before.is_some_and(|before| {
            letter.is_uppercase() && (before.is_lowercase() || before.is_uppercase() && is_next_lower)
                || letter.is_ascii_digit() && before.is_alphabetic()
        });
        if begins {
            words.push(' ');
        }
        words.push(*letter);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_reduced_to_plain_words() {
        for (heading, words) in [
            ("numeroProcesso", "numero processo"),
            ("Número do processo", "numero processo"),
            ("Nº PROC.", "numero processo"),
            ("N° Proc", "numero processo"),
            ("Data_Distrib", "data distribuicao"),
            ("DT. AJUIZ.", "data ajuizamento"),
            ("VLR. CAUSA", "valor causa"),
            ("nome_cliente", "nome cliente"),
            ("Nome do(a) cliente", "nome cliente"),
            ("CPFCliente", "cpf cliente"),
            ("Telefone1", "telefone 1"),
            ("E-mail 1 - Value", "mail 1 value"),
            ("Nº", "no"),
            ("AUTOR", "autor"),
            ("", ""),
        ] {
            assert_eq!(plain(heading), words, "{heading}");
        }
    }

    #[test]
    fn headings_of_passwords_are_known() {
        for heading in ["Senha", "SENHA GOV.BR", "gov.br", "Login gov.br", "senhaInss", "Password", "GovBR"]
            .into_iter()
            .chain([
                "Pwd",
                "PIN",
                "Login gov",
                "Login do INSS",
                "Meu INSS",
                "meuInss",
                "Conta gov",
                "GOV",
                "Palavra-passe",
                "Credenciais",
            ])
        {
            assert!(is_secret(heading), "{heading}");
        }
        for heading in [
            "Resenha",
            "Governo",
            "Órgão",
            "br",
            "INSS",
            "Login",
            "NB do INSS",
            "Gov. Valadares",
            "Pinheiro",
            "",
        ] {
            assert!(!is_secret(heading), "{heading}");
        }
    }

    #[test]
    fn hints_are_distinguished_from_other_things() {
        for (heading, name) in [
            ("CPF (somente números)", "CPF "),
            ("Celular (com DDD)", "Celular "),
            ("CPF [xxx.xxx.xxx-xx]", "CPF "),
            ("Nascimento - dd/mm/aaaa", "Nascimento"),
            ("Valor (R$)", "Valor "),
            ("Nome (*)", "Nome "),
            ("Sexo (M/F)", "Sexo "),
            ("CPF (pai e mãe)", "CPF (pai e mãe)"),
            ("CPF (cônjuge)", "CPF (cônjuge)"),
            ("Nome (mãe)", "Nome (mãe)"),
            ("Telefone (2)", "Telefone (2)"),
            ("Phone 1 - Value", "Phone 1 - Value"),
            ("Nome", "Nome"),
        ] {
            assert_eq!(without_hint(heading), name, "{heading}");
        }
    }
}
