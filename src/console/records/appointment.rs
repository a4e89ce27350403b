//! Short forms for a task without a lawsuit: an appointment to come, and one that was held (office 55).

use crate::api::tasks::begin::{APPOINTMENT, HELD};
use crate::console::prelude::*;
use crate::domain::{Invalid, Reason};
use crate::http::form::Fields;

/// The form in which a task is added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::console) enum TaskForm {
    /// With all fields. Also the form of records of other kinds.
    #[default]
    Whole,
    Appointment,
    /// Adds a completed task.
    Held,
}

impl TaskForm {
    /// Returns the form that the parameters of its URL choose.
    pub fn of<'a>(table: &Table, parameter: &dyn Fn(&str) -> &'a str) -> TaskForm {
        match (parameter(APPOINTMENT), parameter(HELD)) {
            _ if table.kind != Kind::Task => TaskForm::Whole,
            (_, held) if !held.is_empty() => TaskForm::Held,
            ("", _) => TaskForm::Whole,
            _ => TaskForm::Appointment,
        }
    }

    pub fn title(self) -> Option<Bilingual> {
        match self {
            TaskForm::Whole => None,
            TaskForm::Appointment => Some(("Novo atendimento", "New appointment")),
            TaskForm::Held => Some(("Registrar atendimento", "Log an appointment")),
        }
    }

    /// Refuses what was held on a day to come.
    pub fn refusal(self, fields: &Fields, visit: &Visit) -> Option<Problem> {
        let day = fields.iter().find(|(member, _)| *member == "start_date")?;
        let is_to_come = Day::parse(&day.1).is_ok_and(|day| day > visit.today);
        (self == TaskForm::Held && is_to_come).then(|| Invalid::one("start_date", Reason::AfterToday).into())
    }

    /// Returns the field to begin with, if it is not the first empty one.
    pub fn first(self, table: &'static Table) -> Option<&'static Field> {
        table.field("notes").filter(|_| self == TaskForm::Held)
    }

    pub fn hides(self, field: &Field) -> bool {
        let of_lawsuit = ["lawsuit_id", "publication_id", "date_deadline"].contains(&field.column);
        match self {
            TaskForm::Whole => false,
            TaskForm::Appointment => of_lawsuit,
            TaskForm::Held => of_lawsuit || ["urgent", "important"].contains(&field.column),
        }
    }
}
