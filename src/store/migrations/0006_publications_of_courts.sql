-- A publication as the court gives it.
ALTER TABLE publications ADD COLUMN date_available TEXT
    CHECK (date_available GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]');
ALTER TABLE publications ADD COLUMN court TEXT;
ALTER TABLE publications ADD COLUMN kind TEXT;
