//! Cases that others published, recounted twice (deadlines 31.6). Good Friday is closed, Holy Wednesday and Thursday are
//! open at courts of the states.

use super::*;

#[test]
fn published_cases_come_out_to_the_day() {
    for (query, rows, expected) in [
        ("2026-02-12 15 TRF3", "", "2026-03-10"),
        ("2026-02-12 15 TJPR", "2026-02-16 TJPR closed, 2026-02-17 TJPR closed", "2026-03-10"),
        ("2026-02-12 15 TRF3", "2026-03-09 TRF3 closed", "2026-03-11"),
        ("2026-02-12 15 TRF3", "2026-02-18 TRF3 partial", "2026-03-11"),
        ("2026-02-12 15 TJPR", "", "2026-03-06"),
        ("2026-03-02 15 TJPR", "", "2026-03-24"),
        ("2026-03-02 5 TJPR", "", "2026-03-10"),
        ("2026-03-03 15 TJPR party=fazenda", "", "2026-04-16"),
        ("2026-03-03 15 TRF3 party=fazenda", "", "2026-04-20"),
        ("2026-12-15 5 TJSP", "", "2027-01-25"),
        ("2026-12-15 5 TJSP city=São_Paulo/SP", "2027-01-25 São_Paulo/SP closed", "2027-01-26"),
        ("2026-12-10 15 TJPR notice=personal", "", "2027-02-02"),
        ("2026-12-10 15 TRT9 notice=personal rule=clt", "", "2027-02-02"),
        ("2026-03-02 30 TJPR notice=personal", "", "2026-04-14"),
        ("2026-03-02 30 TRF4 notice=personal", "", "2026-04-16"),
        ("2026-12-17 5 TJPR notice=personal", "", "2027-01-26"),
        ("2026-12-18 5 TJPR", "", "2027-01-27"),
        ("2026-03-02 5 TJPR notice=portal", "", "2026-03-19"),
        ("2026-03-04 5 TJPR notice=portal", "", "2026-03-23"),
        ("2026-03-02 5 TJPR notice=portal opened=2026-03-07", "", "2026-03-16"),
        ("2026-03-06 5 TJPR notice=personal rule=cpp", "", "2026-03-13"),
        ("2026-03-03 5 TJPR notice=personal rule=cpp", "", "2026-03-09"),
        ("2026-12-15 10 TJPR notice=personal rule=cpp", "", "2027-01-26"),
        ("2026-12-15 10 TJPR notice=personal rule=cpp custody", "", "2026-12-28"),
        ("2026-12-15 10 TRF4 notice=personal rule=cpp custody", "", "2027-01-07"),
        ("2025-04-17 15 TJPR notice=personal", "", "2025-05-13"),
        ("2026-11-20 15 TJSP", "", "2026-12-14"),
    ] {
        assert_eq!(end(query, rows), expected, "{query}, {rows}");
    }
}

#[test]
fn consecutive_days_of_one_law_are_one_span() {
    let spans = closed_by_law::legal_spans(2026);
    let span = |name: &str| spans.iter().find(|span| span.day.name.0 == name).unwrap();
    for (name, first, last, is_federal) in [
        ("Natal", "2026-12-25", "2026-12-25", false),
        ("Carnaval", "2026-02-16", "2026-02-17", true),
        ("Semana Santa", "2026-04-01", "2026-04-03", true),
        ("Sexta-feira Santa", "2026-04-03", "2026-04-03", false),
        ("Recesso da Justiça Federal", "2026-01-01", "2026-01-06", true),
    ] {
        let span = span(name);
        assert_eq!((span.first, span.last, span.is_federal), (day(first), day(last), is_federal), "{name}");
    }
    let last = spans.last().unwrap();
    assert_eq!((last.day.name.0, last.first, last.last), ("Natal", day("2026-12-25"), day("2026-12-25")));
    assert!(spans.iter().any(|span| (span.first, span.last) == (day("2026-12-20"), day("2026-12-31"))));
    assert!(spans.is_sorted_by_key(|span| span.first));
}

#[test]
fn easter_is_computed() {
    for expected in
        ["2024-03-31", "2025-04-20", "2026-04-05", "2027-03-28", "2028-04-16", "2029-04-01", "2030-04-21"]
    {
        let expected = day(expected);
        assert_eq!(closed_by_law::easter(expected.year()), Some(expected));
    }
    for year in 1990..=2099 {
        let easter = closed_by_law::easter(year).unwrap();
        let bounds = (Day::from_ymd(year, 3, 22).unwrap(), Day::from_ymd(year, 4, 25).unwrap());
        assert_eq!(easter.weekday(), 0, "{year}");
        assert!((bounds.0..=bounds.1).contains(&easter), "{year}");
    }
}

#[test]
fn national_and_federal_days_follow_the_laws() {
    let national = |text| closed_by_law::national(day(text)).map(|legal| legal.law);
    assert_eq!(national("2023-11-20"), None);
    assert_eq!(national("2024-11-20"), Some("Lei 14.759/2023, art. 1"));
    assert_eq!(national("1979-10-12"), None);
    assert_eq!(national("1980-10-12"), Some("Lei 6.802/1980, art. 1"));
    assert_eq!(national("2099-04-10"), Some("Lei 1.408/1951, art. 5"));
    assert_eq!(national("2026-06-04"), None);
    let of_year = |is_legal: &dyn Fn(Day) -> bool| {
        let mut days = count::days_from(day("2026-01-01")).take(365);
        days.by_ref().filter(|day| is_legal(*day)).map(|day| day.iso()[5..].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        of_year(&|day| closed_by_law::national(day).is_some()),
        ["01-01", "04-03", "04-21", "05-01", "09-07", "10-12", "11-02", "11-15", "11-20", "12-25"]
    );
    let recess = |day: Day| closed_by_law::federal_recess(day);
    assert_eq!(of_year(&recess).len(), 18);
    assert_eq!(
        of_year(&|day| !recess(day) && closed_by_law::federal(day).is_some()),
        ["02-16", "02-17", "04-01", "04-02", "04-03", "08-11", "11-01", "12-08"]
    );
}
