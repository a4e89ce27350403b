//! Refuses requests of an office that is paused or damaged, and writes to a standby.

use crate::app::App;
use crate::http::answers::problem::Problem;

/// Fails if a user has paused the API (product 3), or if the store is damaged and its data may be wrong
/// (product 7). Such a request is not counted, because the client is not at fault.
pub fn ensure_served(app: &App) -> Result<(), Problem> {
    app.store().trusted()?;
    app.is_paused().then(Problem::paused).map_or(Ok(()), Err)
}

/// Fails if a request `writes` to a standby.
pub fn ensure_no_standby(app: &App, writes: bool) -> Result<(), Problem> {
    let Some(standby) = app.standby().filter(|_| writes) else { return Ok(()) };
    Err(Problem::standby(standby.office().as_deref()))
}

/// Fails on a standby, which cannot record what an assistant is shown.
pub fn ensure_recorded(app: &App) -> Result<(), Problem> {
    let Some(standby) = app.standby() else { return Ok(()) };
    Err(Problem::standby_unrecorded(standby.office().as_deref()))
}
