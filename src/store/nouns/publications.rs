//! Queries specific to publications.

use rusqlite::named_params;

use super::tasks::and_is_seen;
use crate::domain::{Day, ProcessNumber};
use crate::records::{Publication, PublicationId};
use crate::store::{Db, Error};

/// Returns the tasks created from a publication, of those that the caller may see, ordered by id.
pub fn tasks(db: Db<'_>, publication: u32) -> Result<Vec<u32>, Error> {
    let created = "SELECT t.id FROM tasks t WHERE t.publication_id = ?1 AND t.deleted_at IS NULL";
    db.column(&[created, &and_is_seen(db), " ORDER BY t.id"].concat(), [publication])
}

/// Returns the publications with the lawsuit, day, source and text of this one, ordered by id. The day is that of publication
/// or the one on which it was made available. If both have the latter, or a court, that is the same too. Publications without a
/// lawsuit are compared by process number instead.
pub fn equal(db: Db<'_>, publication: &Publication) -> Result<Vec<PublicationId>, Error> {
    // Must be the same expression as in the generated column `bare_number`.
    let sql = "SELECT id FROM publications
         WHERE id IN (SELECT id FROM publications WHERE lawsuit_id IS :lawsuit AND date = :date
                 UNION ALL SELECT id FROM publications WHERE lawsuit_id IS :lawsuit AND date_available = :available)
             AND (date_available = :available OR date_available IS NULL OR :available IS NULL)
             AND (court = :court OR court IS NULL OR :court IS NULL)
             AND source = :source AND publication = :text
             AND (lawsuit_id IS NOT NULL OR bare_number IN
                 (upper(replace(replace(replace(replace(:number, '.', ''), '-', ''), '/', ''), ' ', '')), :rest))
         ORDER BY id";
    let rest = publication.number.as_ref().and_then(ProcessNumber::without_zeros).map(|[_, digits]| digits);
    db.column(sql, named_params! {
            ":lawsuit": publication.lawsuit_id, ":number": publication.number.as_ref().map(|number| number.as_str()),
            ":rest": rest,
            ":date": publication.date.iso(), ":available": publication.date_available.map(Day::iso),
            ":court": publication.court.as_ref().map(|court| court.as_str()), ":source": publication.source.as_str(),
            ":text": publication.publication.as_str(),
        })
}
