//! The words of `words.txt`, and notes as offices write them: short sentences with days, numbers and pages.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::random::Rng;
use crate::domain::{Day, Notes};

static LISTS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let lists = include_str!("words.txt").split("\n[").skip(1).filter_map(|list| list.split_once("]\n"));
    lists.map(|(name, items)| (name, items.trim_end().split(['|', '\n']).map(str::trim).collect())).collect()
});

/// Returns a list of `words.txt`.
pub(super) fn list(name: &str) -> &'static [&'static str] {
    LISTS.get(name).map_or(&[], Vec::as_slice)
}

/// Makes a note of about three to fifty words, mostly few.
pub(super) fn notes(day: Day, chance: &mut Rng) -> Option<Notes> {
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

fn sentence(day: Day, chance: &mut Rng) -> String {
    let soon = |chance: &mut Rng| Day::from_number(day.number() + chance.below(300) as i32).map(Day::br);
    match chance.below(6) {
        0 => format!("{} para {}.", chance.one_of(list("acts")), soon(chance).unwrap_or_default()),
        1 => format!(
            "{}; prazo de {} dias.",
            chance.one_of(list("acts")),
            chance.pick(&[5, 8, 10, 15, 30]).unwrap_or(15)
        ),
        2 => format!("{} (fls. {}).", chance.one_of(list("acts")), chance.within(2, 900)),
        3 => format!("{}.", chance.one_of(list("people"))),
        4 => format!("{}: {}.", chance.one_of(list("people")), chance.one_of(list("tasks"))),
        _ => format!("Falta {} até {}.", chance.one_of(list("tasks")), soon(chance).unwrap_or_default()),
    }
}
