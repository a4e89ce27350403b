//! Unknown parameters and members: ignored, or refused if the settings demand it (contract 1 and 3).

use std::collections::HashSet;

use super::extract::Routed;
use super::problem::Problem;
use crate::config::settings::UnknownParameters;
use crate::domain::{Invalid, Reason};

/// Ignores unknown parameters, or refuses them if the settings demand it.
pub(super) fn parameters(routed: &Routed<'_>, names: Vec<String>, wrong: &mut Invalid) {
    match refuses(routed) {
        true => names.into_iter().for_each(|name| wrong.add(name, Reason::UnknownParameter)),
        false => routed.request.ignored.lock().parameters = names,
    }
}

/// Ignores unknown members, or refuses them if the settings demand it. `is_shown` returns `true` for those
/// that responses show.
pub(super) fn members(
    routed: &Routed<'_>,
    names: &[String],
    is_shown: impl Fn(&str) -> bool,
    wrong: &mut Invalid,
) {
    if !refuses(routed) {
        routed.request.ignored.lock().members.extend_from_slice(names);
        return;
    }
    for name in names {
        let reason = if is_shown(name) { Reason::NotWritable } else { Reason::UnknownMember };
        wrong.add(name.clone(), reason);
    }
}

/// Like [`parameters`], for every parameter of a route that reads no parameters. Fails with 422 if they are refused.
pub(super) fn all_parameters(routed: &Routed<'_>) -> Result<(), Problem> {
    let mut once = HashSet::new();
    let given = routed.query().iter().filter(|(_, text)| !text.trim().is_empty()).map(|(name, _)| name);
    let names = given.filter(|name| once.insert(*name)).cloned().collect::<Vec<_>>();
    let mut wrong = Invalid::new();
    if !names.is_empty() {
        parameters(routed, names, &mut wrong);
    }
    if wrong.is_empty() { Ok(()) } else { Err(Problem::from(wrong)) }
}

pub(super) fn refuses(routed: &Routed<'_>) -> bool {
    routed.call.settings().api.unknown_parameters == UnknownParameters::Refuse
}
