//! The options of an import: meaning of rows, columns and names, and defaults for missing values.

use super::columns;
use super::customers::{self, ImportChoices, UNDECIDED, is_customer};
use super::import_jobs::at;
use super::report_lines::{many, named};
use crate::api::record::rows::{self, RowHandlers};
use crate::console::imports::import_jobs::PendingState;
use crate::console::layout::choices::Choices;
use crate::console::prelude::*;
use crate::console::records::form::input_types::{options as options_of, typing};
use crate::domain::Choice;
use crate::records::PersonRole;
use crate::store::lists::Entry;
use crate::transfer::{MemberDefault, NameMeaning, NameReport, RowsReport};

/// Treatment of records that already exist: form value and label.
const EXISTING: [(&str, Bilingual); 3] = [
    ("", ("não mudam", "do not change")),
    ("fill", ("completar só o que está vazio", "fill in only what is empty")),
    ("update", ("trocar pelos dados da planilha", "take over the values of the spreadsheet")),
];

/// Renders the options for all rows, and the buttons.
pub(super) fn options(
    key: &str,
    stage: &PendingState,
    choices: Option<&ImportChoices>,
    visit: &Visit,
) -> Markup {
    let request = &stage.request;
    let lang = visit.lang;
    let existing = match (request.fill, request.update) {
        (true, _) => "fill",
        (_, true) => "update",
        _ => "",
    };
    let tried = stage.preview.as_deref();
    let is_decided = tried.is_none_or(|report| report.undecided.is_empty());
    let can_be_stored = is_decided && stage.outcome.as_ref().is_some_and(|outcome| outcome.is_ok());
    let of_all = request.resources.iter().find(|(sheet, _)| sheet.is_empty()).map(|(_, name)| &**name);
    let matched: u64 = tried.iter().flat_map(|report| &report.files).map(|file| file.matched).sum();
    html! {
        form.panel method="post" action=(at(key)) {
            (csrf_field(visit))
            (tables_of_sheets(stage, visit))
            @if let (Some(report), Some(choices)) = (tried, choices) {
                (for_all_rows(report, stage, &choices.lists, visit))
                (names(report, stage, choices, visit))
            }
            div.field {
                label { input type="checkbox" name="notes" value="yes" checked[request.notes]; " " (visit.pick("Importar assim mesmo; o que não serve vai para Anotações", "Import anyway; put what does not fit into the notes")) }
                p.hint.quiet { (visit.pick(
                    "Células que um campo não aceita e colunas sem campo ficam nas anotações de cada registro, com o nome da coluna.",
                    "Cells that a field does not take and columns without a field stand in the notes of each record, under their headings.",
                )) }
            }
            div.field {
                label { input type="checkbox" name="create-lists" value="yes" checked[request.create_lists]; " " (visit.pick("Criar nas listas os nomes que ainda não existem", "Create names in the lists that are not there yet")) }
            }
            div.fields {
                div.field {
                    label for="f-resource" { (visit.pick("As linhas são", "The rows are")) }
                    select #f-resource name="resource" {
                        option value="" { (visit.pick("descobrir pelos títulos", "found out by the headings")) }
                        @for table in importable() {
                            option value=(table.name) selected[of_all == Some(table.name)] { (table.title(lang)) }
                        }
                    }
                }
                div.field {
                    label for="f-existing" { (visit.pick("Registros que já existem", "Existing records")) }
                    select #f-existing name="existing" {
                        @for (value, (pt, en)) in EXISTING { option value=(value) selected[existing == value] { (visit.pick(pt, en)) } }
                    }
                    @if matched > 0 && existing.is_empty() {
                        p.hint.quiet {
                            (visit.pick("Linhas de registros que já existem, das quais nada é salvo: ", "Rows of existing records, which are not saved: "))
                            (count(matched, lang))
                        }
                    }
                }
                (area(stage, visit))
                (heading_line(stage, visit))
                (file_choice("dates", ("Ordem das datas", "Order of dates"), ("a que o arquivo mostra", "as the file shows"), request.dates, visit))
                (file_choice("letters", ("Letras quebradas", "Broken letters"), ("corrigir o que for certo", "restore what is sure"), request.letters, visit))
            }
            @if let Some(report) = tried {
                (columns::render(report, visit))
            }
            div.choices {
                button type="submit" name="do" value="try" { (visit.pick("Atualizar a prévia", "Update the preview")) }
                @if can_be_stored { button.main type="submit" name="do" value="apply" { (visit.pick("Importar", "Import")) } }
            }
        }
    }
}

