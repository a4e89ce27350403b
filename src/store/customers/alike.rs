//! Customers who may be the same person or company, among all of them (day 39).

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use rusqlite::types::ValueRef;

use crate::store::{Db, Error};

/// What more customers than this share, such as the office's own phone, does not say that they are the same.
pub const MOST: usize = 20;

/// What customers share who may be the same, the strongest sign first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shared {
    /// The name, however it is written, and the day of birth.
    NameAndBirth,
    /// The first eight places of a CNPJ: head office and branches.
    CnpjRoot,
    /// An e-mail address.
    Email,
    /// A phone number.
    Phone,
    /// The name, where nothing else tells them apart.
    Name,
}

/// Customers who may be the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlikeCustomers {
    /// What they share.
    pub shared: Vec<Shared>,
    /// Their ids in their order, two at least.
    pub ids: Vec<u32>,
}

/// What tells one customer from another.
struct Sign {
    id: u32,
    /// A hash of the CPF or CNPJ, if there is one, and of the day of birth.
    tax_id: Option<u64>,
    born: Option<u64>,
}

/// All groups of customers who may be the same: those with the strongest signs first. People whose CPF or CNPJ differ are not the
/// same, whatever else they share, but for branches of one company.
///
/// # Errors
/// Why the store cannot be read.
pub fn all(db: Db<'_>) -> Result<Vec<AlikeCustomers>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT id, identification, name_key, birthdate, cellphone, phone, lower(email) FROM customers
         WHERE deleted_at IS NULL ORDER BY id",
    )?;
    // Each customer is read once. Only hashes are kept: of a million customers these are 100 MB less than the texts.
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
        // As it is stored, `12.345.678/0001-95`.
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

/// `true` if no sign tells all of these from each other.
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
                    // Other people: the same name or phone, and another CPF.
                    (4, "bia reis", Some("111.444.777-35"), none, Some("(48) 97777-0000"), none, none, None),
                    (5, "bia reis", Some("123.456.789-09"), none, Some("(48) 97777-0000"), none, none, None),
                    (6, "loja sul", Some("11.222.333/0001-81"), none, none, none, none, None),
                    (7, "loja norte", Some("11.222.333/0002-62"), none, none, none, Some("a@X.br"), None),
                    // A namesake who was born on another day, and one in the trash.
                    (8, "caio luz", none, Some("1990-01-01"), none, none, none, None),
                    (9, "caio luz", none, Some("1991-01-01"), none, none, none, None),
                    (10, "ana lima", none, none, none, none, none, Some(7)),
                ] {
                    insert.execute((id, name, tax_id, born, cellphone, phone, email, deleted))?;
                }
                // The office's own phone on very many.
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
