//! The alert that webhooks wait because the data is a copy, and the button that resumes them.

use crate::console::prelude::*;
use crate::store::webhooks::{former_place, send_from};

/// Renders the alert with the button; empty if webhooks do not wait.
pub(in crate::console) async fn waiting(visit: &Visit) -> Markup {
    let here = visit.app().data_folder_id().clone();
    let read = move |db: Db<'_>| Ok(former_place(db, &here)?.map(|former| (former, here)));
    let Ok(Some((former, here))) = visit.read(read).await else { return html! {} };
    html! {
        div.alert {
            p {
                (visit.pick("Os webhooks esperam, porque ", "Webhooks are paused because ")) (former.message(&here, visit.lang)) ". "
                (visit.pick(
                    "Se o escritório trabalha aqui agora, continue a enviá-los daqui. Em uma cópia para experimentar, deixe como está.",
                    "If the office works here now, go on and send them from here. In a copy to try things out, leave it as it is.",
                ))
            }
            form.tools method="post" action={ (BASE) "/api" } {
                (csrf_field(visit))
                button.main type="submit" name="do" value="resume-webhooks" { (visit.pick("Enviar daqui", "Send from here")) }
            }
        }
    }
}

/// Makes this installation send the webhooks from now on.
pub(in crate::console) async fn resume(visit: &Visit) -> Result<Answer> {
    let resumed = visit.run_blocking(|console| {
        let here = console.api.app().data_folder_id().clone();
        console.api.app().store().write(move |tx| send_from(tx, &here)).ok()
    });
    match resumed.await? {
        Some(_) => {
            tracing::info!("webhooks are sent from here: resumed in the console");
            Ok(redirect(&format!("{BASE}/api")))
        }
        None => Ok(error_pages::store_unavailable(visit)),
    }
}
