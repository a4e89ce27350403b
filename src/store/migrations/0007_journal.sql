-- The journal says of a row in which table it is, whatever tables there are: a new one needs no change here. Links are in
-- it by whom they no longer lead to. A CHECK is dropped by making the table anew (sqlite.org/lang_altertable.html, 7).

DROP TRIGGER customers_inserted;
DROP TRIGGER customers_updated;
DROP TRIGGER customers_deleted;
DROP TRIGGER lawsuits_inserted;
DROP TRIGGER lawsuits_updated;
DROP TRIGGER lawsuits_deleted;
DROP TRIGGER lawsuit_customers_deleted;
DROP TRIGGER users_inserted;
DROP TRIGGER users_updated;
DROP TRIGGER origins_inserted;
DROP TRIGGER origins_updated;
DROP TRIGGER groups_inserted;
DROP TRIGGER groups_updated;
DROP TRIGGER types_inserted;
DROP TRIGGER types_updated;
DROP TRIGGER steps_inserted;
DROP TRIGGER steps_updated;
DROP TRIGGER stages_inserted;
DROP TRIGGER stages_updated;

CREATE TABLE new_changes (
    seq  INTEGER PRIMARY KEY,
    kind TEXT    NOT NULL,
    id   INTEGER NOT NULL
) STRICT;

INSERT INTO new_changes (seq, kind, id)
    SELECT seq, CASE kind
        WHEN 'customer' THEN 'customers'
        WHEN 'lawsuit' THEN 'lawsuits'
        WHEN 'unlinked' THEN 'lawsuit_customers'
        ELSE kind
    END, id FROM changes;

DROP TABLE changes;
ALTER TABLE new_changes RENAME TO changes;

CREATE TRIGGER customers_inserted AFTER INSERT ON customers
    BEGIN INSERT INTO changes (kind, id) VALUES ('customers', new.id); END;
CREATE TRIGGER customers_updated AFTER UPDATE ON customers
    BEGIN INSERT INTO changes (kind, id) VALUES ('customers', new.id); END;
CREATE TRIGGER customers_deleted AFTER DELETE ON customers
    BEGIN INSERT INTO changes (kind, id) VALUES ('customers', old.id); END;
CREATE TRIGGER lawsuits_inserted AFTER INSERT ON lawsuits
    BEGIN INSERT INTO changes (kind, id) VALUES ('lawsuits', new.id); END;
CREATE TRIGGER lawsuits_updated AFTER UPDATE ON lawsuits
    BEGIN INSERT INTO changes (kind, id) VALUES ('lawsuits', new.id); END;
CREATE TRIGGER lawsuits_deleted AFTER DELETE ON lawsuits
    BEGIN INSERT INTO changes (kind, id) VALUES ('lawsuits', old.id); END;
CREATE TRIGGER lawsuit_customers_deleted AFTER DELETE ON lawsuit_customers
    BEGIN INSERT INTO changes (kind, id) VALUES ('lawsuit_customers', old.customer_id); END;
CREATE TRIGGER users_inserted AFTER INSERT ON users
    BEGIN INSERT INTO changes (kind, id) VALUES ('users', new.id); END;
CREATE TRIGGER users_updated AFTER UPDATE ON users
    BEGIN INSERT INTO changes (kind, id) VALUES ('users', new.id); END;
CREATE TRIGGER origins_inserted AFTER INSERT ON origins
    BEGIN INSERT INTO changes (kind, id) VALUES ('origins', new.id); END;
CREATE TRIGGER origins_updated AFTER UPDATE ON origins
    BEGIN INSERT INTO changes (kind, id) VALUES ('origins', new.id); END;
CREATE TRIGGER groups_inserted AFTER INSERT ON groups
    BEGIN INSERT INTO changes (kind, id) VALUES ('groups', new.id); END;
CREATE TRIGGER groups_updated AFTER UPDATE ON groups
    BEGIN INSERT INTO changes (kind, id) VALUES ('groups', new.id); END;
CREATE TRIGGER types_inserted AFTER INSERT ON types
    BEGIN INSERT INTO changes (kind, id) VALUES ('types', new.id); END;
CREATE TRIGGER types_updated AFTER UPDATE ON types
    BEGIN INSERT INTO changes (kind, id) VALUES ('types', new.id); END;
CREATE TRIGGER steps_inserted AFTER INSERT ON steps
    BEGIN INSERT INTO changes (kind, id) VALUES ('steps', new.id); END;
CREATE TRIGGER steps_updated AFTER UPDATE ON steps
    BEGIN INSERT INTO changes (kind, id) VALUES ('steps', new.id); END;
CREATE TRIGGER stages_inserted AFTER INSERT ON stages
    BEGIN INSERT INTO changes (kind, id) VALUES ('stages', new.id); END;
CREATE TRIGGER stages_updated AFTER UPDATE ON stages
    BEGIN INSERT INTO changes (kind, id) VALUES ('stages', new.id); END;

-- What tied files of the search index to a state of the store; there are none any more.
DROP TABLE seals;
