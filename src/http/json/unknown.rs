//! Unknown parameters and members: ignored, or refused if the settings demand it (contract 1 and 3). Routes that the
//! cloud service does not have always refuse unknown parameters.

use std::collections::HashSet;

use crate::config::settings::UnknownParameters;
use crate::domain::{Invalid, Reason};
use crate::http::answers::problem::Problem;
use crate::http::requests::request::is_named;
use crate::http::requests::route::extract::RoutedRequest;
use crate::http::requests::route::{EXPIRES, SIGNATURE};

/// Ignores unknown parameters, or refuses them if the settings demand it or the cloud service does not have the route.
pub(in crate::http) fn parameters(routed: &RoutedRequest<'_>, names: Vec<String>, wrong: &mut Invalid) {
    match refuses(routed) || !routed.route.is_in_cloud {
        true => names.into_iter().for_each(|name| wrong.add(name, Reason::UnknownParameter)),
        false => routed.request.ignored.lock().parameters = names,
    }
}

/// Ignores unknown members, or refuses them if the settings demand it. `is_shown` returns `true` for those
/// that responses show. Refuses those of an upload that are parameters.
pub(in crate::http) fn members(
    routed: &RoutedRequest<'_>,
    names: &[String],
    is_shown: &dyn Fn(&str) -> bool,
    wrong: &mut Invalid,
) {
    let is_parameter =
        |name: &String| routed.route.takes_file && routed.query().iter().any(|(own, _)| is_named(own, name));
    for name in names {
        match (is_parameter(name), refuses(routed)) {
            (true, _) => wrong.add(name.clone(), Reason::UnknownParameter),
            (false, true) if is_shown(name) => wrong.add(name.clone(), Reason::NotWritable),
            (false, true) => wrong.add(name.clone(), Reason::UnknownMember),
            (false, false) => routed.request.ignored.lock().members.push(name.clone()),
        }
    }
}

/// Like [`parameters`], for every parameter of a route that reads no parameters. Fails with 422 if they are refused.
pub(in crate::http) fn all_parameters(routed: &RoutedRequest<'_>) -> Result<(), Problem> {
    let mut once = HashSet::new();
    let given = routed.query().iter().filter(|(_, text)| !text.trim().is_empty()).map(|(name, _)| name);
    let given =
        given.filter(|name| !(routed.route.is_signed && [EXPIRES, SIGNATURE].contains(&name.as_str())));
    let names = given.filter(|name| once.insert(*name)).cloned().collect::<Vec<_>>();
    let mut wrong = Invalid::new();
    if !names.is_empty() {
        parameters(routed, names, &mut wrong);
    }
    if wrong.is_empty() { Ok(()) } else { Err(Problem::from(wrong)) }
}

pub(in crate::http) fn refuses(routed: &RoutedRequest<'_>) -> bool {
    routed.call.settings().api.unknown_parameters == UnknownParameters::Refuse
}
