//! Webhooks that wait since the data is a copy, and the button that goes on with them.

use std::sync::Arc;

use maud::{Markup, html};

use crate::console::enter;
use crate::console::page::{csrf_field, redirect};
use crate::console::paths::BASE;
use crate::console::state::Console;
use crate::console::visit::Visit;
use crate::http::Answer;
use crate::store::Db;
use crate::store::webhooks::{former_place, send_from};

/// Says that webhooks wait since the data is a copy, with the button that goes on with them; nothing if they do not.
pub(in crate::console) async fn waiting(console: &Arc<Console>, visit: &Visit) -> Markup {
    let here = console.api.app().place().clone();
    let read = move |db: Db<'_>| Ok(former_place(db, &here)?.map(|former| (former, here)));
    let Ok(Some((former, here))) = console.api.read_inside(&visit.id, read).await else { return html! {} };
    html! {
        div.alert {
            p {
                (visit.say("Os webhooks esperam, porque ", "Webhooks wait, because ")) (former.say(&here, visit.lang)) ". "
                (visit.say(
                    "Se o escritório trabalha aqui agora, continue a enviá-los daqui. Em uma cópia para experimentar, deixe como está.",
                    "If the office works here now, go on and send them from here. In a copy to try things out, leave it as it is.",
                ))
            }
            form.tools method="post" action={ (BASE) "/api" } {
                (csrf_field(visit))
                button.main type="submit" name="do" value="resume-webhooks" { (visit.say("Enviar daqui", "Send from here")) }
            }
        }
    }
}

/// Has webhooks be sent from here from now on.
pub(in crate::console) async fn resume(console: &Arc<Console>, visit: &Visit) -> Answer {
    let resumed = console.apart(|console| {
        let here = console.api.app().place().clone();
        console.api.app().store().write(move |tx| send_from(tx, &here)).ok()
    });
    match resumed.await {
        Some(_) => {
            tracing::info!("webhooks are sent from here: the console said so");
            redirect(&format!("{BASE}/api"))
        }
        None => enter::unreadable(visit),
    }
}
