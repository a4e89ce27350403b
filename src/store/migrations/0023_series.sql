-- Transactions that belong together: instalments, and a repetition that makes one a month (day 38). `series_id` is the id of
-- the first of them. In a repetition `series_at` is the month that one stands for, with the first one's day of the month:
-- `2026-02-31` falls due on 28 February. The newest, also a deleted one, says with `series_until` which month is the last;
-- without it there is no last one.
ALTER TABLE transactions ADD COLUMN series_id INTEGER;
ALTER TABLE transactions ADD COLUMN series_at TEXT;
ALTER TABLE transactions ADD COLUMN series_until TEXT;

CREATE INDEX transactions_of_series ON transactions (series_id) WHERE series_id IS NOT NULL;
-- Each month once.
CREATE UNIQUE INDEX transactions_by_month ON transactions (series_id, series_at) WHERE series_at IS NOT NULL;

-- When the newest is erased, the one before it stands for its month, so that the month is not made again.
CREATE TRIGGER transactions_series_erased AFTER DELETE ON transactions WHEN old.series_at IS NOT NULL
BEGIN
    UPDATE transactions SET series_at = old.series_at, series_until = old.series_until
    WHERE series_id = old.series_id AND series_at < old.series_at
        AND series_at = (SELECT max(series_at) FROM transactions WHERE series_id = old.series_id);
END;
