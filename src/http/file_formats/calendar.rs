//! Tasks as a calendar (RFC 5545): a list, which programs follow by its address, or one task (deadlines 32).

use std::borrow::Cow;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};
use serde::Deserialize;

use super::content_line::{escaped, push_line};
use crate::domain::text::fold;
use crate::domain::{Bilingual, Day, Lang, ProcessNumber};
use crate::records::{Kind, Table};
use crate::store::nouns::tasks;
use crate::store::{self, Db};

/// `Content-Type` of a calendar.
pub const CALENDAR: &str = "text/calendar; charset=utf-8";

/// Parameter that adds names, places and whole numbers to a calendar.
pub(in crate::http) const NAMES: &str = "names";

/// The days of a calendar: events that end before the first or begin after the last are left out.
const DAYS_BACK: i32 = 30;
const DAYS_AHEAD: i32 = 365;

/// Duration of a task without an end, as in the agenda.
const DEFAULT_DURATION: SignedDuration = SignedDuration::from_hours(1);

/// Words in the name of a task's type that make it a hearing, folded.
const HEARINGS: [&str; 3] = ["audiencia", "audiencias", "hearing"];

const DEADLINE: Bilingual = ("Prazo final", "Deadline");

/// The last line of a calendar.
pub(in crate::http) const CLOSING: &[u8] = b"END:VCALENDAR\r\n";

/// Returns `true` if the list of this table can be read as a calendar.
pub(in crate::http) fn is_of(table: &Table) -> bool {
    table.kind == Kind::Task
}

/// How tasks are written as events.
pub struct CalendarForm {
    pub zone: TimeZone,
    /// The day around which events are included. `None` includes all.
    pub today: Option<Day>,
    pub lang: Lang,
    /// `true` if events have names, places and whole numbers of lawsuits.
    pub with_names: bool,
    /// Makes the ids of events unique among all calendars (RFC 5545, 3.8.4.7).
    pub id: String,
}

/// The members of a task that events are made of. Those that the caller may not see are absent.
#[derive(Deserialize)]
struct TaskMembers<'a> {
    id: u32,
    date: DateTime,
    end: Option<DateTime>,
    date_deadline: Option<Date>,
    #[serde(borrow)]
    task: Option<Cow<'a, str>>,
    #[serde(borrow)]
    local: Option<Cow<'a, str>>,
    #[serde(borrow)]
    lawsuit: Option<LawsuitMembers<'a>>,
    #[serde(borrow)]
    status: Cow<'a, str>,
    updated_at: DateTime,
}

#[derive(Deserialize)]
struct LawsuitMembers<'a> {
    #[serde(borrow)]
    process_number: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    customers: Vec<CustomerMembers<'a>>,
}

#[derive(Deserialize)]
struct CustomerMembers<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
}

/// The time of an event, without its end.
enum EventTime {
    Days(Date, Date),
    Moments(Timestamp, Timestamp),
}

impl CalendarForm {
    /// Returns a calendar of one task and its deadline, without names. `id` is that of [`CalendarForm`].
    pub fn of_task(
        json: &[u8],
        zone: TimeZone,
        lang: Lang,
        id: String,
    ) -> Result<Vec<u8>, serde_json::Error> {
        let form = CalendarForm { zone, today: None, lang, with_names: false, id };
        Ok([&*CalendarForm::opening(None), &form.events([json])?, CLOSING].concat())
    }

    /// Returns the start of a calendar. One with a name is followed by programs, and one without is only taken over.
    pub fn opening(name: Option<&str>) -> Vec<u8> {
        let mut calendar = String::new();
        let mut push = |property: &str, value: &str| push_line(&mut calendar, property, value);
        push("BEGIN", "VCALENDAR");
        push("VERSION", "2.0");
        push("PRODID", "-//Pleito//Pleito//PT");
        push("CALSCALE", "GREGORIAN");
        if let Some(name) = name {
            push("X-WR-CALNAME", &escaped(name));
            push("REFRESH-INTERVAL;VALUE=DURATION", "PT1H");
            push("X-PUBLISHED-TTL", "PT1H");
        }
        calendar.into_bytes()
    }

