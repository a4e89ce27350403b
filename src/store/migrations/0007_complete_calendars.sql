-- The office says with a day that all days of its scope in its year are entered.
ALTER TABLE holidays ADD COLUMN completes_year INTEGER NOT NULL DEFAULT 0 CHECK (completes_year IN (0, 1));
