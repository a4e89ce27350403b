//! Invented movements: what courts tell of lawsuits, and what the office itself notes.

use super::chance::Chance;
use super::{Office, lawsuits, words};
use crate::domain::{Day, ExternalIds, TimeOfDay, Wording};
use crate::records::Movement;

const OF_COURTS: &[&str] = &[
    "Conclusos para despacho",
    "Conclusos para decisão",
    "Proferido despacho de mero expediente",
    "Juntada de petição de contestação",
    "Juntada de petição de manifestação",
    "Juntada de certidão do oficial de justiça",
    "Expedição de intimação eletrônica",
    "Expedição de mandado de citação",
    "Decorrido o prazo da parte autora sem manifestação",
    "Audiência de conciliação realizada, sem acordo",
    "Julgado procedente em parte o pedido",
    "Julgado improcedente o pedido",
    "Homologada a transação entre as partes",
    "Recebido o recurso com efeito suspensivo",
    "Transitado em julgado",
    "Arquivados os autos definitivamente",
    "Remetidos os autos ao Tribunal",
    "Publicado no diário eletrônico",
];

/// The movement of that row, 0 being the first, entered on `day`; nothing only where one of the tables is wrong.
pub(super) fn movement(office: &Office, row: u32, day: Day) -> Option<Movement> {
    let mut chance = Chance::of(office.seed, 7, row);
    let chance = &mut chance;
    let lawsuit_id = lawsuits::there(office, row, office.plan.movements, chance)?;
    let number = lawsuits::numbered(office, lawsuit_id)?.process_number;
    // What courts tell is known some days later; where they tell nothing, the office writes all of it.
    let header = chance.often(85, |_| lawsuits::court(number.as_ref()?));
    let (date, title) = match header {
        Some(_) => {
            (Day::from_number(day.number() - chance.below(4) as i32)?, chance.one_of(OF_COURTS).to_owned())
        }
        None => (day, words::notes(day, chance)?.to_string()),
    };
    Some(Movement {
        lawsuit_id,
        date,
        title: Wording::parse(&title).ok()?,
        time: chance.often(if header.is_some() { 70 } else { 20 }, |chance| {
            let (hour, minute) = (chance.within(7, 19), chance.below(60));
            TimeOfDay::parse(&format!("{hour:02}:{minute:02}")).ok()
        }),
        user_id: if header.is_some() { None } else { chance.pick(&office.users) },
        header,
        external_ids: ExternalIds::default(),
    })
}
