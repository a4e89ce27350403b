//! Notes as offices write them: short sentences with days, numbers and pages in them.

use super::chance::Chance;
use crate::domain::{Day, Notes};

const ACTS: &[&str] = &[
    "Audiência de conciliação designada",
    "Audiência de instrução marcada",
    "Contestação protocolada",
    "Réplica apresentada",
    "Petição inicial distribuída",
    "Perícia médica agendada",
    "Sentença de procedência publicada",
    "Sentença parcialmente procedente",
    "Recurso de apelação interposto",
    "Embargos de declaração opostos",
    "Agravo de instrumento pendente de julgamento",
    "Acordo homologado pelo juízo",
    "Alvará expedido em favor do cliente",
    "Penhora de valores deferida",
    "Cumprimento de sentença iniciado",
    "Cálculos de liquidação impugnados",
    "Mandado de citação devolvido sem cumprimento",
    "Tutela de urgência indeferida",
    "Justiça gratuita concedida",
    "Testemunhas arroladas",
];

const PEOPLE: &[&str] = &[
    "Cliente informado por telefone",
    "Cliente não atende as ligações",
    "Cliente trouxe os documentos que faltavam",
    "Parte contrária ofereceu acordo",
    "Perito pediu mais prazo",
    "Oficial de justiça não encontrou o réu",
    "Juíza determinou a emenda da inicial",
    "Advogado da outra parte pediu vista",
    "Estagiária vai ao cartório conferir os autos",
    "Família pede notícias toda semana",
];

const TASKS: &[&str] = &[
    "juntar procuração e comprovante de residência",
    "pedir certidão atualizada do imóvel",
    "conferir o depósito judicial",
    "avisar sobre a data da perícia",
    "preparar quesitos",
    "recolher as custas finais",
    "notificar a seguradora",
    "renovar o contrato de honorários",
    "verificar a prescrição",
    "levar as testemunhas",
];

/// Three to fifty words, more often few.
pub(super) fn notes(day: Day, chance: &mut Chance) -> Option<Notes> {
    let wanted = chance.within(3, 50).min(chance.within(3, 50)) as usize;
    let mut text = String::new();
    while text.split_whitespace().count() < wanted {
        if !text.is_empty() {
            text.push_str(if chance.percent(15) { "\n" } else { " " });
        }
        text.push_str(&sentence(day, chance));
    }
    let spare = text.match_indices([' ', '\n']).nth(49).map_or(text.len(), |(end, _)| end);
    Notes::parse(text.get(..spare)?).ok()
}

fn sentence(day: Day, chance: &mut Chance) -> String {
    let soon = |chance: &mut Chance| Day::from_number(day.number() + chance.below(300) as i32).map(Day::br);
    match chance.below(6) {
        0 => format!("{} para {}.", chance.one_of(ACTS), soon(chance).unwrap_or_default()),
        1 => format!(
            "{}; prazo de {} dias.",
            chance.one_of(ACTS),
            chance.pick(&[5, 8, 10, 15, 30]).unwrap_or(15)
        ),
        2 => format!("{} (fls. {}).", chance.one_of(ACTS), chance.within(2, 900)),
        3 => format!("{}.", chance.one_of(PEOPLE)),
        4 => format!("{}: {}.", chance.one_of(PEOPLE), chance.one_of(TASKS)),
        _ => format!("Falta {} até {}.", chance.one_of(TASKS), soon(chance).unwrap_or_default()),
    }
}