    /// Formats tasks from JSON as events. Fails if a task has no valid day.
    pub fn events<'a>(
        &self,
        tasks: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<Vec<u8>, serde_json::Error> {
        let mut calendar = String::new();
        for json in tasks {
            let task: TaskMembers<'_> = serde_json::from_slice(json)?;
            let [first, last] = [task.date.date(), task.last_day()];
            if self.shows(first, last) {
                self.push_event(&mut calendar, &task, false, &self.time_of(&task));
            }
            // A deadline on the day of the task needs no event of its own.
            let is_other = |day: &Date| *day != first || *day != last;
            if let Some(day) = task.date_deadline.filter(is_other).filter(|day| self.shows(*day, *day)) {
                self.push_event(&mut calendar, &task, true, &EventTime::Days(day, next(day)));
            }
        }
        Ok(calendar.into_bytes())
    }

    /// Returns those of these tasks that may have an event. Most tasks of an office are far from today, and cost more to read as
    /// JSON than to pass over.
    pub fn around<'i>(&self, db: Db<'_>, ids: &'i [u32]) -> Result<Cow<'i, [u32]>, store::Error> {
        Ok(match self.days() {
            Some(days) => Cow::Owned(tasks::around(db, ids, days)?),
            None => Cow::Borrowed(ids),
        })
    }

    /// Returns the first and the last day of the calendar. `None` if it has all days.
    fn days(&self) -> Option<(Day, Day)> {
        let day = |distance: i32| Day::from_number(self.today?.number().saturating_add(distance));
        Some((day(-DAYS_BACK)?, day(DAYS_AHEAD)?))
    }

    /// Returns `true` if one of these days is among those of the calendar.
    fn shows(&self, first: Date, last: Date) -> bool {
        let [first, last] = [first, last].map(Day::on_calendar);
        self.days().is_none_or(|(from, until)| last >= from && first <= until)
    }

    /// Returns the time of a task as the agenda shows it: whole days without a time of day, an hour without an end.
    fn time_of(&self, task: &TaskMembers<'_>) -> EventTime {
        let end_time = task.end.filter(|end| end.time() != Time::midnight());
        // Midnight is a time of day if the task has an end time.
        if task.date.time() == Time::midnight() && end_time.is_none() {
            return EventTime::Days(task.date.date(), next(task.last_day()));
        }
        let start = self.moment(task.date);
        let last_day = Some(task.last_day()).filter(|day| *day > task.date.date());
        let end = end_time.or(last_day.map(|day| next(day).to_datetime(Time::midnight())));
        let end = end.map(|end| self.moment(end)).filter(|end| *end > start);
        EventTime::Moments(
            start,
            end.unwrap_or_else(|| start.saturating_add(DEFAULT_DURATION).unwrap_or(start)),
        )
    }

    /// Converts a time of the office's clock. One that the clock skips counts as an hour later, and of two equal ones the
    /// first is meant (RFC 5545, 3.3.5).
    fn moment(&self, local: DateTime) -> Timestamp {
        local.to_zoned(self.zone.clone()).map_or(Timestamp::UNIX_EPOCH, |zoned| zoned.timestamp())
    }

    fn push_event(&self, calendar: &mut String, task: &TaskMembers<'_>, is_deadline: bool, time: &EventTime) {
        let mut push = |name: &str, value: &str| push_line(calendar, name, value);
        let changed = utc(self.moment(task.updated_at));
        let is_done = task.status == "completed";
        let summary = self.summary(task, is_deadline, is_done);
        let part = if is_deadline { "-deadline" } else { "" };
        push("BEGIN", "VEVENT");
        push("UID", &format!("task-{}{part}@{}", task.id, self.id));
        // Without a METHOD, it has the meaning of LAST-MODIFIED (RFC 5545, 3.8.7.2).
        push("DTSTAMP", &changed);
        push("LAST-MODIFIED", &changed);
        match *time {
            EventTime::Days(first, after) => {
                push("DTSTART;VALUE=DATE", &date(first));
                push("DTEND;VALUE=DATE", &date(after));
            }
            EventTime::Moments(start, end) => {
                push("DTSTART", &utc(start));
                push("DTEND", &utc(end));
            }
        }
        push("SUMMARY", &summary);
        if let Some(place) = task.local.as_ref().filter(|_| self.with_names) {
            push("LOCATION", &escaped(place));
        }
        if is_done || matches!(time, EventTime::Days(..)) {
            push("TRANSP", "TRANSPARENT");
        }
        if task.is_hearing() && !is_done && !is_deadline {
            push("BEGIN", "VALARM");
            push("ACTION", "DISPLAY");
            push("DESCRIPTION", &summary);
            push("TRIGGER", "-P1D");
            push("END", "VALARM");
        }
        push("END", "VEVENT");
    }

