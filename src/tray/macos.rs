//! The tray on macOS: an application without a window or Dock icon; the tray lives on its main thread.

use std::cell::RefCell;

use dispatch2::DispatchQueue;
use objc2::MainThreadMarker;
use objc2_app_kit::{
    NSApplication, NSApplicationActivationPolicy, NSEvent, NSEventModifierFlags, NSEventType,
};
use objc2_foundation::NSPoint;

use super::native::{NativeTray, show};
use super::{Ask, Notice, Notices, Unavailable};
use crate::domain::Lang;

/// 22 points on a Retina screen, in pixels.
const SIZE: usize = 44;

thread_local! {
    /// Belongs to the main thread, which alone may access it.
    static SHOWN: RefCell<Option<NativeTray>> = const { RefCell::new(None) };
}

pub(super) fn run(lang: Lang, ask: Ask, ready: impl FnOnce(Notices) + 'static) -> Result<(), Unavailable> {
    let Some(main) = MainThreadMarker::new() else {
        return Err(Unavailable("not on the main thread".to_owned()));
    };
    let application = NSApplication::sharedApplication(main);
    application.setActivationPolicy(NSApplicationActivationPolicy::Accessory);
    SHOWN.set(Some(show(lang, SIZE, ask)?));
    ready(Notices(Box::new(|notice| DispatchQueue::main().exec_async(move || take(notice)))));
    application.run();
    SHOWN.set(None);
    Ok(())
}

fn take(notice: Notice) {
    match notice {
        Notice::State(state) => SHOWN.with_borrow_mut(|shown| {
            if let Some(shown) = shown {
                shown.update(&state);
            }
        }),
        Notice::Quit => {
            let Some(main) = MainThreadMarker::new() else { return };
            let application = NSApplication::sharedApplication(main);
            application.stop(None);
            // The application stops only after another event, so an empty one is posted.
            let event = NSEvent::otherEventWithType_location_modifierFlags_timestamp_windowNumber_context_subtype_data1_data2(
                NSEventType::ApplicationDefined,
                NSPoint::ZERO,
                NSEventModifierFlags::empty(),
                0.0,
                0,
                None,
                0,
                0,
                0,
            );
            if let Some(event) = event {
                application.postEvent_atStart(&event, true);
            }
        }
    }
}
