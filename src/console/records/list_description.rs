//! What a list has, in one line: on its printed page and in its exported spreadsheet.

use crate::console::layout::choices::Choices;
use crate::console::prelude::*;
use crate::console::records::form::reference_fields::RecordNames;
use crate::console::records::list::filters::Filter;

impl Pages {
    /// Says which records the list has: the tab, the searched text and the filters, as the page names them.
    pub(in crate::console) async fn described(&self, visit: &Visit) -> Result<String> {
        let filters = self.filters(visit);
        let (choices, names) = chosen_names(&filters, visit).await?;
        Ok(self.described_by(&filters, &choices, &names, visit))
    }

    pub(super) fn described_by(
        &self,
        filters: &[Filter],
        choices: &Choices,
        names: &RecordNames,
        visit: &Visit,
    ) -> String {
        let tab = self.tab(visit).map(|tab| visit.lang.pick(tab.label.0, tab.label.1).to_owned());
        let text = Some(visit.parameter("q")).filter(|text| !text.is_empty()).map(|text| format!("“{text}”"));
        let of_preset = self.preset.iter().flat_map(|preset| {
            let own =
                preset.choices.iter().filter(|(choice, _)| *choice == visit.parameter(preset.parameter));
            own.filter(|(choice, _)| !choice.is_empty()).map(|(_, (pt, en))| visit.pick(pt, en).to_owned())
        });
        let idle = self.idle_days(visit).map(|days| match visit.lang {
            Lang::Pt => format!("Parados há {days} dias"),
            Lang::En => format!("Idle for {days} days"),
        });
        let is_preset =
            |filter: &&Filter| self.preset.as_ref().is_some_and(|preset| preset.parameter == filter.name);
        let of_filters = filters.iter().filter(|filter| !is_preset(filter));
        let of_filters = of_filters.filter_map(|filter| filter.in_words(choices, names, visit));
        tab.into_iter()
            .chain(text)
            .chain(of_preset)
            .chain(idle)
            .chain(of_filters)
            .collect::<Vec<_>>()
            .join(" · ")
    }
}

/// Reads the entries of the lists, and the names of the records in the filters.
pub(super) async fn chosen_names(filters: &[Filter], visit: &Visit) -> Result<(Choices, RecordNames)> {
    let chosen = filters.iter().filter_map(|filter| filter.record(visit));
    let chosen = chosen.map(|(kind, id)| (kind, id.to_owned())).collect::<Vec<_>>();
    let lang = visit.lang;
    let read = move |db: Db<'_>| {
        let chosen = chosen.iter().map(|(kind, id)| (*kind, id.as_str()));
        Ok((Choices::of(db)?, RecordNames::read(db, chosen, lang)?))
    };
    visit.read(read).await
}