    /// Returns the escaped title of an event: the type of the task, and the lawsuit's last digits or, with names, its
    /// customers and number.
    fn summary(&self, task: &TaskMembers<'_>, is_deadline: bool, is_done: bool) -> String {
        let mark = if is_done { "✓ " } else { "" };
        let word = self.lang.pick(DEADLINE.0, DEADLINE.1);
        let kind = task.task.as_deref().unwrap_or_default();
        let title = match is_deadline {
            false => kind.to_owned(),
            true if fold(word).starts_with(&fold(kind)) => word.to_owned(),
            true => format!("{word}: {kind}"),
        };
        let mut parts = vec![[mark, &title].concat()];
        if let Some(lawsuit) = &task.lawsuit {
            let names = lawsuit.customers.iter().map(|customer| &*customer.name).collect::<Vec<_>>();
            let number = lawsuit.process_number.as_deref().unwrap_or_default();
            parts.extend(match self.with_names {
                true => [names.join(", "), number.to_owned()],
                false => [String::new(), last_digits(number)],
            });
        }
        parts.retain(|part| !part.is_empty());
        escaped(&parts.join(" · "))
    }
}

impl TaskMembers<'_> {
    fn last_day(&self) -> Date {
        self.end.map_or(self.date.date(), |end| end.date().max(self.date.date()))
    }

    fn is_hearing(&self) -> bool {
        let name = fold(self.task.as_deref().unwrap_or_default());
        name.split(|c: char| !c.is_alphanumeric()).any(|word| HEARINGS.contains(&word))
    }
}

/// Returns the digits that tell lawsuits apart, without those by which the courts' sites find the parties: of
/// `0001234-03.2026.8.26.0100`, `1234-03`, of any other number the last four.
fn last_digits(number: &str) -> String {
    match ProcessNumber::parse(number) {
        Ok(unified) if unified.cnj().is_some() => unified.as_str().get(3..10).unwrap_or_default().to_owned(),
        _ => {
            let digits = number.chars().filter(char::is_ascii_digit).collect::<Vec<_>>();
            digits.get(digits.len().saturating_sub(4)..).unwrap_or_default().iter().collect()
        }
    }
}

fn next(day: Date) -> Date {
    day.saturating_add(Span::new().days(1))
}

fn date(day: Date) -> String {
    day.strftime("%Y%m%d").to_string()
}

