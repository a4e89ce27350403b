-- A publication as the court gives it, and how its deadline was counted, as a person confirmed it.
ALTER TABLE publications ADD COLUMN date_available TEXT
    CHECK (date_available GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]');
ALTER TABLE publications ADD COLUMN court TEXT;
ALTER TABLE publications ADD COLUMN kind TEXT;
ALTER TABLE publications ADD COLUMN deadline_query TEXT;
ALTER TABLE publications ADD COLUMN deadline_memory TEXT;
CREATE INDEX publications_by_available ON publications (lawsuit_id, date_available) WHERE date_available IS NOT NULL;
