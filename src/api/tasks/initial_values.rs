//! The initial values of a new task's form, taken from the task's lawsuit and publication.

use crate::api::console_pages::{InitialValues, NamedRecords};
use crate::domain::Day;
use crate::domain::text::fold;
use crate::records::{
    Customer, CustomerId, FieldType, Lawsuit, LawsuitId, List, Publication, PublicationId, Value,
};
use crate::store::lists::{all, is_active};
use crate::store::{Db, StoreResult, records};

/// The folded name of the task type for publications. Used if the office has such a type.
const OF_DEADLINE: &str = "prazo";

/// Beginnings of the folded names of task types for appointments, likeliest first.
const OF_APPOINTMENT: [&str; 3] = ["atendimento", "consulta", "reuniao"];
/// Names in the form's URL that make it one for an appointment, and for one that was held (office 55).
pub const APPOINTMENT: &str = "appointment";
pub const HELD: &str = "held";
/// Name in the form's URL of the publication that the task responds to.
pub const PUBLICATION: &str = "publications_id";

/// Returns the initial values of a new task, which is shown in the agenda. Guest and author are the
/// publication's own responsible user, or else the lawsuit's, if that user is active. Author of a customer's task is who added
/// the customer. A publication also sets
/// the lawsuit, the type, the deadline and the day: the deadline, or today if the deadline is past or missing.
pub(super) fn initial_values(
    db: Db<'_>,
    named_record: NamedRecords<'_>,
    today: Day,
) -> StoreResult<InitialValues> {
    let mut values = vec![("display_schedule", Value::Integer(1))];
    let publication = match named_record(PUBLICATION) {
        Some(id) => records::by_id::<Publication>(db, PublicationId::from_stored(id))?,
        None => None,
    };
    let of_publication = publication.as_ref().and_then(|publication| publication.lawsuit_id);
    let lawsuit = match named_record("lawsuits_id").map(LawsuitId::from_stored).or(of_publication) {
        Some(id) => records::by_id::<Lawsuit>(db, id)?.map(|lawsuit| (id, lawsuit.user_id)),
        None => None,
    };
    if let Some((id, _)) = lawsuit {
        values.push(("lawsuits_id", id.to_value().into_owned()));
    }
    let customer = match named_record("customers_id").map(CustomerId::from_stored) {
        Some(id) => records::by_id::<Customer>(db, id)?,
        None => None,
    };
    let own = publication.as_ref().and_then(|publication| publication.own_responsible_id);
    let responsible = own.or(lawsuit.map(|(_, user)| user));
    if let Some(user) = responsible.or(customer.map(|customer| customer.user_id))
        && is_active(db, List::Users, user.get())? == Some(true)
    {
        values.extend(responsible.map(|user| ("guests", vec![user].to_value().into_owned())));
        values.push(("from", user.to_value().into_owned()));
    }
    if named_record(APPOINTMENT).is_some() {
        let types = all(db, List::Tasks)?;
        let named = |word: &&str| {
            types
                .iter()
                .find(|kind| kind.active && fold(kind.name.as_str()).starts_with(*word))
                .map(|kind| kind.id)
        };
        let kind = OF_APPOINTMENT.iter().find_map(named);
        values.extend(kind.map(|id| ("tasks_id", Value::Integer(id.into()))));
    }
    if named_record(HELD).is_some() {
        values.push(("start_date", today.to_value().into_owned()));
    }
    if let Some(publication) = publication {
        let deadline = publication.date_deadline;
        values.push(("start_date", deadline.map_or(today, |day| day.max(today)).to_value().into_owned()));
        values.extend(deadline.map(|deadline| ("date_deadline", deadline.to_value().into_owned())));
        let types = all(db, List::Tasks)?;
        let of_deadline = types.iter().find(|kind| kind.active && fold(kind.name.as_str()) == OF_DEADLINE);
        values.extend(of_deadline.map(|kind| ("tasks_id", Value::Integer(kind.id.into()))));
    }
    Ok(values)
}
