//! Names that no rule knows, of parameters and of members: ignored, or refused if the office wants that (contract 1 and 3).

use std::collections::HashSet;

use super::call::Call;
use super::problem::Problem;
use crate::config::settings::UnknownParameters;
use crate::domain::{Invalid, Reason};

/// Ignores parameters that no rule knows, or refuses them if the office wants that.
pub(super) fn parameters(call: &Call<'_>, names: Vec<String>, wrong: &mut Invalid) {
    match refuses(call) {
        true => names.into_iter().for_each(|name| wrong.add(name, Reason::UnknownParameter)),
        false => call.request.ignored.lock().parameters = names,
    }
}

/// Ignores members that no rule knows, or refuses them if the office wants that. `is_shown` tells which of them answers show
/// all the same.
pub(super) fn members(
    call: &Call<'_>,
    names: &[String],
    is_shown: impl Fn(&str) -> bool,
    wrong: &mut Invalid,
) {
    if !refuses(call) {
        call.request.ignored.lock().members.extend_from_slice(names);
        return;
    }
    for name in names {
        let reason = if is_shown(name) { Reason::NotWritable } else { Reason::UnknownMember };
        wrong.add(name.clone(), reason);
    }
}

/// Ignores every parameter of a route that takes none, or refuses them if the office wants that.
///
/// # Errors
/// 422 on each of them if they are refused.
pub(super) fn all_parameters(call: &Call<'_>) -> Result<(), Problem> {
    let mut once = HashSet::new();
    let given = call.query().iter().filter(|(_, text)| !text.trim().is_empty()).map(|(name, _)| name);
    let names = given.filter(|name| once.insert(*name)).cloned().collect::<Vec<_>>();
    let mut wrong = Invalid::new();
    if !names.is_empty() {
        parameters(call, names, &mut wrong);
    }
    if wrong.is_empty() { Ok(()) } else { Err(Problem::from(wrong)) }
}

fn refuses(call: &Call<'_>) -> bool {
    call.settings().api.unknown_parameters == UnknownParameters::Refuse
}
