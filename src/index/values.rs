//! Indexes of values that are no words: amounts, days, birthdays, guests, references, the newest.

pub(super) mod due;
pub(super) mod entries;
pub(super) mod idle;

pub(super) mod amounts;
pub(super) mod birthdays;
pub(super) mod days;
pub(super) mod guests;
pub(super) mod newest;
pub(super) mod reference;