/// Returns the tables that can be imported, customers and other records before lists.
fn importable() -> Vec<&'static Table> {
    let mut all: Vec<_> = rows::all().map(RowHandlers::table).collect();
    all.sort_by_key(|table| matches!(table.kind, Kind::List(_)));
    all
}

/// Renders the choice of a table for each sheet whose headings fit several.
fn tables_of_sheets(stage: &PendingState, visit: &Visit) -> Markup {
    let undecided = || stage.preview.iter().flat_map(|report| &report.undecided);
    let of_sheets = stage.request.resources.iter().filter(|(sheet, _)| !sheet.is_empty());
    let open = undecided().map(|own| (&own.sheet, UNDECIDED));
    let sheets: Vec<_> = of_sheets.map(|(sheet, chosen)| (sheet, &**chosen)).chain(open).collect();
    html! {
        @if !sheets.is_empty() {
            fieldset #sheets {
                legend { (visit.pick("O que as linhas são", "What the rows are")) }
                p.quiet { (visit.pick("Os cabeçalhos servem para mais de um tipo de registro.", "The headings fit several kinds of records.")) }
                div.fields { @for (number, (sheet, chosen)) in sheets.into_iter().enumerate() {
                    @let fits = undecided().find(|own| own.sheet == *sheet).map_or(&[][..], |own| &own.resources);
                    @let is_fit = |table: &&Table| fits.is_empty() || fits.contains(&table.name.to_owned());
                    div.field {
                        label for={ "f-t-" (number) } { (sheet) }
                        input type="hidden" name={ "k-" (number) } value=(sheet);
                        select id={ "f-t-" (number) } name={ "t-" (number) } {
                            @if chosen == UNDECIDED { option value=(UNDECIDED) selected { (visit.pick("Escolha…", "Choose…")) } }
                            @for table in importable().into_iter().filter(is_fit) {
                                option value=(table.name) selected[chosen == table.name] { (table.title(visit.lang)) }
                            }
                            option value="" selected[chosen.is_empty()] { (visit.pick("não importar", "do not import")) }
                        }
                    }
                } }
            }
        }
    }
}

/// Renders the area code for phones without one. The default is the most common code in the file.
fn area(stage: &PendingState, visit: &Visit) -> Markup {
    let without: u64 =
        stage.preview.iter().flat_map(|report| &report.files).map(|file| file.without_area).sum();
    let common =
        stage.preview.as_ref().and_then(|report| report.area_code.as_deref()).filter(|_| without > 0);
    let value = stage.request.area_code.as_deref().or(common.filter(|_| stage.is_untouched()));
    html! {
        @if without > 0 || stage.request.area_code.is_some() {
            div.field {
                label for="f-area-code" { (visit.pick("DDD padrão", "Default area code")) }
                input #f-area-code type="text" inputmode="numeric" maxlength="3" name="area-code" value=[value];
                p.hint.quiet {
                    (visit.pick("Telefones sem DDD: ", "Phones without an area code: ")) (count(without, visit.lang))
                    @if let Some(common) = common { ". " (visit.pick("O mais comum no arquivo: ", "The most common in the file: ")) (common) }
                }
            }
        }
    }
}

