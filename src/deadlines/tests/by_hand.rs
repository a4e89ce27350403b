//! Cases that were counted by hand on a printed calendar, each with the law that decides it.

use super::*;

/// A query, the rows, the last day, and the law.
type Case = (&'static str, &'static str, &'static str, &'static str);

#[test]
fn deadlines_of_the_diary() {
    check(&[
        ("2026-03-09 1 TJSP", "", "2026-03-11", "Lei 11.419 art. 4 §§3, 4: published on 10, runs from 11"),
        ("2026-03-09 2 TJSP", "", "2026-03-12", "CPC 219"),
        ("2026-03-13 1 TJSP", "", "2026-03-17", "a Friday: published on Monday"),
        ("2026-03-14 1 TJSP", "", "2026-03-17", "a Saturday: published on Monday"),
        ("2026-03-15 5 TJSP", "", "2026-03-23", "a Sunday: 17, 18, 19, 20, 23"),
        ("2026-04-01 5 TJPR", "", "2026-04-10", "published on Holy Thursday; Good Friday closed"),
        ("2026-04-01 5 TRF4", "", "2026-04-13", "Lei 5.010 art. 62 II: published on Monday"),
        ("2026-04-02 5 TJPR", "", "2026-04-13", "Good Friday moves the publication"),
        ("2026-04-17 5 TJPR", "", "2026-04-28", "Lei 662: 21 April moves the first day"),
        ("2026-04-29 5 TJPR", "", "2026-05-08", "Lei 662: 1 May moves the first day"),
        ("2026-08-07 5 TRF1", "", "2026-08-18", "Lei 5.010 art. 62 IV: 11 August"),
        ("2026-08-07 5 TJGO", "", "2026-08-17", "11 August is no holiday of the states"),
        ("2026-09-03 5 TJPR", "", "2026-09-14", "Lei 662: 7 September"),
        ("2026-10-08 3 TJPR", "", "2026-10-15", "Lei 6.802: 12 October"),
        ("2026-10-29 5 TJPR", "", "2026-11-09", "Lei 662: 2 November"),
        ("2024-10-30 5 TRF2", "", "2024-11-08", "Lei 5.010 art. 62 IV: 1 November"),
        ("2024-10-30 5 TJRJ", "", "2024-11-07", "1 November is no holiday of the states"),
        ("2024-11-13 5 TJSP", "", "2024-11-25", "Lei 14.759: 20 November 2024; 15 is a Friday"),
        ("2023-11-16 5 TJPR", "", "2023-11-24", "20 November 2023 was a working day"),
        ("2026-11-20 15 TRF3", "", "2026-12-15", "Lei 5.010 art. 62 IV: 8 December"),
        ("2026-11-20 8 TRT2 rule=clt", "", "2026-12-03", "CLT 775"),
        ("2026-06-24 15 TJSP", "", "2026-07-16", "July is no vacation of the states"),
    ]);
}

#[test]
fn deadlines_in_recess_and_vacation() {
    check(&[
        ("2026-06-24 15 STJ", "", "2026-08-18", "LC 35 art. 66: 4 days before 2 July; 11 August"),
        ("2026-12-15 5 STF", "", "2027-02-03", "CPC 220 and LC 35: to 31 January"),
        ("2026-12-17 5 STJ", "", "2027-02-05", "published on 18, runs from 1 February"),
        ("2026-12-17 5 TJMG", "", "2027-01-27", "CPC 220: runs from 21 January"),
        ("2026-12-18 5 TRF5", "", "2027-01-27", "Lei 5.010 art. 62 I: published on 7 January"),
        ("2026-12-16 8 TRT1 rule=clt", "", "2027-01-29", "CLT 775-A: one day before the recess"),
        ("2027-01-08 5 TJPR", "", "2027-01-27", "the recess does not stop the publication"),
        ("2027-01-19 5 TJPR", "", "2027-01-27", "published on 20, runs from 21"),
        ("2027-01-20 5 TJPR", "", "2027-01-28", "published on 21, runs from 22"),
        ("2027-01-19 5 TJSP city=São_Paulo/SP", "2027-01-25 São_Paulo/SP closed", "2027-01-28", "city"),
        ("2027-01-19 5 TJSP city=Campinas/SP", "2027-01-25 São_Paulo/SP closed", "2027-01-27", "other city"),
    ]);
}

