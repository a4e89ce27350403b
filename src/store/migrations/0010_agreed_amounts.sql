-- What was agreed for a transaction that was paid in part, in centavos: a repetition goes on with it (office 54). NULL if it
-- was never paid in part.
ALTER TABLE transactions ADD COLUMN agreed INTEGER CHECK (agreed BETWEEN 1 AND 99999999999999);
UPDATE transactions AS paid SET agreed = (
    WITH RECURSIVE parts (id) AS (
        SELECT paid.id UNION SELECT rest.id FROM parts JOIN transactions rest ON rest.rest_of = parts.id
        -- The debt of a deleted rest went back when the payment that left it was undone.
        WHERE rest.deleted_at IS NULL OR coalesce((SELECT reason FROM changes
            WHERE kind = 'transactions' AND id = rest.rest_of AND reason IN ('payment-undone', 'payment-restored')
                AND seq > (SELECT min(seq) FROM changes WHERE kind = 'transactions' AND id = rest.id)
            ORDER BY seq DESC LIMIT 1), '') <> 'payment-undone')
    SELECT nullif(max(min(sum(amount + discount - interest), 99999999999999), 0), 0) FROM transactions part
    WHERE part.id IN parts
        AND (part.id = paid.id OR part.deleted_at IS NULL OR paid.date_payment IS NOT NULL))
WHERE series_at IS NOT NULL AND EXISTS (SELECT 1 FROM transactions rest WHERE rest.rest_of = paid.id);