fn heading_line(stage: &PendingState, visit: &Visit) -> Markup {
    let found = stage.preview.iter().flat_map(|report| &report.files).map(|file| file.heading_line).max();
    let found = found.filter(|line| *line > 0).map(|line| line.to_string());
    let heading_line = stage.request.heading_line.map(|line| line.to_string());
    html! {
        div.field {
            label for="f-heading-line" { (visit.pick("Linha dos cabeçalhos", "Header row")) }
            input #f-heading-line type="text" inputmode="numeric" name="heading-line" value=[heading_line] placeholder=[found];
        }
    }
}

/// Renders a choice of what the file alone may not tell. `default` is the label of leaving it to the file.
fn file_choice<T: Choice>(
    name: &str,
    label: Bilingual,
    default: Bilingual,
    chosen: Option<T>,
    visit: &Visit,
) -> Markup {
    html! {
        div.field {
            label for={ "f-" (name) } { (visit.pick(label.0, label.1)) }
            select id={ "f-" (name) } name=(name) {
                option value="" selected[chosen.is_none()] { (visit.pick(default.0, default.1)) }
                @for (word, value, (pt, en)) in T::CHOICES {
                    option value=(word) selected[chosen == Some(*value)] { (visit.pick(pt, en)) }
                }
            }
        }
    }
}

/// Renders the defaults for fields that the rows lack.
fn for_all_rows(report: &RowsReport, stage: &PendingState, choices: &Choices, visit: &Visit) -> Markup {
    let mut lacking: Vec<(&Field, &MemberDefault)> = Vec::new();
    for file in &report.files {
        let Some(table) = named(&file.resource) else { continue };
        for default in &file.defaults {
            let field = table.member(&default.member);
            let field = field.filter(|_| lacking.iter().all(|(_, own)| own.member != default.member));
            lacking.extend(field.map(|field| (field, default)));
        }
    }
    html! {
        @if !lacking.is_empty() {
            fieldset #for-all {
                legend { (visit.pick("O que falta na planilha", "Missing in the spreadsheet")) }
                p.quiet { (visit.pick(
                    "O que você escolher aqui vale onde a linha não diz nada. O que um registro já tem fica como está.",
                    "These values are for rows without one. Values that a record already has are kept.",
                )) }
                div.fields { @for (field, default) in lacking { (for_all(field, default, stage, choices, visit)) } }
            }
        }
    }
}

fn for_all(
    field: &Field,
    default: &MemberDefault,
    stage: &PendingState,
    choices: &Choices,
    visit: &Visit,
) -> Markup {
    let id = format!("f-s-{}", field.member);
    // As in a form, the person who works here is proposed as author.
    let acting = visit.acting.as_ref().filter(|_| field.role == Some(PersonRole::Author));
    let acting = acting.map(|acting| acting.id.to_string());
    let value = default.value.as_deref().or(acting.as_deref()).unwrap_or_default();
    let name = ["s-", field.member].concat();
    let options = match field.ty {
        Type::Links(Kind::List(list)) => Some(choices.entry_options(list, value, visit)),
        _ => options_of(field, value, choices, visit),
    };
    let is_missing = default.value.is_none() && default.rows > 0;
    let is_wrong = is_missing && !stage.is_untouched();
    let hint = typing(field.ty, visit).hint;
    html! {
        div.field {
            label for=(id) {
                (visit.lang.pick(field.label.0, field.label.1))
                @if field.required { span.required aria-hidden="true" { " *" } }
            }
            @if let Some(options) = options {
                select id=(id) name=(name) aria-invalid=[is_wrong.then_some("true")] {
                    option value="" { (if field.required { visit.pick("Escolha…", "Choose…") } else { "" }) }
                    (options)
                }
            } @else {
                input id=(id) type="text" name=(name) value=(value) placeholder=[hint] aria-invalid=[is_wrong.then_some("true")];
            }
            @if is_missing {
                p class=(if is_wrong { "wrong" } else { "hint quiet" }) {
                    (if default.has_column { visit.pick("Escolha um valor para as linhas que não têm: ", "Choose a value for the rows without one: ") } else { visit.pick("Escolha um valor para todas as linhas: ", "Choose a value for all rows: ") })
                    (count(default.rows, visit.lang))
                }
            } @else if default.is_only {
                p.hint.quiet { (visit.pick("Já escolhido, por não haver outra opção.", "Already chosen, because there is no other.")) }
            }
        }
    }
}

