//! The three icons. Each has its own background, so that it looks the same on light and dark panels. They
//! differ in shape and in colour.

use super::{ServerState, TrayState};

/// The three versions of the icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IconState {
    Running,
    /// The person has paused the API.
    Paused,
    /// Something needs attention.
    Trouble,
}

impl TrayState {
    pub fn icon_state(&self) -> IconState {
        match (&self.trouble, self.server) {
            (Some(_), _) | (None, ServerState::Stopped | ServerState::Unresponsive) => IconState::Trouble,
            (None, ServerState::Paused) => IconState::Paused,
            (None, ServerState::Starting | ServerState::Running | ServerState::Stopping) => {
                IconState::Running
            }
        }
    }
}

/// Sizes in pixels, in the order in which `assets/tray/make` writes them.
const SIZES: [usize; 6] = [16, 22, 24, 32, 44, 48];

/// A square picture with four bytes per pixel: red, green, blue and alpha.
pub(super) struct Picture {
    pub size: usize,
    pub rgba: &'static [u8],
}

pub(super) fn pictures(icon_state: IconState) -> Vec<Picture> {
    let mut rest: &[u8] = match icon_state {
        IconState::Running => include_bytes!("../../assets/tray/running.rgba"),
        IconState::Paused => include_bytes!("../../assets/tray/paused.rgba"),
        IconState::Trouble => include_bytes!("../../assets/tray/trouble.rgba"),
    };
    let mut pictures = Vec::with_capacity(SIZES.len());
    for size in SIZES {
        let Some((rgba, behind)) = rest.split_at_checked(size * size * 4) else { break };
        pictures.push(Picture { size, rgba });
        rest = behind;
    }
    pictures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_icon_size_is_complete_and_differs_between_states() {
        let all = [IconState::Running, IconState::Paused, IconState::Trouble].map(pictures);
        for pictures in &all {
            assert_eq!(pictures.iter().map(|picture| picture.size).collect::<Vec<_>>(), SIZES);
            for Picture { size, rgba } in pictures {
                let pixel = |x: usize, y: usize| &rgba[(y * size + x) * 4..][..4];
                assert!(pixel(0, 0)[3] < 128, "the corners are round");
                assert_eq!(pixel(size / 2, size / 8)[3], 255, "the background is opaque");
            }
        }
        let total: usize = SIZES.iter().map(|size| size * size * 4).sum();
        assert_eq!(include_bytes!("../../assets/tray/running.rgba").len(), total);
        for size in 0..SIZES.len() {
            let [running, paused, trouble] = &all;
            // The icons also differ without colour, in the position of their light pixels.
            let light = |pictures: &[Picture]| {
                pictures[size]
                    .rgba
                    .chunks(4)
                    .map(|pixel| pixel[0] > 225 && pixel[1] > 225)
                    .collect::<Vec<_>>()
            };
            assert_ne!(light(running), light(paused));
            assert_ne!(light(running), light(trouble));
            assert_ne!(light(paused), light(trouble));
        }
    }
}
