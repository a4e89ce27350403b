-- Notices of gazettes and of courts' systems, of a lawsuit or, while no lawsuit has their number, of none.
CREATE TABLE publications (
    id                 INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    lawsuit_id         INTEGER REFERENCES lawsuits (id),
    number             TEXT,
    bare_number        TEXT    GENERATED ALWAYS AS
        (upper(replace(replace(replace(replace(number, '.', ''), '-', ''), '/', ''), ' ', ''))) VIRTUAL,
    own_start          TEXT    CHECK (own_start GLOB '????-??-?? ??:??:??'),
    start              TEXT    NOT NULL GENERATED ALWAYS AS (coalesce(own_start, date || ' 00:00:00')) VIRTUAL,
    date_deadline      TEXT    CHECK (date_deadline GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    local              TEXT,
    user_id            INTEGER REFERENCES users (id),
    own_responsible_id INTEGER REFERENCES users (id),
    publication        TEXT    NOT NULL CHECK (publication <> ''),
    date               TEXT    NOT NULL CHECK (date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    source             TEXT    NOT NULL,
    treated_at         INTEGER,
    treated_by_id      INTEGER REFERENCES users (id),
    treated            INTEGER NOT NULL GENERATED ALWAYS AS (treated_at IS NOT NULL) VIRTUAL,
    external_ids       TEXT    NOT NULL DEFAULT '[]',
    created_at         INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL,
    deleted_at         INTEGER,
    deleted_reason     TEXT,
    deleted_with       INTEGER,
    merged_into        INTEGER,
    CHECK (lawsuit_id IS NOT NULL OR number IS NOT NULL)
) STRICT;

CREATE INDEX publications_deleted ON publications (deleted_at) WHERE deleted_at IS NOT NULL;

-- Those of one lawsuit, the newest first, and those that a capture may bring again.
CREATE INDEX publications_of_lawsuit ON publications (lawsuit_id, date);
CREATE INDEX publications_of_number ON publications (bare_number) WHERE lawsuit_id IS NULL;

CREATE TRIGGER publications_inserted AFTER INSERT ON publications
    BEGIN INSERT INTO changes (kind, id) VALUES ('publications', new.id); END;
CREATE TRIGGER publications_updated AFTER UPDATE ON publications
    BEGIN INSERT INTO changes (kind, id) VALUES ('publications', new.id); END;
CREATE TRIGGER publications_deleted AFTER DELETE ON publications
    BEGIN INSERT INTO changes (kind, id) VALUES ('publications', old.id); END;

CREATE TRIGGER publications_named AFTER INSERT ON publications WHEN new.external_ids <> '[]'
    BEGIN
        INSERT INTO external_ids (resource, external_id, id)
            SELECT 'publications', value, new.id FROM json_each(new.external_ids);
    END;
CREATE TRIGGER publications_renamed AFTER UPDATE ON publications WHEN new.external_ids <> old.external_ids
    BEGIN
        DELETE FROM external_ids WHERE resource = 'publications' AND id = old.id;
        INSERT INTO external_ids (resource, external_id, id)
            SELECT 'publications', value, new.id FROM json_each(new.external_ids);
    END;
CREATE TRIGGER publications_unnamed AFTER DELETE ON publications WHEN old.external_ids <> '[]'
    BEGIN DELETE FROM external_ids WHERE resource = 'publications' AND id = old.id; END;

-- One without a lawsuit belongs to the lawsuit that first gets its number, whoever writes that.
CREATE TRIGGER publications_of_new_lawsuit AFTER INSERT ON lawsuits WHEN new.process_number IS NOT NULL
    BEGIN
        UPDATE publications SET lawsuit_id = new.id, updated_at = new.updated_at
            WHERE lawsuit_id IS NULL AND bare_number <> '' AND bare_number =
                upper(replace(replace(replace(replace(new.process_number, '.', ''), '-', ''), '/', ''), ' ', ''));
    END;
CREATE TRIGGER publications_of_numbered_lawsuit AFTER UPDATE OF process_number ON lawsuits
    WHEN new.process_number IS NOT NULL AND new.process_number IS NOT old.process_number
    BEGIN
        UPDATE publications SET lawsuit_id = new.id, updated_at = new.updated_at
            WHERE lawsuit_id IS NULL AND bare_number <> '' AND bare_number =
                upper(replace(replace(replace(replace(new.process_number, '.', ''), '-', ''), '/', ''), ' ', ''));
    END;

-- Publications are found by the number and the responsible of their lawsuit, so whoever follows hears of them too.
CREATE TRIGGER publications_follow_lawsuit AFTER UPDATE OF process_number, user_id ON lawsuits
    WHEN new.process_number IS NOT old.process_number OR new.user_id <> old.user_id
    BEGIN INSERT INTO changes (kind, id) SELECT 'publications', id FROM publications WHERE lawsuit_id = new.id; END;

-- A publication shows the tasks that came of it.
CREATE INDEX tasks_of_publication ON tasks (publication_id) WHERE publication_id IS NOT NULL;

CREATE TRIGGER publications_of_new_task AFTER INSERT ON tasks WHEN new.publication_id IS NOT NULL
    BEGIN INSERT INTO changes (kind, id) VALUES ('publications', new.publication_id); END;
CREATE TRIGGER publications_of_changed_task AFTER UPDATE OF publication_id, deleted_at ON tasks
    WHEN new.publication_id IS NOT old.publication_id OR new.deleted_at IS NOT old.deleted_at
    BEGIN
        INSERT INTO changes (kind, id)
            SELECT 'publications', publication FROM
                (SELECT old.publication_id AS publication UNION SELECT new.publication_id)
            WHERE publication IS NOT NULL;
    END;
CREATE TRIGGER publications_of_deleted_task AFTER DELETE ON tasks WHEN old.publication_id IS NOT NULL
    BEGIN INSERT INTO changes (kind, id) VALUES ('publications', old.publication_id); END;
