-- The CHECK of `situation` without IN, for which SQLite opens and fills a table at each insert of a customer.
DROP INDEX customers_by_birthday;
ALTER TABLE customers RENAME COLUMN situation TO situation_before;
ALTER TABLE customers ADD COLUMN situation TEXT NOT NULL DEFAULT 'active'
    CHECK (situation = 'active' OR situation = 'inactive' OR situation = 'deceased');
UPDATE customers SET situation = situation_before WHERE situation_before <> 'active';
ALTER TABLE customers DROP COLUMN situation_before;
CREATE INDEX customers_by_birthday ON customers (substr(birthdate, 6), name_key)
WHERE birthdate IS NOT NULL AND deleted_at IS NULL AND situation <> 'deceased';
