//! Finds customers that may be the same person or company (day 39).

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use rusqlite::types::ValueRef;

use super::name_and_tax_id;
use crate::domain::parties::similar_names::similarity::similarity;
use crate::domain::parties::similar_names::{NameWords, sounds_of};
use crate::domain::phone_key;
use crate::store::{Db, Error};

/// Maximum size of a group. A value that more customers share, such as the office's own phone, is no sign.
pub const MAX_GROUP: usize = 20;
/// Lowest score, in hundredths, of names that count as similar: one slip, or one of four words missing. Other similar names
/// are no sign even with the same date of birth; `João Silva` and `João Paulo Silva` may be two of many.
const MIN_SCORE: u8 = 85;

/// A sign that customers may be the same, ordered from the strongest to the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SharedValue {
    /// The name (compared by its words and their sounds) and the date of birth.
    NameAndBirth,
    /// The date of birth, and a name that differs in a word.
    SimilarNameAndBirth,
    /// The first eight characters of a CNPJ, which the head office and the branches of a company share.
    CnpjRoot,
    Email,
    Phone,
    /// The name, if tax ids and dates of birth do not set all customers apart. Names that are only similar are no sign of
    /// their own: most such customers of a large office are different people.
    Name,
}

/// A group of customers that may be the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateGroup {
    /// The signs that the customers share, strongest first.
    pub shared: Vec<SharedValue>,
    /// Ids of at least two customers, in ascending order.
    pub ids: Vec<u32>,
}

/// Hashes of the values that set customers apart.
struct IdentityHashes {
    id: u32,
    name: Option<u64>,
    /// Hash of the CPF or CNPJ.
    tax_id: Option<u64>,
    born: Option<u64>,
}

/// Returns all groups of customers that may be the same, those with the strongest signs first. If all customers of a
/// group have different CPFs or CNPJs, the group is left out, unless they are branches of one company.
pub fn all(db: Db<'_>) -> Result<Vec<DuplicateGroup>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT id, identification, name_key, birthdate, cellphone, phone, lower(email) FROM customers
         WHERE deleted_at IS NULL ORDER BY id",
    )?;
    // Keep hashes instead of texts: for a million customers, this saves 100 MB. Each customer is read once.
    let mut signs = Vec::new();
    let mut keys = Vec::new();
    let mut partial = Vec::new();
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let text = |at: usize| match row.get_ref(at)? {
            ValueRef::Text(text) if !text.is_empty() => Ok(Some(text)),
            _ => Ok::<_, Error>(None),
        };
        let at = u32::try_from(signs.len()).unwrap_or(u32::MAX);
        let tax_id = text(1)?;
        let name = text(2)?;
        let born = text(3)?;
        let sounds = sounds_of(std::str::from_utf8(name.unwrap_or_default()).unwrap_or_default());
        let name = name.map(|_| hash(&sounds));
        signs.push(IdentityHashes { id: row.get(0)?, name, tax_id: tax_id.map(hash), born: born.map(hash) });
        if let (Some(name), Some(born)) = (name, born) {
            partial.push((hash((name, born)), at));
            let without = |word: &String| sounds.iter().filter(|other| *other != word).collect::<Vec<_>>();
            let rests = sounds.iter().map(without).filter(|rest| !rest.is_empty());
            partial.extend(rests.map(|rest| (hash((hash(rest), born)), at)));
        }
        let name_and_birth = name.zip(born).map(hash);
        // A CNPJ is stored with punctuation: `12.345.678/0001-95`.
        let root = tax_id.filter(|id| id.len() == 18).and_then(|id| id.get(..10)).map(hash);
        let [cellphone, phone] = [text(4)?.map(phone_hash), text(5)?.map(phone_hash)];
        let email = text(6)?.map(hash);
        let own = [
            (SharedValue::NameAndBirth, name_and_birth),
            (SharedValue::CnpjRoot, root),
            (SharedValue::Email, email),
            (SharedValue::Phone, cellphone),
            (SharedValue::Phone, phone.filter(|phone| cellphone != Some(*phone))),
            (SharedValue::Name, name),
        ];
        keys.extend(own.into_iter().filter_map(|(shared, key)| Some((shared, key?, at))));
    }
    keys.sort_unstable();
    let mut groups: BTreeMap<Vec<u32>, Vec<SharedValue>> = BTreeMap::new();
    for same in keys.chunk_by(|one, next| (one.0, one.1) == (next.0, next.1)) {
        let [(shared, ..), _, ..] = same else { continue };
        let who = same.iter().filter_map(|(.., at)| signs.get(usize::try_from(*at).ok()?));
        let who = who.collect::<Vec<_>>();
        if who.len() > MAX_GROUP || !may_be_same(*shared, &who) {
            continue;
        }
        let shares = groups.entry(who.iter().map(|sign| sign.id).collect()).or_default();
        if !shares.contains(shared) {
            shares.push(*shared);
        }
    }
    for (one, other) in similar_pairs(db, &signs, partial)? {
        groups.entry(vec![one, other]).or_default().push(SharedValue::SimilarNameAndBirth);
    }
    let mut groups =
        groups.into_iter().map(|(ids, shared)| DuplicateGroup { shared, ids }).collect::<Vec<_>>();
    groups.iter_mut().for_each(|group| group.shared.sort_unstable());
    groups.sort_by_key(|group| (group.shared.first().copied(), std::cmp::Reverse(group.shared.len())));
    Ok(groups)
}

