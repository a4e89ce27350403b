//! Invented customers: people, and one in eight a company.

use super::Office;
use super::places::{City, street};
use super::random::{Rng, scattered};
use super::words::list;
use crate::domain::text::fold;
use crate::domain::{Cnpj, Cpf, Day, Email, Gender, Name, Notes, Phone, PostalCode, Short, State, TaxId};
use crate::records::Customer;

/// Percentage of companies among the customers.
const COMPANIES: u32 = 12;

/// Makes the customer of `row`. Returns `None` only if a constant table is wrong.
pub(super) fn customer(office: &Office, row: u32) -> Option<Customer> {
    let chance = &mut Rng::of(office.seed, 1, row);
    let city = office.cities.draw(chance)?;
    if chance.percent(COMPANIES) {
        company(office, row, city, chance)
    } else {
        person(office, row, city, chance)
    }
}

fn person(office: &Office, row: u32, city: City, chance: &mut Rng) -> Option<Customer> {
    let woman = chance.percent(52);
    let given = office.names.given(woman, chance);
    let name = format!("{given} {}", office.names.family(chance));
    let mut fields = with_address(office, Name::parse(&name).ok()?, city, chance)?;
    fields.identification = chance.often(93, |chance| {
        let nine = format!("{:08}{}", scattered(office.seed, row), chance.below(10));
        Cpf::beginning_with(&nine).map(TaxId::Cpf)
    });
    fields.document = chance.often(60, |chance| identity_card(city, chance));
    fields.gender = chance.often(85, |chance| match (chance.below(200), woman) {
        (0, _) => Some(Gender::Other),
        (_, true) => Some(Gender::Female),
        (_, false) => Some(Gender::Male),
    });
    let ending = if woman { 'a' } else { 'o' };
    fields.civil_status = chance.often(70, |chance| {
        let status = chance.one_of(&["Solteir", "Casad", "Casad", "Divorciad", "Viúv", "União estável"]);
        let ending = if status.ends_with('l') { String::new() } else { ending.to_string() };
        Short::parse(&format!("{status}{ending}")).ok()
    });
    fields.occupation = chance.often(65, |chance| Short::parse(chance.one_of(list("occupations"))).ok());
    fields.nationality = chance.often(60, |_| Short::parse(&format!("Brasileir{ending}")).ok());
    fields.birthdate = chance.often(78, birthdate);
    fields.number_ctps = chance.often(25, |chance| {
        let number = chance.within(10_000, 9_999_999);
        let series = chance.within(1, 999);
        Short::parse(&format!("{number}/{series:05}-{}", city.state)).ok()
    });
    fields.number_pis = chance.often(20, |chance| {
        let first = chance.within(10_000, 99_999);
        let second = chance.below(100);
        let start = chance.within(120, 209);
        Short::parse(&format!("{start}.{first}.{second:02}-{}", chance.below(10))).ok()
    });
    fields.number_cid = chance.often(3, |chance| Short::parse(chance.one_of(list("diseases"))).ok());
    fields.email = chance.often(70, |chance| email(&name, chance));
    Some(fields)
}

fn company(office: &Office, row: u32, city: City, chance: &mut Rng) -> Option<Customer> {
    let surname = office.names.surname(chance);
    let activity = chance.one_of(list("activities"));
    let kind = chance.one_of(&["Ltda", "Ltda", "Ltda", "Ltda ME", "ME", "EPP", "S/A", "S.A.", "EIRELI"]);
    let name = match chance.below(5) {
        0 => format!("{surname} & {} {activity} {kind}", office.names.surname(chance)),
        1 => format!("{activity} {} {kind}", city.name),
        2 => format!("{} {} {kind}", office.names.given(chance.percent(50), chance), surname),
        3 => format!("{surname} {activity} {kind}"),
        _ => format!("{activity} {surname} {kind}"),
    };
    let mut fields = with_address(office, Name::parse(&name).ok()?, city, chance)?;
    fields.identification = chance.often(95, |chance| {
        let digits = format!("{:08}", scattered(office.seed, row));
        // Letters are in force since July 2026 (Receita Federal, IN RFB 2.229/2024), so few companies have them yet.
        let root = if chance.percent(15) { lettered(&digits, chance) } else { digits };
        let branch = if chance.percent(90) { 1 } else { chance.within(2, 12) };
        Cnpj::beginning_with(&format!("{root}{branch:04}")).map(TaxId::Cnpj)
    });
    fields.email = chance.often(80, |chance| email(&name, chance));
    Some(fields)
}