fn utc(moment: Timestamp) -> String {
    moment.strftime("%Y%m%dT%H%M%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::http::file_formats::content_line::LINE_BYTES;

    fn form(zone: &str, today: &str) -> CalendarForm {
        CalendarForm {
            zone: TimeZone::get(zone).unwrap(),
            today: Some(Day::parse(today).unwrap()),
            lang: Lang::Pt,
            with_names: false,
            id: "0123456789abcdef".to_owned(),
        }
    }

    fn task(more: Value) -> Vec<u8> {
        let mut task = json!({
            "id": 17, "date": "2026-12-10 14:30:00", "end": null, "date_deadline": null, "task": "Reunião",
            "local": null, "status": "pending", "updated_at": "2026-06-17 12:00:00",
        });
        task.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::to_vec(&task).unwrap()
    }

    fn lines(form: &CalendarForm, more: Value) -> Vec<String> {
        let events = String::from_utf8(form.events([&*task(more)]).unwrap()).unwrap();
        events.replace("\r\n ", "").lines().map(str::to_owned).collect()
    }

    /// Returns the values of DTSTART and DTEND of each event.
    fn times(form: &CalendarForm, more: Value) -> Vec<String> {
        let lines = lines(form, more).into_iter().filter(|line| line.starts_with("DT"));
        let lines = lines.filter(|line| !line.starts_with("DTSTAMP"));
        lines.map(|line| line.split_once(':').unwrap().1.to_owned()).collect()
    }

    #[test]
    fn times_are_those_of_the_offices_clock_at_the_day() {
        let form = form("America/Sao_Paulo", "2018-11-01");
        for (date, end, start_utc, end_utc) in [
            // Summer time began on 4 November 2018, when midnight did not exist, and ended on 17 February 2019.
            ("2018-11-03 23:30:00", json!(null), "20181104T023000Z", "20181104T033000Z"),
            ("2018-11-04 00:30:00", json!(null), "20181104T033000Z", "20181104T043000Z"),
            ("2018-11-04 10:00:00", json!(null), "20181104T120000Z", "20181104T130000Z"),
            ("2018-11-03 10:00:00", json!("2018-11-04 10:00:00"), "20181103T130000Z", "20181104T120000Z"),
            ("2019-02-16 22:00:00", json!("2019-02-17 01:00:00"), "20190217T000000Z", "20190217T040000Z"),
            ("2019-02-16 23:30:00", json!(null), "20190217T013000Z", "20190217T023000Z"),
            // Over midnight.
            ("2018-12-10 23:00:00", json!("2018-12-11 01:00:00"), "20181211T010000Z", "20181211T030000Z"),
            // Midnight is a time beside an end time. Without one, the last day is in it.
            ("2018-12-10 00:00:00", json!("2018-12-10 01:00:00"), "20181210T020000Z", "20181210T030000Z"),
            ("2018-12-10 14:30:00", json!("2018-12-12 00:00:00"), "20181210T163000Z", "20181213T020000Z"),
            // An end that is no later than the start.
            ("2018-12-10 14:30:00", json!("2018-12-10 14:30:00"), "20181210T163000Z", "20181210T173000Z"),
            ("2018-12-10 14:30:00", json!("2018-12-10 00:00:00"), "20181210T163000Z", "20181210T173000Z"),
        ] {
            assert_eq!(times(&form, json!({ "date": date, "end": end })), [start_utc, end_utc], "{date}");
        }
        for (date, end, first, after) in [
            ("2018-11-04 00:00:00", json!(null), "20181104", "20181105"),
            ("2018-12-31 00:00:00", json!("2018-12-31 00:00:00"), "20181231", "20190101"),
            ("2018-12-30 00:00:00", json!("2019-01-02 00:00:00"), "20181230", "20190103"),
        ] {
            assert_eq!(times(&form, json!({ "date": date, "end": end })), [first, after], "{date}");
        }
    }

    #[test]
    fn a_calendar_has_thirty_days_back_and_a_year_ahead() {
        let form = form("America/Sao_Paulo", "2026-06-17");
        for (date, end, shown) in [
            ("2026-05-18 00:00:00", json!(null), 1),
            ("2026-05-17 23:59:59", json!(null), 0),
            ("2026-05-01 00:00:00", json!("2026-05-18 00:00:00"), 1),
            ("2027-06-17 23:00:00", json!(null), 1),
            ("2027-06-18 00:00:00", json!(null), 0),
            ("2026-05-01 00:00:00", json!("2027-12-31 00:00:00"), 1),
        ] {
            let found = times(&form, json!({ "date": date, "end": end })).len() / 2;
            assert_eq!(found, shown, "{date}");
        }
        // Each of day and deadline by itself.
        let deadline =
            |day: &str| times(&form, json!({ "date": "2026-01-01 09:00:00", "date_deadline": day }));
        assert_eq!(deadline("2026-05-18"), ["20260518", "20260519"]);
        assert!(deadline("2026-05-17").is_empty() && deadline("2027-06-18").is_empty());
    }

    #[test]
    fn a_deadline_on_another_day_is_an_event_of_its_own() {
        let form = form("America/Sao_Paulo", "2026-06-17");
        let uids = |more: Value| {
            let lines = lines(&form, more).into_iter();
            lines.filter_map(|line| line.strip_prefix("UID:").map(str::to_owned)).collect::<Vec<_>>()
        };
        let own = "task-17@0123456789abcdef";
        let deadline = "task-17-deadline@0123456789abcdef";
        assert_eq!(uids(json!({ "date_deadline": "2026-12-10" })), [own]);
        assert_eq!(uids(json!({ "date_deadline": "2026-12-11" })), [own, deadline]);
        let lasting = json!({ "end": "2026-12-11 10:00:00", "date_deadline": "2026-12-10" });
        assert_eq!(uids(lasting), [own, deadline]);
        assert!(
            lines(&form, json!({ "date_deadline": "2026-12-11" }))
                .contains(&"SUMMARY:Prazo final: Reunião".to_owned())
        );
    }

    #[test]
    fn hearings_have_an_alarm_until_they_are_done() {
        let form = form("America/Sao_Paulo", "2026-06-17");
        for (name, status, has_alarm) in [
            ("Audiência", "pending", true),
            ("AUDIENCIA de instrução", "pending", true),
            ("Preparar (audiências)", "pending", true),
            ("Audiência", "completed", false),
            ("Auditoria", "pending", false),
        ] {
            let lines = lines(&form, json!({ "task": name, "status": status }));
            assert_eq!(lines.contains(&"TRIGGER:-P1D".to_owned()), has_alarm, "{name} {status}");
            assert_eq!(lines.contains(&format!("SUMMARY:✓ {name}")), status == "completed", "{name}");
        }
    }

    #[test]
    fn the_title_has_names_only_if_they_are_requested() {
        let lawsuit = |number: &str| {
            json!({ "local": "Fórum; sala 3", "lawsuit": {
                "id": 1, "process_number": number, "customers": [{ "name": "Ana, a \"X\"" }, { "name": "Rui" }],
            } })
        };
        let named = CalendarForm { with_names: true, ..form("America/Sao_Paulo", "2026-06-17") };
        let plain = form("America/Sao_Paulo", "2026-06-17");
        let number = ProcessNumber::numbered(1234, 2026, 826, 100).unwrap();
        let digits = &number.as_str()[3..10];
        let names = "Ana\\, a \"X\"\\, Rui";
        let lines_of = |form: &CalendarForm, number: &str| {
            let lines = lines(form, lawsuit(number)).into_iter();
            lines
                .filter(|line| line.starts_with("SUMMARY") || line.starts_with("LOCATION"))
                .collect::<Vec<_>>()
        };
        assert_eq!(lines_of(&plain, number.as_str()), [format!("SUMMARY:Reunião · {digits}")]);
        assert_eq!(
            lines_of(&named, number.as_str()),
            [format!("SUMMARY:Reunião · {names} · {number}"), "LOCATION:Fórum\\; sala 3".to_owned()]
        );
        for (number, shown) in [
            ("2005.81.00.000002-5", "SUMMARY:Reunião · 0025"),
            ("PA de Ana nº 12", "SUMMARY:Reunião · 12"),
            ("de Ana", "SUMMARY:Reunião"),
        ] {
            assert_eq!(lines_of(&plain, number), [shown], "{number}");
        }
    }

    #[test]
    fn a_task_that_cannot_be_read_is_an_error_and_not_left_out() {
        let form = form("America/Sao_Paulo", "2026-06-17");
        assert!(form.events([&*task(json!({ "date": "2026-02-31 10:00:00" }))]).is_err());
    }

    /// Reverses [`escaped`].
    fn unescaped(value: &str) -> String {
        let mut text = String::new();
        let mut chars = value.chars();
        while let Some(c) = chars.next() {
            match (c, if c == '\\' { chars.next() } else { None }) {
                ('\\', Some('n')) => text.push('\n'),
                ('\\', Some(c @ ('\\' | ';' | ','))) => text.push(c),
                ('\\' | ';' | ',', _) => panic!("{value:?}"),
                (c, _) => text.push(c),
            }
        }
        text
    }

    proptest! {
        #[test]
        fn any_text_is_folded_and_escaped_so_that_it_comes_back(text in "[\\PC\n\\\\;, ]{0,200}") {
            let mut line = String::new();
            push_line(&mut line, "SUMMARY", &escaped(&text));
            for part in line.strip_suffix("\r\n").unwrap().split("\r\n") {
                prop_assert!(part.len() <= LINE_BYTES && !part.contains(['\r', '\n']), "{:?}", part);
            }
            let whole = line.replace("\r\n ", "");
            let value = whole.strip_prefix("SUMMARY:").unwrap().strip_suffix("\r\n").unwrap();
            prop_assert_eq!(unescaped(value), text);
        }
    }
}