#[test]
fn deadlines_of_personal_notices() {
    check(&[
        ("2026-03-09 5 TJSP notice=personal", "", "2026-03-16", "CPC 224"),
        ("2026-03-13 5 TJSP notice=personal", "", "2026-03-20", "a Friday: from Monday"),
        ("2026-03-14 5 TJSP notice=personal", "", "2026-03-20", "a Saturday: the earlier reading"),
        ("2026-03-14 5 TRT2 notice=personal rule=clt", "", "2026-03-23", "Súmula 262, I, TST"),
        ("2026-03-13 8 TRT2 notice=personal rule=clt", "", "2026-03-25", "CLT 774, 775"),
        ("2026-02-13 5 TRT2 notice=personal", "", "2026-02-20", "Carnival without an act of the TRT"),
        (
            "2026-02-13 5 TRT2 notice=personal",
            "2026-02-16 TRT2 closed, 2026-02-17 TRT2 closed",
            "2026-02-24",
            "Carnival by acts of the TRT",
        ),
        ("2026-03-09 10 TJSP notice=personal rule=juizado", "", "2026-03-23", "Lei 9.099 art. 12-A"),
        ("2026-03-09 15 TJSP notice=personal counting=calendar", "", "2026-03-24", "CPC 224: 10 to 24"),
        (
            "2026-12-16 5 TJSP notice=personal counting=calendar",
            "",
            "2027-01-22",
            "CPC 220 stops calendar days",
        ),
    ]);
}

#[test]
fn double_deadlines() {
    check(&[
        ("2026-03-09 15 TJSP party=fazenda", "", "2026-04-23", "CPC 183: 30; 3 and 21 April closed"),
        ("2026-03-09 5 TJSP party=mp", "", "2026-03-24", "CPC 180: 10"),
        ("2026-03-09 10 TJSP party=defensoria", "", "2026-04-08", "CPC 186: 20"),
        ("2026-03-09 10 TJSP rule=juizado party=fazenda", "", "2026-03-24", "Lei 12.153 art. 7: 10"),
        ("2026-03-09 8 TRT4 party=fazenda", "", "2026-04-01", "DL 779: 16"),
        ("2026-03-09 5 TJSP notice=personal rule=cpp party=defensoria", "", "2026-03-19", "LC 80: 10"),
        (
            "2026-03-09 5 TJSP notice=personal rule=cpp party=mp",
            "",
            "2026-03-16",
            "not doubled; ends on a Saturday",
        ),
    ]);
}

#[test]
fn criminal_deadlines() {
    check(&[
        ("2026-03-05 5 TJSP notice=personal rule=cpp", "", "2026-03-10", "CPP 798 §1: from Friday"),
        ("2026-04-02 5 TJPR notice=personal rule=cpp", "", "2026-04-10", "Súmula 310 STF: from Monday"),
        ("2026-03-09 5 TJSP rule=cpp", "", "2026-03-16", "from 11 to Sunday 15, moved to Monday"),
        ("2026-04-17 5 TJPR notice=personal rule=cpp", "", "2026-04-24", "21 April counts in the middle"),
        ("2026-04-16 5 TJPR notice=personal rule=cpp", "", "2026-04-22", "CPP 798 §3: moved from 21 April"),
        ("2026-12-18 5 TJSP notice=personal rule=cpp custody", "", "2026-12-28", "CPP 798-A I; Christmas"),
        ("2026-12-18 5 TJSP notice=personal rule=cpp", "", "2027-01-25", "CPP 798-A: from 21 January"),
        (
            "2026-12-14 5 TJSP notice=personal rule=cpp",
            "",
            "2027-01-21",
            "ends on Saturday 19, moved past the recess",
        ),
        (
            "2026-12-16 10 TJSP notice=personal rule=cpp",
            "",
            "2027-01-27",
            "3 days before the recess, 7 after",
        ),
        (
            "2026-04-16 5 TJPR notice=personal rule=cpp",
            "2026-04-20 TJPR closed",
            "2026-04-22",
            "counts in the middle",
        ),
    ]);
}