/// Makes the fields that people and companies have in common.
fn with_address(office: &Office, name: Name, city: City, chance: &mut Rng) -> Option<Customer> {
    let origin = office.origins.draw(chance)?;
    let mut fields = Customer::new(chance.pick(&office.users)?, origin, name)?;
    if chance.percent(86) {
        fields.street = Short::parse(&street(chance)).ok();
        fields.region = Short::parse(chance.one_of(list("districts"))).ok();
        fields.city = Short::parse(city.name).ok();
        fields.state = State::parse(city.state).ok();
        let code = city.postal_prefix * 1_000_000 + chance.below(1_000_000);
        fields.postalcode = PostalCode::parse(&format!("{code:08}")).ok();
        fields.country = chance.often(70, |_| Short::parse("Brasil").ok());
    }
    fields.cellphone = chance.often(86, |chance| match chance.below(150) {
        0 => foreign(chance),
        _ => Phone::parse(&format!("{}9{:08}", city.area_code, chance.within(60_000_000, 99_999_999))).ok(),
    });
    fields.phone = chance.often(35, |chance| {
        Phone::parse(&format!("{}{:08}", city.area_code, chance.within(30_000_000, 39_999_999))).ok()
    });
    fields.notes =
        chance.often(20, |chance| Notes::parse(&chance.one_of(list("remarks")).replace("\\n", "\n")).ok());
    Some(fields)
}

/// Makes a phone number of Portugal, the United States, Argentina, Paraguay or Italy.
fn foreign(chance: &mut Rng) -> Option<Phone> {
    let start = chance.one_of(&["+35191", "+1305", "+5491", "+59598", "+3933"]);
    Phone::parse(&format!("{start}{:07}", chance.below(10_000_000))).ok()
}

/// Makes a date of birth of a person of age in 2026. One in three hundred is set to 29 February, more than
/// chance gives.
fn birthdate(chance: &mut Rng) -> Option<Day> {
    if chance.below(300) == 0 {
        return Day::from_ymd(1932 + 4 * chance.below(19) as i16, 2, 29);
    }
    let oldest = Day::from_ymd(1932, 1, 1)?.number();
    let youngest = Day::from_ymd(2007, 12, 31)?.number();
    // The larger of two draws, so that young people are more frequent.
    let days = youngest.abs_diff(oldest);
    Day::from_number(oldest + chance.within(0, days).max(chance.within(0, days)) as i32)
}

fn identity_card(city: City, chance: &mut Rng) -> Option<Short> {
    let millions = chance.within(1, 9);
    let thousands = chance.below(1000);
    let units = chance.below(1000);
    Short::parse(&match chance.below(3) {
        0 => format!("{millions}{thousands:03}{units:03}"),
        1 => format!("{millions}.{thousands:03}.{units:03} SSP/{}", city.state),
        _ => format!("{millions}{}.{thousands:03}.{units:03}-{}", chance.below(10), chance.below(10)),
    })
    .ok()
}

/// Replaces two of the digits by letters. Each digit has its own letters, so unique numbers stay unique.
fn lettered(digits: &str, chance: &mut Rng) -> String {
    let first = chance.below(8);
    let second = chance.below(8);
    let letter = |digit: char, other: u32| {
        let letter = digit.to_digit(10).unwrap_or_default() * 2 + other;
        char::from_digit(10 + letter, 36).unwrap_or('a').to_ascii_uppercase()
    };
    let becomes = |(place, digit): (u32, char)| match place == first || place == second {
        true => letter(digit, chance.below(2)),
        false => digit,
    };
    (0..).zip(digits.chars()).map(becomes).collect()
}

/// Makes an address at a reserved domain (RFC 2606), so that e-mail to invented customers reaches no one.
fn email(name: &str, chance: &mut Rng) -> Option<Email> {
    let folded = fold(name);
    let mut words = folded.split(' ').filter(|word| word.len() > 2);
    let first = words.next()?;
    let last = words.next_back().unwrap_or_default();
    let dot = if last.is_empty() { "" } else { chance.one_of(&[".", "_", ""]) };
    let number = if chance.percent(55) { chance.within(1, 99).to_string() } else { String::new() };
    let domain = chance.one_of(&["correio", "correio", "mail", "email", "caixa-postal", "escritorio.mail"]);
    Email::parse(&format!("{first}{dot}{last}{number}@{domain}.example")).ok()
}
