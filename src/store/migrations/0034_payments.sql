-- Money as it is received (office 54). The agreed amount is amount + discount - interest.
ALTER TABLE transactions ADD COLUMN discount INTEGER NOT NULL DEFAULT 0 CHECK (discount BETWEEN 0 AND 99999999999999);
ALTER TABLE transactions ADD COLUMN interest INTEGER NOT NULL DEFAULT 0 CHECK (interest BETWEEN 0 AND 99999999999999);
ALTER TABLE transactions ADD COLUMN rest_of INTEGER REFERENCES transactions (id);
ALTER TABLE transactions ADD COLUMN refund_of INTEGER REFERENCES transactions (id);
-- The day on which the money moved, or on which it is due to.
ALTER TABLE transactions ADD COLUMN date TEXT GENERATED ALWAYS AS (coalesce(date_payment, date_due)) VIRTUAL;

CREATE INDEX transactions_of_rest_of ON transactions (rest_of) WHERE rest_of IS NOT NULL;
CREATE INDEX transactions_of_refund_of ON transactions (refund_of) WHERE refund_of IS NOT NULL;

INSERT INTO categories (flow, name, name_key, place)
    SELECT 'DÉBITO', 'Devolução a cliente', fold('Devolução a cliente'), (SELECT coalesce(max(place), 0) + 1 FROM categories)
    WHERE NOT EXISTS (SELECT 1 FROM categories WHERE name_key = fold('Devolução a cliente') AND flow = 'DÉBITO');
