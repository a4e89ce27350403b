-- What happened in lawsuits. Whether the office or a court wrote it follows from the court's name.
CREATE TABLE movements (
    id           INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    lawsuit_id   INTEGER NOT NULL REFERENCES lawsuits (id),
    date         TEXT    NOT NULL CHECK (date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    title        TEXT    NOT NULL CHECK (title <> ''),
    header       TEXT,
    time         TEXT    CHECK (time GLOB '[0-9][0-9]:[0-9][0-9]:[0-9][0-9]'),
    origin       TEXT    NOT NULL GENERATED ALWAYS AS (iif(header IS NULL, 'MANUAL', 'TRIBUNAL')) VIRTUAL,
    user_id      INTEGER REFERENCES users (id),
    external_ids TEXT    NOT NULL DEFAULT '[]',
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    deleted_at     INTEGER,
    deleted_reason TEXT,
    deleted_with   INTEGER,
    merged_into    INTEGER
) STRICT;

CREATE INDEX movements_deleted ON movements (deleted_at) WHERE deleted_at IS NOT NULL;

-- Those of one lawsuit, the newest first, and those that a capture may bring again.
CREATE INDEX movements_of_lawsuit ON movements (lawsuit_id, date);

-- Captures know a lawsuit by its number, with any punctuation.
CREATE INDEX lawsuits_by_bare_number ON lawsuits
    (upper(replace(replace(replace(replace(process_number, '.', ''), '-', ''), '/', ''), ' ', '')))
    WHERE process_number IS NOT NULL;

CREATE TRIGGER movements_inserted AFTER INSERT ON movements
    BEGIN INSERT INTO changes (kind, id) VALUES ('movements', new.id); END;
CREATE TRIGGER movements_updated AFTER UPDATE ON movements
    BEGIN INSERT INTO changes (kind, id) VALUES ('movements', new.id); END;
CREATE TRIGGER movements_deleted AFTER DELETE ON movements
    BEGIN INSERT INTO changes (kind, id) VALUES ('movements', old.id); END;

CREATE TRIGGER movements_named AFTER INSERT ON movements WHEN new.external_ids <> '[]'
    BEGIN
        INSERT INTO external_ids (resource, external_id, id)
            SELECT 'movements', value, new.id FROM json_each(new.external_ids);
    END;
CREATE TRIGGER movements_renamed AFTER UPDATE ON movements WHEN new.external_ids <> old.external_ids
    BEGIN
        DELETE FROM external_ids WHERE resource = 'movements' AND id = old.id;
        INSERT INTO external_ids (resource, external_id, id)
            SELECT 'movements', value, new.id FROM json_each(new.external_ids);
    END;
CREATE TRIGGER movements_unnamed AFTER DELETE ON movements WHEN old.external_ids <> '[]'
    BEGIN DELETE FROM external_ids WHERE resource = 'movements' AND id = old.id; END;
