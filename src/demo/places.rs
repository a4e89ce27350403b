//! Places: cities with state, area code and range of postal codes, larger ones drawn more often; streets and districts.

use super::random::Rng;
use super::words::list;

/// A city with its codes.
#[derive(Clone, Copy)]
pub(super) struct City {
    pub name: &'static str,
    pub state: &'static str,
    pub area_code: &'static str,
    pub postal_prefix: u32,
}

/// Returns the cities, the largest first.
pub(super) fn all() -> Vec<City> {
    let cities = list("cities").iter().filter_map(|city| {
        let mut parts = city.split(", ");
        let name = parts.next()?;
        let state = parts.next()?;
        let area_code = parts.next()?;
        Some(City { name, state, area_code, postal_prefix: parts.next()?.parse().ok()? })
    });
    cities.collect()
}

/// Makes an address of street, number and sometimes a flat.
pub(super) fn street(chance: &mut Rng) -> String {
    let kind = chance.one_of(&["Rua", "Rua", "Rua", "Rua", "Avenida", "Travessa", "Rodovia", "Alameda"]);
    let name = chance.one_of(list("streets"));
    let number = chance.within(1, 2500);
    match chance.below(100) {
        0..20 => format!("{kind} {name}, {number}, apto {}0{}", chance.within(1, 9), chance.within(1, 4)),
        20..25 => format!("{kind} {name}, {number}, sala {}", chance.within(1, 40)),
        25..28 => format!("{kind} {name}, s/n"),
        _ => format!("{kind} {name}, {number}"),
    }
}
