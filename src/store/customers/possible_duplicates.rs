//! Finds customers that may be the same person or company (day 39).

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use rusqlite::types::ValueRef;

use crate::store::{Db, Error};

/// Maximum size of a group. A value that more customers share, such as the office's own phone, is no sign.
pub const MOST: usize = 20;

/// A sign that customers may be the same, ordered from the strongest to the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shared {
    /// The name (compared folded) and the date of birth.
    NameAndBirth,
    /// The first eight characters of a CNPJ, which the head office and the branches of a company share.
    CnpjRoot,
    Email,
    Phone,
    /// The name, if tax ids and dates of birth do not set all customers apart.
    Name,
}

/// A group of customers that may be the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlikeCustomers {
    /// The signs that the customers share, strongest first.
    pub shared: Vec<Shared>,
    /// Ids of at least two customers, in ascending order.
    pub ids: Vec<u32>,
}

/// Hashes of the values that set customers apart.
struct Sign {
    id: u32,
    /// Hash of the CPF or CNPJ.
    tax_id: Option<u64>,
    born: Option<u64>,
}

/// Returns all groups of customers that may be the same, those with the strongest signs first. If all customers of a
/// group have different CPFs or CNPJs, the group is left out, unless they are branches of one company.
pub fn all(db: Db<'_>) -> Result<Vec<AlikeCustomers>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT id, identification, name_key, birthdate, cellphone, phone, lower(email) FROM customers
         WHERE deleted_at IS NULL ORDER BY id",
    )?;
    // Keep hashes instead of texts: for a million customers, this saves 100 MB. Each customer is read once.
    let (mut signs, mut keys) = (Vec::new(), Vec::new());
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let text = |at: usize| match row.get_ref(at)? {
            ValueRef::Text(text) if !text.is_empty() => Ok(Some(text)),
            _ => Ok::<_, Error>(None),
        };
        let at = u32::try_from(signs.len()).unwrap_or(u32::MAX);
        let (tax_id, name, born) = (text(1)?, text(2)?, text(3)?);
        signs.push(Sign { id: row.get(0)?, tax_id: tax_id.map(hash), born: born.map(hash) });
        let name_and_birth = name.zip(born).map(hash);
        // A CNPJ is stored with punctuation: `12.345.678/0001-95`.
        let root = tax_id.filter(|id| id.len() == 18).and_then(|id| id.get(..10)).map(hash);
        let [cellphone, phone, email] = [text(4)?.map(hash), text(5)?.map(hash), text(6)?.map(hash)];
        let own = [
            (Shared::NameAndBirth, name_and_birth),
            (Shared::CnpjRoot, root),
            (Shared::Email, email),
            (Shared::Phone, cellphone),
            (Shared::Phone, phone.filter(|phone| cellphone != Some(*phone))),
            (Shared::Name, name.map(hash)),
        ];
        keys.extend(own.into_iter().filter_map(|(shared, key)| Some((shared, key?, at))));
    }
    keys.sort_unstable();
    let mut groups: BTreeMap<Vec<u32>, Vec<Shared>> = BTreeMap::new();
    for same in keys.chunk_by(|one, next| (one.0, one.1) == (next.0, next.1)) {
        let [(shared, ..), _, ..] = same else { continue };
        let who = same.iter().filter_map(|(.., at)| signs.get(usize::try_from(*at).ok()?));
        let who = who.collect::<Vec<_>>();
        if who.len() > MOST || !may_be_same(*shared, &who) {
            continue;
        }
        let shares = groups.entry(who.iter().map(|sign| sign.id).collect()).or_default();
        if !shares.contains(shared) {
            shares.push(*shared);
        }
    }
    let mut groups =
        groups.into_iter().map(|(ids, shared)| AlikeCustomers { shared, ids }).collect::<Vec<_>>();
    groups.sort_by_key(|group| (group.shared.first().copied(), std::cmp::Reverse(group.shared.len())));
    Ok(groups)
}

/// Returns `false` if the tax ids set all customers apart, or for [`Shared::Name`] the dates of birth. Branches of a
/// company may always be the same.
fn may_be_same(shared: Shared, who: &[&Sign]) -> bool {
    let differ = |of: fn(&Sign) -> Option<u64>| {
        let known = who.iter().filter_map(|sign| of(sign)).collect::<HashSet<_>>();
        known.len() == who.len()
    };
    match shared {
        Shared::CnpjRoot => true,
        Shared::NameAndBirth | Shared::Email | Shared::Phone => !differ(|sign| sign.tax_id),
        Shared::Name => !differ(|sign| sign.tax_id) && !differ(|sign| sign.born),
    }
}

fn hash(key: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn what_customers_share_groups_them_unless_something_tells_them_apart() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        store
            .write(|tx| {
                let mut insert = tx.conn().prepare(
                    "INSERT INTO customers (id, user_id, origin_id, name, name_key, identification, birthdate, cellphone,
                     phone, email, created_at, updated_at, deleted_at) VALUES (?1, 1, 1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, 0, 0, ?8)",
                )?;
                let none = None::<&str>;
                for (id, name, tax_id, born, cellphone, phone, email, deleted) in [
                    (1, "ana souza", Some("529.982.247-25"), Some("1980-02-29"), none, none, none, None),
                    (2, "ana souza", none, Some("1980-02-29"), Some("(48) 98888-0000"), none, none, None),
                    (3, "ana lima", none, none, none, Some("(48) 98888-0000"), Some("A@x.br"), None),
                    // Different people: they share name and phone, but have different CPFs.
                    (4, "bia reis", Some("111.444.777-35"), none, Some("(48) 97777-0000"), none, none, None),
                    (5, "bia reis", Some("123.456.789-09"), none, Some("(48) 97777-0000"), none, none, None),
                    (6, "loja sul", Some("11.222.333/0001-81"), none, none, none, none, None),
                    (7, "loja norte", Some("11.222.333/0002-62"), none, none, none, Some("a@X.br"), None),
                    // Namesakes: two with different dates of birth, and one in the trash.
                    (8, "caio luz", none, Some("1990-01-01"), none, none, none, None),
                    (9, "caio luz", none, Some("1991-01-01"), none, none, none, None),
                    (10, "ana lima", none, none, none, none, none, Some(7)),
                ] {
                    insert.execute((id, name, tax_id, born, cellphone, phone, email, deleted))?;
                }
                // Many customers have the office's own phone.
                for id in 100..=120 {
                    let name = format!("cliente {id}");
                    insert.execute((id, name, none, none, Some("(48) 3333-0000"), none, none, None::<i64>))?;
                }
                Ok::<_, Error>(())
            })
            .unwrap();
        let groups = store.read(all).unwrap();
        let groups = groups.iter().map(|group| (group.shared.clone(), group.ids.clone())).collect::<Vec<_>>();
        assert_eq!(
            groups,
            [
                (vec![Shared::NameAndBirth, Shared::Name], vec![1, 2]),
                (vec![Shared::CnpjRoot], vec![6, 7]),
                (vec![Shared::Email], vec![3, 7]),
                (vec![Shared::Phone], vec![2, 3]),
            ]
        );
    }
}