#[test]
fn deadlines_of_portal_and_domicilio() {
    check(&[
        ("2026-03-09 15 TJSP notice=portal", "", "2026-04-10", "Lei 11.419 art. 5 §3: given on 19"),
        ("2026-03-09 15 TJSP notice=portal opened=2026-03-12", "", "2026-04-02", "art. 5 §1"),
        ("2026-03-09 15 TJSP notice=portal opened=2026-03-25", "", "2026-04-10", "opened after the ten days"),
        ("2026-03-09 15 TJSP notice=portal opened=2026-03-19", "", "2026-04-10", "opened on the tenth day"),
        ("2026-12-11 5 TJSP notice=portal", "", "2027-01-27", "given on 21 December, runs from 21 January"),
        ("2026-12-08 5 TJSP notice=portal", "", "2027-01-27", "given on 18 December"),
        ("2026-12-15 5 TRF4 notice=portal", "", "2027-01-27", "Christmas and recess: given on 7 January"),
        ("2026-04-15 5 TJPR notice=portal opened=2026-04-21", "", "2026-04-29", "art. 5 §2: given on 22"),
        ("2026-03-09 15 TJSP notice=domicilio opened=2026-03-10", "", "2026-04-08", "CPC 231 IX: from 17"),
        ("2026-03-13 5 TJSP notice=domicilio opened=2026-03-14", "", "2026-03-27", "CPC 231 IX: from 20"),
    ]);
}

#[test]
fn deadlines_with_rows_of_a_calendar() {
    check(&[
        ("2026-03-09 5 TJSP", "2026-03-11 TJSP partial", "2026-03-18", "CPC 224 §1: the first day"),
        ("2026-03-09 5 TJSP", "2026-03-12 TJSP partial", "2026-03-17", "not a day in the middle"),
        ("2026-03-09 5 TJSP", "2026-03-17 TJSP partial", "2026-03-18", "CPC 224 §1: the last day"),
        ("2026-03-09 5 TJSP", "2026-03-10 TJSP partial", "2026-03-17", "not the publication"),
        ("2026-03-09 5 TJSP", "2026-03-10 TJSP closed", "2026-03-18", "the publication"),
        ("2026-03-09 5 TJSP", "2026-03-12 TJPR closed", "2026-03-17", "another court"),
        ("2026-07-03 5 TJSP", "2026-07-09 SP closed", "2026-07-14", "state"),
        ("2026-07-03 5 TRF3 city=São_Paulo/SP", "2026-07-09 SP closed", "2026-07-14", "state of the city"),
        ("2026-07-03 5 TRF3", "2026-07-09 SP closed", "2026-07-13", "state unknown"),
        ("2026-07-03 5 TRT2 rule=clt", "2026-07-09 SP closed", "2026-07-14", "state of the labour court"),
        ("2026-11-20 15 TRF3", "2026-12-08 TRF3 open", "2026-12-14", "open undoes the law"),
        (
            "2026-07-03 5 TJSP",
            "2026-07-09 SP closed, 2026-07-09 TJSP open",
            "2026-07-13",
            "open undoes the state",
        ),
        ("2026-07-03 5 TJSP", "2026-07-09 TJSP closed, 2026-07-09 SP open", "2026-07-14", "open is wider"),
        (
            "2026-02-11 6 TJRJ notice=published",
            "2026-02-18 RJ closed, 2026-02-18 TJRJ partial",
            "2026-02-19",
            "the court's row wins: a day in the middle counts",
        ),
        (
            "2026-02-11 5 TJRJ notice=published",
            "2026-02-18 RJ closed, 2026-02-18 TJRJ partial",
            "2026-02-19",
            "the court's row wins: CPC 224 §1 moves the last day",
        ),
        (
            "2026-02-11 6 TJRJ notice=published",
            "2026-02-18 RJ partial, 2026-02-18 TJRJ closed",
            "2026-02-20",
            "the court's row wins",
        ),
        ("2026-06-01 5 TJPR", "2026-06-04 br closed", "2026-06-10", "country"),
        ("2026-03-09 5 TJSP", "2026-03-14 TJSP open", "2026-03-17", "CPC 216: a Saturday stays closed"),
        (
            "2026-12-18 5 TJPR",
            "2026-12-21 TJPR closed, 2026-12-28 TJPR open",
            "2027-01-27",
            "no row ends the recess",
        ),
    ]);
}

fn check(cases: &[Case]) {
    for (query, rows, expected, law) in cases {
        assert_eq!(end(query, rows), *expected, "{query}, {rows}: {law}");
    }
}