/// Renders the unknown names, each with a choice of its meaning.
fn names(report: &RowsReport, stage: &PendingState, choices: &ImportChoices, visit: &Visit) -> Markup {
    let (customers, entries) = (0..).zip(&report.names).partition::<Vec<_>, _>(|(_, name)| is_customer(name));
    html! {
        @if !customers.is_empty() { (customers::render(&customers, stage, choices, visit)) }
        @if !entries.is_empty() {
            fieldset #names {
                legend { (visit.pick("Nomes que ainda não estão nas listas", "Names that are not in the lists yet")) }
                p.quiet { (visit.pick(
                    "Diga de cada um quem é, ou se deve ser criado. Os parecidos já estão escolhidos.",
                    "Choose the entry for each name, or create it. Similar entries are already chosen.",
                )) }
                div.fields { @for (number, name) in entries { (name_choice(number, name, stage, &choices.lists, visit)) } }
            }
        }
        @if !report.made.is_empty() {
            p.quiet {
                (visit.pick("Novos: ", "New: "))
                @for (number, (list, name)) in report.made.iter().enumerate() { @if number > 0 { ", " } (name) " (" (many(list, visit.lang)) ")" }
            }
        }
    }
}

fn name_choice(
    number: usize,
    name: &NameReport,
    stage: &PendingState,
    choices: &Choices,
    visit: &Visit,
) -> Markup {
    let Some(table) = named(&name.list) else { return html! {} };
    let Kind::List(list) = table.kind else { return html! {} };
    let id = format!("f-n-{number}");
    let key = [&name.list, ":", &name.name].concat();
    let chosen_before =
        stage.request.names.iter().find(|(own, _)| *own == key).map(|(_, meant)| meant.clone());
    let near = || name.entry.map_or_else(|| UNDECIDED.to_owned(), |id| id.to_string());
    let chosen = chosen_before.unwrap_or_else(near);
    let is_offered = |one: &&Entry| one.active || one.id.to_string() == chosen;
    html! {
        div.field {
            label for=(id) { (name.name) " " span.quiet { "(" (visit.lang.pick(table.noun.0, table.noun.1)) ", " (count(name.cells, visit.lang)) ")" } }
            input type="hidden" name={ "n-" (number) } value=(key);
            select id=(id) name={ "v-" (number) } {
                @if chosen == UNDECIDED { option value=(UNDECIDED) selected { (visit.pick("Escolha…", "Choose…")) } }
                (creations(list, &chosen, choices, visit))
                option value="" selected[chosen.is_empty()] { (visit.pick("deixar em branco", "leave blank")) }
                optgroup label=(visit.pick("é este:", "it is:")) {
                    @for entry in choices.entries(list).iter().filter(is_offered) {
                        option value=(entry.id) selected[entry.id.to_string() == chosen] { (entry.name.as_str()) }
                    }
                }
            }
            @if name.is_several { p.hint.quiet { (visit.pick("São várias pessoas: escolha uma. O texto inteiro vai para Anotações.", "These are several people: choose one. The whole text goes to the notes.")) } }
            @if name.is == NameMeaning::Near { p.hint.quiet { (visit.pick("É parecido com ", "It is like ")) (name.shown) "." } }
        }
    }
}

/// Renders options that create an entry, one for each possible parent.
fn creations(list: List, chosen: &str, choices: &Choices, visit: &Visit) -> Markup {
    let create = visit.pick("criar", "create");
    html! {
        @match list.parent() {
            None => option value="+" selected[chosen == "+"] { (create) },
            Some(parents) => @for parent in choices.entries(parents).iter().filter(|one| one.active) {
                option value={ "+" (parent.id) } selected[chosen.strip_prefix('+') == Some(&*parent.id.to_string())] { (create) " " (visit.pick("em", "in")) " " (parent.name.as_str()) }
            },
        }
    }
}