/// Returns the pairs of customers with the same date of birth and similar names, by ascending ids. `partial` has keys of the
/// date and the whole name or all words but one, each with the position of its customer.
fn similar_pairs(
    db: Db<'_>,
    signs: &[IdentityHashes],
    mut partial: Vec<(u64, u32)>,
) -> Result<HashSet<(u32, u32)>, Error> {
    let mut pairs = HashSet::new();
    partial.sort_unstable();
    for same in
        partial.chunk_by(|one, next| one.0 == next.0).filter(|same| (2..=MAX_GROUP).contains(&same.len()))
    {
        let who = same.iter().filter_map(|(_, at)| signs.get(usize::try_from(*at).ok()?)).collect::<Vec<_>>();
        for (at, one) in who.iter().enumerate() {
            for other in who.iter().skip(at + 1) {
                let pair = (one.id, other.id);
                let is_new = one.id != other.id && one.name != other.name && !pairs.contains(&pair);
                if !is_new || !may_be_same(SharedValue::SimilarNameAndBirth, &[one, other]) {
                    continue;
                }
                let names = [one.id, other.id].map(|id| name_and_tax_id(db, id));
                if let [Ok(Some((one, _))), Ok(Some((other, _)))] = &names
                    && similarity(&NameWords::parse(one), &NameWords::parse(other)).hundredths() >= MIN_SCORE
                {
                    pairs.insert(pair);
                }
                names.into_iter().try_for_each(|name| name.map(|_| ()))?;
            }
        }
    }
    Ok(pairs)
}

/// Returns `false` if the tax ids set all customers apart, or for [`SharedValue::Name`] the dates of birth. Branches of a
/// company may always be the same.
fn may_be_same(shared: SharedValue, who: &[&IdentityHashes]) -> bool {
    let differ = |of: fn(&IdentityHashes) -> Option<u64>| {
        let known = who.iter().filter_map(|sign| of(sign)).collect::<HashSet<_>>();
        known.len() == who.len()
    };
    match shared {
        SharedValue::CnpjRoot => true,
        SharedValue::NameAndBirth
        | SharedValue::SimilarNameAndBirth
        | SharedValue::Email
        | SharedValue::Phone => !differ(|sign| sign.tax_id),
        SharedValue::Name => !differ(|sign| sign.tax_id) && !differ(|sign| sign.born),
    }
}

fn phone_hash(stored: &[u8]) -> u64 {
    hash(phone_key(std::str::from_utf8(stored).unwrap_or_default()))
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
    fn customers_are_grouped_by_shared_values_unless_other_values_differ() {
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
                    // The same phone without its ninth digit.
                    (3, "ana lima", none, none, none, Some("(48) 8888-0000"), Some("A@x.br"), None),
                    // Different people: they share name and phone, but have different CPFs.
                    (4, "bia reis", Some("111.444.777-35"), none, Some("(48) 97777-0000"), none, none, None),
                    (5, "bia reis", Some("123.456.789-09"), none, Some("(48) 97777-0000"), none, none, None),
                    (6, "loja sul", Some("11.222.333/0001-81"), none, none, none, none, None),
                    (7, "loja norte", Some("11.222.333/0002-62"), none, none, none, Some("a@X.br"), None),
                    // The same name: two with different dates of birth, and one in the trash.
                    (8, "caio luz", none, Some("1990-01-01"), none, none, none, None),
                    (9, "caio luz", none, Some("1991-01-01"), none, none, none, None),
                    (10, "ana lima", none, none, none, none, none, Some(7)),
                    // Names that sound alike or have a typing error, and the same date of birth.
                    (11, "luiz de souza", none, Some("1970-05-05"), none, none, none, None),
                    (12, "sousa luis", none, Some("1970-05-05"), none, none, none, None),
                    (13, "thereza prado lemos", none, Some("1970-06-06"), none, none, none, None),
                    (14, "tereza prado lemos", none, Some("1970-06-06"), none, none, none, None),
                    (15, "maria tereza prado lemos", none, Some("1970-06-06"), none, none, none, None),
                    // A different first name, date of birth or tax id.
                    (16, "sonia prado lemos", none, Some("1970-06-06"), none, none, none, None),
                    (17, "tereza prado lemos", none, Some("1970-06-07"), none, none, none, None),
                    (18, "davi rosa", Some("935.411.347-80"), Some("1950-01-01"), none, none, none, None),
                    (19, "davy rossa", Some("153.509.460-56"), Some("1950-01-01"), none, none, none, None),
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
                (vec![SharedValue::NameAndBirth, SharedValue::Name], vec![1, 2]),
                (vec![SharedValue::NameAndBirth, SharedValue::Name], vec![11, 12]),
                (vec![SharedValue::SimilarNameAndBirth], vec![13, 14]),
                (vec![SharedValue::SimilarNameAndBirth], vec![14, 15]),
                (vec![SharedValue::CnpjRoot], vec![6, 7]),
                (vec![SharedValue::Email], vec![3, 7]),
                (vec![SharedValue::Phone], vec![2, 3]),
            ]
        );
    }
}
