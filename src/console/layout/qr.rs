//! QR codes as SVG.

use qrcodegen::{QrCode, QrCodeEcc, QrSegment, Version};

use crate::console::prelude::*;

/// Number of modules that stay white on each side, as the standard requires.
const QUIET_MODULES: i32 = 4;

/// Renders the QR code of an address.
pub(in crate::console) fn qr(address: &str, visit: &Visit) -> Markup {
    let label = [visit.pick("Código QR de ", "QR code of "), address].concat();
    QrCode::encode_text(address, QrCodeEcc::Medium).map_or_else(|_| html! {}, |code| svg(&code, &label))
}

/// Returns the smallest code of a text up to a version, from 1 to 40, or `None` if the text is too long for it. The
/// better error correction that its size leaves room for comes along.
pub(in crate::console) fn code_up_to(largest: u8, text: &str) -> Option<QrCode> {
    let segments = QrSegment::make_segments(text);
    QrCode::encode_segments_advanced(
        &segments,
        QrCodeEcc::Low,
        Version::MIN,
        Version::new(largest),
        None,
        true,
    )
    .ok()
}

/// Renders a code, black on white in dark pages too: many cameras read no other.
pub(in crate::console) fn svg(code: &QrCode, label: &str) -> Markup {
    let side = code.size() + 2 * QUIET_MODULES;
    html! {
        svg.qr xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (side) " " (side) } shape-rendering="crispEdges" role="img" aria-label=(label) {
            rect width=(side) height=(side) fill="#fff" {}
            path d=(dark_runs(code)) fill="#000" {}
        }
    }
}

/// Returns the path of the dark modules, a rectangle for each run of a row.
fn dark_runs(code: &QrCode) -> String {
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let length = (x..code.size()).take_while(|x| code.get_module(*x, y)).count();
            if length > 0 {
                path += &format!("M{} {}h{length}v1h-{length}z", x + QUIET_MODULES, y + QUIET_MODULES);
            }
            x += i32::try_from(length).unwrap_or_default().max(1);
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_has_each_dark_module_once() {
        let code = code_up_to(40, "BEGIN:VCARD").unwrap();
        let numbers = |run: &str| -> [i32; 3] {
            let parts: Vec<_> =
                run.split([' ', 'h', 'v']).take(3).map(|part| part.parse().unwrap()).collect();
            parts.try_into().unwrap()
        };
        let path = dark_runs(&code);
        let drawn = path
            .split('M')
            .skip(1)
            .map(numbers)
            .flat_map(|[x, y, length]| (x..x + length).map(move |x| (x, y)));
        let mut drawn = drawn.map(|(x, y)| (x - QUIET_MODULES, y - QUIET_MODULES)).collect::<Vec<_>>();
        drawn.sort_unstable();
        let all = (0..code.size()).flat_map(|x| (0..code.size()).map(move |y| (x, y)));
        assert_eq!(drawn, all.filter(|(x, y)| code.get_module(*x, *y)).collect::<Vec<_>>());
    }
}
