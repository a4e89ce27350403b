-- What other systems call records, of every table that has a column `external_ids` with a JSON array of them. The triggers
-- of the table keep this one, in which a name of the table stands once.
CREATE TABLE external_ids (
    resource    TEXT    NOT NULL,
    external_id TEXT    NOT NULL,
    id          INTEGER NOT NULL,
    PRIMARY KEY (resource, external_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX external_ids_by_record ON external_ids (resource, id);

-- Documents: what they are called and what they belong to. Their contents are files beside the store, each named by its
-- SHA-256.
CREATE TABLE documents (
    id             INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name           TEXT    NOT NULL,
    size           INTEGER NOT NULL CHECK (size > 0),
    media_type     TEXT    NOT NULL,
    sha256         TEXT    NOT NULL CHECK (length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*'),
    customer_id    INTEGER REFERENCES customers (id),
    lawsuit_id     INTEGER REFERENCES lawsuits (id),
    transaction_id INTEGER,
    post_id        INTEGER,
    publication_id INTEGER,
    notes          TEXT,
    user_id        INTEGER REFERENCES users (id),
    external_ids   TEXT    NOT NULL DEFAULT '[]',
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL
) STRICT;

-- Which documents have a content, so that the same one is found again and no file goes that one of them needs.
CREATE INDEX documents_by_content ON documents (sha256);
CREATE INDEX documents_of_customer ON documents (customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX documents_of_lawsuit ON documents (lawsuit_id) WHERE lawsuit_id IS NOT NULL;
CREATE INDEX documents_of_transaction ON documents (transaction_id) WHERE transaction_id IS NOT NULL;
CREATE INDEX documents_of_post ON documents (post_id) WHERE post_id IS NOT NULL;
CREATE INDEX documents_of_publication ON documents (publication_id) WHERE publication_id IS NOT NULL;

CREATE TRIGGER documents_inserted AFTER INSERT ON documents
    BEGIN INSERT INTO changes (kind, id) VALUES ('documents', new.id); END;
CREATE TRIGGER documents_updated AFTER UPDATE ON documents
    BEGIN INSERT INTO changes (kind, id) VALUES ('documents', new.id); END;
CREATE TRIGGER documents_deleted AFTER DELETE ON documents
    BEGIN INSERT INTO changes (kind, id) VALUES ('documents', old.id); END;

CREATE TRIGGER documents_named AFTER INSERT ON documents WHEN new.external_ids <> '[]'
    BEGIN
        INSERT INTO external_ids (resource, external_id, id)
            SELECT 'documents', value, new.id FROM json_each(new.external_ids);
    END;
CREATE TRIGGER documents_renamed AFTER UPDATE ON documents WHEN new.external_ids <> old.external_ids
    BEGIN
        DELETE FROM external_ids WHERE resource = 'documents' AND id = old.id;
        INSERT INTO external_ids (resource, external_id, id)
            SELECT 'documents', value, new.id FROM json_each(new.external_ids);
    END;
CREATE TRIGGER documents_unnamed AFTER DELETE ON documents WHEN old.external_ids <> '[]'
    BEGIN DELETE FROM external_ids WHERE resource = 'documents' AND id = old.id; END;

-- What signs the addresses that open a content without a token (resources 17.5).
CREATE TABLE signing_key (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    key BLOB    NOT NULL CHECK (length(key) = 32)
) STRICT;
