-- For a list of three values SQLite makes, fills and drops a table of its own at every insert; comparisons cost next to
-- nothing. A CHECK stands in the schema's text alone, so that is all that changes (sqlite.org/lang_altertable.html, 7).
PRAGMA writable_schema = ON;

UPDATE sqlite_schema
    SET sql = replace(sql, 'gender IN (''M'', ''F'', ''O'')', 'gender = ''M'' OR gender = ''F'' OR gender = ''O''')
    WHERE type = 'table' AND name = 'customers';

UPDATE sqlite_schema
    SET sql = replace(sql, 'kind IN (''customer'', ''lawsuit'', ''settings'')',
        'kind = ''customer'' OR kind = ''lawsuit'' OR kind = ''settings'' OR kind = ''unlinked''')
    WHERE type = 'table' AND name = 'changes';

PRAGMA writable_schema = RESET;

-- Whose customer a lawsuit no longer is, which nobody could tell from what is stored afterwards. A new trigger also has
-- every connection, of whichever process, read the schema's text anew.
CREATE TRIGGER lawsuit_customers_deleted AFTER DELETE ON lawsuit_customers
    BEGIN INSERT INTO changes (kind, id) VALUES ('unlinked', old.customer_id); END;
