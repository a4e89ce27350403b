//! How the values of some keys are written: addresses, names, times.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

use crate::config::settings::Retention;
use crate::config::value::Value;

/// An address and a port. Of names only `localhost` is taken, as 127.0.0.1: any other would have to be looked up, and
/// might be another machine tomorrow.
pub fn address(text: &str) -> Option<SocketAddr> {
    let text = text.trim();
    if let Ok(address) = text.parse() {
        return Some(address);
    }
    let (name, port) = text.rsplit_once(':')?;
    let port = digits(port)?;
    name.eq_ignore_ascii_case("localhost").then(|| SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
}

/// Whole hours from an hour to 31 days, written as `12h` or `1d`.
pub(super) fn hours(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let number: u64 = digits(number)?;
    let hours = match unit {
        "h" => number,
        "d" => number.checked_mul(24)?,
        _ => return None,
    };
    (1..=31 * 24).contains(&hours).then_some(hours)
}

/// Days and months, written as `14d 12m`; without months none of them.
pub(super) fn keep(text: &str) -> Option<Retention> {
    let (days, months) = text.trim().split_once(' ').unwrap_or((text.trim(), "0m"));
    let number = |text: &str, unit| digits::<u16>(text.trim().strip_suffix(unit)?);
    let keep = Retention { daily: number(days, 'd')?, monthly: number(months, 'm')? };
    ((1..=366).contains(&keep.daily) && keep.monthly <= 120).then_some(keep)
}

/// A number of digits only: its own parser would take a sign as well.
fn digits<T: FromStr>(text: &str) -> Option<T> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

pub(super) fn choice<T: Copy>(value: &Value, choices: &[(&str, T)]) -> Option<T> {
    let text = value.text()?.trim();
    choices.iter().find(|(name, _)| *name == text).map(|(_, one)| *one)
}

pub(super) fn name_of<T: PartialEq>(value: T, choices: &[(&str, T)]) -> String {
    choices.iter().find(|(_, one)| *one == value).map(|(name, _)| *name).unwrap_or_default().to_owned()
}

pub(super) fn one_line(text: &str, longest: usize) -> Option<String> {
    let text = text.trim();
    let fits = text.chars().count() <= longest && !text.contains(char::is_control);
    fits.then(|| text.to_owned())
}

/// An address in its usual form, or a host name as RFC 1123 has it (and with `_`, which Windows allows in the names of
/// machines), in lower case and without the dot that may end it.
pub fn host(text: &str) -> Option<String> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    if let Ok(address) = bare.parse::<IpAddr>() {
        return Some(address.to_string());
    }
    let name = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    // A name whose last label is a number would be a mistyped address.
    let is_number =
        name.rsplit('.').next().is_some_and(|label| label.bytes().all(|byte| byte.is_ascii_digit()));
    (name.len() <= 253 && name.split('.').all(is_label) && !is_number).then_some(name)
}
