//! Days, months, times of day and moments.

pub mod date;
pub mod day_time;
pub mod moment;
pub mod names;
pub mod time_of_day;
pub mod year_month;
