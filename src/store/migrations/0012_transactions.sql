-- Money that comes in or goes out (resources 16). Amounts are whole centavos.
CREATE TABLE transactions (
    id             INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    entry_type     TEXT    NOT NULL CHECK (entry_type = 'income' OR entry_type = 'expense'),
    date_due       TEXT    NOT NULL,
    date_payment   TEXT,
    competence     TEXT    NOT NULL,
    amount         INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 99999999999999),
    description    TEXT,
    lawsuit_id     INTEGER REFERENCES lawsuits (id),
    is_internal    INTEGER NOT NULL CHECK (is_internal = 0 OR is_internal = 1),
    is_recurrent   INTEGER NOT NULL CHECK (is_recurrent = 0 OR is_recurrent = 1),
    user_id        INTEGER NOT NULL REFERENCES users (id),
    category_id    INTEGER NOT NULL REFERENCES categories (id),
    cost_center_id INTEGER NOT NULL REFERENCES cost_centers (id),
    debit_account  INTEGER NOT NULL REFERENCES banks (id),
    credit_account INTEGER REFERENCES banks (id) CHECK (credit_account <> debit_account),
    department_id  INTEGER REFERENCES departments (id),
    customer_id    INTEGER REFERENCES customers (id),
    external_ids   TEXT    NOT NULL DEFAULT '[]',
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL
) STRICT;

-- Others that may be the same as a new one.
CREATE INDEX transactions_alike ON transactions (date_due, amount);
CREATE INDEX transactions_of_customer ON transactions (customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX transactions_of_lawsuit ON transactions (lawsuit_id) WHERE lawsuit_id IS NOT NULL;

-- Whether any has a category, whose type cannot change then.
CREATE INDEX transactions_of_category ON transactions (category_id);

CREATE TRIGGER transactions_inserted AFTER INSERT ON transactions
    BEGIN INSERT INTO changes (kind, id) VALUES ('transactions', new.id); END;
CREATE TRIGGER transactions_updated AFTER UPDATE ON transactions
    BEGIN INSERT INTO changes (kind, id) VALUES ('transactions', new.id); END;
CREATE TRIGGER transactions_deleted AFTER DELETE ON transactions
    BEGIN INSERT INTO changes (kind, id) VALUES ('transactions', old.id); END;

CREATE TRIGGER transactions_named AFTER INSERT ON transactions WHEN new.external_ids <> '[]'
    BEGIN
        INSERT INTO external_ids (resource, external_id, id)
            SELECT 'transactions', value, new.id FROM json_each(new.external_ids);
    END;
CREATE TRIGGER transactions_renamed AFTER UPDATE ON transactions WHEN new.external_ids <> old.external_ids
    BEGIN
        DELETE FROM external_ids WHERE resource = 'transactions' AND id = old.id;
        INSERT INTO external_ids (resource, external_id, id)
            SELECT 'transactions', value, new.id FROM json_each(new.external_ids);
    END;
CREATE TRIGGER transactions_unnamed AFTER DELETE ON transactions WHEN old.external_ids <> '[]'
    BEGIN DELETE FROM external_ids WHERE resource = 'transactions' AND id = old.id; END;
