//! Whether a data folder has an office.

use crate::config::Config;
use crate::store;

/// Returns `true` if the data folder has an office.
pub fn has_office(config: &Config) -> bool {
    config.folders.data.join(store::FILE).exists()
}
