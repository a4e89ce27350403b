//! The forms of a new task: whole, for the deadline of a publication, and short ones for an appointment to come and one that
//! was held (office 55).

use crate::api::tasks::initial_values::{APPOINTMENT, HELD, PUBLICATION};
use crate::console::prelude::*;
use crate::domain::{Invalid, Reason};
use crate::http::json::form::Fields;
use crate::records::DayRule;

/// The form in which a task is added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::console) enum TaskForm {
    /// With all fields. Also the form of records of other kinds.
    #[default]
    Whole,
    /// With all fields, beginning at the deadline that the publication leads to.
    Deadline,
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
            ("", _) if parameter(PUBLICATION).is_empty() => TaskForm::Whole,
            ("", _) => TaskForm::Deadline,
            _ => TaskForm::Appointment,
        }
    }

    pub fn title(self) -> Option<Bilingual> {
        match self {
            TaskForm::Whole | TaskForm::Deadline => None,
            TaskForm::Appointment => Some(("Novo atendimento", "New appointment")),
            TaskForm::Held => Some(("Registrar atendimento", "Log an appointment")),
        }
    }

    /// Returns the days that the form accepts in a field: what was held neither begins nor ends on a day to come.
    pub fn days(self, field: &Field) -> DayRule {
        if self == TaskForm::Held { DayRule::UntilToday } else { field.days }
    }

    /// Refuses days that only this form does not accept.
    pub fn refusal(self, table: &Table, fields: &Fields, today: Day) -> Option<Problem> {
        let mut refused = Invalid::new();
        for (member, text) in fields {
            let days = table.member(member).map(|field| self.days(field));
            if days == Some(DayRule::UntilToday) && Day::parse(text).is_ok_and(|day| day > today) {
                refused.add(*member, Reason::AfterToday);
            }
        }
        (!refused.is_empty()).then(|| refused.into())
    }

    /// Returns the field to begin with, if it is not the first empty one.
    pub fn first(self, table: &'static Table) -> Option<&'static Field> {
        match self {
            TaskForm::Whole | TaskForm::Appointment => None,
            TaskForm::Deadline => table.field("date_deadline"),
            TaskForm::Held => table.field("notes"),
        }
    }

    /// Returns the heading of the first fields, if it is not that of their section.
    pub fn legend(self) -> Option<Bilingual> {
        (self == TaskForm::Held).then_some(("O que foi feito", "What was done"))
    }

    /// `true` for the forms without the fields of a lawsuit, of which hints speak.
    pub fn is_short(self) -> bool {
        matches!(self, TaskForm::Appointment | TaskForm::Held)
    }

    pub fn hides(self, field: &Field) -> bool {
        let of_lawsuit = ["lawsuit_id", "publication_id", "date_deadline"].contains(&field.column);
        match self {
            TaskForm::Whole | TaskForm::Deadline => false,
            TaskForm::Appointment => of_lawsuit,
            TaskForm::Held => of_lawsuit || ["urgent", "important"].contains(&field.column),
        }
    }
}
