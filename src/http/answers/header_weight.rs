//! Weights of the members of `Accept` and similar headers (RFC 9110, 12.4.2).

/// Splits a member into its value and its weight in thousandths; other parameters are ignored. The weight is `None` if it
/// is invalid.
pub fn weighted(member: &str) -> (&str, Option<u32>) {
    let mut parts = member.split(';').map(str::trim);
    let value = parts.next().unwrap_or_default();
    let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    let weight = weight.map_or(Some(1.0), |weight| weight.parse::<f32>().ok());
    let weight = weight.filter(|weight| (0.0..=1.0).contains(weight));
    // Integers, because floats have no total order.
    (value, weight.map(|weight| (weight * 1000.0).round() as u32))
}
